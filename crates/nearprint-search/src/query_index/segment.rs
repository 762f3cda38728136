//! An immutable part of the index: its prints three times over, each time in buckets by other bits.
//!
//! The first table is the sorted prints themselves, equal ones included, with their documents; the other two
//! hold the distinct prints, in buckets by the next bits and the next but one. A bucket holds some five
//! prints, about a cache line, so that a probe costs one access to a directory and one to the prints.

use super::arrays::{FullPresence, SegmentArrays};
use crate::buckets::Buckets;
use crate::buffer::Buffer;
use crate::radix;
use crate::word::FingerprintWord;

/// Tables of a segment: disjoint parts of the print by which it is found.
pub(super) const TABLES: usize = 3;

/// An immutable set of prints with documents, of which some may have been removed.
pub(super) struct Segment<W> {
    tables: [Buckets<W>; TABLES],
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

    /// Its arrays, to be queried.
    pub(super) fn arrays(&self) -> SegmentArrays<'_, W> {
        let [first, second, third] = &self.tables;
        let tables = [first.view(), second.view(), third.view()];
        SegmentArrays::of(tables, &self.documents, &self.removed)
    }

    pub(super) fn remove(&mut self, document: u32, print: W) -> bool {
        let arrays = self.arrays();
        let mut entries = arrays.entries(print, &mut FullPresence);
        let Some(at) = entries.find(|&at| arrays.document(at) == Some(document)) else {
            return false;
        };
        self.removed.resize(self.documents.len().div_ceil(64), 0);
        self.removed[at / 64] |= 1 << (at % 64);
        self.living -= 1;
        true
    }

    /// Appends what was not removed.
    pub(super) fn export(&self, prints: &mut Vec<W>, documents: &mut Vec<u32>) {
        self.for_each(&mut |document, print| {
            prints.push(print);
            documents.push(document);
        });
    }

    /// Visits what was not removed.
    pub(super) fn for_each(&self, visit: &mut dyn FnMut(u32, W)) {
        let arrays = self.arrays();
        for (at, &print) in arrays.fingerprints(0).iter().enumerate() {
            if let Some(document) = arrays.document(at) {
                visit(document, print);
            }
        }
    }
}
