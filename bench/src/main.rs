//! One measurement a run: `nearprint-bench VERB key=value ...`, one JSON object on stdout.

mod cpu;
mod sets;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Instant;

use nearprint_search::{Groups, Join, Pair, PlanChoice, SimdLevel};
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
