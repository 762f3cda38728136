//! How many pairs a join will find, from a sample, before it is run.
//!
//! Weak fingerprints give thousands of false pairs each: ten million documents can mean 10^10 lines. The
//! pairs of equal fingerprints are counted exactly; the others are estimated from the neighbours of a few
//! fingerprints drawn evenly from the sorted set, each found exactly by looking at all.

use std::fmt;

use rayon::prelude::*;

use crate::error::SearchError;
use crate::groups::Groups;
use crate::join::Join;
use crate::kernel::SimdLevel;
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

impl Join {
    /// Estimates the pairs this join would find among `groups`: a tenth of a second or so for
    /// 10^7 fingerprints.
    ///
    /// # Errors
    ///
    /// When the distance is too large.
    pub fn estimate<W: FingerprintWord>(
        &self,
        groups: &Groups<W>,
    ) -> Result<PairEstimate, SearchError> {
        self.check()?;
        let prints = groups.prints();
        let equal = groups.equal_pairs();
        if groups.distinct() < 2 {
            return Ok(PairEstimate { equal, near: 0.0, standard_error: 0.0, sampled: 0 });
        }
        let wanted = (COMPARISONS / prints.len()).clamp(*SAMPLE.start(), *SAMPLE.end());
        // Entries evenly spaced over the sorted fingerprints: a group is met as often as it is large.
        let step = (prints.len() / wanted).max(1);
        let kernels = W::kernels().at(SimdLevel::detect());
        let counts: Vec<f64> = prints
            .par_iter()
            .skip(step / 2)
            .step_by(step)
            .map_init(Vec::new, |near, &print| {
                near.clear();
                (kernels.one_to_many)(print, prints, self.distance(), near);
                (near.len() - groups.documents(print).len()) as f64
            })
            .collect();
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
