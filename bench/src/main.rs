//! One measurement a run: `nearprint-bench VERB key=value ...`, one JSON object a repetition on stdout.
//!
//! Verbs: `pairs`, `queries`, `clusters`, `sort`, `billion`, `explain`. Keys: `n`, `k`, `kind` (uniform,
//! skewed or weak), `file` (prints as lines of decimal digits, instead of a made set), `seed`, `threads`, `plan`, `simd`,
//! `memory` (bytes), `queries`, `repeat`.

mod cpu;
mod sets;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Instant;

use nearprint_search::{Groups, Join, Linkage, Pair, PlanChoice, QueryIndex, SimdLevel};
use rayon::prelude::*;
use rdst::RadixSort;
use sets::Kind;

struct Options(BTreeMap<String, String>);

impl Options {
    fn get<T: std::str::FromStr>(&self, key: &str, default: T) -> T {
        match self.0.get(key) {
            None => default,
            Some(text) => text.parse().unwrap_or_else(|_| panic!("{key}={text} cannot be read")),
        }
    }

    fn text(&self, key: &str, default: &str) -> String {
        self.0.get(key).cloned().unwrap_or_else(|| default.to_owned())
    }

    fn set(&self) -> Vec<u64> {
        if let Some(path) = self.0.get("file") {
            let text = std::fs::read_to_string(path).expect("a file of prints");
            let prints = text.lines().map(|line| line.trim().parse().expect("a decimal print"));
            return prints.take(self.get("n", usize::MAX)).collect();
        }
        let kind =
            Kind::named(&self.text("kind", "uniform")).expect("kind is uniform, skewed or weak");
        kind.set(self.get("seed", 1), self.get("n", 1_000_000))
    }

    fn join(&self) -> Join {
        let plan: PlanChoice = self.text("plan", "auto").parse().expect("a plan");
        let join = Join::within(self.get("k", 3)).plan(plan);
        let join = join.simd(self.get("simd", SimdLevel::detect()));
        match self.0.get("memory") {
            Some(_) => join.memory(self.get("memory", 0)),
            None => join,
        }
    }
}

/// Counts pairs.
fn counter(count: &mut u64) -> impl FnMut(&[Pair]) -> ControlFlow<()> + Send {
    |batch: &[Pair]| {
        *count += batch.len() as u64;
        ControlFlow::Continue(())
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let verb = arguments.next().expect("a verb");
    let options = arguments.map(|argument| {
        let (key, value) = argument.split_once('=').expect("key=value");
        (key.to_owned(), value.to_owned())
    });
    let options = Options(options.collect());
    let threads = options.get("threads", 1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
    pool.install(|| match verb.as_str() {
        "pairs" => pairs(&options),
        "queries" => queries(&options),
        "clusters" => clusters(&options),
        "sort" => sort(&options),
        "billion" => billion(&options),
        "explain" => explain(&options),
        _ => panic!("unknown verb {verb}"),
    });
}

/// All pairs of a set, counted.
fn pairs(options: &Options) {
    let prints = options.set();
    let join = options.join();
    for _ in 0..options.get("repeat", 1) {
        let (start, cpu) = (Instant::now(), cpu::seconds());
        let mut count = 0;
        let report = join.pairs(&prints, &mut counter(&mut count)).expect("a join");
        let (seconds, cpu) = (start.elapsed().as_secs_f64(), cpu::seconds() - cpu);
        println!(
            "{{\"n\": {}, \"k\": {}, \"seconds\": {seconds:.4}, \"cpu\": {cpu:.4}, \"pairs\": {count}, \"distinct\": {}, \"peak_gib\": {:.2}, \"tables\": {}}}",
            prints.len(),
            join.distance(),
            report.distinct.unwrap_or(0),
            cpu::peak_gib(),
            report.plan.tables(),
        );
    }
}

/// Components of the pairs of a set.
fn clusters(options: &Options) {
    let prints = options.set();
    let join = options.join();
    let (start, cpu) = (Instant::now(), cpu::seconds());
    let mut watch: Vec<Pair> = Vec::new();
    let clusters = join.clusters(&prints, Linkage::Components, None, &mut watch).expect("a join");
    println!(
        "{{\"n\": {}, \"k\": {}, \"seconds\": {:.4}, \"cpu\": {:.4}, \"clusters\": {}, \"peak_gib\": {:.2}}}",
        prints.len(),
        join.distance(),
        start.elapsed().as_secs_f64(),
        cpu::seconds() - cpu,
        clusters.len(),
        cpu::peak_gib(),
    );
}

/// Queries against an index of the set: half of them near a print of it, half random.
fn queries(options: &Options) {
    let prints = options.set();
    let k = options.get("k", 3);
    let count: usize = options.get("queries", 100_000);
    let start = Instant::now();
    let index = QueryIndex::build(&prints).expect("fewer than 2^32");
    let built = start.elapsed().as_secs_f64();
    let asked: Vec<u64> = (0..count as u64)
        .map(|at| {
            let random = sets::number(99, at);
            if at % 2 == 0 {
                random
            } else {
                prints[random as usize % prints.len()] ^ (1 << (random >> 58)) ^ (1 << (at % 64))
            }
        })
        .collect();
    for _ in 0..options.get("repeat", 1) {
        let mut matches = 0u64;
        let (start, before) = (Instant::now(), cpu::seconds());
        let mut found = |_, _| {
            matches += 1;
            ControlFlow::Continue(())
        };
        index.query_batch(&asked, k, &mut found).expect("k suits");
        let (batch, batch_cpu) = (start.elapsed().as_secs_f64(), cpu::seconds() - before);
        let mut alone: Vec<f64> = asked
            .iter()
            .take(10_000)
            .map(|&print| {
                let start = Instant::now();
                std::hint::black_box(index.query(print, k).expect("k suits"));
                start.elapsed().as_secs_f64()
            })
            .collect();
        alone.sort_by(f64::total_cmp);
        println!(
            "{{\"n\": {}, \"k\": {k}, \"queries\": {count}, \"build_seconds\": {built:.3}, \"batch_us\": {:.3}, \"batch_cpu_us\": {:.3}, \"alone_p50_us\": {:.3}, \"alone_p99_us\": {:.3}, \"matches\": {matches}, \"bytes_beyond\": {:.2}}}",
            prints.len(),
            batch * 1e6 / count as f64,
            batch_cpu * 1e6 / count as f64,
            alone[alone.len() / 2] * 1e6,
            alone[alone.len() * 99 / 100] * 1e6,
            index.memory() as f64 / prints.len() as f64 - 12.0,
        );
    }
}

/// Sorting the same integers, as a yardstick: rayon's unstable sort and a radix sort.
fn sort(options: &Options) {
    let prints = options.set();
    for _ in 0..options.get("repeat", 1) {
        let mut copy = prints.clone();
        let start = Instant::now();
        copy.par_sort_unstable();
        let comparing = start.elapsed().as_secs_f64();
        copy.copy_from_slice(&prints);
        let start = Instant::now();
        copy.radix_sort_unstable();
        let radix = start.elapsed().as_secs_f64();
        println!(
            "{{\"n\": {}, \"rayon_seconds\": {comparing:.4}, \"rdst_seconds\": {radix:.4}}}",
            prints.len()
        );
    }
}

/// A set that fills the memory: made, grouped in place, joined in several passes, each timed apart.
fn billion(options: &Options) {
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
    let start = Instant::now();
    let groups = Groups::of_owned(prints).expect("fewer than 2^32");
    let grouped = start.elapsed().as_secs_f64();
    let join = Join::within(options.get("k", 3)).memory(options.get("memory", 3 << 30));
    let mut pairs = 0;
    join.pairs_of_groups(&groups, &mut counter(&mut pairs)).expect("a join");
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{{\"n\": {count}, \"k\": {}, \"making_seconds\": {made:.2}, \"grouping_seconds\": {grouped:.2}, \"seconds\": {seconds:.2}, \"pairs\": {pairs}, \"peak_gib\": {:.2}}}",
        join.distance(),
        cpu::peak_gib(),
    );
}

fn explain(options: &Options) {
    let groups = Groups::of(&options.set()).expect("fewer than 2^32");
    let cpu = cpu::seconds();
    println!("{}", options.join().explain(&groups).expect("a join"));
    println!("explained in {:.3} s", cpu::seconds() - cpu);
}
