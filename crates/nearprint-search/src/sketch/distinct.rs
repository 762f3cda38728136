//! Equal sketches put together: each distinct one takes part in a join once.

use super::source::{SketchSource, map_all};
use super::{SKETCH_POSITIONS, Sketch, key, mix};
use crate::error::SearchError;
use crate::radix;

/// Bytes that finding the equal ones takes for each sketch examined: both halves of its digest, the first halves once
/// more in order, and positions.
pub(super) const DIGESTING: u64 = 3 * 8 + 2 * 4;

/// The first document of each distinct sketch, and the others.
///
/// Sketches are equal here where 127 bits of a hash are: two that differ agree in these with probability 2^-127.
pub(super) struct Distinct {
    /// Bit d: document d is the first of its sketch, in its set.
    firsts: Vec<u64>,
    count: u64,
    /// The other documents, each after its first, ascending.
    others: Vec<(u32, u32)>,
}

impl Distinct {
    /// Finds the equal sketches in so many passes, each of which holds [`DIGESTING`] bytes for each sketch of its part.
    /// Documents from `split` on are a set of their own.
    pub(super) fn of(
        source: &dyn SketchSource,
        split: u32,
        passes: u64,
    ) -> Result<Self, SearchError> {
        let documents = source.len();
        let mut firsts = vec![0u64; documents.div_ceil(64)];
        let (mut count, mut others) = (0, Vec::new());
        for pass in 0..passes {
            let (mut highs, mut lows) = (Vec::<u64>::new(), Vec::<u64>::new());
            let mut names: Vec<u32> = Vec::new();
            map_all(source, digest, |from, made| {
                for (document, (high, low)) in (from as u32..).zip(made) {
                    if high % passes == pass {
                        highs.push(high);
                        lows.push(low & !1 | u64::from(document >= split));
                        names.push(document);
                    }
                }
            })?;
            let (sorted, places) = radix::sort_with_positions(&highs);
            drop(highs);
            let mut places = &places[..];
            let mut members: Vec<(u64, u32)> = Vec::new();
            for equal in sorted.chunk_by(|a, b| a == b) {
                let (equal, behind) = places.split_at(equal.len());
                places = behind;
                // Mostly they have one low half, or two where both sets have the sketch.
                members.clear();
                members.extend(equal.iter().map(|&at| (lows[at as usize], names[at as usize])));
                members.sort_unstable();
                for same in members.chunk_by(|a, b| a.0 == b.0) {
                    let first = same[0].1;
                    firsts[first as usize / 64] |= 1 << (first % 64);
                    count += 1;
                    others.extend(same[1..].iter().map(|&(_, name)| (first, name)));
                }
            }
        }
        others.sort_unstable();
        Ok(Self { firsts, count, others })
    }

    /// Whether a document is the first of its sketch.
    pub(super) fn is_first(&self, document: u32) -> bool {
        self.firsts[document as usize / 64] >> (document % 64) & 1 == 1
    }

    /// Number of distinct sketches.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// The documents after the first of a sketch that have it too, ascending.
    pub(super) fn others(&self, first: u32) -> impl Iterator<Item = u32> {
        let start = self.others.partition_point(|&(of, _)| of < first);
        let same = move |other: &&(u32, u32)| other.0 == first;
        self.others[start..].iter().take_while(same).map(|&(_, other)| other)
    }

    /// Each sketch that several documents have: the first of them and the others, both in one list.
    pub(super) fn shared(&self) -> Vec<&[(u32, u32)]> {
        self.others.chunk_by(|a, b| a.0 == b.0).collect()
    }
}

/// The halves of its digest.
fn digest(sketch: &Sketch) -> (u64, u64) {
    let half = |seed: u64| {
        sketch.chunks_exact(4).fold(seed, |state, rows| mix(state ^ key(rows)).wrapping_add(seed))
    };
    const { assert!(SKETCH_POSITIONS.is_multiple_of(4)) };
    (half(0x9e37_79b9_7f4a_7c15), half(0xd6e8_feb8_6659_fd93))
}
