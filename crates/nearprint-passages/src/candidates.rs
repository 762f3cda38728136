//! Pairs of places that may be in a shared run: sorted, so that all of one diagonal of two documents come together.

use std::io;
use std::path::Path;

use crate::external_sort::{ExternalSort, RecordReader, SortedRecords};
use crate::places::{document, place, token};

/// By this a difference of places, which may be negative, becomes a number that sorts as it does.
const BIAS: i64 = 1 << 31;

/// Pairs of places on their way.
#[derive(Debug)]
pub(crate) struct Candidates(ExternalSort<2>);

impl Candidates {
    pub(crate) fn new(memory: usize, directory: &Path) -> Self {
        Self(ExternalSort::new(memory, directory))
    }

    /// Adds a pair of places of two documents, the earlier document first.
    pub(crate) fn push(&mut self, a: u64, b: u64) -> io::Result<()> {
        // Both tokens have numbers of 31 bits.
        let diagonal = i64::from(token(a)) - i64::from(token(b)) + BIAS;
        self.0
            .push([place(document(a), document(b)), (diagonal as u64) << 32 | u64::from(token(a))])
    }

    pub(crate) fn finish(self) -> io::Result<SortedCandidates> {
        Ok(SortedCandidates(self.0.finish()?))
    }
}

/// Pairs of places in the order of their documents, their diagonals and the places in the first document.
pub(crate) struct SortedCandidates(SortedRecords<2>);

/// Places of two documents that may be in a shared run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Candidate {
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
        Ok(CandidateReader(self.0.read()?))
    }
}

/// Reads the candidates of two documents at a time.
pub(crate) struct CandidateReader<'s>(RecordReader<'s, 2>);

impl CandidateReader<'_> {
    /// Adds the candidates of the next two documents to `candidates`, and returns the documents.
    pub(crate) fn next_documents(
        &mut self,
        candidates: &mut Vec<Candidate>,
    ) -> io::Result<Option<(u32, u32)>> {
        let Some([documents, first]) = self.0.next()? else { return Ok(None) };
        candidates.push(candidate(first));
        while let Some([_, next]) = self.0.next_of(documents)? {
            let next = candidate(next);
            if candidates.last() != Some(&next) {
                candidates.push(next);
            }
        }
        Ok(Some((document(documents), token(documents))))
    }
}

fn candidate(number: u64) -> Candidate {
    Candidate { diagonal: i64::from(document(number)) - BIAS, a: token(number) as usize }
}
