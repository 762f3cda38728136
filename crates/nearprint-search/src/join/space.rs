//! Fingerprints of one or two sets scattered through memory into cells.

use std::ops::Range;

use super::tree::Key;
use super::worker::Bucket;
use crate::buffer::Buffer;
use crate::radix::{self, Counts};
use crate::word::{Bits, FingerprintWord};

/// Where the cells of the left set end, and those of the right one if there is one.
pub(super) type Ends = (radix::Ends, radix::Ends);

/// The cells of a table: by the `bits` bits of its key that follow the first `skip`.
#[derive(Clone, Copy)]
pub(super) struct CellsBy<W> {
    pub(super) key: Key<W>,
    pub(super) skip: u32,
    pub(super) bits: u32,
}

/// Counts of the fingerprints of each set that belong to each cell.
pub(super) struct CellCounts {
    left: Counts,
    right: Option<Counts>,
}

impl CellCounts {
    /// Fingerprints of a cell: those of the larger side.
    pub(super) fn size(&self, cell: usize) -> usize {
        self.left.size(cell).max(self.right.as_ref().map_or(0, |right| right.size(cell)))
    }
}

impl<W: FingerprintWord> CellsBy<W> {
    /// Counts the distinct fingerprints of a bucket, in which equal ones are side by side.
    pub(super) fn count(self, bucket: Bucket<'_, W>) -> CellCounts {
        let one = |prints: &[W]| match self.key {
            // All side by side.
            _ if self.bits == 0 => Counts::of(prints, 0, |_| 0),
            Key::Run { high, .. } => {
                let shift = high - self.skip - self.bits;
                Counts::of(prints, self.bits, |print| print.window(shift, self.bits))
            }
            Key::Hash { block, .. } => {
                let shift = 64 - self.skip - self.bits;
                let hash = |print: W| Bits::and(print, block).mix().window(shift, self.bits);
                Counts::of(prints, self.bits, hash)
            }
        };
        CellCounts { left: one(bucket.left), right: bucket.right.map(one) }
    }

    /// Scatters the fingerprints counted; only the cells in `slice`.
    fn scatter(
        self,
        prints: &[W],
        counts: &Counts,
        slice: Range<usize>,
        out: (&mut Buffer<W>, usize),
    ) -> radix::Ends {
        match self.key {
            _ if self.bits == 0 => counts.scatter(prints, slice, |_| 0, out),
            Key::Run { high, .. } => {
                let shift = high - self.skip - self.bits;
                counts.scatter(prints, slice, |print| print.window(shift, self.bits), out)
            }
            Key::Hash { block, .. } => {
                let shift = 64 - self.skip - self.bits;
                let hash = |print: W| Bits::and(print, block).mix().window(shift, self.bits);
                counts.scatter(prints, slice, hash, out)
            }
        }
    }
}

/// Fingerprints in cells.
pub(super) struct Partitions<'p, W> {
    pub(super) prints: Bucket<'p, W>,
}

impl<'p, W: FingerprintWord> Partitions<'p, W> {
    pub(super) fn cell(&self, ends: &Ends, cell: usize) -> Bucket<'p, W> {
        self.crossed(ends, cell, cell)
    }

    /// Cell `cell` of the left set and `other` of the right one.
    pub(super) fn crossed(&self, ends: &Ends, cell: usize, other: usize) -> Bucket<'p, W> {
        let range = |ends: &radix::Ends, cell: usize| {
            let start = if cell == 0 { 0 } else { ends[cell - 1] };
            start..ends[cell]
        };
        Bucket {
            left: &self.prints.left[range(&ends.0, cell)],
            right: self.prints.right.map(|right| &right[range(&ends.1, other)]),
        }
    }
}

/// Room for the fingerprints of both sets, scattered; reused from table to table.
pub(super) struct Space<W> {
    left: Buffer<W>,
    right: Buffer<W>,
    /// Fingerprints of each set that it is to hold at most.
    room: usize,
}

impl<W: FingerprintWord> Space<W> {
    pub(super) fn of(room: usize) -> Self {
        Self { left: Buffer::zeroed(0), right: Buffer::zeroed(0), room }
    }

    /// Scatters the fingerprints of a bucket that were counted into cells; only the cells in `slice`.
    pub(super) fn scatter(
        &mut self,
        bucket: Bucket<'_, W>,
        by: CellsBy<W>,
        counted: &CellCounts,
        slice: Range<usize>,
    ) -> (Partitions<'_, W>, Ends) {
        let out = (&mut self.left, self.room);
        let left = by.scatter(bucket.left, &counted.left, slice.clone(), out);
        let right = bucket
            .right
            .zip(counted.right.as_ref())
            .map(|(right, counts)| by.scatter(right, counts, slice, (&mut self.right, self.room)));
        let prints =
            Bucket { left: &self.left[..], right: right.is_some().then(|| &self.right[..]) };
        (Partitions { prints }, (left, right.unwrap_or_default()))
    }

    /// The distinct fingerprints of a bucket, in which equal ones are side by side, as one cell.
    pub(super) fn together(&mut self, bucket: Bucket<'_, W>) -> (Partitions<'_, W>, Ends) {
        let by = CellsBy { key: Key::Run { high: 0, width: 0 }, skip: 0, bits: 0 };
        self.scatter(bucket, by, &by.count(bucket), 0..1)
    }
}
