//! At how many places of the training data runs of items are: what is at many shows nothing, which is known when all is
//! read. So finds are held until then; of each run no more than count.

use std::collections::HashMap;

use nearprint_passages::{ItemCollision, ItemIndex, ItemMatch};
use nearprint_records::DocumentId;

use super::text_cuts::TextCuts;

/// Places of a run, at most, for it to show an item.
const MOST_PLACES: u32 = 10;

/// What a text has of the items.
#[derive(Debug)]
pub(super) struct TextRuns {
    pub(super) matches: Vec<ItemMatch>,
    collisions: Vec<ItemCollision>,
    characters: u64,
    /// The digest of its words.
    pub(super) words: u64,
}

/// How often runs are in all documents, by their hashes.
#[derive(Debug, Default)]
pub(super) struct RunCounts(HashMap<u64, u32>);

/// Finds, and the places of their runs.
#[derive(Debug, Default)]
pub(super) struct RunPlaces {
    counts: RunCounts,
    held: Vec<(DocumentId, TextRuns)>,
}

impl TextRuns {
    /// What a text has of the items.
    pub(super) fn of(text: &str, index: &ItemIndex) -> Self {
        let matches = index.matches(text);
        if matches.is_empty() {
            return Self { matches, collisions: Vec::new(), characters: 0, words: 0 };
        }
        Self {
            matches,
            collisions: index.collisions(text),
            characters: text.chars().count() as u64,
            words: index.words_digest(text),
        }
    }

    /// What is cut out of the text. Of what is held, runs that are frequent are gone.
    pub(super) fn cuts(&self) -> TextCuts {
        let runs = self.collisions.iter().map(|run| run.characters.clone());
        TextCuts::new(runs, self.characters)
    }

    /// Leaves out what is frequent; whether anything is left.
    fn retain_rare(&mut self, counts: &RunCounts, index: &ItemIndex) -> bool {
        self.matches.retain(|found| index.runs_within(found).any(|run| counts.is_rare(run)));
        self.collisions.retain(|found| counts.is_rare(found.run));
        !self.matches.is_empty()
    }
}

impl RunCounts {
    fn is_rare(&self, run: u64) -> bool {
        self.0.get(&run).is_none_or(|&count| count <= MOST_PLACES)
    }

    /// What is cut out of a text.
    #[cfg(feature = "files")]
    pub(super) fn cuts(&self, text: &str, index: &ItemIndex) -> TextCuts {
        let found = index.collisions(text).into_iter().filter(|found| self.is_rare(found.run));
        TextCuts::new(found.map(|found| found.characters), text.chars().count() as u64)
    }
}

impl RunPlaces {
    /// Counts the runs that a document has, and holds its finds with runs that are rare as yet.
    pub(super) fn hold(&mut self, document: DocumentId, mut runs: TextRuns, index: &ItemIndex) {
        for found in &runs.collisions {
            *self.counts.0.entry(found.run).or_insert(0) += 1;
        }
        if runs.retain_rare(&self.counts, index) {
            self.held.push((document, runs));
        }
    }

    /// The finds with a run that is rare in all documents, in their order, and how often runs are.
    pub(super) fn rare(self, index: &ItemIndex) -> (Vec<(DocumentId, TextRuns)>, RunCounts) {
        let Self { counts, mut held } = self;
        held.retain_mut(|(_, runs)| runs.retain_rare(&counts, index));
        (held, counts)
    }
}
