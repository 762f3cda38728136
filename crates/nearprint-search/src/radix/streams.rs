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

/// An array many threads write to, each to places of its own.
///
/// Places are kept apart by [`Streams`], all of which check their bounds; that no two threads are given the
/// same places is what the counts of [`super::places`] are for.
pub(super) struct Shared<'a, T> {
    start: *mut T,
    len: usize,
    borrow: PhantomData<&'a mut [T]>,
}

// SAFETY: threads write plain data to disjoint places, and nobody reads before all are done.
unsafe impl<T: Plain> Sync for Shared<'_, T> {}

impl<'a, T: Plain> Shared<'a, T> {
    pub(super) fn new(array: &'a mut [T]) -> Self {
        Self { start: array.as_mut_ptr(), len: array.len(), borrow: PhantomData }
    }

    /// Copies `words` to `at`.
    #[inline(always)]
    fn write(&self, at: usize, words: &[T]) {
        assert!(at + words.len() <= self.len, "a place outside the array");
        // SAFETY: in bounds; `words` is no part of the array, which is borrowed mutably.
        unsafe { std::ptr::copy_nonoverlapping(words.as_ptr(), self.start.add(at), words.len()) }
    }

    /// Copies a whole cache line to `at`, past the caches if that is at a multiple of 64 bytes in memory.
    #[inline(always)]
    fn write_line(&self, at: usize, line: &Line<T>) {
        assert!(at + Line::<T>::WORDS <= self.len, "a place outside the array");
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{__m128i, _mm_load_si128, _mm_stream_si128};
            // SAFETY: `at` is in bounds, and so are the 64 bytes from there on.
            let to = unsafe { self.start.add(at) }.cast::<__m128i>();
            if to.addr().is_multiple_of(64) {
                let from = line.bytes.as_ptr().cast::<__m128i>();
                for part in 0..4 {
                    // SAFETY: both are 64 bytes at a multiple of 64; SSE2 is part of x86-64. The
                    // streams end with a fence, before which nobody reads.
                    unsafe { _mm_stream_si128(to.add(part), _mm_load_si128(from.add(part))) };
                }
                return;
            }
        }
        self.write(at, line.words(0, Line::<T>::WORDS));
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

/// A partition as one thread fills it.
#[derive(Clone, Copy)]
struct Stream {
    /// The thread's first place, and its next.
    first: usize,
    next: usize,
}

/// One thread's streams, one to each partition. What is still in hand is written when they are dropped.
pub(super) struct Streams<'s, 'a, T: Plain> {
    out: &'s Shared<'a, T>,
    streams: Vec<Stream>,
    /// The line of each partition that holds its next place; empty where lines are not gathered.
    lines: Vec<Line<T>>,
}

impl<'s, 'a, T: Plain> Streams<'s, 'a, T> {
    /// Streams to partitions of which this thread's own places begin at `first`.
    pub(super) fn new(out: &'s Shared<'a, T>, first: Vec<usize>) -> Self {
        let gathered = out.len * size_of::<T>() > CACHED;
        let lines = vec![Line::EMPTY; if gathered { first.len() } else { 0 }];
        let streams = first.into_iter().map(|first| Stream { first, next: first }).collect();
        Self { out, streams, lines }
    }

    /// Puts `word` into its partition; one for a partition that does not exist is left out.
    #[inline(always)]
    pub(super) fn put(&mut self, partition: usize, word: T) {
        let Some(stream) = self.streams.get_mut(partition) else { return };
        let at = stream.next;
        stream.next = at + 1;
        match self.lines.get_mut(partition) {
            None => self.out.write(at, &[word]),
            Some(line) => {
                line.put(at, word);
                if at % Line::<T>::WORDS == Line::<T>::WORDS - 1 {
                    let start = at + 1 - Line::<T>::WORDS;
                    if start >= stream.first {
                        self.out.write_line(start, line);
                    } else {
                        // The line's beginning is another thread's, or another partition's.
                        let skip = stream.first - start;
                        self.out.write(stream.first, line.words(skip, Line::<T>::WORDS));
                    }
                }
            }
        }
    }
}

impl<T: Plain> Drop for Streams<'_, '_, T> {
    fn drop(&mut self) {
        for (stream, line) in self.streams.iter().zip(&self.lines) {
            let start = stream.next - stream.next % Line::<T>::WORDS;
            let from = start.max(stream.first);
            if from < stream.next {
                self.out.write(from, line.words(from - start, stream.next - start));
            }
        }
        #[cfg(target_arch = "x86_64")]
        // SAFETY: SSE2 is part of x86-64. Stores past the caches are seen before what follows.
        unsafe {
            std::arch::x86_64::_mm_sfence();
        }
    }
}
