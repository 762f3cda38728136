//! A whole join: fingerprints scattered through memory by all threads, cells shared out among them.
//!
//! Each outer table of the plan is one pass over the fingerprints, which leaves cells small enough for one
//! worker's cache. A cell that is much larger than that, because many fingerprints agree, is taken through the
//! rest of its path by all threads together in the same way.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::Expand;
use super::output::{Emitter, Output};
use super::space::{CellsBy, Ends, Partitions, Space};
use super::subdivide::subdivide;
use super::tree::{PathTest, Step, Table};
use super::worker::{Bucket, Worker, WorkerSettings, neighbours};
use crate::groups::Groups;
use crate::radix;
use crate::sink::PairSink;
use crate::tasks;
use crate::word::FingerprintWord;

/// Most bits of a scatter through memory.
const OUTER_BITS: u32 = 11;

/// A cell this many times larger than it should be is worked on by all threads.
const GIANT: usize = 8;

/// What of a plan is to be run, and how.
pub(crate) struct Work<'s, W: 'static> {
    pub(crate) step: &'s Step<W>,
    pub(crate) tuning: WorkerSettings<W>,
    pub(crate) expand: Expand,
    /// Whether pairs of equal fingerprints of one set are reported too.
    pub(crate) equal: bool,
    /// Whether both sides, where there are two, are parts of one set: pairs then have the lesser document
    /// first.
    pub(crate) one_set: bool,
    /// Fingerprints that may be scattered at a time.
    pub(crate) room: usize,
}

/// Does the work; returns the number of pairs reported and whether the sink stopped it.
pub(crate) fn run<W: FingerprintWord>(
    work: &Work<'_, W>,
    left: &Groups<W>,
    right: Option<&Groups<W>>,
    sink: &mut dyn PairSink,
) -> (u64, bool) {
    let prints = (left.len() + right.map_or(0, Groups::len)) as u64;
    let outer = match work.step {
        Step::Compare => 1,
        Step::Chain(tables) => tables.len() as u64,
    };
    let output = Output::new(sink, (left, right), work.one_set, work.expand, prints * outer);
    if work.equal && right.is_none() && left.distinct() < left.len() {
        let mut emitter = Emitter::new(&output);
        for (_, documents) in left.iter().filter(|(_, documents)| documents.len() > 1) {
            emitter.group(documents);
            if output.stopped() {
                break;
            }
        }
    }
    let join = RunningJoin { output: &output, tuning: work.tuning, room: work.room };
    let mut space = Space::of(work.room);
    // Sorted and with equal fingerprints side by side, of which a scatter takes the first.
    let sorted = Bucket { left: left.prints(), right: right.map(Groups::prints) };
    match work.step {
        Step::Compare => {
            let (all, ends) = space.together(sorted);
            join.compare(&PathTest::new(), all.cell(&ends, 0));
            output.advance(prints);
        }
        Step::Chain(tables) => {
            for table in tables {
                let is_sorted = table.key.is_top() && table.radius == 0;
                let prints = if is_sorted { Prints::Sorted } else { Prints::ToScatter };
                join.table(table, sorted, 0, prints, &mut space);
            }
        }
    }
    (output.pairs(), output.stopped())
}

/// Where the sorted fingerprints with each value of their top `bits` end.
fn top_ends<W: FingerprintWord>(sorted: &[W], bits: u32) -> radix::Ends {
    if bits == 0 {
        return vec![sorted.len()];
    }
    let top = |print: W| print.window(W::WIDTH - bits, bits);
    (0..1usize << bits).map(|cell| sorted.partition_point(|&print| top(print) <= cell)).collect()
}

/// How the fingerprints of a bucket lie.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Prints {
    /// Sorted, equal ones side by side, and the table's key is their top bits.
    Sorted,
    /// Equal ones side by side; all of an outer table.
    ToScatter,
    /// Distinct, part of an outer table.
    Part,
}

struct RunningJoin<'o, 'a, W: FingerprintWord> {
    output: &'o Output<'a, W>,
    tuning: WorkerSettings<W>,
    room: usize,
}

impl<'o, 'a, W: FingerprintWord> RunningJoin<'o, 'a, W> {
    /// Calls `task` for every number below `tasks`, from all threads of the pool, each with a worker
    /// of its own that it keeps to the end.
    fn share_out(&self, tasks: usize, task: impl Fn(&mut Worker<'o, 'a, W>, usize) + Sync) {
        let next = AtomicUsize::new(0);
        let threads = rayon::current_num_threads().min(tasks);
        tasks::for_each(threads, &|_| {
            let mut worker = Worker::new(self.output, self.tuning);
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= tasks || self.output.stopped() {
                    return;
                }
                task(&mut worker, number);
            }
        });
    }

    /// Compares all fingerprints of a bucket, in rows shared out.
    fn compare(&self, test: &PathTest<W>, bucket: Bucket<'_, W>) {
        const ROWS: usize = 256;
        let lefts = bucket.left;
        self.share_out(lefts.len().div_ceil(ROWS), |worker, number| {
            let rows = number * ROWS..lefts.len().min((number + 1) * ROWS);
            let left = &lefts[rows.clone()];
            if bucket.right.is_none() {
                worker.compare(test, Bucket { left, right: None });
            }
            let others = bucket.right.unwrap_or(&lefts[rows.end..]);
            worker.compare(test, Bucket { left, right: Some(others) });
        });
    }

    /// Takes a bucket through a step, with all threads.
    fn step(&self, step: &Step<W>, test: &PathTest<W>, bucket: Bucket<'_, W>) {
        if bucket.is_barren() || self.output.stopped() {
            return;
        }
        let mut space = Space::of(self.room);
        match step {
            Step::Compare => match subdivide(test, bucket, &self.tuning.steps, self.tuning.k) {
                None => self.compare(test, bucket),
                Some(tables) => {
                    for table in &tables {
                        self.table(table, bucket, 0, Prints::Part, &mut space);
                    }
                }
            },
            Step::Chain(tables) => {
                for table in tables {
                    self.table(table, bucket, 0, Prints::Part, &mut space);
                }
            }
        }
    }

    /// Takes a bucket whose fingerprints share the first `skip` bits of a table's key through the table,
    /// with all threads.
    fn table(
        &self,
        table: &Table<W>,
        bucket: Bucket<'_, W>,
        skip: u32,
        prints: Prints,
        space: &mut Space<W>,
    ) {
        if self.output.stopped() {
            return;
        }
        if table.radius > 0 {
            return self.near_table(table, bucket, prints, space);
        }
        let left = table.key.width() - skip;
        if left == 0 {
            return self.step(&table.then, &table.test, bucket);
        }
        let size = bucket.size();
        let task = self.tuning.task;
        let wanted = (size / task).max(1).ilog2() + u32::from(size > task);
        let bits = wanted.min(OUTER_BITS).min(left);
        if prints == Prints::Sorted {
            let right = bucket.right.map(|right| top_ends(right, bits));
            let ends = (top_ends(bucket.left, bits), right.unwrap_or_default());
            self.cells(table, (&Partitions { prints: bucket }, &ends), skip + bits, prints);
            return;
        }
        // As many passes as the room asks for, each over the cells that fit it.
        let by = CellsBy { key: table.key, skip, bits };
        let counted = by.count(bucket);
        let mut first = 0;
        while first < 1 << bits {
            let (mut end, mut filled) = (first + 1, counted.size(first));
            while end < 1 << bits && filled + counted.size(end) <= self.room {
                filled += counted.size(end);
                end += 1;
            }
            let (partitions, ends) = space.scatter(bucket, by, &counted, first..end);
            self.cells(table, (&partitions, &ends), skip + bits, prints);
            first = end;
        }
    }

    /// Takes the cells of a table on their way, those of a fair size each by one worker, those far larger
    /// by all.
    fn cells(
        &self,
        table: &Table<W>,
        (partitions, ends): (&Partitions<'_, W>, &Ends),
        skip: u32,
        prints: Prints,
    ) {
        let cells = ends.0.len();
        let last = |ends: &radix::Ends| ends.last().copied().unwrap_or(0);
        let fair = last(&ends.0).max(last(&ends.1)) / cells;
        let giant = GIANT * self.tuning.task.max(fair);
        let is_giant = |cell: usize| cells > 1 && partitions.cell(ends, cell).size() > giant;
        self.share_out(cells, |worker, cell| {
            let bucket = partitions.cell(ends, cell);
            if is_giant(cell) {
                return;
            }
            if prints == Prints::Sorted {
                worker.sorted_table(table, bucket, skip);
            } else {
                worker.table(table, bucket, skip);
            }
            self.advance(prints, bucket);
        });
        for cell in (0..cells).filter(|&cell| is_giant(cell)) {
            let bucket = partitions.cell(ends, cell);
            let mut space = Space::of(self.room);
            if prints == Prints::Sorted {
                let (all, ends) = space.together(bucket);
                let mut deeper = Space::of(self.room);
                self.table(table, all.cell(&ends, 0), skip, Prints::Part, &mut deeper);
            } else {
                self.table(table, bucket, skip, Prints::Part, &mut space);
            }
            self.advance(prints, bucket);
        }
    }

    fn advance(&self, prints: Prints, bucket: Bucket<'_, W>) {
        // What is done inside a giant cell is counted with the cell.
        if prints != Prints::Part {
            self.output.advance((bucket.left.len() + bucket.right.map_or(0, <[W]>::len)) as u64);
        }
    }

    /// A table with a radius: each cell with itself and its neighbours, all within reach.
    fn near_table(
        &self,
        table: &Table<W>,
        bucket: Bucket<'_, W>,
        prints: Prints,
        space: &mut Space<W>,
    ) {
        let wanted = (bucket.size() / self.tuning.steps.cell_size / 4).max(1).ilog2();
        let bits = wanted.min(16).min(table.key.width());
        let by = CellsBy { key: table.key, skip: 0, bits };
        let (partitions, ends) = space.scatter(bucket, by, &by.count(bucket), 0..1 << bits);
        // One set meets itself: what is left of a cell is then right of another.
        let crossing = match bucket.right {
            Some(_) => None,
            None => Some((
                Partitions {
                    prints: Bucket {
                        left: partitions.prints.left,
                        right: Some(partitions.prints.left),
                    },
                },
                (ends.0.clone(), ends.0.clone()),
            )),
        };
        self.share_out(1 << bits, |worker, cell| {
            let bucket = partitions.cell(&ends, cell);
            worker.pass_on(table, bucket);
            for other in neighbours(cell, bits, table.radius) {
                match &crossing {
                    None => worker.pass_on(table, partitions.crossed(&ends, cell, other)),
                    // In one set each two cells meet once.
                    Some((both, ends)) if cell < other => {
                        worker.pass_on(table, both.crossed(ends, cell, other));
                    }
                    Some(_) => {}
                }
            }
            self.advance(prints, bucket);
        });
    }
}
