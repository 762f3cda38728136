//! What a join gives out: pairs in batches, and progress, to one receiver that can stop it.
//!
//! Nothing is collected on the way: memory stays bounded by the fingerprints, never by the pairs.

use std::ops::ControlFlow;

use rayon::slice::ParallelSliceMut;

/// Two documents whose fingerprints lie within the distance asked for.
///
/// In a join of one set `a < b`; both are positions in the slice given. In a join of two sets `a`
/// is a position in the left one and `b` in the right one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    /// Position of the first document, from 0.
    pub a: u32,
    /// Position of the second document, from 0.
    pub b: u32,
    /// Number of bits in which the two fingerprints differ, 0 to k.
    pub distance: u32,
}

impl Pair {
    /// Puts pairs in ascending order of `a`, then `b`, with all threads of the current pool. O(n log n).
    pub fn sort(pairs: &mut [Self]) {
        pairs.par_sort_unstable();
    }
}

/// How far a join has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Units of work done; grows to `total`.
    pub done: u64,
    /// Units of work in all: a unit is about the same time throughout one join.
    pub total: u64,
    /// Pairs reported so far.
    pub pairs: u64,
}

/// Receives the pairs of a join.
///
/// Calls never overlap. They come from the pool's threads, in any order unless sorted output was
/// asked for. A closure over batches is a sink; so is a `Vec<Pair>`, which keeps them all.
///
/// # Examples
///
/// ```
/// use std::ops::ControlFlow;
/// use nearprint_search::{Join, Pair};
///
/// let mut count = 0u64;
/// let mut sink = |batch: &[Pair]| {
///     count += batch.len() as u64;
///     if count > 1_000_000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
/// };
/// Join::within(3).pairs(&[0u64, 1, 7, 1 << 40], &mut sink)?;
/// assert_eq!(count, 5);
/// # Ok::<(), nearprint_search::SearchError>(())
/// ```
pub trait PairSink: Send {
    /// Takes a batch of pairs; `Break` ends the join after it.
    fn pairs(&mut self, batch: &[Pair]) -> ControlFlow<()>;

    /// Told now and then how far the work is; `Break` ends the join. Does nothing by default.
    fn progress(&mut self, progress: Progress) -> ControlFlow<()> {
        let _ = progress;
        ControlFlow::Continue(())
    }
}

impl<F: FnMut(&[Pair]) -> ControlFlow<()> + Send> PairSink for F {
    fn pairs(&mut self, batch: &[Pair]) -> ControlFlow<()> {
        self(batch)
    }
}

impl PairSink for Vec<Pair> {
    fn pairs(&mut self, batch: &[Pair]) -> ControlFlow<()> {
        self.extend_from_slice(batch);
        ControlFlow::Continue(())
    }
}
