//! The recall found is the recall promised, on prints made of counters as simhash makes them.

use std::collections::HashSet;

use super::*;
use crate::join::Join;

/// A generator of normal numbers: sums of uniform ones.
struct Normal(u64);

impl Normal {
    fn next(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }
    fn uniform(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Documents in families: their counters differ by a little noise.
fn documents(seed: u64, families: usize) -> (Vec<u64>, Vec<WeakBits>) {
    let mut normal = Normal(seed);
    let (mut prints, mut weak) = (Vec::new(), Vec::new());
    for _ in 0..families {
        let base: Vec<f64> = (0..64).map(|_| normal.next()).collect();
        let noise = normal.uniform() * 0.08;
        for _ in 0..4 {
            let counters: Vec<i64> =
                base.iter().map(|c| ((c + noise * normal.next()) * 1000.0) as i64).collect();
            prints.push(
                counters
                    .iter()
                    .enumerate()
                    .fold(0, |print, (bit, &c)| print | u64::from(c > 0) << bit),
            );
            weak.push(weakest_bits(&counters));
        }
    }
    (prints, weak)
}

fn exact(prints: &[u64], k: u32) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = Vec::new();
    Join::within(k).sorted().pairs(prints, &mut pairs).expect("a join");
    pairs
}

#[test]
fn it_finds_what_it_promises_and_nothing_false() -> Result<(), SearchError> {
    let (sample, sample_weak) = documents(1, 1500);
    let (prints, weak) = documents(2, 1500);
    for k in [3, 6] {
        let model = FlipModel::of_pairs(&sample, &sample_weak, &exact(&sample, k));
        let truth = exact(&prints, k);
        let unlike = truth.iter().filter(|pair| pair.distance > 0).count() as f64;
        let mut last = 0;
        for recall in [0.5, 0.7, 0.85] {
            let join = ProbabilisticJoin::new(k, &model, recall);
            assert!(join.expected_recall() >= recall, "{} probes", join.probes());
            assert!(join.probes() > last, "more recall takes more probes");
            last = join.probes();
            let mut pairs: Vec<Pair> = Vec::new();
            assert!(!join.pairs(&prints, &weak, &mut pairs)?);
            let found: HashSet<Pair> = pairs.iter().copied().collect();
            assert_eq!(found.len(), pairs.len(), "each pair once");
            assert!(found.is_subset(&truth.iter().copied().collect()));
            let measured = pairs.iter().filter(|pair| pair.distance > 0).count() as f64 / unlike;
            assert!(measured > recall - 0.05, "k {k}: {measured} of {recall}");
        }
    }
    Ok(())
}

#[test]
fn equal_prints_are_found_and_lengths_checked() -> Result<(), SearchError> {
    let model = FlipModel { by_rank: [0.1; WEAK], beyond: 0.0 };
    let join = ProbabilisticJoin::new(3, &model, 0.5).expand(Expand::Star);
    let mut pairs: Vec<Pair> = Vec::new();
    let weak = [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]; 3];
    join.pairs(&[4u64, 4, 5], &weak, &mut pairs)?;
    pairs.sort_unstable();
    assert_eq!(pairs, [Pair { a: 0, b: 1, distance: 0 }, Pair { a: 0, b: 2, distance: 1 }]);
    let short = join.pairs(&[4u64, 4], &weak, &mut pairs);
    assert!(matches!(short, Err(SearchError::LengthMismatch { prints: 2, beside: 3 })));
    Ok(())
}
