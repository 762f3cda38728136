//! Questions put to an index: the library's, answered from what the index keeps, and no document is read again.

use std::collections::HashMap;

use nearprint::fingerprint::Scheme;
use nearprint::records::{DocumentId, MatchRow, PairRow};
use nearprint::{
    Clusters, CollectionSettings, Engine, Error, Found, FoundClusters, Index, IndexMatch, Matches,
    Pairs, ResolvedQuestion, Role, Search, Subject, VerifiedQuery,
};

use crate::disk_index::DiskIndex;
use crate::filter::Filter;

impl DiskIndex {
    /// What a question that is put to this index is put to.
    #[must_use]
    pub fn subject(&self) -> Subject {
        if self.keeps_features() {
            Subject::Features(self.scheme())
        } else {
            Subject::Fingerprints(self.scheme())
        }
    }

    /// The matches of each query, in their order, of the documents that a filter allows: the most similar first if
    /// texts are compared, else the nearest.
    ///
    /// # Errors
    /// As for [`query_batch`](Index::query_batch) and [`check_verification`](Self::check_verification).
    pub fn matches(
        &self,
        question: &ResolvedQuestion<Matches>,
        queries: &[VerifiedQuery],
        filter: &Filter,
    ) -> Result<Vec<Vec<MatchRow>>, Error> {
        let (scheme, k) = (self.scheme(), question.distance());
        let method = question.method();
        if let (Some(candidates), Some(_)) = (method.candidates(), method.verification()) {
            let measure = Some(candidates.verification().measure().name());
            let answers = self.query_verified(queries, &candidates, filter)?;
            let rows = queries.iter().zip(answers).map(|(query, mut similar)| {
                question.limited(&mut similar);
                let row = |(found, similarity)| MatchRow {
                    measure,
                    similarity: Some(similarity),
                    ..row(found, query, scheme)
                };
                similar.into_iter().map(row).collect()
            });
            return Ok(rows.collect());
        }
        let prints: Vec<_> = queries.iter().map(|query| query.fingerprint().clone()).collect();
        let answers = self.query_batch_where(&prints, k, filter)?;
        let rows = queries.iter().zip(answers).map(|(query, mut near)| {
            question.limited(&mut near);
            near.into_iter().map(|found| row(found, query, scheme)).collect()
        });
        Ok(rows.collect())
    }

    /// Gives a row for each pair of the documents that a filter allows, in the order of addition; without those whose
    /// documents have the same value of the field `not_same` of their metadata. The search has the question's bounds;
    /// `watched` may add watches. All fingerprints and ids are held within the engine's memory.
    ///
    /// # Errors
    /// As for [`read_into`](Self::read_into), those of the search, and the first one of `take`, which ends it.
    pub fn pairs<'w, E: From<Error> + Send>(
        &self,
        question: &ResolvedQuestion<Pairs>,
        engine: &Engine,
        (filter, not_same): (&Filter, Option<&str>),
        watched: impl FnOnce(Search<'w>) -> Search<'w>,
        mut take: impl FnMut(PairRow) -> Result<(), E> + Send,
    ) -> Result<Found, E> {
        let mut collection = engine.collection(question.settings());
        self.read_into(&mut collection, Role::Candidate, filter)?;
        let mut values: HashMap<DocumentId, String> = HashMap::new();
        if let Some(field) = not_same {
            self.for_each_where(filter, |document| {
                let value = document.metadata_field(field);
                values.extend(value.map(|value| (document.id, value)));
                Ok::<_, Error>(())
            })?;
        }
        let differ = |row: &PairRow| match (values.get(&row.a), values.get(&row.b)) {
            (Some(a), Some(b)) => a != b,
            _ => true,
        };
        let search = question.search(&collection).sorted_up_to(Some(usize::MAX));
        question.run(
            &collection,
            &watched(search),
            |row| {
                if differ(&row) { take(row) } else { Ok(()) }
            },
        )
    }

    /// The clusters of the documents that a filter allows, numbered by their earliest document in the order of
    /// addition.
    ///
    /// # Errors
    /// As for [`read_into`](Self::read_into), and those of the search.
    pub fn clusters<'w>(
        &self,
        question: &ResolvedQuestion<Clusters>,
        engine: &Engine,
        filter: &Filter,
        watched: impl FnOnce(Search<'w>) -> Search<'w>,
    ) -> Result<FoundClusters, Error> {
        let settings: CollectionSettings = question.collection();
        let mut collection = engine.collection(settings);
        self.read_into(&mut collection, Role::Candidate, filter)?;
        let search = watched(question.search(&collection));
        let mut found = question.run(&collection, &search)?;
        for row in &mut found.rows {
            // Removed since the documents were read, it has no number any more.
            row.cluster = self.number(&row.representative)?.unwrap_or(row.cluster);
        }
        Ok(found)
    }
}

fn row(found: IndexMatch, query: &VerifiedQuery, scheme: Scheme) -> MatchRow {
    found.row(query.id(), scheme)
}
