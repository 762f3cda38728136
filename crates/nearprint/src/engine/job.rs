//! A job from outside: how far it is, what it came to, and how to stop it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use nearprint_records::{FingerprintRecord, Outcome, Place, RecordCounts};

/// Stops a job from another thread: between two documents, or between two batches of pairs.
///
/// Clones are one flag.
#[derive(Debug, Clone, Default)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    /// A flag that is not set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the job to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody did.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What became of the documents of a job so far, or at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Documents met, whatever became of them.
    pub documents: u64,
    /// Those with a fingerprint.
    pub fingerprints: u64,
    /// Those without one where nothing failed; see [`is_failure`](nearprint_records::ReasonCode::is_failure).
    pub without_fingerprint: u64,
    /// Those that failed.
    pub failed: u64,
    /// Those that are rows of JSON lines, of separated values or of tables.
    pub rows: u64,
    /// Bytes of the documents, as they lay in their files.
    pub bytes: u64,
    /// Records of archives by their kinds, those that are not documents among them.
    pub records: RecordCounts,
    /// Whether the job was cancelled before its end.
    pub cancelled: bool,
}

impl Tally {
    /// Counts one document.
    pub fn count(&mut self, record: &FingerprintRecord, bytes: u64) {
        self.bytes += bytes;
        self.count_row(&record.place);
        match &record.outcome {
            Outcome::Print { .. } => self.count_print(),
            Outcome::Nothing { reason, .. } => self.count_nothing(reason.is_failure()),
        }
    }

    /// Counts one row, if a document is one by its place.
    pub(crate) fn count_row(&mut self, place: &Place) {
        self.rows += u64::from(place.line.is_some() || place.row.is_some());
    }

    /// Counts one fingerprint.
    pub fn count_print(&mut self) {
        self.documents += 1;
        self.fingerprints += 1;
    }

    /// Counts fingerprints that were read as such.
    pub fn count_prints(&mut self, prints: u64) {
        self.documents += prints;
        self.fingerprints += prints;
    }

    /// Counts one document or line that gave none.
    pub fn count_nothing(&mut self, failed: bool) {
        self.documents += 1;
        if failed {
            self.failed += 1;
        } else {
            self.without_fingerprint += 1;
        }
    }

    /// Adds what became of further documents.
    pub fn add(&mut self, other: &Self) {
        self.documents += other.documents;
        self.fingerprints += other.fingerprints;
        self.without_fingerprint += other.without_fingerprint;
        self.failed += other.failed;
        self.rows += other.rows;
        self.bytes += other.bytes;
        self.records.add(&other.records);
        self.cancelled |= other.cancelled;
    }
}
