//! Results by the positions of fingerprints in their sets: for callers whose fingerprints have no ids, such as arrays.

use std::ops::ControlFlow;

use nearprint_search::{Clusters, Components, Expand, Pair};

use super::join::{Bounds, Sides};
use super::{Search, Sets};
use crate::{Error, PrintSet};

impl Search<'_> {
    /// All pairs of a set, or between two, within the distance, as positions in their sets, ascending. 12 bytes each.
    ///
    /// # Errors
    /// As for [`pairs`](Self::pairs).
    ///
    /// ```
    /// use nearprint::{PrintSet, Search, fingerprint::Scheme};
    ///
    /// let set = PrintSet::of_words(Scheme::SD1, vec![0b0000, u64::MAX, 0b0111]).unwrap();
    /// let pairs = Search::within(3).numbered_pairs(&set)?;
    /// assert_eq!((pairs[0].a, pairs[0].b, pairs[0].distance), (0, 2, 3));
    /// # Ok::<(), nearprint::Error>(())
    /// ```
    pub fn numbered_pairs<'s>(&self, sets: impl Into<Sets<'s>>) -> Result<Vec<Pair>, Error> {
        let most = self.most_sorted.unwrap_or(usize::MAX);
        self.sorted_pairs(sets.into().sides()?, self.expand, most)
    }

    /// For each fingerprint of `queries` those of `set` within the distance, as pairs of a query's position (`a`) and
    /// one in the set (`b`): in the order of the queries, of each the nearest first.
    ///
    /// # Errors
    /// As for [`matches_of_all`](Self::matches_of_all).
    pub fn numbered_matches(&self, set: &PrintSet, queries: &PrintSet) -> Result<Vec<Pair>, Error> {
        let mut found = Vec::new();
        self.near_each(set, queries, &mut |(a, distance, b)| {
            found.push(Pair { a, b, distance });
            Ok::<_, Error>(())
        })?;
        Ok(found)
    }

    /// Connected components of two fingerprints or more, in the order of their first ones.
    ///
    /// # Errors
    /// As for [`clusters`](Self::clusters).
    pub fn numbered_clusters(&self, set: &PrintSet) -> Result<Clusters, Error> {
        let sides = Sides::one(set);
        // Each document is named once by the components, and once by the clusters.
        let memory = self.beside(sides.memory() + set.len() as u64 * 8, 1)?;
        let mut components = Components::new(set.len() as u32);
        let bounds = Bounds { expand: Expand::Star, memory, most: None, bands: None };
        self.join(sides, &bounds, &mut |batch| {
            batch.iter().for_each(|pair| components.link(pair.a, pair.b));
            ControlFlow::Continue(())
        })?;
        Ok(components.finish())
    }
}
