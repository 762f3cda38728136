//! What a pool has done so far.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts since the pool was made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PoolCounts {
    /// Processes started.
    pub started: u64,
    /// Processes that died on a document or were ended for what they did with it.
    pub died: u64,
    /// Processes replaced in peace: after enough documents, or grown too large, or their time used up.
    pub retired: u64,
    /// Documents that were read by the one worker that has all of the memory.
    pub large: u64,
}

/// The same, being counted.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) started: AtomicU64,
    pub(crate) died: AtomicU64,
    pub(crate) retired: AtomicU64,
    pub(crate) large: AtomicU64,
}

impl Counters {
    pub(crate) fn add(counter: &AtomicU64) {
        counter.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn read(&self) -> PoolCounts {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        PoolCounts {
            started: read(&self.started),
            died: read(&self.died),
            retired: read(&self.retired),
            large: read(&self.large),
        }
    }
}
