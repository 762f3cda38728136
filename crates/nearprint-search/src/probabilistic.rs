//! Probabilistic matching: look only where the bits were uncertain.
//!
//! S. Sood, D. Loguinov, "Probabilistic near-duplicate detection using simhash", CIKM 2011. A bit of a simhash is the
//! sign of a counter; when a document changes a little, the bits that change are those whose counters were near zero.
//! So each fingerprint is looked up as it is, and with sets of its weak bits changed, the likeliest sets first.
//!
//! Two things differ from the paper. A look-up reads a bucket of fingerprints that agree in their first bits, and
//! compares what is in it, so only weak bits among those have to be changed. And how likely a set is follows from the
//! ranks of its bits, whose sum is bounded; a sample of true pairs tells which bound finds the share that is wanted.
//!
//! The exact plans are faster, and miss nothing; docs/SEARCH.md has the measurement. This is here for comparison with
//! the paper.

use std::fmt;

use crate::buckets::{Buckets, BucketsView};
use crate::error::SearchError;
use crate::groups::Groups;
use crate::join::{Emitter, Expand, MAX_PLANNED_DISTANCE, Output};
use crate::kernel::{Probe, SimdLevel};
use crate::sink::PairSink;
use crate::tasks;
use crate::word::{Bits, FingerprintWord};

/// The weak bits of a fingerprint: its sixteen least certain ones (0 the least significant), the least certain first.
pub type WeakBits = [u8; WEAK];

/// Bits kept for each fingerprint.
const WEAK: usize = 16;

/// The sum of all ranks.
const ALL_RANKS: u32 = (WEAK * (WEAK + 1) / 2) as u32;

/// Most bits by which fingerprints are put into buckets.
const MOST_BITS: u32 = 24;

/// Fingerprints that one task looks up.
const TASK: usize = 4096;

/// Fingerprints of the sample, which are compared with all.
const SAMPLE: usize = 1024;

/// Those of the sample that a thread compares before it takes more.
const TOGETHER: usize = 16;

/// Neighbours of one fingerprint of the sample that count: more tell nothing new.
const MOST_NEIGHBOURS: usize = 64;

/// The fewest pairs from which a share can be told.
const LEAST_PAIRS: usize = 100;

/// The weak bits of a fingerprint, from the counters whose signs it is made of.
///
/// Bit `b` belongs to `counters[b]`; the nearer to 0 a counter, the less certain its bit.
///
/// # Panics
///
/// When there are fewer than 16 counters, or more than 256.
///
/// # Examples
///
/// ```
/// let mut counters = [100i64; 64];
/// (counters[5], counters[40]) = (-1, 3);
/// assert_eq!(nearprint_search::weakest_bits(&counters)[..2], [5, 40]);
/// ```
#[must_use]
pub fn weakest_bits(counters: &[i64]) -> WeakBits {
    assert!((WEAK..=256).contains(&counters.len()), "a print has 16 to 256 counters");
    let mut order: Vec<u8> = (0..=u8::MAX).take(counters.len()).collect();
    order.sort_by_key(|&bit| (counters[usize::from(bit)].unsigned_abs(), bit));
    let mut weakest = [0; WEAK];
    weakest.copy_from_slice(&order[..WEAK]);
    weakest
}

/// A join that looks where bits were uncertain, and misses pairs. Its text states what it does and expects.
#[derive(Debug, Clone)]
pub struct ProbabilisticJoin {
    k: u32,
    /// The first bits of fingerprints, by which they are put into buckets.
    bits: u32,
    /// Weak bits whose ranks, from 1 on, come to more than this are not changed together.
    most: u32,
    expected_recall: f64,
    expand: Expand,
}

impl ProbabilisticJoin {
    pub(crate) fn of_sample<W: FingerprintWord>(
        prints: &[W],
        weak: &[WeakBits],
        k: u32,
        recall: f64,
    ) -> Result<Self, SearchError> {
        if k > MAX_PLANNED_DISTANCE {
            return Err(SearchError::DistanceTooLarge { k, limit: MAX_PLANNED_DISTANCE });
        }
        let groups = grouped(prints, weak)?;
        // Some fingerprints to a bucket: fewer bits leave less to guess and more to compare.
        let bits = (groups.distinct() / 5).max(2).ilog2().clamp(1, MOST_BITS);
        let mut join = Self { k, bits, most: 0, expected_recall: 0.0, expand: Expand::AllPairs };
        let mut sums = join.sample(&groups, weak);
        let found = sums.len();
        if found < LEAST_PAIRS {
            return Err(SearchError::TooFewPairs { found, least: LEAST_PAIRS });
        }
        sums.sort_unstable();
        let wanted = (recall.clamp(0.0, 1.0) * found as f64).ceil() as usize;
        join.most = wanted.checked_sub(1).map_or(0, |last| sums[last]).min(ALL_RANKS);
        let within = sums.partition_point(|&sum| sum <= join.most);
        join.expected_recall = within as f64 / found as f64;
        Ok(join)
    }

    /// Says what is reported for equal fingerprints; all pairs unless said.
    #[must_use]
    pub fn expand(mut self, expand: Expand) -> Self {
        self.expand = expand;
        self
    }

    pub(crate) fn look_up_pairs<W: FingerprintWord>(
        &self,
        prints: &[W],
        weak: &[WeakBits],
        sink: &mut dyn PairSink,
    ) -> Result<bool, SearchError> {
        let groups = grouped(prints, weak)?;
        let distinct: Vec<(W, &[u32])> = groups.iter().collect();
        let output = Output::new(sink, (&groups, None), true, self.expand, distinct.len() as u64);
        let shift = W::WIDTH - self.bits;
        let buckets = Buckets::of_distinct(groups.prints(), distinct.len(), shift, self.bits);
        let search = LookUps { join: self, groups: &groups, weak, buckets: buckets.view() };
        tasks::map(distinct.chunks(TASK).collect(), |task| {
            if !output.stopped() {
                search.look_up(task, &mut Emitter::new(&output));
                output.advance(task.len() as u64);
            }
        });
        Ok(output.stopped())
    }

    /// The sums of ranks at which true pairs are found: those of some fingerprints, which are compared with all.
    fn sample<W: FingerprintWord>(&self, groups: &Groups<W>, weak: &[WeakBits]) -> Vec<u32> {
        let (prints, firsts): (Vec<W>, Vec<u32>) =
            groups.iter().map(|(print, documents)| (print, documents[0])).unzip();
        let one_to_many = W::kernels().at(SimdLevel::detect()).one_to_many;
        let sums_of = |at: usize| {
            let mut near = Vec::new();
            one_to_many(prints[at], &prints, self.k, &mut near);
            near.retain(|&other| other as usize != at);
            let some = near.iter().step_by(near.len().div_ceil(MOST_NEIGHBOURS).max(1));
            let sum = |&other: &u32| {
                let other = other as usize;
                let of = |from: usize| {
                    self.sum_of(prints[at], prints[other], &weak[firsts[from] as usize])
                };
                of(at).min(of(other))
            };
            some.map(sum).collect::<Vec<_>>()
        };
        let every = prints.len().div_ceil(SAMPLE).max(1);
        let sample: Vec<usize> = (0..prints.len()).step_by(every).collect();
        let sums_of_some = |some: &[usize]| some.iter().flat_map(|&at| sums_of(at)).collect();
        let sums: Vec<Vec<u32>> = tasks::map(sample.chunks(TOGETHER).collect(), sums_of_some);
        sums.concat()
    }

    /// The weak bits by which a bucket is chosen, with their ranks, ascending. Files of fingerprints may name bits
    /// that do not exist, and bits twice.
    fn flips<W: FingerprintWord>(&self, weak: &WeakBits) -> Vec<(u32, usize)> {
        let shift = W::WIDTH - self.bits;
        let (mut flips, mut seen) = (Vec::new(), 0);
        for (rank, &bit) in (1..).zip(weak) {
            let place = u32::from(bit).wrapping_sub(shift);
            if place < self.bits && seen >> place & 1 == 0 {
                seen |= 1 << place;
                flips.push((rank, 1 << place));
            }
        }
        flips
    }

    /// The sum of the ranks of the bits by which the buckets of two prints differ, of a print with these weak bits;
    /// more than any sum where not all of them are weak.
    fn sum_of<W: FingerprintWord>(&self, print: W, other: W, weak: &WeakBits) -> u32 {
        let mut left = Bits::xor(print, other).window(W::WIDTH - self.bits, self.bits);
        let mut sum = 0;
        for (rank, bit) in self.flips::<W>(weak) {
            if left & bit != 0 {
                left &= !bit;
                sum += rank;
            }
        }
        if left == 0 { sum } else { u32::MAX }
    }
}

impl fmt::Display for ProbabilisticJoin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "probabilistic, by {} bits and weak bits of ranks up to {} in all, expected to find {:.1} % of the pairs of \
             different fingerprints",
            self.bits,
            self.most,
            self.expected_recall * 100.0
        )
    }
}

fn grouped<W: FingerprintWord>(prints: &[W], weak: &[WeakBits]) -> Result<Groups<W>, SearchError> {
    if prints.len() != weak.len() {
        return Err(SearchError::LengthMismatch { prints: prints.len(), beside: weak.len() });
    }
    Groups::from_prints(prints)
}

/// Look-ups of all fingerprints, in the buckets of all.
struct LookUps<'s, W: FingerprintWord> {
    join: &'s ProbabilisticJoin,
    groups: &'s Groups<W>,
    weak: &'s [WeakBits],
    buckets: BucketsView<'s, W>,
}

impl<W: FingerprintWord> LookUps<'_, W> {
    fn look_up(&self, task: &[(W, &[u32])], emitter: &mut Emitter<'_, '_, W>) {
        let (join, buckets) = (self.join, self.buckets);
        let compare = W::kernels().at(SimdLevel::detect()).probes;
        let (mut probes, mut near) = (Vec::new(), Vec::new());
        for &(print, documents) in task {
            if emitter.output().stopped() {
                return;
            }
            emitter.group(documents);
            let flips = join.flips::<W>(&self.weak[documents[0] as usize]);
            each_set(&flips, join.k, join.most, 0, &mut |set| {
                let (start, end) = buckets.bucket(buckets.key(print) ^ set);
                probes.push(Probe { print, start, end });
            });
            compare(buckets.prints, &probes, join.k, &mut near);
            probes.clear();
            for (_, at) in near.drain(..) {
                let other = buckets.prints[at as usize];
                // Of two that meet one another the lesser gives the pair out.
                let theirs = self.groups.documents(other)[0] as usize;
                let is_met = || join.sum_of(other, print, &self.weak[theirs]) <= join.most;
                if print < other || (print > other && !is_met()) {
                    emitter.prints(print, other);
                }
            }
        }
    }
}

/// Calls `each` with every set of at most `ones` of these bits whose ranks come to at most `most`, added to `set`.
fn each_set(
    flips: &[(u32, usize)],
    ones: u32,
    most: u32,
    set: usize,
    each: &mut impl FnMut(usize),
) {
    each(set);
    for (at, &(rank, bit)) in flips.iter().enumerate() {
        if ones > 0 && rank <= most {
            each_set(&flips[at + 1..], ones - 1, most - rank, set | bit, each);
        }
    }
}

#[cfg(test)]
mod tests;
