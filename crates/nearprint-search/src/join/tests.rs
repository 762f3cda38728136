//! Any plan, any distance, any pool, any instruction set: the pairs of brute force, each once.

use crate::SearchedWord;
use std::ops::ControlFlow;
use std::sync::LazyLock;

use proptest::prelude::*;

use super::*;
use crate::error::PlanError;
use crate::plan::tests::any_plan;
use crate::word::Bits;

/// The truth, by definition.
fn oracle<W: SearchedWord>(prints: &[W], k: u32) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (a, x) in prints.iter().enumerate() {
        for (b, y) in prints.iter().enumerate().skip(a + 1) {
            let distance = x.hamming_distance(*y);
            if distance <= k {
                pairs.push(Pair { a: a as u32, b: b as u32, distance });
            }
        }
    }
    pairs
}

fn found<W: SearchedWord>(join: &Join, prints: &[W]) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = Vec::new();
    let report = join.pairs(prints, &mut pairs).expect("prints and plan suit");
    assert_eq!(report.pairs, pairs.len() as u64);
    assert!(!report.stopped);
    pairs.sort_unstable();
    pairs
}

/// Sets as adversaries and crawls make them, of up to a few hundred fingerprints.
pub(crate) fn any_set() -> impl Strategy<Value = Vec<u128>> {
    let random = prop::collection::vec(any::<u128>(), 0..300);
    let clustered = (
        prop::collection::vec(any::<u128>(), 1..6),
        prop::collection::vec(
            (any::<prop::sample::Index>(), prop::collection::vec(0u32..128, 0..7)),
            0..300,
        ),
    )
        .prop_map(|(centres, members)| {
            members
                .into_iter()
                .map(|(centre, flips)| {
                    flips.iter().fold(*centre.get(&centres), |print, bit| print ^ (1 << bit))
                })
                .collect()
        });
    // All in one bucket of any plan that starts with the high bits, or with the low ones.
    let one_bucket = (any::<u128>(), prop::collection::vec(any::<u16>(), 0..300), 0u32..112)
        .prop_map(|(base, low, shift)| {
            low.into_iter().map(|low| base ^ (u128::from(low) << shift)).collect()
        });
    let all_equal = (any::<u128>(), 0usize..60).prop_map(|(print, count)| vec![print; count]);
    // Every two within two bits of each other.
    let all_near = (any::<u128>(), prop::collection::vec(0u32..128, 0..150))
        .prop_map(|(base, bits)| bits.into_iter().map(|bit| base ^ (1 << bit)).collect());
    prop_oneof![3 => random, 5 => clustered, 2 => one_bucket, 1 => all_equal, 2 => all_near]
}

pub(crate) fn words<W: SearchedWord>(set: &[u128]) -> Vec<W> {
    set.iter().map(|&print| <W as Bits>::truncate(print)).collect()
}

fn agrees<W: SearchedWord>(set: &[u128], choice: &PlanChoice, k: u32, level: SimdLevel) {
    let prints = words::<W>(set);
    let mut join = Join::within(k).plan(choice.clone()).simd(level);
    let truth = oracle(&prints, k);
    assert_eq!(found(&join, &prints), truth, "{choice} k={k} {level}");
    // Small tasks take the paths of large sets: scatters through memory, cells for all threads.
    join.task = 8;
    assert_eq!(found(&join, &prints), truth, "{choice} k={k} {level}, small tasks");
}

fn any_choice() -> impl Strategy<Value = (PlanChoice, u32)> {
    (any::<u32>(), 0u32..=16).prop_map(|(seed, k)| {
        let choice = match seed % 6 {
            0 => PlanChoice::Draft,
            1 => PlanChoice::Blocks(k + 1 + (seed >> 8) % 2),
            2 => PlanChoice::MultiIndex(1 + (seed >> 8) % (k + 1).min(4)),
            3 => PlanChoice::BruteForce,
            _ => PlanChoice::Auto,
        };
        (choice, k)
    })
}

pub(crate) fn any_level() -> impl Strategy<Value = SimdLevel> {
    prop::sample::select(SimdLevel::ALL.to_vec())
}

/// Pools of one to four threads.
pub(crate) fn any_pool() -> impl Strategy<Value = &'static rayon::ThreadPool> {
    static POOLS: LazyLock<Vec<rayon::ThreadPool>> = LazyLock::new(|| {
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        (1..=4).map(|threads| pool(threads).expect("a pool")).collect()
    });
    (0..POOLS.len()).prop_map(|number| &POOLS[number])
}

/// Pairs of two sets in every way `join` may take, against the truth by definition.
fn agrees_between<W: SearchedWord>(left: &[u128], right: &[u128], join: &Join) {
    let (left, right) = (words::<W>(left), words::<W>(right));
    let mut want = Vec::new();
    for (a, x) in left.iter().enumerate() {
        for (b, y) in right.iter().enumerate() {
            let distance = x.hamming_distance(*y);
            if distance <= join.k {
                want.push(Pair { a: a as u32, b: b as u32, distance });
            }
        }
    }
    for task in [TASK, 8] {
        let join = Join { task, ..join.clone() };
        let mut pairs: Vec<Pair> = Vec::new();
        join.pairs_between(&left, &right, &mut pairs).expect("prints and plan suit");
        pairs.sort_unstable();
        assert_eq!(pairs, want, "{join:?}");
    }
}

proptest! {
    #[test]
    fn any_named_plan_is_brute_force(set in any_set(), (choice, k) in any_choice(), level in any_level(), pool in any_pool()) {
        pool.install(|| {
            // 32 bits are too few for the standard's plan with many blocks.
            if choice != PlanChoice::Draft || k < 15 {
                agrees::<u32>(&set, &choice, k, level);
            }
            agrees::<u64>(&set, &choice, k, level);
            agrees::<u128>(&set, &choice, k, level);
        });
    }

    #[test]
    fn any_plan_spelt_out_is_brute_force(set in any_set(), plans in (any_plan(32), any_plan(64), any_plan(128)), level in any_level()) {
        let (k32, k64, k128) = (plans.0.k(), plans.1.k(), plans.2.k());
        agrees::<u32>(&set, &PlanChoice::Exactly(plans.0), k32, level);
        agrees::<u64>(&set, &PlanChoice::Exactly(plans.1), k64, level);
        agrees::<u128>(&set, &PlanChoice::Exactly(plans.2), k128, level);
    }

    #[test]
    fn pairs_between_sets_are_brute_force(set in any_set(), cut in any::<prop::sample::Index>(), (choice, k) in any_choice(), level in any_level(), pool in any_pool()) {
        let (left, right) = set.split_at(cut.index(set.len() + 1));
        let join = Join::within(k).plan(choice.clone()).simd(level);
        pool.install(|| {
            if choice != PlanChoice::Draft || k < 15 {
                agrees_between::<u32>(left, right, &join);
            }
            agrees_between::<u64>(left, right, &join);
            agrees_between::<u128>(left, right, &join);
        });
    }
}

/// What pairs of numbers below 2^16 come to, in any order: how many, and a sum of their hashes.
fn digest(pairs: impl Iterator<Item = (u32, u32)>) -> (u64, u64) {
    pairs.fold((0, 0), |(count, sum), (a, b)| {
        let hash = (u64::from(a) << 16 | u64::from(b)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (count + 1, sum + ((hash ^ hash >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32))
    })
}

/// All 2^`bits` fingerprints that share every bit but so many in a row: three of four blocks of 64 bits.
fn bits_apart<W: SearchedWord>(bits: u32, shift: u32, choices: &[PlanChoice]) {
    const BASE: u128 = 0x1234_5678_9abc_def0_0fed_cba9_8765_4321;
    let shared = !(((1 << bits) - 1) << shift);
    let prints: Vec<W> =
        (0..1u128 << bits).map(|n| W::truncate(BASE & shared | n << shift)).collect();
    let masks = (1..1u32 << bits).filter(|mask| mask.count_ones() <= 2);
    let want = digest(
        masks.flat_map(|mask| (0..1 << bits).map(move |n| (n, n ^ mask)).filter(|(a, b)| a < b)),
    );
    assert_eq!(want.0, u64::from(bits + bits * (bits - 1) / 2) << (bits - 1));
    for choice in choices {
        let mut got = (0, 0);
        let mut sink = |batch: &[Pair]| {
            let some = digest(batch.iter().map(|pair| (pair.a, pair.b)));
            got = (got.0 + some.0, got.1 + some.1);
            ControlFlow::Continue(())
        };
        Join::within(2).plan(choice.clone()).pairs(&prints, &mut sink).expect("a join");
        assert_eq!(got, want, "{choice}, shift {shift}");
    }
}

#[test]
fn two_to_the_sixteen_prints_that_share_all_other_blocks_are_joined() {
    let choices = [PlanChoice::Auto, PlanChoice::Blocks(4)];
    bits_apart::<u64>(16, 0, &choices);
    // The same code for words of other lengths: fewer prints are enough.
    bits_apart::<u32>(14, 8, &choices[..1]);
    bits_apart::<u128>(14, 112, &choices[..1]);
}

/// 2^12 fingerprints that share three of four blocks, among as many others: every plan puts them into one bucket,
/// and only cuts by the bits that differ take it apart.
#[test]
fn one_bucket_far_too_large_is_cut_by_other_bits() {
    let number = |n: u64| (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for shift in [0, 16, 48] {
        let sharing = (0..4096)
            .map(|n| 0x1234_5678_9abc_def0 & !(0xffff << shift) | (number(n) >> 48) << shift);
        let prints: Vec<u64> = sharing.chain((0..4096).map(|n| number(number(n)))).collect();
        let truth = oracle(&prints, 3);
        for choice in [PlanChoice::Auto, PlanChoice::Draft, PlanChoice::Blocks(4)] {
            for task in [64, TASK] {
                let mut join = Join::within(3).plan(choice.clone());
                join.task = task;
                assert_eq!(found(&join, &prints), truth, "{choice} shift {shift}");
            }
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_pairs() {
    let prints: Vec<u64> =
        (0..3000u64).map(|n| (n * n).wrapping_mul(0x2545_f491_4f6c_dd1d) & 0xffff_ff0f).collect();
    let truth = oracle(&prints, 4);
    assert!(truth.len() > 100);
    for threads in 1..=4 {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let mut join = Join::within(4);
        join.task = 100;
        assert_eq!(pool.install(|| found(&join, &prints)), truth, "{threads} threads");
    }
}

#[test]
fn a_sink_can_stop_the_join() -> Result<(), SearchError> {
    let prints: Vec<u64> = (0..4096).collect();
    let mut seen = 0;
    let mut sink = |batch: &[Pair]| {
        seen += batch.len();
        ControlFlow::Break(())
    };
    let report = Join::within(6).pairs(&prints, &mut sink)?;
    assert!(report.stopped);
    assert_eq!(report.pairs, seen as u64);
    assert!(seen < 100_000, "{seen} pairs after the first batch");
    Ok(())
}

#[test]
fn sorted_output_is_in_order_and_bounded() -> Result<(), SearchError> {
    let prints: Vec<u64> = (0..300).rev().collect();
    let mut pairs: Vec<Pair> = Vec::new();
    Join::within(2).sorted().pairs(&prints, &mut pairs)?;
    assert_eq!(pairs, oracle(&prints, 2));
    let many: Vec<u64> = (0..4096).collect();
    let bounded = Join::within(4).sorted().memory(5 << 20).pairs(&many, &mut pairs);
    assert!(matches!(bounded, Err(SearchError::TooManyPairsToSort { limit: 436_906 })));
    Ok(())
}

#[test]
fn beyond_what_is_planned_all_are_compared() -> Result<(), SearchError> {
    let prints: Vec<u64> = (0..300u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    for k in [17, 32, 40, 63] {
        let mut pairs: Vec<Pair> = Vec::new();
        let report = Join::within(k).sorted().pairs(&prints, &mut pairs)?;
        assert_eq!(report.plan, Plan::brute_force(64, k).unwrap());
        assert_eq!(pairs, oracle(&prints, k), "{k}");
    }
    Ok(())
}

#[test]
fn distances_and_plans_that_do_not_suit_are_refused() -> Result<(), PlanError> {
    let mut pairs: Vec<Pair> = Vec::new();
    let far = Join::within(64).pairs(&[0u64], &mut pairs);
    assert!(matches!(far, Err(SearchError::DistanceTooLarge { k: 64, limit: 63 })));
    let plan = PlanChoice::Exactly(Plan::draft(64, 3)?);
    for refused in [
        Join::within(4).plan(plan.clone()).pairs(&[0u64], &mut pairs),
        Join::within(3).plan(plan.clone()).pairs(&[0u32], &mut pairs),
    ] {
        assert!(matches!(refused, Err(SearchError::PlanMismatch { .. })));
    }
    Ok(())
}

#[test]
fn equal_prints_are_expanded_as_asked() -> Result<(), SearchError> {
    let prints = [5u64, 4, 5, 5, 4];
    let expanded = |expand| {
        let mut pairs: Vec<Pair> = Vec::new();
        Join::within(1).expand(expand).sorted().pairs(&prints, &mut pairs).map(|_| {
            pairs.into_iter().map(|pair| (pair.a, pair.b, pair.distance)).collect::<Vec<_>>()
        })
    };
    assert_eq!(expanded(Expand::AllPairs)?.len(), 10);
    assert_eq!(expanded(Expand::Star)?, [(0, 1, 1), (0, 2, 0), (0, 3, 0), (1, 4, 0)]);
    assert_eq!(expanded(Expand::Representatives)?, [(0, 1, 1)]);
    Ok(())
}

#[test]
fn a_memory_bound_changes_nothing_but_the_passes() -> Result<(), SearchError> {
    let prints: Vec<u64> = (0..3000u64)
        .map(|n| (n % 1000).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (1 << (n % 5)))
        .collect();
    let groups = Groups::of(&prints)?;
    let truth = oracle(&prints, 3);
    assert!(truth.len() > 10);
    let mut join = Join::within(3).plan(PlanChoice::Blocks(5)).sorted();
    join.task = 50;
    for room in [1, 100, 1000, usize::MAX] {
        let mut pairs: Vec<Pair> = Vec::new();
        join.deliver(&groups, None, room, &mut pairs)?;
        assert_eq!(pairs, truth, "room for {room}");
    }
    let bounded = Join::within(3).memory(1 << 20).pairs(&prints, &mut Vec::new());
    assert!(matches!(bounded, Err(SearchError::MemoryTooSmall { allowed: 1_048_576, .. })));
    Ok(())
}
