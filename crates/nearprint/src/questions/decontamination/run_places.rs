//! At how many places of the training data runs of items are: what is at many shows nothing, which is known when all is
//! read. So finds are held until then; of each run no more than count.

use std::collections::{HashMap, HashSet};

use nearprint_passages::{ItemIndex, ItemMatch};
use nearprint_records::DocumentId;

/// Places of a run, at most, for it to show an item.
const MOST_PLACES: u32 = 10;

/// Finds, and the places of their runs.
#[derive(Debug, Default)]
pub(super) struct RunPlaces {
    /// By the hashes of the runs.
    counts: HashMap<u64, u32>,
    held: Vec<(DocumentId, Vec<ItemMatch>)>,
}

impl RunPlaces {
    /// Counts the runs that a document has, and holds its finds with runs that are rare as yet.
    pub(super) fn hold(
        &mut self,
        document: DocumentId,
        mut matches: Vec<ItemMatch>,
        index: &ItemIndex,
    ) {
        // Several items may have the same run at one place.
        let mut places = HashSet::new();
        for found in &matches {
            for (run, at) in index.runs_within(found).zip(found.text_start..) {
                if places.insert((at, run)) {
                    *self.counts.entry(run).or_insert(0) += 1;
                }
            }
        }
        matches.retain(|found| self.is_rare(found, index));
        if !matches.is_empty() {
            self.held.push((document, matches));
        }
    }

    /// The finds with a run that is rare in all documents, in their order.
    pub(super) fn rare(
        mut self,
        index: &ItemIndex,
    ) -> impl Iterator<Item = (DocumentId, Vec<ItemMatch>)> {
        let held = std::mem::take(&mut self.held);
        held.into_iter().filter_map(move |(document, mut matches)| {
            matches.retain(|found| self.is_rare(found, index));
            (!matches.is_empty()).then_some((document, matches))
        })
    }

    fn is_rare(&self, found: &ItemMatch, index: &ItemIndex) -> bool {
        index.runs_within(found).any(|run| self.counts.get(&run).is_none_or(|&n| n <= MOST_PLACES))
    }
}
