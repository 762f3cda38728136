//! Pairs, clusters and matches among the prints of a set: the engine's positions turned into documents.

mod clusters;
mod explain;
mod forecast;
mod join;
mod judge;
mod lookup;
mod matches;
mod numbered_results;
mod pairs;
mod probabilistic;
mod queries;
mod sets;
mod sketch_queries;
#[cfg(test)]
mod tests;
mod verified_clusters;
mod verified_matches;
mod verified_pairs;
mod watched_sink;

pub(crate) use lookup::QueryLookup;
pub use sets::Sets;
pub use verified_clusters::{ClusterDoubt, VerifiedClusters};
pub(crate) use verified_matches::SimilarDocument;
pub use verified_matches::VerifiedQuery;

use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::OnceLock;

use nearprint_search::{
    BUCKET_COMPARISONS, Bands, Expand, PlanChoice, ProbabilisticJoin, Progress, SKETCH_POSITIONS,
    SketchReport, SketchSample, SketchSource,
};
use rayon::ThreadPool;

use crate::engine::{on_pool, pool_of};
use crate::{CancelFlag, Engine, Error};

/// A search within a distance, and what it may use.
///
/// ```
/// use nearprint::{PrintSet, Search, fingerprint::{Fingerprint, Scheme}, records::DocumentId};
///
/// let mut set = PrintSet::new(Scheme::SD1);
/// for (id, value) in [("a", 0b0000), ("b", 0b0111), ("c", 0b0101), ("d", u64::MAX)] {
///     set.push(&DocumentId::new(id).unwrap(), &Fingerprint::from_u64(Scheme::SD1, value).unwrap())?;
/// }
/// let search = Search::within(2);
/// let mut pairs = Vec::new();
/// search.pairs(&set, |pair| {
///     pairs.push(format!("{} {} {}", pair.a, pair.b, pair.distance));
///     Ok::<_, nearprint::Error>(())
/// })?;
/// assert_eq!(pairs, ["a c 2", "b c 1"]);
///
/// let clusters = search.clusters(&set)?;
/// assert_eq!(clusters[0].members.len(), 3);
///
/// let query = DocumentId::new("query").unwrap();
/// let matches = search.matches(&set, &query, &Fingerprint::from_u64(Scheme::SD1, 1).unwrap())?;
/// assert_eq!((matches[0].id.as_str(), matches[0].distance), ("a", 1));
/// # Ok::<(), nearprint::Error>(())
/// ```
pub struct Search<'w> {
    distance: u32,
    threads: Option<NonZeroUsize>,
    most_sorted: Option<usize>,
    most_pairs: Option<u64>,
    expand: Expand,
    plan: PlanChoice,
    learned_join: Option<ProbabilisticJoin>,
    memory: Option<u64>,
    temp: Option<PathBuf>,
    /// Prints that a join or an index in memory may have, whatever the memory; tests make it small.
    most_in_memory: usize,
    bands: Option<Bands>,
    recall: Option<f64>,
    /// The similarity of the pairs that the recall is about, where it is not the least within the distance.
    recall_at: Option<f64>,
    /// Bands that the caller's purpose suggests, where neither bands nor a recall are asked for.
    proposed: Option<Bands>,
    bucket: Option<u64>,
    told: Option<Box<LeftOutWatcher<'w>>>,
    cancel: CancelFlag,
    watch: Option<Box<Watch<'w>>>,
    pool: Pool,
}

impl Engine {
    /// One search within a distance by the engine's threads, memory and temporary directory: the same as
    /// [`Search::within`] and [`Search::on`].
    #[must_use]
    pub fn search<'w>(&self, distance: u32) -> Search<'w> {
        Search::within(distance).on(self)
    }
}

/// Fails to compile where threads could not pass it on or share it.
const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Search<'static>>();
};

/// The threads of a search.
enum Pool {
    /// Made when they are first needed, then kept: a batch of queries is less work than starting threads.
    Own(OnceLock<ThreadPool>),
    /// Those of an engine.
    Shared(Engine),
}

/// Told how far a search is; see [`Search::watched_by`].
type Watch<'w> = dyn Fn(Progress) + Send + Sync + 'w;

/// Told what a join of sketches left out; see [`Search::told_of_left_out`].
type LeftOutWatcher<'w> = dyn Fn(&SketchReport) + Send + Sync + 'w;

/// Pairs that are put in order unless another bound is given: 1.2 GB of them.
const MOST_SORTED: usize = 100_000_000;

/// Sketches up to which bands of two rows are used, beyond it bands of three: the former find more of what is little
/// alike, and compare some hundred times as many.
const FEW_SKETCHES: usize = 200_000;

impl<'w> Search<'w> {
    /// Finds what lies within `distance` (inclusive): bits of a simhash, positions of a sketch.
    #[must_use]
    pub fn within(distance: u32) -> Self {
        Self {
            distance,
            threads: None,
            most_sorted: Some(MOST_SORTED),
            most_pairs: None,
            expand: Expand::AllPairs,
            plan: PlanChoice::Auto,
            learned_join: None,
            memory: None,
            temp: None,
            most_in_memory: usize::MAX,
            bands: None,
            recall: None,
            recall_at: None,
            proposed: None,
            bucket: Some(BUCKET_COMPARISONS),
            told: None,
            cancel: CancelFlag::new(),
            watch: None,
            pool: Pool::Own(OnceLock::new()),
        }
    }

    /// Uses so many threads of its own; `None`, the default, is one for each processor.
    #[must_use]
    pub fn threads(mut self, threads: Option<NonZeroUsize>) -> Self {
        self.threads = threads;
        self.pool = Pool::Own(OnceLock::new());
        self
    }

    /// Uses the threads, the memory and the temporary directory of an engine, which other calls share.
    #[must_use]
    pub fn on(mut self, engine: &Engine) -> Self {
        self.pool = Pool::Shared(engine.clone());
        self.memory(Some(engine.settings().memory))
            .temporary_files_in(engine.settings().temp.clone())
    }

    /// Gives pairs in the order of the input and holds them meanwhile, 12 bytes each; where there are more than `most`
    /// that is an error. `None` gives them as they are found, in any order. Default 100 million.
    #[must_use]
    pub fn sorted_up_to(mut self, most: Option<usize>) -> Self {
        self.most_sorted = most;
        self
    }

    /// Refuses to give out more pairs than this: before the search where more are expected, by a sample; during it
    /// where more are found after all. `None`, the default, is no bound. Clusters have none.
    #[must_use]
    pub fn at_most_pairs(mut self, most: Option<u64>) -> Self {
        self.most_pairs = most;
        self
    }

    /// Says which pairs are given out for documents of equal prints: all, the default, or fewer.
    #[must_use]
    pub fn expand(mut self, expand: Expand) -> Self {
        self.expand = expand;
        self
    }

    /// Uses this plan for joins of simhashes instead of the one that the cost model would choose. Whatever the plan,
    /// their pairs are the same. Of sketches, [`PlanChoice::BruteForce`] compares all instead of those that share a
    /// band; other plans do not concern them.
    #[must_use]
    pub fn plan(mut self, plan: PlanChoice) -> Self {
        self.plan = plan;
        self
    }

    /// Keeps sets, working memory and pairs held to put them in order within so many bytes; a join of simhashes that
    /// needs more works on a temporary file, one of sketches reads them more often (a set has its own bound, see
    /// [`PrintSet::within`](crate::PrintSet::within)). `None`, the default, is no bound.
    #[must_use]
    pub fn memory(mut self, bytes: Option<u64>) -> Self {
        self.memory = bytes;
        self
    }

    /// Has temporary files in this directory instead of the system's. They have no name and are gone when the process
    /// is, however it ends.
    #[must_use]
    pub fn temporary_files_in(mut self, directory: Option<PathBuf>) -> Self {
        self.temp = directory;
        self
    }

    /// Has this share, 0 to 1, of the pairs of sketches that are just within the distance found, and more of the nearer
    /// ones, by the bands that cost least among the documents at hand.
    #[must_use]
    pub fn recall(mut self, share: Option<f64>) -> Self {
        self.recall = share;
        self
    }

    /// Divides sketches into these bands instead of those chosen by the recall wanted, or where none is said by their
    /// number: 64x2 up to 200,000, else 42x3.
    #[must_use]
    pub fn bands(mut self, bands: Option<Bands>) -> Self {
        self.bands = bands;
        self
    }

    /// The share of what lies just within the distance that is enough, where one was asked for.
    #[must_use]
    pub fn wanted_recall(&self) -> Option<f64> {
        self.recall
    }

    /// The bands that were asked for.
    #[must_use]
    pub fn wanted_bands(&self) -> Option<Bands> {
        self.bands
    }

    /// Divides sketches into these bands where neither bands nor a recall are asked for.
    pub(crate) fn proposed_bands(mut self, bands: Option<Bands>) -> Self {
        self.proposed = bands;
        self
    }

    /// Has the recall be about pairs of this similarity, not about those just within the distance.
    pub(crate) fn recall_at(mut self, similarity: f64) -> Self {
        self.recall_at = Some(similarity);
        self
    }

    /// The similarity of the pairs that a recall is about.
    fn similarity_sought(&self) -> f64 {
        let least = 1.0 - f64::from(self.distance) / SKETCH_POSITIONS as f64;
        self.recall_at.unwrap_or(least)
    }

    /// Bounds the comparisons that the documents of one band's value make; `None` makes all of them. Default
    /// [`BUCKET_COMPARISONS`]; [`SketchJoin`](nearprint_search::SketchJoin) says what is done beyond it.
    #[must_use]
    pub fn comparisons_in_bucket(mut self, most: Option<u64>) -> Self {
        self.bucket = most;
        self
    }

    /// Tells `told` where a join of sketches made fewer comparisons than it would have without that bound.
    #[must_use]
    pub fn told_of_left_out(mut self, told: impl Fn(&SketchReport) + Send + Sync + 'w) -> Self {
        self.told = Some(Box::new(told));
        self
    }

    /// Stops where this flag is set.
    #[must_use]
    pub fn cancelled_by(mut self, flag: &CancelFlag) -> Self {
        self.cancel = flag.clone();
        self
    }

    /// Tells `watch` now and then, from any thread, how far the search is.
    #[must_use]
    pub fn watched_by(mut self, watch: impl Fn(Progress) + Send + Sync + 'w) -> Self {
        self.watch = Some(Box::new(watch));
        self
    }

    /// The bands for sketches.
    fn bands_for(&self, sketches: &dyn SketchSource) -> Result<Bands, Error> {
        if self.compares_all() {
            return Ok(Bands::ALL);
        }
        if let Some(bands) = self.bands {
            return Ok(bands);
        }
        if let Some(recall) = self.recall {
            let sample = SketchSample::of(sketches)?;
            return self.in_pool(|| sample.choose(self.similarity_sought(), recall));
        }
        if let Some(bands) = self.proposed {
            return Ok(bands);
        }
        let rows = if sketches.len() <= FEW_SKETCHES { 2 } else { 3 };
        Ok(Bands::new(128 / rows, rows).expect("they fit into 128 positions"))
    }

    /// Whether each fingerprint is compared with every other.
    fn compares_all(&self) -> bool {
        self.plan == PlanChoice::BruteForce
    }

    /// The distance within which it finds.
    #[must_use]
    pub fn distance(&self) -> u32 {
        self.distance
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    pub(crate) fn in_pool<R: Send>(&self, work: impl FnOnce() -> R + Send) -> Result<R, Error> {
        let (mut work, mut result) = (Some(work), None);
        self.cross(&mut || result = work.take().map(|work| work()))?;
        Ok(result.expect("the pool did the work"))
    }

    /// Does the work of [`in_pool`](Self::in_pool), compiled once for all kinds of it.
    fn cross(&self, work: &mut (dyn FnMut() + Send)) -> Result<(), Error> {
        let own = match &self.pool {
            Pool::Own(own) => own,
            Pool::Shared(engine) => return engine.install(work),
        };
        let pool = match own.get() {
            Some(pool) => pool,
            None => {
                let pool = pool_of(self.threads)?;
                own.get_or_init(|| pool)
            }
        };
        on_pool(pool, work);
        Ok(())
    }
}

impl fmt::Debug for Search<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search")
            .field("distance", &self.distance)
            .field("threads", &self.threads)
            .field("most_sorted", &self.most_sorted)
            .field("most_pairs", &self.most_pairs)
            .field("expand", &self.expand)
            .field("plan", &self.plan)
            .field("memory", &self.memory)
            .field("temp", &self.temp)
            .field("cancel", &self.cancel)
            .finish_non_exhaustive()
    }
}
