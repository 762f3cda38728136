//! How many records of each kind archives have.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The kinds, as they are called in summaries: types of WARC; of ARC `filedesc`; `dns` of both; `other-status` for
/// responses skipped because of their status; `other` for types that the standard does not name.
pub(crate) const KINDS: [&str; 11] = [
    "response",
    "resource",
    "conversion",
    "request",
    "revisit",
    "metadata",
    "warcinfo",
    "continuation",
    "filedesc",
    "dns",
    "other-status",
];

/// How many records of each kind were met in archives. All are 0 if there was no archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RecordCounts(pub(crate) [u64; KINDS.len() + 1]);

impl RecordCounts {
    /// Kinds that were met, with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let names = KINDS.iter().copied().chain(["other"]);
        names.zip(self.0).filter(|(_, count)| *count > 0)
    }

    /// Whether no record was met.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds other counts to these.
    pub fn add(&mut self, other: &Self) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }
}

/// Counts records; clones count together.
#[derive(Debug, Clone, Default)]
pub struct RecordCounter(Arc<Mutex<RecordCounts>>);

impl RecordCounter {
    pub(crate) fn add(&self, kind: &str) {
        let index = KINDS.iter().position(|known| *known == kind).unwrap_or(KINDS.len());
        self.lock().0[index] += 1;
    }

    /// Continues from these counts.
    pub fn restore(&self, counts: RecordCounts) {
        *self.lock() = counts;
    }

    /// The counts so far.
    #[must_use]
    pub fn read(&self) -> RecordCounts {
        *self.lock()
    }

    /// Whole between any two statements, so a panic elsewhere does not matter.
    fn lock(&self) -> MutexGuard<'_, RecordCounts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
