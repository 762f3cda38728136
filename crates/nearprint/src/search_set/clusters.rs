//! Clusters of a set, and clusters as rows.

use std::ops::ControlFlow;

use nearprint_records::ClusterRow;
use nearprint_search::{Cluster, Clusters, Components, Expand, Join, Linkage, Pair};

use super::Search;
use super::watched::Watched;
use crate::print_set::Prints;
use crate::{Error, PrintSet};

impl Search<'_> {
    /// Connected components of two documents or more, numbered from 1 in the order of their first documents.
    ///
    /// # Errors
    /// Where the distance is beyond what joins serve.
    pub fn clusters(&self, set: &PrintSet) -> Result<Vec<ClusterRow>, Error> {
        let clusters = match set.prints() {
            Prints::Words(words) => {
                let none = |_: &[Pair]| ControlFlow::Continue(());
                let mut watch =
                    Watched { take: none, cancel: &self.cancel, watch: self.watch.as_deref() };
                let join = Join::within(self.distance);
                self.in_pool(|| join.clusters(words, Linkage::Components, None, &mut watch))??
            }
            Prints::Sketches(_) => {
                let mut components = Components::new(set.len() as u32);
                self.join_expanded(set, Expand::Star, |batch| {
                    batch.iter().for_each(|pair| components.link(pair.a, pair.b));
                    ControlFlow::Continue(())
                })?;
                components.finish()
            }
        };
        Ok(rows(set, &clusters))
    }
}

/// Clusters as rows, numbered from 1.
pub(super) fn rows(set: &PrintSet, clusters: &Clusters) -> Vec<ClusterRow> {
    let id = |&position: &u32| set.document_id(position as usize);
    let row = |(number, cluster): (u64, Cluster<'_>)| {
        let from = cluster.representative as usize;
        let distance = |&member: &u32| set.distance(from, member as usize);
        ClusterRow {
            cluster: number,
            size: cluster.members.len() as u64,
            representative: id(&cluster.representative),
            members: cluster.members.iter().map(id).collect(),
            distances: cluster.members.iter().map(distance).collect(),
        }
    };
    (1..).zip(clusters.iter()).map(row).collect()
}
