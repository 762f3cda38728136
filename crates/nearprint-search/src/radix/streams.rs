//! Writing to a thousand places at once.
//!
//! A thread that partitions a large array gathers a cache line for each partition before it writes it, past the
//! caches where the processor can: memory then sees whole lines, written once and not read first (J.
//! Wassenberg and P. Sanders, "Engineering a multi-core radix sort", Euro-Par 2011). An array that stays in the
//! caches is written to as it comes.
#![expect(unsafe_code, reason = "threads write to disjoint parts of one array, by whole lines")]

use std::marker::PhantomData;

use crate::buffer::Plain;

/// An array of more bytes than this does not stay in the caches while it is written.
const CACHED: usize = 8 << 20;

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
        // SAFETY: the remainder is below WORDS, all of which lie in the 64 bytes, aligned as T asks.
        unsafe { self.bytes.as_mut_ptr().cast::<T>().add(at % Self::WORDS).write(word) }
    }

    #[inline(always)]
    fn words(&self, from: usize, to: usize) -> &[T] {
        assert!(from <= to && to <= Self::WORDS);
        // SAFETY: within the 64 bytes, all of which are set; any bytes are a plain word.
        unsafe { std::slice::from_raw_parts(self.bytes.as_ptr().cast::<T>().add(from), to - from) }
    }
}

/// A partition as one thread fills it: the thread's own places, and its next.
#[derive(Clone, Copy)]
struct Stream {
    first: usize,
    next: usize,
    end: usize,
}

/// One thread's streams, one to each partition. What is still in hand is written when they are dropped.
pub(super) struct Streams<'a, T: Plain> {
    array: *mut T,
    borrow: PhantomData<&'a mut [T]>,
    streams: Vec<Stream>,
    /// The line of each partition that holds its next place; empty where lines are not gathered.
    lines: Vec<Line<T>>,
}

// SAFETY: it owns the places from `first` to `end` of each of its streams as a `&mut [T]` would, and `T` is
// plain data.
unsafe impl<T: Plain> Send for Streams<'_, T> {}

/// Shares `array` out: `partitions` one after another, in each a run of places for every part, as many as
/// `counts[part][partition]` says. Returns where partitions end, and the streams of each part.
///
/// # Panics
///
/// When the array is shorter than all counts together.
pub(super) fn share<'a, T: Plain>(
    array: &'a mut [T],
    partitions: usize,
    counts: &[impl AsRef<[usize]>],
) -> (Vec<usize>, Vec<Streams<'a, T>>) {
    let (len, gathered) = (array.len(), size_of_val(array) > CACHED);
    // One pointer for all: another borrow of the array would end its right to write.
    let start = array.as_mut_ptr();
    let mut parts: Vec<Streams<'a, T>> = counts
        .iter()
        .map(|_| Streams {
            array: start,
            borrow: PhantomData,
            streams: Vec::with_capacity(partitions),
            lines: vec![Line::EMPTY; if gathered { partitions } else { 0 }],
        })
        .collect();
    // Places are given out one after another, none twice, and none beyond the array.
    let mut next = 0;
    let ends = (0..partitions)
        .map(|partition| {
            for (part, counts) in parts.iter_mut().zip(counts) {
                let end = next + counts.as_ref()[partition];
                assert!(end <= len, "more places than the array has");
                part.streams.push(Stream { first: next, next, end });
                next = end;
            }
            next
        })
        .collect();
    (ends, parts)
}

impl<T: Plain> Streams<'_, T> {
    /// Puts `word` into its partition; one for a partition that does not exist is left out.
    ///
    /// # Panics
    ///
    /// When the partition has been given as many words as were counted.
    #[inline(always)]
    pub(super) fn put(&mut self, partition: usize, word: T) {
        let Some(stream) = self.streams.get_mut(partition) else { return };
        let at = stream.next;
        assert!(at < stream.end, "more words than were counted");
        stream.next = at + 1;
        let Some(line) = self.lines.get_mut(partition) else {
            // SAFETY: `at` is one of this part's own places, all of which lie in the array.
            unsafe { self.array.add(at).write(word) };
            return;
        };
        line.put(at, word);
        if at % Line::<T>::WORDS == Line::<T>::WORDS - 1 {
            let start = at + 1 - Line::<T>::WORDS;
            // Where the line begins before `first`, that is another thread's or another partition's.
            let from = start.max(stream.first);
            // SAFETY: the places from `from` to `at` are this part's own.
            unsafe { write(self.array, from, line.words(from - start, Line::<T>::WORDS)) };
        }
    }
}

/// Copies `words` to `array[at..]`; a whole line past the caches, if it lies at a multiple of 64 bytes.
///
/// # Safety
///
/// The places must lie in the array and be the caller's alone; a fence must come before others read them.
#[inline(always)]
unsafe fn write<T: Plain>(array: *mut T, at: usize, words: &[T]) {
    // SAFETY: `at` lies in the array, says the caller.
    let to = unsafe { array.add(at) };
    #[cfg(target_arch = "x86_64")]
    if words.len() == Line::<T>::WORDS && to.addr().is_multiple_of(64) {
        use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
        let (from, to) = (words.as_ptr().cast::<__m128i>(), to.cast::<__m128i>());
        for part in 0..4 {
            // SAFETY: both are 64 bytes, the target at a multiple of 64; SSE2 is part of x86-64.
            unsafe { _mm_stream_si128(to.add(part), _mm_loadu_si128(from.add(part))) };
        }
        return;
    }
    // SAFETY: in bounds, says the caller; `words` is a line of ours, no part of the array.
    unsafe { std::ptr::copy_nonoverlapping(words.as_ptr(), to, words.len()) };
}

impl<T: Plain> Drop for Streams<'_, T> {
    fn drop(&mut self) {
        for (stream, line) in self.streams.iter().zip(&self.lines) {
            let start = stream.next - stream.next % Line::<T>::WORDS;
            let from = start.max(stream.first);
            if from < stream.next {
                let words = line.words(from - start, stream.next - start);
                // SAFETY: the places from `from` to `next` are this part's own.
                unsafe { write(self.array, from, words) };
            }
        }
        #[cfg(target_arch = "x86_64")]
        // SAFETY: SSE2 is part of x86-64. Stores past the caches are seen before what follows.
        unsafe {
            std::arch::x86_64::_mm_sfence();
        }
    }
}
