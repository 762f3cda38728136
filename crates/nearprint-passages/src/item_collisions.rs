//! The places of a text where runs of items are, each run by itself: what a rule counts and cuts that goes by runs of
//! one length.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use crate::item_index::ItemIndex;
use crate::text_words::{CharacterCounter, TextWords};

/// A run of an item at a place of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemCollision {
    /// The hash of the run, as [`ItemIndex::runs_within`] gives it.
    pub run: u64,
    /// Where it is, in characters of the text.
    pub characters: Range<u64>,
}

impl ItemIndex {
    /// All places of a text where a run of [`least_tokens`](crate::ItemSettings::least_tokens) is that an item has, or
    /// all of an item with fewer, in the order of their beginnings; without runs that too many items have. O(n) time in
    /// the tokens of the text.
    #[must_use]
    pub fn collisions(&self, text: &str) -> Vec<ItemCollision> {
        let TextWords { tokens, places, hashes } = self.read_text(text);
        let mut counter = CharacterCounter::new(text);
        let mut found = Vec::new();
        for at in 0..tokens.len() {
            for &length in &self.lengths {
                let Some(run) = tokens.get(at..at + length) else { break };
                let hash = hashes.of(at, length);
                let is_form = self.with_hash(hash).len() > self.settings.most_items;
                if is_form || !self.any_has_run(hash, run) {
                    continue;
                }
                let place = counter.place(places[at].start..places[at + length - 1].end);
                let characters = place.start_character..place.end_character;
                found.push(ItemCollision { run: hash, characters });
            }
        }
        found
    }

    /// A number that two texts of this process have in common if they have the same words, whatever is between these.
    #[must_use]
    pub fn words_digest(&self, text: &str) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.settings.words.each(text, |word, _| word.hash(&mut hasher));
        hasher.finish()
    }
}
