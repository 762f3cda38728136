//! Joins: all pairs within k, of one set or between two.

mod output;
mod run;
mod scatter;
mod space;
mod spilling_join;
mod subdivide;
mod tree;
mod worker;

pub(crate) use output::{Emitter, Output};
pub use spilling_join::SpillingJoin;

use crate::cost::{self, Workload};
use crate::error::SearchError;
use crate::groups::Groups;
use crate::kernel::SimdLevel;
use crate::plan::{Plan, PlanChoice};
use crate::sink::{Pair, PairSink};
use crate::word::FingerprintWord;
use run::Work;
use tree::Step;
use worker::WorkerSettings;

/// Fingerprints that one task should hold, so that its work stays in the second cache.
const TASK: usize = 32 * 1024;

/// Bytes a join cannot do without, beside the groups: a scatter for a few tasks.
const LEAST_ROOM: usize = 4 << 20;

/// The largest distance for which the cost model looks for a plan, in bits. Beyond it, so many of all pairs match that
/// there is little to leave out, and every fingerprint is compared with every other.
pub const MAX_PLANNED_DISTANCE: u32 = 16;

/// What is reported for documents whose fingerprints are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Expand {
    /// Every pair of documents. A group of n equal fingerprints gives n·(n-1)/2 pairs: see
    /// [`Groups::equal_pairs`] before asking for it.
    #[default]
    AllPairs,
    /// In a group, one pair for each document beside the first, with the first; between two
    /// groups, the pair of their first documents.
    Star,
    /// Only the pairs of first documents of different groups; [`Groups`] has the rest.
    Representatives,
}

/// A search for all pairs within a distance.
///
/// It runs in the current rayon pool (`pool.install(|| ...)` chooses one) and gives the same set
/// of pairs for any plan, pool and instruction set.
///
/// # Examples
///
/// ```
/// use nearprint_search::{Join, Pair};
/// let prints = [0b0000u64, 0b0111, u64::MAX, 0b0001];
/// let mut pairs: Vec<Pair> = Vec::new();
/// let report = Join::within(2).sorted().pairs(&prints, &mut pairs)?;
/// assert_eq!(pairs, [Pair { a: 0, b: 3, distance: 1 }, Pair { a: 1, b: 3, distance: 2 }]);
/// assert_eq!(report.pairs, 2);
/// # Ok::<(), nearprint_search::SearchError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Join {
    k: u32,
    choice: PlanChoice,
    expand: Expand,
    sorted: bool,
    memory: Option<u64>,
    simd: SimdLevel,
    /// Fingerprints that one task should hold; tests make it small, so that small sets take every path.
    task: usize,
}

/// What a join did.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct JoinReport {
    /// Pairs given to the sink.
    pub pairs: u64,
    /// Fingerprints given, of both sets.
    pub prints: u64,
    /// Distinct fingerprints among them, of each set; not known where fingerprints were spilled.
    pub distinct: Option<u64>,
    /// The plan that was carried out.
    pub plan: Plan,
    /// Whether the sink ended the join before it was complete.
    pub stopped: bool,
}

impl Join {
    /// A join for the pairs that differ in at most `k` bits, 0 to one less than fingerprints have. Beyond
    /// [`MAX_PLANNED_DISTANCE`] all are compared, unless another plan is named.
    #[must_use]
    pub fn within(k: u32) -> Self {
        Self {
            k,
            choice: PlanChoice::Auto,
            expand: Expand::AllPairs,
            sorted: false,
            memory: None,
            simd: SimdLevel::detect(),
            task: TASK,
        }
    }

    /// Uses this plan instead of the one the cost model would choose.
    #[must_use]
    pub fn plan(mut self, choice: PlanChoice) -> Self {
        self.choice = choice;
        self
    }

    /// Says what is reported for equal fingerprints; all pairs unless said.
    #[must_use]
    pub fn expand(mut self, expand: Expand) -> Self {
        self.expand = expand;
        self
    }

    /// Gives the pairs out in ascending order of `a`, then `b`. They are then held until the
    /// search is done: 12 bytes a pair.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        self.sorted = true;
        self
    }

    /// Keeps the working memory, beside the caller's fingerprints or groups, near `bytes`; unbounded unless said.
    ///
    /// A bound makes a join read its fingerprints more often: with half the memory it would like, half as often
    /// again. One too small to group the fingerprints is refused; [`spilling`](Self::spilling) then does the work.
    #[must_use]
    pub fn memory(mut self, bytes: u64) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// Bytes of working memory a join of so many fingerprints takes at least, beside the caller's fingerprints; with
    /// less, [`memory`](Self::memory) refuses it.
    #[must_use]
    pub fn least_memory<W: FingerprintWord>(prints: usize) -> u64 {
        (Groups::<W>::bytes(prints) + LEAST_ROOM) as u64
    }

    /// Uses at most this instruction set; the best there is unless said.
    #[must_use]
    pub fn simd(mut self, level: SimdLevel) -> Self {
        self.simd = level.or_below();
        self
    }

    pub(crate) fn join_prints<W: FingerprintWord>(
        &self,
        prints: &[W],
        sink: &mut dyn PairSink,
    ) -> Result<JoinReport, SearchError> {
        self.check::<W>()?;
        let room = self.room::<W>(Groups::<W>::bytes(prints.len()))?;
        self.deliver(&Groups::from_prints(prints)?, None, room, sink)
    }

    pub(crate) fn join_groups<W: FingerprintWord>(
        &self,
        groups: &Groups<W>,
        sink: &mut dyn PairSink,
    ) -> Result<JoinReport, SearchError> {
        self.check::<W>()?;
        self.deliver(groups, None, self.room::<W>(0)?, sink)
    }

    pub(crate) fn join_sets<W: FingerprintWord>(
        &self,
        left: &[W],
        right: &[W],
        sink: &mut dyn PairSink,
    ) -> Result<JoinReport, SearchError> {
        self.check::<W>()?;
        let held = Groups::<W>::bytes(left.len()) + Groups::<W>::bytes(right.len());
        let room = self.room::<W>(held)? / 2;
        let (left, right) = (Groups::from_prints(left)?, Groups::from_prints(right)?);
        self.deliver(&left, Some(&right), room, sink)
    }

    /// The distance it serves, in bits.
    #[must_use]
    pub fn distance(&self) -> u32 {
        self.k
    }

    pub(crate) fn simd_level(&self) -> SimdLevel {
        self.simd
    }

    /// Takes [`sorted`](Self::sorted) back.
    pub(crate) fn unsorted(mut self) -> Self {
        self.sorted = false;
        self
    }

    pub(crate) fn check<W: FingerprintWord>(&self) -> Result<(), SearchError> {
        if self.k >= W::WIDTH {
            return Err(SearchError::DistanceTooLarge { k: self.k, limit: W::WIDTH - 1 });
        }
        Ok(())
    }

    /// The plan for these fingerprints, and its cost by the model in ns a distinct fingerprint.
    pub(crate) fn plan_for<W: FingerprintWord>(
        &self,
        left: &Groups<W>,
        right: Option<&Groups<W>>,
    ) -> Result<(Plan, f64), SearchError> {
        let larger = right.filter(|right| right.len() > left.len()).unwrap_or(left);
        let distinct = left.distinct() + right.map_or(0, Groups::distinct);
        let workload = Workload::of(larger.prints(), distinct, self.simd);
        match self.choice.plan(W::WIDTH, self.k)? {
            Some(plan) => {
                let plan = self.suits::<W>(plan)?;
                let cost = workload.plan(&plan);
                Ok((plan, cost))
            }
            None => Ok(cost::cheapest(W::WIDTH, self.k, &workload)?),
        }
    }

    /// The plan, if it is for these fingerprints and this distance.
    fn suits<W: FingerprintWord>(&self, plan: Plan) -> Result<Plan, SearchError> {
        if (plan.width(), plan.k()) == (W::WIDTH, self.k) {
            return Ok(plan);
        }
        Err(SearchError::PlanMismatch { plan: plan.to_string(), width: W::WIDTH, k: self.k })
    }

    fn deliver<W: FingerprintWord>(
        &self,
        left: &Groups<W>,
        right: Option<&Groups<W>>,
        room: usize,
        sink: &mut dyn PairSink,
    ) -> Result<JoinReport, SearchError> {
        let (plan, _) = self.plan_for(left, right)?;
        let work = Work {
            step: &Step::of(&plan),
            tuning: WorkerSettings::at(self.simd, self.k, self.task),
            expand: self.expand,
            equal: true,
            one_set: right.is_none(),
            room,
        };
        let (pairs, stopped) =
            self.in_order(sink, |sink| Ok(run::run(&work, left, right, sink)))?;
        Ok(JoinReport {
            pairs,
            prints: (left.len() + right.map_or(0, Groups::len)) as u64,
            distinct: Some((left.distinct() + right.map_or(0, Groups::distinct)) as u64),
            plan,
            stopped,
        })
    }

    /// Runs `search`, with its pairs put in order first if that was asked for; returns how many pairs were
    /// reported and whether the sink stopped it.
    fn in_order(
        &self,
        sink: &mut dyn PairSink,
        search: impl FnOnce(&mut dyn PairSink) -> Result<(u64, bool), SearchError>,
    ) -> Result<(u64, bool), SearchError> {
        if !self.sorted {
            return search(sink);
        }
        let mut sorting = SortingSink { pairs: Vec::new(), limit: self.sort_limit(), sink };
        search(&mut sorting)?;
        sorting.finish()
    }

    /// Fingerprints that may be scattered at a time, when `held` bytes are taken already.
    fn room<W>(&self, held: usize) -> Result<usize, SearchError> {
        let Some(allowed) = self.memory else { return Ok(usize::MAX) };
        let needed = (held + LEAST_ROOM) as u64;
        if allowed < needed {
            return Err(SearchError::MemoryTooSmall { needed, allowed });
        }
        let bytes = usize::try_from(allowed).unwrap_or(usize::MAX) - held;
        Ok(bytes / size_of::<W>())
    }

    fn sort_limit(&self) -> usize {
        let bytes = self.memory.unwrap_or(u64::MAX);
        usize::try_from(bytes / size_of::<Pair>() as u64).unwrap_or(usize::MAX)
    }
}

/// Holds pairs back until all are there, then hands them on in order.
struct SortingSink<'s> {
    pairs: Vec<Pair>,
    limit: usize,
    sink: &'s mut dyn PairSink,
}

impl PairSink for SortingSink<'_> {
    fn pairs(&mut self, batch: &[Pair]) -> std::ops::ControlFlow<()> {
        self.pairs.extend_from_slice(batch);
        if self.pairs.len() > self.limit {
            return std::ops::ControlFlow::Break(());
        }
        std::ops::ControlFlow::Continue(())
    }

    fn progress(&mut self, progress: crate::sink::Progress) -> std::ops::ControlFlow<()> {
        self.sink.progress(progress)
    }
}

impl SortingSink<'_> {
    fn finish(mut self) -> Result<(u64, bool), SearchError> {
        if self.pairs.len() > self.limit {
            return Err(SearchError::TooManyPairsToSort { limit: self.limit });
        }
        Pair::sort(&mut self.pairs);
        let mut given = 0;
        for batch in self.pairs.chunks(4096) {
            given += batch.len() as u64;
            if self.sink.pairs(batch).is_break() {
                return Ok((given, true));
            }
        }
        Ok((given, false))
    }
}

#[cfg(test)]
pub(crate) mod tests;
