//! A whole join: the first scatter of each of the plan's outer tables, and its cells shared out.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::Expand;
use super::output::{Emitter, Output};
use super::tree::{Key, PathTest, Step, Table};
use super::worker::{Bucket, Tuning, Worker};
use crate::buffer::Buffer;
use crate::groups::Groups;
use crate::kernel::SimdLevel;
use crate::plan::Plan;
use crate::radix::{self, Ends};
use crate::sink::PairSink;
use crate::word::{Bits, FingerprintWord};

/// Most bits of the first scatter.
const OUTER_BITS: u32 = 11;

/// Prints that one task should hold, so that its work stays in the second cache.
const TASK: usize = 32 * 1024;

/// Runs `plan`; returns the number of pairs given out and whether the sink stopped it.
pub(crate) fn run<W: FingerprintWord>(
    plan: &Plan,
    level: SimdLevel,
    left: &Groups<W>,
    right: Option<&Groups<W>>,
    expand: Expand,
    sink: &mut dyn PairSink,
) -> (u64, bool) {
    let prints = (left.len() + right.map_or(0, Groups::len)) as u64;
    let step = Step::of(plan);
    let outer = match &step {
        Step::Compare => 1,
        Step::Chain(tables) => tables.len() as u64,
    };
    let output = Output::new(sink, left, right, expand, prints * outer);
    if right.is_none() && left.distinct() < left.len() {
        let mut emitter = Emitter::new(&output);
        for (_, documents) in left.iter().filter(|(_, documents)| documents.len() > 1) {
            emitter.group(documents);
        }
    }
    let mut join = RunningJoin {
        output: &output,
        tuning: Tuning::at(level, plan.k()),
        left: Side::new(left),
        right: right.map(Side::new),
    };
    match &step {
        Step::Compare => join.brute_force(),
        Step::Chain(tables) => tables.iter().for_each(|table| join.outer_table(table)),
    }
    (output.pairs(), output.stopped())
}

/// One set: its sorted prints, and room to scatter the distinct ones.
struct Side<'a, W> {
    sorted: &'a [W],
    scattered: Buffer<W>,
}

impl<'a, W: FingerprintWord> Side<'a, W> {
    fn new(groups: &'a Groups<W>) -> Self {
        Self { sorted: groups.prints(), scattered: Buffer::zeroed(groups.len()) }
    }

    /// Scatters the distinct prints by the first `bits` bits of `key`.
    fn scatter(&mut self, key: Key<W>, bits: u32) -> Ends {
        let (sorted, out) = (self.sorted, &mut self.scattered);
        match key {
            // All side by side.
            _ if bits == 0 => radix::partition_distinct(sorted, 0, |_| 0, out),
            Key::Run { high, .. } => {
                let shift = high - bits;
                radix::partition_distinct(sorted, bits, |print| print.window(shift, bits), out)
            }
            Key::Hash { block, .. } => {
                let shift = 64 - bits;
                let hash = |print: W| Bits::and(print, block).mix().window(shift, bits);
                radix::partition_distinct(sorted, bits, hash, out)
            }
        }
    }

    /// The prints as they were sorted, or as they were scattered last.
    fn prints(&self, sorted: bool) -> &[W] {
        if sorted { self.sorted } else { &self.scattered }
    }

    /// Where the sorted prints with each value of their top `bits` end.
    fn top_ends(&self, bits: u32) -> Ends {
        if bits == 0 {
            return vec![self.sorted.len()];
        }
        let top = |print: W| print.window(W::WIDTH - bits, bits);
        (0..1usize << bits).map(|cell| self.sorted.partition_point(|&p| top(p) <= cell)).collect()
    }
}

struct RunningJoin<'o, 'a, W: FingerprintWord> {
    output: &'o Output<'a, W>,
    tuning: Tuning<W>,
    left: Side<'a, W>,
    right: Option<Side<'a, W>>,
}

impl<'o, 'a, W: FingerprintWord> RunningJoin<'o, 'a, W> {
    fn worker(&self) -> Worker<'o, 'a, W> {
        Worker::new(self.output, self.tuning)
    }

    /// Calls `task` for every number below `tasks`, from all threads of the pool, each with a worker
    /// of its own that it keeps to the end.
    fn share_out(&self, tasks: usize, task: impl Fn(&mut Worker<'o, 'a, W>, usize) + Sync) {
        let next = AtomicUsize::new(0);
        let threads = rayon::current_num_threads().min(tasks);
        (0..threads).into_par_iter().with_max_len(1).for_each(|_| {
            let mut worker = self.worker();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= tasks || self.output.stopped() {
                    return;
                }
                task(&mut worker, number);
            }
        });
    }

    /// Compares everything, in rows shared out.
    fn brute_force(&mut self) {
        const ROWS: usize = 256;
        let test = PathTest::new();
        // One partition: all distinct prints, side by side.
        let lefts = radix::partition_distinct(self.left.sorted, 0, |_| 0, &mut self.left.scattered);
        let rights = self
            .right
            .as_mut()
            .map(|side| radix::partition_distinct(side.sorted, 0, |_| 0, &mut side.scattered));
        let lefts = &self.left.scattered[..lefts[0]];
        let rights = self.right.as_ref().zip(rights).map(|(side, ends)| &side.scattered[..ends[0]]);
        self.share_out(lefts.len().div_ceil(ROWS), |worker, number| {
            let rows = number * ROWS..lefts.len().min((number + 1) * ROWS);
            let left = &lefts[rows.clone()];
            if rights.is_none() {
                worker.compare(&test, Bucket { left, right: None });
            }
            let others = rights.unwrap_or(&lefts[rows.end..]);
            worker.compare(&test, Bucket { left, right: Some(others) });
            self.output.advance(rows.len() as u64);
        });
    }

    /// One outer table: everything scattered by its block, the cells shared out.
    fn outer_table(&mut self, table: &Table<W>) {
        let larger = self.left.sorted.len().max(self.right.as_ref().map_or(0, |r| r.sorted.len()));
        let wanted = (larger / TASK).max(1).ilog2() + u32::from(larger > TASK);
        // A radius needs its neighbours at hand: no cell can be worked on alone.
        let most = if table.radius > 0 { 0 } else { OUTER_BITS };
        let bits = wanted.min(most).min(table.key.width());
        let is_sorted = table.key.is_top() && table.radius == 0;
        let (lefts, rights) = if is_sorted {
            (self.left.top_ends(bits), self.right.as_ref().map(|side| side.top_ends(bits)))
        } else {
            (
                self.left.scatter(table.key, bits),
                self.right.as_mut().map(|side| side.scatter(table.key, bits)),
            )
        };
        self.share_out(1 << bits, |worker, cell| {
            let left = cell_of(self.left.prints(is_sorted), &lefts, cell);
            let right = self.right.as_ref().zip(rights.as_ref());
            let right = right.map(|(side, ends)| cell_of(side.prints(is_sorted), ends, cell));
            let bucket = Bucket { left, right };
            if is_sorted {
                worker.sorted_table(table, bucket, bits);
            } else {
                worker.table(table, bucket, bits);
            }
            self.output.advance((left.len() + right.map_or(0, <[W]>::len)) as u64);
        });
    }
}

fn cell_of<'p, W>(prints: &'p [W], ends: &[usize], cell: usize) -> &'p [W] {
    let start = if cell == 0 { 0 } else { ends[cell - 1] };
    &prints[start..ends[cell]]
}
