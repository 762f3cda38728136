//! Pairs of similar sketches, by equality joins over bands.
//!
//! One band at a time: sort the documents by the band's rows, and compare all that share them. A pair is given out
//! by the first band in which it agrees, so no set of seen pairs is kept. Equal sketches are grouped first.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::{Bands, SKETCH_POSITIONS, Sketch, sketch_distance};
use crate::error::SearchError;
use crate::groups::Groups;
use crate::join::Expand;
use crate::radix;
use crate::sink::{Pair, PairSink, Progress};

/// Documents of one bucket that a task compares with those behind them: enough to be worth a task, few enough to share a bucket of
/// page templates among all cores.
const ROWS_A_TASK: usize = 256;

/// A search for all pairs of sketches that agree in a band and differ in at most k positions.
///
/// Runs in the current rayon pool and gives the same set of pairs for any pool. Every pair comes once. Time is linear in the
/// documents times the bands, and in the pairs that share a band; memory is 28 bytes a document beside the caller's sketches.
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
    k: u32,
    bands: Bands,
    expand: Expand,
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
    /// Whether the sink ended the join before it was complete.
    pub stopped: bool,
}

impl SketchJoin {
    /// A join for the pairs that agree in one of the bands and differ in at most `k` positions, 0 to 128.
    #[must_use]
    pub fn within(k: u32, bands: Bands) -> Self {
        Self { k, bands, expand: Expand::AllPairs, sorted: false }
    }

    /// Says what is given out for equal sketches; all pairs unless said.
    #[must_use]
    pub fn expand(mut self, expand: Expand) -> Self {
        self.expand = expand;
        self
    }

    /// Gives the pairs out in ascending order of `a`, then `b`. They are then held until the search is done: 12 bytes a pair.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        self.sorted = true;
        self
    }

    /// Gives the pairs of `sketches` to `sink`; `Pair::a` and `Pair::b` are positions in `sketches`, `a < b`.
    ///
    /// # Errors
    ///
    /// When there are more than 2^32 - 1 sketches.
    pub fn pairs(
        &self,
        sketches: &[Sketch],
        sink: &mut dyn PairSink,
    ) -> Result<SketchReport, SearchError> {
        if self.sorted {
            let mut held = Held { pairs: Vec::new(), sink };
            let mut report = self.run(sketches, &mut held)?;
            let Held { mut pairs, sink } = held;
            pairs.par_sort_unstable();
            report.stopped |= pairs.chunks(1 << 12).any(|batch| sink.pairs(batch).is_break());
            return Ok(report);
        }
        self.run(sketches, sink)
    }

    fn run(
        &self,
        sketches: &[Sketch],
        sink: &mut dyn PairSink,
    ) -> Result<SketchReport, SearchError> {
        // Equal sketches are told by 128 bits of them: two that differ agree in these with probability 2^-128.
        let digests: Vec<u128> = sketches.par_iter().map(digest).collect();
        let groups = Groups::of(&digests)?;
        drop(digests);
        let groups: Vec<&[u32]> = groups.iter().map(|(_, documents)| documents).collect();
        let run = Run {
            join: self,
            sketches,
            groups: &groups,
            sink: Mutex::new(sink),
            stop: AtomicBool::new(false),
            pairs: AtomicU64::new(0),
            compared: AtomicU64::new(0),
        };
        let mut largest_bucket = 0;
        run.equal();
        for band in 0..self.bands.bands() {
            if run.stopped() {
                break;
            }
            largest_bucket = largest_bucket.max(run.band(band));
            run.progress(u64::from(band) + 1);
        }
        Ok(SketchReport {
            pairs: run.pairs.into_inner(),
            distinct: groups.len() as u64,
            compared: run.compared.into_inner(),
            largest_bucket: largest_bucket as u64,
            stopped: run.stop.into_inner(),
        })
    }
}

/// Keeps all pairs, and passes progress on.
struct Held<'s> {
    pairs: Vec<Pair>,
    sink: &'s mut dyn PairSink,
}

impl PairSink for Held<'_> {
    fn pairs(&mut self, batch: &[Pair]) -> ControlFlow<()> {
        self.pairs.extend_from_slice(batch);
        ControlFlow::Continue(())
    }

    fn progress(&mut self, progress: Progress) -> ControlFlow<()> {
        self.sink.progress(progress)
    }
}

/// A join at work.
struct Run<'r> {
    join: &'r SketchJoin,
    sketches: &'r [Sketch],
    /// The documents of each distinct sketch, ascending.
    groups: &'r [&'r [u32]],
    sink: Mutex<&'r mut dyn PairSink>,
    stop: AtomicBool,
    pairs: AtomicU64,
    compared: AtomicU64,
}

impl Run<'_> {
    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn sketch(&self, group: u32) -> &Sketch {
        &self.sketches[self.groups[group as usize][0] as usize]
    }

    /// The pairs of documents with equal sketches.
    fn equal(&self) {
        self.groups.par_iter().for_each(|documents| {
            let firsts = match self.join.expand {
                Expand::AllPairs => documents.len(),
                Expand::Star => 1,
                Expand::Representatives => 0,
            };
            let mut found = Vec::new();
            for (at, &a) in documents.iter().enumerate().take(firsts) {
                found.extend(documents[at + 1..].iter().map(|&b| Pair { a, b, distance: 0 }));
                self.send_above(1 << 12, &mut found);
            }
            self.send_above(0, &mut found);
        });
    }

    /// The pairs whose first agreeing band is this one; the size of its largest bucket.
    fn band(&self, band: u32) -> usize {
        let positions = self.join.bands.positions(band);
        let keys: Vec<u64> = (0..self.groups.len() as u32)
            .into_par_iter()
            .map(|group| key(&self.sketch(group)[positions.clone()]))
            .collect();
        let (keys, members) = radix::sort_with_positions(&keys);
        let mut tasks: Vec<(&[u32], usize)> = Vec::new();
        let (mut start, mut largest) = (0, 0);
        for bucket in keys.chunk_by(|a, b| a == b) {
            let end = start + bucket.len();
            if bucket.len() > 1 {
                largest = largest.max(bucket.len());
                let members = &members[start..end];
                tasks.extend((0..members.len()).step_by(ROWS_A_TASK).map(|row| (members, row)));
            }
            start = end;
        }
        tasks.par_iter().for_each(|&(members, row)| self.compare(band, members, row));
        largest
    }

    /// Compares some members of a bucket, from `row` on, with all behind each.
    fn compare(&self, band: u32, members: &[u32], row: usize) {
        let mut found = Vec::new();
        let mut compared = 0;
        for at in row..members.len().min(row + ROWS_A_TASK) {
            if self.stopped() {
                break;
            }
            let first = self.sketch(members[at]);
            compared += (members.len() - at - 1) as u64;
            for &other in &members[at + 1..] {
                let second = self.sketch(other);
                let distance = sketch_distance(first, second);
                if distance <= self.join.k && self.first_agreement(first, second) == Some(band) {
                    self.expand(members[at], other, distance, &mut found);
                }
            }
        }
        self.compared.fetch_add(compared, Ordering::Relaxed);
        self.send_above(0, &mut found);
    }

    fn first_agreement(&self, a: &Sketch, b: &Sketch) -> Option<u32> {
        let bands = self.join.bands;
        (0..bands.bands()).find(|&band| a[bands.positions(band)] == b[bands.positions(band)])
    }

    /// Gives out a pair of distinct sketches as the pairs of their documents.
    fn expand(&self, first: u32, second: u32, distance: u32, found: &mut Vec<Pair>) {
        let (first, second) = (self.groups[first as usize], self.groups[second as usize]);
        let all = self.join.expand == Expand::AllPairs;
        let (firsts, seconds) = if all { (first, second) } else { (&first[..1], &second[..1]) };
        for &a in firsts {
            found.extend(seconds.iter().map(|&b| Pair { a: a.min(b), b: a.max(b), distance }));
            self.send_above(1 << 12, found);
        }
    }

    fn send_above(&self, count: usize, found: &mut Vec<Pair>) {
        if found.len() <= count {
            return;
        }
        // A sink that panicked in another task has already ended the join there.
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.stopped() {
            self.pairs.fetch_add(found.len() as u64, Ordering::Relaxed);
            if sink.pairs(found).is_break() {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
        found.clear();
    }

    fn progress(&self, done: u64) {
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        let total = u64::from(self.join.bands.bands());
        let pairs = self.pairs.load(Ordering::Relaxed);
        if sink.progress(Progress { done, total, pairs }).is_break() {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// The rows of a band as one word: themselves up to four, else mixed. A collision costs a comparison, no more.
fn key(rows: &[u16]) -> u64 {
    rows.iter().fold(0, |key, &row| {
        let turned = if rows.len() <= 4 { key << 16 } else { mix(key) };
        turned ^ u64::from(row)
    })
}

fn digest(sketch: &Sketch) -> u128 {
    let half = |seed: u64| {
        sketch.chunks_exact(4).fold(seed, |state, rows| mix(state ^ key(rows)).wrapping_add(seed))
    };
    const { assert!(SKETCH_POSITIONS.is_multiple_of(4)) };
    u128::from(half(0x9e37_79b9_7f4a_7c15)) << 64 | u128::from(half(0xd6e8_feb8_6659_fd93))
}

/// A bijection that spreads every bit (the finaliser of MurmurHash3).
fn mix(mut word: u64) -> u64 {
    word ^= word >> 33;
    word = word.wrapping_mul(0xff51_afd7_ed55_8ccd);
    word ^= word >> 33;
    word = word.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    word ^ word >> 33
}
