//! Pairs of a set, or between two: as they are found, or held and put in order.

use std::ops::ControlFlow;

use nearprint_records::PairRow;
use nearprint_search::{Bands, Expand, Pair};

use super::join::{Bounds, Sides};
use super::{Search, Sets};
use crate::{Error, SearchCounts};

impl Search<'_> {
    /// All pairs of a set, or between two, each once. Gives the number of pairs taken.
    ///
    /// # Errors
    /// Where the distance is beyond what joins serve, there are more pairs than wanted or than can be put in order,
    /// memory or disk do not suffice, the sets are of two schemes, or `take` fails.
    pub fn pairs<'s, E: From<Error> + Send>(
        &self,
        sets: impl Into<Sets<'s>>,
        take: impl FnMut(PairRow) -> Result<(), E> + Send,
    ) -> Result<u64, E> {
        Ok(self.found_pairs(sets, take)?.found)
    }

    /// The same, with how many of them have a short fingerprint.
    pub(crate) fn found_pairs<'s, E: From<Error> + Send>(
        &self,
        sets: impl Into<Sets<'s>>,
        mut take: impl FnMut(PairRow) -> Result<(), E> + Send,
    ) -> Result<SearchCounts, E> {
        let sides = sets.into().sides()?;
        let second = sides.second();
        let is_short = |pair: &Pair| u64::from(sides.is_short(pair.a as usize, pair.b as usize));
        let row = |pair: &Pair| {
            let a = sides.left.document_id(pair.a as usize);
            let b = second.document_id(pair.b as usize);
            PairRow::new(a, b, pair.distance, sides.left.estimate(pair.distance))
        };
        let Some(most) = self.most_sorted else {
            let (mut found, mut failed) = (SearchCounts::default(), None);
            let memory = self.beside(sides.memory(), 1)?;
            let bounds = Bounds { expand: self.expand, memory, most: self.most_pairs, bands: None };
            self.join(sides, &bounds, &mut |batch| {
                for pair in batch {
                    if let Err(error) = take(row(pair)) {
                        failed = Some(error);
                        return ControlFlow::Break(());
                    }
                    found.found += 1;
                    found.short += is_short(pair);
                }
                ControlFlow::Continue(())
            })?;
            return failed.map_or(Ok(found), Err);
        };
        let pairs = self.sorted_pairs(sides, self.expand, most)?;
        for pair in &pairs {
            take(row(pair))?;
        }
        let short = pairs.iter().map(is_short).sum();
        Ok(SearchCounts { found: pairs.len() as u64, short, ..SearchCounts::default() })
    }

    /// All pairs in ascending order: half of the memory is for them.
    pub(super) fn sorted_pairs(
        &self,
        sides: Sides<'_>,
        expand: Expand,
        most: usize,
    ) -> Result<Vec<Pair>, Error> {
        self.sorted_pairs_by(None, sides, expand, most)
    }

    /// The same, of sketches by these bands.
    pub(super) fn sorted_pairs_by(
        &self,
        bands: Option<Bands>,
        sides: Sides<'_>,
        expand: Expand,
        most: usize,
    ) -> Result<Vec<Pair>, Error> {
        let memory = self.beside(sides.memory(), 2)?.map(|bytes| bytes / 2);
        let held = memory.map_or(usize::MAX, |bytes| bytes as usize / size_of::<Pair>());
        let most = most.min(held);
        let bounds = Bounds { expand, memory, most: self.most_pairs, bands };
        let (mut pairs, mut too_many) = (Vec::new(), false);
        self.join(sides, &bounds, &mut |batch| {
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
        self.in_pool(|| Pair::sort(&mut pairs))?;
        Ok(pairs)
    }
}
