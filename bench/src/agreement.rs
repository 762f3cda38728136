//! Whether every way to join a set finds the same pairs.

use std::ops::ControlFlow;
use std::time::Instant;

use nearprint_search::{Expand, Join, Pair, PlanChoice, SimdLevel};

use crate::cpu;
use crate::options::Options;
use crate::row::Row;
use crate::sets::Word;
use crate::spill::Folder;

/// Comparing all pairs of more prints than this takes minutes.
const FEW_ENOUGH_TO_COMPARE: usize = 2_000_000;

/// What all pairs of prints come to, in any order.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
struct Digest {
    pairs: u64,
    sum: u64,
}

impl Digest {
    /// Adds a pair; `peers.py` has the same.
    fn add(&mut self, a: u64, b: u64) {
        let (least, most) = (a.min(b), a.max(b));
        let mut z = least.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(most);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        self.sum = self.sum.wrapping_add(z ^ (z >> 31));
        self.pairs += 1;
    }

    fn of(
        prints: &[u64],
        search: impl FnOnce(&mut (dyn FnMut(&[Pair]) -> ControlFlow<()> + Send)),
    ) -> Self {
        let mut digest = Self::default();
        search(&mut |batch: &[Pair]| {
            for pair in batch {
                digest.add(prints[pair.a as usize], prints[pair.b as usize]);
            }
            ControlFlow::Continue(())
        });
        digest
    }
}

/// Joins the distinct prints of a set by every plan, instruction set, number of threads and bound, one row each.
/// Exits with 1 if two of them differ.
pub fn agreement(options: &Options) {
    let prints: Vec<u64> = options.set();
    let k = options.get("k", 3);
    let join = Join::within(k).expand(Expand::Representatives);
    let mut first = None;
    let mut all_agree = true;
    let mut check = |name: String, search: &mut dyn FnMut() -> Digest| {
        let start = Instant::now();
        let digest = search();
        let seconds = start.elapsed().as_secs_f64();
        let agrees = *first.get_or_insert(digest) == digest;
        all_agree &= agrees;
        Row::default()
            .with("name", format_args!("\"{name}\""))
            .with("n", prints.len())
            .with("k", k)
            .seconds("seconds", seconds)
            .with("pairs", digest.pairs)
            .with("digest", format_args!("\"{:016x}\"", digest.sum))
            .with("agrees", agrees)
            .with("peak_gib", format_args!("{:.3}", cpu::peak_gib()))
            .print();
    };
    let run = |join: &Join| {
        Digest::of(&prints, |mut sink| {
            join.pairs(&prints, &mut sink).expect("a join");
        })
    };
    let mut plans =
        vec!["auto", "draft", "multi-index:2"].into_iter().map(str::to_owned).collect::<Vec<_>>();
    plans.extend((k + 1..=k + 3).map(|blocks| format!("blocks:{blocks}")));
    if prints.len() <= FEW_ENOUGH_TO_COMPARE {
        plans.push("brute-force".to_owned());
    }
    for plan in plans {
        let choice: PlanChoice = plan.parse().expect("a plan");
        check(format!("plan {plan}"), &mut || run(&join.clone().plan(choice.clone())));
    }
    for level in SimdLevel::ALL.into_iter().filter(|level| level.is_available()) {
        check(format!("simd {level}"), &mut || run(&join.clone().simd(level)));
    }
    for threads in [1, 2, 3, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        check(format!("threads {threads}"), &mut || pool.install(|| run(&join)));
    }
    let least = Join::least_memory::<u64>(prints.len());
    for (name, bytes) in [("least", least), ("1.2 times the least", least / 5 * 6)] {
        check(format!("memory {name}"), &mut || run(&join.clone().memory(bytes)));
    }
    for part in [3, 20] {
        // Never below what a spilled join takes.
        let bytes = (least / part).max(64 << 20);
        check(format!("spilled, {} MiB", bytes >> 20), &mut || {
            let mut folder = Folder::new();
            Digest::of(&prints, |mut sink| {
                let join = join.clone().memory(bytes);
                let mut spilling =
                    join.spilling(prints.len() as u64, &mut folder).expect("a store");
                spilling.push(&prints).expect("room on the disk");
                spilling.finish(&mut sink).expect("room on the disk");
            })
        });
    }
    if !all_agree {
        std::process::exit(1);
    }
}

/// Writes a set as little-endian words.
pub fn write(options: &Options) {
    let prints: Vec<u64> = options.set();
    let out = options.text("out", "prints.bin");
    let bytes: Vec<u8> = prints.iter().flat_map(|print| print.low().to_le_bytes()).collect();
    std::fs::write(&out, bytes).unwrap_or_else(|error| panic!("{out}: {error}"));
    Row::default().with("n", prints.len()).print();
}
