//! Probabilistic matching: look only where the bits were uncertain.
//!
//! S. Sood, D. Loguinov, "Probabilistic near-duplicate detection using simhash", CIKM 2011. A bit of a
//! simhash is the sign of a counter; when a document changes a little, the bits that change are those whose
//! counters were near zero. So each fingerprint is looked up as it is, and with likely sets of its bits changed,
//! the likeliest sets first, until the recall wanted is reached.
//!
//! Three things are different here. What is looked up is a bucket of fingerprints that agree in as many bits as
//! tell buckets apart, not a whole fingerprint, and what is in it is compared: only changes among those bits have
//! to be guessed, a third to a quarter of all. There may be two tables or more by other bits, of which one
//! is enough for a pair. And likelihoods are not modelled but learned: how often the bit of each rank of
//! uncertainty differs, from half of a sample of true pairs; and how unlikely a set may be to be looked up
//! ([`learn`](ProbabilisticJoin::learn)), from the other half, which also tells the recall to expect.
//!
//! Any recall can be reached, at a price: bits beyond the sixteen least certain ones may be changed too, all
//! with one small likelihood. The price is bounded by a multiple of the time of the cheapest exact plan,
//! which finds all; where the bound leaves less recall than was wanted, the recall expected says so.

mod likelihood;
mod look_up;
mod sample;
mod tables;

use crate::cost::{self, Workload};
use crate::error::SearchError;
use crate::groups::Groups;
use crate::join::{Expand, MAX_JOIN_DISTANCE, Output};
use crate::kernel::SimdLevel;
use crate::sink::PairSink;
use crate::word::FingerprintWord;
use likelihood::Penalties;
use look_up::Searching;
use sample::Sample;
use tables::Tables;

/// A fingerprint's sixteen least certain bits (0 the least significant), the least certain first.
pub type WeakBits = [u8; WEAK];

/// Bits kept for each fingerprint.
const WEAK: usize = 16;

/// The most time it may take, in times of the cheapest exact plan.
const MOST_TIMES_EXACT: f64 = 4.0;

/// The least certain bits of a fingerprint, from the counters whose signs it is made of.
///
/// Bit `b` belongs to `counters[b]`; the nearer to 0 a counter, the less certain its bit.
///
/// # Panics
///
/// When there are fewer than 16 counters, or more than 256.
///
/// # Examples
///
/// ```
/// let mut counters = [100i64; 64];
/// (counters[5], counters[40]) = (-1, 3);
/// assert_eq!(nearprint_search::weakest_bits(&counters)[..2], [5, 40]);
/// ```
#[must_use]
pub fn weakest_bits(counters: &[i64]) -> WeakBits {
    assert!((WEAK..=256).contains(&counters.len()), "a print has 16 to 256 counters");
    let mut order: Vec<u8> = (0..=u8::MAX).take(counters.len()).collect();
    order.sort_by_key(|&bit| (counters[usize::from(bit)].unsigned_abs(), bit));
    let mut weakest = [0; WEAK];
    weakest.copy_from_slice(&order[..WEAK]);
    weakest
}

/// A join that looks where bits were uncertain, and finds most pairs.
#[derive(Debug, Clone)]
pub struct ProbabilisticJoin {
    k: u32,
    penalties: Penalties,
    /// Sets of bits of a larger penalty than this are not looked up.
    most: u32,
    tables: Tables,
    probes: f64,
    expected_recall: f64,
    times_exact: f64,
    expand: Expand,
}

impl ProbabilisticJoin {
    /// Learns from a sample of the pairs of `prints` within `k` bits (0 to 16) which bits differ, and makes a join that
    /// expects to find the share `recall` (0 to 1) of those of different fingerprints. `weak` holds each fingerprint's
    /// least certain bits; of equal fingerprints the first's are used.
    ///
    /// Some thousand fingerprints are compared with all: O(n), up to 5·10^9 comparisons.
    ///
    /// # Errors
    ///
    /// When there are too many fingerprints or not one entry of `weak` for each, the distance is too large, or the
    /// sample has too few pairs to learn from.
    pub fn learn<W: FingerprintWord>(
        prints: &[W],
        weak: &[WeakBits],
        k: u32,
        recall: f64,
    ) -> Result<Self, SearchError> {
        if k > MAX_JOIN_DISTANCE {
            return Err(SearchError::DistanceTooLarge { k, limit: MAX_JOIN_DISTANCE });
        }
        let groups = grouped(prints, weak)?;
        let level = SimdLevel::detect();
        let workload = Workload::of(groups.prints(), groups.distinct(), level);
        let (_, exact) = cost::cheapest(W::WIDTH, k, &workload)?;
        let sample = Sample::of(&groups, weak, k)?;
        let penalties = Penalties::of(sample.to_learn());
        // Tables of fewer bits leave less to guess and more to compare.
        let fullest = (groups.distinct() / 5).max(2).ilog2();
        let mut best: Option<Self> = None;
        for less in [0, 2, 4] {
            let bits = fullest.saturating_sub(less).clamp(1, tables::MOST_BITS);
            for count in 1..=(W::WIDTH / bits).min(tables::MOST_TABLES) {
                let tables = Tables { bits, count };
                let costs = tables::Costs::of(tables, &sample, &penalties, k);
                let bound = MOST_TIMES_EXACT * exact;
                let Some((most, expected_recall, probes, ns)) = costs.reaching(recall, bound)
                else {
                    continue;
                };
                let join = Self {
                    k,
                    penalties: penalties.clone(),
                    most,
                    tables,
                    probes,
                    expected_recall,
                    times_exact: ns / exact,
                    expand: Expand::AllPairs,
                };
                if best.as_ref().is_none_or(|best| join.is_better(best, recall)) {
                    best = Some(join);
                }
            }
        }
        best.ok_or(SearchError::ExactIsCheaper)
    }

    /// Whether it is nearer to the recall wanted, or as near and cheaper.
    fn is_better(&self, other: &Self, recall: f64) -> bool {
        let reached = |join: &Self| join.expected_recall.min(recall);
        (reached(self), -self.times_exact) > (reached(other), -other.times_exact)
    }

    /// Says what is reported for equal fingerprints; all pairs unless said.
    #[must_use]
    pub fn expand(mut self, expand: Expand) -> Self {
        self.expand = expand;
        self
    }

    /// The share of the pairs of different fingerprints that it found of those it did not learn from, 0 to 1.
    #[must_use]
    pub fn expected_recall(&self) -> f64 {
        self.expected_recall
    }

    /// Look-ups for each distinct fingerprint, the mean of a sample.
    #[must_use]
    pub fn probes(&self) -> f64 {
        self.probes
    }

    /// Tables in which fingerprints are looked up, and the bits of each.
    #[must_use]
    pub fn tables(&self) -> (u32, u32) {
        (self.tables.count, self.tables.bits)
    }

    /// The time it should take by the cost model, in times of the cheapest exact plan's.
    #[must_use]
    pub fn times_exact(&self) -> f64 {
        self.times_exact
    }

    /// Gives the pairs found among `prints` to `sink`, each once, equal fingerprints among them; returns whether the
    /// sink stopped it. `weak` holds each fingerprint's least certain bits; of equal fingerprints the first's are used.
    ///
    /// # Errors
    ///
    /// When there are too many fingerprints, or not one entry of `weak` for each.
    pub fn pairs<W: FingerprintWord>(
        &self,
        prints: &[W],
        weak: &[WeakBits],
        sink: &mut dyn PairSink,
    ) -> Result<bool, SearchError> {
        let groups = grouped(prints, weak)?;
        let units = groups.distinct() as u64 * u64::from(self.tables.count);
        let output = Output::new(sink, (&groups, None), true, self.expand, units);
        Searching { join: self, groups: &groups, weak, output: &output }.run();
        Ok(output.stopped())
    }
}

fn grouped<W: FingerprintWord>(prints: &[W], weak: &[WeakBits]) -> Result<Groups<W>, SearchError> {
    if prints.len() != weak.len() {
        return Err(SearchError::LengthMismatch { prints: prints.len(), beside: weak.len() });
    }
    Groups::of(prints)
}

#[cfg(test)]
mod tests;
