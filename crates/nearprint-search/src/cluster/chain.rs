//! How long the chains of a cluster are: the sign of different documents held together by go-betweens.

use super::Clusters;
use crate::error::SearchError;
use crate::query_index::QueryIndex;
use crate::word::FingerprintWord;

impl Clusters {
    /// The greatest number of links one must follow from the representative of cluster `number` to one of its
    /// members, where fingerprints within `k` bits are linked: 0 if all are equal, 1 for a star. Of a cluster of one
    /// page and its revisions it is 1 or 2; a long chain holds documents together that are nothing alike.
    ///
    /// Takes a query for each distinct fingerprint of the cluster. `None` if there is no such cluster.
    ///
    /// # Errors
    ///
    /// When `k` is too large for a [`QueryIndex`], or `prints` are not those of the documents clustered.
    ///
    /// # Examples
    ///
    /// ```
    /// use nearprint_search::{Join, Linkage, Pair};
    /// let prints = [0b0u64, 0b1, 0b11, 0b111];
    /// let mut watch: Vec<Pair> = Vec::new();
    /// let clusters = Join::within(1).clusters(&prints, Linkage::Components, None, &mut watch)?;
    /// assert_eq!(clusters.chain_length(0, &prints, 1)?, Some(3));
    /// # Ok::<(), nearprint_search::SearchError>(())
    /// ```
    pub fn chain_length<W: FingerprintWord>(
        &self,
        number: usize,
        prints: &[W],
        k: u32,
    ) -> Result<Option<u32>, SearchError> {
        (W::searches().chain_length)(self, number, prints, k)
    }

    pub(crate) fn steps_of_chain<W: FingerprintWord>(
        &self,
        number: usize,
        prints: &[W],
        k: u32,
    ) -> Result<Option<u32>, SearchError> {
        if prints.len() != self.documents as usize {
            let beside = self.documents as usize;
            return Err(SearchError::LengthMismatch { prints: prints.len(), beside });
        }
        let Some(cluster) = self.get(number) else { return Ok(None) };
        let mut words: Vec<W> =
            cluster.members.iter().map(|&member| prints[member as usize]).collect();
        words.sort_unstable();
        words.dedup();
        let index = QueryIndex::build(&words)?;
        let mut reached = vec![false; words.len()];
        let representative = prints[cluster.representative as usize];
        let mut edge: Vec<u32> =
            words.binary_search(&representative).into_iter().map(|at| at as u32).collect();
        edge.iter().for_each(|&at| reached[at as usize] = true);
        for length in 0.. {
            let mut next = Vec::new();
            for &at in &edge {
                for near in index.query(words[at as usize], k)? {
                    if !std::mem::replace(&mut reached[near.document as usize], true) {
                        next.push(near.document);
                    }
                }
            }
            if next.is_empty() {
                return Ok(Some(length));
            }
            edge = next;
        }
        Ok(None)
    }
}
