//! The passes over all prints: parallel partition by a few bits, and the sort that groups equal prints.
//!
//! Threads take the source in parts; each counts its part first, so that in every partition each has places
//! of its own, which it then fills in order ([`streams`]).

mod in_place;
mod streams;

pub(crate) use in_place::sort_in_place;

use std::ops::Range;

use rayon::prelude::*;

use crate::buffer::Buffer;
use crate::word::FingerprintWord;
use streams::{share, share_both};

/// Prints below which more threads do not pay.
pub(crate) const WORTH_SHARING: usize = 1 << 16;

/// Where each partition ends, partition 0 first.
pub(crate) type Ends = Vec<usize>;

/// How `source` is shared out: the length of each part.
fn part_length(count: usize) -> usize {
    let parts = if count < WORTH_SHARING { 1 } else { rayon::current_num_threads() };
    count.div_ceil(parts).max(1)
}

/// Calls `each` with the prints of `part` that are not equal to the one before them in `source`.
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

/// How many of a set's distinct prints belong to each partition, by the parts it is shared out in.
pub(crate) struct Counts {
    parts: Vec<Range<usize>>,
    counts: Vec<Vec<usize>>,
}

impl Counts {
    /// Counts `source`'s distinct prints in `1 << bits` partitions by `key`. Equal prints are side by side
    /// in `source`; only the first of them counts.
    pub(crate) fn of<W: FingerprintWord>(
        source: &[W],
        bits: u32,
        key: impl Fn(W) -> usize + Sync,
    ) -> Self {
        let length = part_length(source.len());
        let parts: Vec<Range<usize>> = (0..source.len())
            .step_by(length)
            .map(|from| from..(from + length).min(source.len()))
            .collect();
        let counts = parts
            .par_iter()
            .map(|part| {
                let mut counts = vec![0usize; 1 << bits];
                for_each_first(source, part.clone(), |print| counts[key(print)] += 1);
                counts
            })
            .collect();
        Self { parts, counts }
    }

    /// Prints of one partition.
    pub(crate) fn size(&self, partition: usize) -> usize {
        self.counts.iter().map(|counts| counts[partition]).sum()
    }

    /// Puts the prints counted into their partitions, one after another in `out`, which grows to hold them;
    /// returns where partitions end. `source` and `key` are those of [`of`](Self::of).
    ///
    /// Only the partitions in `slice` are made: a set too large for `out` is worked on in several passes.
    pub(crate) fn scatter<W: FingerprintWord>(
        &self,
        source: &[W],
        slice: Range<usize>,
        key: impl Fn(W) -> usize + Sync,
        out: &mut Buffer<W>,
    ) -> Ends {
        let counts: Vec<&[usize]> =
            self.counts.iter().map(|counts| &counts[slice.clone()]).collect();
        let needed = counts.iter().copied().flatten().sum();
        if out.len() < needed {
            *out = Buffer::zeroed(needed);
        }
        let (ends, streams) = share(&mut out[..needed], slice.len(), &counts);
        self.parts.par_iter().zip(streams).for_each(|(part, mut streams)| {
            // Partitions before the slice wrap to beyond it, which the streams leave out.
            for_each_first(source, part.clone(), |print| {
                streams.put(key(print).wrapping_sub(slice.start), print);
            });
        });
        ends
    }
}

/// Sorts `prints`, and beside them the positions they came from; equal prints keep theirs ascending.
pub(crate) fn sort_with_positions<W: FingerprintWord>(prints: &[W]) -> (Buffer<W>, Buffer<u32>) {
    let bits = sort_bits(prints.len());
    let (mut sorted, mut positions) =
        (Buffer::<W>::zeroed(prints.len()), Buffer::<u32>::zeroed(prints.len()));
    let ends = partition_with_positions(prints, bits, &mut sorted, &mut positions);
    let (mut parts, mut words, mut places) = (Vec::new(), &mut sorted[..], &mut positions[..]);
    let mut start = 0;
    for end in ends {
        let (head, tail) = std::mem::take(&mut words).split_at_mut(end - start);
        let (head_places, tail_places) = std::mem::take(&mut places).split_at_mut(end - start);
        (words, places, start) = (tail, tail_places, end);
        if head.len() > 1 {
            parts.push((head, head_places));
        }
    }
    parts.into_par_iter().for_each_init(Scratch::default, |scratch, (words, places)| {
        scratch.sort(words, places, bits);
    });
    (sorted, positions)
}

/// Top bits for the first pass of a sort: partitions of at most some 32 Ki prints, which sort in the
/// second cache, and no more partitions than there are lines in it.
fn sort_bits(count: usize) -> u32 {
    (count / (32 << 10)).max(1).ilog2().min(11) + u32::from(count > 1 << 12)
}

fn partition_with_positions<W: FingerprintWord>(
    source: &[W],
    bits: u32,
    out: &mut Buffer<W>,
    positions: &mut Buffer<u32>,
) -> Ends {
    let top = |print: W| if bits == 0 { 0 } else { print.window(W::WIDTH - bits, bits) };
    let (partitions, length) = (1usize << bits, part_length(source.len()));
    let counts: Vec<Vec<usize>> = source
        .par_chunks(length)
        .map(|part| {
            let mut counts = vec![0usize; partitions];
            for &print in part {
                counts[top(print)] += 1;
            }
            counts
        })
        .collect();
    let (ends, streams) = share_both((out, positions), partitions, &counts);
    source.par_chunks(length).zip(streams).enumerate().for_each(|(part, (prints, mut streams))| {
        for (position, &print) in (part * length..).zip(prints) {
            streams.put(top(print), (print, position as u32));
        }
    });
    ends
}

/// Space for sorting a partition in cache.
#[derive(Default)]
struct Scratch<W> {
    words: Vec<W>,
    places: Vec<u32>,
}

impl<W: FingerprintWord> Scratch<W> {
    /// Sorts a partition whose prints share their first `skip` bits; stable.
    ///
    /// Two passes over the next 16 bits leave it nearly sorted, if those bits tell its prints apart;
    /// what is left is put right in place, by insertion, or where many share them, by comparing.
    fn sort(&mut self, words: &mut [W], places: &mut [u32], skip: u32) {
        if words.len() <= TINY || words.len() > HUGE || skip + 2 * PASS > W::WIDTH {
            return sort_by_comparing(words, places);
        }
        let low = W::WIDTH - skip - 2 * PASS;
        if self.words.len() < words.len() {
            self.words.resize(words.len(), W::default());
            self.places.resize(words.len(), 0);
        }
        let (other, other_places) =
            (&mut self.words[..words.len()], &mut self.places[..words.len()]);
        let mut counts = [[0u32; 1 << PASS]; 2];
        for &word in words.iter() {
            counts[0][word.window(low, PASS)] += 1;
            counts[1][word.window(low + PASS, PASS)] += 1;
        }
        pass(words, places, other, other_places, &mut counts[0], |w| w.window(low, PASS));
        pass(other, other_places, words, places, &mut counts[1], |w| w.window(low + PASS, PASS));
        finish_sorting(words, places, |word| word.window(low, 2 * PASS));
    }
}

/// Bits of a pass in cache.
const PASS: u32 = 8;

/// Up to so many prints are sorted by comparing: counters would cost more.
const TINY: usize = 64;

/// A partition of more prints than this does not fit the caches; its first bits are all alike, and
/// the library's parallel sort serves it better.
const HUGE: usize = 1 << 20;

/// One stable pass of a counting sort by eight bits.
#[inline(always)]
fn pass<W: FingerprintWord>(
    from: &[W],
    from_places: &[u32],
    to: &mut [W],
    to_places: &mut [u32],
    counts: &mut [u32; 256],
    digit: impl Fn(W) -> usize,
) {
    let mut next = 0;
    for count in counts.iter_mut() {
        next += std::mem::replace(count, next);
    }
    for (&word, &place) in from.iter().zip(from_places) {
        let slot = &mut counts[digit(word) & 255];
        to[*slot as usize] = word;
        to_places[*slot as usize] = place;
        *slot += 1;
    }
}

/// Sorts what is in order by `digits` already; stable.
fn finish_sorting<W: FingerprintWord>(
    words: &mut [W],
    places: &mut [u32],
    digits: impl Fn(W) -> usize,
) {
    /// Prints up to which inserting one is cheap.
    const FEW: usize = 16;
    let (mut at, mut run) = (1, 0);
    while at < words.len() {
        let word = words[at];
        if word >= words[at - 1] {
            if digits(word) != digits(words[at - 1]) {
                run = at;
            }
            at += 1;
        } else if at - run > FEW {
            // Many prints share these digits: all of them are sorted, and passed over.
            let end = at + words[at..].iter().take_while(|&&w| digits(w) == digits(word)).count();
            sort_by_comparing(&mut words[run..end], &mut places[run..end]);
            at = end;
        } else {
            let place = places[at];
            let mut hole = at;
            while hole > run && words[hole - 1] > word {
                words[hole] = words[hole - 1];
                places[hole] = places[hole - 1];
                hole -= 1;
            }
            words[hole] = word;
            places[hole] = place;
            at += 1;
        }
    }
}

fn sort_by_comparing<W: FingerprintWord>(words: &mut [W], places: &mut [u32]) {
    let mut both: Vec<(W, u32)> = words.iter().copied().zip(places.iter().copied()).collect();
    if both.len() > WORTH_SHARING {
        both.par_sort_unstable();
    } else {
        both.sort_unstable();
    }
    for (at, (word, place)) in both.into_iter().enumerate() {
        words[at] = word;
        places[at] = place;
    }
}

#[cfg(test)]
mod tests;
