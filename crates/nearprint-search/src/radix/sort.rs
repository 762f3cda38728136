//! Sorting all fingerprints, and beside them the positions they came from.
//!
//! One pass through memory by the top bits, shared out among the threads, leaves parts that each thread
//! then sorts on its own ([`Scratch`]). A part far larger than it should be is taken through both again.

use std::sync::{Mutex, PoisonError};

use super::in_cache::{IN_CACHE, Scratch};
use super::streams::{ToBoth, share_both};
use super::{Ends, part_length};
use crate::buffer::Buffer;
use crate::tasks;
use crate::word::FingerprintWord;

/// Most bits of the first pass: no more partitions than there are lines in the second cache.
const MOST_BITS: u32 = 12;

/// A part this many times larger than it should be is sorted by all threads.
const GIANT: usize = 8;

/// Sorts `prints`, and beside them the positions they came from; equal fingerprints keep theirs ascending.
pub(crate) fn sort_with_positions<W: FingerprintWord>(prints: &[W]) -> (Buffer<W>, Buffer<u32>) {
    let mut sorted = SortBuffers::zeroed(prints.len());
    let by = ByTop { skip: 0, bits: sort_bits(prints.len()) };
    let ends = by.partition(prints, |position| position as u32, &mut sorted);
    sorted.sort_parts(by, &ends);
    (sorted.prints, sorted.positions)
}

/// The same for fingerprints that are given away: what has been read of them is given back on the way, so that
/// little more memory is taken than the result does.
pub(crate) fn sort_owned<W: FingerprintWord>(prints: Vec<W>) -> (Buffer<W>, Buffer<u32>) {
    let length = part_length(prints.len()).min(GIVEN_BACK);
    sort_giving_back(prints, length)
}

/// The same; each thread reads `length` fingerprints before they are given back.
pub(super) fn sort_giving_back<W: FingerprintWord>(
    prints: Vec<W>,
    length: usize,
) -> (Buffer<W>, Buffer<u32>) {
    let mut sorted = SortBuffers::zeroed(prints.len());
    let by = ByTop { skip: 0, bits: sort_bits(prints.len()).min(owned_bits::<W>(prints.len())) };
    let ends = by.partition_giving_back(prints, length, &mut sorted);
    sorted.sort_parts(by, &ends);
    (sorted.prints, sorted.positions)
}

/// Fingerprints a thread reads before they are given back.
const GIVEN_BACK: usize = 16 << 20;

/// Top bits for the first pass of a sort: partitions of at most some 32 Ki fingerprints, which sort in the
/// second cache, if that does not make too many.
fn sort_bits(count: usize) -> u32 {
    ((count / IN_CACHE).max(1).ilog2() + u32::from(count > 1 << 12)).min(MOST_BITS)
}

/// Top bits of partitions that can be filled without memory for all of them at once: each is open on a
/// large page of its own in both arrays, which are to be a third of both at most.
fn owned_bits<W: FingerprintWord>(count: usize) -> u32 {
    const PAGES: usize = 2 * (2 << 20);
    (count * (size_of::<W>() + size_of::<u32>()) / 3 / PAGES).max(1 << 6).ilog2()
}

/// Fingerprints being sorted, and their positions.
struct SortBuffers<W> {
    prints: Buffer<W>,
    positions: Buffer<u32>,
}

impl<W: FingerprintWord> SortBuffers<W> {
    fn zeroed(len: usize) -> Self {
        Self { prints: Buffer::zeroed(len), positions: Buffer::zeroed(len) }
    }

    /// Sorts the partitions made `by` the top bits.
    fn sort_parts(&mut self, by: ByTop, ends: &Ends) {
        sort_parts(&mut self.prints, &mut self.positions, by, ends);
    }
}

/// Sorts partitions, which are in order, each on its own.
fn sort_parts<W: FingerprintWord>(words: &mut [W], places: &mut [u32], by: ByTop, ends: &Ends) {
    let giant = GIANT * IN_CACHE.max(words.len() >> by.bits);
    let (mut parts, mut start) = (Vec::with_capacity(ends.len()), 0);
    let (mut words, mut places) = (words, places);
    for end in ends {
        let (head, tail) = words.split_at_mut(end - start);
        let (head_places, tail_places) = places.split_at_mut(end - start);
        (words, places, start) = (tail, tail_places, *end);
        if head.len() > 1 {
            parts.push((head, head_places));
        }
    }
    let skip = by.skip + by.bits;
    let (giants, parts): (Vec<_>, Vec<_>) =
        parts.into_iter().partition(|(words, _)| words.len() > giant);
    let threads = rayon::current_num_threads().min(parts.len());
    let parts = Mutex::new(parts.into_iter());
    tasks::for_each(threads, &|_| {
        let mut scratch = Scratch::default();
        loop {
            // An iterator is whole even where a thread ended in the middle of its work.
            let next = parts.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((words, places)) = next else { return };
            scratch.sort(words, places, skip);
        }
    });
    for (words, places) in giants {
        sort_giant(words, places, skip);
    }
}

/// Sorts fingerprints that share their first `skip` bits with all threads; takes as much memory again.
fn sort_giant<W: FingerprintWord>(words: &mut [W], places: &mut [u32], skip: u32) {
    // Also where no bits are left.
    if words.is_sorted() {
        return;
    }
    let by = ByTop { skip, bits: sort_bits(words.len()).min(W::WIDTH - skip) };
    let mut parted = SortBuffers::zeroed(words.len());
    let ends = by.partition(words, |at| places[at], &mut parted);
    let length = part_length(words.len());
    let prints = words.chunks_mut(length).zip(parted.prints.chunks(length));
    let positions = places.chunks_mut(length).zip(parted.positions.chunks(length));
    tasks::map(prints.zip(positions).collect(), |((words, prints), (places, positions))| {
        words.copy_from_slice(prints);
        places.copy_from_slice(positions);
    });
    drop(parted);
    sort_parts(words, places, by, &ends);
}

/// A partition by the `bits` bits after the first `skip`, which all fingerprints share.
#[derive(Clone, Copy)]
struct ByTop {
    skip: u32,
    bits: u32,
}

impl ByTop {
    #[inline(always)]
    fn part_of<W: FingerprintWord>(self, print: W) -> usize {
        if self.bits == 0 { 0 } else { print.window(W::WIDTH - self.skip - self.bits, self.bits) }
    }

    /// How many fingerprints of each part of `length` belong to each partition.
    fn count<W: FingerprintWord>(self, source: &[W], length: usize) -> Vec<Vec<usize>> {
        let count = |part: &[W]| {
            let mut counts = vec![0usize; 1 << self.bits];
            for &print in part {
                counts[self.part_of(print)] += 1;
            }
            counts
        };
        tasks::map(source.chunks(length).collect(), count)
    }

    /// Puts the fingerprints of each part of `length` into its streams, with the places of where they lie.
    fn fill<W: FingerprintWord>(
        self,
        source: &[W],
        length: usize,
        place_of: impl Fn(usize) -> u32 + Sync,
        streams: Vec<ToBoth<'_, W, u32>>,
    ) {
        let parts = source.chunks(length).zip(streams).enumerate();
        tasks::map(parts.collect(), |(part, (prints, mut streams))| {
            for (at, &print) in (part * length..).zip(prints) {
                streams.put(self.part_of(print), (print, place_of(at)));
            }
        });
    }

    /// Partitions all of `source` with all threads; stable.
    fn partition<W: FingerprintWord>(
        self,
        source: &[W],
        place_of: impl Fn(usize) -> u32 + Sync,
        out: &mut SortBuffers<W>,
    ) -> Ends {
        let length = part_length(source.len());
        let counts = self.count(source, length);
        let arrays = (&mut out.prints[..], &mut out.positions[..]);
        let (ends, streams) = share_both(arrays, 1 << self.bits, &counts);
        self.fill(source, length, place_of, streams);
        ends
    }

    /// The same of fingerprints that are given away, by parts of `length`.
    fn partition_giving_back<W: FingerprintWord>(
        self,
        mut source: Vec<W>,
        length: usize,
        out: &mut SortBuffers<W>,
    ) -> Ends {
        let counts = self.count(&source, length);
        let arrays = (&mut out.prints[..], &mut out.positions[..]);
        let (ends, mut parts) = share_both(arrays, 1 << self.bits, &counts);
        // From the end: a vector can only become shorter there.
        while !parts.is_empty() {
            let first = parts.len().saturating_sub(rayon::current_num_threads());
            let start = first * length;
            let place_of = |at| (start + at) as u32;
            self.fill(&source[start..], length, place_of, parts.split_off(first));
            source.truncate(start);
            source.shrink_to_fit();
        }
        ends
    }
}
