//! The receiver of a join's pairs, shared by its tasks.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::sink::{Pair, PairSink, Progress};

/// Sink of pairs, and counts, that tasks share.
pub(super) struct SharedSink<'r> {
    sink: Mutex<&'r mut dyn PairSink>,
    pub(super) stop: AtomicBool,
    pub(super) pairs: AtomicU64,
    pub(super) compared: AtomicU64,
}

impl<'r> SharedSink<'r> {
    pub(super) fn to(sink: &'r mut dyn PairSink) -> Self {
        Self {
            sink: Mutex::new(sink),
            stop: AtomicBool::new(false),
            pairs: AtomicU64::new(0),
            compared: AtomicU64::new(0),
        }
    }

    pub(super) fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(super) fn send_above(&self, count: usize, found: &mut Vec<Pair>) {
        if found.len() <= count {
            return;
        }
        // A sink that panicked in another task has already ended the join there.
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.stopped() {
            self.pairs.fetch_add(found.len() as u64, Ordering::Relaxed);
            if sink.pairs(found).is_break() {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
        found.clear();
    }

    pub(super) fn progress(&self, done: u64, total: u64) {
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        let pairs = self.pairs.load(Ordering::Relaxed);
        if sink.progress(Progress { done, total, pairs }).is_break() {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}
