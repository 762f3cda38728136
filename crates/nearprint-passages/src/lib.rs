//! Finds every passage that texts share: quotations, boilerplate, paragraphs that moved, test items in training data.
//!
//! A *passage* is a run of tokens, as the standard divides a text into them (`spec/SPEC.md`, section 6), so case,
//! layout and punctuation make no difference.
//!
//! **What is guaranteed.** Every run of at least T tokens ([`PassageSettings::least_tokens`]) that two texts share is
//! found, with its places in both, in bytes and in characters:
//!
//! - as a [`SharedPassage`], the maximal run, unless all of it but fewer than T / 2 tokens in a row is at more than M
//!   places of the collection ([`PassageSettings::most_places`]);
//! - then as part of [`FrequentPassage`]s, each of which is reported once, with all of its places.
//!
//! Nothing is found that is not shared: hashes only propose, and every run is compared on its tokens. The result is the
//! same for any division of the input, any number of threads and any memory.
//!
//! **How.** Of each window of T tokens one run of 8 is its *anchor*, by a rule that looks at the window alone
//! (winnowing; Schleimer, Wilkerson, Aiken 2003). Anchors, 16 bytes each and one in 22 tokens, are sorted by their
//! hashes, beyond the memory in a temporary file. Equal anchors propose pairs of places. Anchors at many places are
//! refined by the windows around them, so that common phrases propose little. Pairs are sorted by documents and
//! diagonals, extended to maximal runs on their tokens, and reported. `docs/PASSAGES.md` has the reasons, the
//! measurements and the limits.
//!
//! Time is O(n log n) for the sorting, and linear in what is found. A text that repeats one token, or a passage in
//! every document, is frequent, and costs as much as any other text, whatever is beside it.
//!
//! [`PassageSearch`] is where to begin; [`PassageSearch::repeats`] finds what a collection has twice, so that it can be
//! cut. [`ItemIndex`] looks for test items in texts that are only read, [`ItemClusters`] for most of them. Features
//! only add: `serde` (rows in serde's formats), `spill` (temporary files for what exceeds the memory, by default).

mod anchor_groups;
mod byte_log;
mod candidates;
mod document_store;
mod error;
mod external_sort;
mod frequent_passages;
mod frequent_places;
mod frequent_windows;
mod item_clusters;
mod item_collisions;
mod item_index;
mod item_matches;
mod item_runs;
mod item_settings;
mod item_words;
mod joined_runs;
mod listed_passages;
mod places;
mod progress;
mod record_parts;
mod repeats;
mod rolling_hash;
mod rows;
mod search;
mod search_folder;
mod search_steps;
mod selection;
mod settings;
mod shared_runs;
mod sorted_runs;
mod temporary_file;
#[cfg(test)]
mod tests;
mod text_words;
mod token_block;
#[cfg(feature = "spill")]
mod unnamed_file;
#[cfg(not(feature = "spill"))]
#[path = "unnamed_file_none.rs"]
mod unnamed_file;
mod window_groups;

pub use error::PassageError;
pub use item_clusters::{ItemCluster, ItemClusters};
pub use item_collisions::ItemCollision;
pub use item_index::ItemIndex;
pub use item_matches::ItemMatch;
pub use item_settings::ItemSettings;
pub use item_words::ItemWords;
pub use progress::PassageProgress;
pub use repeats::{FoundRepeats, KeptPlace, Repeat, RepeatedRun};
pub use rows::{
    FrequentPassage, FrequentPlace, PassageCounts, PassageLists, PassageSink, SharedPassage,
    TextPlace,
};
pub use search::{AnchorReader, AnchoredText, PassageSearch};
pub use search_folder::SearchStep;
pub use settings::PassageSettings;
