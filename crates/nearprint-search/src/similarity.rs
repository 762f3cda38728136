//! Exact similarity of two documents, from what their texts are made of: the measure that makes a candidate a fact.
//!
//! A document is a sorted list of feature hashes with weights. Where the features come from (words, shingles) and where
//! they are kept is the caller's business.

/// A feature of a document: its hash, and how much it counts (1 where only its presence does).
pub type WeightedFeature = (u64, u32);

/// A measure of similarity, from 0 (nothing in common) to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Measure {
    /// Sum of the lesser weights by the sum of the greater ones; for weights of 1 the Jaccard similarity of two sets.
    Jaccard,
    /// Sum of the lesser weights by the lesser of the two sums: 1 where one document is part of the other.
    Containment,
    /// The cosine of the angle between the vectors of weights.
    Cosine,
}

impl Measure {
    /// All measures.
    pub const ALL: [Self; 3] = [Self::Jaccard, Self::Containment, Self::Cosine];

    /// Its name in lower case, as in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Jaccard => "jaccard",
            Self::Containment => "containment",
            Self::Cosine => "cosine",
        }
    }

    /// The similarity of two documents, each a list of features in ascending order of hashes without repetition. Two
    /// empty documents, and an empty one beside any other, have similarity 0: nothing is known of them.
    ///
    /// O(n + m). The result is the same on every machine: integers, and one correctly rounded division or root at the
    /// end.
    ///
    /// ```
    /// use nearprint_search::Measure;
    /// let (a, b) = ([(1, 1), (5, 1), (9, 1)], [(5, 1), (9, 1), (12, 1), (20, 1)]);
    /// assert_eq!(Measure::Jaccard.of(&a, &b), 2.0 / 5.0);
    /// assert_eq!(Measure::Containment.of(&a, &b), 2.0 / 3.0);
    /// assert_eq!(Measure::Cosine.of(&a, &b), 2.0 / 12.0_f64.sqrt());
    /// ```
    #[must_use]
    pub fn of(self, a: &[WeightedFeature], b: &[WeightedFeature]) -> f64 {
        Overlap::of(a, b).similarity(self)
    }
}

/// What two documents are and what they have in common: all that the measures need of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overlap {
    /// Sum of the lesser weights.
    lesser: u64,
    /// Sum of the products of the weights.
    product: u128,
    /// Each document's sum of weights.
    sums: [u64; 2],
    /// Each document's sum of squared weights.
    squares: [u128; 2],
}

impl Overlap {
    /// Of two documents, each a list of features in ascending order of hashes without repetition. O(n + m).
    #[must_use]
    pub fn of(a: &[WeightedFeature], b: &[WeightedFeature]) -> Self {
        let (mut lesser, mut product) = (0, 0);
        let (mut left, mut right) = (0, 0);
        while let (Some(&(first, one)), Some(&(second, other))) = (a.get(left), b.get(right)) {
            if first == second {
                lesser += u64::from(one.min(other));
                product += u128::from(one) * u128::from(other);
            }
            left += usize::from(first <= second);
            right += usize::from(second <= first);
        }
        let sum = |features: &[WeightedFeature]| -> u64 {
            features.iter().map(|&(_, weight)| u64::from(weight)).sum()
        };
        let square = |features: &[WeightedFeature]| -> u128 {
            features.iter().map(|&(_, weight)| u128::from(weight).pow(2)).sum()
        };
        Self { lesser, product, sums: [sum(a), sum(b)], squares: [square(a), square(b)] }
    }

    /// How much each of the two documents has that the other has not.
    ///
    /// ```
    /// use nearprint_search::Overlap;
    /// assert_eq!(Overlap::of(&[(1, 1), (5, 1)], &[(5, 1), (7, 1), (9, 1)]).only(), [1, 2]);
    /// ```
    #[must_use]
    pub fn only(&self) -> [u64; 2] {
        self.sums.map(|sum| sum - self.lesser)
    }

    /// The similarity, 0 to 1.
    #[must_use]
    pub fn similarity(&self, measure: Measure) -> f64 {
        let [a, b] = self.sums;
        let divided = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        match measure {
            Measure::Jaccard => divided(self.lesser as f64, (a + b - self.lesser) as f64),
            Measure::Containment => divided(self.lesser as f64, a.min(b) as f64),
            Measure::Cosine => {
                let [a, b] = self.squares.map(|square| square as f64);
                divided(self.product as f64, (a * b).sqrt())
            }
        }
    }

    /// Two documents' overlap in further features, other than these, each counting `times` as much.
    ///
    /// ```
    /// use nearprint_search::{Measure, Overlap};
    /// let words = Overlap::of(&[(1, 1), (5, 1)], &[(1, 1), (5, 1)]);
    /// let numbers = Overlap::of(&[(7, 1)], &[(8, 1)]);
    /// assert_eq!(words.and(&numbers, 2).similarity(Measure::Jaccard), 2.0 / 6.0);
    /// ```
    #[must_use]
    pub fn and(&self, other: &Self, times: u32) -> Self {
        let (once, twice) = (u64::from(times), u128::from(times).pow(2));
        let sum = |at: usize| self.sums[at] + once * other.sums[at];
        let square = |at: usize| self.squares[at] + twice * other.squares[at];
        Self {
            lesser: self.lesser + once * other.lesser,
            product: self.product + twice * other.product,
            sums: [sum(0), sum(1)],
            squares: [square(0), square(1)],
        }
    }

    /// What is left where so many features of weight 1 that both have are taken out of both, or all that both have
    /// where these are fewer.
    ///
    /// ```
    /// use nearprint_search::{Measure, Overlap};
    /// let overlap = Overlap::of(&[(1, 1), (5, 1), (9, 1)], &[(5, 1), (9, 1), (12, 1), (20, 1)]);
    /// assert_eq!(overlap.without(1).similarity(Measure::Jaccard), 1.0 / 4.0);
    /// assert_eq!(overlap.without(9).similarity(Measure::Jaccard), 0.0);
    /// ```
    #[must_use]
    pub fn without(&self, shared: u64) -> Self {
        let out = shared.min(self.lesser);
        // A product is no less than the lesser of its factors, and a square no less than its root: nothing goes below 0.
        Self {
            lesser: self.lesser - out,
            product: self.product - u128::from(out),
            sums: self.sums.map(|sum| sum - out),
            squares: self.squares.map(|square| square - u128::from(out)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn document() -> impl Strategy<Value = Vec<WeightedFeature>> {
        prop::collection::btree_map(0u64..40, 1u32..9, 0..30)
            .prop_map(|map: BTreeMap<_, _>| map.into_iter().collect())
    }

    proptest! {
        #[test]
        fn similarity_is_what_its_definition_says(a in document(), b in document()) {
            let (one, other): (BTreeMap<_, _>, BTreeMap<_, _>) = (a.iter().copied().collect(), b.iter().copied().collect());
            let weight = |map: &BTreeMap<u64, u32>, at: u64| f64::from(map.get(&at).copied().unwrap_or(0));
            let over = |each: &dyn Fn(f64, f64) -> f64| -> f64 { (0..40).map(|at| each(weight(&one, at), weight(&other, at))).sum() };
            let lesser = over(&f64::min);
            let wanted = [
                lesser / over(&f64::max),
                lesser / over(&|x, _| x).min(over(&|_, y| y)),
                over(&|x, y| x * y) / (over(&|x, _| x * x) * over(&|_, y| y * y)).sqrt(),
            ];
            for (measure, wanted) in Measure::ALL.into_iter().zip(wanted) {
                let found = measure.of(&a, &b);
                prop_assert_eq!(found, measure.of(&b, &a), "{:?} is symmetric", measure);
                if a.is_empty() || b.is_empty() {
                    prop_assert_eq!(found, 0.0);
                } else {
                    prop_assert!((found - wanted).abs() < 1e-12, "{measure:?}: {found} is not {wanted}");
                    prop_assert!((0.0..=1.0 + 1e-12).contains(&found));
                    prop_assert!((measure.of(&a, &a) - 1.0).abs() < 1e-12);
                }
            }
        }
    }
}
