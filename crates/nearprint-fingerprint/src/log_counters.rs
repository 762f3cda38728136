//! SPEC section 10: features that count by the logarithm of their frequency.

use crate::counters::Counting;
use crate::element_hash::Frequencies;

/// SPEC [10.3]: the number of binary digits of the term frequency, 1 to 64.
pub(crate) fn weight(frequency: u64) -> u32 {
    u64::BITS - frequency.leading_zeros()
}

/// SPEC [10.4]: the 64 counters of features with their frequencies.
pub(crate) fn log_counters(frequencies: &Frequencies) -> [i64; 64] {
    // Features of one weight are counted like tokens, which costs little, and the counts multiplied.
    let mut by_weight: Vec<Vec<u64>> = Vec::new();
    for (&feature, &frequency) in frequencies {
        let weight = weight(frequency) as usize;
        if by_weight.len() < weight {
            by_weight.resize_with(weight, Vec::new);
        }
        by_weight[weight - 1].push(feature);
    }
    let mut counters = [0; 64];
    for (weight, features) in (1..).zip(by_weight) {
        let mut counting = Counting::default();
        features.into_iter().for_each(|feature| counting.push(feature));
        let counted = counting.finish();
        counters.iter_mut().zip(counted).for_each(|(sum, count)| *sum += weight * count);
    }
    counters
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

    #[test]
    fn counters_are_the_weighted_sums() {
        let mut frequencies = Frequencies::default();
        let mut wanted = [0i64; 64];
        let mut feature = 1u64;
        for number in 0..1000 {
            feature = feature.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let frequency = 1 + number * number % 300;
            frequencies.insert(feature, frequency);
            for (bit, counter) in wanted.iter_mut().enumerate() {
                let sign = if feature >> bit & 1 == 1 { 1 } else { -1 };
                *counter += sign * i64::from(frequency.ilog2() + 1);
            }
        }
        assert_eq!(log_counters(&frequencies), wanted);
    }
}
