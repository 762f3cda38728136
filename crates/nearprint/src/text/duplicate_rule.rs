//! One meaning of duplicate: what may be dropped in favour of another document, because nothing that it says is lost.
//!
//! *Similar* is a question of degree, and what `pairs`, `clusters` and `query` report. *Duplicate* is a decision, and
//! what `dedup` and additions of new documents act on. Everything it needs is in the features and digests of the two
//! texts, so whoever keeps these decides the same.

use nearprint_search::Measure;

use crate::{Differences, Sameness, TextFeatures, Verification};

/// Which similar documents count as duplicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Policy {
    /// Identical texts alone.
    Exact,
    /// These, and texts of the same words and similar texts that do not contradict one another and say no more.
    #[default]
    Careful,
    /// All similar texts.
    Loose,
}

impl Policy {
    /// Its name, as options and rows have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Careful => "careful",
            Self::Loose => "loose",
        }
    }
}

/// The rule by which two documents are duplicates.
///
/// ```
/// use nearprint::{DuplicateRule, Policy, Relation};
///
/// let rule = DuplicateRule::new(Policy::Careful, 0.7);
/// let text = "The water of this well holds 0,25 mg of it in a litre, which was measured by two laboratories in spring.";
/// let features = |text: &str| rule.verification().features(text);
/// let [a, b, c] = [text, &text.replace("25", "40"), &text.to_uppercase()].map(features);
/// assert_eq!(rule.relation(&a, &b), Relation::Contradiction);
/// assert_eq!(rule.relation(&a, &c), Relation::Duplicate);
/// let [d, e] = ["Sold out today", "SOLD OUT TODAY"].map(features);
/// assert_eq!(rule.relation(&d, &e), Relation::TooShort);
/// assert_eq!(rule.relation(&d, &d), Relation::Duplicate);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DuplicateRule {
    policy: Policy,
    verification: Verification,
    least_words: u64,
}

/// What two texts are to one another by a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    /// Nothing is lost where the second is dropped.
    Duplicate,
    /// They would be duplicates if they did not contradict one another, or the second did not say more.
    Contradiction,
    /// They would be duplicates, but one of them has too few words to tell, and they are not identical.
    TooShort,
    /// They are not even similar enough, or the policy drops identical texts alone.
    Different,
}

/// Two texts compared by a rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RelatedTexts {
    /// What they are to one another.
    pub relation: Relation,
    /// Their similarity, 0 to 1.
    pub similarity: f64,
    /// What differs.
    pub differences: Differences,
}

/// The careful policy, from [`THRESHOLD`](DuplicateRule::THRESHOLD) on: what `dedup` drops by default,
/// what additions of new documents leave out, and what rows of similar documents call duplicates.
impl Default for DuplicateRule {
    fn default() -> Self {
        Self::new(Policy::default(), Self::THRESHOLD)
    }
}

impl DuplicateRule {
    /// The similarity from which on texts of other words are duplicates, unless another is named.
    pub const THRESHOLD: f64 = 0.7;

    /// The words from which on a text is compared, unless another number is named: a shorter one is a duplicate of
    /// identical ones alone.
    pub const LEAST_WORDS: u64 = 5;

    /// The rule of a policy; similar are texts of at least this Jaccard similarity.
    #[must_use]
    pub fn new(policy: Policy, threshold: f64) -> Self {
        let verification = Verification::new(Measure::Jaccard).at(threshold).evidence(false);
        Self { policy, verification, least_words: Self::LEAST_WORDS }
    }

    /// Compares texts of so many words or more.
    #[must_use]
    pub fn least_words(self, least_words: u64) -> Self {
        Self { least_words, ..self }
    }

    /// Whether a text of so many different word 3-shingles is too short to be compared. Features do not have the number
    /// of words: four words make two shingles at most, and so do more words that say the same again and again. That
    /// alone decides, so texts of at least the default number of words and other shingles are never too short; whoever
    /// knows the number of words may ask for more of them.
    #[must_use]
    pub(crate) fn is_too_short(&self, shingles: usize) -> bool {
        let least_words = self.least_words.min(Self::LEAST_WORDS);
        (shingles as u64) < least_words.saturating_sub(2)
    }

    /// By which the similarity is known, and what of a text is compared.
    #[must_use]
    pub fn verification(&self) -> Verification {
        self.verification
    }

    /// The policy.
    #[must_use]
    pub fn policy(&self) -> Policy {
        self.policy
    }

    /// What two texts are to one another, by their features, if the second would be dropped for the first. Only that
    /// one may not have many words of its own.
    #[must_use]
    pub fn relation(&self, kept: &TextFeatures, dropped: &TextFeatures) -> Relation {
        self.related(kept, dropped).relation
    }

    /// What two texts are to one another, how similar they are, and what differs, if the second would be dropped for
    /// the first.
    #[must_use]
    pub fn related(&self, kept: &TextFeatures, dropped: &TextFeatures) -> RelatedTexts {
        self.related_by(kept, dropped, Verification::differences_and_loss)
    }

    /// The same if either may be dropped for the other.
    pub(crate) fn related_either_way(&self, a: &TextFeatures, b: &TextFeatures) -> RelatedTexts {
        self.related_by(a, b, Verification::differences)
    }

    fn related_by(
        &self,
        a: &TextFeatures,
        b: &TextFeatures,
        differences: impl Fn(&Verification, &TextFeatures, &TextFeatures) -> Differences,
    ) -> RelatedTexts {
        let similarity = self.verification.similarity(a, b);
        let is_similar = similarity >= self.verification.at_least();
        let sameness = a.digests.sameness(&b.digests);
        // Most candidates are refused by their similarity.
        let differences = match sameness {
            Sameness::Different if !is_similar => Differences::default(),
            _ => differences(&self.verification, a, b),
        };
        let relation = match (self.policy, sameness) {
            (_, Sameness::Identical) => Relation::Duplicate,
            (Policy::Exact, _) => Relation::Different,
            // For careful decisions the threshold is for texts of other words.
            (Policy::Loose, _) | (_, Sameness::Different) if !is_similar => Relation::Different,
            _ if [a, b].iter().any(|text| self.is_too_short(text.words.len())) => {
                Relation::TooShort
            }
            (Policy::Loose, _) => Relation::Duplicate,
            (Policy::Careful, _) if differences.is_contradiction() => Relation::Contradiction,
            (Policy::Careful, _) => Relation::Duplicate,
        };
        RelatedTexts { relation, similarity, differences }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_texts_are_duplicates_of_identical_ones_alone() {
        use Relation::{Different, Duplicate, TooShort};
        let policies = [Policy::Exact, Policy::Careful, Policy::Loose];
        for (one, other, relations) in [
            ("sold out", "sold out \n", [Duplicate; 3]),
            ("sold out", "Sold out", [Different, TooShort, TooShort]),
            ("all rooms sold out", "All rooms: sold out", [Different, TooShort, TooShort]),
            (
                "all the rooms sold out",
                "All the rooms: sold out",
                [Different, Duplicate, Duplicate],
            ),
            // Many words, and nothing to compare.
            ("no no no no no no", "No. No. No. No. No. No.", [Different, TooShort, TooShort]),
            ("all rooms sold out", "rooms sold out all", [Different; 3]),
        ] {
            for (policy, relation) in policies.into_iter().zip(relations) {
                let rule = DuplicateRule::new(policy, DuplicateRule::THRESHOLD);
                let [one, other] = [one, other].map(|text| rule.verification().features(text));
                assert_eq!(rule.relation(&one, &other), relation, "{policy:?} {one:?} {other:?}");
            }
        }
    }

    #[test]
    fn other_numbers_of_words_may_be_asked_for() {
        let careful = DuplicateRule::default();
        let [one, other] =
            ["sold out", "Sold out"].map(|text| careful.verification().features(text));
        assert_eq!(careful.least_words(4).relation(&one, &other), Relation::TooShort);
        assert_eq!(careful.least_words(2).relation(&one, &other), Relation::Duplicate);
        assert_eq!(careful.least_words(0).relation(&one, &other), Relation::Duplicate);
        let [one, other] = ["all the rooms sold out", "ALL the rooms sold out"]
            .map(|text| careful.verification().features(text));
        assert_eq!(careful.least_words(50).relation(&one, &other), Relation::Duplicate);
    }
}
