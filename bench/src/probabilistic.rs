//! The probabilistic plan against the exact join, on prints with their least certain bits.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Instant;

use nearprint_search::{Expand, Join, Pair, ProbabilisticJoin, WeakBits};

use crate::cpu;
use crate::options::Options;
use crate::row::Row;

/// Counts the pairs of unlike prints.
fn unlike(count: &mut u64) -> impl FnMut(&[Pair]) -> ControlFlow<()> + Send {
    |batch: &[Pair]| {
        *count += batch.iter().filter(|pair| pair.distance > 0).count() as u64;
        ControlFlow::Continue(())
    }
}

/// `file` and `weak`: prints and their least certain bits, 16 bytes each. Distinct prints are searched, as the first of
/// equal ones stands for all.
pub fn probabilistic(options: &Options) {
    let all: Vec<u64> = options.set();
    let mut weak: Vec<WeakBits> = weak(options);
    // `n` may ask for fewer than there are.
    weak.truncate(all.len());
    assert_eq!(all.len(), weak.len(), "least certain bits for each print");
    let mut seen = HashMap::new();
    for (at, &print) in all.iter().enumerate() {
        seen.entry(print).or_insert(at);
    }
    let mut firsts: Vec<usize> = seen.into_values().collect();
    firsts.sort_unstable();
    let prints: Vec<u64> = firsts.iter().map(|&at| all[at]).collect();
    let weak: Vec<WeakBits> = firsts.iter().map(|&at| weak[at]).collect();
    let k = options.get("k", 8);
    let recall = options.get("recall", 0.9);

    let (mut truth, start) = (0, Instant::now());
    Join::within(k).pairs(&prints, &mut unlike(&mut truth)).expect("a join");
    let exact = start.elapsed().as_secs_f64();

    let start = Instant::now();
    let join = match ProbabilisticJoin::learn(&prints, &weak, k, recall) {
        Ok(join) => join.expand(Expand::Representatives),
        // Few prints, or few pairs of them: that the plan says so is what was to be seen.
        Err(refusal) => {
            let refusal = refusal.to_string().replace(['"', '\\'], "'");
            return Row::default()
                .with("n", prints.len())
                .with("k", k)
                .with("refused", format_args!("\"{refusal}\""))
                .seconds("exact_seconds", exact)
                .print();
        }
    };
    let learning = start.elapsed().as_secs_f64();
    let (mut found, start) = (0, Instant::now());
    join.pairs(&prints, &weak, &mut unlike(&mut found)).expect("a join");
    let seconds = start.elapsed().as_secs_f64();
    let (tables, bits) = join.tables();
    Row::default()
        .with("n", prints.len())
        .with("k", k)
        .seconds("seconds", seconds)
        .seconds("learning_seconds", learning)
        .seconds("exact_seconds", exact)
        .with("tables", tables)
        .with("bits", bits)
        .seconds("probes", join.probes())
        .with("pairs", found)
        .with("exact_pairs", truth)
        .seconds("expected_recall", join.expected_recall())
        .seconds("recall", found as f64 / truth.max(1) as f64)
        .seconds("times_exact", join.times_exact())
        .with("peak_gib", format_args!("{:.3}", cpu::peak_gib()))
        .print();
}

fn weak(options: &Options) -> Vec<WeakBits> {
    let path = options.text("weak", "");
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let each = bytes.chunks_exact(size_of::<WeakBits>());
    each.map(|bits| bits.try_into().expect("16 bytes")).collect()
}
