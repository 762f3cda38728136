//! An immutable part of the index: its prints three times over, each time in buckets by other bits.
//!
//! The first table is the sorted prints themselves, equal ones included, with their documents; the other two
//! hold the distinct prints, in buckets by the next bits and the next but one. A bucket holds some five
//! prints, about a cache line, so that a probe costs one access to a directory and one to the prints.

use crate::buckets::Buckets;
use crate::buffer::Buffer;
use crate::radix;
use crate::word::FingerprintWord;

/// Tables of a segment: disjoint parts of the print by which it is found.
pub(super) const TABLES: usize = 3;

/// An immutable set of prints with documents, of which some may have been removed.
pub(super) struct Segment<W> {
    pub(super) tables: [Buckets<W>; TABLES],
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
        let second = Buckets::of_distinct(&sorted, distinct, part(1), bits);
        let third = Buckets::of_distinct(&sorted, distinct, part(2), bits);
        Self {
            tables: [Buckets::of_sorted(sorted, bits), second, third],
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
        let tables: usize = self.tables.iter().map(Buckets::memory).sum();
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
