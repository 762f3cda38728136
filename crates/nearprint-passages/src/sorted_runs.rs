//! Sorted runs of records in a temporary file, and the parts that they are read in: all records between two bounds, of
//! all runs. Parts do not depend on one another, so threads make several at once.
//!
//! Of each run every so many-th record is kept in memory. These samples give bounds between which there are about
//! equally many records, and say where in each run those are.

use std::io;
use std::ops::Range;
use std::path::Path;

use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSlice;

use crate::temporary_file::TemporaryFile;

/// Records that are written together, by one thread.
const WRITTEN: usize = 16 * 1024;

/// Records of a part, at least, where the memory allows it.
const PART: usize = 64 * 1024;

/// Samples take one byte in so many of the memory at most, where as many runs as possible are read together.
const SAMPLES: usize = 16;

/// Samples of each run that a part has, where the memory allows it: up to one more is read of each, and left out.
const OF_RUN: usize = 8;

/// How runs are made and read within a bound of the memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RunPlan {
    /// Records between two samples of a run.
    stride: usize,
    /// Runs that are read together, at most.
    pub(crate) most_runs: usize,
    /// Records of a part, at most, about.
    most_part: usize,
}

impl RunPlan {
    /// For so many records in memory, of which each of `threads` makes a part while another one of it waits.
    pub(crate) fn new(records: usize, threads: usize) -> Self {
        let most_part = records / (2 * threads + 1);
        // A part has at least as many records as there are between the samples of all runs: fewer cannot be told apart.
        let most_runs = (most_part / SAMPLES).isqrt().max(2);
        Self { stride: SAMPLES * most_runs, most_runs, most_part }
    }

    /// Samples of a part of so many runs.
    fn samples(self, runs: usize) -> usize {
        let wanted = (PART / self.stride).max(OF_RUN * runs);
        wanted.min(self.most_part / self.stride).max(runs).max(1)
    }
}

/// Sorted runs.
#[derive(Debug)]
pub(crate) struct SortedRuns<const N: usize> {
    plan: RunPlan,
    file: Option<TemporaryFile>,
    runs: Vec<Run<N>>,
}

/// One of them.
#[derive(Debug)]
struct Run<const N: usize> {
    /// Its first record, as a number of records of the file, and how many it has.
    start: u64,
    length: u64,
    /// Every `stride`-th of its records, from the first one on.
    samples: Vec<[u64; N]>,
}

impl<const N: usize> SortedRuns<N> {
    const SIZE: usize = size_of::<[u64; N]>();

    pub(crate) fn new(plan: RunPlan) -> Self {
        Self { plan, file: None, runs: Vec::new() }
    }

    /// The one run of a file with a name, all of whose records are in order.
    pub(crate) fn of_file(plan: RunPlan, file: TemporaryFile) -> io::Result<Self> {
        let length = file.length() / Self::SIZE as u64;
        let (mut samples, mut bytes) = (Vec::new(), vec![0; Self::SIZE]);
        for at in (0..length).step_by(plan.stride) {
            file.read(&mut bytes, at * Self::SIZE as u64)?;
            samples.push(record_of(&bytes));
        }
        Ok(Self { plan, file: Some(file), runs: vec![Run { start: 0, length, samples }] })
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.runs.len()
    }

    /// How many records they have.
    pub(crate) fn records(&self) -> u64 {
        self.runs.last().map_or(0, |last| last.start + last.length)
    }

    /// Begins a run, of which no record is smaller than the one before it.
    pub(crate) fn begin(&mut self, directory: &Path) -> io::Result<()> {
        if self.file.is_none() {
            self.file = Some(TemporaryFile::create(directory)?);
        }
        let start = self.records();
        self.runs.push(Run { start, length: 0, samples: Vec::new() });
        Ok(())
    }

    /// Adds records to the run that was begun last.
    pub(crate) fn push(&mut self, records: &[[u64; N]]) -> io::Result<()> {
        let (Some(file), Some(run)) = (&mut self.file, self.runs.last_mut()) else { return Ok(()) };
        let stride = self.plan.stride;
        // Records before the next sample; a part may begin anywhere.
        let before = (stride as u64 - run.length % stride as u64) % stride as u64;
        run.samples.extend(records.iter().skip(before as usize).step_by(stride));
        run.length += records.len() as u64;
        file.append_by((records.len() * Self::SIZE) as u64, |file, start| {
            records.par_chunks(WRITTEN).enumerate().try_for_each_init(
                Vec::new,
                |bytes, (at, chunk)| {
                    bytes.clear();
                    let numbers = chunk.iter().flatten();
                    numbers.for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
                    file.write(bytes, start + (at * WRITTEN * Self::SIZE) as u64)
                },
            )
        })
    }

    /// The bounds of the parts of some runs: each part has the records from a bound on that are before the next one.
    pub(crate) fn bounds(&self, runs: Range<usize>) -> Vec<PartBounds<N>> {
        let mut samples: Vec<[u64; N]> =
            self.runs[runs.clone()].iter().flat_map(|run| run.samples.iter().copied()).collect();
        samples.sort_unstable();
        let each = self.plan.samples(runs.len());
        let mut bounds: Vec<_> = samples.chunks(each).skip(1).map(|chunk| Some(chunk[0])).collect();
        bounds.dedup();
        let starts = [None].into_iter().chain(bounds.clone());
        let ends = bounds.into_iter().chain([None]);
        starts.zip(ends).map(|(start, end)| PartBounds { start, end }).collect()
    }

    /// A part of some runs.
    pub(crate) fn part(
        &self,
        runs: Range<usize>,
        bounds: &PartBounds<N>,
        choice: RecordChoice,
    ) -> io::Result<Part<N>> {
        let (mut records, mut bytes) = (Vec::new(), Vec::new());
        for run in &self.runs[runs] {
            let read = run.blocks(bounds, self.plan.stride as u64);
            bytes.resize((read.end - read.start) as usize * Self::SIZE, 0);
            let offset = (run.start + read.start) * Self::SIZE as u64;
            self.file.iter().try_for_each(|file| file.read(&mut bytes, offset))?;
            let read = bytes.chunks_exact(Self::SIZE).map(record_of);
            let is_before = |record: &[u64; N]| bounds.start.is_some_and(|start| *record < start);
            let is_within = |record: &[u64; N]| bounds.end.is_none_or(|end| *record < end);
            records.extend(read.skip_while(is_before).take_while(is_within));
        }
        // Not the unstable sort: this one takes the runs as they are.
        records.sort();
        let all = records.len();
        if choice == RecordChoice::Groups {
            leave_out_single(&mut records);
        }
        let left_out = (all - records.len()) as u64;
        Ok(Part { records, left_out })
    }
}

/// The record of its bytes, which are as many as it has.
pub(crate) fn record_of<const N: usize>(bytes: &[u8]) -> [u64; N] {
    let (numbers, _) = bytes.as_chunks();
    std::array::from_fn(|at| u64::from_le_bytes(numbers[at]))
}

/// Leaves out records with a first number that no other one has. The first and the last stay: parts beside this one may
/// have theirs.
fn leave_out_single<const N: usize>(records: &mut Vec<[u64; N]>) {
    let (length, mut kept) = (records.len(), 0);
    for at in 0..length {
        let is_alike = |other: usize| records[other][0] == records[at][0];
        if at == 0 || at + 1 == length || is_alike(at - 1) || is_alike(at + 1) {
            // What it takes the place of was looked at already.
            records[kept] = records[at];
            kept += 1;
        }
    }
    records.truncate(kept);
}

impl<const N: usize> Run<N> {
    /// The records between samples among which those of a part are.
    fn blocks(&self, bounds: &PartBounds<N>, stride: u64) -> Range<u64> {
        let before =
            |bound: [u64; N]| self.samples.partition_point(|sample| *sample < bound) as u64;
        let start = bounds.start.map_or(0, |bound| before(bound).saturating_sub(1) * stride);
        let end = bounds.end.map_or(self.length, |bound| self.length.min(before(bound) * stride));
        start.min(end)..end
    }
}

/// The first record of a part and the first one after it, where the part does not begin or end with all records.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PartBounds<const N: usize> {
    start: Option<[u64; N]>,
    end: Option<[u64; N]>,
}

/// Which records are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RecordChoice {
    /// All of them.
    All,
    /// Those with a first number that another one has. Some others may come as well.
    Groups,
}

/// Records in order.
#[derive(Debug)]
pub(crate) struct Part<const N: usize> {
    pub(crate) records: Vec<[u64; N]>,
    /// How many were left out.
    pub(crate) left_out: u64,
}
