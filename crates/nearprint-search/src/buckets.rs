//! Prints in buckets by some of their bits, to be looked up with one access to a directory and one to the prints.

use crate::buffer::Buffer;
use crate::prefetch::prefetch;
use crate::radix::Counts;
use crate::tasks;
use crate::word::FingerprintWord;

/// Prints in buckets by one part of their bits.
pub(crate) struct Buckets<W> {
    prints: Buffer<W>,
    /// Start of each bucket, and the end of the last.
    directory: Buffer<u32>,
    /// Lowest bit of the part.
    shift: u32,
    /// Bits of the part.
    bits: u32,
}

/// Buckets as plain arrays, wherever these are.
#[derive(Clone, Copy)]
pub(crate) struct BucketsView<'a, W> {
    pub(crate) prints: &'a [W],
    /// As in [`Buckets`].
    pub(crate) directory: &'a [u32],
    pub(crate) shift: u32,
    pub(crate) bits: u32,
}

impl<W: FingerprintWord> BucketsView<'_, W> {
    /// The bucket a print belongs to.
    #[inline]
    pub(crate) fn key(&self, print: W) -> usize {
        print.window(self.shift, self.bits)
    }

    #[inline]
    pub(crate) fn prefetch_directory(&self, key: usize) {
        prefetch(self.directory, key);
    }

    /// Where a bucket lies in `prints`.
    #[inline]
    pub(crate) fn bucket(&self, key: usize) -> (u32, u32) {
        (self.directory[key], self.directory[key + 1])
    }

    /// Asks for the first lines of a bucket.
    #[inline]
    pub(crate) fn prefetch_bucket(&self, (start, end): (u32, u32)) {
        let (start, end) = (start as usize, end as usize);
        prefetch(self.prints, start);
        let line = 64 / size_of::<W>();
        if end > start + line {
            prefetch(self.prints, start + line);
        }
        if end > start {
            prefetch(self.prints, end - 1);
        }
    }
}

impl<W: FingerprintWord> Buckets<W> {
    /// The buckets as plain arrays, to look in.
    #[inline]
    pub(crate) fn view(&self) -> BucketsView<'_, W> {
        let Self { prints, directory, shift, bits } = self;
        BucketsView { prints, directory, shift: *shift, bits: *bits }
    }

    /// Bytes it takes.
    pub(crate) fn memory(&self) -> usize {
        self.prints.len() * size_of::<W>() + self.directory.len() * 4
    }

    /// Takes prints already in order by the part, which is their top bits.
    pub(crate) fn of_sorted(prints: Buffer<W>, bits: u32) -> Self {
        let shift = W::WIDTH - bits;
        let mut directory = Buffer::zeroed((1 << bits) + 1);
        for &print in prints.iter() {
            directory[print.window(shift, bits) + 1] += 1;
        }
        let mut end = 0;
        for entry in directory.iter_mut() {
            end += *entry;
            *entry = end;
        }
        Self { prints, directory, shift, bits }
    }

    /// Puts the distinct ones of `sorted` into buckets by the `bits` bits from `shift` on.
    pub(crate) fn of_distinct(sorted: &[W], distinct: usize, shift: u32, bits: u32) -> Self {
        // First through memory by the upper bits, then each partition in cache by the lower.
        let upper = bits.saturating_sub(11).min(11);
        let lower = bits - upper;
        let mut partitioned = Buffer::zeroed(0);
        // A part may reach to the top, where a window of no bits would begin beyond the word.
        let key = |print: W| if upper == 0 { 0 } else { print.window(shift + lower, upper) };
        let ends = Counts::of(sorted, upper, key).scatter(
            sorted,
            0..1 << upper,
            key,
            (&mut partitioned, distinct),
        );
        let mut prints = Buffer::zeroed(distinct);
        let mut directory = Buffer::zeroed((1 << bits) + 1);
        if let Some(last) = directory.last_mut() {
            *last = distinct as u32;
        }
        let mut parts = Vec::with_capacity(ends.len());
        let (mut rest, mut start) = (&mut prints[..], 0);
        for (end, starts) in ends.into_iter().zip(directory.chunks_exact_mut(1 << lower)) {
            let (out, after) = std::mem::take(&mut rest).split_at_mut(end - start);
            parts.push((&partitioned[start..end], out, starts, start as u32));
            (rest, start) = (after, end);
        }
        tasks::map(parts, |(from, out, starts, first)| {
            let bucket = |print: W| print.window(shift, lower);
            for &print in from {
                starts[bucket(print)] += 1;
            }
            let mut end = first;
            for start in starts.iter_mut() {
                end += *start;
                *start = end;
            }
            // Backwards, so that each bucket's entry ends as its start.
            for &print in from.iter().rev() {
                let place = &mut starts[bucket(print)];
                *place -= 1;
                out[(*place - first) as usize] = print;
            }
        });
        Self { prints, directory, shift, bits }
    }
}
