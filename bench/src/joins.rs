//! Joins of whole sets, and sorts of the same integers.

use std::ops::ControlFlow;
use std::time::Instant;

use nearprint_search::{Groups, Join, Linkage, Pair};
use rayon::prelude::*;
use rdst::RadixSort;

use crate::cpu;
use crate::options::Options;
use crate::row::Row;
use crate::sets::{Kind, Word};

/// Counts pairs.
fn counter(count: &mut u64) -> impl FnMut(&[Pair]) -> ControlFlow<()> + Send {
    |batch: &[Pair]| {
        *count += batch.len() as u64;
        ControlFlow::Continue(())
    }
}

/// All pairs of a set, counted.
pub fn pairs<W: Word>(options: &Options) {
    let prints: Vec<W> = options.set();
    let join = options.join();
    for _ in 0..options.get("repeat", 1) {
        let (start, cpu) = (Instant::now(), cpu::seconds());
        let mut count = 0;
        let groups = Groups::of(&prints).expect("fewer than 2^32");
        let grouped = start.elapsed().as_secs_f64();
        let report = join.pairs_of_groups(&groups, &mut counter(&mut count)).expect("a join");
        let (seconds, cpu) = (start.elapsed().as_secs_f64(), cpu::seconds() - cpu);
        row(&join, prints.len(), seconds, cpu)
            .seconds("grouping_seconds", grouped)
            .with("pairs", count)
            .with("equal_pairs", groups.equal_pairs())
            .with("distinct", groups.distinct())
            .with("tables", report.plan.tables())
            .print();
    }
}

/// What every join tells.
fn row(join: &Join, prints: usize, seconds: f64, cpu: f64) -> Row {
    Row::default()
        .with("n", prints)
        .with("k", join.distance())
        .seconds("seconds", seconds)
        .seconds("cpu", cpu)
        .with("peak_gib", format_args!("{:.3}", cpu::peak_gib()))
}

/// Pairs of one print of a set and one of another as large.
pub fn between(options: &Options) {
    let left: Vec<u64> = options.set();
    // Every other one is near the print at its place in the left set.
    let near = |(at, &print): (usize, &u64)| match at % 2 {
        0 => print ^ 1 << (at % 64),
        _ => crate::sets::number(77, at as u64),
    };
    let right: Vec<u64> = left.iter().enumerate().map(near).collect();
    let join = options.join();
    for _ in 0..options.get("repeat", 1) {
        let (start, cpu) = (Instant::now(), cpu::seconds());
        let mut count = 0;
        join.pairs_between(&left, &right, &mut counter(&mut count)).expect("a join");
        let (seconds, cpu) = (start.elapsed().as_secs_f64(), cpu::seconds() - cpu);
        row(&join, left.len() + right.len(), seconds, cpu).with("pairs", count).print();
    }
}

/// Components of the pairs of a set.
pub fn clusters(options: &Options) {
    let prints: Vec<u64> = options.set();
    let join = options.join();
    for _ in 0..options.get("repeat", 1) {
        let (start, cpu) = (Instant::now(), cpu::seconds());
        let mut watch: Vec<Pair> = Vec::new();
        let clusters = join.clusters(&prints, Linkage::Components, None, &mut watch);
        let clusters = clusters.expect("a join");
        let (seconds, cpu) = (start.elapsed().as_secs_f64(), cpu::seconds() - cpu);
        row(&join, prints.len(), seconds, cpu).with("clusters", clusters.len()).print();
    }
}

/// Sorting the same integers, as a yardstick: rayon's unstable sort and a radix sort.
pub fn sort(options: &Options) {
    let prints: Vec<u64> = options.set();
    for _ in 0..options.get("repeat", 1) {
        let mut copy = prints.clone();
        let start = Instant::now();
        copy.par_sort_unstable();
        let comparing = start.elapsed().as_secs_f64();
        copy.copy_from_slice(&prints);
        let start = Instant::now();
        copy.radix_sort_unstable();
        let radix = start.elapsed().as_secs_f64();
        Row::default()
            .with("n", prints.len())
            .seconds("seconds", comparing.min(radix))
            .seconds("rayon_seconds", comparing)
            .seconds("rdst_seconds", radix)
            .with("peak_gib", format_args!("{:.3}", cpu::peak_gib()))
            .print();
    }
}

/// A set that fills the memory: made, given away to be grouped, joined, each timed apart. Its 10^9 prints take 12 GB, a
/// table of them scattered in one pass 8 GB.
pub fn billion(options: &Options) {
    let count: usize = options.get("n", 1_000_000_000);
    let seed = options.get("seed", 1);
    let start = Instant::now();
    let mut prints = vec![0u64; count];
    prints.par_chunks_mut(1 << 20).enumerate().for_each(|(chunk, prints)| {
        for (at, print) in (0u64..).zip(prints) {
            *print = Kind::Uniform.print(seed, ((chunk as u64) << 20) + at);
        }
    });
    let made = start.elapsed().as_secs_f64();
    let (start, cpu) = (Instant::now(), cpu::seconds());
    let groups = Groups::of_owned(prints).expect("fewer than 2^32");
    let (grouped, grouped_cpu) = (start.elapsed().as_secs_f64(), cpu::seconds() - cpu);
    let join = Join::within(options.get("k", 3)).memory(options.get("memory", 15 << 29));
    let mut pairs = 0;
    join.pairs_of_groups(&groups, &mut counter(&mut pairs)).expect("a join");
    let (seconds, cpu) = (start.elapsed().as_secs_f64(), cpu::seconds() - cpu);
    row(&join, count, seconds, cpu)
        .seconds("making_seconds", made)
        .seconds("grouping_seconds", grouped)
        .seconds("grouping_cpu", grouped_cpu)
        .with("pairs", pairs)
        .print();
}

pub fn explain(options: &Options) {
    let groups = Groups::of(&options.set::<u64>()).expect("fewer than 2^32");
    let cpu = cpu::seconds();
    println!("{}", options.join().explain(&groups).expect("a join"));
    println!("explained in {:.3} s", cpu::seconds() - cpu);
}
