//! One measurement a run: `nearprint-bench VERB key=value ...`, one JSON object on stdout.

mod cpu;
mod sets;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Instant;

use nearprint_search::{Groups, Join, Pair, PlanChoice, QueryIndex, SimdLevel};
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
        let kind = Kind::named(&self.text("kind", "uniform")).expect("kind is uniform or skewed");
        kind.set(self.get("seed", 1), self.get("n", 1_000_000))
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let verb = arguments.next().expect("a verb: pairs");
    let options = Options(
        arguments
            .map(|argument| {
                let (key, value) = argument.split_once('=').expect("key=value");
                (key.to_owned(), value.to_owned())
            })
            .collect(),
    );
    let threads = options.get("threads", 1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
    pool.install(|| match verb.as_str() {
        "pairs" => pairs(&options),
        "explain" => explain(&options),
        "queries" => queries(&options),
        _ => panic!("unknown verb {verb}"),
    });
}

fn pairs(options: &Options) {
    let prints = options.set();
    let k = options.get("k", 3);
    let plan: PlanChoice = options.text("plan", "auto").parse().expect("a plan");
    let level = options.get("simd", SimdLevel::detect());
    let join = Join::within(k).plan(plan).simd(level);
    for _ in 0..options.get("repeat", 1) {
        let (start, cpu) = (Instant::now(), cpu::seconds());
        let groups = Groups::of(&prints).expect("fewer than 2^32");
        let grouped = cpu::seconds() - cpu;
        let mut count = 0u64;
        let mut sink = |batch: &[Pair]| {
            count += batch.len() as u64;
            ControlFlow::Continue(())
        };
        let report = join.pairs_of_groups(&groups, &mut sink).expect("a join");
        let seconds = start.elapsed().as_secs_f64();
        let cpu = cpu::seconds() - cpu;
        println!(
            "{{\"n\": {}, \"k\": {k}, \"seconds\": {seconds:.4}, \"cpu\": {cpu:.4}, \"grouping_cpu\": {grouped:.4}, \"pairs\": {count}, \"cpu_ns_per_print\": {:.2}, \"plan\": \"{}\"}}",
            prints.len(),
            cpu * 1e9 / prints.len() as f64,
            if report.plan.tables() < 100 {
                report.plan.to_string()
            } else {
                format!("{} tables", report.plan.tables())
            },
        );
    }
}

fn explain(options: &Options) {
    let groups = Groups::of(&options.set()).expect("fewer than 2^32");
    let plan: PlanChoice = options.text("plan", "auto").parse().expect("a plan");
    let join =
        Join::within(options.get("k", 3)).plan(plan).simd(options.get("simd", SimdLevel::detect()));
    let cpu = cpu::seconds();
    println!("{}", join.explain(&groups).expect("a join"));
    println!("explained in {:.3} s", cpu::seconds() - cpu);
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
    let mut matches = 0u64;
    let (start, before) = (Instant::now(), cpu::seconds());
    index
        .query_batch(&asked, k, &mut |_, _| {
            matches += 1;
            ControlFlow::Continue(())
        })
        .expect("k suits");
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
