//! Joins of more fingerprints than fit in memory: partitioned by the outer blocks, worked on part by part.
//!
//! Every fingerprint is written once for each outer table of the plan, into the run of its part of that table's
//! key. Fingerprints that agree in the table's block are then in one run, so that each run is a join of its own, of
//! that one table. The first-table rule makes the runs' pairs disjoint. A run that does not fit either, since
//! too many fingerprints agree, is cut into pieces by the whole fingerprint, and its pieces are joined two by two.

use std::ops::ControlFlow;

use super::run::{self, Work};
use super::tree::{Key, Step};
use super::worker::WorkerSettings;
use super::{Join, JoinReport, LEAST_ROOM};
use crate::cost::{self, Steps, Workload};
use crate::error::SearchError;
use crate::groups::Groups;
use crate::plan::Plan;
use crate::sink::{Pair, PairSink, Progress};
use crate::spill::Spill;
use crate::word::{Bits, FingerprintWord};

/// Bytes of a fingerprint's position in a record.
const POSITION: usize = 4;

/// A run is worked on in about so many times its bytes: read, grouped, scattered.
const WORKING: u64 = 4;

/// Most runs a table has: each has a buffer of its own while fingerprints are taken in.
const MOST_RUNS: u64 = 1024;

/// A join that takes its fingerprints in portions and puts them where the caller says.
///
/// # Examples
///
/// See the tests of this crate for a store in memory; a directory is as simple.
pub struct SpillingJoin<'s, W: 'static> {
    join: Join,
    plan: Plan,
    /// Each outer table's key.
    tables: Vec<Step<W>>,
    spill: &'s mut dyn Spill,
    /// Runs of each table.
    runs: u32,
    /// Records not yet appended, a buffer a run.
    buffers: Vec<Vec<u8>>,
    /// Bytes appended to each run.
    spilled: Vec<u64>,
    buffer_bytes: usize,
    memory: u64,
    prints: u64,
}

impl Join {
    pub(crate) fn spill_into<'s, W: FingerprintWord>(
        &self,
        expected: u64,
        spill: &'s mut dyn Spill,
    ) -> Result<SpillingJoin<'s, W>, SearchError> {
        self.check::<W>()?;
        let memory = self.memory.unwrap_or(1 << 30);
        let needed = 4 * LEAST_ROOM as u64;
        if memory < needed {
            return Err(SearchError::MemoryTooSmall { needed, allowed: memory });
        }
        // The skew is not known before the fingerprints are.
        let steps = Steps::of::<W>(self.simd_level());
        let workload = Workload { prints: expected.max(1) as f64, bit_worth: 1.0, steps };
        let plan = match self.choice.plan(W::WIDTH, self.k)? {
            Some(plan) => self.suits::<W>(plan)?,
            None => cost::cheapest(W::WIDTH, self.k, &workload)?.0,
        };
        let record = (size_of::<W>() + POSITION) as u64;
        let runs =
            (expected * record * WORKING).div_ceil(memory).clamp(1, MOST_RUNS).next_power_of_two();
        let tables = Step::of(&plan).outer();
        let buffers = tables.len() * runs as usize;
        Ok(SpillingJoin {
            join: self.clone(),
            plan,
            spill,
            runs: runs as u32,
            buffer_bytes: (memory as usize / 2 / buffers).clamp(4 << 10, 1 << 20),
            buffers: vec![Vec::new(); buffers],
            spilled: vec![0; buffers],
            tables,
            memory,
            prints: 0,
        })
    }
}

impl<W: FingerprintWord> SpillingJoin<'_, W> {
    /// Bytes the store will hold at most for so many fingerprints: each once for every outer table, and those of one
    /// table once more while a run too large for memory is cut into pieces.
    #[must_use]
    pub fn disk(&self, prints: u64) -> u64 {
        let record = (size_of::<W>() + POSITION) as u64;
        prints.saturating_mul(record).saturating_mul(self.tables.len() as u64 + 1)
    }

    /// The plan it carries out.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    pub(crate) fn take_in(&mut self, prints: &[W]) -> Result<(), SearchError> {
        for &print in prints {
            let Ok(position) = u32::try_from(self.prints) else {
                return Err(SearchError::TooManyPrints { count: self.prints as usize });
            };
            self.prints += 1;
            let bits = self.runs.ilog2();
            for (number, table) in self.tables.iter().enumerate() {
                let run = number as u32 * self.runs + run_of(table, print, bits);
                let buffer = &mut self.buffers[run as usize];
                buffer.extend_from_slice(&print.widen().to_le_bytes()[..size_of::<W>()]);
                buffer.extend_from_slice(&position.to_le_bytes());
                if buffer.len() >= self.buffer_bytes {
                    self.spill.append(run, buffer)?;
                    self.spilled[run as usize] += buffer.len() as u64;
                    buffer.clear();
                }
            }
        }
        Ok(())
    }

    pub(crate) fn join_runs(mut self, sink: &mut dyn PairSink) -> Result<JoinReport, SearchError> {
        for (run, buffer) in (0..).zip(&mut self.buffers) {
            if !buffer.is_empty() {
                self.spill.append(run, buffer)?;
                self.spilled[run as usize] += buffer.len() as u64;
            }
            *buffer = Vec::new();
        }
        let join = self.join.clone();
        let (pairs, stopped) = join.in_order(sink, |sink| self.all_runs(sink))?;
        let (prints, plan) = (self.prints, self.plan);
        Ok(JoinReport { pairs, prints, distinct: None, plan, stopped })
    }

    fn all_runs(&mut self, sink: &mut dyn PairSink) -> Result<(u64, bool), SearchError> {
        let total = self.spilled.iter().sum();
        let mut portion = Portion { sink, before: 0, weight: 0, total, pairs: 0, stopped: false };
        for run in 0..self.spilled.len() as u32 {
            let bytes = self.spilled[run as usize];
            portion.weight = bytes;
            if bytes * WORKING <= self.memory {
                self.whole_run(run, &mut portion)?;
            } else {
                self.run_in_pieces(run, &mut portion)?;
            }
            portion.before += bytes;
            if portion.stopped {
                break;
            }
        }
        Ok((portion.pairs, portion.stopped))
    }

    /// The work of a run's table.
    fn work(&self, run: u32) -> Work<'_, W> {
        let table = (run / self.runs) as usize;
        Work {
            step: &self.tables[table],
            tuning: WorkerSettings::at(self.join.simd, self.join.k, self.join.task),
            expand: self.join.expand,
            // Equal fingerprints agree in the first table's block, as in every other.
            equal: table == 0,
            one_set: true,
            room: self.memory as usize / 4 / size_of::<W>(),
        }
    }

    fn whole_run(&mut self, run: u32, sink: &mut Portion<'_>) -> Result<(), SearchError> {
        let groups = self.load(run, self.spilled[run as usize])?;
        self.spill.remove(run)?;
        sink.run(&self.work(run), &groups, None);
        Ok(())
    }

    /// A run too large for memory: cut into pieces by the whole fingerprint, so that equal ones stay together, and
    /// each piece joined with itself and with those after it.
    fn run_in_pieces(&mut self, run: u32, sink: &mut Portion<'_>) -> Result<(), SearchError> {
        let bytes = self.spilled[run as usize];
        let pieces = (bytes * WORKING * 2).div_ceil(self.memory).next_power_of_two() as usize;
        let first = self.spilled.len() as u32;
        let record = size_of::<W>() + POSITION;
        let mut sizes = vec![0u64; pieces];
        let mut chunk = vec![0u8; (1 << 20) / record * record];
        let mut at = 0;
        while at < bytes {
            let length = chunk.len().min((bytes - at) as usize);
            self.spill.read(run, at, &mut chunk[..length])?;
            at += length as u64;
            let mut parts = vec![Vec::new(); pieces];
            for record in chunk[..length].chunks_exact(record) {
                let (print, _) = read_record::<W>(record);
                let hash = print.mix().rotate_left(20) as usize % pieces;
                parts[hash].extend_from_slice(record);
            }
            for (piece, part) in parts.iter().enumerate().filter(|(_, part)| !part.is_empty()) {
                self.spill.append(first + piece as u32, part)?;
                sizes[piece] += part.len() as u64;
            }
        }
        self.spill.remove(run)?;
        let meetings = (pieces * (pieces + 1) / 2) as u64;
        sink.weight = bytes / meetings;
        let pieces: Vec<(u32, u64)> = (first..).zip(sizes).collect();
        for (one, &(left_run, left_bytes)) in pieces.iter().enumerate() {
            let left = self.load(left_run, left_bytes)?;
            sink.run(&self.work(run), &left, None);
            for &(right_run, right_bytes) in &pieces[one + 1..] {
                if sink.stopped {
                    break;
                }
                let right = self.load(right_run, right_bytes)?;
                sink.run(&self.work(run), &left, Some(&right));
            }
            self.spill.remove(left_run)?;
        }
        Ok(())
    }

    /// Reads `bytes` of a run as fingerprints with their positions.
    fn load(&mut self, run: u32, bytes: u64) -> Result<Groups<W>, SearchError> {
        let mut records = vec![0u8; bytes as usize];
        if bytes > 0 {
            self.spill.read(run, 0, &mut records)?;
        }
        let (prints, names): (Vec<W>, Vec<u32>) =
            records.chunks_exact(size_of::<W>() + POSITION).map(read_record::<W>).unzip();
        drop(records);
        Ok(Groups::named(&prints, &names))
    }
}

/// The part of a table's key a fingerprint belongs to, of `1 << bits`.
fn run_of<W: FingerprintWord>(step: &Step<W>, print: W, bits: u32) -> u32 {
    // What has no key, or neighbours in other parts, is one run.
    let Step::Chain(tables) = step else { return 0 };
    let run = match &tables[0] {
        table if bits == 0 || table.radius > 0 => 0,
        table => match table.key {
            Key::Run { high, width } => {
                let bits = bits.min(width);
                print.window(high - bits, bits)
            }
            Key::Hash { block, .. } => Bits::and(print, block).mix().window(64 - bits, bits),
        },
    };
    run as u32
}

/// A record's fingerprint and position.
fn read_record<W: FingerprintWord>(record: &[u8]) -> (W, u32) {
    let (word, position) = record.split_at(size_of::<W>());
    let number = |bytes: &[u8]| {
        bytes.iter().rev().fold(0u128, |number, &byte| number << 8 | u128::from(byte))
    };
    (W::truncate(number(word)), number(position) as u32)
}

/// The caller's sink, told of one run after another as of one join.
struct Portion<'s> {
    sink: &'s mut dyn PairSink,
    /// Bytes of the runs before this one, of this one, and of all.
    before: u64,
    weight: u64,
    total: u64,
    pairs: u64,
    stopped: bool,
}

impl Portion<'_> {
    fn run<W: FingerprintWord>(
        &mut self,
        work: &Work<'_, W>,
        left: &Groups<W>,
        right: Option<&Groups<W>>,
    ) {
        if !self.stopped {
            let before = self.pairs;
            let (pairs, stopped) = run::run(work, left, right, self);
            self.pairs = before + pairs;
            self.stopped |= stopped;
        }
    }
}

impl PairSink for Portion<'_> {
    fn pairs(&mut self, batch: &[Pair]) -> ControlFlow<()> {
        self.sink.pairs(batch)
    }

    fn progress(&mut self, part: Progress) -> ControlFlow<()> {
        let within = (self.weight as f64 * part.done as f64 / part.total.max(1) as f64) as u64;
        self.sink.progress(Progress {
            done: self.before + within.min(self.weight),
            total: self.total,
            pairs: self.pairs + part.pairs,
        })
    }
}

#[cfg(test)]
mod tests;
