//! A segment as plain arrays, wherever they are: built in memory, or read from a file as far as they are needed.
//!
//! Whoever keeps segments outside of memory writes the arrays of a [`QuerySegment`] and later makes
//! [`SegmentArrays`] of what was read. A query asks [`Presence`] before it reads any range. Where a range is
//! absent the query leaves it out and goes on, so that one run names all ranges that can be named so far; the
//! caller reads them and runs the query again.

use std::ops::{ControlFlow, Range};

use super::Match;
use super::probe::QueryBatch;
use super::segment::{Segment, TABLES};
use crate::buckets::BucketsView;
use crate::error::SearchError;
use crate::kernel::SimdLevel;
use crate::word::FingerprintWord;

/// One of the arrays of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SegmentArray {
    /// Where each bucket of a table begins, and where the last ends: 2^bits + 1 positions in its fingerprints.
    Directory(usize),
    /// The fingerprints of a table, bucket by bucket: of table 0 all, of the others the distinct ones.
    Fingerprints(usize),
    /// The documents of the fingerprints of table 0, in their order.
    Documents,
}

/// Which parts of the arrays can be read.
pub trait Presence {
    /// Whether these entries can be read. `false` where they are yet to be read, and where the range is not one of
    /// the array, which a damaged directory may say: the presence remembers either.
    fn has(&mut self, array: SegmentArray, entries: Range<usize>) -> bool;
}

/// Presence of all entries: the segment was built here.
pub(super) struct FullPresence;

impl Presence for FullPresence {
    #[inline(always)]
    fn has(&mut self, _: SegmentArray, _: Range<usize>) -> bool {
        true
    }
}

/// An immutable segment of an index in memory, to be written somewhere.
pub struct QuerySegment<W: 'static>(Segment<W>);

impl<W: FingerprintWord> QuerySegment<W> {
    pub(crate) fn from_prints(prints: &[W], documents: &[u32]) -> Result<Self, SearchError> {
        let count = prints.len();
        if u32::try_from(count).is_err() {
            return Err(SearchError::TooManyPrints { count });
        }
        if documents.len() != count {
            return Err(SearchError::LengthMismatch { prints: count, beside: documents.len() });
        }
        Ok(Self(Segment::build(prints, Some(documents))))
    }

    /// Its arrays.
    #[must_use]
    pub fn arrays(&self) -> SegmentArrays<'_, W> {
        self.0.arrays()
    }
}

impl<W: FingerprintWord> std::fmt::Debug for QuerySegment<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("QuerySegment").field("documents", &self.0.len()).finish_non_exhaustive()
    }
}

/// The arrays of a segment.
///
/// ```
/// use std::ops::{ControlFlow, Range};
/// use nearprint_search::{Presence, QuerySegment, SegmentArray, SegmentArrays};
///
/// struct All;
/// impl Presence for All {
///     fn has(&mut self, _: SegmentArray, _: Range<usize>) -> bool {
///         true
///     }
/// }
/// let built = QuerySegment::build(&[0u64, 0b111, u64::MAX], &[7, 8, 9])?;
/// let arrays = built.arrays();
/// let again = SegmentArrays::new(
///     arrays.bits(),
///     [0, 1, 2].map(|table| arrays.fingerprints(table)),
///     [0, 1, 2].map(|table| arrays.directory(table)),
///     arrays.documents(),
/// );
/// let mut found = Vec::new();
/// let _ = again.expect("arrays of one segment").query_batch(&[0b1], 2, &mut All, &mut |_, near| {
///     found.push((near.document, near.distance));
///     ControlFlow::Continue(())
/// });
/// found.sort();
/// assert_eq!(found, [(7, 1), (8, 2)]);
/// # Ok::<(), nearprint_search::SearchError>(())
/// ```
#[derive(Clone, Copy)]
pub struct SegmentArrays<'a, W> {
    pub(super) tables: [BucketsView<'a, W>; TABLES],
    documents: &'a [u32],
    /// A bit for each entry of table 0 that has been removed; empty while none has.
    removed: &'a [u64],
}

impl<'a, W: FingerprintWord> SegmentArrays<'a, W> {
    /// Tables of a segment: disjoint parts of the fingerprint by which it is found.
    pub const TABLES: usize = TABLES;

    /// The arrays of a segment whose tables go by `bits` bits each; `None` where their lengths are not those of one
    /// segment. What is in them is not looked at.
    #[must_use]
    pub fn new(
        bits: u32,
        fingerprints: [&'a [W]; TABLES],
        directories: [&'a [u32]; TABLES],
        documents: &'a [u32],
    ) -> Option<Self> {
        let fits = bits >= 1
            && bits <= (W::WIDTH / TABLES as u32).min(31)
            && directories.iter().all(|directory| directory.len() == (1 << bits) + 1)
            && fingerprints[0].len() == documents.len()
            && fingerprints[1].len() == fingerprints[2].len()
            && fingerprints[1].len() <= documents.len();
        fits.then(|| {
            let table = |number: usize| BucketsView {
                prints: fingerprints[number],
                directory: directories[number],
                shift: W::WIDTH - (number as u32 + 1) * bits,
                bits,
            };
            Self::of([table(0), table(1), table(2)], documents, &[])
        })
    }

    pub(super) fn of(
        tables: [BucketsView<'a, W>; TABLES],
        documents: &'a [u32],
        removed: &'a [u64],
    ) -> Self {
        Self { tables, documents, removed }
    }

    /// Bits of each table's part.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.tables[0].bits
    }

    /// Number of entries, removed ones among them.
    #[must_use]
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Whether there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// The fingerprints of a table.
    ///
    /// # Panics
    ///
    /// When there is no such table.
    #[must_use]
    pub fn fingerprints(&self, table: usize) -> &'a [W] {
        self.tables[table].prints
    }

    /// The directory of a table.
    ///
    /// # Panics
    ///
    /// When there is no such table.
    #[must_use]
    pub fn directory(&self, table: usize) -> &'a [u32] {
        self.tables[table].directory
    }

    /// The documents of the fingerprints of table 0.
    #[must_use]
    pub fn documents(&self) -> &'a [u32] {
        self.documents
    }

    /// Tells `found` of every match within `k` with the position of its query, in no order; it may end the batch.
    /// Beyond [`MAX_QUERY_DISTANCE`](super::MAX_QUERY_DISTANCE) every query is compared with every fingerprint. Where
    /// `presence` lacked something, the matches are incomplete.
    pub fn query_batch<P: Presence>(
        &self,
        prints: &[W],
        k: u32,
        presence: &mut P,
        found: &mut dyn FnMut(usize, Match) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let kernels = W::kernels().at(SimdLevel::detect());
        QueryBatch::new(*self, prints, k.min(W::WIDTH), kernels, presence).run(found)
    }

    /// The document at an entry of table 0, unless it was removed.
    pub(super) fn document(&self, at: usize) -> Option<u32> {
        let removed = self.removed.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1);
        (!removed).then(|| self.documents[at])
    }

    /// The entries of table 0 that hold `print`; none where its bucket is not there.
    pub(super) fn entries(&self, print: W, presence: &mut impl Presence) -> Range<usize> {
        let table = &self.tables[0];
        let key = table.key(print);
        if !presence.has(SegmentArray::Directory(0), key..key + 2) {
            return 0..0;
        }
        let (start, end) = table.bucket(key);
        let bucket = start as usize..end as usize;
        if !presence.has(SegmentArray::Fingerprints(0), bucket.clone()) {
            return 0..0;
        }
        let bucket = &table.prints[bucket];
        let first = bucket.partition_point(|&other| other < print);
        let count = bucket[first..].partition_point(|&other| other == print);
        start as usize + first..start as usize + first + count
    }
}

impl<W> std::fmt::Debug for SegmentArrays<'_, W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (documents, bits) = (self.documents.len(), self.tables[0].bits);
        f.debug_struct("SegmentArrays")
            .field("documents", &documents)
            .field("bits", &bits)
            .finish_non_exhaustive()
    }
}
