//! The passes against the library's sort, on sets large enough to be shared and small enough for Miri.

use crate::SearchedWord;
use proptest::prelude::*;

use super::sort::sort_giving_back;
use super::*;

fn sorted_by_library<W: SearchedWord>(prints: &[W]) -> Vec<(W, u32)> {
    let mut both: Vec<(W, u32)> = prints.iter().copied().zip(0..).collect();
    both.sort_unstable();
    both
}

fn check_sort<W: SearchedWord>(prints: &[W]) {
    let (sorted, positions) = sort_with_positions(prints);
    let got: Vec<(W, u32)> = sorted.iter().copied().zip(positions.iter().copied()).collect();
    assert_eq!(got, sorted_by_library(prints));
    let owned = sort_owned(prints.to_vec());
    // In many parts, the last of them short.
    let in_parts = sort_giving_back(prints.to_vec(), prints.len() / 13 + 1);
    for (words, places) in [owned, in_parts] {
        assert!(*words == *sorted && *places == *positions);
    }
}

fn check_partition<W: SearchedWord>(prints: &[W], bits: u32, shift: u32) {
    let mut sorted = prints.to_vec();
    sorted.sort_unstable();
    let mut out = Buffer::zeroed(0);
    let mut distinct = sorted.clone();
    distinct.dedup();
    // In one pass, and in two.
    let middle = (1 << bits) / 3;
    for slice in [0..1 << bits, 0..middle, middle..1 << bits] {
        let key = |print: W| print.window(shift, bits);
        let counts = Counts::of(&sorted, bits, key);
        let ends = counts.scatter(&sorted, slice.clone(), key, (&mut out, usize::MAX));
        assert_eq!(ends.len(), slice.len());
        let mut start = 0;
        for (partition, end) in slice.zip(ends) {
            assert_eq!(counts.size(partition), end - start);
            let mut got = out[start..end].to_vec();
            got.sort_unstable();
            let want = distinct.iter().copied().filter(|print| key(*print) == partition);
            assert_eq!(got, want.collect::<Vec<_>>());
            start = end;
        }
    }
}

/// Numbers with more or fewer equal ones among them and more or fewer equal high bits.
fn numbers(seed: u64, count: usize, mask: u64) -> Vec<u64> {
    let mut state = seed | 1;
    let next = |state: &mut u64| {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(0xb504_f333);
        state.rotate_left(32)
    };
    (0..count).map(|_| next(&mut state) & mask).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 64 }))]

    #[test]
    fn sorting_is_the_librarys(seed in any::<u64>(), count in 0usize..3000, mask in prop_oneof![any::<u64>(), 0u64..64, Just(u64::MAX)]) {
        let prints = numbers(seed, count, mask);
        check_sort(&prints);
        check_sort(&prints.iter().map(|&print| print as u32).collect::<Vec<_>>());
        check_sort(&prints.iter().map(|&print| u128::from(print) << 50).collect::<Vec<_>>());
    }

    #[test]
    fn partitions_hold_what_is_theirs(seed in any::<u64>(), count in 0usize..2000, bits in 0u32..9, shift in 0u32..20) {
        let prints = numbers(seed, count, u64::MAX);
        check_partition(&prints, bits, shift);
        check_partition(&prints.iter().map(|&print| print as u32).collect::<Vec<_>>(), bits, shift);
        check_partition(&prints.iter().map(|&print| u128::from(print)).collect::<Vec<_>>(), bits, shift);
    }
}

#[test]
#[cfg_attr(miri, ignore = "too large")]
fn large_sets_are_shared_out_and_come_out_the_same() {
    // Large enough for mapped memory, whole lines and several threads.
    let prints = numbers(5, 1_200_000, u64::MAX);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("a pool");
    pool.install(|| {
        check_sort(&prints);
        check_partition(&prints, 6, 30);
        // Few distinct fingerprints, and half of all in one partition.
        check_sort(&numbers(6, 1_200_000, 0xffff));
        check_sort(&numbers(7, 200_000, 0x8000_0000_0000_ffff));
    });
}

/// Every way through the sort: parts of all sizes from a few fingerprints to all of them, on either side of where the
/// way changes, of each width and by one to three threads.
#[test]
#[cfg_attr(miri, ignore = "too large")]
fn parts_of_any_size_are_sorted() {
    const CACHED: usize = 64 << 10;
    // Among few others, which make more partitions: parts of a fair size and of eight. The more bits are alike,
    // the deeper the sort goes for a difference.
    for (alike, large) in [(8, 64), (20, 65), (20, CACHED), (40, CACHED + 1), (63, 4 * CACHED + 1)]
    {
        let near = |print: u64| 0x5a5a_5a5a_5a5a_5a5a ^ print >> alike;
        let mut prints: Vec<u64> = numbers(8, large, u64::MAX).into_iter().map(near).collect();
        prints.extend(numbers(9, 20_000, u64::MAX));
        check_sort(&prints);
        check_sort(&prints.iter().map(|&print| (print >> 32) as u32).collect::<Vec<_>>());
        // The first 64 bits alike, or the last.
        check_sort(&prints.iter().map(|&print| u128::from(print)).collect::<Vec<_>>());
        check_sort(&prints.iter().map(|&print| u128::from(print) << 64).collect::<Vec<_>>());
    }
    for threads in 1..=3 {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| {
            check_sort(&numbers(10, 4 * CACHED + 1, 0x00f0_ffff_ffff_ffff));
            check_sort(&vec![7u64; 4 * CACHED + 1]);
        });
    }
}

#[test]
#[should_panic(expected = "more words than were counted")]
fn a_stream_takes_no_more_than_was_counted() {
    let mut array = [0u32; 4];
    let (_, mut streams) = super::streams::share(&mut array, 2, &[[1, 2]]);
    streams[0].put(0, 7);
    streams[0].put(0, 8);
}

#[test]
#[should_panic(expected = "more places than the array has")]
fn an_array_is_not_shared_out_beyond_its_end() {
    super::streams::share(&mut [0u32; 2], 1, &[[1], [2]]);
}
