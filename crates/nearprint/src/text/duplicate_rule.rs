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
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DuplicateRule {
    policy: Policy,
    verification: Verification,
}

/// What two texts are to one another by a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    /// Nothing is lost where the second is dropped.
    Duplicate,
    /// They would be duplicates if they did not contradict one another, or the second did not say more.
    Contradiction,
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

    /// The rule of a policy; similar are texts of at least this Jaccard similarity.
    #[must_use]
    pub fn new(policy: Policy, threshold: f64) -> Self {
        let verification = Verification::new(Measure::Jaccard).at(threshold).evidence(false);
        Self { policy, verification }
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
            (Policy::Loose, _) if is_similar => Relation::Duplicate,
            (Policy::Loose, _) => Relation::Different,
            // The threshold is for texts of other words.
            (Policy::Careful, Sameness::Different) if !is_similar => Relation::Different,
            (Policy::Careful, _) if differences.is_contradiction() => Relation::Contradiction,
            (Policy::Careful, _) => Relation::Duplicate,
        };
        RelatedTexts { relation, similarity, differences }
    }
}
