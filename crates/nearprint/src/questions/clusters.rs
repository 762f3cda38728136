//! Clusters of near-duplicates.

use nearprint_fingerprint::Scheme;
use nearprint_search::{Bands, Linkage};

use super::comparison::{Circumstances, Comparison, comparison_options};
use super::{Distance, QuestionError, ResolvedQuestion, SimilarityMeasure, Subject};
use crate::collection::FoundClusters;
use crate::{Collection, Documents, Engine, Error, Filter, Parts, Search};

comparison_options! {
    /// Documents grouped by the pairs of near-duplicates among them.
    ///
    /// ```
    /// use nearprint::{Clusters, Subject, search::Linkage};
    ///
    /// let question = Clusters::default().linkage(Linkage::Star).resolve(Subject::Documents)?;
    /// assert!(question.to_json().contains(r#""linkage":"star""#));
    /// # Ok::<(), nearprint::QuestionError>(())
    /// ```
    pub struct Clusters as "clusters" {
        /// Which verified pairs form a cluster: components (all connected documents, through any number of others),
        /// star (every member is similar to the first of its cluster) or bounded (every two members are similar)
        /// [default: components]
        linkage: Option<Linkage> = None,
    }
}

impl Clusters {
    /// The question with all its defaults.
    ///
    /// # Errors
    /// Where an option has no such value, or two do not go together.
    pub fn resolve(&self, subject: Subject) -> Result<ResolvedQuestion<Self>, QuestionError> {
        self.check()?;
        let of_texts = self.linkage.filter(|&linkage| linkage != Linkage::Components);
        let circumstances = Circumstances {
            of_texts: of_texts.map(|_| "linkage"),
            joins: true,
            ..Circumstances::default()
        };
        let (comparison, method) = self.comparison().resolve(subject, circumstances)?;
        let linkage = Some(self.linkage.unwrap_or_default());
        Ok(ResolvedQuestion { question: Self { linkage, ..self.with(comparison) }, method })
    }
}

impl ResolvedQuestion<Clusters> {
    /// The search that answers it in a collection, with watches to be set.
    #[must_use]
    pub fn search<'w>(&self, collection: &Collection) -> Search<'w> {
        collection.search(self.method.search())
    }

    /// The clusters of two documents or more, in the order of their first documents.
    ///
    /// # Errors
    /// Those of the search.
    pub fn run(
        &self,
        collection: &Collection,
        search: &Search<'_>,
    ) -> Result<FoundClusters, Error> {
        collection.clusters(search, self.question.linkage.unwrap_or_default())
    }

    /// The same of the documents of any collection that a filter allows, which are read into a collection within the
    /// engine's memory; numbered by their earliest document in the order of addition. `watched` may add watches to the
    /// search.
    ///
    /// # Errors
    /// Where a part that the question or the filter needs is not kept, before anything is read; where the documents
    /// cannot be read; and those of the search.
    pub fn run_on<'w>(
        &self,
        documents: &dyn Documents,
        engine: &Engine,
        filter: &Filter,
        watched: impl FnOnce(Search<'w>) -> Search<'w>,
    ) -> Result<FoundClusters, Error> {
        let mut collection = engine.collection(self.collection());
        collection.push_all(documents, filter)?;
        let search = watched(self.search(&collection));
        let mut found = self.run(&collection, &search)?;
        found.number_as_in(documents)?;
        Ok(found)
    }
}

impl FoundClusters {
    /// Numbers the clusters by their earliest document in the order in which `documents` were added.
    ///
    /// # Errors
    /// Where a document cannot be read.
    pub fn number_as_in(&mut self, documents: &dyn Documents) -> Result<(), Error> {
        for row in &mut self.rows {
            // Removed since the documents were read, it has no number any more.
            let first = documents.get(&row.representative, &Parts::default())?;
            row.cluster = first.map_or(row.cluster, |first| first.number);
        }
        Ok(())
    }
}
