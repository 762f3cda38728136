//! Documents that are near-duplicates of queries.

use std::ops::ControlFlow;

use nearprint_fingerprint::Scheme;
use nearprint_records::{Document, DocumentId, FingerprintRecord, MatchRow, Source};
use nearprint_search::Bands;

use super::comparison::{Circumstances, Comparison, comparison_options};
use super::{Bound, Distance, QuestionError, ResolvedQuestion, SimilarityMeasure, Subject};
use crate::collection::SearchCounts;
use crate::collection::documents::going_on;
use crate::{
    Collection, CollectionSettings, Documents, Error, Filter, NearCounts, NearDocument,
    NearRequest, Pipeline, Queries, Search, SimilarTexts, Tally, VerifiedQuery,
};

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

    /// A document as a query of this question, read by a pipeline of its scheme; `None` where the pipeline was
    /// cancelled.
    ///
    /// # Errors
    /// The record of a document that has no fingerprint.
    pub fn query(
        &self,
        pipeline: &Pipeline<'_>,
        document: Document,
    ) -> Result<Option<VerifiedQuery>, Box<FingerprintRecord>> {
        VerifiedQuery::of(pipeline, document, self.method.verification())
    }

    /// Gives the matches of each query among the documents that a filter allows: in the order of the queries; of each
    /// the most similar first if texts are compared, then the nearest, then in the order of the documents. The same
    /// documents give the same rows, wherever they are kept. `take` gets the number of each row's query from 0, too.
    ///
    /// # Errors
    /// Where the documents do not keep a part that the question needs, before anything is read; those of the search,
    /// and the first one of `take`, which ends it.
    pub fn run<'q, E: From<Error>>(
        &self,
        documents: &dyn Documents,
        queries: impl Into<Queries<'q>>,
        search: &Search<'_>,
        filter: &Filter,
        mut take: impl FnMut(usize, MatchRow) -> Result<(), E>,
    ) -> Result<SearchCounts, E> {
        let queries = queries.into();
        let candidates = self.method.candidates();
        let most = self.question.max_matches.0;
        let request = NearRequest { queries, search, candidates, filter, most };
        documents.check(&request.parts())?;
        let positions = f64::from(documents.scheme().positions());
        let measure = candidates.map(|candidates| candidates.verification().measure().name());
        let most = most.unwrap_or(u64::MAX);
        // The query of the last row, with the number of its matches.
        let mut last: Option<(usize, DocumentId)> = None;
        let (mut of_query, mut found, mut failed) = (0, 0, None);
        let counts = documents.near(&request, &mut |near| {
            let NearDocument { query: number, id, distance, similar } = near;
            let asked = match last.take() {
                Some((at, asked)) if at == number => asked,
                _ => {
                    of_query = 0;
                    queries.id(number)
                }
            };
            of_query += 1;
            let mut flow = ControlFlow::Continue(());
            if of_query <= most {
                found += 1;
                let estimate = 1.0 - f64::from(distance) / positions;
                let mut row = MatchRow::new(asked.clone(), id, distance, estimate);
                row.measure = measure;
                row.similarity = similar.map(|similar| similar.similarity);
                row.verdict = similar.map(SimilarTexts::verdict).unwrap_or_default();
                flow = going_on(take(number, row), &mut failed);
            }
            last = Some((number, asked));
            flow
        })?;
        match failed {
            Some(error) => Err(error),
            None => {
                let NearCounts { candidates, without_evidence } = counts;
                Ok(SearchCounts { candidates, without_evidence, found, ..SearchCounts::default() })
            }
        }
    }

    /// The matches of one query among the documents of a source. Each is read, compared and let go, so that this takes
    /// no memory but for the matches and what was compared; they are the rows that [`run`](Self::run) gives of a
    /// collection of the documents. `nothing` gets the records of the documents without a fingerprint. The pipeline
    /// makes fingerprints of the query's scheme.
    ///
    /// # Errors
    /// Where the pipeline's scheme is another one.
    pub fn run_on_source(
        &self,
        (pipeline, source): (&Pipeline<'_>, &mut dyn Source),
        query: &VerifiedQuery,
        search: &Search<'_>,
        nothing: impl FnMut(&FingerprintRecord),
    ) -> Result<(Vec<MatchRow>, NearCounts, Tally), Error> {
        let verification = self.method.verification();
        let (mut rows, counts, tally) =
            search.matches_among((pipeline, source), query, verification, nothing)?;
        if let Some(most) = self.question.max_matches.0 {
            rows.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        }
        Ok((rows, counts, tally))
    }
}
