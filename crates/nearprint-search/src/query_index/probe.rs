//! Queries answered by probing a segment's tables, with many accesses to memory under way at once.
//!
//! A print within k of the one asked for differs in at most its share of the distance in one of the three
//! parts: shares r add up to k - 2 (multi-index hashing). So each table is probed at the print's own bucket
//! and at those whose numbers differ in up to r bits. A probe is two dependent accesses, directory and
//! bucket; probes are taken through these steps in blocks, so that a block's accesses wait together.

use std::ops::ControlFlow;

use super::arrays::{Presence, SegmentArray, SegmentArrays};
use super::segment::TABLES;
use super::{MAX_QUERY_DISTANCE, Match};
use crate::kernel::{Kernels, Probe};
use crate::plan::shares;
use crate::word::FingerprintWord;

/// Probes taken through a step together: more than a core can have under way.
const BLOCK: usize = 64;

/// A query's first probes are of its own bucket; the bucket's number is changed by masks of so many bits.
struct Masks {
    bits: u32,
    ones: u32,
    next: u32,
}

impl Masks {
    fn new(bits: u32) -> Self {
        Self { bits, ones: 0, next: 0 }
    }
}

/// Masks of ever more bits: 0, then those of one bit, of two, and so on.
impl Iterator for Masks {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        if self.ones > self.bits {
            return None;
        }
        let mask = self.next;
        let low = mask & mask.wrapping_neg();
        let ripple = mask.wrapping_add(low);
        // The next larger number with as many ones, if it still has `bits` bits.
        self.next =
            if mask == 0 { 1 << self.bits } else { (((ripple ^ mask) >> 2) / low) | ripple };
        if self.next >> self.bits != 0 {
            self.ones += 1;
            self.next = ((1u64 << self.ones) - 1) as u32;
        }
        Some(mask)
    }
}

/// The number of masks of at most `radius` of `bits` bits.
fn masks_within(bits: u32, radius: u32) -> usize {
    let mut of_size = 1.0f64;
    let mut all = 1.0;
    for ones in 1..=radius.min(bits) {
        of_size *= f64::from(bits - ones + 1) / f64::from(ones);
        all += of_size;
    }
    all as usize
}

/// Probe that was not made yet: which query, which bucket.
#[derive(Clone, Copy, Default)]
struct PendingProbe {
    query: u32,
    key: u32,
}

/// Batch of queries against one segment.
pub(super) struct QueryBatch<'s, 'p, W: 'static, P> {
    segment: SegmentArrays<'s, W>,
    prints: &'s [W],
    k: u32,
    /// Each table's radius; `None` for tables the distance does not need.
    radii: [Option<u32>; TABLES],
    kernels: &'static Kernels<W>,
    near: Vec<(u32, u32)>,
    presence: &'p mut P,
}

impl<'s, 'p, W: FingerprintWord, P: Presence> QueryBatch<'s, 'p, W, P> {
    pub(super) fn new(
        segment: SegmentArrays<'s, W>,
        prints: &'s [W],
        k: u32,
        kernels: &'static Kernels<W>,
        presence: &'p mut P,
    ) -> Self {
        // Within 0 or 1 bits fewer tables are enough.
        let needed = (k + 1).min(TABLES as u32);
        let mut radii = [None; TABLES];
        for (radius, share) in radii.iter_mut().zip(shares(k, needed)) {
            *radius = Some(share);
        }
        Self { segment, prints, k, radii, kernels, near: Vec::new(), presence }
    }

    /// Tells `found` of every match.
    pub(super) fn run(
        mut self,
        found: &mut dyn FnMut(usize, Match) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let bits = self.segment.bits();
        let probes: usize = self.radii.iter().flatten().map(|&r| masks_within(bits, r)).sum();
        // A probe costs as much as looking at some thirty prints in a row.
        if self.k > MAX_QUERY_DISTANCE || probes * 32 > self.segment.len() {
            return self.look_at_all(found);
        }
        for table in 0..TABLES {
            let Some(radius) = self.radii[table] else { break };
            let masks: Vec<u32> = Masks::new(bits).take(masks_within(bits, radius)).collect();
            self.probe_table(table, &masks, found)?;
        }
        ControlFlow::Continue(())
    }

    /// Every entry against every query, where probes would be more work.
    fn look_at_all(
        &mut self,
        found: &mut dyn FnMut(usize, Match) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let prints = self.segment.tables[0].prints;
        if !self.presence.has(SegmentArray::Fingerprints(0), 0..prints.len()) {
            return ControlFlow::Continue(());
        }
        let mut near = Vec::new();
        for (query, &print) in self.prints.iter().enumerate() {
            (self.kernels.one_to_many)(print, prints, self.k, &mut near);
            for at in near.drain(..) {
                let at = at as usize;
                if !self.presence.has(SegmentArray::Documents, at..at + 1) {
                    continue;
                }
                let distance = print.hamming_distance(prints[at]);
                if let Some(document) = self.segment.document(at) {
                    found(query, Match { document, distance })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// All queries against one table.
    fn probe_table(
        &mut self,
        table: usize,
        masks: &[u32],
        found: &mut dyn FnMut(usize, Match) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (segment, prints) = (self.segment, self.prints);
        let keys = segment.tables[table];
        let mut block = [PendingProbe::default(); BLOCK];
        // Blocks on their way: one waits for its buckets while the next waits for its directory.
        let mut waiting: Vec<Probe<W>> = Vec::with_capacity(BLOCK);
        let mut waiting_queries = [0u32; BLOCK];
        let mut filled = 0;
        for (query, &print) in prints.iter().enumerate() {
            let own = keys.key(print) as u32;
            for &mask in masks {
                let key = own ^ mask;
                keys.prefetch_directory(key as usize);
                block[filled] = PendingProbe { query: query as u32, key };
                filled += 1;
                if filled == BLOCK {
                    self.compare(table, &waiting, &waiting_queries, found)?;
                    self.fetch(table, &block, &mut waiting, &mut waiting_queries);
                    filled = 0;
                }
            }
        }
        self.compare(table, &waiting, &waiting_queries, found)?;
        self.fetch(table, &block[..filled], &mut waiting, &mut waiting_queries);
        self.compare(table, &waiting, &waiting_queries, found)
    }

    /// Reads the directory for a block, whose entries were asked for, and asks for the buckets.
    fn fetch(
        &mut self,
        table: usize,
        block: &[PendingProbe],
        waiting: &mut Vec<Probe<W>>,
        queries: &mut [u32; BLOCK],
    ) {
        let keys = self.segment.tables[table];
        waiting.clear();
        for pending in block {
            let key = pending.key as usize;
            if !self.presence.has(SegmentArray::Directory(table), key..key + 2) {
                continue;
            }
            let (start, end) = keys.bucket(key);
            let bucket = start as usize..end as usize;
            if !self.presence.has(SegmentArray::Fingerprints(table), bucket) {
                continue;
            }
            keys.prefetch_bucket((start, end));
            queries[waiting.len()] = pending.query;
            waiting.push(Probe { print: self.prints[pending.query as usize], start, end });
        }
    }

    /// Looks through a block's buckets, which were asked for.
    fn compare(
        &mut self,
        table: usize,
        waiting: &[Probe<W>],
        queries: &[u32; BLOCK],
        found: &mut dyn FnMut(usize, Match) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let prints = self.segment.tables[table].prints;
        let mut near = std::mem::take(&mut self.near);
        (self.kernels.probes)(prints, waiting, self.k, &mut near);
        for &(number, at) in &near {
            let probe = &waiting[number as usize];
            let other = prints[at as usize];
            if self.found_before(table, probe.print, other) {
                continue;
            }
            let distance = probe.print.hamming_distance(other);
            let entries = match table {
                0 => at as usize..at as usize + 1,
                _ => self.segment.entries(other, self.presence),
            };
            if !self.presence.has(SegmentArray::Documents, entries.clone()) {
                continue;
            }
            for entry in entries {
                if let Some(document) = self.segment.document(entry) {
                    let query = queries[number as usize] as usize;
                    found(query, Match { document, distance })?;
                }
            }
        }
        near.clear();
        self.near = near;
        ControlFlow::Continue(())
    }

    /// Whether a table before this one finds the two near one another.
    fn found_before(&self, table: usize, print: W, other: W) -> bool {
        (0..table).any(|before| {
            let keys = &self.segment.tables[before];
            let differing = (keys.key(print) ^ keys.key(other)).count_ones();
            self.radii[before].is_some_and(|radius| differing <= radius)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_come_by_their_number_of_bits() {
        for bits in 1..8 {
            let masks: Vec<u32> = Masks::new(bits).collect();
            let mut sorted = masks.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..1 << bits).collect::<Vec<_>>());
            assert!(masks.is_sorted_by_key(|mask| mask.count_ones()));
            for radius in 0..=bits {
                let within = masks.iter().filter(|mask| mask.count_ones() <= radius).count();
                assert_eq!(masks_within(bits, radius), within);
            }
        }
    }
}
