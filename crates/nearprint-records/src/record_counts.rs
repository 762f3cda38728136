//! How many records of each kind archives have.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The kinds, as they are called in summaries: types of WARC; of ARC `filedesc`; `dns` of both; `other-status` for
/// responses skipped because of their status; `other` for types that the standard does not name.
const KINDS: [&str; 11] = [
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
pub struct RecordCounts([u64; KINDS.len() + 1]);

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

/// An object of the kinds that were met.
impl Serialize for RecordCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for RecordCounts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut counts = Self::default();
        for (kind, count) in BTreeMap::<String, u64>::deserialize(deserializer)? {
            let index = KINDS.iter().position(|known| *known == kind);
            let index = index.or((kind == "other").then_some(KINDS.len()));
            let index = index.ok_or_else(|| D::Error::custom("no kind of record"))?;
            counts.0[index] = count;
        }
        Ok(counts)
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
