//! The search that a question means.

use nearprint_fingerprint::Scheme;
use nearprint_search::Bands;

use crate::{Candidates, CollectionSettings, Search, Verification};

/// How a question about near-duplicates is answered: the scheme and the distance of the fingerprints, and where texts
/// are compared, what proposes them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchMethod {
    pub(super) scheme: Scheme,
    pub(super) distance: u32,
    pub(super) candidates: Option<Candidates>,
    pub(super) bands: Option<Bands>,
    pub(super) recall: Option<f64>,
    pub(super) whole_buckets: bool,
}

impl SearchMethod {
    /// The scheme of the fingerprints.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The distance within which fingerprints match.
    #[must_use]
    pub fn distance(&self) -> u32 {
        self.distance
    }

    /// What proposes the pairs whose texts are compared; `None` where matches of fingerprints are reported as they are.
    #[must_use]
    pub fn candidates(&self) -> Option<Candidates> {
        self.candidates
    }

    /// What must hold for texts to be similar, where they are compared by their features.
    #[must_use]
    pub fn verification(&self) -> Option<Verification> {
        let features = self.candidates.filter(|candidates| candidates.texts().is_none());
        features.map(|candidates| candidates.verification())
    }

    /// The search, with threads, memory and watches to be set.
    #[must_use]
    pub fn search<'w>(&self) -> Search<'w> {
        self.bounded(match self.candidates {
            Some(candidates) => candidates.search(),
            None => Search::within(self.distance).bands(self.bands).recall(self.recall),
        })
    }

    /// The search for what matches one document.
    #[must_use]
    pub fn search_of_one<'w>(&self) -> Search<'w> {
        match self.candidates {
            Some(candidates) => self.bounded(candidates.search_of_one()),
            None => self.search(),
        }
    }

    fn bounded<'w>(&self, search: Search<'w>) -> Search<'w> {
        if self.whole_buckets { search.comparisons_in_bucket(None) } else { search }
    }

    /// What a [`Collection`](crate::Collection) keeps of documents to be searched so.
    #[must_use]
    pub fn collection(&self) -> CollectionSettings {
        self.candidates.map_or_else(|| self.scheme.into(), CollectionSettings::from)
    }
}
