//! An index of prints in memory: which documents lie within k of a print.
//!
//! Prints live in immutable *segments*; new ones gather in a short list that is looked through whole, and
//! becomes a segment when it is full. Neighbouring segments of like size are merged, so that there are
//! few, each more than twice as large as the one after it. Removed documents are marked, and left out at
//! the next merge.

mod arrays;
mod probe;
mod segment;

use std::ops::ControlFlow;

use crate::error::SearchError;
use crate::kernel::{Kernels, SimdLevel};
use crate::word::FingerprintWord;
use arrays::FullPresence;
pub use arrays::{Presence, QuerySegment, SegmentArray, SegmentArrays};
use probe::QueryBatch;
use segment::Segment;

/// The largest distance the index answers, in bits.
pub const MAX_QUERY_DISTANCE: u32 = 12;

/// New prints that are looked through one by one before they become a segment.
const FRESH: usize = 2048;

/// A document near the print asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Match {
    /// The document.
    pub document: u32,
    /// Bits in which its print differs from the one asked for, 0 to k.
    pub distance: u32,
}

/// Prints with their documents, to be queried, added to and removed from.
///
/// A query costs a few dozen independent memory accesses at k = 3, some hundreds at k = 6 to 8, whatever the
/// number of prints; [`query_batch`](Self::query_batch) keeps many of them under way at once. The index
/// takes some 18 bytes for a 64-bit print beyond the print itself and its document.
///
/// # Examples
///
/// ```
/// use nearprint_search::{Match, QueryIndex};
/// let mut index = QueryIndex::build(&[0u64, 0b111, u64::MAX])?;
/// index.insert(7, 0b1);
/// assert!(index.remove(0, 0));
/// let near = index.query(0, 3)?;
/// assert_eq!(near, [Match { document: 1, distance: 3 }, Match { document: 7, distance: 1 }]);
/// # Ok::<(), nearprint_search::SearchError>(())
/// ```
pub struct QueryIndex<W: 'static> {
    /// Largest first.
    segments: Vec<Segment<W>>,
    fresh: Vec<W>,
    fresh_documents: Vec<u32>,
    kernels: &'static Kernels<W>,
}

impl<W: FingerprintWord> QueryIndex<W> {
    pub(crate) fn from_prints(prints: &[W]) -> Result<Self, SearchError> {
        let count = prints.len();
        let documents = u32::try_from(count).map_err(|_| SearchError::TooManyPrints { count })?;
        let mut index = Self {
            segments: Vec::new(),
            fresh: Vec::new(),
            fresh_documents: Vec::new(),
            kernels: W::kernels().at(SimdLevel::detect()),
        };
        if count > FRESH {
            index.segments.push(Segment::build(prints, None));
        } else {
            index.fresh = prints.to_vec();
            index.fresh_documents = (0..documents).collect();
        }
        Ok(index)
    }

    /// Number of documents in it.
    #[must_use]
    pub fn len(&self) -> usize {
        self.fresh.len() + self.segments.iter().map(Segment::living).sum::<usize>()
    }

    /// Whether it holds no document.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes it holds in memory.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let fresh =
            (self.fresh.capacity() * size_of::<W>() + self.fresh_documents.capacity() * 4) as u64;
        fresh + self.segments.iter().map(Segment::memory).sum::<u64>()
    }

    pub(crate) fn add(&mut self, document: u32, print: W) {
        self.fresh.push(print);
        self.fresh_documents.push(document);
        if self.fresh.len() > FRESH {
            let documents = std::mem::take(&mut self.fresh_documents);
            let prints = std::mem::take(&mut self.fresh);
            self.segments.push(Segment::build(&prints, Some(&documents)));
            self.merge();
        }
    }

    /// Merges segments from the end until each is more than twice as large as the next.
    fn merge(&mut self) {
        while let [.., larger, last] = &self.segments[..] {
            if larger.len() > 2 * last.len() {
                return;
            }
            let (mut prints, mut documents) = (Vec::new(), Vec::new());
            for segment in [larger, last] {
                segment.export(&mut prints, &mut documents);
            }
            self.segments.truncate(self.segments.len() - 2);
            self.segments.push(Segment::build(&prints, Some(&documents)));
        }
    }

    pub(crate) fn take_out(&mut self, document: u32, print: W) -> bool {
        let mut fresh = self.fresh.iter().zip(&self.fresh_documents);
        if let Some(at) = fresh.position(|entry| entry == (&print, &document)) {
            self.fresh.swap_remove(at);
            self.fresh_documents.swap_remove(at);
            return true;
        }
        let Some(at) = self.segments.iter_mut().position(|segment| segment.remove(document, print))
        else {
            return false;
        };
        let segment = &self.segments[at];
        if segment.living() * 2 < segment.len() {
            let (mut prints, mut documents) = (Vec::new(), Vec::new());
            segment.export(&mut prints, &mut documents);
            self.segments[at] = Segment::build(&prints, Some(&documents));
            self.segments.sort_by_key(|segment| std::cmp::Reverse(segment.len()));
        }
        true
    }

    /// Calls `visit` with every document and its print, in no order.
    pub fn for_each(&self, visit: &mut dyn FnMut(u32, W)) {
        for (&document, &print) in self.fresh_documents.iter().zip(&self.fresh) {
            visit(document, print);
        }
        for segment in &self.segments {
            segment.for_each(visit);
        }
    }

    pub(crate) fn near(&self, print: W, k: u32) -> Result<Vec<Match>, SearchError> {
        let mut matches = Vec::new();
        self.near_each(&[print], k, &mut |_, found| {
            matches.push(found);
            ControlFlow::Continue(())
        })?;
        matches.sort_unstable();
        Ok(matches)
    }

    pub(crate) fn near_each(
        &self,
        prints: &[W],
        k: u32,
        found: &mut dyn FnMut(usize, Match) -> ControlFlow<()>,
    ) -> Result<(), SearchError> {
        if k > MAX_QUERY_DISTANCE {
            return Err(SearchError::DistanceTooLarge { k, limit: MAX_QUERY_DISTANCE });
        }
        let mut near = Vec::new();
        if !self.fresh.is_empty() {
            for (query, &print) in prints.iter().enumerate() {
                (self.kernels.one_to_many)(print, &self.fresh, k, &mut near);
                for at in near.drain(..) {
                    let document = self.fresh_documents[at as usize];
                    let distance = print.hamming_distance(self.fresh[at as usize]);
                    if found(query, Match { document, distance }).is_break() {
                        return Ok(());
                    }
                }
            }
        }
        for segment in &self.segments {
            if QueryBatch::new(segment.arrays(), prints, k, self.kernels, &mut FullPresence)
                .run(found)
                .is_break()
            {
                return Ok(());
            }
        }
        Ok(())
    }
}

impl<W: FingerprintWord> std::fmt::Debug for QueryIndex<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("QueryIndex")
            .field("documents", &self.len())
            .field("segments", &self.segments.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
