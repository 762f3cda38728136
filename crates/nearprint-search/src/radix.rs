//! The passes over all fingerprints: parallel partition by a few bits, and the sort that groups equal fingerprints.
//!
//! Threads take the source in parts; each counts its part first, so that in every partition each has places
//! of its own, which it then fills in order ([`streams`]).

mod in_cache;
mod sort;
mod streams;

pub(crate) use sort::{sort_owned, sort_with_positions};

use std::ops::Range;

use crate::buffer::Buffer;
use crate::tasks;
use crate::word::FingerprintWord;
use streams::share;

/// Fingerprints below which more threads do not pay.
pub(crate) const WORTH_SHARING: usize = 1 << 16;

/// Where each partition ends, partition 0 first.
pub(crate) type Ends = Vec<usize>;

/// How `source` is shared out: the length of each part.
fn part_length(count: usize) -> usize {
    let parts = if count < WORTH_SHARING { 1 } else { rayon::current_num_threads() };
    count.div_ceil(parts).max(1)
}

/// Calls `each` with the fingerprints of `part` that are not equal to the one before them in `source`.
#[inline(always)]
fn for_each_first<W: FingerprintWord>(source: &[W], part: Range<usize>, mut each: impl FnMut(W)) {
    let Some(&first) = source.get(part.start) else { return };
    let mut last =
        if part.start > 0 { source[part.start - 1] } else { W::truncate(!first.widen()) };
    for &print in &source[part] {
        if print != last {
            last = print;
            each(print);
        }
    }
}

/// How many of a set's distinct fingerprints belong to each partition, by the parts it is shared out in.
pub(crate) struct Counts {
    parts: Vec<Range<usize>>,
    counts: Vec<Vec<usize>>,
}

impl Counts {
    /// Counts `source`'s distinct fingerprints in `1 << bits` partitions by `key`. Equal fingerprints are side by side
    /// in `source`; only the first of them counts.
    pub(crate) fn of<W: FingerprintWord>(
        source: &[W],
        bits: u32,
        key: impl Fn(W) -> usize + Sync,
    ) -> Self {
        let length = part_length(source.len());
        let parts = tasks::ranges(source.len(), length);
        let counts = tasks::map(parts.clone(), |part| {
            let mut counts = vec![0usize; 1 << bits];
            for_each_first(source, part, |print| counts[key(print)] += 1);
            counts
        });
        Self { parts, counts }
    }

    /// Fingerprints of one partition.
    pub(crate) fn size(&self, partition: usize) -> usize {
        self.counts.iter().map(|counts| counts[partition]).sum()
    }

    /// Puts the fingerprints counted into their partitions, one after another in `out`, which grows to hold them;
    /// returns where partitions end. `source` and `key` are those of [`of`](Self::of).
    ///
    /// Only the partitions in `slice` are made: a set too large for `out`, which then holds at most `room` unless
    /// one partition is larger, is worked on in several passes.
    pub(crate) fn scatter<W: FingerprintWord>(
        &self,
        source: &[W],
        slice: Range<usize>,
        key: impl Fn(W) -> usize + Sync,
        (out, room): (&mut Buffer<W>, usize),
    ) -> Ends {
        let counts: Vec<&[usize]> =
            self.counts.iter().map(|counts| &counts[slice.clone()]).collect();
        let needed = counts.iter().copied().flatten().sum();
        if out.len() < needed {
            // Enough for the passes that follow: what is not touched takes no memory.
            let all = self.counts.iter().flatten().sum();
            *out = Buffer::zeroed(room.min(all).max(needed));
        }
        let (ends, streams) = share(&mut out[..needed], slice.len(), &counts);
        let parts = self.parts.iter().cloned().zip(streams).collect();
        tasks::map(parts, |(part, mut streams)| {
            // Partitions before the slice wrap to beyond it, which the streams leave out.
            for_each_first(source, part, |print| {
                streams.put(key(print).wrapping_sub(slice.start), print);
            });
        });
        ends
    }
}

#[cfg(test)]
mod tests;
