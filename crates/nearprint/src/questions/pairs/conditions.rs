//! Pairs among the documents of any collection, by conditions on their metadata, which are JSON.

use std::collections::HashMap;

use nearprint_records::{DocumentId, PairRow};

use super::Pairs;
use crate::collection::SearchCounts;
use crate::questions::ResolvedQuestion;
use crate::{Documents, Engine, Error, Filter, Parts, Search, metadata_field};

impl ResolvedQuestion<Pairs> {
    /// Gives a row for each pair, as [`run`](Self::run), of the documents of any collection that conditions select:
    /// they are read into a collection within the engine's memory. `watched` may add watches to the search.
    ///
    /// # Errors
    /// Where a part that the question or a condition needs is not kept, before anything is read; where the documents
    /// cannot be read; those of the search, and the first one of `take`, which ends it.
    pub fn run_on<'w, E: From<Error> + Send>(
        &self,
        documents: &dyn Documents,
        engine: &Engine,
        among: PairConditions<'_>,
        watched: impl FnOnce(Search<'w>) -> Search<'w>,
        mut take: impl FnMut(PairRow) -> Result<(), E> + Send,
    ) -> Result<SearchCounts, E> {
        let PairConditions { filter, not_same } = among;
        let values = not_same.map(|field| FieldValues::read(documents, field, filter));
        let values = values.transpose()?.unwrap_or_default();
        let mut collection = engine.collection(self.settings());
        collection.push_all(documents, filter)?;
        let search = watched(self.search(&collection).sorted_up_to(Some(usize::MAX)));
        let mut found = 0;
        let counts = self.run(&collection, &search, |row| {
            if values.are_same(&row) {
                return Ok(());
            }
            found += 1;
            take(row)
        })?;
        Ok(SearchCounts { found, ..counts })
    }
}

/// The values of a field of the metadata of documents, by which pairs are left out.
#[derive(Debug, Clone, Default)]
pub struct FieldValues(HashMap<DocumentId, String>);

impl FieldValues {
    /// Those of the documents that a filter allows.
    ///
    /// # Errors
    /// Where metadata are not kept, or the documents cannot be read.
    pub fn read(documents: &dyn Documents, field: &str, filter: &Filter) -> Result<Self, Error> {
        let mut values = HashMap::new();
        documents.for_each(&Parts::default().metadata(), filter, |document| {
            let value = document.metadata.and_then(|metadata| metadata_field(&metadata, field));
            values.extend(value.map(|value| (document.id, value)));
            Ok::<_, Error>(())
        })?;
        Ok(Self(values))
    }

    /// Whether both documents of a pair have a value, and the same.
    #[must_use]
    pub fn are_same(&self, pair: &PairRow) -> bool {
        let (a, b) = (self.0.get(&pair.a), self.0.get(&pair.b));
        a.is_some() && a == b
    }
}

/// Which pairs of a collection are looked for, by the metadata of their documents.
#[derive(Debug, Clone, Copy)]
pub struct PairConditions<'c> {
    /// Which documents count.
    pub filter: &'c Filter,
    /// Leave out pairs whose documents have the same value of this field.
    pub not_same: Option<&'c str>,
}

impl Default for PairConditions<'_> {
    fn default() -> Self {
        Self { filter: Filter::all(), not_same: None }
    }
}
