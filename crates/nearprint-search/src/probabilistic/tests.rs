//! The recall found is the recall promised, on fingerprints made of counters as simhash makes them.

use std::collections::HashSet;

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

fn exact(prints: &[u64], k: u32) -> HashSet<Pair> {
    let mut pairs: Vec<Pair> = Vec::new();
    Join::within(k).pairs(prints, &mut pairs).expect("a join");
    pairs.into_iter().collect()
}

/// What it finds: each pair once, and nothing that is not within the distance.
fn found(join: &ProbabilisticJoin, prints: &[u64], weak: &[WeakBits]) -> HashSet<Pair> {
    let mut pairs: Vec<Pair> = Vec::new();
    assert!(!join.pairs(prints, weak, &mut pairs).expect("few prints"));
    let found: HashSet<Pair> = pairs.iter().copied().collect();
    assert_eq!(found.len(), pairs.len(), "each pair once");
    found
}

fn unlike(pairs: &HashSet<Pair>) -> f64 {
    pairs.iter().filter(|pair| pair.distance > 0).count() as f64
}

#[test]
fn it_finds_what_it_promises_and_nothing_false() -> Result<(), SearchError> {
    let (prints, weak) = documents(2, 3000);
    for k in [1, 3, 8, 12] {
        let truth = exact(&prints, k);
        let mut last = 0.0;
        for recall in [0.5, 0.8, 0.95, 0.99] {
            let join = ProbabilisticJoin::learn(&prints, &weak, k, recall)?;
            let found = found(&join, &prints, &weak);
            assert!(found.is_subset(&truth), "k {k}");
            let measured = unlike(&found) / unlike(&truth);
            let expected = join.expected_recall();
            assert!((measured - expected).abs() < 0.04, "k {k}: {measured}, expected {expected}");
            assert!(
                expected >= recall || join.times_exact() > 1.0,
                "k {k}: {expected} of {recall}"
            );
            assert!(join.times_exact() <= MOST_TIMES_EXACT, "{}", join.times_exact());
            assert!(expected >= last, "no less is found where more is wanted");
            last = expected;
        }
    }
    Ok(())
}

#[test]
fn equal_prints_are_found_and_stand_together() -> Result<(), SearchError> {
    let (mut prints, mut weak) = documents(3, 800);
    for at in 0..prints.len() / 5 {
        prints.push(prints[at * 3]);
        weak.push(weak[at * 3]);
    }
    let join = ProbabilisticJoin::learn(&prints, &weak, 4, 0.9)?;
    let all = found(&join, &prints, &weak);
    let truth = exact(&prints, 4);
    let equal = |pairs: &HashSet<Pair>| pairs.iter().filter(|pair| pair.distance == 0).count();
    assert_eq!(equal(&all), equal(&truth));
    assert!(all.is_subset(&truth));
    let star = found(&join.clone().expand(Expand::Star), &prints, &weak);
    assert!(star.is_subset(&all) && star.len() < all.len());
    let first = found(&join.expand(Expand::Representatives), &prints, &weak);
    assert_eq!(equal(&first), 0);
    assert_eq!(unlike(&first), unlike(&star));
    Ok(())
}

#[test]
fn any_number_of_threads_finds_the_same() -> Result<(), SearchError> {
    let (prints, weak) = documents(5, 2500);
    let join = ProbabilisticJoin::learn(&prints, &weak, 6, 0.9)?;
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| found(&join, &prints, &weak))
    };
    assert_eq!(with(1), with(3));
    Ok(())
}

#[test]
fn a_price_beyond_the_bound_is_not_paid() -> Result<(), SearchError> {
    let (prints, weak) = documents(9, 1000);
    let groups = Groups::of(&prints)?;
    let sample = Sample::of(&groups, &weak, 8)?;
    let penalties = Penalties::of(sample.to_learn());
    let costs = tables::Costs::of(Tables { bits: 12, count: 1 }, &sample, &penalties, 8);
    let (_, recall, probes, ns) = costs.reaching(1.0, f64::INFINITY).expect("without a bound");
    assert!(recall >= 1.0 && probes > 20.0, "{probes} look-ups");
    let (_, less, fewer, cheaper) = costs.reaching(1.0, ns / 3.0).expect("more than the table");
    assert!(cheaper <= ns / 3.0 && fewer < probes && (0.3..1.0).contains(&less), "{less}");
    assert_eq!(costs.reaching(1.0, 1.0), None, "the table alone costs more");
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
