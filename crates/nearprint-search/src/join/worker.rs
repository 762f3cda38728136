//! One worker's share of a join: a bucket of fingerprints taken through a step of the tree, in cache.

use super::output::{Emitter, Output, PathFilter};
use super::scatter::{scatter, take_sorted};
use super::subdivide::subdivide;
use super::tree::{PathTest, Step, Table};
use crate::cost::Steps;
use crate::kernel::{HitBuffer, Kernels, SimdLevel};
use crate::word::FingerprintWord;

/// Most bits a scatter uses at once: its counters stay in the first cache.
const MOST_BITS: u32 = 11;

/// The fingerprints that share a bucket: of one set, or of each of two.
#[derive(Clone, Copy)]
pub(crate) struct Bucket<'b, W> {
    pub(crate) left: &'b [W],
    pub(crate) right: Option<&'b [W]>,
}

impl<W> Bucket<'_, W> {
    /// Whether no pair can be in here.
    pub(crate) fn is_barren(&self) -> bool {
        match self.right {
            None => self.left.len() < 2,
            Some(right) => self.left.is_empty() || right.is_empty(),
        }
    }

    /// Size, by which cells are made and limits are kept: that of the larger side.
    pub(crate) fn size(&self) -> usize {
        self.left.len().max(self.right.map_or(0, <[W]>::len))
    }
}

/// Scattered fingerprints and the ends of their cells.
#[derive(Default)]
struct Cells<W> {
    prints: Vec<W>,
    ends: Vec<u32>,
}

impl<W> Cells<W> {
    fn cell(&self, cell: usize) -> &[W] {
        let start = if cell == 0 { 0 } else { self.ends[cell - 1] as usize };
        &self.prints[start..self.ends[cell] as usize]
    }
}

/// Space for the cells of one depth of the tree; its storage is reused from bucket to bucket.
#[derive(Default)]
struct Level<W> {
    left: Cells<W>,
    right: Cells<W>,
    two_sets: bool,
}

impl<W> Level<W> {
    fn bucket(&self, cell: usize) -> Bucket<'_, W> {
        Bucket { left: self.left.cell(cell), right: self.two_sets.then(|| self.right.cell(cell)) }
    }

    /// Fingerprints of `cell` against those of `other`.
    fn crossed(&self, cell: usize, other: usize) -> Bucket<'_, W> {
        let right = if self.two_sets { &self.right } else { &self.left };
        Bucket { left: self.left.cell(cell), right: Some(right.cell(other)) }
    }
}

/// Settings that all workers of a join share.
pub(crate) struct WorkerSettings<W: 'static> {
    kernels: &'static Kernels<W>,
    pub(super) steps: Steps,
    pub(super) k: u32,
    /// Fingerprints that one task should hold.
    pub(super) task: usize,
}

impl<W> Clone for WorkerSettings<W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for WorkerSettings<W> {}

impl<W: FingerprintWord> WorkerSettings<W> {
    pub(crate) fn at(level: SimdLevel, k: u32, task: usize) -> Self {
        Self { kernels: W::kernels().at(level), steps: Steps::of::<W>(level), k, task }
    }
}

/// A worker: its output, its kernels and its space.
pub(crate) struct Worker<'o, 'a, W: FingerprintWord> {
    emitter: Emitter<'o, 'a, W>,
    tuning: WorkerSettings<W>,
    levels: Vec<Level<W>>,
}

impl<'o, 'a, W: FingerprintWord> Worker<'o, 'a, W> {
    pub(crate) fn new(output: &'o Output<'a, W>, tuning: WorkerSettings<W>) -> Self {
        Self { emitter: Emitter::new(output), tuning, levels: Vec::new() }
    }

    pub(crate) fn output(&self) -> &'o Output<'a, W> {
        self.emitter.output()
    }

    /// Takes a bucket through one table, whose first `skip` key bits all its fingerprints share.
    pub(crate) fn table(&mut self, table: &Table<W>, bucket: Bucket<'_, W>, skip: u32) {
        self.table_at(table, bucket, skip, 0);
    }

    /// The same for a table whose key is the top bits, and fingerprints that are sorted but not distinct:
    /// they are in their cells already.
    pub(crate) fn sorted_table(&mut self, table: &Table<W>, bucket: Bucket<'_, W>, skip: u32) {
        if bucket.is_barren() || self.output().stopped() {
            return;
        }
        let bits = self.cell_bits(&bucket, table.key.width() - skip);
        let mut level = self.take_level(0, &bucket);
        take_sorted(bucket.left, skip, bits, &mut level.left.prints, &mut level.left.ends);
        if let Some(right) = bucket.right {
            take_sorted(right, skip, bits, &mut level.right.prints, &mut level.right.ends);
        }
        self.cells(table, &level, skip + bits, 0);
        self.levels[0] = level;
    }

    /// Compares all fingerprints of a bucket.
    pub(crate) fn compare(&mut self, test: &PathTest<W>, bucket: Bucket<'_, W>) {
        let mut tested = PathFilter { emitter: &mut self.emitter, test };
        let mut found = HitBuffer::new(&mut tested);
        match bucket.right {
            None => (self.tuning.kernels.within_cells)(
                bucket.left,
                &[bucket.left.len() as u32],
                self.tuning.k,
                usize::MAX,
                &mut found,
            ),
            Some(right) => {
                (self.tuning.kernels.across)(bucket.left, right, self.tuning.k, &mut found);
            }
        }
        found.flush();
    }

    /// Takes a bucket to the step below a table, all of whose key its fingerprints share or nearly share.
    pub(crate) fn pass_on(&mut self, table: &Table<W>, bucket: Bucket<'_, W>) {
        self.step(&table.then, &table.test, bucket, 0);
    }

    fn step(&mut self, step: &Step<W>, test: &PathTest<W>, bucket: Bucket<'_, W>, depth: usize) {
        if bucket.is_barren() {
            return;
        }
        match step {
            Step::Compare => {
                let worthwhile = self.tuning.steps.worth_comparing(self.tuning.k as usize + 1);
                let cut = (bucket.size() > 2 * worthwhile)
                    .then(|| subdivide(test, bucket, &self.tuning.steps, self.tuning.k))
                    .flatten();
                match cut {
                    None => self.compare(test, bucket),
                    Some(tables) => {
                        for table in &tables {
                            self.table_at(table, bucket, 0, depth);
                        }
                    }
                }
            }
            Step::Chain(tables) => {
                for table in tables {
                    self.table_at(table, bucket, 0, depth);
                }
            }
        }
    }

    fn table_at(&mut self, table: &Table<W>, bucket: Bucket<'_, W>, skip: u32, depth: usize) {
        if bucket.is_barren() || self.output().stopped() {
            return;
        }
        let left = table.key.width() - skip;
        if left == 0 {
            return self.step(&table.then, &table.test, bucket, depth);
        }
        let bits = self.cell_bits(&bucket, left);
        let mut level = self.take_level(depth, &bucket);
        scatter(bucket.left, table.key, skip, bits, &mut level.left.prints, &mut level.left.ends);
        if let Some(right) = bucket.right {
            scatter(right, table.key, skip, bits, &mut level.right.prints, &mut level.right.ends);
        }
        if table.radius == 0 {
            self.cells(table, &level, skip + bits, depth);
        } else {
            self.near_cells(table, &level, bits, depth);
        }
        self.levels[depth] = level;
    }

    /// A level's space, taken out while the levels below it are used.
    fn take_level(&mut self, depth: usize, bucket: &Bucket<'_, W>) -> Level<W> {
        if self.levels.len() <= depth {
            self.levels.resize_with(depth + 1, Level::default);
        }
        let mut level = std::mem::take(&mut self.levels[depth]);
        level.two_sets = bucket.right.is_some();
        level
    }

    /// Compares the fingerprints of each cell; what is too large for that continues by the rest of the block,
    /// then by the next step.
    fn cells(&mut self, table: &Table<W>, level: &Level<W>, skip: u32, depth: usize) {
        for cell in self.compare_cells(table, level) {
            self.table_at(table, level.bucket(cell as usize), skip, depth + 1);
        }
    }

    /// Compares the fingerprints of each cell; returns the cells too large for that.
    fn compare_cells(&mut self, table: &Table<W>, level: &Level<W>) -> Vec<u32> {
        let limit = self.limit(table);
        let mut tested = PathFilter { emitter: &mut self.emitter, test: &table.test };
        let mut found = HitBuffer::new(&mut tested);
        if level.two_sets {
            for cell in 0..level.left.ends.len() {
                let (left, right) = (level.left.cell(cell), level.right.cell(cell));
                if left.len().max(right.len()) > limit {
                    found.large.push(cell as u32);
                } else if !left.is_empty() && !right.is_empty() {
                    (self.tuning.kernels.across)(left, right, self.tuning.k, &mut found);
                }
            }
        } else {
            let (prints, ends) = (&level.left.prints, &level.left.ends);
            (self.tuning.kernels.within_cells)(prints, ends, self.tuning.k, limit, &mut found);
        }
        found.flush();
        std::mem::take(&mut found.large)
    }

    /// Every cell with itself and with those at most `radius` bits away.
    fn near_cells(&mut self, table: &Table<W>, level: &Level<W>, bits: u32, depth: usize) {
        for cell in 0..level.left.ends.len() {
            self.step(&table.then, &table.test, level.bucket(cell), depth + 1);
            for other in neighbours(cell, bits, table.radius) {
                // In one set each two cells meet once.
                if level.two_sets || cell < other {
                    let bucket = level.crossed(cell, other);
                    if !bucket.is_barren() {
                        self.step(&table.then, &table.test, bucket, depth + 1);
                    }
                }
            }
        }
    }

    /// Up to this many fingerprints are compared, rather than taken further through the tree.
    fn limit(&self, table: &Table<W>) -> usize {
        match &table.then {
            // Beyond it a cut may be better, which `step` finds out.
            Step::Compare => 2 * self.tuning.steps.worth_comparing(self.tuning.k as usize + 1),
            Step::Chain(tables) => self.tuning.steps.worth_comparing(tables.len()),
        }
    }

    /// Bits to make cells by, of `left` that are left.
    fn cell_bits(&self, bucket: &Bucket<'_, W>, left: u32) -> u32 {
        let wanted = (bucket.size() / self.tuning.steps.cell_size).max(1).ilog2() + 1;
        wanted.min(MOST_BITS).min(left)
    }
}

/// The cells that differ from `cell` in 1 to `radius` of its `bits` bits.
pub(super) fn neighbours(cell: usize, bits: u32, radius: u32) -> impl Iterator<Item = usize> {
    (1..=radius.min(bits)).flat_map(move |ones| {
        let first = (1usize << ones) - 1;
        std::iter::successors(Some(first), |&mask| {
            // The next larger number with as many ones.
            let low = mask & mask.wrapping_neg();
            let ripple = mask + low;
            Some((((ripple ^ mask) >> 2) / low) | ripple)
        })
        .take_while(move |&mask| mask < 1 << bits)
        .map(move |mask| cell ^ mask)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_the_cells_within_the_radius() {
        for radius in 0..5 {
            let mut got: Vec<usize> = neighbours(0b1010, 6, radius).collect();
            got.sort_unstable();
            let want: Vec<usize> = (0..64usize)
                .filter(|other| (1..=radius).contains(&(other ^ 0b1010).count_ones()))
                .collect();
            assert_eq!(got, want);
        }
    }
}
