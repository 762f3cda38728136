//! What is asked for near queries, and what is found.

use std::borrow::Cow;

use nearprint_fingerprint::{Fingerprint, Scheme, UnlikeSchemes};
use nearprint_records::{DocumentId, MatchRow};

use super::{Filter, Parts};
use crate::{
    Candidates, Error, FeatureStore, PrintSet, RefusedPairs, Search, SimilarTexts, TextFeatures,
    VerifiedQuery,
};

/// Queries that are answered in one call.
#[derive(Debug, Clone, Copy)]
pub enum Queries<'q> {
    /// Fingerprints, which have numbers from 1 for ids.
    Prints(&'q [Fingerprint]),
    /// Documents with their features, if texts are compared.
    Documents(&'q [VerifiedQuery]),
    /// All documents of a set, with their features, if texts are compared.
    Stored(&'q PrintSet, Option<&'q FeatureStore>),
}

impl<'q> Queries<'q> {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Prints(prints) => prints.len(),
            Self::Documents(documents) => documents.len(),
            Self::Stored(set, _) => set.len(),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The id of a query; of a fingerprint, its number from 1.
    pub(crate) fn id(&self, at: usize) -> DocumentId {
        match self {
            Self::Prints(_) => DocumentId::new((at + 1).to_string()).expect("digits are an id"),
            Self::Documents(documents) => documents[at].id().clone(),
            Self::Stored(set, _) => set.document_id(at),
        }
    }

    /// The fingerprint of a query.
    ///
    /// # Errors
    /// Where a temporary file cannot be read.
    ///
    /// # Panics
    /// Where `at` is not below [`len`](Self::len).
    pub fn fingerprint(&self, at: usize) -> Result<Cow<'q, Fingerprint>, Error> {
        Ok(match self {
            Self::Prints(prints) => Cow::Borrowed(&prints[at]),
            Self::Documents(documents) => Cow::Borrowed(documents[at].fingerprint()),
            Self::Stored(set, _) => Cow::Owned(set.fingerprint(at)?),
        })
    }

    /// A query with its features; of what has none, they are empty.
    ///
    /// # Errors
    /// As for [`fingerprint`](Self::fingerprint).
    ///
    /// # Panics
    /// Where `at` is not below [`len`](Self::len).
    pub fn document(&self, at: usize) -> Result<Cow<'q, VerifiedQuery>, Error> {
        match self {
            Self::Documents(documents) => Ok(Cow::Borrowed(&documents[at])),
            Self::Stored(set, store) => {
                let features = store.map(|store| store.get(at)).transpose();
                let features = features.map_err(Error::TemporaryFile)?.unwrap_or_default();
                let (id, print) = (set.document_id(at), set.fingerprint(at)?);
                Ok(Cow::Owned(VerifiedQuery::new(id, print, features)))
            }
            Self::Prints(prints) => {
                let (id, print) = (self.id(at), prints[at].clone());
                Ok(Cow::Owned(VerifiedQuery::new(id, print, TextFeatures::default())))
            }
        }
    }

    /// Refuses queries of another scheme.
    ///
    /// # Errors
    /// [`Error::UnlikeSchemes`].
    pub fn check(&self, scheme: Scheme) -> Result<(), Error> {
        let check = |print: &Fingerprint| UnlikeSchemes::check(scheme, print.scheme());
        match self {
            Self::Prints(prints) => prints.iter().try_for_each(check)?,
            Self::Documents(documents) => {
                documents.iter().try_for_each(|query| check(query.fingerprint()))?;
            }
            Self::Stored(set, _) => UnlikeSchemes::check(scheme, set.scheme())?,
        }
        Ok(())
    }
}

impl<'q> From<&'q [VerifiedQuery]> for Queries<'q> {
    fn from(documents: &'q [VerifiedQuery]) -> Self {
        Self::Documents(documents)
    }
}

impl<'q> From<&'q VerifiedQuery> for Queries<'q> {
    fn from(document: &'q VerifiedQuery) -> Self {
        Self::Documents(std::slice::from_ref(document))
    }
}

/// What is asked for: queries, the distance within which fingerprints match, and which documents count.
#[derive(Debug, Clone, Copy)]
pub struct NearRequest<'r> {
    /// The queries.
    pub queries: Queries<'r>,
    /// The distance, and how the search is carried out. An index answers by its tables, whatever plan is named.
    pub search: &'r Search<'r>,
    /// What proposes documents whose texts are compared; `None` for fingerprints alone.
    pub candidates: Option<Candidates>,
    /// Which documents count, by their metadata.
    pub filter: &'r Filter,
    /// How many answers to each query matter: those that come first. A collection may give the others, too.
    pub most: Option<u64>,
}

impl<'r> NearRequest<'r> {
    /// What is within the distance of a search, by fingerprints alone.
    #[must_use]
    pub fn new(queries: impl Into<Queries<'r>>, search: &'r Search<'r>) -> Self {
        let (queries, filter) = (queries.into(), Filter::all());
        Self { queries, search, candidates: None, filter, most: None }
    }

    /// The parts that the answer takes.
    #[must_use]
    pub fn parts(&self) -> Parts {
        let parts = match self.candidates {
            Some(candidates) => Parts::default().features(candidates.verification()),
            None => Parts::default(),
        };
        self.filter.parts(&parts)
    }
}

/// A document that is near a query.
#[derive(Debug, Clone, PartialEq)]
pub struct NearDocument {
    /// Which query, counted from 0.
    pub query: usize,
    /// The document.
    pub id: DocumentId,
    /// Bits (of sketches, positions) in which its fingerprint differs from that of the query.
    pub distance: u32,
    /// The similarity of the texts and what else was found, if they were compared.
    pub similar: Option<SimilarTexts>,
}

/// What a collection compared with queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct NearCounts {
    /// Candidates that were compared, where that is known.
    pub candidates: Option<u64>,
    /// Those that are similar enough, and were refused because all that they share may be a phrase.
    pub without_evidence: u64,
}

impl NearCounts {
    /// Nothing was compared but fingerprints.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// With what another query compared.
    #[must_use]
    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            candidates: self.candidates.zip(other.candidates).map(|(one, other)| one + other),
            without_evidence: self.without_evidence + other.without_evidence,
        }
    }

    /// So many candidates, where that is known, of which some were refused.
    #[must_use]
    pub fn new(candidates: Option<u64>, refused: &RefusedPairs) -> Self {
        Self { candidates, without_evidence: refused.number() }
    }
}

/// A document that a query found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexMatch {
    /// The document.
    pub id: DocumentId,
    /// Bits (of sketches, positions) in which its fingerprint differs from the one asked for, 0 to k.
    pub distance: u32,
}

impl IndexMatch {
    /// The match as a row: `query` is the document it is near, `scheme` that of the index.
    #[must_use]
    pub fn row(self, query: &DocumentId, scheme: Scheme) -> MatchRow {
        let Self { id, distance } = self;
        let estimate = 1.0 - f64::from(distance) / f64::from(scheme.positions());
        MatchRow::new(query.clone(), id, distance, estimate)
    }
}
