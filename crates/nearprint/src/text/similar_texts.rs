//! What is known of two texts that were found similar.

use nearprint_records::TextVerdict;

use crate::{Differences, RelatedTexts, Relation};

/// Two similar texts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimilarTexts {
    /// Their similarity by the measure that compared them, 0 to 1.
    pub similarity: f64,
    /// Whether they share more than a phrase; `None` where a measure of whole texts compared them.
    pub evidence: Option<bool>,
    /// Whether one of them may be dropped for the other.
    pub duplication: Duplication,
}

/// Whether one of two texts may be dropped for the other, by [`DuplicateRule::default`](crate::DuplicateRule).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Duplication {
    /// What was compared does not say: words without places, or whole texts.
    Unknown,
    /// It may.
    Duplicate,
    /// They are less similar than that takes.
    LessSimilar,
    /// They contradict one another.
    Contradiction(Differences),
    /// One of them has too few words to tell.
    TooShort,
}

impl From<RelatedTexts> for Duplication {
    fn from(texts: RelatedTexts) -> Self {
        match texts.relation {
            Relation::Duplicate => Self::Duplicate,
            Relation::Contradiction => Self::Contradiction(texts.differences),
            Relation::TooShort => Self::TooShort,
            Relation::Different => Self::LessSimilar,
        }
    }
}

impl Duplication {
    /// Whether one may be dropped, where that is known.
    #[must_use]
    pub fn is_duplicate(self) -> Option<bool> {
        match self {
            Self::Unknown => None,
            Self::Duplicate => Some(true),
            Self::LessSimilar | Self::Contradiction(_) | Self::TooShort => Some(false),
        }
    }

    /// Why neither may be dropped, as rows have it.
    #[must_use]
    pub fn reason(self) -> Option<String> {
        match self {
            Self::Unknown | Self::Duplicate => None,
            Self::LessSimilar => Some("similarity".to_owned()),
            Self::TooShort => Some("too-short".to_owned()),
            Self::Contradiction(differences) => {
                Some(format!("contradicts {}", differences.contradiction().unwrap_or_default()))
            }
        }
    }
}

impl SimilarTexts {
    /// Texts of which nothing but this similarity is known.
    #[must_use]
    pub fn measured(similarity: f64) -> Self {
        Self { similarity, evidence: None, duplication: Duplication::Unknown }
    }

    /// What rows have of it beside the similarity.
    #[must_use]
    pub fn verdict(self) -> TextVerdict {
        let mut verdict = TextVerdict::default();
        verdict.evidence = self.evidence;
        verdict.duplicate = self.duplication.is_duplicate();
        verdict.distinct = self.duplication.reason();
        verdict
    }
}
