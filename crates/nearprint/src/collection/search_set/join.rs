//! A join of one set or of two, in memory or beyond it, with the bounds that hold for it.

use std::ops::ControlFlow;

use nearprint_fingerprint::UnlikeSchemes;
use nearprint_search::{Bands, Expand, Groups, Join, Pair, SketchJoin, SketchReport, SketchSource};

use super::Search;
use super::watched_sink::{BatchReceiver, WatchedSink};
use crate::engine::machine::{check_room, free_space};
use crate::store::print_set::{Prints, Word, with_words};
use crate::store::sketch_list::Both;
use crate::store::spill_file::SpillFile;
use crate::{Error, PrintSet};

/// The least working memory of a join: what one needs that uses a temporary file.
const LEAST_MEMORY: u64 = 16 << 20;

/// Prints that are handed to a temporary file between two looks at the cancel flag.
const SPILLED_AT_ONCE: usize = 1 << 16;

/// The sets that are joined: one with itself, or one with another.
#[derive(Clone, Copy)]
pub(super) struct Sides<'s> {
    pub(super) left: &'s PrintSet,
    pub(super) right: Option<&'s PrintSet>,
}

impl<'s> Sides<'s> {
    pub(super) fn one(set: &'s PrintSet) -> Self {
        Self { left: set, right: None }
    }

    /// Two sets of one scheme.
    pub(super) fn two(left: &'s PrintSet, right: &'s PrintSet) -> Result<Self, Error> {
        UnlikeSchemes::check(left.scheme(), right.scheme())?;
        Ok(Self { left, right: Some(right) })
    }

    /// The set that second documents of pairs are positions of.
    pub(super) fn second(&self) -> &'s PrintSet {
        self.right.unwrap_or(self.left)
    }

    /// Whether one of the prints of a pair is known to be short.
    pub(super) fn is_short(&self, a: usize, b: usize) -> bool {
        [self.left.short(a), self.second().short(b)].contains(&Some(true))
    }

    pub(super) fn len(&self) -> usize {
        self.left.len() + self.right.map_or(0, PrintSet::len)
    }

    /// Bytes the sets take.
    pub(super) fn memory(&self) -> u64 {
        self.left.memory() + self.right.map_or(0, PrintSet::memory)
    }

    /// Pairs there would be if all were near.
    pub(super) fn possible(&self) -> u128 {
        let left = self.left.len() as u128;
        match self.right {
            Some(right) => left * right.len() as u128,
            None => left * left.saturating_sub(1) / 2,
        }
    }
}

/// What of a join is given out, and within what.
pub(super) struct Bounds {
    pub(super) expand: Expand,
    /// Working memory in bytes.
    pub(super) memory: Option<u64>,
    /// Pairs at most.
    pub(super) most: Option<u64>,
    /// Of sketches the bands, where it is not for the search to choose them.
    pub(super) bands: Option<Bands>,
}

impl Search<'_> {
    /// Memory left beside sets that take `held`, of which `parts` parts must each be enough to work with.
    pub(super) fn beside(&self, held: u64, parts: u64) -> Result<Option<u64>, Error> {
        let Some(allowed) = self.memory else { return Ok(None) };
        let needed = held + parts * LEAST_MEMORY;
        if allowed < needed {
            return Err(Error::MemoryTooSmall { needed, allowed });
        }
        Ok(Some(allowed - held))
    }

    /// Joins, and hands batches of pairs on until one breaks or somebody cancels.
    pub(super) fn join(
        &self,
        sides: Sides<'_>,
        bounds: &Bounds,
        take: &mut BatchReceiver<'_>,
    ) -> Result<(), Error> {
        let (mut given, mut too_many) = (0u64, false);
        let most = bounds.most.unwrap_or(u64::MAX);
        let mut bounded = |batch: &[Pair]| {
            given += batch.len() as u64;
            too_many = given > most;
            if too_many { ControlFlow::Break(()) } else { take(batch) }
        };
        self.unbounded(sides, bounds, &mut bounded)?;
        if too_many { Err(Error::TooManyFound { most }) } else { Ok(()) }
    }

    fn unbounded(
        &self,
        sides: Sides<'_>,
        bounds: &Bounds,
        take: &mut BatchReceiver<'_>,
    ) -> Result<(), Error> {
        let sink = WatchedSink { take, cancel: &self.cancel, watch: self.watch.as_deref() };
        match (sides.left.prints(), sides.right.map(PrintSet::prints)) {
            (Prints::Words(words), None) if self.learned_join.is_some() => {
                self.uncertain_pairs(words, sides.left, bounds.expand, sink)
            }
            (Prints::Sketches(sketches), None) => {
                let mut sink = sink;
                let join = self.sketch_join(sketches, bounds)?;
                let report = self.in_pool(|| join.pairs_of(sketches, &mut sink))??;
                self.note(&report);
                Ok(())
            }
            (Prints::Sketches(left), Some(Prints::Sketches(right))) => {
                let mut sink = sink;
                let both = Both(left, right);
                let join = self.sketch_join(&both, bounds)?;
                // More than fit 32 bits are refused by the join.
                let count = u32::try_from(left.len()).unwrap_or(u32::MAX);
                let report = self.in_pool(|| join.pairs_between(&both, count, &mut sink))??;
                self.note(&report);
                Ok(())
            }
            (left, _) => with_words!(
                left,
                words => self.words(sides, words, bounds, sink),
                else Err(Error::NotSearchable { scheme: sides.left.scheme() })
            ),
        }
    }

    fn words<W: Word>(
        &self,
        sides: Sides<'_>,
        left: &[W],
        bounds: &Bounds,
        mut sink: WatchedSink<'_, '_>,
    ) -> Result<(), Error> {
        // Sets of one scheme have words of one width.
        let refused = || Error::NotSearchable { scheme: sides.left.scheme() };
        let right = match sides.right {
            Some(set) => Some(W::of(set.prints()).ok_or_else(refused)?),
            None => None,
        };
        let join = self.planned().expand(bounds.expand);
        let bounded = |join: Join, memory: Option<u64>| match memory {
            Some(bytes) => join.memory(bytes),
            None => join,
        };
        if !self.fits::<W>(sides, bounds.memory) {
            self.refuse_too_many::<W>(sides, None, bounds)?;
            let join = bounded(join, bounds.memory);
            return self.in_pool(|| self.spilled(&join, left, right, sink))?;
        }
        if let Some(right) = right {
            self.refuse_too_many::<W>(sides, None, bounds)?;
            let join = bounded(join, bounds.memory);
            self.in_pool(|| join.pairs_between(left, right, &mut sink))??;
            return Ok(());
        }
        self.in_pool(|| {
            let groups = Groups::of(left)?;
            self.refuse_too_many(sides, Some(&groups), bounds)?;
            // What the groups take is taken.
            let taken = Join::least_memory::<W>(left.len()) - Join::least_memory::<W>(0);
            let join = bounded(join, bounds.memory.map(|bytes| bytes - taken));
            join.pairs_of_groups(&groups, &mut sink)?;
            Ok(())
        })?
    }

    /// The join of sketches that was asked for.
    fn sketch_join(
        &self,
        sketches: &dyn SketchSource,
        bounds: &Bounds,
    ) -> Result<SketchJoin, Error> {
        let bands = bounds.bands.map_or_else(|| self.bands_for(sketches), Ok)?;
        Ok(SketchJoin::within(self.distance, bands)
            .expand(bounds.expand)
            .memory(bounds.memory)
            .comparisons_in_bucket(self.bucket.filter(|_| !self.compares_all())))
    }

    /// Tells what was not compared.
    fn note(&self, report: &SketchReport) {
        if let Some(tell) = &self.told
            && report.bounded_buckets > 0
        {
            tell(report);
        }
    }

    /// The join with the plan that was asked for.
    pub(super) fn planned(&self) -> Join {
        Join::within(self.distance).plan(self.plan.clone())
    }

    /// Whether a join of words can do without a temporary file.
    pub(super) fn fits<W: Word>(&self, sides: Sides<'_>, memory: Option<u64>) -> bool {
        let least = Join::least_memory::<W>(sides.len());
        sides.len() <= self.most_in_memory && memory.is_none_or(|bytes| least <= bytes)
    }

    /// The directory of temporary files.
    pub(super) fn directory(&self) -> std::path::PathBuf {
        self.temp.clone().unwrap_or_else(std::env::temp_dir)
    }

    fn spilled<W: Word>(
        &self,
        join: &Join,
        left: &[W],
        right: Option<&[W]>,
        sink: WatchedSink<'_, '_>,
    ) -> Result<(), Error> {
        let WatchedSink { take, cancel, watch } = sink;
        // Both sets are one for the join.
        let mut across = |batch: &[Pair]| {
            if right.is_none() {
                return take(batch);
            }
            let between = pairs_across(batch, left.len());
            if between.is_empty() { ControlFlow::Continue(()) } else { take(&between) }
        };
        let mut sink = WatchedSink { take: &mut across, cancel, watch };
        let parts = [left, right.unwrap_or_default()];
        let directory = self.directory();
        let mut file = SpillFile::create(&directory).map_err(Error::TemporaryFile)?;
        let prints = parts.iter().map(|part| part.len() as u64).sum();
        let mut join = join.spilling::<W>(prints, &mut file)?;
        check_room(&directory, join.disk(prints), free_space(&directory))?;
        for some in parts.iter().flat_map(|part| part.chunks(SPILLED_AT_ONCE)) {
            if self.cancel.is_cancelled() {
                return Ok(());
            }
            join.push(some)?;
        }
        join.finish(&mut sink)?;
        Ok(())
    }
}

/// Passes on pairs of one of the first `left` documents and one of those behind, as positions in two sets.
fn pairs_across(batch: &[Pair], left: usize) -> Vec<Pair> {
    // Positions in both together fit 32 bits, or the join is refused.
    let left = u32::try_from(left).unwrap_or(u32::MAX);
    let between = batch.iter().filter(|pair| pair.a < left && pair.b >= left);
    between.map(|pair| Pair { b: pair.b - left, ..*pair }).collect()
}
