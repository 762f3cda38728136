//! SPEC section 11: the sketch of a set of elements, by fast similarity sketching (S. Dahlgaard, M. Knudsen, M. Thorup,
//! "Fast Similarity Sketching", FOCS 2017).
//!
//! In the first round each element goes into one of 128 bins; a document of more than some hundred shingles fills them
//! all, and its elements need not be kept. Only as long as a bin is empty they are, for the further rounds.

use crate::kernel::{Kernel, Level, Work};

/// Numbers in a sketch.
pub(crate) const POSITIONS: usize = 128;

/// 128 numbers of 16 bits.
pub(crate) type Sketch = [u16; POSITIONS];

/// What a round adds to an element.
const ROUND: u64 = 0xd6e8_feb8_6659_fd93;

/// What shingles and weighted features are multiplied with (SPEC [11.4]).
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// So many elements are kept before it is looked whether they must be.
const UNSEEN: usize = 1024;

/// Elements that are mixed together.
const TOGETHER: usize = 64;

/// Builder of a sketch.
pub(crate) struct SketchBuilder {
    bins: Bins,
    /// The elements so far as long as a bin may be empty, some of them more than once.
    kept: Vec<u64>,
    /// With so many elements kept it is looked again.
    look_at: usize,
    /// No bin is empty: nothing is kept any more.
    full: bool,
}

/// The smallest hash in each bin.
struct Bins {
    least: [u64; POSITIONS],
    /// The largest hash in any. An empty bin's least is the largest number there is, which can be a hash too.
    most: u64,
}

impl Default for Bins {
    fn default() -> Self {
        Self { least: [u64::MAX; POSITIONS], most: 0 }
    }
}

impl Bins {
    /// Puts elements into the bins of a round.
    #[inline(always)]
    fn put(&mut self, elements: &[u64], round: u64) {
        let mut hashes = [0; TOGETHER];
        for elements in elements.chunks(TOGETHER) {
            for (hash, element) in hashes.iter_mut().zip(elements) {
                *hash = mix(element.wrapping_add(round.wrapping_mul(ROUND)));
            }
            for &hash in &hashes[..elements.len()] {
                let least = &mut self.least[(hash >> 57) as usize];
                *least = hash.min(*least);
                self.most = self.most.max(hash);
            }
        }
    }

    /// Bit i: bin i is not empty.
    #[inline(always)]
    fn filled(&self) -> u128 {
        let last = u128::from(self.most == u64::MAX) << (POSITIONS - 1);
        // In words of a machine, so that it becomes vector code.
        let mut filled = [0u64; 2];
        for (filled, least) in filled.iter_mut().zip(self.least.as_chunks::<64>().0) {
            for (bin, &least) in least.iter().enumerate() {
                *filled |= u64::from(least != u64::MAX) << bin;
            }
        }
        u128::from(filled[1]) << 64 | u128::from(filled[0]) | last
    }
}

impl Default for SketchBuilder {
    fn default() -> Self {
        Self { bins: Bins::default(), kept: Vec::new(), look_at: UNSEEN, full: false }
    }
}

impl SketchBuilder {
    /// Adds elements; those that are there already change nothing.
    #[inline(always)]
    pub(crate) fn extend(&mut self, elements: &[u64]) {
        self.bins.put(elements, 0);
        if !self.full {
            if self.kept.capacity() == 0 {
                self.kept.reserve(UNSEEN);
            }
            self.kept.extend_from_slice(elements);
            if self.kept.len() >= self.look_at {
                self.look();
            }
        }
    }

    /// Stops keeping elements where no bin is empty; else forgets those that are there twice.
    #[cold]
    fn look(&mut self) {
        self.full = self.bins.filled() == u128::MAX;
        if self.full {
            self.kept = Vec::new();
        }
        self.kept.sort_unstable();
        self.kept.dedup();
        self.look_at = UNSEEN.max(2 * self.kept.len());
    }

    /// The sketch of all elements; `None` if there was none.
    pub(crate) fn finish(self) -> Option<Sketch> {
        self.finish_counting().map(|(sketch, _)| sketch)
    }

    /// The same with the number of rounds it took.
    pub(crate) fn finish_counting(self) -> Option<(Sketch, u64)> {
        let filled = self.bins.filled();
        (filled != 0).then(|| Level::best().run(FurtherRounds { sketching: self, filled }))
    }
}

/// The rounds behind the first, up to the sketch and the number of all rounds.
struct FurtherRounds {
    sketching: SketchBuilder,
    filled: u128,
}

impl Work for FurtherRounds {
    type Output = (Sketch, u64);

    #[inline(always)]
    fn run(self, _: impl Kernel) -> (Sketch, u64) {
        let Self {
            sketching: SketchBuilder { bins: Bins { mut least, .. }, kept, .. },
            mut filled,
        } = self;
        let mut round = 1u64;
        // Round 255 fills the last bin at the latest.
        while filled != u128::MAX {
            let (new, empty) = match round.checked_sub(POSITIONS as u64) {
                None => {
                    let mut bins = Bins::default();
                    bins.put(&kept, round);
                    (bins.least, bins.filled() & !filled)
                }
                // All go into one bin.
                Some(bin) => {
                    let hash = |element: &u64| mix(element.wrapping_add(round.wrapping_mul(ROUND)));
                    let hashes = kept.iter().map(hash);
                    ([hashes.min().unwrap_or(u64::MAX); POSITIONS], 1 << bin & !filled)
                }
            };
            filled |= empty;
            // Few are left after some rounds.
            let mut bins = empty;
            while bins != 0 {
                let bin = bins.trailing_zeros() as usize;
                least[bin] = new[bin];
                bins &= bins - 1;
            }
            round += 1;
        }
        (least.map(|least| least as u16), round)
    }
}

/// SPEC [11.1].
#[inline(always)]
pub(crate) fn mix(mut x: u64) -> u64 {
    x ^= x >> 33;
    x = x.wrapping_mul(0xff51_afd7_ed55_8ccd);
    x ^= x >> 33;
    x = x.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ x >> 33
}

/// SPEC [11.4] and [11.5]: token hashes in order to shingles.
#[derive(Default)]
pub(crate) struct Shingles {
    /// The last two tokens' hashes, or as many as there were.
    last: Vec<u64>,
    tokens: u64,
}

impl Shingles {
    /// Takes the next tokens' hashes; `shingles` become those that they complete.
    #[inline(always)]
    pub(crate) fn extend(&mut self, hashes: &[u64], shingles: &mut Vec<u64>) {
        self.last.extend_from_slice(hashes);
        let window = |&[a, b, c]: &[u64; 3]| joined(joined(a, b), c);
        shingles.clear();
        shingles.extend(self.last.array_windows().map(window));
        self.last.drain(..self.last.len().saturating_sub(2));
        self.tokens += hashes.len() as u64;
    }

    /// The number of tokens.
    pub(crate) fn tokens(&self) -> u64 {
        self.tokens
    }

    /// The one element of a document too short for a shingle.
    pub(crate) fn remainder(&self) -> Option<u64> {
        match (self.tokens, self.last.as_slice()) {
            (1, &[only]) => Some(only),
            (2, &[first, second]) => Some(joined(first, second)),
            _ => None,
        }
    }
}

#[inline(always)]
fn joined(first: u64, second: u64) -> u64 {
    first.wrapping_mul(FACTOR).wrapping_add(second)
}

/// SPEC [11.6]: the element that a feature has beside those of lower weights.
#[inline(always)]
pub(crate) fn weighted(feature: u64, weight: u64) -> u64 {
    joined(feature, weight)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The standard's words, without anything clever.
    fn by_the_text(elements: &[u64]) -> Sketch {
        let mut bins: Vec<Vec<u64>> = vec![Vec::new(); POSITIONS];
        for round in 0..256u64 {
            if bins.iter().all(|bin| !bin.is_empty()) {
                break;
            }
            let mut put: Vec<Vec<u64>> = vec![Vec::new(); POSITIONS];
            for &element in elements {
                let hash = mix(element.wrapping_add(ROUND.wrapping_mul(round)));
                let bin = if round < 128 { hash >> 57 } else { round - 128 };
                put[bin as usize].push(hash);
            }
            for (bin, put) in bins.iter_mut().zip(put) {
                if bin.is_empty() {
                    *bin = put;
                }
            }
        }
        std::array::from_fn(|bin| *bins[bin].iter().min().unwrap() as u16)
    }

    fn elements(count: u64) -> Vec<u64> {
        (1..=count).map(|number| mix(number.wrapping_mul(FACTOR))).collect()
    }

    #[test]
    fn sketches_follow_the_text_for_sets_of_any_size() {
        for count in [1, 2, 3, 10, 100, 500, 1000, 5000] {
            let elements = elements(count);
            let mut sketching = SketchBuilder::default();
            // Repetition and order change nothing.
            let twice: Vec<u64> = elements.iter().rev().chain(&elements).copied().collect();
            twice.chunks(100).for_each(|some| sketching.extend(some));
            assert_eq!(sketching.finish(), Some(by_the_text(&elements)), "{count} elements");
        }
        assert_eq!(SketchBuilder::default().finish(), None);
    }

    /// What repeats for ever fills no further bin, and must not fill the memory.
    #[test]
    fn few_elements_that_repeat_are_kept_once() {
        let elements = elements(100);
        let mut sketching = SketchBuilder::default();
        for _ in 0..1_000 {
            sketching.extend(&elements);
            assert!(sketching.kept.len() < 2 * UNSEEN);
        }
        assert_eq!(sketching.finish(), Some(by_the_text(&elements)));
    }

    /// The largest hash is not an empty bin.
    #[test]
    fn every_hash_fills_its_bin() {
        // The way back through `mix`, by the inverses of its factors.
        let shifted = |x: u64| x ^ x >> 33;
        let mut element = shifted(u64::MAX).wrapping_mul(0x9cb4_b2f8_1293_37db);
        element = shifted(element).wrapping_mul(0x4f74_430c_22a5_4005);
        element = shifted(element);
        assert_eq!(mix(element), u64::MAX);
        let mut sketching = SketchBuilder::default();
        sketching.extend(&[element]);
        assert_eq!(sketching.finish(), Some(by_the_text(&[element])));
    }

    #[test]
    fn the_estimate_is_near_the_similarity() {
        let shared =
            |a: &Sketch, b: &Sketch| a.iter().zip(b).filter(|(a, b)| a == b).count() as f64 / 128.0;
        let sketch = |elements: &[u64]| {
            let mut sketching = SketchBuilder::default();
            sketching.extend(elements);
            sketching.finish().unwrap()
        };
        for (size, common) in [(30usize, 20usize), (300, 100), (3000, 2500)] {
            let wanted = common as f64 / (2 * size - common) as f64;
            let all = elements(40 * (2 * size) as u64);
            let mean = all
                .chunks(2 * size)
                .map(|some| {
                    shared(&sketch(&some[..size]), &sketch(&some[size - common..2 * size - common]))
                })
                .sum::<f64>()
                / 40.0;
            // Four standard errors of a mean of 40.
            assert!(
                (mean - wanted).abs() < 4.0 * 0.0442 / 40f64.sqrt(),
                "{size}: {mean} is not {wanted}"
            );
        }
    }

    #[test]
    fn shingles_are_of_three_and_short_documents_have_one_element() {
        let three = |a: u64, b: u64, c: u64| {
            (a.wrapping_mul(FACTOR).wrapping_add(b)).wrapping_mul(FACTOR).wrapping_add(c)
        };
        for count in 0..6 {
            let mut shingles = Shingles::default();
            let hashes: Vec<u64> = (1..=count).map(|hash| hash * 1000).collect();
            let (mut found, mut some) = (Vec::new(), Vec::new());
            for hashes in hashes.chunks(2) {
                shingles.extend(hashes, &mut some);
                found.append(&mut some);
            }
            let wanted: Vec<u64> =
                (3..=count).map(|at| three((at - 2) * 1000, (at - 1) * 1000, at * 1000)).collect();
            assert_eq!(found, wanted);
            let short = match count {
                1 => Some(1000),
                2 => Some(1000u64.wrapping_mul(FACTOR).wrapping_add(2000)),
                _ => None,
            };
            assert_eq!(shingles.remainder(), short);
        }
    }
}
