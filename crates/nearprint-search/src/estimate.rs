//! How many pairs a join will find, from a sample, before it is run.
//!
//! Weak fingerprints give thousands of false pairs each: ten million documents can mean 10^10 lines. The
//! pairs of equal fingerprints are counted exactly; the others are estimated from the neighbours of a few
//! fingerprints drawn evenly from the sorted set, each found exactly by looking at all.

use std::fmt;

use crate::error::SearchError;
use crate::groups::Groups;
use crate::join::Join;
use crate::kernel::SimdLevel;
use crate::tasks;
use crate::word::FingerprintWord;

/// The number of pairs to expect.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PairEstimate {
    /// Pairs of documents with equal fingerprints: exact.
    pub equal: u64,
    /// Pairs of documents with different fingerprints within the distance: expected.
    pub near: f64,
    /// Standard error of `near`; 0 if all fingerprints were examined.
    pub standard_error: f64,
    /// Distinct fingerprints whose neighbours were counted.
    pub sampled: usize,
}

impl PairEstimate {
    /// Pairs expected in all.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.equal as f64 + self.near
    }
}

impl fmt::Display for PairEstimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} pairs expected: {} of equal fingerprints, {}",
            Readable(self.total()),
            self.equal,
            Readable(self.near)
        )?;
        if self.standard_error > 0.0 {
            write!(f, " ± {:.1e}", self.standard_error)?;
        }
        f.write_str(" of different ones")
    }
}

/// A number of pairs: whole ones in full up to a million, all others in four digits.
struct Readable(f64);

impl fmt::Display for Readable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(number) = *self;
        if number < 1e6 && number.fract() == 0.0 {
            write!(f, "{number:.0}")
        } else {
            write!(f, "{number:.3e}")
        }
    }
}

/// Comparisons an estimate may take: about a tenth of a second.
const COMPARISONS: usize = 2_000_000_000;

/// Fingerprints examined, at least and at most.
const SAMPLE: std::ops::RangeInclusive<usize> = 64..=4096;

/// Comparisons that the small sample of [`Join::expects_at_most`] takes for each fingerprint of a set.
const FEW_COMPARISONS: usize = 8;

/// Fingerprints of a sample that a thread compares before it takes more.
const TOGETHER: usize = 32;

impl Join {
    pub(crate) fn sample_at_most<W: FingerprintWord>(
        &self,
        groups: &Groups<W>,
        most: u64,
    ) -> Result<bool, SearchError> {
        self.check::<W>()?;
        let prints = groups.prints();
        if prints.len() <= *SAMPLE.end() {
            return Ok(false);
        }
        let repeated = (prints.len() - groups.distinct()) as u64;
        // Were all that repeat another equal to the same one.
        let bound = repeated.saturating_mul(repeated + 1) / 2;
        let equal = if bound <= most / 2 { bound } else { groups.count_equal_pairs() };
        let Some(left) = most.checked_sub(equal) else { return Ok(false) };
        // All pairs among a few random entries, so that large groups of similar fingerprints are met by their squares.
        // Entries at even distances would miss neighbours in the order.
        let wanted = (2 * FEW_COMPARISONS * prints.len()).isqrt();
        let place = |number: u64| {
            let hash = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let hash = (hash ^ hash >> 32).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            ((u128::from(hash) * prints.len() as u128) >> 64) as usize
        };
        let sample: Vec<W> = (0..wanted as u64).map(|number| prints[place(number)]).collect();
        let kernels = W::kernels().at(SimdLevel::detect());
        let found = tasks::map(tasks::ranges(wanted, TOGETHER), |range| {
            let (mut near, mut found) = (Vec::new(), 0);
            for at in range {
                near.clear();
                let (print, others) = (sample[at], &sample[at + 1..]);
                (kernels.one_to_many)(print, others, self.distance(), &mut near);
                found += near.iter().filter(|&&other| others[other as usize] != print).count();
            }
            found
        });
        // Five standard deviations more, and some where nothing was found.
        let found = found.iter().sum::<usize>() as f64;
        let upper = found + 5.0 * found.sqrt() + 10.0;
        Ok(upper * (prints.len() as f64 / wanted as f64).powi(2) <= left as f64)
    }

    pub(crate) fn sample_pairs<W: FingerprintWord>(
        &self,
        groups: &Groups<W>,
    ) -> Result<PairEstimate, SearchError> {
        self.check::<W>()?;
        let prints = groups.prints();
        let equal = groups.count_equal_pairs();
        if groups.distinct() < 2 {
            return Ok(PairEstimate { equal, near: 0.0, standard_error: 0.0, sampled: 0 });
        }
        let wanted = (COMPARISONS / prints.len()).clamp(*SAMPLE.start(), *SAMPLE.end());
        // Entries evenly spaced over the sorted fingerprints: a group is met as often as it is large.
        let step = (prints.len() / wanted).max(1);
        let kernels = W::kernels().at(SimdLevel::detect());
        let sample: Vec<W> = prints.iter().skip(step / 2).step_by(step).copied().collect();
        let counts = tasks::map(sample.chunks(TOGETHER).collect(), |some| {
            let mut near = Vec::new();
            let count = |&print: &W| {
                near.clear();
                (kernels.one_to_many)(print, prints, self.distance(), &mut near);
                (near.len() - groups.documents(print).len()) as f64
            };
            some.iter().map(count).collect::<Vec<f64>>()
        });
        let counts = counts.concat();
        let sampled = counts.len() as f64;
        let mean = counts.iter().sum::<f64>() / sampled;
        let variance = counts.iter().map(|count| (count - mean).powi(2)).sum::<f64>()
            / (sampled - 1.0).max(1.0);
        let scale = prints.len() as f64 / 2.0;
        let standard_error = if step == 1 { 0.0 } else { scale * (variance / sampled).sqrt() };
        Ok(PairEstimate { equal, near: mean * scale, standard_error, sampled: counts.len() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::Pair;

    #[test]
    fn small_sets_are_counted_exactly() -> Result<(), SearchError> {
        let prints: Vec<u64> = (0..600).map(|n| n % 500).collect();
        let groups = Groups::of(&prints)?;
        let join = Join::within(2);
        let estimate = join.estimate(&groups)?;
        let mut pairs: Vec<Pair> = Vec::new();
        join.pairs(&prints, &mut pairs)?;
        assert_eq!(estimate.equal, 100);
        assert_eq!(estimate.standard_error, 0.0);
        assert!((estimate.total() - pairs.len() as f64).abs() < 1e-6);
        Ok(())
    }

    #[test]
    fn few_pairs_are_expected_by_a_small_sample() -> Result<(), SearchError> {
        let random = |count: u64| -> Vec<u64> {
            let mixed = |n: u64| (n ^ n >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            (1..=count).map(|n| mixed(n.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect()
        };
        let join = Join::within(3);
        let expects = |prints: &[u64], most| join.expects_at_most(&Groups::of(prints)?, most);
        let few = random(200_000);
        assert!(expects(&few, 100_000_000)?);
        // Too small a bound for the sample, and a set that is examined as a whole.
        assert!(!expects(&few, 1000)?);
        assert!(!expects(&few[..1000], 100_000_000)?);
        // 20,000 fingerprints near one another have 2·10^8 pairs, alike or equal.
        for bits in [1, 0] {
            let mut many = few.clone();
            (0..20_000).for_each(|at| many[at * 10] = 5 << (at as u64 % 2 * bits));
            assert!(expects(&many, 1_000_000_000)?);
            assert!(!expects(&many, 100_000_000)?);
        }
        Ok(())
    }

    #[test]
    fn a_sample_comes_near_the_truth() -> Result<(), SearchError> {
        // Random fingerprints of 32 bits: within 6 bits lie 2.6e-4 of all.
        let mut state = 1u64;
        let prints: Vec<u32> = (0..30_000)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 32) as u32
            })
            .collect();
        let groups = Groups::of(&prints)?;
        let join = Join::within(6);
        let estimate = join.estimate(&groups)?;
        let mut pairs: Vec<Pair> = Vec::new();
        join.pairs(&prints, &mut pairs)?;
        let error = (estimate.total() - pairs.len() as f64).abs();
        assert!(estimate.sampled < 5_000);
        assert!(error < 5.0 * estimate.standard_error, "{estimate} of {}", pairs.len());
        Ok(())
    }
}
