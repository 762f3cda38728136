//! From pairs of fingerprints to pairs of documents, in batches, to the one receiver.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::Expand;
use super::tree::PathTest;
use crate::groups::Groups;
use crate::kernel::HitReceiver;
use crate::sink::{Pair, PairSink, Progress};
use crate::word::{Bits, FingerprintWord};

/// Pairs a worker gathers before it asks for the sink.
const BATCH: usize = 4096;

/// What all workers of a join share.
pub(crate) struct Output<'a, W> {
    sink: Mutex<&'a mut dyn PairSink>,
    left: &'a Groups<W>,
    right: Option<&'a Groups<W>>,
    one_set: bool,
    expand: Expand,
    stop: AtomicBool,
    pairs: AtomicU64,
    done: AtomicU64,
    total: u64,
}

impl<'a, W: FingerprintWord> Output<'a, W> {
    pub(crate) fn new(
        sink: &'a mut dyn PairSink,
        (left, right): (&'a Groups<W>, Option<&'a Groups<W>>),
        one_set: bool,
        expand: Expand,
        total: u64,
    ) -> Self {
        Self {
            sink: Mutex::new(sink),
            left,
            right,
            one_set,
            expand,
            stop: AtomicBool::new(false),
            pairs: AtomicU64::new(0),
            done: AtomicU64::new(0),
            total,
        }
    }

    pub(crate) fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(crate) fn pairs(&self) -> u64 {
        self.pairs.load(Ordering::Relaxed)
    }

    fn obey(&self, flow: ControlFlow<()>) {
        if flow.is_break() {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Counts `units` as done and tells the sink.
    pub(crate) fn advance(&self, units: u64) {
        let done = self.done.fetch_add(units, Ordering::Relaxed) + units;
        // Progress is talk: where another worker has the sink, the next call will do.
        if let Ok(mut sink) = self.sink.try_lock()
            && !self.stopped()
        {
            self.obey(sink.progress(Progress { done, total: self.total, pairs: self.pairs() }));
        }
    }

    fn send(&self, batch: &mut Vec<Pair>) {
        if batch.is_empty() {
            return;
        }
        // A sink that panicked in another worker has already ended the join there.
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.stopped() {
            self.pairs.fetch_add(batch.len() as u64, Ordering::Relaxed);
            self.obey(sink.pairs(batch));
        }
        batch.clear();
    }
}

/// Fingerprints looked up last, with their entries in the groups: in a bucket with many pairs the same fingerprints
/// come again and again, and where fingerprints are skewed a look-up is a long search.
struct Recent<W> {
    slots: Vec<(W, u32, u32)>,
}

impl<W: FingerprintWord> Recent<W> {
    /// Slots: 16 KiB of 64-bit fingerprints, half a first cache.
    const BITS: u32 = 10;

    fn new() -> Self {
        // A fingerprint has an entry at least, so that no fingerprint ends at 0.
        Self { slots: vec![(W::default(), 0, 0); 1 << Self::BITS] }
    }

    fn slot(print: W) -> usize {
        print.mix().window(64 - Self::BITS, Self::BITS)
    }

    fn holds(&self, print: W) -> bool {
        let (held, _, end) = self.slots[Self::slot(print)];
        held == print && end > 0
    }

    fn documents<'g>(&mut self, groups: &'g Groups<W>, print: W) -> &'g [u32] {
        let slot = &mut self.slots[Self::slot(print)];
        if slot.0 != print || slot.2 == 0 {
            let (start, end) = groups.entries(print);
            *slot = (print, start, end);
        }
        groups.documents_at(slot.1, slot.2)
    }
}

/// One worker's way to the output; hands in what is left when it is dropped.
pub(crate) struct Emitter<'o, 'a, W: FingerprintWord> {
    output: &'o Output<'a, W>,
    batch: Vec<Pair>,
    recent_left: Recent<W>,
    recent_right: Recent<W>,
}

impl<'o, 'a, W: FingerprintWord> Emitter<'o, 'a, W> {
    pub(crate) fn new(output: &'o Output<'a, W>) -> Self {
        let (recent_left, recent_right) = (Recent::new(), Recent::new());
        Self { output, batch: Vec::new(), recent_left, recent_right }
    }

    pub(crate) fn output(&self) -> &'o Output<'a, W> {
        self.output
    }

    fn push(&mut self, pair: Pair) {
        self.batch.push(pair);
        if self.batch.len() >= BATCH {
            self.output.send(&mut self.batch);
        }
    }

    fn link(&mut self, first: u32, second: u32, distance: u32) {
        let (a, b) =
            if !self.output.one_set || first < second { (first, second) } else { (second, first) };
        self.push(Pair { a, b, distance });
    }

    /// Gives out the pair of fingerprints `left`, `right` as the pairs of their documents.
    pub(crate) fn prints(&mut self, left: W, right: W) {
        let output = self.output;
        let lefts = self.recent_left.documents(output.left, left);
        let rights = self.recent_right.documents(output.right.unwrap_or(output.left), right);
        let distance = left.hamming_distance(right);
        match output.expand {
            Expand::AllPairs => {
                for &a in lefts {
                    for &b in rights {
                        self.link(a, b, distance);
                    }
                    if output.stopped() {
                        return;
                    }
                }
            }
            Expand::Star | Expand::Representatives => {
                if let (Some(&a), Some(&b)) = (lefts.first(), rights.first()) {
                    self.link(a, b, distance);
                }
            }
        }
    }

    /// Gives out the pairs inside one group of equal fingerprints of one set.
    pub(crate) fn group(&mut self, documents: &[u32]) {
        match self.output.expand {
            Expand::AllPairs => {
                for (at, &a) in documents.iter().enumerate() {
                    for &b in &documents[at + 1..] {
                        self.push(Pair { a, b, distance: 0 });
                    }
                    if self.output.stopped() {
                        return;
                    }
                }
            }
            Expand::Star => {
                for &b in &documents[1..] {
                    self.push(Pair { a: documents[0], b, distance: 0 });
                }
            }
            Expand::Representatives => {}
        }
    }
}

impl<W: FingerprintWord> Drop for Emitter<'_, '_, W> {
    fn drop(&mut self) {
        self.output.send(&mut self.batch);
    }
}

/// Filter of a kernel's hits: only those that belong to the bucket's path pass.
pub(crate) struct PathFilter<'e, 'o, 'a, W: FingerprintWord> {
    pub(crate) emitter: &'e mut Emitter<'o, 'a, W>,
    pub(crate) test: &'e PathTest<W>,
}

impl<W: FingerprintWord> HitReceiver<W> for PathFilter<'_, '_, '_, W> {
    fn hits(&mut self, hits: &[(W, W)]) {
        /// Pairs looked up together: each is four places in memory.
        const TOGETHER: usize = 16;
        let output = self.emitter.output;
        let (lefts, rights) = (output.left, output.right.unwrap_or(output.left));
        let mut mine = hits.iter().copied().filter(|&(a, b)| self.test.admits(a, b));
        loop {
            let mut some = [(W::default(), W::default()); TOGETHER];
            let mut count = 0;
            for (slot, pair) in some.iter_mut().zip(mine.by_ref()) {
                *slot = pair;
                count += 1;
            }
            let recent = (&self.emitter.recent_left, &self.emitter.recent_right);
            let new_lefts =
                || some[..count].iter().map(|pair| pair.0).filter(|&a| !recent.0.holds(a));
            let new_rights =
                || some[..count].iter().map(|pair| pair.1).filter(|&b| !recent.1.holds(b));
            new_lefts().for_each(|print| lefts.prefetch_entry(print));
            new_rights().for_each(|print| rights.prefetch_entry(print));
            new_lefts().for_each(|print| lefts.prefetch_documents(print));
            new_rights().for_each(|print| rights.prefetch_documents(print));
            for &(a, b) in &some[..count] {
                self.emitter.prints(a, b);
            }
            if count < TOGETHER {
                return;
            }
        }
    }

    fn stopped(&self) -> bool {
        self.emitter.output.stopped()
    }
}
