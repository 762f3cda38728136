//! Probabilistic matching: look only where the bits were uncertain.
//!
//! S. Sood, D. Loguinov, "Probabilistic near-duplicate detection using simhash", CIKM 2011. A bit of a
//! simhash is the sign of a counter; when a document changes a little, the bits that change are those whose
//! counters were near zero. So each print is looked up once as it is, and once for each likely set of its
//! least certain bits changed, the likeliest sets first, until the expected recall is reached. One table is
//! enough, and k may be large; the price is that some pairs are missed.
//!
//! Here the exact joins are so cheap at small k that this pays only beyond them, from k = 8 or so; it is
//! offered with its expected recall stated, and held to it in tests.

use rayon::prelude::*;

use crate::error::SearchError;
use crate::groups::Groups;
use crate::join::{Emitter, Expand, Output};
use crate::sink::{Pair, PairSink};
use crate::word::{Bits, FingerprintWord};

/// A print's sixteen least certain bits (0 the least significant), the least certain first.
pub type WeakBits = [u8; WEAK];

/// Bits kept for each print.
const WEAK: usize = 16;

/// Sets of changed bits that are looked up at most.
const MOST_PROBES: usize = 16_384;

/// The least certain bits of a print, from the counters whose signs it is made of.
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

/// How likely each bit of a print is to differ in a near print, by its rank among the uncertain ones.
#[derive(Debug, Clone, PartialEq)]
pub struct FlipModel {
    /// For the least certain bit, the next, and so on.
    by_rank: [f64; WEAK],
    /// Expected number of other bits that differ.
    beyond: f64,
}

impl FlipModel {
    /// Learns from true pairs, as an exact join of a sample finds them; a few thousand are enough.
    ///
    /// # Panics
    ///
    /// When a pair names a document there is none of.
    #[must_use]
    pub fn of_pairs<W: FingerprintWord>(prints: &[W], weak: &[WeakBits], pairs: &[Pair]) -> Self {
        // Half a count of each, so that what was not seen is not impossible.
        let (mut counts, mut beyond, mut seen) = ([0.5; WEAK], 0.5, 1.0);
        for pair in pairs.iter().filter(|pair| pair.distance > 0) {
            let differing = Bits::xor(prints[pair.a as usize], prints[pair.b as usize]).widen();
            for document in [pair.a, pair.b] {
                let mut left = differing;
                for (rank, &bit) in weak[document as usize].iter().enumerate() {
                    counts[rank] += (differing >> bit & 1) as f64;
                    left &= !(1 << bit);
                }
                beyond += f64::from(left.count_ones());
                seen += 1.0;
            }
        }
        Self { by_rank: counts.map(|count| (count / seen).min(0.9)), beyond: beyond / seen }
    }
}

/// A join that looks where bits were uncertain, and finds most pairs.
#[derive(Debug, Clone)]
pub struct ProbabilisticJoin {
    /// Sets of ranks that are changed, the likeliest first.
    flips: Vec<u16>,
    /// The same as a set.
    listed: Vec<u64>,
    expected_recall: f64,
    expand: Expand,
}

impl ProbabilisticJoin {
    /// A join for pairs of unlike prints within `k` bits that expects to find the share `recall` of them,
    /// 0 to 1, or as much as 16,384 look-ups a print find.
    #[must_use]
    pub fn new(k: u32, model: &FlipModel, recall: f64) -> Self {
        let likelihood = |flips: u16| {
            (0..WEAK).fold((-model.beyond).exp(), |product, rank| {
                let p = model.by_rank[rank];
                product * if flips >> rank & 1 == 1 { p } else { 1.0 - p }
            })
        };
        // What is likely in all: at least one bit of the weakest or of the others, and at most k.
        let all = within(model, k);
        let mut sets: Vec<(f64, u16)> = (1..=u16::MAX)
            .filter(|flips| flips.count_ones() <= k)
            .map(|flips| (likelihood(flips), flips))
            .collect();
        sets.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let (mut found, mut flips, mut listed) = (0.0, Vec::new(), vec![0u64; 1 << (WEAK - 6)]);
        for (likelihood, set) in sets.into_iter().take(MOST_PROBES) {
            if found >= recall * all {
                break;
            }
            found += likelihood;
            flips.push(set);
            listed[usize::from(set) / 64] |= 1 << (set % 64);
        }
        let expected_recall = if all > 0.0 { (found / all).min(1.0) } else { 1.0 };
        Self { flips, listed, expected_recall, expand: Expand::AllPairs }
    }

    /// Says what is given out for equal prints; all pairs unless said.
    #[must_use]
    pub fn expand(mut self, expand: Expand) -> Self {
        self.expand = expand;
        self
    }

    /// The share of the pairs of unlike prints it expects to find from one side, 0 to 1. As a pair is found
    /// from either of its prints, more are found.
    #[must_use]
    pub fn expected_recall(&self) -> f64 {
        self.expected_recall
    }

    /// Look-ups for each distinct print.
    #[must_use]
    pub fn probes(&self) -> usize {
        self.flips.len()
    }

    /// Gives the pairs found among `prints` to `sink`, each once, equal prints among them; returns whether
    /// the sink stopped it. `weak` holds each print's least certain bits; of equal prints the first's are used.
    ///
    /// # Errors
    ///
    /// When there are too many prints, or not one entry of `weak` for each.
    pub fn pairs<W: FingerprintWord>(
        &self,
        prints: &[W],
        weak: &[WeakBits],
        sink: &mut dyn PairSink,
    ) -> Result<bool, SearchError> {
        if prints.len() != weak.len() {
            return Err(SearchError::LengthMismatch { prints: prints.len(), beside: weak.len() });
        }
        let groups = Groups::of(prints)?;
        let output = Output::new(sink, (&groups, None), true, self.expand, groups.len() as u64);
        let all: Vec<(W, &[u32])> = groups.iter().collect();
        all.par_chunks(4096).for_each(|chunk| {
            let mut emitter = Emitter::new(&output);
            for &(print, documents) in chunk {
                if output.stopped() {
                    return;
                }
                if documents.len() > 1 {
                    emitter.group(documents);
                }
                self.look_up(&groups, weak, (print, documents[0]), &mut emitter);
            }
            output.advance(chunk.len() as u64);
        });
        Ok(output.stopped())
    }

    /// Looks one print up with its likely bits changed.
    fn look_up<W: FingerprintWord>(
        &self,
        groups: &Groups<W>,
        weak: &[WeakBits],
        (print, first): (W, u32),
        emitter: &mut Emitter<'_, '_, W>,
    ) {
        let bits = &weak[first as usize];
        let changed = |&flips: &u16| {
            let mask = ranks(flips).fold(0u128, |mask, rank| mask | 1 << bits[rank]);
            Bits::xor(print, W::truncate(mask))
        };
        // Memory is asked for some look-ups ahead.
        for some in self.flips.chunks(16) {
            some.iter().map(changed).for_each(|other| groups.prefetch_entry(other));
            some.iter().map(changed).for_each(|other| groups.prefetch_documents(other));
            for other in some.iter().map(changed) {
                let Some(&theirs) = groups.documents(other).first() else { continue };
                // The lesser print gives the pair out, unless only the greater finds it.
                if print < other || !self.finds(other, &weak[theirs as usize], print) {
                    emitter.prints(print, other);
                }
            }
        }
    }

    /// Whether `print` with these uncertain bits is looked up as `other`.
    fn finds<W: FingerprintWord>(&self, print: W, bits: &WeakBits, other: W) -> bool {
        let mut left = Bits::xor(print, other).widen();
        let mut flips = 0u16;
        for (rank, &bit) in bits.iter().enumerate() {
            flips |= ((left >> bit & 1) as u16) << rank;
            left &= !(1 << bit);
        }
        left == 0 && self.listed[usize::from(flips) / 64] >> (flips % 64) & 1 == 1
    }
}

fn ranks(flips: u16) -> impl Iterator<Item = usize> {
    (0..WEAK).filter(move |rank| flips >> rank & 1 == 1)
}

/// The likelihood that between one and `k` bits differ.
fn within(model: &FlipModel, k: u32) -> f64 {
    // By number of bits: the weak ones each by their own likelihood, the others as rare events.
    let mut by_count = vec![0.0; k as usize + 1];
    let mut rare = (-model.beyond).exp();
    for (count, slot) in by_count.iter_mut().enumerate() {
        *slot = rare;
        rare *= model.beyond / (count + 1) as f64;
    }
    let none = (-model.beyond).exp() * model.by_rank.iter().map(|p| 1.0 - p).product::<f64>();
    for p in model.by_rank {
        for count in (0..by_count.len()).rev() {
            let fewer = if count == 0 { 0.0 } else { by_count[count - 1] };
            by_count[count] = by_count[count] * (1.0 - p) + fewer * p;
        }
    }
    by_count.iter().sum::<f64>() - none
}

#[cfg(test)]
mod tests;
