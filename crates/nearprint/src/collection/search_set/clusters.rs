//! Clusters of a set, and clusters as rows.

use std::cmp::Reverse;

use nearprint_records::ClusterRow;
use nearprint_search::{Cluster, Clusters, MAX_QUERY_DISTANCE};

use super::Search;
use crate::store::print_set::{Word, with_words};
use crate::{Error, PrintSet};

impl Search<'_> {
    /// Connected components of two documents or more, numbered from 1 in the order of their first documents.
    ///
    /// # Errors
    /// Where the distance is beyond what joins serve, or memory or disk do not suffice.
    pub fn clusters(&self, set: &PrintSet) -> Result<Vec<ClusterRow>, Error> {
        let clusters = self.numbered_clusters(set)?;
        let mut rows = rows(set, &clusters)?;
        self.measure_chains(set, &clusters, &mut rows)?;
        Ok(rows)
    }

    /// Notes the length of the clusters' chains, the largest clusters first, as far as some seconds' worth of queries
    /// go.
    fn measure_chains(
        &self,
        set: &PrintSet,
        clusters: &Clusters,
        rows: &mut [ClusterRow],
    ) -> Result<(), Error> {
        with_words!(
            set.prints(),
            words => self.measure_chains_of(words, clusters, rows),
            else Ok(())
        )
    }

    fn measure_chains_of<W: Word>(
        &self,
        words: &[W],
        clusters: &Clusters,
        rows: &mut [ClusterRow],
    ) -> Result<(), Error> {
        let mut left: u64 = match self.distance {
            0..=3 => 2_000_000,
            4..=8 => 100_000,
            _ => 10_000,
        };
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_unstable_by_key(|&number| (Reverse(rows[number].size), number));
        for number in order {
            let row = &mut rows[number];
            row.chain = match row.size {
                2 => Some(u32::from(row.distances.iter().any(|&distance| distance > 0))),
                size if size <= left && self.distance <= MAX_QUERY_DISTANCE => {
                    left -= size;
                    let length =
                        self.in_pool(|| clusters.chain_length(number, words, self.distance))?;
                    length.map_err(Error::Search)?
                }
                _ => None,
            };
        }
        Ok(())
    }
}

/// Clusters as rows, numbered from 1.
pub(super) fn rows(set: &PrintSet, clusters: &Clusters) -> Result<Vec<ClusterRow>, Error> {
    let id = |&position: &u32| set.document_id(position as usize);
    let row = |(number, cluster): (u64, Cluster<'_>)| {
        let from = cluster.representative as usize;
        let distance = |&member: &u32| set.distance(from, member as usize);
        let distances = cluster.members.iter().map(distance).collect::<Result<_, Error>>()?;
        let members = cluster.members.iter().map(id).collect();
        Ok(ClusterRow::new(number, id(&cluster.representative), members, distances))
    };
    (1..).zip(clusters.iter()).map(row).collect()
}
