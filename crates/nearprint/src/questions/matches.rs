//! Documents that are near-duplicates of queries.

use nearprint_fingerprint::Scheme;
use nearprint_records::MatchRow;
use nearprint_search::Bands;

use super::comparison::{Circumstances, Comparison, comparison_options};
use super::{
    Bound, Distance, Options, QuestionError, ResolvedQuestion, SimilarityMeasure, Subject,
};
use crate::collection::Found;
use crate::{Collection, CollectionSettings, Error, Search, VerifiedQuery};

comparison_options! {
    /// The documents that are near-duplicates of each of some queries.
    ///
    /// ```
    /// use nearprint::{Matches, Subject, fingerprint::Scheme};
    ///
    /// // An index of fingerprints alone: its scheme is not a wish, and there are no texts.
    /// let question = Matches::default().resolve(Subject::Fingerprints(Scheme::SL1))?;
    /// assert_eq!(question.scheme(), Scheme::SL1);
    /// let wrong = Matches::default().threshold(0.5).resolve(Subject::Fingerprints(Scheme::SL1));
    /// assert_eq!(wrong.unwrap_err().option(), "threshold");
    /// # Ok::<(), nearprint::QuestionError>(())
    /// ```
    pub struct Matches as "matches" {
        /// Report at most this many matches of a query, the most similar first; none for no limit
        max_matches: Bound = Bound(None),
    }
}

impl Matches {
    /// The question with all its defaults.
    ///
    /// # Errors
    /// Where an option has no such value, or two do not go together.
    pub fn resolve(&self, subject: Subject) -> Result<ResolvedQuestion<Self>, QuestionError> {
        self.check()?;
        let (comparison, method) = self.comparison().resolve(subject, Circumstances::default())?;
        Ok(ResolvedQuestion { question: self.with(comparison), method })
    }
}

impl ResolvedQuestion<Matches> {
    /// What a collection keeps of documents for this question; the queries are a second collection, which shares the
    /// memory.
    #[must_use]
    pub fn settings(&self) -> CollectionSettings {
        CollectionSettings { collections: 2, ..self.collection() }
    }

    /// The search that answers many queries, with watches to be set.
    #[must_use]
    pub fn search<'w>(&self, collection: &Collection) -> Search<'w> {
        collection.search(self.method.search())
    }

    /// The search that answers one query, with watches to be set: of a document whose text is compared, nothing is left
    /// out for its fingerprint.
    #[must_use]
    pub fn search_of_one<'w>(&self, collection: &Collection) -> Search<'w> {
        collection.search(self.method.search_of_one())
    }

    /// Gives the matches of each query, in the order of the queries.
    ///
    /// # Errors
    /// Those of the search, and the first one of `take`, which ends it.
    pub fn run<E: From<Error> + Send>(
        &self,
        collection: &Collection,
        search: &Search<'_>,
        queries: &Collection,
        mut take: impl FnMut(MatchRow) -> Result<(), E>,
    ) -> Result<Found, E> {
        let Some(limit) = self.question.max_matches.0 else {
            return collection.matches_of_all(search, queries, take);
        };
        let (mut given, mut query) = (0, None);
        let mut taken = 0;
        let found = collection.matches_of_all(search, queries, |row: MatchRow| {
            if query.as_ref() != Some(&row.query) {
                query = Some(row.query.clone());
                given = 0;
            }
            given += 1;
            if given > limit {
                return Ok(());
            }
            taken += 1;
            take(row)
        })?;
        Ok(Found { found: taken, ..found })
    }

    /// The matches of one query.
    ///
    /// # Errors
    /// Those of the search.
    pub fn run_one(
        &self,
        collection: &Collection,
        search: &Search<'_>,
        query: &VerifiedQuery,
    ) -> Result<Vec<MatchRow>, Error> {
        let mut rows = collection.matches(search, query)?;
        self.limited(&mut rows);
        Ok(rows)
    }

    /// Leaves out of the matches of one query those beyond the limit.
    pub fn limited<T>(&self, rows: &mut Vec<T>) {
        if let Some(limit) = self.question.max_matches.0 {
            rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        }
    }
}
