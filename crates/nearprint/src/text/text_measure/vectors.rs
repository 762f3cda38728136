//! What two texts have in common, by their features and weights, in whole numbers.

/// Sums over the features of two texts, from which every measure of them follows.
#[derive(Debug, Default)]
pub(super) struct Vectors {
    /// Of the lesser weights.
    lesser: u128,
    /// Of the products.
    product: u128,
    /// Of each text's weights.
    sums: [u128; 2],
    /// Of each text's squares.
    squares: [u128; 2],
}

impl Vectors {
    /// Of two lists in ascending order of hashes without repetition. O(n + m).
    pub(super) fn of(a: &[(u64, u64)], b: &[(u64, u64)]) -> Self {
        let mut vectors = Self::default();
        for (text, features) in [a, b].into_iter().enumerate() {
            for &(_, weight) in features {
                vectors.sums[text] += u128::from(weight);
                vectors.squares[text] += u128::from(weight).pow(2);
            }
        }
        let (mut left, mut right) = (0, 0);
        while let (Some(&(first, one)), Some(&(second, other))) = (a.get(left), b.get(right)) {
            if first == second {
                vectors.lesser += u128::from(one.min(other));
                vectors.product += u128::from(one) * u128::from(other);
            }
            left += usize::from(first <= second);
            right += usize::from(second <= first);
        }
        vectors
    }

    /// Sum of the lesser weights by that of the greater ones.
    pub(super) fn jaccard(&self) -> f64 {
        let [a, b] = self.sums;
        if a == 0 || b == 0 { 0.0 } else { self.lesser as f64 / (a + b - self.lesser) as f64 }
    }

    /// Sum of the lesser weights by the lesser sum.
    pub(super) fn containment(&self) -> f64 {
        let [a, b] = self.sums;
        if a == 0 || b == 0 { 0.0 } else { self.lesser as f64 / a.min(b) as f64 }
    }

    /// Twice the sum of the lesser weights by both sums.
    pub(super) fn dice(&self) -> f64 {
        let [a, b] = self.sums;
        if a == 0 || b == 0 { 0.0 } else { (2 * self.lesser) as f64 / (a + b) as f64 }
    }

    /// The cosine of the angle between both.
    pub(super) fn cosine(&self) -> f64 {
        let [a, b] = self.squares;
        if a == 0 || b == 0 {
            return 0.0;
        }
        let root = match a.checked_mul(b) {
            Some(both) => (both as f64).sqrt(),
            None => (a as f64).sqrt() * (b as f64).sqrt(),
        };
        // Rounding may not make it more than it can be.
        (self.product as f64 / root).min(1.0)
    }
}
