//! SPEC section 10: features that count by the logarithm of their frequency.

use crate::counters::SimhashCounters;
use crate::sketch::{SketchBuilder, weighted};
use crate::term_frequencies::TermFrequencies;

/// SPEC [10.3]: the number of binary digits of the term frequency, 1 to 64.
pub(crate) fn weight(frequency: u64) -> u32 {
    u64::BITS - frequency.leading_zeros()
}

/// SPEC [10.4]: the 64 counters of features by their weights.
///
/// A feature's weight grows by one with its first, second, fourth, eighth ... occurrence: those are counted.
#[derive(Default)]
pub(crate) struct LogCounters {
    frequencies: TermFrequencies,
    counting: SimhashCounters,
}

impl LogCounters {
    /// Takes the hashes of the next token occurrences.
    #[inline(always)]
    pub(crate) fn extend(&mut self, hashes: &[u64]) {
        for &hash in hashes {
            self.counting.push_if(hash, self.frequencies.count(hash).is_power_of_two());
        }
    }

    /// The counters; index 0 is the least significant bit.
    pub(crate) fn finish(&mut self) -> [i64; 64] {
        self.counting.finish()
    }
}

/// SPEC [11.6]: the elements of features by their weights.
#[derive(Default)]
pub(crate) struct WeightedElements {
    frequencies: TermFrequencies,
    elements: Vec<u64>,
}

impl WeightedElements {
    /// The elements that are new with the next token occurrences, of these hashes.
    #[inline(always)]
    pub(crate) fn next(&mut self, hashes: &[u64]) -> &[u64] {
        self.elements.resize(hashes.len(), 0);
        let mut new = 0;
        for &hash in hashes {
            let frequency = self.frequencies.count(hash);
            self.elements[new] = weighted(hash, u64::from(weight(frequency)));
            new += usize::from(frequency.is_power_of_two());
        }
        &self.elements[..new]
    }
}

/// Builder of the sketch of features with their weights.
#[derive(Default)]
pub(crate) struct WeightedSketchBuilder {
    elements: WeightedElements,
    sketching: SketchBuilder,
}

impl WeightedSketchBuilder {
    /// Takes the hashes of the next token occurrences.
    #[inline(always)]
    pub(crate) fn extend(&mut self, hashes: &[u64]) {
        self.sketching.extend(self.elements.next(hashes));
    }

    /// What there is to make a sketch of.
    pub(crate) fn finish(self) -> SketchBuilder {
        self.sketching
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_is_the_number_of_binary_digits() {
        for (frequency, wanted) in
            [(1, 1), (2, 2), (3, 2), (4, 3), (255, 8), (256, 9), (u64::MAX, 64)]
        {
            assert_eq!(weight(frequency), wanted);
        }
    }

    /// Features with their frequencies, and their occurrences one after another.
    fn features() -> (Vec<(u64, u64)>, Vec<u64>) {
        let mut feature = 1u64;
        let features: Vec<(u64, u64)> = (0..600)
            .map(|number| {
                feature = feature.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (feature, 1 + number * number % 300)
            })
            .collect();
        let rounds = 0..300;
        let occurrences = rounds.flat_map(|round| {
            features.iter().filter(move |(_, frequency)| *frequency > round).map(|&(hash, _)| hash)
        });
        let occurrences = occurrences.collect();
        (features, occurrences)
    }

    #[test]
    fn counters_are_the_weighted_sums() {
        let (features, occurrences) = features();
        let mut wanted = [0i64; 64];
        for (feature, frequency) in features {
            for (bit, counter) in wanted.iter_mut().enumerate() {
                let sign = if feature >> bit & 1 == 1 { 1 } else { -1 };
                *counter += sign * i64::from(frequency.ilog2() + 1);
            }
        }
        let mut counting = LogCounters::default();
        occurrences.chunks(77).for_each(|hashes| counting.extend(hashes));
        assert_eq!(counting.finish(), wanted);
    }

    #[test]
    fn elements_are_one_for_each_weight() {
        let (features, occurrences) = features();
        let mut wanted: Vec<u64> = features
            .iter()
            .flat_map(|&(feature, frequency)| {
                (1..=frequency.ilog2() + 1).map(move |step| weighted(feature, step.into()))
            })
            .collect();
        let mut elements = WeightedElements::default();
        let mut found: Vec<u64> =
            occurrences.chunks(77).flat_map(|hashes| elements.next(hashes).to_vec()).collect();
        wanted.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, wanted);
    }
}
