//! Queries against an index in memory.

use std::ops::ControlFlow;
use std::time::Instant;

use nearprint_search::QueryIndex;

use crate::cpu;
use crate::options::Options;
use crate::row::Row;
use crate::sets;

/// Queries against an index of the set: half of them near a print of it, half random.
pub fn queries(options: &Options) {
    let prints: Vec<u64> = options.set();
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
        Row::default()
            .with("n", prints.len())
            .with("k", k)
            .with("queries", count)
            .seconds("build_seconds", built)
            .seconds("batch_us", batch * 1e6 / count as f64)
            .seconds("batch_cpu_us", batch_cpu * 1e6 / count as f64)
            .seconds("alone_p50_us", alone[alone.len() / 2] * 1e6)
            .seconds("alone_p99_us", alone[alone.len() * 99 / 100] * 1e6)
            .with("matches", matches)
            .seconds("bytes_beyond", index.memory() as f64 / prints.len() as f64 - 12.0)
            .with("peak_gib", format_args!("{:.3}", cpu::peak_gib()))
            .print();
    }
}
