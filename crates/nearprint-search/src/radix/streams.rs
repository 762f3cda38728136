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
pub(super) struct Stream {
    first: usize,
    next: usize,
    end: usize,
}

/// One array that threads fill together, or two at the same places, as one of the threads sees it.
pub(super) trait Columns: Send {
    /// A word, or one of each array.
    type Item: Copy;

    /// Puts `item` at `at`.
    ///
    /// # Safety
    ///
    /// `at` lies in the arrays; it and the places since `first` are the thread's own.
    unsafe fn put(&mut self, partition: usize, first: usize, at: usize, item: Self::Item);

    /// Writes what is still in hand of each stream.
    ///
    /// # Safety
    ///
    /// The places from `first` to `next` of each lie in the arrays and are the thread's own.
    unsafe fn finish(&mut self, streams: &[Stream]);
}

/// An array of words.
pub(super) struct Column<'a, T: Plain> {
    array: *mut T,
    borrow: PhantomData<&'a mut [T]>,
    /// The line of each partition that holds its next place; empty if lines are not gathered.
    lines: Vec<Line<T>>,
}

// SAFETY: it writes only to places that are its thread's own, as a `&mut [T]` would, and `T` is plain data.
unsafe impl<T: Plain> Send for Column<'_, T> {}

impl<T: Plain> Column<'_, T> {
    /// One of as many for `array` as there are parts.
    fn of(array: *mut T, partitions: usize, gathered: bool) -> Self {
        let lines = vec![Line::EMPTY; if gathered { partitions } else { 0 }];
        Self { array, borrow: PhantomData, lines }
    }
}

impl<T: Plain> Columns for Column<'_, T> {
    type Item = T;

    #[inline(always)]
    unsafe fn put(&mut self, partition: usize, first: usize, at: usize, word: T) {
        let Some(line) = self.lines.get_mut(partition) else {
            // SAFETY: in the array and ours, says the caller.
            unsafe { self.array.add(at).write(word) };
            return;
        };
        line.put(at, word);
        if at % Line::<T>::WORDS == Line::<T>::WORDS - 1 {
            let start = at + 1 - Line::<T>::WORDS;
            // Where the line begins before `first`, that is another thread's or another partition's.
            let from = start.max(first);
            // SAFETY: the places from `from` to `at` are ours, says the caller.
            unsafe { write(self.array, from, line.words(from - start, Line::<T>::WORDS)) };
        }
    }

    unsafe fn finish(&mut self, streams: &[Stream]) {
        for (stream, line) in streams.iter().zip(&self.lines) {
            let start = stream.next - stream.next % Line::<T>::WORDS;
            let from = start.max(stream.first);
            if from < stream.next {
                let words = line.words(from - start, stream.next - start);
                // SAFETY: ours, says the caller.
                unsafe { write(self.array, from, words) };
            }
        }
    }
}

impl<A: Columns, B: Columns> Columns for (A, B) {
    type Item = (A::Item, B::Item);

    #[inline(always)]
    unsafe fn put(&mut self, partition: usize, first: usize, at: usize, item: Self::Item) {
        // SAFETY: both as the caller says.
        unsafe {
            self.0.put(partition, first, at, item.0);
            self.1.put(partition, first, at, item.1);
        }
    }

    unsafe fn finish(&mut self, streams: &[Stream]) {
        // SAFETY: both as the caller says.
        unsafe {
            self.0.finish(streams);
            self.1.finish(streams);
        }
    }
}

/// One thread's streams, one to each partition. What is still in hand is written when they are dropped.
pub(super) struct Streams<C: Columns> {
    streams: Vec<Stream>,
    columns: C,
}

/// Streams to one array.
pub(super) type ToOne<'a, T> = Streams<Column<'a, T>>;

/// Streams to two arrays.
pub(super) type ToBoth<'a, T, U> = Streams<(Column<'a, T>, Column<'a, U>)>;

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
) -> (Vec<usize>, Vec<ToOne<'a, T>>) {
    let (len, gathered) = (array.len(), size_of_val(array) > CACHED);
    // One pointer for all: another borrow of the array would end its right to write.
    let start = array.as_mut_ptr();
    give_out(len, partitions, counts, || Column::of(start, partitions, gathered))
}

/// The same for two arrays of one length, filled at the same places.
///
/// # Panics
///
/// When the arrays are not of one length, or shorter than all counts together.
pub(super) fn share_both<'a, T: Plain, U: Plain>(
    (array, beside): (&'a mut [T], &'a mut [U]),
    partitions: usize,
    counts: &[impl AsRef<[usize]>],
) -> (Vec<usize>, Vec<ToBoth<'a, T, U>>) {
    assert_eq!(array.len(), beside.len(), "arrays of one length");
    let (len, gathered) = (array.len(), size_of_val(array) > CACHED);
    let (start, start_beside) = (array.as_mut_ptr(), beside.as_mut_ptr());
    give_out(len, partitions, counts, || {
        let words = Column::of(start, partitions, gathered);
        (words, Column::of(start_beside, partitions, gathered))
    })
}

/// Gives the places of `columns`, of which there are `len`, out to the parts.
fn give_out<C: Columns>(
    len: usize,
    partitions: usize,
    counts: &[impl AsRef<[usize]>],
    columns: impl Fn() -> C,
) -> (Vec<usize>, Vec<Streams<C>>) {
    let mut parts: Vec<Streams<C>> = counts
        .iter()
        .map(|_| Streams { streams: Vec::with_capacity(partitions), columns: columns() })
        .collect();
    // Places are assigned one after another, none twice, and none beyond the end.
    let mut next = 0;
    let ends = (0..partitions)
        .map(|partition| {
            for (part, counts) in parts.iter_mut().zip(counts) {
                let count = counts.as_ref()[partition];
                assert!(count <= len - next, "more places than the array has");
                let end = next + count;
                part.streams.push(Stream { first: next, next, end });
                next = end;
            }
            next
        })
        .collect();
    (ends, parts)
}

impl<C: Columns> Streams<C> {
    /// Puts `item` into its partition; one for a partition that does not exist is left out.
    ///
    /// # Panics
    ///
    /// When the partition has been given as many as were counted.
    #[inline(always)]
    pub(super) fn put(&mut self, partition: usize, item: C::Item) {
        let Some(stream) = self.streams.get_mut(partition) else { return };
        let at = stream.next;
        assert!(at < stream.end, "more words than were counted");
        stream.next = at + 1;
        let first = stream.first;
        // SAFETY: `first` to `end` are this part's own places, all of which lie in the arrays.
        unsafe { self.columns.put(partition, first, at, item) };
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
    #[cfg(all(target_arch = "x86_64", not(miri)))]
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

impl<C: Columns> Drop for Streams<C> {
    fn drop(&mut self) {
        // SAFETY: the places from `first` to `next` are this part's own, and lie in the arrays.
        unsafe { self.columns.finish(&self.streams) };
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        // SAFETY: SSE2 is part of x86-64. Stores past the caches are seen before what follows.
        unsafe {
            std::arch::x86_64::_mm_sfence();
        }
    }
}
