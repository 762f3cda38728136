//! SPEC section 11: the sketch of a set of elements, by fast similarity sketching (S. Dahlgaard, M. Knudsen, M. Thorup,
//! "Fast Similarity Sketching", FOCS 2017).
//!
//! Elements come one by one. In the first round each goes into one of 128 bins; a document of more than some hundred
//! shingles fills them all, and its elements need not be kept. Only as long as a bin is empty they are, for the further
//! rounds.

use crate::element_hash::Elements;

/// Numbers in a sketch.
pub(crate) const POSITIONS: usize = 128;

/// 128 numbers of 16 bits.
pub(crate) type Sketch = [u16; POSITIONS];

/// What a round adds to an element.
const ROUND: u64 = 0xd6e8_feb8_6659_fd93;

/// What shingles and weighted features are multiplied with (SPEC [11.4]).
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// A sketch in the making.
pub(crate) struct Sketching {
    /// The smallest hash that was put into each bin in the earliest round that filled it.
    winners: [u64; POSITIONS],
    /// Bit i: bin i is not empty.
    filled: u128,
    /// The elements so far, as long as a bin is empty.
    kept: Elements,
}

impl Default for Sketching {
    fn default() -> Self {
        Self { winners: [u64::MAX; POSITIONS], filled: 0, kept: Elements::default() }
    }
}

impl Sketching {
    /// Adds an element; one that is there already changes nothing.
    #[inline]
    pub(crate) fn add(&mut self, element: u64) {
        let hash = mix(element);
        let bin = (hash >> 57) as usize;
        if hash < self.winners[bin] {
            self.winners[bin] = hash;
        }
        if self.filled != u128::MAX {
            self.keep(bin, element);
        }
    }

    fn keep(&mut self, bin: usize, element: u64) {
        self.filled |= 1 << bin;
        if self.filled == u128::MAX {
            self.kept = Elements::default();
        } else {
            self.kept.insert(element);
        }
    }

    /// The sketch of all elements; `None` if there was none.
    pub(crate) fn finish(self) -> Option<Sketch> {
        self.finish_counting().map(|(sketch, _)| sketch)
    }

    /// The same with the number of rounds it took.
    pub(crate) fn finish_counting(mut self) -> Option<(Sketch, u64)> {
        if self.filled == 0 {
            return None;
        }
        // Round 255 fills the last bin at the latest.
        let mut round = 1;
        while self.filled != u128::MAX {
            self.round(round);
            round += 1;
        }
        Some((self.winners.map(|winner| winner as u16), round))
    }

    fn round(&mut self, round: u64) {
        let before = self.filled;
        for &element in &self.kept {
            let hash = mix(element.wrapping_add(round.wrapping_mul(ROUND)));
            let bin = match round.checked_sub(POSITIONS as u64) {
                None => hash >> 57,
                Some(bin) => bin,
            };
            if before >> bin & 1 == 0 {
                let winner = &mut self.winners[bin as usize];
                *winner = hash.min(*winner);
                self.filled |= 1 << bin;
            }
        }
    }
}

/// SPEC [11.1].
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
    /// The last token's hash.
    last: u64,
    /// The two last tokens' hashes as far as they are combined; of one token, its hash.
    combined: u64,
    tokens: u64,
}

impl Shingles {
    /// Takes the next token's hash and gives the shingle that it completes.
    #[inline]
    pub(crate) fn push(&mut self, hash: u64) -> Option<u64> {
        let pair = self.last.wrapping_mul(FACTOR).wrapping_add(hash);
        let shingle = self.combined.wrapping_mul(FACTOR).wrapping_add(hash);
        let complete = self.tokens >= 2;
        self.combined = if self.tokens == 0 { hash } else { pair };
        self.last = hash;
        self.tokens += 1;
        complete.then_some(shingle)
    }

    /// The one element of a document too short for a shingle.
    pub(crate) fn remainder(&self) -> Option<u64> {
        matches!(self.tokens, 1 | 2).then_some(self.combined)
    }
}

/// SPEC [11.6]: the elements of a feature of this weight.
pub(crate) fn weighted(feature: u64, weight: u32) -> impl Iterator<Item = u64> {
    (1..=u64::from(weight)).map(move |step| feature.wrapping_mul(FACTOR).wrapping_add(step))
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
            let mut sketching = Sketching::default();
            // Repetition and order change nothing.
            elements.iter().rev().chain(&elements).for_each(|&element| sketching.add(element));
            assert_eq!(sketching.finish(), Some(by_the_text(&elements)), "{count} elements");
        }
        assert_eq!(Sketching::default().finish(), None);
    }

    #[test]
    fn the_estimate_is_near_the_similarity() {
        let shared =
            |a: &Sketch, b: &Sketch| a.iter().zip(b).filter(|(a, b)| a == b).count() as f64 / 128.0;
        let sketch = |elements: &[u64]| {
            let mut sketching = Sketching::default();
            elements.iter().for_each(|&element| sketching.add(element));
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
            let found: Vec<u64> =
                (1..=count).filter_map(|hash| shingles.push(hash * 1000)).collect();
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
