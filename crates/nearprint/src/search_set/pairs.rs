//! Pairs of a set: as they are found, or held and put in order.

use std::ops::ControlFlow;

use nearprint_records::PairRow;
use nearprint_search::{Expand, Join, Pair, SketchJoin};
use rayon::prelude::*;

use super::Search;
use super::watched::Watched;
use crate::print_set::Prints;
use crate::{Error, PrintSet};

impl Search<'_> {
    /// All pairs, each once, `a` before `b` in the set. Gives the number of pairs taken.
    ///
    /// # Errors
    /// Where the distance is beyond what joins serve, pairs are too many to put in order, or `take` fails.
    pub fn pairs<E: From<Error> + Send>(
        &self,
        set: &PrintSet,
        mut take: impl FnMut(PairRow) -> Result<(), E> + Send,
    ) -> Result<u64, E> {
        let row = |pair: &Pair| PairRow {
            a: set.document_id(pair.a as usize),
            b: set.document_id(pair.b as usize),
            distance: pair.distance,
            similarity: None,
        };
        let Some(most) = self.most_sorted else {
            let (mut found, mut failed) = (0, None);
            self.join(set, |batch| {
                for pair in batch {
                    if let Err(error) = take(row(pair)) {
                        failed = Some(error);
                        return ControlFlow::Break(());
                    }
                    found += 1;
                }
                ControlFlow::Continue(())
            })?;
            return failed.map_or(Ok(found), Err);
        };
        let pairs = self.sorted_pairs(set, Expand::AllPairs, most)?;
        for pair in &pairs {
            take(row(pair))?;
        }
        Ok(pairs.len() as u64)
    }

    /// All pairs in ascending order.
    pub(super) fn sorted_pairs(
        &self,
        set: &PrintSet,
        expand: Expand,
        most: usize,
    ) -> Result<Vec<Pair>, Error> {
        let (mut pairs, mut too_many) = (Vec::new(), false);
        self.join_expanded(set, expand, |batch| {
            too_many = pairs.len() + batch.len() > most;
            if too_many {
                return ControlFlow::Break(());
            }
            pairs.extend_from_slice(batch);
            ControlFlow::Continue(())
        })?;
        if too_many {
            return Err(Error::TooManyPairs { most });
        }
        self.in_pool(|| pairs.par_sort_unstable())?;
        Ok(pairs)
    }

    /// Joins the set with itself and hands batches of pairs on until one breaks or somebody cancels.
    fn join(
        &self,
        set: &PrintSet,
        take: impl FnMut(&[Pair]) -> ControlFlow<()> + Send,
    ) -> Result<(), Error> {
        self.join_expanded(set, Expand::AllPairs, take)
    }

    pub(super) fn join_expanded(
        &self,
        set: &PrintSet,
        expand: Expand,
        take: impl FnMut(&[Pair]) -> ControlFlow<()> + Send,
    ) -> Result<(), Error> {
        let mut sink = Watched { take, cancel: &self.cancel, watch: self.watch.as_deref() };
        match set.prints() {
            Prints::Words(words) => {
                let join = Join::within(self.distance).expand(expand);
                self.in_pool(|| join.pairs(words, &mut sink))??;
            }
            Prints::Sketches(sketches) => {
                let join = SketchJoin::within(self.distance, self.bands_for(set)).expand(expand);
                self.in_pool(|| join.pairs(sketches, &mut sink))??;
            }
        }
        Ok(())
    }
}
