//! Clusters: documents joined by their pairs.
//!
//! *Components* follow every pair: if A is near B and B near C, all three are one cluster, however far
//! A is from C. *Stars* do not: every member is near its cluster's representative. *Bounded* clusters go furthest:
//! every two members are close to each other. Chains of the
//! first kind are what users of near-duplicate tools complain of most, so all are offered and the
//! length of the chains is told.

mod bounded_clusters;
mod chain;
mod components;
mod links;
mod star;

pub use components::Components;
pub use links::{Cohesion, Link};

use crate::error::SearchError;

/// How pairs make clusters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Linkage {
    /// Connected components: whoever is linked through others is in one cluster.
    #[default]
    Components,
    /// Every member lies within the distance of its cluster's representative.
    Star,
    /// Every two members lie within the distance of each other (complete linkage).
    Bounded,
}

/// One cluster of two documents or more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cluster<'c> {
    /// The document that is kept when the others are dropped: the member of least priority value,
    /// or with none given the first.
    pub representative: u32,
    /// All members, the representative among them, ascending.
    pub members: &'c [u32],
}

/// A set of clusters. Their order, which numbers them, is that of their first members, whatever
/// the order in which pairs were found; documents without a partner are in none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clusters {
    members: Vec<u32>,
    ends: Vec<u32>,
    representatives: Vec<u32>,
    documents: u32,
}

impl Clusters {
    /// Makes clusters of a list that names for each document the first member of its cluster.
    pub(crate) fn of_firsts(firsts: &[u32], representative_of: impl Fn(u32) -> u32) -> Self {
        let mut sizes = vec![0u32; firsts.len()];
        for &first in firsts {
            sizes[first as usize] += 1;
        }
        let mut place = vec![u32::MAX; firsts.len()];
        let (mut ends, mut representatives, mut filled) = (Vec::new(), Vec::new(), 0);
        for (document, &first) in firsts.iter().enumerate() {
            if first as usize == document && sizes[document] > 1 {
                place[document] = filled;
                filled += sizes[document];
                ends.push(filled);
                representatives.push(representative_of(first));
            }
        }
        let mut members = vec![0u32; filled as usize];
        for (document, &first) in (0u32..).zip(firsts) {
            let slot = &mut place[first as usize];
            if *slot != u32::MAX {
                members[*slot as usize] = document;
                *slot += 1;
            }
        }
        Self { members, ends, representatives, documents: firsts.len() as u32 }
    }

    /// Number of clusters.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether no two documents belong together.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Number of documents that were examined, with or without a partner.
    #[must_use]
    pub fn documents(&self) -> u32 {
        self.documents
    }

    /// The cluster of this number, 0 to `len() - 1`.
    #[must_use]
    pub fn get(&self, number: usize) -> Option<Cluster<'_>> {
        let end = *self.ends.get(number)? as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] as usize };
        Some(Cluster {
            representative: self.representatives[number],
            members: &self.members[start..end],
        })
    }

    /// The clusters in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Cluster<'_>> {
        let mut start = 0;
        self.ends.iter().zip(&self.representatives).map(move |(&end, &representative)| {
            let members = &self.members[start..end as usize];
            start = end as usize;
            Cluster { representative, members }
        })
    }

    /// The number of the largest cluster, the first of several; `None` if there is none.
    #[must_use]
    pub fn largest(&self) -> Option<usize> {
        let sizes = self.iter().map(|cluster| cluster.members.len());
        sizes
            .enumerate()
            .max_by_key(|&(number, size)| (size, std::cmp::Reverse(number)))
            .map(|(number, _)| number)
    }

    /// Makes the member of least `priority` each cluster's representative, the first of several:
    /// `priority` might be a document's age, or how much shorter it is than the longest.
    ///
    /// Meant for components; in stars the representative is what the members are near to.
    ///
    /// # Errors
    ///
    /// When there is not one priority for each document.
    pub fn keep_least(&mut self, priority: &[u64]) -> Result<(), SearchError> {
        if priority.len() != self.documents as usize {
            return Err(SearchError::LengthMismatch {
                prints: self.documents as usize,
                beside: priority.len(),
            });
        }
        let mut start = 0;
        for (representative, &end) in self.representatives.iter_mut().zip(&self.ends) {
            let members = &self.members[start..end as usize];
            start = end as usize;
            if let Some(&best) =
                members.iter().min_by_key(|&&member| (priority[member as usize], member))
            {
                *representative = best;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
