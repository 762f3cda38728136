//! How many pairs of unrelated documents a distance lets in: measured, and said wherever pairs are not verified.

use std::fmt;

use nearprint_fingerprint::Scheme;

use super::measured_rates::{MD1, MeasuredRate, SD1, SL1, WD1};

/// The measured distances of a scheme, in ascending order.
fn measured(scheme: Scheme) -> Option<&'static [MeasuredRate]> {
    [(Scheme::SD1, SD1), (Scheme::SL1, SL1), (Scheme::MD1, MD1), (Scheme::WD1, WD1)]
        .into_iter()
        .find_map(|(measured, rates)| (measured == scheme).then_some(rates))
}

/// The share of the renderings of one document that `scheme` finds within `distance`, as `make eval` measured it on
/// documents of 200 words or more; `None` where that distance was not measured.
#[must_use]
pub fn measured_recall(scheme: Scheme, distance: u32) -> Option<f64> {
    measured(scheme)?.iter().find(|rate| rate.distance == distance).map(|rate| rate.recall)
}

/// Of a million pairs of unrelated documents of one language, how many lie within a distance of one another, with the
/// 95 % interval.
///
/// Rates are known at the measured distances (`docs/accuracy` has the record). Between two of them only bounds are
/// known: more distance never lets in less.
///
/// ```
/// use nearprint::{FalsePairs, fingerprint::Scheme};
///
/// let within_3 = FalsePairs::expected(Scheme::SD1, 3).unwrap();
/// assert!(within_3.at_least() < within_3.estimate() && within_3.estimate() < within_3.at_most());
/// let number = within_3.number();
/// assert_eq!(within_3.to_string(), format!("{number} of a million pairs of unrelated documents of one language"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FalsePairs {
    estimate: Option<f64>,
    at_least: Option<f64>,
    at_most: Option<f64>,
}

impl FalsePairs {
    /// What is known of `scheme` within `distance`; `None` where nothing was measured for the scheme.
    #[must_use]
    pub fn expected(scheme: Scheme, distance: u32) -> Option<Self> {
        measured(scheme).map(|rates| Self::of(rates, distance))
    }

    fn of(rates: &[MeasuredRate], distance: u32) -> Self {
        let below = rates.iter().rev().find(|rate| rate.distance <= distance);
        let above = rates.iter().find(|rate| rate.distance >= distance);
        Self {
            estimate: below
                .filter(|rate| rate.distance == distance)
                .map(|rate| rate.false_pairs[1]),
            at_least: below.map(|rate| rate.false_pairs[0]),
            at_most: above.map(|rate| rate.false_pairs[2]),
        }
    }

    /// The measured number per million; `None` between measured distances.
    #[must_use]
    pub fn estimate(self) -> Option<f64> {
        self.estimate
    }

    /// At least so many per million, the lower end of the 95 % interval; `None` below the least distance measured.
    #[must_use]
    pub fn at_least(self) -> Option<f64> {
        self.at_least
    }

    /// At most so many per million, the upper end of the 95 % interval; `None` beyond the greatest distance measured.
    #[must_use]
    pub fn at_most(self) -> Option<f64> {
        self.at_most
    }

    /// How many of a million, for a person to read: `some 704`, `fewer than 3`.
    #[must_use]
    pub fn number(self) -> String {
        match (self.estimate, self.at_least, self.at_most) {
            (Some(estimate), _, _) if estimate >= 0.5 => format!("some {estimate:.0}"),
            (_, Some(least), Some(most)) if least > 0.0 => format!("{least:.0} to {most:.0}"),
            (_, _, Some(most)) => format!("fewer than {:.0}", most.ceil()),
            (_, Some(least), None) if least > 0.0 => format!("more than {least:.0}"),
            (_, _, None) => "an unknown number".to_owned(),
        }
    }
}

impl fmt::Display for FalsePairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.number();
        write!(f, "{number} of a million pairs of unrelated documents of one language")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_between_measured_ones_have_bounds() {
        let rate = |distance, false_pairs| MeasuredRate { distance, recall: 0.5, false_pairs };
        let rates = [
            rate(1, [0.0, 0.0, 2.6]),
            rate(3, [0.0, 0.4, 2.6]),
            rate(4, [39.5, 194.9, 350.3]),
            rate(7, [2874.2, 5078.3, 7282.5]),
        ];
        for (distance, text) in [
            (0, "fewer than 3 "),
            (1, "fewer than 3 "),
            (2, "fewer than 3 "),
            (3, "fewer than 3 "),
            (4, "some 195 "),
            (5, "40 to 7282 "),
            (7, "some 5078 "),
            (8, "more than 2874 "),
        ] {
            let rate = FalsePairs::of(&rates, distance).to_string();
            assert!(rate.starts_with(text), "{distance}: {rate}");
        }
        assert_eq!(FalsePairs::of(&rates[..1], 4).number(), "an unknown number");
        assert_eq!(FalsePairs::expected(Scheme::SEOMOZ_LEGACY, 3), None);
    }

    #[test]
    fn greater_distances_let_in_and_find_more() {
        for rates in [SD1, SL1, MD1, WD1] {
            for two in rates.windows(2) {
                assert!(two[0].distance < two[1].distance);
                assert!(two[0].recall <= two[1].recall);
                assert!(two[0].false_pairs[1] <= two[1].false_pairs[1]);
            }
            for rate in rates {
                assert!(rate.false_pairs.is_sorted(), "{rate:?}");
            }
        }
    }

    #[test]
    fn recall_is_that_of_a_measured_distance() {
        for rate in SD1 {
            assert_eq!(measured_recall(Scheme::SD1, rate.distance), Some(rate.recall));
        }
        assert_eq!(measured_recall(Scheme::SL1, 5), None);
    }
}
