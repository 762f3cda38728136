//! Pairs that are similar and refused all the same, which are counted.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::text::verification::Judgement;
use crate::{SimilarTexts, TextFeatures, Verification};

/// Counts, in any thread, the pairs that a verification refused because all that they share may be a phrase.
#[derive(Debug, Default)]
pub struct RefusedPairs(AtomicU64);

impl RefusedPairs {
    /// Two texts that pass, with all that is known of them.
    #[must_use]
    pub fn similar(
        &self,
        verification: &Verification,
        a: &TextFeatures,
        b: &TextFeatures,
    ) -> Option<SimilarTexts> {
        self.passed(verification, a, b)
            .map(|similar| SimilarTexts { duplication: verification.duplication(a, b), ..similar })
    }

    /// The same without whether they are duplicates, which takes as long again.
    #[must_use]
    pub fn passed(
        &self,
        verification: &Verification,
        a: &TextFeatures,
        b: &TextFeatures,
    ) -> Option<SimilarTexts> {
        match verification.judge(a, b) {
            Judgement::Similar(similar) => Some(similar),
            Judgement::NoEvidence => {
                self.0.fetch_add(1, Ordering::Relaxed);
                None
            }
            Judgement::Different => None,
        }
    }

    /// How many were refused.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
