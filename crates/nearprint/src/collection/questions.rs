//! What is asked of a collection as a whole: pairs and clusters. Verified where the collection keeps features.

use nearprint_records::{ClusterRow, PairRow};
use nearprint_search::Linkage;

use super::Collection;
use crate::{ClusterDoubt, Error, Search, Sets, VerifiedClusters};

/// How many rows a question gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SearchCounts {
    /// Pairs that the fingerprints proposed; `None` where they were not verified.
    pub candidates: Option<u64>,
    /// Candidates of which the bound on the work of an edit distance left open whether they are similar: no rows.
    pub open: u64,
    /// Candidates that are similar enough, and refused because all that they share may be a phrase.
    pub without_evidence: u64,
    /// Rows of which a document has a short fingerprint, as far as that is known.
    pub short: u64,
    /// Rows.
    pub found: u64,
}

/// Clusters, and how they were found.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FoundClusters {
    /// The clusters.
    pub rows: Vec<ClusterRow>,
    /// Pairs that the fingerprints proposed, and those verified among them; `None` where they were not verified.
    pub verified: Option<(u64, u64)>,
    /// Pairs that are similar enough, and refused because all that they share may be a phrase.
    pub without_evidence: u64,
    /// Clusters that grew suspiciously.
    pub doubts: Vec<ClusterDoubt>,
}

impl Collection {
    /// Pairs of near-duplicates among the documents, or where there are references, of documents and references. With
    /// `passages`, each row has so many of the longest passages that its texts share; the collection must keep texts
    /// then.
    ///
    /// # Errors
    /// Those of the search; the first one of `take`, which ends it.
    pub fn pairs<E: From<Error> + Send>(
        &self,
        search: &Search<'_>,
        passages: Option<usize>,
        take: impl FnMut(PairRow) -> Result<(), E> + Send,
    ) -> Result<SearchCounts, E> {
        let sets = Sets::new(&self.prints, self.references.as_ref());
        if let Some((verification, texts)) = self.settings.measured.zip(self.texts.as_ref()) {
            return search.measured_pairs(sets, texts, verification, passages, take);
        }
        let Some((verification, store)) = self.settings.verification.zip(self.features.as_ref())
        else {
            return search.found_pairs(sets, take);
        };
        let texts = self.texts.as_ref().zip(passages);
        search.verified_pairs(sets, store, texts, verification, take)
    }

    /// By which plan the search answers, and how many pairs to expect: for a person to read.
    ///
    /// # Errors
    /// Those of the search.
    pub fn explain(&self, search: &Search<'_>) -> Result<String, Error> {
        search.explain(Sets::new(&self.prints, self.references.as_ref()))
    }

    /// Clusters of near-duplicates. The linkage is that of verified pairs; without verification clusters are
    /// components.
    ///
    /// # Errors
    /// Those of the search.
    pub fn clusters(&self, search: &Search<'_>, linkage: Linkage) -> Result<FoundClusters, Error> {
        match self.settings.verification.zip(self.features.as_ref()) {
            Some((verification, store)) => {
                let found = search.verified_clusters(&self.prints, store, verification, linkage)?;
                let VerifiedClusters {
                    clusters: rows,
                    candidates,
                    verified,
                    without_evidence,
                    doubts,
                } = found;
                let verified = Some((candidates, verified));
                Ok(FoundClusters { rows, verified, without_evidence, doubts })
            }
            None => {
                let rows = search.clusters(&self.prints)?;
                Ok(FoundClusters { rows, verified: None, without_evidence: 0, doubts: Vec::new() })
            }
        }
    }
}
