//! How many pairs to expect, from a sample, before anybody waits for them.

use std::ops::ControlFlow;

use nearprint_search::{Expand, Groups, Join, Pair};

use super::Search;
use super::join::{Bounds, Sides};
use crate::Error;
use crate::store::print_set::Word;

/// Prints of a set that are looked at where they cannot all be: 14 bytes each are taken.
const SAMPLE: usize = 1 << 19;

/// Prints of one set whose pairs with another are counted.
const LEFT_SAMPLE: usize = 4096;

/// Pairs to expect.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Forecast {
    /// In all.
    pub(super) pairs: f64,
    /// Those of equal prints among them, where they are told apart.
    pub(super) equal: Option<f64>,
}

impl Search<'_> {
    /// Gives up before a search that would find more than is wanted. `groups` are those of a single set, where they
    /// fit.
    pub(super) fn refuse_too_many<W: Word>(
        &self,
        sides: Sides<'_>,
        groups: Option<&Groups<W>>,
        bounds: &Bounds,
    ) -> Result<(), Error> {
        let Some(most) = bounds.most.filter(|&most| u128::from(most) < sides.possible()) else {
            return Ok(());
        };
        // An estimate takes as long as the join of 10^7 fingerprints, and only one that refuses is shown.
        if let Some(groups) = groups
            && bounds.expand == Expand::AllPairs
            && self.in_pool(|| Join::within(self.distance).expects_at_most(groups, most))??
        {
            return Ok(());
        }
        let forecast = self.forecast(sides, groups, bounds.expand)?;
        if forecast.pairs > most as f64 {
            return Err(Error::TooManyExpected {
                expected: forecast.pairs,
                equal: forecast.equal,
                most,
            });
        }
        Ok(())
    }

    /// Pairs to expect of sets of words.
    pub(super) fn forecast<W: Word>(
        &self,
        sides: Sides<'_>,
        groups: Option<&Groups<W>>,
        expand: Expand,
    ) -> Result<Forecast, Error> {
        let join = Join::within(self.distance);
        if let Some(right) = sides.right {
            let (left, left_scale) = sample(words::<W>(sides.left)?, LEFT_SAMPLE);
            let (right, right_scale) = sample(words::<W>(right)?, SAMPLE);
            let mut found = 0u64;
            let mut count = |batch: &[Pair]| {
                found += batch.len() as u64;
                ControlFlow::Continue(())
            };
            self.in_pool(|| join.pairs_between(&left, &right, &mut count))??;
            return Ok(Forecast { pairs: found as f64 * left_scale * right_scale, equal: None });
        }
        let sampled;
        let (groups, scale) = match groups {
            Some(groups) => (groups, 1.0),
            None => {
                let (some, scale) = sample(words::<W>(sides.left)?, SAMPLE);
                sampled = self.in_pool(|| Groups::of(&some))??;
                (&sampled, scale)
            }
        };
        if expand == Expand::AllPairs {
            let estimate = self.in_pool(|| join.estimate(groups))??;
            let equal = estimate.equal as f64 * scale * scale;
            return Ok(Forecast {
                pairs: estimate.near * scale * scale + equal,
                equal: Some(equal),
            });
        }
        // Of equal prints one counts.
        let distinct: Vec<W> = groups.iter().map(|(print, _)| print).collect();
        let (some, thinned) = sample(&distinct, SAMPLE);
        let estimate = self.in_pool(|| join.estimate(&Groups::of(&some)?))??;
        let of_groups = if expand == Expand::Star { groups.len() - groups.distinct() } else { 0 };
        let equal = of_groups as f64 * scale;
        Ok(Forecast {
            pairs: estimate.near * (scale * thinned).powi(2) + equal,
            equal: Some(equal),
        })
    }
}

fn words<W: Word>(set: &crate::PrintSet) -> Result<&[W], Error> {
    W::of(set.prints()).ok_or(Error::NotSearchable { scheme: set.scheme() })
}

/// About so many at most, and how many each stands for. Places are chosen by their hashes: near-duplicates often lie
/// side by side, and a sample evenly spaced would have none of their pairs.
fn sample<W: Word>(words: &[W], most: usize) -> (Vec<W>, f64) {
    let step = words.len().div_ceil(most).max(1) as u64;
    let mixed = |at: u64| {
        let hash = (at + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash ^ hash >> 32).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32
    };
    let chosen = (0..).zip(words).filter(|&(at, _)| mixed(at) % step == 0);
    let some: Vec<W> = chosen.map(|(_, &word)| word).collect();
    let scale = words.len() as f64 / some.len().max(1) as f64;
    (some, scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_its_share_of_neighbours() {
        // Numbers in a row, so that a sample shows which places were chosen.
        let words: Vec<u64> = (0..600_000).collect();
        for most in [60_000, 600_000, 7] {
            let (some, scale) = sample(&words, most);
            assert!((scale * some.len() as f64 - 600_000.0).abs() < 1.0);
            let expected = 600_000.0 / scale / scale;
            let side_by_side = some.windows(2).filter(|two| two[1] - two[0] == 1).count() as f64;
            assert!(
                (side_by_side - expected).abs() < 4.0 * expected.sqrt() + 2.0,
                "{side_by_side} of {expected}"
            );
        }
        assert_eq!(sample::<u64>(&[], 10), (Vec::new(), 0.0));
    }
}
