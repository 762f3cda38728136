//! Verification: the exact similarity of two documents' texts, which makes a candidate a fact.
//!
//! Prints are made for search; function words, templates and chance bring some unrelated ones together. What decides is the texts'
//! own features. They are taken once, when the text is there anyway, and kept in a [`FeatureStore`], in memory up to a bound and
//! then in a temporary file; so every document is read once.

use nearprint_fingerprint::{Scheme, stages, tokens};
use nearprint_search::{Measure, WeightedFeature};

use crate::FeatureStore;

/// A measure of similarity and what it must at least be.
///
/// ```
/// use nearprint::{Verification, search::Measure};
///
/// let verification = Verification::new(Measure::Jaccard);
/// assert_eq!(verification.at_least(), 0.3);
/// let a = verification.features("Fog came in at noon and stayed over the harbour.");
/// let b = verification.features("Fog came in at noon and stayed above the harbour.");
/// assert_eq!(verification.similarity(&a, &b), 5.0 / 11.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verification {
    measure: Measure,
    at_least: f64,
}

impl Verification {
    /// Verification by a measure, at its default threshold: 0.3 for Jaccard (of word 3-shingles), 0.8 for containment (of word
    /// 3-shingles) and for the cosine (of words weighing 1 + floor(log2(term frequency))).
    ///
    /// On the project's development corpus these are where renderings of one document in several media part from different documents; Jaccard
    /// is the one to take where nothing speaks for another.
    #[must_use]
    pub fn new(measure: Measure) -> Self {
        let at_least = match measure {
            Measure::Jaccard => 0.3,
            _ => 0.8,
        };
        Self { measure, at_least }
    }

    /// Demands another similarity, 0 to 1.
    #[must_use]
    pub fn at(mut self, at_least: f64) -> Self {
        self.at_least = at_least;
        self
    }

    /// The measure.
    #[must_use]
    pub fn measure(&self) -> Measure {
        self.measure
    }

    /// The similarity demanded (inclusive).
    #[must_use]
    pub fn at_least(&self) -> f64 {
        self.at_least
    }

    /// What of a text is compared, in ascending order: for the cosine its words with their weights, else its word 3-shingles.
    #[must_use]
    pub fn features(&self, text: &str) -> Vec<WeightedFeature> {
        let mut hashes = Vec::new();
        // Every scheme has the same tokens.
        tokens(Scheme::SD1, text, |token| hashes.push(stages::token_hash(token.as_bytes())));
        if self.measure == Measure::Cosine {
            hashes.sort_unstable();
            let weight = |times: usize| 1 + times.ilog2();
            hashes.chunk_by(|a, b| a == b).map(|same| (same[0], weight(same.len()))).collect()
        } else {
            let mut shingles = stages::shingles(hashes);
            shingles.sort_unstable();
            shingles.dedup();
            shingles.into_iter().map(|shingle| (shingle, 1)).collect()
        }
    }

    /// The similarity of two texts by their features.
    #[must_use]
    pub fn similarity(&self, a: &[WeightedFeature], b: &[WeightedFeature]) -> f64 {
        self.measure.of(a, b)
    }

    /// The similarity of two documents of a store, where it is at least what is demanded.
    pub(crate) fn passes(
        &self,
        store: &FeatureStore,
        a: u32,
        b: u32,
    ) -> std::io::Result<Option<f64>> {
        let similarity = self.similarity(&store.get(a as usize)?, &store.get(b as usize)?);
        Ok((similarity >= self.at_least).then_some(similarity))
    }
}
