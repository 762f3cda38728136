//! Pairs of similar sketches, by equality joins over bands: what is asked for, and what was done.

use std::ops::ControlFlow;

use super::run::run;
use super::source::SketchSource;
use super::{Bands, Sketch};
use crate::error::SearchError;
use crate::join::Expand;
use crate::sink::{Pair, PairSink, Progress};

/// Comparisons that the documents of one band's value make at most unless said: those of 10,000 with each other, half
/// a second's work.
pub const BUCKET_COMPARISONS: u64 = 50_000_000;

/// A search for all pairs of sketches that agree in a band and differ in at most k positions.
///
/// Runs in the current rayon pool and gives the same set of pairs for any pool and any memory. Every pair comes once.
/// Time is linear in the documents times the bands, and in the pairs that share a band's value. Memory is some 40 bytes
/// a document beside the caller's sketches, or as much as [`memory`](Self::memory) says.
///
/// **Values that very many documents share** (page templates) would make more comparisons than anybody waits for: 10^5
/// documents make 5 x 10^9. Where a value's comparisons exceed a bound ([`BUCKET_COMPARISONS`] unless said), only its
/// first documents are compared with all after them, as many as the bound allows; so masses of near-equal documents
/// stay connected. Whatever else these documents share is found by their other bands. The report says how often that
/// was so.
///
/// ```
/// use nearprint_search::{Bands, Pair, SketchJoin};
/// let (first, mut second, third) = ([7u16; 128], [7u16; 128], [9u16; 128]);
/// second[0] = 1;
/// let mut pairs: Vec<Pair> = Vec::new();
/// let bands = Bands::new(40, 3)?;
/// SketchJoin::within(64, bands).sorted().pairs(&[first, second, third], &mut pairs)?;
/// assert_eq!(pairs, [Pair { a: 0, b: 1, distance: 1 }]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct SketchJoin {
    pub(super) k: u32,
    pub(super) bands: Bands,
    pub(super) expand: Expand,
    pub(super) memory: Option<u64>,
    pub(super) bucket: Option<u64>,
    sorted: bool,
}

/// What a join of sketches did.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SketchReport {
    /// Pairs given to the sink.
    pub pairs: u64,
    /// Distinct sketches.
    pub distinct: u64,
    /// Comparisons of two sketches, in all bands together.
    pub compared: u64,
    /// Documents in the largest bucket of any band.
    pub largest_bucket: u64,
    /// Buckets of which only the first documents were compared with all after them.
    pub bounded_buckets: u64,
    /// Comparisons that were not made for that.
    pub left_out: u64,
    /// Whether the sink ended the join before it was complete.
    pub stopped: bool,
}

impl SketchJoin {
    /// A join for the pairs that agree in one of the bands and differ in at most `k` positions, 0 to 128.
    #[must_use]
    pub fn within(k: u32, bands: Bands) -> Self {
        Self {
            k,
            bands,
            expand: Expand::AllPairs,
            memory: None,
            bucket: Some(BUCKET_COMPARISONS),
            sorted: false,
        }
    }

    /// Says what is reported for equal sketches; all pairs unless said.
    #[must_use]
    pub fn expand(mut self, expand: Expand) -> Self {
        self.expand = expand;
        self
    }

    /// Works with so many bytes beside what the source holds, and what a bucket's pairs take until the sink has them:
    /// in more passes over the sketches where they are few. `None`, the default, takes what is fastest.
    #[must_use]
    pub fn memory(mut self, bytes: Option<u64>) -> Self {
        self.memory = bytes;
        self
    }

    /// Bounds the comparisons that the documents of one band's value make; `None` compares all of them. Default
    /// [`BUCKET_COMPARISONS`].
    #[must_use]
    pub fn comparisons_in_bucket(mut self, most: Option<u64>) -> Self {
        self.bucket = most;
        self
    }

    /// Gives the pairs out in ascending order of `a`, then `b`. They are then held until the search is done: 12 bytes a
    /// pair.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        self.sorted = true;
        self
    }

    /// Gives the pairs of `sketches` to `sink`; `Pair::a` and `Pair::b` are positions in `sketches`, `a < b`.
    ///
    /// # Errors
    ///
    /// When there are more than 2^32 - 1 sketches, or the memory is less than their number takes.
    pub fn pairs(
        &self,
        sketches: &[Sketch],
        sink: &mut dyn PairSink,
    ) -> Result<SketchReport, SearchError> {
        self.pairs_of(&sketches, sink)
    }

    /// The same for sketches wherever they are.
    ///
    /// # Errors
    ///
    /// As for [`pairs`](Self::pairs), and when sketches cannot be read.
    pub fn pairs_of(
        &self,
        sketches: &dyn SketchSource,
        sink: &mut dyn PairSink,
    ) -> Result<SketchReport, SearchError> {
        self.in_order(sink, |sink| run(self, sketches, None, sink))
    }

    /// Gives the pairs of one of the first `left` sketches, as `a`, and one of those after, as `b`, which is then its
    /// position among these. Sketches of one side are not compared; of equal ones all pairs are given.
    ///
    /// # Errors
    ///
    /// As for [`pairs_of`](Self::pairs_of).
    pub fn pairs_between(
        &self,
        sketches: &dyn SketchSource,
        left: u32,
        sink: &mut dyn PairSink,
    ) -> Result<SketchReport, SearchError> {
        self.in_order(sink, |sink| run(self, sketches, Some(left), sink))
    }

    fn in_order(
        &self,
        sink: &mut dyn PairSink,
        run: impl FnOnce(&mut dyn PairSink) -> Result<SketchReport, SearchError>,
    ) -> Result<SketchReport, SearchError> {
        if !self.sorted {
            return run(sink);
        }
        let mut held = PairCollector { pairs: Vec::new(), sink };
        let mut report = run(&mut held)?;
        let PairCollector { mut pairs, sink } = held;
        Pair::sort(&mut pairs);
        report.stopped |= pairs.chunks(1 << 12).any(|batch| sink.pairs(batch).is_break());
        Ok(report)
    }
}

/// Sink that keeps all pairs, and passes progress on.
struct PairCollector<'s> {
    pairs: Vec<Pair>,
    sink: &'s mut dyn PairSink,
}

impl PairSink for PairCollector<'_> {
    fn pairs(&mut self, batch: &[Pair]) -> ControlFlow<()> {
        self.pairs.extend_from_slice(batch);
        ControlFlow::Continue(())
    }

    fn progress(&mut self, progress: Progress) -> ControlFlow<()> {
        self.sink.progress(progress)
    }
}
