//! The recall found is the recall promised, on fingerprints made of counters as simhash makes them.

use std::collections::{HashMap, HashSet};

use super::*;
use crate::join::Join;
use crate::sink::Pair;

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

/// Documents in families of four: their counters differ by a little noise.
fn documents(seed: u64, families: usize) -> (Vec<u64>, Vec<WeakBits>) {
    let mut normal = Normal(seed);
    let (mut prints, mut weak) = (Vec::new(), Vec::new());
    for _ in 0..families {
        let base: Vec<f64> = (0..64).map(|_| normal.next()).collect();
        let noise = normal.uniform() * 0.2;
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

/// The pairs that it finds, each once.
fn found(join: &ProbabilisticJoin, prints: &[u64], weak: &[WeakBits]) -> HashSet<Pair> {
    let mut pairs: Vec<Pair> = Vec::new();
    assert!(!join.pairs(prints, weak, &mut pairs).expect("few prints"));
    let found: HashSet<Pair> = pairs.iter().copied().collect();
    assert_eq!(found.len(), pairs.len(), "each pair once");
    found
}

#[test]
fn it_finds_what_either_print_meets_and_the_share_that_it_promises() -> Result<(), SearchError> {
    let (mut prints, mut weak) = documents(2, 3000);
    for at in 0..prints.len() / 5 {
        prints.push(prints[at * 3]);
        weak.push(weak[at * 3]);
    }
    // Whatever a file says: bits that no print has, and one bit always.
    weak[7] = [255; WEAK];
    weak[8] = [63; WEAK];
    // Of equal prints the first decides.
    let firsts: HashMap<u64, usize> =
        prints.iter().enumerate().rev().map(|(at, &print)| (print, at)).collect();
    for k in [1, 3, 8, 12] {
        let mut truth: Vec<Pair> = Vec::new();
        Join::within(k).pairs(&prints, &mut truth)?;
        let is_first = |at: u32| firsts[&prints[at as usize]] == at as usize;
        let unlike = truth.iter().filter(|pair| is_first(pair.a) && is_first(pair.b)).count();
        for recall in [0.5, 0.8, 0.95, 0.99] {
            let join = ProbabilisticJoin::learn(&prints, &weak, k, recall)?;
            let all = found(&join, &prints, &weak);
            let met = |from: u32, to: u32| {
                let (from, to) = (prints[from as usize], prints[to as usize]);
                join.sum_of(from, to, &weak[firsts[&from]]) <= join.most
            };
            let want = truth.iter().filter(|pair| met(pair.a, pair.b) || met(pair.b, pair.a));
            assert_eq!(all, want.copied().collect(), "k {k}");
            let first = found(&join.clone().expand(Expand::Representatives), &prints, &weak);
            assert!(first.is_subset(&all) && first.iter().all(|pair| pair.distance > 0));
            let (measured, expected) = (first.len() as f64 / unlike as f64, join.expected_recall);
            assert!((measured - expected).abs() < 0.04, "k {k}: {measured}, expected {expected}");
            assert!(expected >= recall || join.most == ALL_RANKS, "k {k}: {expected} of {recall}");
        }
    }
    Ok(())
}

#[test]
fn what_cannot_be_learned_is_refused() {
    let (prints, weak) = documents(1, 3);
    let few = ProbabilisticJoin::learn(&prints, &weak, 3, 0.9);
    assert!(matches!(few, Err(SearchError::TooFewPairs { least: 100, .. })));
    let none = ProbabilisticJoin::learn::<u64>(&[], &[], 3, 0.9);
    assert!(matches!(none, Err(SearchError::TooFewPairs { found: 0, .. })));
    let short = ProbabilisticJoin::learn(&prints, &weak[1..], 3, 0.9);
    assert!(matches!(short, Err(SearchError::LengthMismatch { prints: 12, beside: 11 })));
    let far = ProbabilisticJoin::learn(&prints, &weak, 17, 0.9);
    assert!(matches!(far, Err(SearchError::DistanceTooLarge { k: 17, limit: 16 })));
}
