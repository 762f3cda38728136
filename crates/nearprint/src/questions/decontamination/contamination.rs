//! What was found of a test in training data.

#[cfg(feature = "files")]
use std::collections::HashSet;
#[cfg(feature = "files")]
use std::path::PathBuf;

use nearprint_passages::ItemIndex;
use nearprint_records::DocumentId;

use super::run_places::RunCounts;
#[cfg(feature = "files")]
use super::{CleanCounts, clean_copy::write_clean, text_cutter::TextCutter};
use crate::Tally;
#[cfg(feature = "files")]
use crate::{InputSettings, KeptError, KeptWriter};

/// How many items there are, by what was decided about them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ItemCounts {
    /// All items.
    pub items: u64,
    /// Those that some document has.
    pub contaminated: u64,
    /// Questions and passages that cannot be decided about.
    pub undecidable: u64,
    /// Those of them that have nothing but what too many items have; the others have too few tokens.
    pub forms: u64,
}

/// What was found of a test in training data.
#[derive(Debug)]
#[non_exhaustive]
pub struct Contamination {
    /// How the training data was read.
    pub tally: Tally,
    /// What was decided about the items.
    pub counts: ItemCounts,
    /// What cuts out of texts what was found, by rules that do.
    #[cfg(feature = "files")]
    cutter: Option<TextCutter>,
}

impl Contamination {
    pub(super) fn new(tally: Tally, counts: ItemCounts) -> Self {
        Self {
            tally,
            counts,
            #[cfg(feature = "files")]
            cutter: None,
        }
    }

    /// Has what was found cut out of texts: documents with the digests of their words.
    #[cfg(feature = "files")]
    pub(super) fn cut_texts(
        &mut self,
        index: ItemIndex,
        counts: RunCounts,
        documents: Vec<(DocumentId, u64)>,
    ) {
        let mut cutter = TextCutter::new(index, counts);
        documents.into_iter().for_each(|(document, words)| cutter.push(document, words));
        self.cutter = Some(cutter);
    }

    /// Without files there is nothing to cut.
    #[cfg(not(feature = "files"))]
    pub(super) fn cut_texts(&mut self, _: ItemIndex, _: RunCounts, _: Vec<(DocumentId, u64)>) {}

    /// Writes the training data without `documents`, which are those of the rows: of files that hold many everything
    /// else, byte for byte, of tables by its values; files that are documents themselves are copied or not. `files` are
    /// those of the input, and `settings` how they were read; of several documents with one id all are left out.
    ///
    /// By [`Gpt3`](super::ContaminationPolicy::Gpt3) only what the rows say is cut out of the text of rows of JSON
    /// lines and arrays, Parquet and Arrow, and of plain text in UTF-8, with a blank line between two pieces; documents
    /// of which nothing stays, and those in other forms, are left out.
    ///
    /// # Errors
    /// Where a file cannot be read any more or has changed, or the output cannot be written; nothing appears then.
    #[cfg(feature = "files")]
    pub fn write_clean(
        &self,
        documents: &HashSet<DocumentId>,
        writing: KeptWriter<'_>,
        files: impl IntoIterator<Item = PathBuf>,
        settings: &InputSettings,
    ) -> Result<CleanCounts, KeptError> {
        write_clean(documents, self.cutter.as_ref(), writing, files, settings)
    }

    /// Whether what was found is cut out of texts, and not left out with its documents.
    #[cfg(feature = "files")]
    #[must_use]
    pub fn cuts_texts(&self) -> bool {
        self.cutter.is_some()
    }
}
