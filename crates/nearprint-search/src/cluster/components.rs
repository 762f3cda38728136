//! Connected components by union-find.
//!
//! The smaller document is always the root, so that a component's name is its first member in any
//! order of the links; halving of paths keeps finds short.

use std::ops::ControlFlow;

use super::Clusters;
use crate::sink::{Pair, PairSink};

/// Links between documents, on their way to becoming [`Clusters`].
///
/// It is a [`PairSink`]: give it to a join, or give it only those pairs that some verification of the
/// documents themselves has passed.
///
/// # Examples
///
/// ```
/// use nearprint_search::Components;
/// let mut components = Components::new(5);
/// components.link(3, 4);
/// components.link(4, 1);
/// let clusters = components.finish();
/// let cluster = clusters.get(0).expect("three of them are linked");
/// assert_eq!((cluster.representative, cluster.members), (1, &[1, 3, 4][..]));
/// ```
#[derive(Debug, Clone)]
pub struct Components {
    parents: Vec<u32>,
}

impl Components {
    /// No links yet among the documents `0..documents`; 4 bytes each.
    #[must_use]
    pub fn new(documents: u32) -> Self {
        Self { parents: (0..documents).collect() }
    }

    fn root(&mut self, mut document: u32) -> u32 {
        loop {
            let parent = self.parents[document as usize];
            let grandparent = self.parents[parent as usize];
            if parent == grandparent {
                return parent;
            }
            self.parents[document as usize] = grandparent;
            document = grandparent;
        }
    }

    /// Puts the clusters of two documents together; nearly O(1).
    ///
    /// # Panics
    ///
    /// When a document is not below the number given to [`new`](Self::new).
    pub fn link(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }

    /// The first document of the cluster that a document is in so far.
    ///
    /// # Panics
    ///
    /// When the document is not below the number given to [`new`](Self::new).
    pub fn first(&mut self, document: u32) -> u32 {
        self.root(document)
    }

    /// The clusters; O(documents).
    #[must_use]
    pub fn finish(mut self) -> Clusters {
        for document in 0..self.parents.len() as u32 {
            self.parents[document as usize] = self.root(document);
        }
        Clusters::of_firsts(&self.parents, |first| first)
    }
}

impl PairSink for Components {
    fn pairs(&mut self, batch: &[Pair]) -> ControlFlow<()> {
        for pair in batch {
            self.link(pair.a, pair.b);
        }
        ControlFlow::Continue(())
    }
}
