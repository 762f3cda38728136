//! Questions: what can be asked of documents, each a value with its defaults.
//!
//! A question is a struct: [`Pairs`], [`Clusters`], [`Matches`], [`Dedup`](crate::Dedup), [`Diff`](crate::Diff),
//! [`Compare`], [`Passages`](crate::Passages) and [`Decontaminate`](crate::Decontaminate). Its options are declared
//! once and decide rows; how documents are read, where rows go, threads and memory belong to the caller. With the
//! feature `json`, `Options::OPTIONS` lists them, and every door (the command, the Python module, the server)
//! translates that list. `resolve` fills in the defaults that follow from other options and from what is asked about,
//! so that the question can be printed, and named by a digest, as it is answered.

#[cfg(feature = "files")]
pub(crate) mod calibration;
mod clusters;
mod compare;
mod comparison;
#[cfg(feature = "files")]
pub(crate) mod correlation;
#[cfg(feature = "passages")]
pub(crate) mod decontamination;
#[cfg(feature = "json")]
pub(crate) mod deduplication;
#[cfg(feature = "files")]
pub(crate) mod difference;
#[cfg(feature = "files")]
pub(crate) mod document_sources;
pub(crate) mod false_pairs;
#[cfg(feature = "files")]
pub(crate) mod fingerprint_forecast;
#[cfg(feature = "files")]
pub(crate) mod health;
#[cfg(feature = "files")]
pub(crate) mod job_identity;
#[cfg(feature = "json")]
pub(crate) mod json;
mod matches;
mod measured_rates;
mod method;
pub(crate) mod options;
mod pairs;
#[cfg(feature = "passages")]
pub(crate) mod shared_passages;
#[cfg(feature = "json")]
mod summaries;
#[cfg(all(test, feature = "files"))]
mod tests;
mod values;
#[cfg(feature = "files")]
pub(crate) mod verification_forecast;

use nearprint_fingerprint::Scheme;

pub use clusters::Clusters;
pub use compare::{Compare, ComparedDocument, ResolvedCompare};
pub(crate) use comparison::NO_TEXTS;
pub use comparison::Subject;
pub use matches::Matches;
pub use method::SearchMethod;
pub use options::QuestionError;
#[cfg(feature = "json")]
pub use options::by_name::{OptionDescription, Options, ValueKind};
pub use pairs::Pairs;
#[cfg(feature = "json")]
pub use pairs::conditions::{FieldValues, PairConditions};
pub use values::{Bound, Distance, SimilarityMeasure};

use crate::{CollectionSettings, Parts};

/// A question about near-duplicates with all its defaults filled in, and the search that answers it.
///
/// ```
/// use nearprint::{Pairs, Subject, fingerprint::Scheme};
///
/// // Texts of documents are compared, and what proposes them is md1.
/// let question = Pairs::default().threshold(0.5).resolve(Subject::Documents)?;
/// assert!(question.method().candidates().is_some());
/// assert_eq!(question.scheme(), Scheme::MD1);
/// assert!(question.to_json().starts_with(r#"{"pairs":{"measure":"jaccard","verify":true,"threshold":0.5,"#));
///
/// // Whoever names a distance asks for a search of fingerprints.
/// let question = Pairs::default().k(nearprint::Distance::Loose).resolve(Subject::Documents)?;
/// assert_eq!((question.scheme(), question.distance()), (Scheme::SD1, 6));
/// assert!(question.method().candidates().is_none());
/// # Ok::<(), nearprint::QuestionError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedQuestion<Q> {
    question: Q,
    method: SearchMethod,
}

impl<Q> ResolvedQuestion<Q> {
    /// The question with all its defaults.
    #[must_use]
    pub fn question(&self) -> &Q {
        &self.question
    }

    /// The search that answers it.
    #[must_use]
    pub fn method(&self) -> &SearchMethod {
        &self.method
    }

    /// The scheme of the fingerprints.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.method.scheme()
    }

    /// The distance within which fingerprints match.
    #[must_use]
    pub fn distance(&self) -> u32 {
        self.method.distance()
    }

    /// The parts that documents must keep to be asked this question.
    #[must_use]
    pub fn parts(&self) -> Parts {
        match self.method.verification() {
            Some(verification) => Parts::default().features(verification),
            None => Parts::default(),
        }
    }

    /// What a [`Collection`](crate::Collection) keeps of documents for this question.
    #[must_use]
    pub fn collection(&self) -> CollectionSettings {
        self.method.collection()
    }
}
