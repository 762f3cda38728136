//! How long the chains of a cluster are: the sign of different documents held together by go-betweens.

use super::Clusters;
use crate::error::SearchError;
use crate::query_index::QueryIndex;
use crate::word::FingerprintWord;

impl Clusters {
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
        let index = QueryIndex::from_prints(&words)?;
        let mut reached = vec![false; words.len()];
        let representative = prints[cluster.representative as usize];
        let mut edge: Vec<u32> =
            words.binary_search(&representative).into_iter().map(|at| at as u32).collect();
        edge.iter().for_each(|&at| reached[at as usize] = true);
        for length in 0.. {
            let mut next = Vec::new();
            for &at in &edge {
                for near in index.near(words[at as usize], k)? {
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
