//! The innermost loops: comparing every fingerprint of a bucket with every other, and one with many.
//!
//! Three questions are asked, always in the same form: which pairs inside each cell, which pairs
//! across two cells, which of many fingerprints lie within k of one. `portable` answers them in plain
//! Rust and is the truth; the others answer the same with wider registers, and the tests below
//! hold every level the machine has to `portable`. [`SimdLevel`] is the only place where a level
//! is chosen.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod dispatch;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod lanes;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod loops;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;

pub use dispatch::SimdLevel;
pub(crate) use dispatch::{KernelTable, U64};
#[cfg(feature = "widths")]
pub(crate) use dispatch::{U32, U128};

/// Takes what a kernel found, when its list is full and at the end.
pub(crate) trait HitReceiver<W> {
    /// Every pair handed over lies within the distance, and is handed over once.
    fn hits(&mut self, hits: &[(W, W)]);

    /// Whether nothing more is wanted; asked between rows of hits, not between comparisons.
    fn stopped(&self) -> bool;
}

/// Buffer of the hits that a kernel finds.
pub(crate) struct HitBuffer<'a, W> {
    /// Pairs not yet handed over; its storage is reused.
    hits: Vec<(W, W)>,
    /// Cells left alone because they were larger than the limit.
    pub(crate) large: Vec<u32>,
    receiver: &'a mut dyn HitReceiver<W>,
}

impl<'a, W: Copy> HitBuffer<'a, W> {
    /// Hits that are gathered before they are handed over: 64 KiB of 64-bit pairs.
    const BATCH: usize = 4096;

    pub(crate) fn new(receiver: &'a mut dyn HitReceiver<W>) -> Self {
        Self { hits: Vec::new(), large: Vec::new(), receiver }
    }

    /// Hands over the hits if there are many; called once a row, so that a list never grows by
    /// more than a row beyond the batch.
    #[inline]
    pub(crate) fn row_done(&mut self) -> bool {
        if self.hits.len() < Self::BATCH {
            return true;
        }
        self.flush();
        !self.receiver.stopped()
    }

    #[inline]
    pub(crate) fn push(&mut self, a: W, b: W) {
        self.hits.push((a, b));
    }

    /// Hands over all hits.
    pub(crate) fn flush(&mut self) {
        if !self.hits.is_empty() {
            self.receiver.hits(&self.hits);
            self.hits.clear();
        }
    }
}

/// The three loops for one width at one level.
pub(crate) struct Kernels<W> {
    /// Finds the pairs within `k` inside each cell of `items`. Cell `c` ends at `ends[c]` and
    /// starts where the one before it ends. Cells of more than `limit` fingerprints are noted in
    /// [`HitBuffer::large`] instead.
    pub(crate) within_cells:
        fn(items: &[W], ends: &[u32], k: u32, limit: usize, found: &mut HitBuffer<'_, W>),
    /// Finds the pairs within `k` between all of `left` and all of `right`, left fingerprint first.
    pub(crate) across: fn(left: &[W], right: &[W], k: u32, found: &mut HitBuffer<'_, W>),
    /// Appends the positions of the `items` within `k` of `print`, in order.
    pub(crate) one_to_many: fn(print: W, items: &[W], k: u32, near: &mut Vec<u32>),
    /// Appends what each probe finds within `k` in its bucket of `items`: the probe's number and the
    /// position, in order. A bucket must lie
    /// inside `items`.
    pub(crate) probes: LookInBuckets<W>,
}

/// The number of a probe and the position of a fingerprint it found.
pub(crate) type ProbeHit = (u32, u32);

type LookInBuckets<W> = fn(items: &[W], probes: &[Probe<W>], k: u32, near: &mut Vec<ProbeHit>);

/// A bucket to be looked through for one fingerprint.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Probe<W> {
    pub(crate) print: W,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

#[cfg(test)]
mod tests;
