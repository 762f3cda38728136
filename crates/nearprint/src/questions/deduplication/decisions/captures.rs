//! Captures of web archives among the documents that are decided about.

use std::ops::Range;

use nearprint_records::DocumentId;

use crate::questions::deduplication::revisits::Revisits;

/// The captures of web archives, none of which is dropped.
#[derive(Debug)]
pub(super) struct Captures {
    pub(super) revisits: Revisits,
    /// Their documents, ascending.
    pub(super) documents: Vec<Range<u64>>,
    /// Those that become revisits, ascending, with their targets' ids.
    pub(super) converted: Vec<(u64, DocumentId)>,
}

impl Captures {
    pub(super) fn holds(&self, document: u64) -> bool {
        let at = self.documents.partition_point(|range| range.end <= document);
        self.documents.get(at).is_some_and(|range| range.contains(&document))
    }

    pub(super) fn target(&self, document: u64) -> Option<&DocumentId> {
        let at = self.converted.binary_search_by_key(&document, |&(document, _)| document).ok()?;
        Some(&self.converted[at].1)
    }
}
