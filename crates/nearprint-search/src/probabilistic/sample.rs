//! True pairs to learn from: the neighbours of some fingerprints, which are compared with all.

use rayon::prelude::*;

use super::WeakBits;
use crate::error::SearchError;
use crate::groups::Groups;
use crate::kernel::SimdLevel;
use crate::word::{Bits, FingerprintWord};

/// Comparisons that may be spent on learning: a second or so.
const COMPARISONS: usize = 5_000_000_000;

/// Fingerprints whose neighbours are learned from, at least and at most.
const LEARNERS: std::ops::RangeInclusive<usize> = 256..=8192;

/// Pairs that are learned from: more teach nothing new.
const ENOUGH_PAIRS: usize = 50_000;

/// The fewest pairs from which likelihoods can be told.
pub(super) const LEAST_PAIRS: usize = 100;

/// Learners that are compared with all together.
const ROUND: usize = 512;

/// Fingerprints that are looked up to tell what that costs.
const LOOKED_UP: usize = 256;

/// Fingerprints whose place in the tables is examined, to tell what looking them up costs.
const PLACED: usize = 1 << 17;

/// One fingerprint of a pair: the bits in which the other differs, and its own least certain ones.
pub(super) struct NearPrint<'s> {
    pub(super) differing: u128,
    pub(super) weak: &'s WeakBits,
    pub(super) width: u32,
}

/// A pair of different fingerprints.
pub(super) struct NearPair {
    pub(super) differing: u128,
    pub(super) weak: [WeakBits; 2],
    /// Of which learner it is a neighbour.
    pub(super) learner: u32,
}

/// Some distinct fingerprints, and the pairs that some of them are in.
pub(super) struct Sample<W> {
    /// Evenly taken from all.
    pub(super) prints: Vec<W>,
    /// Distinct fingerprints for each of these.
    pub(super) stands_for: f64,
    /// Of some of them, with their least certain bits.
    pub(super) looked_up: Vec<(W, WeakBits)>,
    pairs: Vec<NearPair>,
}

impl<W: FingerprintWord> Sample<W> {
    pub(super) fn of(groups: &Groups<W>, weak: &[WeakBits], k: u32) -> Result<Self, SearchError> {
        let (prints, firsts): (Vec<W>, Vec<u32>) =
            groups.iter().map(|(print, documents)| (print, documents[0])).unzip();
        let weak_of = |at: usize| weak[firsts[at] as usize];
        let wanted = (COMPARISONS / prints.len().max(1)).clamp(*LEARNERS.start(), *LEARNERS.end());
        // Far from each other, in an order that has nothing to do with theirs: the first of them are a
        // sample as well.
        let step = coprime_step(prints.len());
        let learners: Vec<usize> = (0..prints.len().min(wanted))
            .map(|at| (at as u64 * step % prints.len() as u64) as usize)
            .collect();
        let one_to_many = W::kernels().at(SimdLevel::detect()).one_to_many;
        let mut pairs: Vec<NearPair> = Vec::new();
        for (round, learners) in learners.chunks(ROUND).enumerate() {
            let met: Vec<Vec<NearPair>> = learners
                .par_iter()
                .enumerate()
                .map(|(place, &at)| {
                    let mut near = Vec::new();
                    one_to_many(prints[at], &prints, k, &mut near);
                    near.retain(|&other| other as usize != at);
                    let pair = |other: u32| NearPair {
                        differing: Bits::xor(prints[at], prints[other as usize]).widen(),
                        weak: [weak_of(at), weak_of(other as usize)],
                        learner: (round * ROUND + place) as u32,
                    };
                    near.into_iter().map(pair).collect()
                })
                .collect();
            pairs.extend(met.into_iter().flatten());
            if pairs.len() > ENOUGH_PAIRS {
                break;
            }
        }
        if pairs.len() < LEAST_PAIRS {
            return Err(SearchError::TooFewPairs { found: pairs.len(), least: LEAST_PAIRS });
        }
        let looked_up =
            learners.iter().take(LOOKED_UP).map(|&at| (prints[at], weak_of(at))).collect();
        let every = prints.len().div_ceil(PLACED).max(1);
        Ok(Self {
            looked_up,
            pairs,
            stands_for: every as f64,
            prints: prints.into_iter().step_by(every).collect(),
        })
    }

    /// Both fingerprints of the pairs of every other learner, to learn from.
    pub(super) fn to_learn(&self) -> impl Iterator<Item = NearPrint<'_>> {
        self.pairs.iter().filter(|pair| pair.learner % 2 == 0).flat_map(|pair| {
            let near = |weak| NearPrint { differing: pair.differing, weak, width: W::WIDTH };
            pair.weak.iter().map(near)
        })
    }

    /// The pairs of the other learners, to see what was learned.
    pub(super) fn to_judge(&self) -> impl Iterator<Item = &NearPair> {
        self.pairs.iter().filter(|pair| pair.learner % 2 == 1)
    }
}

/// A step near the golden section of `count` that meets all places before any twice.
fn coprime_step(count: usize) -> u64 {
    let divisor = |mut a: u64, mut b: u64| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let count = count.max(1) as u64;
    let golden = (count as f64 * 0.618_033_988_75) as u64;
    (golden.max(1)..).find(|&step| divisor(step, count) == 1).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_meets_all_places() {
        for count in 1..200u64 {
            let step = coprime_step(count as usize);
            let mut met: Vec<u64> = (0..count).map(|at| at * step % count).collect();
            met.sort_unstable();
            assert!(met.into_iter().eq(0..count), "{count}");
        }
    }
}
