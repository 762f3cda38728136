//! The inner loops, each as far alone as the public doors allow, one core; random fingerprints of 64 bits unless said.
//!
//! `cargo bench -p nearprint-search`. Whole joins against other programs are measured in `bench/`.

use std::ops::ControlFlow;

use divan::Bencher;
use divan::counter::ItemsCount;
use nearprint_search::{Groups, Join, Pair, PlanChoice, QueryIndex, SearchedWord, SimdLevel};

fn main() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
    pool.install(divan::main);
}

/// Fingerprints that stay in the second cache, in the third, and in none.
const SIZES: [usize; 3] = [1 << 15, 1 << 20, 1 << 23];

fn number(at: u64) -> u64 {
    let mut z = at.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn prints(count: usize) -> Vec<u64> {
    (0..count as u64).map(number).collect()
}

fn wide(count: usize) -> Vec<u128> {
    (0..count as u64).map(|at| u128::from(number(at)) << 64 | u128::from(number(!at))).collect()
}

fn count(count: &mut u64) -> impl FnMut(&[Pair]) -> ControlFlow<()> + Send {
    |pairs: &[Pair]| {
        *count += pairs.len() as u64;
        ControlFlow::Continue(())
    }
}

fn pairs<W: SearchedWord>(join: &Join, groups: &Groups<W>) -> u64 {
    let mut found = 0;
    join.pairs_of_groups(groups, &mut count(&mut found)).expect("prints and plan suit");
    found
}

/// The comparing kernels: every fingerprint of 4,096 with every other; items are comparisons.
#[divan::bench_group(max_time = 2)]
mod kernels {
    use super::*;

    const PRINTS: usize = 4096;

    fn compare<W: SearchedWord>(bencher: Bencher, level: SimdLevel, prints: &[W]) {
        let groups = Groups::of(prints).expect("few prints");
        let join = Join::within(3).plan(PlanChoice::BruteForce).simd(level);
        bencher
            .counter(ItemsCount::new(PRINTS * (PRINTS - 1) / 2))
            .bench_local(|| pairs(&join, divan::black_box(&groups)));
    }

    #[divan::bench(args = SimdLevel::ALL)]
    fn bits_32(bencher: Bencher, level: SimdLevel) {
        let prints: Vec<u32> = prints(PRINTS).into_iter().map(|print| print as u32).collect();
        compare(bencher, level, &prints);
    }

    #[divan::bench(args = SimdLevel::ALL)]
    fn bits_64(bencher: Bencher, level: SimdLevel) {
        compare(bencher, level, &prints(PRINTS));
    }

    #[divan::bench(args = SimdLevel::ALL)]
    fn bits_128(bencher: Bencher, level: SimdLevel) {
        compare(bencher, level, &wide(PRINTS));
    }
}

/// The radix sorts that put equal fingerprints together, of fingerprints kept and of fingerprints given away.
#[divan::bench_group(max_time = 2)]
mod radix {
    use super::*;

    #[divan::bench(args = SIZES)]
    fn sort(bencher: Bencher, size: usize) {
        let prints = prints(size);
        bencher.counter(ItemsCount::new(size)).bench_local(|| Groups::of(&prints));
    }

    #[divan::bench(args = SIZES)]
    fn sort_128(bencher: Bencher, size: usize) {
        let prints = wide(size);
        bencher.counter(ItemsCount::new(size)).bench_local(|| Groups::of(&prints));
    }

    #[divan::bench(args = SIZES)]
    fn sort_owned(bencher: Bencher, size: usize) {
        bencher
            .counter(ItemsCount::new(size))
            .with_inputs(|| prints(size))
            .bench_local_values(Groups::of_owned);
    }
}

/// Scatters and comparisons of a join, without the sort before it.
#[divan::bench_group(max_time = 2)]
mod join {
    use super::*;

    fn among<W: SearchedWord>(bencher: Bencher, join: &Join, prints: &[W]) {
        let groups = Groups::of(prints).expect("fewer than 2^32");
        let counter = ItemsCount::new(prints.len());
        bencher.counter(counter).bench_local(|| pairs(join, divan::black_box(&groups)));
    }

    #[divan::bench(args = SIZES)]
    fn within_3(bencher: Bencher, size: usize) {
        among(bencher, &Join::within(3), &prints(size));
    }

    #[divan::bench(args = SIZES)]
    fn within_6(bencher: Bencher, size: usize) {
        among(bencher, &Join::within(6), &prints(size));
    }

    #[divan::bench(args = SIZES)]
    fn within_3_of_128(bencher: Bencher, size: usize) {
        among(bencher, &Join::within(3), &wide(size));
    }

    /// The plans a user can name, on a million fingerprints, k = 3.
    #[divan::bench(args = ["auto", "draft", "4 blocks", "5 blocks", "2 parts"])]
    fn plans(bencher: Bencher, plan: &str) {
        let choice = match plan {
            "draft" => PlanChoice::Draft,
            "4 blocks" => PlanChoice::Blocks(4),
            "5 blocks" => PlanChoice::Blocks(5),
            "2 parts" => PlanChoice::MultiIndex(2),
            _ => PlanChoice::Auto,
        };
        among(bencher, &Join::within(3).plan(choice), &prints(1 << 20));
    }
}

/// Look-ups in the query index: a batch of a thousand, half of them near a fingerprint; items are queries.
#[divan::bench_group(max_time = 2)]
mod probe {
    use super::*;

    #[divan::bench(args = [3, 6, 8])]
    fn batch(bencher: Bencher, k: u32) {
        let index = QueryIndex::build(&prints(1 << 20)).expect("fewer than 2^32");
        let asked: Vec<u64> = (0..1000).map(|at| number(at) ^ ((at % 2) << 20)).collect();
        bencher.counter(ItemsCount::new(asked.len())).bench_local(|| {
            let mut found = 0u64;
            let mut count = |_, _| {
                found += 1;
                ControlFlow::Continue(())
            };
            index.query_batch(divan::black_box(&asked), k, &mut count).expect("k suits");
            found
        });
    }

    #[divan::bench(args = [3, 6, 8])]
    fn alone(bencher: Bencher, k: u32) {
        let index = QueryIndex::build(&prints(1 << 20)).expect("fewer than 2^32");
        let mut at = 0;
        bencher.counter(ItemsCount::new(1u32)).bench_local(|| {
            at += 1;
            index.query(number(at), k)
        });
    }
}
