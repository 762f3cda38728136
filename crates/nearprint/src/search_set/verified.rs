//! Pairs and clusters of which the texts themselves were compared.

use nearprint_records::{ClusterRow, PairRow};
use nearprint_search::{Components, Expand, Linkage, Pair};
use rayon::prelude::*;

use super::Search;
use super::clusters::rows;
use super::joining::Sides;
use crate::{Error, FeatureStore, PrintSet, Verification};

/// Candidates that are verified between two looks at the cancel flag.
const VERIFIED_AT_ONCE: usize = 1 << 14;

impl Search<'_> {
    /// All pairs that `verification` confirms, by the features in `store`, which has a document for each print of the set; each with its exact
    /// similarity, in the order of the input. Gives the number of candidates and that of pairs.
    ///
    /// # Errors
    /// As for [`pairs`](Self::pairs), and where the store cannot be read.
    pub fn verified_pairs<E: From<Error> + Send>(
        &self,
        set: &PrintSet,
        store: &FeatureStore,
        verification: Verification,
        mut take: impl FnMut(PairRow) -> Result<(), E> + Send,
    ) -> Result<(u64, u64), E> {
        let most = self.most_sorted.unwrap_or(usize::MAX);
        let candidates = self.sorted_pairs(Sides::one(set), Expand::AllPairs, most)?;
        let mut found = 0;
        self.verify(&candidates, store, verification, |pair, similarity| {
            found += 1;
            take(PairRow {
                a: set.document_id(pair.a as usize),
                b: set.document_id(pair.b as usize),
                distance: pair.distance,
                similarity: Some(similarity),
            })
        })?;
        Ok((candidates.len() as u64, found))
    }

    /// Clusters of verified pairs only: connected components, or stars around the first document of each, which cannot chain.
    ///
    /// # Errors
    /// As for [`verified_pairs`](Self::verified_pairs).
    pub fn verified_clusters(
        &self,
        set: &PrintSet,
        store: &FeatureStore,
        verification: Verification,
        linkage: Linkage,
    ) -> Result<Vec<ClusterRow>, Error> {
        let most = self.most_sorted.unwrap_or(usize::MAX);
        let expand = if linkage == Linkage::Star { Expand::AllPairs } else { Expand::Star };
        let candidates = self.sorted_pairs(Sides::one(set), expand, most)?;
        let mut components = Components::new(set.len() as u32);
        // Pairs come in ascending order, so a document is known as a centre or as taken before its own pairs come.
        let mut taken = vec![false; if linkage == Linkage::Star { set.len() } else { 0 }];
        self.verify(&candidates, store, verification, |pair, _| {
            if linkage == Linkage::Star {
                if taken[pair.a as usize] || taken[pair.b as usize] {
                    return Ok(());
                }
                taken[pair.b as usize] = true;
            }
            components.link(pair.a, pair.b);
            Ok::<_, Error>(())
        })?;
        rows(set, &components.finish())
    }

    /// All pairs within the distance as positions in the set, ascending.
    pub(crate) fn candidates(&self, set: &PrintSet) -> Result<Vec<Pair>, Error> {
        let most = self.most_sorted.unwrap_or(usize::MAX);
        self.sorted_pairs(Sides::one(set), Expand::AllPairs, most)
    }

    /// All pairs within the distance of one print of each set, ascending.
    pub(crate) fn candidates_between(
        &self,
        left: &PrintSet,
        right: &PrintSet,
    ) -> Result<Vec<Pair>, Error> {
        let most = self.most_sorted.unwrap_or(usize::MAX);
        self.sorted_pairs(Sides::two(left, right)?, Expand::AllPairs, most)
    }

    /// Hands on the candidates that are confirmed, in their order.
    fn verify<E: From<Error>>(
        &self,
        candidates: &[Pair],
        store: &FeatureStore,
        verification: Verification,
        mut take: impl FnMut(&Pair, f64) -> Result<(), E>,
    ) -> Result<(), E> {
        for some in candidates.chunks(VERIFIED_AT_ONCE) {
            if self.cancel.is_cancelled() {
                break;
            }
            let passed: Result<Vec<Option<f64>>, _> = self.in_pool(|| {
                some.par_iter().map(|pair| verification.passes(store, pair.a, pair.b)).collect()
            })?;
            for (pair, similarity) in some.iter().zip(passed.map_err(Error::Features)?) {
                if let Some(similarity) = similarity {
                    take(pair, similarity)?;
                }
            }
        }
        Ok(())
    }
}
