//! Verification: the exact similarity of two documents' texts, which makes a candidate a fact.
//!
//! Prints are made for search; function words, templates and chance bring some unrelated ones together. What decides is
//! the texts' own features. They are taken once, when the text is there anyway, and kept in a
//! [`FeatureStore`](crate::FeatureStore), in memory up to a bound and then in a temporary file; so every document is
//! read once. docs/VERIFICATION.md says what that costs and how far it is from exact.

use nearprint_search::{Measure, Overlap};

use crate::text::elements::{differences, weighed};
use crate::text::packed_features::FEATURES_VERSION;
use crate::{Differences, DuplicateRule, Duplication, Sameness, SimilarTexts, TextFeatures};

/// Words of a phrase that unrelated documents may share: a heading, a line of navigation, a notice.
const PHRASE: u64 = 8;

/// Words of a shingle.
const SHINGLE: u64 = 3;

/// How much a shingle of words counts beside elements; docs/VERIFICATION.md has what was measured.
const WORDS: u32 = 2;
/// The similarity of texts that are not identical, at most: 1 says that nothing at all differs.
pub(crate) const MOST_OF_UNEQUAL: f64 = 0.9999;

/// A measure of similarity and what it must at least be.
///
/// A pair passes where its similarity is at least what is demanded. Where little is demanded, it must also stay so when
/// a phrase of eight words is taken out of both documents: that is the *evidence* that they are more than two pages
/// with one notice in common. Documents of the very same words always have it. In documents of a few hundred words the
/// phrase makes no difference.
///
/// ```
/// use nearprint::{Verification, search::Measure};
///
/// let verification = Verification::new(Measure::Jaccard);
/// assert_eq!(verification.at_least(), 0.3);
/// let a = verification.features("Fog came in at noon and stayed over the harbour until the bells rang for the last boat home.");
/// let b = verification.features("Fog came in at noon and stayed above the harbour until the bells rang for the last boat home.");
/// assert_eq!(verification.similarity(&a, &b), 14.0 / 20.0);
/// assert_eq!(verification.verified(&a, &b), Some(14.0 / 20.0)); // 8 of 14 are left without the phrase
///
/// let a = verification.features("Next: Fog. Previous: Rain. Contents. All rights reserved by the authors.");
/// let b = verification.features("Next: Rain. Previous: Sun. Contents. All rights reserved by the authors.");
/// assert!(verification.similarity(&a, &b) > 0.3);
/// assert_eq!(verification.verified(&a, &b), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verification {
    measure: Measure,
    at_least: f64,
    /// Whether a phrase in common is left out of account, where that is said.
    evidence: Option<bool>,
}

/// What a verification says of two texts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Judgement {
    /// They are similar; of the duplicates among them nothing is said yet.
    Similar(SimilarTexts),
    /// They are similar by a phrase, which is not evidence.
    NoEvidence,
    /// They are not similar.
    Different,
}

/// By Jaccard similarity, from 0.3 on.
impl Default for Verification {
    fn default() -> Self {
        Self::new(Measure::Jaccard)
    }
}

impl Verification {
    /// Verification by a measure, at its default threshold: 0.3 for Jaccard (of word 3-shingles), 0.8 for containment
    /// (of word 3-shingles) and for the cosine (of words weighing 1 + floor(log2(term frequency))).
    ///
    /// On the project's development corpus these are where renderings of one document in several media part from
    /// different documents; Jaccard is the one to take where nothing speaks for another.
    #[must_use]
    pub fn new(measure: Measure) -> Self {
        let at_least = match measure {
            Measure::Jaccard => 0.3,
            _ => 0.8,
        };
        Self { measure, at_least, evidence: None }
    }

    /// Demands another similarity, 0 to 1.
    #[must_use]
    pub fn at(mut self, at_least: f64) -> Self {
        self.at_least = at_least;
        self
    }

    /// Demands evidence beyond a phrase in common, or takes the similarity as it is, however short the documents.
    #[must_use]
    pub fn evidence(mut self, is_demanded: bool) -> Self {
        self.evidence = Some(is_demanded);
        self
    }

    /// Whether evidence beyond a phrase in common is demanded. Unless it is said, it is by every measure but Jaccard,
    /// and by Jaccard for less than [`CLEAR`](Self::CLEAR).
    #[must_use]
    pub fn demands_evidence(&self) -> bool {
        let is_clear = self.measure == Measure::Jaccard && self.at_least >= Self::CLEAR;
        self.evidence.unwrap_or(!is_clear)
    }

    /// The Jaccard similarity from which on a threshold is taken at its word: no phrase alone makes two documents that
    /// similar unless it is most of both.
    pub const CLEAR: f64 = 0.5;

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

    /// What of a text is compared: for the cosine its words, numbers and signs with their weights, else its word
    /// 3-shingles, and each number and sign with what is before it. Of each hash 40 bits are kept, of numbers and signs 56.
    #[must_use]
    pub fn features(&self, text: &str) -> TextFeatures {
        TextFeatures::of(text, self.measure)
    }

    /// The name and version of the features that are compared. Features of the same name can be compared with one
    /// another, whoever made them: those of Jaccard and containment are `shingles/3`, those of the cosine `words/3`.
    #[must_use]
    pub fn features_name(&self) -> String {
        let kind = if self.measure == Measure::Cosine { "words" } else { "shingles" };
        format!("{kind}/{FEATURES_VERSION}")
    }

    /// The similarity of two texts by their features: the lesser of that of their words and that of words and elements
    /// together. It is 1 only of identical texts, else at most 0.9999; containment is also 1 where all of one text is
    /// in the other.
    #[must_use]
    pub fn similarity(&self, a: &TextFeatures, b: &TextFeatures) -> f64 {
        self.bounded(self.least(self.overlaps(a, b)), a, b)
    }

    /// What differs between two texts beside their words, by their features. The cosine knows no places, so nothing
    /// contradicts.
    #[must_use]
    pub fn differences(&self, a: &TextFeatures, b: &TextFeatures) -> Differences {
        self.differences_and_words(a, b).0.without_loss()
    }

    /// The same where the second text would be dropped for the first: with what would be lost.
    pub(crate) fn differences_and_loss(
        &self,
        kept: &TextFeatures,
        dropped: &TextFeatures,
    ) -> Differences {
        let (differences, [_, alone]) = self.differences_and_words(kept, dropped);
        differences.with_loss(dropped.words.len() as u64, alone)
    }

    /// What differs, and how many words each text has alone.
    fn differences_and_words(&self, a: &TextFeatures, b: &TextFeatures) -> (Differences, [u64; 2]) {
        match self.measure {
            Measure::Cosine => (Differences::default(), [0; 2]),
            _ => {
                let only = Overlap::of(&a.words, &b.words).only();
                let shorter = a.words.len().min(b.words.len()) as u64;
                let found = differences(&a.numbers, &b.numbers);
                (found.with_words(shorter, only[0].min(only[1])), only)
            }
        }
    }

    fn bounded(&self, similarity: f64, a: &TextFeatures, b: &TextFeatures) -> f64 {
        let is_identical = a.digests.sameness(&b.digests) == Sameness::Identical;
        if is_identical || self.measure == Measure::Containment {
            return similarity;
        }
        similarity.min(MOST_OF_UNEQUAL)
    }

    /// The similarity of two texts that pass, by their features.
    #[must_use]
    pub fn verified(&self, a: &TextFeatures, b: &TextFeatures) -> Option<f64> {
        match self.judge(a, b) {
            Judgement::Similar(similar) => Some(similar.similarity),
            Judgement::NoEvidence | Judgement::Different => None,
        }
    }

    /// Two texts that pass, with all that their features say of them: whether there is evidence beyond a phrase, and
    /// whether they are duplicates by [`DuplicateRule::default`].
    #[must_use]
    pub fn similar(&self, a: &TextFeatures, b: &TextFeatures) -> Option<SimilarTexts> {
        match self.judge(a, b) {
            Judgement::Similar(similar) => {
                Some(SimilarTexts { duplication: self.duplication(a, b), ..similar })
            }
            Judgement::NoEvidence | Judgement::Different => None,
        }
    }

    /// Whether two texts pass, by their features.
    pub(crate) fn judge(&self, a: &TextFeatures, b: &TextFeatures) -> Judgement {
        let overlaps = self.overlaps(a, b);
        let similarity = self.bounded(self.least(overlaps), a, b);
        if similarity < self.at_least {
            return Judgement::Different;
        }
        let has_evidence = self.is_evidence(overlaps) || a.words == b.words;
        if self.demands_evidence() && !has_evidence {
            return Judgement::NoEvidence;
        }
        let duplication = Duplication::Unknown;
        Judgement::Similar(SimilarTexts { similarity, evidence: Some(has_evidence), duplication })
    }

    /// Whether one of two texts may be dropped for the other, by [`DuplicateRule::default`]; where one has many words
    /// more, that is the other. The features of the cosine do not say.
    #[must_use]
    pub fn duplication(&self, a: &TextFeatures, b: &TextFeatures) -> Duplication {
        match self.measure {
            Measure::Cosine => Duplication::Unknown,
            _ => DuplicateRule::default().related_either_way(a, b).into(),
        }
    }

    /// What two texts have in common: of their words, and of words and numbers together.
    fn overlaps(&self, a: &TextFeatures, b: &TextFeatures) -> [Overlap; 2] {
        let words = Overlap::of(&a.words, &b.words);
        if a.numbers.is_empty() && b.numbers.is_empty() {
            return [words; 2];
        }
        if self.measure == Measure::Cosine {
            return [words, words.and(&Overlap::of(&a.numbers, &b.numbers), 1)];
        }
        let [first, second] = weighed(&a.numbers, &b.numbers);
        let all = Overlap::of(&first, &second).and(&words, WORDS);
        [words, all]
    }

    fn least(&self, overlaps: [Overlap; 2]) -> f64 {
        let [words, all] = overlaps.map(|overlap| overlap.similarity(self.measure));
        words.min(all)
    }

    /// Whether enough is common beyond one phrase.
    fn is_evidence(&self, overlaps: [Overlap; 2]) -> bool {
        let [words, all] = overlaps;
        let (phrase, times) = match self.measure {
            Measure::Cosine => (PHRASE, 1),
            // Without numbers both are the same.
            _ if words == all => (PHRASE - SHINGLE + 1, 1),
            _ => (PHRASE - SHINGLE + 1, u64::from(WORDS)),
        };
        self.least([words.without(phrase), all.without(phrase * times)]) >= self.at_least
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn similarity(a: &str, b: &str) -> f64 {
        let verification = Verification::new(Measure::Jaccard);
        verification.similarity(&verification.features(a), &verification.features(b))
    }

    #[test]
    fn numbers_weigh_by_what_the_other_text_has_in_their_places() {
        // Four shingles that both have count 8, and the 14 that both have counts 2.
        let text = "apples cost 12 today and pears cost 14";
        let contradicted = "apples cost 13 today and pears cost 14";
        let without = "apples cost today and pears cost 14";
        assert_eq!(similarity(text, contradicted), 10.0 / 18.0);
        assert_eq!(similarity(text, without), 10.0 / 11.0);
        assert_eq!(similarity(without, text), 10.0 / 11.0);
        assert_eq!(similarity(text, text), 1.0);
    }

    #[test]
    fn a_long_row_of_numbers_takes_linear_time() {
        // All but three of them are in one place: 10^5 by 10^5 comparisons would not end in time.
        let row = |step: usize| (0..100_000).map(|n| format!("{} ", n * step)).collect::<String>();
        let [a, b] = [1, 2].map(|step| format!("measured values follow {}", row(step)));
        let found = similarity(&a, &b);
        assert!(found > 0.0 && found < 0.001, "{found}");
    }
}
