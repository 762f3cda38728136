//! Looking all prints up, table by table, with many accesses to memory under way at once.

use rayon::prelude::*;

use super::likelihood::sets;
use super::{ProbabilisticJoin, WeakBits};
use crate::buckets::{Buckets, BucketsView};
use crate::groups::Groups;
use crate::join::{Emitter, Output};
use crate::kernel::{Probe, SimdLevel};
use crate::word::{Bits, FingerprintWord};

/// Look-ups taken through a step together: more than a core can have under way.
const BLOCK: usize = 64;

/// Prints that one task looks up.
const TASK: usize = 4096;

/// A search on its way.
pub(super) struct Searching<'s, 'a, W: FingerprintWord> {
    pub(super) join: &'s ProbabilisticJoin,
    pub(super) groups: &'s Groups<W>,
    pub(super) weak: &'s [WeakBits],
    pub(super) output: &'s Output<'a, W>,
}

impl<W: FingerprintWord> Searching<'_, '_, W> {
    pub(super) fn run(&self) {
        let distinct: Vec<(W, &[u32])> = self.groups.iter().collect();
        self.equal_prints(&distinct);
        for table in 0..self.join.tables.count {
            if self.output.stopped() {
                return;
            }
            let shift = self.join.tables.shift::<W>(table);
            let buckets = Buckets::of_distinct(
                self.groups.prints(),
                distinct.len(),
                shift,
                self.join.tables.bits,
            );
            distinct.par_chunks(TASK).for_each(|prints| {
                if !self.output.stopped() {
                    self.look_up(table, buckets.view(), prints);
                    self.output.advance(prints.len() as u64);
                }
            });
        }
    }

    fn equal_prints(&self, distinct: &[(W, &[u32])]) {
        let mut emitter = Emitter::new(self.output);
        for (_, documents) in distinct.iter().filter(|(_, documents)| documents.len() > 1) {
            emitter.group(documents);
            if self.output.stopped() {
                return;
            }
        }
    }

    fn look_up(&self, table: u32, buckets: BucketsView<'_, W>, prints: &[(W, &[u32])]) {
        let mut lookups = LookUps {
            searching: self,
            table,
            buckets,
            asked: Vec::with_capacity(BLOCK),
            waiting: Vec::with_capacity(BLOCK),
            documents: Vec::with_capacity(BLOCK),
            near: Vec::new(),
            emitter: Emitter::new(self.output),
        };
        let part = (self.join.tables.shift::<W>(table), self.join.tables.bits);
        let mut list = Vec::new();
        for &(print, documents) in prints {
            let document = documents[0];
            let weak = &self.weak[document as usize];
            self.join.penalties.list(part, weak, self.join.most, &mut list);
            let own = buckets.key(print);
            sets(&list, self.join.k, self.join.most, &mut |set| {
                lookups.ask((print, document), own ^ set as usize);
                true
            });
        }
        lookups.finish();
    }

    /// Whether looking a print with these uncertain bits up in a table meets one that differs in `differing`.
    fn meets(&self, table: u32, differing: u128, weak: &WeakBits) -> bool {
        let differing = differing & self.join.tables.mask::<W>(table);
        self.join.penalties.of_bits(differing, weak) <= self.join.most
    }

    /// Whether looking `print` up in a table, which has met `other`, is the first to meet it: of two prints that
    /// meet one another the lesser gives the pair out.
    fn is_first(&self, table: u32, (print, weak): (W, &WeakBits), other: W) -> bool {
        let differing = Bits::xor(print, other).widen();
        if (0..table).any(|before| self.meets(before, differing, weak)) {
            return false;
        }
        let Some(&theirs) = self.groups.documents(other).first() else { return false };
        let theirs = &self.weak[theirs as usize];
        !(0..table).any(|before| self.meets(before, differing, theirs))
            && (print < other || !self.meets(table, differing, theirs))
    }
}

/// Look-ups of one task in one table.
struct LookUps<'l, 's, 'a, W: FingerprintWord> {
    searching: &'l Searching<'s, 'a, W>,
    table: u32,
    buckets: BucketsView<'l, W>,
    /// Prints, their first documents and the buckets to look in, whose entries in the directory are asked for.
    asked: Vec<(W, u32, usize)>,
    /// Those whose buckets are asked for.
    waiting: Vec<Probe<W>>,
    /// The first documents of these.
    documents: Vec<u32>,
    near: Vec<(u32, u32)>,
    emitter: Emitter<'l, 'a, W>,
}

impl<W: FingerprintWord> LookUps<'_, '_, '_, W> {
    #[inline]
    fn ask(&mut self, (print, document): (W, u32), key: usize) {
        self.buckets.prefetch_directory(key);
        self.asked.push((print, document, key));
        if self.asked.len() == BLOCK {
            self.step();
        }
    }

    /// Compares what was waited for, and asks for the next.
    fn step(&mut self) {
        self.compare();
        for (print, document, key) in self.asked.drain(..) {
            let (start, end) = self.buckets.bucket(key);
            self.buckets.prefetch_bucket((start, end));
            self.waiting.push(Probe { print, start, end });
            self.documents.push(document);
        }
    }

    fn finish(&mut self) {
        self.step();
        self.compare();
    }

    fn compare(&mut self) {
        let (searching, prints) = (self.searching, self.buckets.prints);
        let kernels = W::kernels().at(SimdLevel::detect());
        (kernels.probes)(prints, &self.waiting, searching.join.k, &mut self.near);
        // Mostly pairs: each is some more places in memory, asked for together.
        let groups = searching.groups;
        self.near.iter().for_each(|&(_, at)| groups.prefetch_entry(prints[at as usize]));
        self.near.iter().for_each(|&(_, at)| groups.prefetch_documents(prints[at as usize]));
        for (number, at) in self.near.drain(..) {
            let (print, other) = (self.waiting[number as usize].print, prints[at as usize]);
            let weak = &searching.weak[self.documents[number as usize] as usize];
            if print != other && searching.is_first(self.table, (print, weak), other) {
                self.emitter.prints(print, other);
            }
        }
        self.waiting.clear();
        self.documents.clear();
    }
}
