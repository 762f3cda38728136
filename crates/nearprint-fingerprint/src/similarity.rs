//! Similarity as another form of distance: whoever names one of them names the other.

use crate::Scheme;

impl Scheme {
    /// The maximum distance (inclusive) at which fingerprints of this scheme are at least this similar, by the
    /// similarity of [`Fingerprint::similarity`](crate::Fingerprint::similarity), 1 - distance / positions.
    /// Similarities below 0 count as 0, those above 1 as 1.
    ///
    /// ```
    /// use nearprint_fingerprint::Scheme;
    ///
    /// assert_eq!(Scheme::SD1.distance_at(0.9), 6);
    /// assert_eq!(Scheme::SD1.distance_at(0.98), 1);
    /// ```
    #[must_use]
    pub fn distance_at(self, similarity: f64) -> u32 {
        let positions = self.positions();
        // Similarities are typed with few digits: 0.95 of 20 positions is 19 of them, whatever its binary fraction.
        let most = ((1.0 - similarity) * f64::from(positions) + 1e-9).floor();
        (most.max(0.0) as u32).min(positions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similarity_is_another_form_of_distance() {
        let (sd1, md1) = (Scheme::SD1, Scheme::MD1);
        for (similarity, scheme, distance) in [
            (1.0, sd1, 0),
            (0.0, sd1, 64),
            (0.9, sd1, 6),
            (0.98, sd1, 1),
            (0.953125, sd1, 3),
            (0.3, md1, 89),
            (-1.0, sd1, 64),
            (7.0, sd1, 0),
        ] {
            assert_eq!(scheme.distance_at(similarity), distance, "{similarity} of {scheme}");
        }
        // No smaller distance is as similar, and no larger one is similar enough.
        for distance in 0..=128 {
            assert_eq!(md1.distance_at(1.0 - f64::from(distance) / 128.0), distance);
        }
    }
}
