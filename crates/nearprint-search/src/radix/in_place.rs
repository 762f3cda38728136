//! Sorting without a second array: for sets that fill the memory.
//!
//! Partitions by exchanging (P. McIlroy and others, "Engineering radix sort", 1993, call it the American
//! flag sort), until a part fits the cache, where the ordinary sort takes over.

use rayon::prelude::*;

use super::Scratch;
use crate::word::FingerprintWord;

/// Prints that sort in the second cache.
const IN_CACHE: usize = 32 << 10;

/// Most bits of a partition: each part is written to on a page of its own in both arrays, and the processor knows some two
/// thousand pages.
const MOST_BITS: u32 = 8;

/// Sorts `words` and beside them `places`, which ascend where words are equal. O(1) further memory beside
/// a cache's worth for each thread.
pub(crate) fn sort_in_place<W: FingerprintWord>(words: &mut [W], places: &mut [u32]) {
    assert_eq!(words.len(), places.len());
    halve(words, places, 0, rayon::current_num_threads().next_power_of_two().ilog2() + 1);
}

/// Splits by one bit after another until there is work for all threads.
fn halve<W: FingerprintWord>(words: &mut [W], places: &mut [u32], skip: u32, levels: u32) {
    if levels == 0 || words.len() <= IN_CACHE || skip == W::WIDTH {
        return sort_part(words, places, skip);
    }
    let is_one = |word: W| word.window(W::WIDTH - skip - 1, 1) == 1;
    let (mut low, mut high) = (0, words.len());
    while low < high {
        if !is_one(words[low]) {
            low += 1;
        } else {
            high -= 1;
            words.swap(low, high);
            places.swap(low, high);
        }
    }
    let (zeros, ones) = words.split_at_mut(low);
    let (zero_places, one_places) = places.split_at_mut(low);
    rayon::join(
        || halve(zeros, zero_places, skip + 1, levels - 1),
        || halve(ones, one_places, skip + 1, levels - 1),
    );
}

/// Sorts a part whose words share their first `skip` bits.
fn sort_part<W: FingerprintWord>(words: &mut [W], places: &mut [u32], skip: u32) {
    if words.len() <= IN_CACHE || skip == W::WIDTH {
        if skip < W::WIDTH {
            Scratch::default().sort(words, places, skip);
        }
        // Exchanging does not keep the order of equal words; here it is made.
        let mut rest = places;
        for group in words.chunk_by(|a, b| a == b) {
            let (mine, after) = rest.split_at_mut(group.len());
            mine.sort_unstable();
            rest = after;
        }
        return;
    }
    // Until parts fit the cache, in passes alike.
    let wanted = (words.len() / IN_CACHE).ilog2() + 1;
    let bits = wanted.div_ceil(wanted.div_ceil(MOST_BITS)).min(W::WIDTH - skip);
    let mut parts = Vec::with_capacity(1 << bits);
    let (mut rest, mut rest_places) = (&mut *words, &mut *places);
    for count in exchange(rest, rest_places, skip, bits) {
        let (part, after) = std::mem::take(&mut rest).split_at_mut(count);
        let (part_places, after_places) = std::mem::take(&mut rest_places).split_at_mut(count);
        (rest, rest_places) = (after, after_places);
        parts.push((part, part_places));
    }
    parts.into_par_iter().for_each(|(part, places)| sort_part(part, places, skip + bits));
}

/// Partitions by the `bits` bits after the first `skip`; returns the size of each part.
fn exchange<W: FingerprintWord>(
    words: &mut [W],
    places: &mut [u32],
    skip: u32,
    bits: u32,
) -> Vec<usize> {
    let part_of = |word: W| word.window(W::WIDTH - skip - bits, bits);
    let mut counts = vec![0usize; 1 << bits];
    for &word in words.iter() {
        counts[part_of(word)] += 1;
    }
    let mut end = 0;
    // Each part's next place to fill, and its end.
    let mut open: Vec<(usize, usize)> = counts
        .iter()
        .map(|&count| {
            end += count;
            (end - count, end)
        })
        .collect();
    for part in 0..1 << bits {
        while open[part].0 < open[part].1 {
            let at = open[part].0;
            let (mut word, mut place) = (words[at], places[at]);
            // Follow the chain of exchanges until one comes home.
            loop {
                let home = part_of(word);
                let next = open[home].0;
                open[home].0 += 1;
                if home == part {
                    (words[next], places[next]) = (word, place);
                    break;
                }
                std::mem::swap(&mut word, &mut words[next]);
                std::mem::swap(&mut place, &mut places[next]);
            }
        }
    }
    counts
}
