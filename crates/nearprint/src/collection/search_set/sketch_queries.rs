//! What is near each of many sketches: by looking at all where that takes seconds, by bands where it would take longer.

use std::ops::Range;

use nearprint_search::{Bands, Expand, PlanChoice, Sketch, sketch_distance, tasks};
use rayon::prelude::*;

use super::Search;
use super::join::Sides;
use super::queries::{Near, NearReceiver, give_pairs};
use crate::store::print_set::Prints;
use crate::store::sketch_list::SketchList;
use crate::{Error, PrintSet};

/// Comparisons up to which every query is compared with every sketch: 100,000 queries of 100,000 sketches make as many
/// more than a minute's work of two cores.
const LOOKED_AT: u64 = 4_000_000_000;

/// The share of what is just within the distance that bands find unless another is asked for.
const RECALL: f64 = 0.99;

/// Queries that are compared with all sketches in one pass over these.
const TOGETHER: usize = 256;

/// Sketches a thread compares with them at a time: with the queries they fit into a core's own cache.
const TILE: usize = 512;

/// Sketches between two looks at how much was found.
const PORTION: usize = 128 * TILE;

/// Matches that are held for queries that are answered together; where there are more, fewer queries are.
const GATHERED: usize = 1 << 22;

impl Search<'_> {
    /// By which bands so many queries of these sketches are answered; `None` where each is compared with all, so that
    /// nothing is missed, and where the sets hold no sketches.
    ///
    /// Bands are taken where there would be more than 4·10⁹ comparisons, or where a recall or bands are asked for;
    /// never with [`PlanChoice::BruteForce`].
    #[must_use]
    pub fn query_bands(&self, set: &PrintSet, queries: usize) -> Option<Bands> {
        let Prints::Sketches(sketches) = set.prints() else { return None };
        let asked_for = self.bands.is_some() || self.recall.is_some();
        let comparisons = sketches.len() as u64 * queries as u64;
        if self.plan == PlanChoice::BruteForce || !(asked_for || comparisons > LOOKED_AT) {
            return None;
        }
        let by_share = |share| Bands::finding(self.similarity_sought(), share);
        let chosen = match (self.recall, self.proposed) {
            (Some(recall), _) => by_share(recall),
            (None, Some(proposed)) => proposed,
            (None, None) => by_share(RECALL),
        };
        Some(self.bands.unwrap_or(chosen))
    }

    /// The sketches near each of those asked, in order.
    pub(super) fn near_sketches(
        &self,
        sides: Sides<'_>,
        (asked, sketches): (&SketchList, &SketchList),
        give: &mut NearReceiver<'_>,
    ) -> Result<(), Error> {
        if let Some(bands) = self.query_bands(sides.second(), asked.len()) {
            let pairs = self.sorted_pairs_by(Some(bands), sides, Expand::AllPairs, usize::MAX)?;
            give_pairs(pairs, give);
            return Ok(());
        }
        let some = |from: usize| from..asked.len().min(from + TOGETHER);
        let mut left: Vec<Range<usize>> = (0..asked.len()).step_by(TOGETHER).map(some).collect();
        left.reverse();
        while let Some(some) = left.pop() {
            if self.cancel.is_cancelled() {
                break;
            }
            match self.in_pool(|| self.looked(asked, some.clone(), sketches))?? {
                Some(near) => {
                    if near.into_iter().try_for_each(&mut *give).is_break() {
                        break;
                    }
                }
                None => {
                    let middle = some.start + some.len() / 2;
                    left.extend([middle..some.end, some.start..middle]);
                }
            }
        }
        Ok(())
    }

    /// Compares some queries with all sketches; `None` where several find too much to hold.
    fn looked(
        &self,
        asked: &SketchList,
        some: Range<usize>,
        sketches: &SketchList,
    ) -> Result<Option<Vec<Near>>, Error> {
        let first = some.start as u32;
        let wanted: Vec<Sketch> = some.map(|at| asked.get(at)).collect::<Result<_, _>>()?;
        let most = if wanted.len() > 1 { GATHERED } else { usize::MAX };
        let mut found: Vec<Near> = Vec::new();
        sketches.each(|from, some| {
            for (portion, some) in some.chunks(PORTION).enumerate() {
                if found.len() > most {
                    return;
                }
                let from = from + portion * PORTION;
                let tiles = some.chunks(TILE).enumerate().collect();
                let near = tasks::map(tiles, |(tile, some)| {
                    near_in_tile(&wanted, first, some, from + tile * TILE, self.distance)
                });
                near.iter().for_each(|near| found.extend_from_slice(near));
            }
        })?;
        if found.len() > most {
            return Ok(None);
        }
        found.par_sort_unstable();
        Ok(Some(found))
    }
}

/// Compares some queries, the first of which has the number `first`, with some sketches, the first of which is at
/// `from`.
fn near_in_tile(wanted: &[Sketch], first: u32, some: &[Sketch], from: usize, k: u32) -> Vec<Near> {
    let mut near = Vec::new();
    for (query, wanted) in (first..).zip(wanted) {
        for (at, sketch) in (from as u32..).zip(some) {
            let distance = sketch_distance(wanted, sketch);
            if distance <= k {
                near.push((query, distance, at));
            }
        }
    }
    near
}
