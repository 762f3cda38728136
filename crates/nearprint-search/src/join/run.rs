//! A whole join: the first scatter of each of the plan's outer tables, and its cells shared out.

use rayon::prelude::*;

use super::Expand;
use super::output::{Emitter, Output};
use super::scatter::scatter;
use super::tree::{PathTest, Step, Table};
use super::worker::{Bucket, Worker};
use crate::groups::Groups;
use crate::kernel::Kernels;
use crate::plan::Plan;
use crate::sink::PairSink;
use crate::word::FingerprintWord;

/// Most bits of the first scatter.
const OUTER_BITS: u32 = 11;

/// Prints that one task should hold, so that its work stays in the second cache.
const TASK: usize = 32 * 1024;

/// Runs `plan`; returns the number of pairs given out and whether the sink stopped it.
pub(crate) fn run<W: FingerprintWord>(
    plan: &Plan,
    kernels: &'static Kernels<W>,
    left: &Groups<W>,
    right: Option<&Groups<W>>,
    expand: Expand,
    sink: &mut dyn PairSink,
) -> (u64, bool) {
    let (lefts, rights) = (distinct(left), right.map(distinct));
    let prints = (lefts.len() + rights.as_ref().map_or(0, Vec::len)) as u64;
    let step = Step::of(plan);
    let outer = match &step {
        Step::Compare => 1,
        Step::Chain(tables) => tables.len() as u64,
    };
    let output = Output::new(sink, left, right, expand, prints * outer);
    if right.is_none() {
        let mut emitter = Emitter::new(&output);
        for (_, documents) in left.iter() {
            if documents.len() > 1 {
                emitter.group(documents);
            }
        }
    }
    let all = Bucket { left: &lefts, right: rights.as_deref() };
    let join = RunningJoin { output: &output, kernels, k: plan.k() };
    match &step {
        Step::Compare => join.brute_force(all),
        Step::Chain(tables) => tables.iter().for_each(|table| join.outer_table(table, all)),
    }
    (output.pairs(), output.stopped())
}

fn distinct<W: FingerprintWord>(groups: &Groups<W>) -> Vec<W> {
    let mut prints = groups.prints().to_vec();
    prints.dedup();
    prints
}

struct RunningJoin<'o, 'a, W: FingerprintWord> {
    output: &'o Output<'a, W>,
    kernels: &'static Kernels<W>,
    k: u32,
}

impl<'o, 'a, W: FingerprintWord> RunningJoin<'o, 'a, W> {
    fn worker(&self) -> Worker<'o, 'a, W> {
        Worker::new(self.output, self.kernels, self.k)
    }

    /// Compares everything, in rows shared out.
    fn brute_force(&self, all: Bucket<'_, W>) {
        const ROWS: usize = 256;
        let test = PathTest::new();
        all.left.par_chunks(ROWS).enumerate().for_each_init(
            || self.worker(),
            |worker, (at, rows)| {
                if self.output.stopped() {
                    return;
                }
                if all.right.is_none() {
                    worker.compare(&test, Bucket { left: rows, right: None });
                }
                let others = all.right.unwrap_or(&all.left[at * ROWS + rows.len()..]);
                worker.compare(&test, Bucket { left: rows, right: Some(others) });
                self.output.advance(rows.len() as u64);
            },
        );
    }

    /// One outer table: everything scattered by its block, the cells shared out.
    fn outer_table(&self, table: &Table<W>, all: Bucket<'_, W>) {
        let wanted = (all.size() / TASK).max(1).ilog2();
        let bits = wanted.min(OUTER_BITS).min(table.key.width());
        if bits == 0 || table.radius > 0 {
            self.worker().table(table, all, 0);
            self.output.advance((all.left.len() + all.right.map_or(0, <[W]>::len)) as u64);
            return;
        }
        let (lefts, left_ends) = outer_scatter(table, all.left, bits);
        let rights = all.right.map(|right| outer_scatter(table, right, bits));
        (0..1usize << bits).into_par_iter().with_max_len(1).for_each_init(
            || self.worker(),
            |worker, cell| {
                let bucket = Bucket {
                    left: cell_of(&lefts, &left_ends, cell),
                    right: rights.as_ref().map(|(rights, ends)| cell_of(rights, ends, cell)),
                };
                worker.table(table, bucket, bits);
                self.output
                    .advance((bucket.left.len() + bucket.right.map_or(0, <[W]>::len)) as u64);
            },
        );
    }
}

fn outer_scatter<W: FingerprintWord>(
    table: &Table<W>,
    prints: &[W],
    bits: u32,
) -> (Vec<W>, Vec<u32>) {
    let (mut out, mut ends) = (Vec::new(), Vec::new());
    scatter(prints, table.key, 0, bits, &mut out, &mut ends);
    (out, ends)
}

fn cell_of<'p, W>(prints: &'p [W], ends: &[u32], cell: usize) -> &'p [W] {
    let start = if cell == 0 { 0 } else { ends[cell - 1] as usize };
    &prints[start..ends[cell] as usize]
}
