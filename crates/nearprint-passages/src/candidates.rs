//! Pairs of places that may be in a shared run: sorted, so that all of one diagonal of two documents come together.

use std::io;
use std::path::Path;

use crate::external_sort::{ExternalSort, RecordReader, SortedRecords};
use crate::places::{document, place, token};

/// By this a difference of places, which may be negative, becomes a number that sorts as it does.
const BIAS: i64 = 1 << 31;

/// Pairs of places on their way.
#[derive(Debug)]
pub(crate) struct Candidates {
    sort: ExternalSort<2>,
}

impl Candidates {
    pub(crate) fn new(memory: usize, directory: &Path) -> Self {
        Self { sort: ExternalSort::new(memory, directory) }
    }

    /// Adds a pair of places of two documents, the earlier document first.
    pub(crate) fn push(&mut self, a: u64, b: u64) -> io::Result<()> {
        // Both tokens have numbers of 31 bits.
        let diagonal = i64::from(token(a)) - i64::from(token(b)) + BIAS;
        self.sort
            .push([place(document(a), document(b)), (diagonal as u64) << 32 | u64::from(token(a))])
    }

    pub(crate) fn finish(self) -> io::Result<SortedCandidates> {
        Ok(SortedCandidates(self.sort.finish()?))
    }
}

/// Pairs of places in the order of their documents, their diagonals and the places in the first document.
pub(crate) struct SortedCandidates(pub(crate) SortedRecords<2>);

/// Places of two documents that may be in a shared run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// The documents.
    pub(crate) documents: (u32, u32),
    /// The place in the first document less that in the second.
    pub(crate) diagonal: i64,
    /// The place in the first document.
    pub(crate) a: usize,
}

impl Candidate {
    /// The place in the second document.
    pub(crate) fn b(self) -> usize {
        // It was a place.
        usize::try_from(self.a as i64 - self.diagonal).unwrap_or(usize::MAX)
    }
}

impl SortedCandidates {
    pub(crate) fn read(&self) -> io::Result<CandidateReader<'_>> {
        Ok(CandidateReader { records: self.0.read()?, last: None })
    }
}

/// Reads candidates, each once.
pub(crate) struct CandidateReader<'s> {
    records: RecordReader<'s, 2>,
    last: Option<[u64; 2]>,
}

impl CandidateReader<'_> {
    pub(crate) fn next(&mut self) -> io::Result<Option<Candidate>> {
        while let Some(record) = self.records.next()? {
            if self.last.replace(record) != Some(record) {
                let [documents, place] = record;
                return Ok(Some(Candidate {
                    documents: (document(documents), token(documents)),
                    diagonal: i64::from(document(place)) - BIAS,
                    a: token(place) as usize,
                }));
            }
        }
        Ok(None)
    }
}
