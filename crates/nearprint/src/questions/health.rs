//! What prints are like as a collection: whether their bits are balanced and independent, where buckets are fat, and
//! what lies near by chance.
//!
//! Nothing here needs labels. Of two documents drawn at random hardly any two have to do with one another, so that the
//! share of such pairs within a distance is, but for a collection full of copies, the share of false ones.

use std::collections::HashSet;

use nearprint_records::{ChanceRow, HealthRow};
use nearprint_search::{Sketch, sketch_distance};

use crate::store::print_set::Prints;
use crate::{CancelFlag, Error, PrintSet};

/// Pairs that are drawn.
const PAIRS: u64 = 4_000_000;

/// Prints that are counted between two looks at whether the caller goes on.
const LOOK: usize = 1 << 16;

/// Prints that are sorted between two such looks: some hundredths of a second.
const SORTED: usize = 1 << 20;

/// Bits of a block that searches use at their coarsest.
const BLOCK: u32 = 16;

/// The health of a set of prints. O(n log n), and a hundred operations for each distinct print and bit; memory of 16
/// bytes a print, for sketches 256.
///
/// The pairs are drawn by a fixed rule, so that the same prints in the same order have the same health. Once `cancel`
/// is set the work ends soon, and its figures are those of some prints.
///
/// ```
/// use nearprint::{CancelFlag, PrintSet, fingerprint::{Fingerprint, Scheme}, health, records::DocumentId};
///
/// let mut set = PrintSet::new(Scheme::SD1);
/// for value in 0..100u64 {
///     let print = Fingerprint::from_u64(Scheme::SD1, value % 50).unwrap();
///     set.push(&DocumentId::new(value.to_string()).unwrap(), &print)?;
/// }
/// let health = health(&set, &CancelFlag::new())?;
/// assert_eq!((health.prints, health.distinct, health.most_equal), (100, 50, 2));
/// // All differ in the last 6 bits only: the other 58 say nothing, and whole blocks of 16 are one bucket.
/// assert_eq!((health.least_balance, health.fattest_bucket), (Some(1.0), 50));
/// assert!(health.effective_bits.unwrap() < 8.0);
/// # Ok::<(), nearprint::Error>(())
/// ```
///
/// # Errors
/// Where the temporary file of a set of sketches cannot be read.
pub fn health(set: &PrintSet, cancel: &CancelFlag) -> Result<HealthRow, Error> {
    let scheme = set.scheme();
    let mut row = HealthRow::new(scheme, set.len() as u64);
    let mut distances = vec![scheme.close(), scheme.default_distance(), scheme.loose()];
    distances.sort_unstable();
    distances.dedup();
    let sampled = match set.prints() {
        Prints::Sketches(sketches) => {
            let mut order: Vec<Sketch> = Vec::with_capacity(sketches.len());
            sketches.each(|_, some| order.extend_from_slice(some))?;
            sort(&mut order, cancel);
            (row.distinct, row.most_equal) = counted(&order);
            order.dedup();
            of_sketches(&order, &mut row);
            sample(&order, scheme.positions(), sketch_distance, cancel)
        }
        Prints::Words(words) => {
            of_all_words(words.iter().map(|&word| word.into()), &mut row, cancel)
        }
        Prints::Narrow(words) => {
            of_all_words(words.iter().map(|&word| word.into()), &mut row, cancel)
        }
        Prints::Wide(words) => of_all_words(words.iter().copied(), &mut row, cancel),
    };
    row.sampled_pairs = sampled.iter().sum();
    row.within = distances.iter().map(|&k| chance(&sampled, k, row.prints)).collect();
    Ok(row)
}

/// Figures of words of any width, and the distances of those sampled.
fn of_all_words(
    words: impl Iterator<Item = u128>,
    row: &mut HealthRow,
    cancel: &CancelFlag,
) -> Vec<u64> {
    let positions = row.scheme.positions();
    let mut words: Vec<u128> = words.collect();
    sort(&mut words, cancel);
    (row.distinct, row.most_equal) = counted(&words);
    words.dedup();
    of_words(&words, positions as usize, row, cancel);
    sample(&words, positions, |a, b| (a ^ b).count_ones(), cancel)
}

/// Sorts, unless `cancel` is set: many prints take seconds.
fn sort<T: Ord>(prints: &mut [T], cancel: &CancelFlag) {
    if cancel.is_cancelled() {
        return;
    }
    if prints.len() <= SORTED {
        prints.sort_unstable();
        return;
    }
    let (lower, _, higher) = prints.select_nth_unstable(prints.len() / 2);
    sort(lower, cancel);
    sort(higher, cancel);
}

/// Distinct values of a sorted list, and how often the most frequent occurs.
fn counted<T: PartialEq>(sorted: &[T]) -> (u64, u64) {
    let runs = || sorted.chunk_by(|a, b| a == b);
    (runs().count() as u64, runs().map(<[T]>::len).max().unwrap_or(0) as u64)
}

fn of_words(words: &[u128], positions: usize, row: &mut HealthRow, cancel: &CancelFlag) {
    let total = words.len() as f64;
    if words.len() < 2 {
        row.fattest_bucket = words.len() as u64;
        return;
    }
    // Both bits of every two positions are 1: the diagonal has the ones of each.
    let mut both = vec![vec![0u32; positions]; positions];
    for &word in words.chunks(LOOK).take_while(|_| !cancel.is_cancelled()).flatten() {
        let mut rest = word;
        while rest != 0 {
            let bit = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            both[bit].iter_mut().enumerate().for_each(|(other, count)| {
                *count += (word >> other & 1) as u32;
            });
        }
    }
    let ones: Vec<f64> = (0..positions).map(|bit| f64::from(both[bit][bit]) / total).collect();
    balance(ones.iter().map(|&share| share.max(1.0 - share)), row);
    let (mut sum, mut squares, mut pairs) = (0.0, 0.0, 0u32);
    for a in 0..positions {
        for b in a + 1..positions {
            let covariance = f64::from(both[a][b]) / total - ones[a] * ones[b];
            squares += covariance * covariance;
            let spread = (ones[a] * (1.0 - ones[a]) * ones[b] * (1.0 - ones[b])).sqrt();
            if spread == 0.0 {
                continue;
            }
            let correlation = covariance / spread;
            sum += correlation.abs();
            pairs += 1;
            if row.most_correlated.is_none_or(|(.., most)| correlation.abs() > most.abs()) {
                row.most_correlated = Some((a as u32, b as u32, correlation));
            }
        }
    }
    row.mean_correlation = (pairs > 0).then(|| sum / f64::from(pairs));
    // Participation ratio of the covariance matrix: (sum of its eigenvalues)^2 by the sum of their squares.
    let variances: Vec<f64> = ones.iter().map(|share| share * (1.0 - share)).collect();
    let trace: f64 = variances.iter().sum();
    let norm: f64 =
        variances.iter().map(|variance| variance * variance).sum::<f64>() + 2.0 * squares;
    row.effective_bits = (norm > 0.0).then(|| trace * trace / norm);
    for block in (0..positions as u32 / BLOCK).take_while(|_| !cancel.is_cancelled()) {
        let mut buckets = vec![0u64; 1 << BLOCK];
        words.iter().for_each(|word| buckets[(word >> (block * BLOCK) & 0xffff) as usize] += 1);
        fattest(block, buckets.into_iter().max().unwrap_or(0), row);
    }
}

fn of_sketches(sketches: &[Sketch], row: &mut HealthRow) {
    if sketches.len() < 2 {
        row.fattest_bucket = sketches.len() as u64;
        return;
    }
    let fullest: Vec<u64> = (0..sketches[0].len())
        .map(|position| {
            let mut buckets = vec![0u64; 1 << 16];
            sketches.iter().for_each(|sketch| buckets[usize::from(sketch[position])] += 1);
            buckets.into_iter().max().unwrap_or(0)
        })
        .collect();
    balance(fullest.iter().map(|&count| count as f64 / sketches.len() as f64), row);
    (0..).zip(fullest).for_each(|(position, count)| fattest(position, count, row));
}

fn balance(shares: impl ExactSizeIterator<Item = f64>, row: &mut HealthRow) {
    let (count, mut sum) = (shares.len() as f64, 0.0);
    for (position, share) in (0..).zip(shares) {
        sum += share;
        if row.least_balance.is_none_or(|worst| share > worst) {
            (row.least_balanced, row.least_balance) = (Some(position), Some(share));
        }
    }
    row.mean_balance = Some(sum / count);
}

fn fattest(block: u32, count: u64, row: &mut HealthRow) {
    if count > row.fattest_bucket {
        (row.fattest_block, row.fattest_bucket) = (Some(block), count);
    }
}

/// How many pairs of distinct prints lie at each distance: of all, or of so many that are drawn, none twice.
fn sample<T>(
    prints: &[T],
    positions: u32,
    distance: impl Fn(&T, &T) -> u32,
    cancel: &CancelFlag,
) -> Vec<u64> {
    let mut counts = vec![0u64; positions as usize + 1];
    let count = prints.len() as u64;
    let all = count * count.saturating_sub(1) / 2;
    if all <= PAIRS {
        for (at, one) in prints.iter().enumerate() {
            for other in &prints[at + 1..] {
                counts[distance(one, other) as usize] += 1;
            }
        }
        return counts;
    }
    if cancel.is_cancelled() {
        return counts;
    }
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut draw = || {
        // SplitMix64 (G. Steele, D. Lea, C. Flood 2014).
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ z >> 31) * u128::from(count)) >> 64) as usize
    };
    let mut drawn = HashSet::new();
    // A pair in four of all there are is the most that is drawn, so new ones are soon found.
    while (drawn.len() as u64) < PAIRS.min(all / 4) && !cancel.is_cancelled() {
        let (one, other) = (draw(), draw());
        if one != other && drawn.insert((one.min(other), one.max(other))) {
            counts[distance(&prints[one], &prints[other]) as usize] += 1;
        }
    }
    counts
}

fn chance(sampled: &[u64], distance: u32, prints: u64) -> ChanceRow {
    let total = sampled.iter().sum::<u64>() as f64;
    let within = sampled.iter().take(distance as usize + 1).sum::<u64>() as f64;
    let share = if total > 0.0 { within / total } else { 0.0 };
    let pairs = |documents: f64| share * documents * (documents - 1.0) / 2.0;
    let mut row = ChanceRow::default();
    row.distance = distance;
    row.per_million = share * 1e6;
    row.per_million_at_most = wilson(within, total).1 * 1e6;
    row.in_set = pairs(prints as f64).max(0.0);
    row.among = [1e6, 1e7, 1e8].map(pairs);
    row
}

/// Wilson's 95 % interval of a share; 0 to 1 without trials.
pub(crate) fn wilson(hits: f64, trials: f64) -> (f64, f64) {
    const Z: f64 = 1.959_963_984_540_054;
    if trials == 0.0 {
        return (0.0, 1.0);
    }
    let share = hits / trials;
    let middle = share + Z * Z / (2.0 * trials);
    let spread = Z * (share * (1.0 - share) / trials + Z * Z / (4.0 * trials * trials)).sqrt();
    let scale = 1.0 + Z * Z / trials;
    (((middle - spread) / scale).max(0.0), ((middle + spread) / scale).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint_fingerprint::{Fingerprint, Scheme};
    use nearprint_records::DocumentId;

    fn of(words: impl IntoIterator<Item = u64>) -> HealthRow {
        let mut set = PrintSet::new(Scheme::SD1);
        for word in words {
            let print = Fingerprint::from_u64(Scheme::SD1, word).unwrap();
            set.push(&DocumentId::new("x").unwrap(), &print).unwrap();
        }
        health(&set, &CancelFlag::new()).unwrap()
    }

    fn random(seed: u64) -> u64 {
        let z = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    #[test]
    fn random_bits_are_balanced_and_independent_and_copied_ones_are_not() {
        let good = of((0..20_000).map(random));
        assert!(good.least_balance.unwrap() < 0.52, "{good:?}");
        assert!(good.mean_correlation.unwrap() < 0.01);
        assert!(good.effective_bits.unwrap() > 63.0);
        assert!(good.fattest_bucket < 12);
        assert_eq!((good.sampled_pairs, good.within[0].per_million), (PAIRS, 0.0));
        assert!(good.within[0].per_million_at_most < 1.0);

        // The upper half repeats the lower one: half of the bits say nothing new.
        let copied = of((0..20_000).map(|n| random(n) >> 32 | random(n) >> 32 << 32));
        let bits = copied.effective_bits.unwrap();
        assert!((31.0..33.0).contains(&bits), "{bits}");
        let (one, other, correlation) = copied.most_correlated.unwrap();
        assert_eq!((other - one, correlation > 0.999), (32, true));

        // One bit that is nearly always 1.
        let skewed = of((0..2_000).map(|n| random(n) | u64::from(n % 50 > 0) << 17));
        assert_eq!(skewed.least_balanced, Some(17));
        assert!((skewed.least_balance.unwrap() - 0.99).abs() < 0.005);
    }

    #[test]
    fn many_prints_are_sorted_unless_the_work_is_cancelled() {
        let words: Vec<u64> = (0..3 * SORTED as u64).map(|n| random(n) >> 40).collect();
        let (mut sorted, mut expected) = (words.clone(), words.clone());
        sort(&mut sorted, &CancelFlag::new());
        expected.sort_unstable();
        assert!(sorted == expected);
        let (mut left, cancel) = (words.clone(), CancelFlag::new());
        cancel.cancel();
        sort(&mut left, &cancel);
        assert!(left == words);
    }

    #[test]
    fn what_lies_near_by_chance_is_counted() {
        // 0, 1, 3 and 7: of six pairs three are 1 apart, two 2, one 3.
        let row = of([0, 1, 3, 7, 7, 7]);
        assert_eq!((row.prints, row.distinct, row.most_equal, row.sampled_pairs), (6, 4, 3, 6));
        let found: Vec<_> =
            row.within.iter().map(|c| (c.distance, c.per_million.round())).collect();
        assert_eq!(found, [(1, 500_000.0), (3, 1_000_000.0), (6, 1_000_000.0)]);
        assert_eq!(row.within[0].in_set, 7.5);
        assert_eq!(row.within[1].among[0], 1e6 * 999_999.0 / 2.0);
        for few in [of([]), of([5])] {
            assert_eq!((few.sampled_pairs, few.effective_bits), (0, None));
        }
    }
}
