//! An immutable part of the index: its prints three times over, each time in buckets by other bits.
//!
//! The first table is the sorted prints themselves, equal ones included, with their documents; the other two
//! hold the distinct prints, in buckets by the next bits and the next but one. A bucket holds some five
//! prints, about a cache line, so that a probe costs one access to a directory and one to the prints.

use rayon::prelude::*;

use crate::buffer::Buffer;
use crate::prefetch::prefetch;
use crate::radix::{self, Counts};
use crate::word::FingerprintWord;

/// Tables of a segment: disjoint parts of the print by which it is found.
pub(super) const TABLES: usize = 3;

/// Prints in buckets by one part of their bits.
pub(super) struct Table<W> {
    pub(super) prints: Buffer<W>,
    /// Start of each bucket, and the end of the last.
    directory: Buffer<u32>,
    /// Lowest bit of the part.
    shift: u32,
    /// Bits of the part.
    bits: u32,
}

impl<W: FingerprintWord> Table<W> {
    /// The bucket a print belongs to.
    #[inline]
    pub(super) fn key(&self, print: W) -> usize {
        print.window(self.shift, self.bits)
    }

    #[inline]
    pub(super) fn prefetch_directory(&self, key: usize) {
        prefetch(&self.directory, key);
    }

    /// Where a bucket lies in `prints`.
    #[inline]
    pub(super) fn bucket(&self, key: usize) -> (u32, u32) {
        (self.directory[key], self.directory[key + 1])
    }

    /// Asks for the first lines of a bucket.
    #[inline]
    pub(super) fn prefetch_bucket(&self, (start, end): (u32, u32)) {
        let (start, end) = (start as usize, end as usize);
        prefetch(&self.prints, start);
        let line = 64 / size_of::<W>();
        if end > start + line {
            prefetch(&self.prints, start + line);
        }
        if end > start {
            prefetch(&self.prints, end - 1);
        }
    }

    fn memory(&self) -> usize {
        self.prints.len() * size_of::<W>() + self.directory.len() * 4
    }

    /// Takes prints already in order by the part, which is their top bits.
    fn of_sorted(prints: Buffer<W>, bits: u32) -> Self {
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
    fn of_distinct(sorted: &[W], distinct: usize, shift: u32, bits: u32) -> Self {
        // First through memory by the upper bits, then each partition in cache by the lower.
        let upper = bits.saturating_sub(11).min(11);
        let lower = bits - upper;
        let mut partitioned = Buffer::zeroed(0);
        let key = |print: W| print.window(shift + lower, upper);
        let ends =
            Counts::of(sorted, upper, key).scatter(sorted, 0..1 << upper, key, &mut partitioned);
        let mut prints = Buffer::zeroed(distinct);
        let mut directory = Buffer::zeroed((1 << bits) + 1);
        if let Some(last) = directory.last_mut() {
            *last = distinct as u32;
        }
        let mut tasks = Vec::with_capacity(ends.len());
        let (mut rest, mut start) = (&mut prints[..], 0);
        for (end, starts) in ends.into_iter().zip(directory.chunks_exact_mut(1 << lower)) {
            let (out, after) = std::mem::take(&mut rest).split_at_mut(end - start);
            tasks.push((&partitioned[start..end], out, starts, start as u32));
            (rest, start) = (after, end);
        }
        tasks.into_par_iter().for_each(|(from, out, starts, first)| {
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

/// An immutable set of prints with documents, of which some may have been removed.
pub(super) struct Segment<W> {
    pub(super) tables: [Table<W>; TABLES],
    documents: Buffer<u32>,
    /// A bit for each entry of the first table that has been removed; empty while none has.
    removed: Vec<u64>,
    living: usize,
}

impl<W: FingerprintWord> Segment<W> {
    /// Builds a segment of prints with `documents`, or else with their positions.
    pub(super) fn build(prints: &[W], documents: Option<&[u32]>) -> Self {
        let (sorted, mut positions) = radix::sort_with_positions(prints);
        if let Some(documents) = documents {
            for position in positions.iter_mut() {
                *position = documents[*position as usize];
            }
        }
        let distinct = sorted.chunk_by(|a, b| a == b).count();
        let bits = (distinct / 5).max(2).ilog2().clamp(1, W::WIDTH / TABLES as u32).min(26);
        let part = |number: u32| W::WIDTH - (number + 1) * bits;
        let second = Table::of_distinct(&sorted, distinct, part(1), bits);
        let third = Table::of_distinct(&sorted, distinct, part(2), bits);
        Self {
            tables: [Table::of_sorted(sorted, bits), second, third],
            documents: positions,
            removed: Vec::new(),
            living: prints.len(),
        }
    }

    /// Entries, removed ones among them.
    pub(super) fn len(&self) -> usize {
        self.documents.len()
    }

    /// Entries not removed.
    pub(super) fn living(&self) -> usize {
        self.living
    }

    pub(super) fn memory(&self) -> u64 {
        let tables: usize = self.tables.iter().map(Table::memory).sum();
        (tables + self.documents.len() * 4 + self.removed.len() * 8) as u64
    }

    /// Bits of each table's part.
    pub(super) fn bits(&self) -> u32 {
        self.tables[0].bits
    }

    fn is_removed(&self, at: usize) -> bool {
        self.removed.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    /// The document at an entry of the first table, unless it was removed.
    pub(super) fn document(&self, at: usize) -> Option<u32> {
        (!self.is_removed(at)).then(|| self.documents[at])
    }

    /// The entries of the first table that hold `print`.
    pub(super) fn entries(&self, print: W) -> std::ops::Range<usize> {
        let table = &self.tables[0];
        let (start, end) = table.bucket(table.key(print));
        let bucket = &table.prints[start as usize..end as usize];
        let first = bucket.partition_point(|&other| other < print);
        let count = bucket[first..].partition_point(|&other| other == print);
        start as usize + first..start as usize + first + count
    }

    pub(super) fn remove(&mut self, document: u32, print: W) -> bool {
        let mut entries = self.entries(print);
        let Some(at) = entries.find(|&at| self.document(at) == Some(document)) else {
            return false;
        };
        self.removed.resize(self.documents.len().div_ceil(64), 0);
        self.removed[at / 64] |= 1 << (at % 64);
        self.living -= 1;
        true
    }

    /// Appends what was not removed.
    pub(super) fn export(&self, prints: &mut Vec<W>, documents: &mut Vec<u32>) {
        for (at, &print) in self.tables[0].prints.iter().enumerate() {
            if let Some(document) = self.document(at) {
                prints.push(print);
                documents.push(document);
            }
        }
    }
}
