//! How many pairs of unrelated documents a distance lets in: measured, and said wherever pairs are not verified.

use std::fmt;

use nearprint_fingerprint::Scheme;

/// Distances and, of a million pairs of different documents, how many lie within them.
type Rates = [(u32, u32)];

/// What was measured for a scheme on the project's development corpus: 3,026,085 pairs of different documents of one
/// language, of 200 words or more each.
fn measured(scheme: Scheme) -> Option<&'static Rates> {
    match scheme {
        scheme if scheme == Scheme::SD1 => Some(&[(3, 232), (6, 6_058), (8, 23_954)]),
        scheme if scheme == Scheme::SL1 => Some(&[(3, 0), (6, 2), (8, 57)]),
        _ => None,
    }
}

/// Of a million pairs of unrelated documents of one language, how many lie within a distance of one another.
///
/// Rates are known at the measured distances. Between two of them both are given, as bounds: more distance never
/// lets in less.
///
/// ```
/// use nearprint::{FalsePairs, fingerprint::Scheme};
///
/// let within_3 = FalsePairs::expected(Scheme::SD1, 3).unwrap();
/// assert_eq!(within_3.to_string(), "some 232 of a million pairs of unrelated documents of one language");
/// let within_4 = FalsePairs::expected(Scheme::SD1, 4).unwrap();
/// assert_eq!((within_4.at_least(), within_4.at_most()), (Some(232.0), Some(6058.0)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FalsePairs {
    at_least: Option<u32>,
    at_most: Option<u32>,
}

impl FalsePairs {
    /// What is known of `scheme` within `distance`; `None` where nothing was measured for the scheme.
    #[must_use]
    pub fn expected(scheme: Scheme, distance: u32) -> Option<Self> {
        let rates = measured(scheme)?;
        let below = rates.iter().rev().find(|&&(measured, _)| measured <= distance);
        let above = rates.iter().find(|&&(measured, _)| measured >= distance);
        Some(Self { at_least: below.map(|&(_, rate)| rate), at_most: above.map(|&(_, rate)| rate) })
    }

    /// At least so many per million; `None` below the least distance measured.
    #[must_use]
    pub fn at_least(self) -> Option<f64> {
        self.at_least.map(f64::from)
    }

    /// At most so many per million; `None` beyond the greatest distance measured.
    #[must_use]
    pub fn at_most(self) -> Option<f64> {
        self.at_most.map(f64::from)
    }
}

impl FalsePairs {
    /// How many of a million, for a person to read: `some 232`, `0 to 2`, `none`.
    #[must_use]
    pub fn number(self) -> String {
        match (self.at_least, self.at_most) {
            (Some(0), Some(0)) | (None, Some(0)) => "none".to_owned(),
            (Some(least), Some(most)) if least == most => format!("some {least}"),
            (Some(least), Some(most)) => format!("{least} to {most}"),
            (None, Some(most)) => format!("fewer than {most}"),
            (Some(least), None) => format!("more than {least}"),
            (None, None) => "an unknown number".to_owned(),
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
        for (distance, text) in [
            (0, "fewer than 232 "),
            (2, "fewer than 232 "),
            (3, "some 232 "),
            (5, "232 to 6058 "),
            (6, "some 6058 "),
            (7, "6058 to 23954 "),
            (8, "some 23954 "),
            (9, "more than 23954 "),
            (64, "more than 23954 "),
        ] {
            let rate = FalsePairs::expected(Scheme::SD1, distance).unwrap().to_string();
            assert!(rate.starts_with(text), "{distance}: {rate}");
        }
    }

    #[test]
    fn rates_are_of_their_scheme() {
        let text = |distance| FalsePairs::expected(Scheme::SL1, distance).unwrap().to_string();
        assert!(text(3).starts_with("none of a million"), "{}", text(3));
        assert!(text(1).starts_with("none of a million"), "{}", text(1));
        assert!(text(4).starts_with("0 to 2 of a million"), "{}", text(4));
        assert_eq!(FalsePairs::expected(Scheme::MD1, 25), None);
    }
}
