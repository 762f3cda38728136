//! The passes over all prints: parallel partition by a few bits, and the sort that groups equal prints.
//!
//! A partition writes to a thousand places or two. It gathers a cache line for each before it writes it,
//! past the caches where the processor can: memory then sees whole lines, written once and not read
//! first (J. Wassenberg and P. Sanders, "Engineering a multi-core radix sort", Euro-Par 2011).
#![expect(unsafe_code, reason = "threads write to disjoint parts of one array")]

mod in_place;

pub(crate) use in_place::sort_in_place;

use std::marker::PhantomData;
use std::ops::Range;

use rayon::prelude::*;

use crate::buffer::{Buffer, Plain};
use crate::word::FingerprintWord;

/// Prints below which more threads do not pay.
const WORTH_SHARING: usize = 1 << 16;

/// Where each partition ends, partition 0 first.
pub(crate) type Ends = Vec<usize>;

/// An array many threads write to, each to places of its own.
struct Shared<'a, T> {
    start: *mut T,
    len: usize,
    borrow: PhantomData<&'a mut [T]>,
}

// SAFETY: `write` and `write_line` ask their callers to keep to disjoint places.
unsafe impl<T: Plain> Sync for Shared<'_, T> {}

impl<'a, T: Plain> Shared<'a, T> {
    fn new(array: &'a mut [T]) -> Self {
        Self { start: array.as_mut_ptr(), len: array.len(), borrow: PhantomData }
    }

    /// Copies `words` to `at`.
    ///
    /// # Safety
    ///
    /// `at + words.len()` is at most the array's length, and no other thread touches that range.
    #[inline(always)]
    unsafe fn write(&self, at: usize, words: &[T]) {
        debug_assert!(at + words.len() <= self.len);
        // SAFETY: in bounds and ours alone, says the caller; `words` is no part of the array,
        // which is borrowed mutably.
        unsafe { std::ptr::copy_nonoverlapping(words.as_ptr(), self.start.add(at), words.len()) }
    }

    /// Copies a whole cache line to `at`, past the caches.
    ///
    /// # Safety
    ///
    /// As for [`write`](Self::write), for 64 bytes; `at` is at a multiple of 64 bytes in memory.
    #[inline(always)]
    unsafe fn write_line(&self, at: usize, line: &Line<T>) {
        debug_assert!(at + Line::<T>::WORDS <= self.len);
        #[cfg(target_arch = "x86_64")]
        // SAFETY: in bounds, aligned and ours alone, says the caller; SSE2 is part of x86-64. The
        // caller's thread ends with a fence.
        unsafe {
            use std::arch::x86_64::{__m128i, _mm_load_si128, _mm_stream_si128};
            let (from, to) =
                (line.bytes.as_ptr().cast::<__m128i>(), self.start.add(at).cast::<__m128i>());
            for part in 0..4 {
                _mm_stream_si128(to.add(part), _mm_load_si128(from.add(part)));
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        // SAFETY: as the caller says.
        unsafe {
            std::ptr::copy_nonoverlapping(line.bytes.as_ptr(), self.start.add(at).cast(), 64);
        }
    }
}

/// A cache line of words on their way.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line<T> {
    bytes: [u8; 64],
    words: PhantomData<T>,
}

impl<T: Plain> Line<T> {
    const WORDS: usize = 64 / size_of::<T>();
    const EMPTY: Self = Self { bytes: [0; 64], words: PhantomData };

    #[inline(always)]
    fn put(&mut self, at: usize, word: T) {
        debug_assert!(at < Self::WORDS);
        // SAFETY: below WORDS, all of which lie in the 64 bytes, aligned as T asks.
        unsafe { self.bytes.as_mut_ptr().cast::<T>().add(at).write(word) }
    }

    #[inline(always)]
    fn words(&self, from: usize, to: usize) -> &[T] {
        debug_assert!(from <= to && to <= Self::WORDS);
        // SAFETY: within the 64 bytes, all of which are set; any bytes are a plain word.
        unsafe { std::slice::from_raw_parts(self.bytes.as_ptr().cast::<T>().add(from), to - from) }
    }
}

/// One thread's lines, one for each partition.
///
/// A partition's next place counts up from its first; the line in hand is that which holds the place.
struct Lines<T> {
    lines: Vec<Line<T>>,
}

impl<T: Plain> Lines<T> {
    fn new(partitions: usize) -> Self {
        Self { lines: vec![Line::EMPTY; partitions] }
    }

    /// Puts `word` at place `at` of `out`; `first` is this thread's first place in `partition`.
    ///
    /// # Safety
    ///
    /// Places `first..=at` are in bounds and this thread's own; they were put in order. The array
    /// starts at a multiple of 64 bytes if `aligned`.
    #[inline(always)]
    unsafe fn put(
        &mut self,
        out: &Shared<'_, T>,
        aligned: bool,
        partition: usize,
        first: usize,
        at: usize,
        word: T,
    ) {
        let line = &mut self.lines[partition];
        let within = at % Line::<T>::WORDS;
        line.put(within, word);
        if within == Line::<T>::WORDS - 1 {
            let start = at - within;
            // SAFETY: the words of the line from `first` on are ours, says the caller; a whole
            // line lies at a multiple of 64 bytes where the array does.
            unsafe {
                if start >= first && aligned {
                    out.write_line(start, line);
                } else {
                    let from = start.max(first);
                    out.write(from, line.words(from - start, Line::<T>::WORDS));
                }
            }
        }
    }

    /// Writes what is left of a partition whose places `first..next` were put.
    ///
    /// # Safety
    ///
    /// As for [`put`](Self::put).
    unsafe fn finish(&self, out: &Shared<'_, T>, partition: usize, first: usize, next: usize) {
        let start = next - next % Line::<T>::WORDS;
        let from = start.max(first);
        if from < next {
            // SAFETY: as for `put`.
            unsafe { out.write(from, self.lines[partition].words(from - start, next - start)) };
        }
    }
}

fn is_aligned<T>(array: &[T]) -> bool {
    array.as_ptr().addr().is_multiple_of(64)
}

/// Lets stores past the caches be seen before what follows.
fn fence() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE2 is part of x86-64.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

/// How `source` is shared out: the length of each part.
fn part_length(count: usize) -> usize {
    let parts = if count < WORTH_SHARING { 1 } else { rayon::current_num_threads() };
    count.div_ceil(parts).max(1)
}

/// Turns the counts of each part into the first place of each part in each partition, partitions one
/// after another and parts in order within each; returns where partitions end.
fn places(counts: &mut [Vec<usize>], partitions: usize) -> Ends {
    let mut next = 0;
    (0..partitions)
        .map(|partition| {
            for part in counts.iter_mut() {
                let count = part[partition];
                part[partition] = next;
                next += count;
            }
            next
        })
        .collect()
}

/// Puts `source`'s distinct prints into `1 << bits` partitions by `key`, one after another in `out`, which
/// grows to hold them. Equal prints are side by side in `source`; only the first of them is taken.
///
/// Only the partitions in `slice` are made: a set too large for `out` is worked on in several passes. What
/// is returned ends those partitions.
pub(crate) fn partition_distinct<W: FingerprintWord>(
    source: &[W],
    bits: u32,
    slice: Range<usize>,
    key: impl Fn(W) -> usize + Sync,
    out: &mut Buffer<W>,
) -> Ends {
    let partitions = slice.len();
    assert!(slice.end <= 1 << bits);
    let length = part_length(source.len());
    let parts: Vec<Range<usize>> = (0..source.len())
        .step_by(length)
        .map(|from| from..(from + length).min(source.len()))
        .collect();
    // The partition of each first print, beyond all for those that are not asked for.
    let place_of = |at: usize| {
        let print = source[at];
        let partition = key(print).wrapping_sub(slice.start);
        (partition < partitions && (at == 0 || source[at - 1] != print))
            .then_some((print, partition))
    };
    let mut counts: Vec<Vec<usize>> = parts
        .par_iter()
        .map(|part| {
            let mut counts = vec![0usize; partitions];
            for (_, partition) in part.clone().filter_map(place_of) {
                counts[partition] += 1;
            }
            counts
        })
        .collect();
    let ends = places(&mut counts, partitions);
    let needed = ends.last().copied().unwrap_or(0);
    if out.len() < needed {
        *out = Buffer::zeroed(needed);
    }
    let aligned = is_aligned(out);
    let shared = Shared::new(out);
    parts.into_par_iter().zip(&counts).for_each(|(part, first)| {
        let mut lines = Lines::new(partitions);
        let mut next = first.clone();
        for (print, partition) in part.filter_map(place_of) {
            let place = next[partition];
            // SAFETY: places were counted with the same key over the same range, so that each part has
            // its own, all below `needed`, and fills them in order.
            unsafe { lines.put(&shared, aligned, partition, first[partition], place, print) };
            next[partition] = place + 1;
        }
        for partition in 0..partitions {
            // SAFETY: as above.
            unsafe { lines.finish(&shared, partition, first[partition], next[partition]) };
        }
        fence();
    });
    ends
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

fn top<W: FingerprintWord>(print: W, bits: u32) -> usize {
    if bits == 0 { 0 } else { print.window(W::WIDTH - bits, bits) }
}

fn partition_with_positions<W: FingerprintWord>(
    source: &[W],
    bits: u32,
    out: &mut Buffer<W>,
    positions: &mut Buffer<u32>,
) -> Ends {
    assert!(out.len() == source.len() && positions.len() == source.len());
    let (partitions, length) = (1usize << bits, part_length(source.len()));
    let mut counts: Vec<Vec<usize>> = source
        .par_chunks(length)
        .map(|part| {
            let mut counts = vec![0usize; partitions];
            for &print in part {
                counts[top(print, bits)] += 1;
            }
            counts
        })
        .collect();
    let ends = places(&mut counts, partitions);
    let aligned = (is_aligned(out), is_aligned(positions));
    let (shared, shared_positions) = (Shared::new(out), Shared::new(positions));
    source.par_chunks(length).zip(&counts).enumerate().for_each(|(part, (prints, first))| {
        let (mut lines, mut position_lines) = (Lines::new(partitions), Lines::new(partitions));
        let mut next = first.clone();
        for (at, &print) in prints.iter().enumerate() {
            let partition = top(print, bits);
            let (first, place) = (first[partition], next[partition]);
            let position = (part * length + at) as u32;
            // SAFETY: places were counted over the same chunk, so that each part has its own, all
            // below the arrays' length, and fills them in order.
            unsafe {
                lines.put(&shared, aligned.0, partition, first, place, print);
                position_lines.put(&shared_positions, aligned.1, partition, first, place, position);
            }
            next[partition] = place + 1;
        }
        for partition in 0..partitions {
            let (first, next) = (first[partition], next[partition]);
            // SAFETY: as above.
            unsafe {
                lines.finish(&shared, partition, first, next);
                position_lines.finish(&shared_positions, partition, first, next);
            }
        }
        fence();
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
