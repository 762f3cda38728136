//! Which tables to look fingerprints up in, what that costs, and what it finds.

use std::collections::HashMap;

use super::likelihood::{Penalties, sets};
use super::sample::Sample;
use crate::word::FingerprintWord;

/// Most bits of a table.
pub(super) const MOST_BITS: u32 = 24;

/// Most tables: beyond these another finds little that is new.
pub(super) const MOST_TABLES: u32 = 6;

/// What looking fingerprints up costs, in ns: for each fingerprint and table to make it, for each look-up and for each
/// fingerprint met there. Measured on 2026-11-21 with `nearprint-bench probabilistic`; they need only be right
/// relative to what exact plans cost.
const MAKING: f64 = 20.0;
const PROBE: f64 = 6.0;
const MET: f64 = 0.1;

/// Standard errors by which the recall of the sample is to be above the one wanted.
const ERRORS: f64 = 2.0;

/// Disjoint parts of fingerprints by which they are put in buckets: the first `bits` bits, the next, and so on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tables {
    pub(super) bits: u32,
    pub(super) count: u32,
}

impl Tables {
    /// The lowest bit of a table's part.
    pub(super) fn shift<W: FingerprintWord>(self, table: u32) -> u32 {
        W::WIDTH - (table + 1) * self.bits
    }

    /// The bits of a table's part.
    pub(super) fn mask<W: FingerprintWord>(self, table: u32) -> u128 {
        ((1u128 << self.bits) - 1) << self.shift::<W>(table)
    }
}

/// What these tables find and cost, by the penalty up to which sets are looked up.
pub(super) struct Costs<'s, W> {
    tables: Tables,
    sample: &'s Sample<W>,
    penalties: &'s Penalties,
    k: u32,
    /// Of each pair that was not learned from, the penalty at which it is found, ascending, and its learner.
    found_at: Vec<(u32, u32)>,
    /// Of each table, fingerprints in each bucket of the sample.
    buckets: Vec<Vec<u32>>,
}

impl<'s, W: FingerprintWord> Costs<'s, W> {
    pub(super) fn of(
        tables: Tables,
        sample: &'s Sample<W>,
        penalties: &'s Penalties,
        k: u32,
    ) -> Self {
        let mut found_at: Vec<(u32, u32)> = sample
            .to_judge()
            .map(|pair| {
                let each = (0..tables.count).flat_map(|table| {
                    let differing = pair.differing & tables.mask::<W>(table);
                    pair.weak.iter().map(move |weak| penalties.of_bits(differing, weak))
                });
                (each.min().unwrap_or(u32::MAX), pair.learner)
            })
            .collect();
        found_at.sort_unstable();
        let buckets = (0..tables.count)
            .map(|table| {
                let mut counts = vec![0u32; 1 << tables.bits];
                for &print in &sample.prints {
                    counts[print.window(tables.shift::<W>(table), tables.bits)] += 1;
                }
                counts
            })
            .collect();
        Self { tables, sample, penalties, k, found_at, buckets }
    }

    /// The least penalty that finds the share `recall` of the pairs, or as many as `most` ns a fingerprint are enough
    /// for; the share that it finds, look-ups for a fingerprint, and ns. `None` if not even the tables are to be had
    /// for that.
    pub(super) fn reaching(&self, recall: f64, most: f64) -> Option<(u32, f64, f64, f64)> {
        let pairs = self.found_at.len().max(1) as f64;
        let penalty_of = |rank: usize| match rank.min(self.found_at.len()) {
            0 => 0,
            rank => self.found_at[rank - 1].0,
        };
        let rank_of = |recall: f64| (recall.min(1.0) * pairs).ceil() as usize;
        // What is found among all pairs is not quite what is found among these.
        let error = self.error(rank_of(recall), recall);
        let mut rank = rank_of(recall + ERRORS * error);
        let costs = |rank| self.at(penalty_of(rank), most);
        if costs(rank).is_none() {
            // The most that can be had for this price.
            let (mut can, mut cannot) = (0, rank);
            while can + 1 < cannot {
                let middle = can.midpoint(cannot);
                if costs(middle).is_none() { cannot = middle } else { can = middle }
            }
            rank = can;
        }
        let penalty = penalty_of(rank);
        let found = self.found_at.partition_point(|&(at, _)| at <= penalty);
        let (probes, ns) = self.at(penalty, most)?;
        Some((penalty, found as f64 / pairs, probes, ns))
    }

    /// The standard error of a recall at which so many of the pairs are found. Pairs of one learner are found or
    /// missed together: a document's copies are changed in the same place.
    fn error(&self, found: usize, recall: f64) -> f64 {
        let mut off: HashMap<u32, f64> = HashMap::new();
        for (rank, &(_, learner)) in self.found_at.iter().enumerate() {
            let found = if rank < found { 1.0 } else { 0.0 };
            *off.entry(learner).or_default() += found - recall;
        }
        let squares: f64 = off.values().map(|off| off * off).sum();
        squares.sqrt() / self.found_at.len().max(1) as f64
    }

    /// Look-ups for a fingerprint, and ns, with sets up to a penalty; `None` if it is more than `most` ns.
    fn at(&self, penalty: u32, most: f64) -> Option<(f64, f64)> {
        let asked = self.sample.looked_up.len().max(1) as f64;
        let making = f64::from(self.tables.count) * MAKING;
        let each_met = self.sample.stands_for * MET;
        let (mut probes, mut met) = (0u64, 0u64);
        let mut list = Vec::new();
        for &(print, ref weak) in &self.sample.looked_up {
            for (table, buckets) in (0..).zip(&self.buckets) {
                let shift = self.tables.shift::<W>(table);
                let own = print.window(shift, self.tables.bits);
                self.penalties.list((shift, self.tables.bits), weak, penalty, &mut list);
                let within = sets(&list, self.k, penalty, &mut |set| {
                    probes += 1;
                    met += u64::from(buckets[own ^ set as usize]);
                    making + (probes as f64 * PROBE + met as f64 * each_met) / asked <= most
                });
                if !within {
                    return None;
                }
            }
        }
        let (probes, met) = (probes as f64, met as f64);
        Some((probes / asked, making + (probes * PROBE + met * each_met) / asked))
    }
}
