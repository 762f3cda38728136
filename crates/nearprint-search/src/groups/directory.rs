//! Where the fingerprints with each value of their top bits lie in a sorted array.

use crate::buffer::Buffer;
use crate::radix::WORTH_SHARING;
use crate::tasks;
use crate::word::FingerprintWord;

/// The directory of a sorted array of fingerprints, and how many of them are distinct.
pub(super) struct Directory {
    /// Of each value of the top bits, where its fingerprints end; before all, where the first begin.
    ends: Buffer<u32>,
    /// Top bits it is indexed by.
    bits: u32,
    pub(super) distinct: usize,
}

impl Directory {
    /// The directory of `sorted`, fewer than 2^32 fingerprints. O(n), in the current rayon pool.
    pub(super) fn of<W: FingerprintWord>(sorted: &[W]) -> Self {
        // About four fingerprints an entry: one more access in four times the memory gains nothing.
        let bits = (sorted.len() / 4).max(1).ilog2().min(28);
        let mut ends = Buffer::zeroed((1 << bits) + 1);
        let shared = sorted.len() >= WORTH_SHARING;
        // Some parts more than threads: where fingerprints are skewed, a part may be all of them.
        let parts = if shared { 4 * rayon::current_num_threads() } else { 1 };
        let length = (1usize << bits).div_ceil(parts).max(1);
        let parts = ends[1..].chunks_mut(length).enumerate();
        let distinct = tasks::map(parts.collect(), |(part, ends)| {
            part_of_directory(sorted, bits, part * length, ends)
        });
        let distinct = distinct.iter().sum();
        Self { ends, bits, distinct }
    }

    /// The start and the end of the fingerprints that have `print`'s top bits.
    #[inline]
    pub(super) fn range<W: FingerprintWord>(&self, print: W) -> (u32, u32) {
        let entry = self.entry(print);
        (self.ends[entry], self.ends[entry + 1])
    }

    /// Where it is looked up for a fingerprint.
    #[inline]
    pub(super) fn entry<W: FingerprintWord>(&self, print: W) -> usize {
        entry(print, self.bits)
    }

    /// The array it lies in, to be prefetched.
    pub(super) fn ends(&self) -> &[u32] {
        &self.ends
    }
}

#[inline(always)]
fn entry<W: FingerprintWord>(print: W, bits: u32) -> usize {
    if bits == 0 { 0 } else { print.window(W::WIDTH - bits, bits) }
}

/// Fills the `ends` of the entries from `first`; returns how many distinct fingerprints they hold.
fn part_of_directory<W: FingerprintWord>(
    sorted: &[W],
    bits: u32,
    first: usize,
    ends: &mut [u32],
) -> usize {
    let start = sorted.partition_point(|&print| entry(print, bits) < first);
    let end = sorted.partition_point(|&print| entry(print, bits) < first + ends.len());
    // The last of an entry's fingerprints leaves its place there: stores that wait for nothing.
    for (at, &print) in (start as u32 + 1..).zip(&sorted[start..end]) {
        ends[entry(print, bits) - first] = at;
    }
    // Entries without fingerprints end where the one before them does.
    let mut last = start as u32;
    for end in ends {
        last = last.max(*end);
        *end = last;
    }
    let part = &sorted[start..end];
    let changes = part.iter().zip(part.iter().skip(1)).filter(|(a, b)| a != b).count();
    changes + usize::from(!part.is_empty())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_entry_is_found_where_it_lies(mut prints in prop::collection::vec(0u64..2000, 0..300), shift in 0u32..53) {
            prints.iter_mut().for_each(|print| *print <<= shift);
            prints.sort_unstable();
            let directory = Directory::of(&prints);
            let mut distinct = prints.clone();
            distinct.dedup();
            prop_assert_eq!(directory.distinct, distinct.len());
            for print in (0..2000u64).map(|print| print << shift) {
                let (start, end) = directory.range(print);
                let same = |other: u64| directory.entry(other) == directory.entry(print);
                prop_assert!(prints[start as usize..end as usize].iter().all(|&other| same(other)));
                prop_assert_eq!((end - start) as usize, prints.iter().filter(|&&other| same(other)).count());
            }
        }
    }

    #[test]
    fn parts_of_a_large_directory_fit_together() {
        let mut prints: Vec<u64> =
            (0..100_000u64).map(|n| (n % 70_000).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        prints.extend([0; 5000]);
        prints.sort_unstable();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("a pool");
        let directory = pool.install(|| Directory::of(&prints));
        assert_eq!(directory.distinct, 70_000);
        assert_eq!(directory.ends().last(), Some(&105_000));
        assert!(directory.ends().is_sorted());
        for &print in prints.iter().step_by(97) {
            let (start, end) = directory.range(print);
            assert!(prints[start as usize..end as usize].contains(&print));
        }
    }
}
