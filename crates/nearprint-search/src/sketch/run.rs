//! A join of sketches at work: one band at a time, its values sorted, those who share one compared.
//!
//! A pair is reported by the first band in which it was compared, so no set of seen pairs is kept. Equal sketches are
//! grouped first. Where the sketches are not in memory, a band's buckets are compared in loads of as many sketches as
//! there is memory for, each load read front to back.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::Ordering;

use rayon::prelude::*;

use super::distinct::Distinct;
use super::join::{SketchJoin, SketchReport};
use super::shared_sink::SharedSink;
use super::shares::{MOST_TOGETHER, Shares};
use super::source::{SketchSource, gather, is_in_memory, map_all};
use super::{SKETCH_POSITIONS, Sketch, key, mix, sketch_distance};
use crate::error::SearchError;
use crate::join::Expand;
use crate::radix;
use crate::sink::{Pair, PairSink};

/// Documents of one bucket that a task compares with those after them: enough to be worth a task, few enough to share
/// a bucket of page templates among all cores.
const ROWS_A_TASK: usize = 256;

/// Does what the join says. With `split`, only pairs of a document before it and one from it on.
pub(super) fn run(
    join: &SketchJoin,
    source: &dyn SketchSource,
    split: Option<u32>,
    sink: &mut dyn PairSink,
) -> Result<SketchReport, SearchError> {
    let count = source.len();
    if u32::try_from(count).is_err() {
        return Err(SearchError::TooManyPrints { count });
    }
    let shares = Shares::of(count as u64, join.memory, is_in_memory(source))?;
    run_with(join, source, split, shares, sink)
}

/// The same with memory shared out so.
pub(super) fn run_with(
    join: &SketchJoin,
    source: &dyn SketchSource,
    split: Option<u32>,
    shares: Shares,
    sink: &mut dyn PairSink,
) -> Result<SketchReport, SearchError> {
    let distinct = Distinct::of(source, split.unwrap_or(u32::MAX), shares.digests)?;
    let mut run = Run {
        join,
        source,
        distinct,
        split,
        in_memory: is_in_memory(source),
        shares,
        bounded: HashMap::new(),
        slots: Vec::new(),
        largest_bucket: 0,
        left_out: 0,
        given: SharedSink::to(sink),
    };
    if split.is_none() {
        run.equal();
    }
    run.all_bands()?;
    Ok(SketchReport {
        pairs: run.given.pairs.into_inner(),
        distinct: run.distinct.count(),
        compared: run.given.compared.into_inner(),
        largest_bucket: run.largest_bucket,
        bounded_buckets: run.bounded.len() as u64,
        left_out: run.left_out,
        stopped: run.given.stop.into_inner(),
    })
}

struct Run<'r> {
    join: &'r SketchJoin,
    source: &'r dyn SketchSource,
    distinct: Distinct,
    split: Option<u32>,
    in_memory: bool,
    shares: Shares,
    /// By band and value of the buckets that were too large: the last document that was compared with all after it.
    bounded: HashMap<(u32, u64), u32>,
    /// The sketches of the load that is worked on.
    slots: Vec<Sketch>,
    largest_bucket: u64,
    left_out: u64,
    given: SharedSink<'r>,
}

/// Documents side by side in a bucket, and the slot of the first where they were loaded.
#[derive(Clone, Copy)]
struct Part<'b> {
    documents: &'b [u32],
    slot: usize,
}

/// The comparisons of a bucket: the first `rows` of `left` with `right`, or where they are the same with those after.
#[derive(Clone, Copy)]
struct Block<'b> {
    left: Part<'b>,
    right: Part<'b>,
    same: bool,
    rows: usize,
}

impl Run<'_> {
    fn all_bands(&mut self) -> Result<(), SearchError> {
        let bands = self.join.bands.bands();
        let mut band = 0;
        while band < bands && !self.given.stopped() {
            let together = (self.shares.together as u32).min(bands - band);
            for part in 0..self.shares.parts {
                let (names, values) = self.values(band..band + together, part)?;
                for (band, values) in (band..).zip(values) {
                    let (values, mut members) = radix::sort_with_positions(&values);
                    members.par_iter_mut().for_each(|member| *member = names[*member as usize]);
                    self.band(band, &values, &members)?;
                    if part + 1 == self.shares.parts {
                        self.given.progress(u64::from(band) + 1, u64::from(bands));
                    }
                }
            }
            band += together;
        }
        Ok(())
    }

    /// The values of some bands, of the documents that are the first of their sketch, and these documents. Of several
    /// parts only the values of one, which is then of one band.
    fn values(
        &self,
        bands: Range<u32>,
        part: u64,
    ) -> Result<(Vec<u32>, Vec<Vec<u64>>), SearchError> {
        let parts = self.shares.parts;
        let (mut names, mut values) = (Vec::new(), vec![Vec::new(); bands.len()]);
        let each = |sketch: &Sketch| {
            let mut made = [0; MOST_TOGETHER];
            for (value, band) in made.iter_mut().zip(bands.clone()) {
                *value = key(&sketch[self.join.bands.positions(band)]);
            }
            made
        };
        map_all(self.source, each, |from, made| {
            for (document, made) in (from as u32..).zip(made) {
                let is_here = parts == 1 || mix(made[0]) % parts == part;
                if is_here && self.distinct.is_first(document) {
                    names.push(document);
                    values.iter_mut().zip(made).for_each(|(values, value)| values.push(value));
                }
            }
        })?;
        Ok((names, values))
    }

    /// The pairs that this band is the first to compare.
    fn band(&mut self, band: u32, values: &[u64], members: &[u32]) -> Result<(), SearchError> {
        let mut buckets: Vec<(u32, u32)> = Vec::new();
        let mut start = 0;
        for bucket in values.chunk_by(|a, b| a == b) {
            let end = start + bucket.len();
            if bucket.len() > 1 {
                buckets.push((start as u32, end as u32));
                self.largest_bucket = self.largest_bucket.max(bucket.len() as u64);
                self.bound(band, bucket[0], self.block(&members[start..end], 0));
            }
            start = end;
        }
        let bucket = |&(start, end): &(u32, u32)| &members[start as usize..end as usize];
        if self.in_memory {
            let blocks: Vec<Block<'_>> =
                buckets.iter().map(|range| self.block(bucket(range), 0)).collect();
            self.compare_all(band, &blocks);
            return Ok(());
        }
        let mut load: Vec<Block<'_>> = Vec::new();
        let mut used = 0;
        for range in &buckets {
            let documents = bucket(range);
            if documents.len() > self.shares.load {
                self.load(band, std::mem::take(&mut load))?;
                used = 0;
                self.in_pieces(band, self.block(documents, 0))?;
                continue;
            }
            if used + documents.len() > self.shares.load {
                self.load(band, std::mem::take(&mut load))?;
                used = 0;
            }
            load.push(self.block(documents, used));
            used += documents.len();
        }
        self.load(band, load)
    }

    /// The comparisons that a bucket makes.
    fn block<'b>(&self, documents: &'b [u32], slot: usize) -> Block<'b> {
        let split = self.split.map(|split| documents.partition_point(|&at| at < split));
        let (left, right, same) = match split {
            None => (Part { documents, slot }, Part { documents, slot }, true),
            Some(at) => {
                let (left, right) = documents.split_at(at);
                let right = Part { documents: right, slot: slot + at };
                (Part { documents: left, slot }, right, false)
            }
        };
        let mut block = Block { left, right, same, rows: left.documents.len() };
        if let Some(most) = self.join.bucket
            && block.comparisons() > most
        {
            block.rows = (most / right.documents.len() as u64).max(1) as usize;
        }
        block
    }

    /// Notes a bucket of which not everything is compared.
    fn bound(&mut self, band: u32, value: u64, block: Block<'_>) {
        if block.rows < block.left.documents.len() {
            self.bounded.insert((band, value), block.left.documents[block.rows - 1]);
            let whole = Block { rows: block.left.documents.len(), ..block };
            self.left_out += whole.comparisons() - block.comparisons();
        }
    }

    /// Reads the sketches of some buckets, side by side in their order, and compares them.
    fn load(&mut self, band: u32, blocks: Vec<Block<'_>>) -> Result<(), SearchError> {
        if blocks.is_empty() || self.given.stopped() {
            return Ok(());
        }
        let mut wanted = Vec::new();
        for block in &blocks {
            wanted.extend_from_slice(block.left.documents);
            if !block.same {
                wanted.extend_from_slice(block.right.documents);
            }
        }
        let mut slots = std::mem::take(&mut self.slots);
        slots.resize(wanted.len(), [0; SKETCH_POSITIONS]);
        let read = gather(self.source, &wanted, &mut slots);
        self.slots = slots;
        read?;
        self.compare_all(band, &blocks);
        Ok(())
    }

    /// A bucket of more sketches than a load has: pieces of it, two and two.
    fn in_pieces(&mut self, band: u32, block: Block<'_>) -> Result<(), SearchError> {
        let piece = (self.shares.load / 2).max(1);
        for left_at in (0..block.rows).step_by(piece) {
            let documents = &block.left.documents[left_at..];
            let left = Part { documents: &documents[..piece.min(documents.len())], slot: 0 };
            let rows = (block.rows - left_at).min(left.documents.len());
            if block.same {
                let within = Block { left, right: left, same: true, rows };
                self.load(band, vec![within])?;
            }
            let first = if block.same { left_at + piece } else { 0 };
            for right_at in (first..block.right.documents.len()).step_by(piece) {
                let documents = &block.right.documents[right_at..];
                let documents = &documents[..piece.min(documents.len())];
                let right = Part { documents, slot: left.documents.len() };
                self.load(band, vec![Block { left, right, same: false, rows }])?;
            }
        }
        Ok(())
    }

    fn compare_all(&self, band: u32, blocks: &[Block<'_>]) {
        let tasks: Vec<(&Block<'_>, usize)> = blocks
            .iter()
            .flat_map(|block| (0..block.rows).step_by(ROWS_A_TASK).map(move |row| (block, row)))
            .collect();
        tasks.par_iter().for_each(|&(block, row)| self.compare(band, block, row));
    }

    fn sketch(&self, part: Part<'_>, at: usize) -> &Sketch {
        match self.source.in_memory(part.documents[at] as usize) {
            Some(sketch) => sketch,
            None => &self.slots[part.slot + at],
        }
    }

    /// Compares some documents of a block, from `row` on, each with all it is to be compared with.
    fn compare(&self, band: u32, block: &Block<'_>, row: usize) {
        let mut found = Vec::new();
        let mut compared = 0;
        for at in row..block.rows.min(row + ROWS_A_TASK) {
            if self.given.stopped() {
                break;
            }
            let (a, first) = (block.left.documents[at], self.sketch(block.left, at));
            let others = if block.same { at + 1 } else { 0 }..block.right.documents.len();
            compared += others.len() as u64;
            for other in others {
                let second = self.sketch(block.right, other);
                let distance = sketch_distance(first, second);
                if distance <= self.join.k && self.is_first(band, a, first, second) {
                    self.expand(a, block.right.documents[other], distance, &mut found);
                }
            }
        }
        self.given.compared.fetch_add(compared, Ordering::Relaxed);
        self.given.send_above(0, &mut found);
    }

    /// Whether this band is the first that compares the two, of which `document` is the earlier one.
    fn is_first(&self, band: u32, document: u32, a: &Sketch, b: &Sketch) -> bool {
        let bands = self.join.bands;
        let agree = |band| a[bands.positions(band)] == b[bands.positions(band)];
        let compares = |earlier: u32| {
            if self.bounded.is_empty() {
                return true;
            }
            let value = key(&a[bands.positions(earlier)]);
            self.bounded.get(&(earlier, value)).is_none_or(|&last| document <= last)
        };
        agree(band) && !(0..band).any(|earlier| agree(earlier) && compares(earlier))
    }

    /// The pairs of documents with equal sketches.
    fn equal(&self) {
        self.distinct.shared().par_iter().for_each(|others| {
            let Some(&(first, _)) = others.first() else { return };
            let documents: Vec<u32> =
                std::iter::once(first).chain(others.iter().map(|&(_, other)| other)).collect();
            let firsts = match self.join.expand {
                Expand::AllPairs => documents.len(),
                Expand::Star => 1,
                Expand::Representatives => 0,
            };
            let mut found = Vec::new();
            for (at, &a) in documents.iter().enumerate().take(firsts) {
                found.extend(documents[at + 1..].iter().map(|&b| Pair { a, b, distance: 0 }));
                self.given.send_above(1 << 12, &mut found);
            }
            self.given.send_above(0, &mut found);
        });
    }

    /// Gives out a pair of distinct sketches as the pairs of their documents.
    fn expand(&self, first: u32, second: u32, distance: u32, found: &mut Vec<Pair>) {
        let pair = |a: u32, b: u32| match self.split {
            Some(split) => Pair { a, b: b - split, distance },
            None => Pair { a: a.min(b), b: a.max(b), distance },
        };
        found.push(pair(first, second));
        if self.split.is_some() || self.join.expand == Expand::AllPairs {
            found.extend(self.distinct.others(second).map(|b| pair(first, b)));
            for a in self.distinct.others(first) {
                found.push(pair(a, second));
                found.extend(self.distinct.others(second).map(|b| pair(a, b)));
                self.given.send_above(1 << 12, found);
            }
        }
    }
}

impl Block<'_> {
    fn comparisons(&self) -> u64 {
        let (rows, right) = (self.rows as u64, self.right.documents.len() as u64);
        // Of the same documents, row r has those after it: right - 1 - r.
        let before = if self.same { rows * (rows + 1) / 2 } else { 0 };
        rows * right - before
    }
}
