//! A job: what is written down about it, and how far it is.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use nearprint::CancelFlag;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::run::ResultNote;
use super::{JobRequest, lock};
use crate::clock::now;
use crate::collections::write_whole;
use crate::problem::Problem;

/// The file of a job's rows.
pub(crate) const RESULT: &str = "result.jsonl";

/// How far a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum JobState {
    /// It waits for those before it.
    Waiting,
    /// It is under way.
    Running,
    /// It has a result.
    Done,
    /// It has none; `detail` says why.
    Failed,
    /// It was cancelled.
    Cancelled,
}

impl JobState {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    pub(crate) fn has_ended(self) -> bool {
        !matches!(self, Self::Waiting | Self::Running)
    }
}

/// What is written down about a job.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct JobRecord {
    pub(crate) id: String,
    pub(crate) request: JobRequest,
    /// The collection that the request named, perhaps by an alias; `None` for those that came before this was written
    /// down.
    #[serde(default)]
    pub(crate) collection: Option<String>,
    pub(crate) state: JobState,
    /// Milliseconds since 1970.
    pub(crate) created: u64,
    /// When its turn came; `None` before, and for those that came before this was written down.
    #[serde(default)]
    pub(crate) started: Option<u64>,
    pub(crate) ended: Option<u64>,
    /// Rows of the result, without its last line.
    pub(crate) rows: Option<u64>,
    /// Of decisions, how many have each reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) reasons: BTreeMap<String, u64>,
    /// Why it failed.
    pub(crate) detail: Option<String>,
    /// The idempotency key that it came with.
    pub(crate) key: Option<String>,
}

impl JobRecord {
    /// The name of the collection that it concerns, whatever an alias names now.
    pub(crate) fn collection(&self) -> &str {
        self.collection.as_deref().unwrap_or(&self.request.collection)
    }
}

/// Which jobs are listed: all, unless a field says otherwise.
#[derive(Debug, Default)]
pub(crate) struct JobFilter {
    pub(crate) collection: Option<String>,
    pub(crate) state: Option<JobState>,
}

impl JobFilter {
    pub(super) fn allows(&self, record: &JobRecord) -> bool {
        let of_it = self.collection.as_ref().is_none_or(|name| name == record.collection());
        of_it && self.state.is_none_or(|state| state == record.state)
    }
}

/// A job.
pub(crate) struct Job {
    pub(super) directory: PathBuf,
    pub(super) record: Mutex<JobRecord>,
    pub(crate) cancel: CancelFlag,
    done: AtomicU64,
    total: AtomicU64,
}

impl Job {
    /// A job with this record, which lies in this directory.
    pub(super) fn new(directory: PathBuf, record: JobRecord) -> Self {
        let (done, total) = (AtomicU64::new(0), AtomicU64::new(0));
        let cancel = CancelFlag::new();
        Self { directory, record: Mutex::new(record), cancel, done, total }
    }

    pub(crate) fn record(&self) -> JobRecord {
        lock(&self.record).clone()
    }

    /// How much of how much is done.
    pub(crate) fn progress(&self) -> (u64, u64) {
        (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }

    pub(super) fn set_progress(&self, done: u64, total: u64) {
        self.done.store(done, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    /// The file of its rows.
    pub(crate) fn result(&self) -> PathBuf {
        self.directory.join(RESULT)
    }

    /// Changes what is written down, and writes it down.
    pub(super) fn change(&self, change: impl FnOnce(&mut JobRecord)) -> Result<(), Problem> {
        let mut record = lock(&self.record);
        change(&mut record);
        let bytes = serde_json::to_vec(&*record).unwrap_or_default();
        write_whole(&self.directory, "job.json", &bytes)
    }

    /// Notes how the job ended: with rows, cancelled, or failed.
    pub(super) fn end(&self, done: Result<ResultNote, Option<String>>) -> Result<(), Problem> {
        let _ = fs::remove_file(self.directory.join(format!("{RESULT}.part")));
        self.change(|record| {
            record.ended = Some(now());
            (record.state, record.rows, record.detail) = match done {
                Ok(ResultNote { rows, counts }) => {
                    record.reasons = counts;
                    (JobState::Done, Some(rows), None)
                }
                Err(None) => (JobState::Cancelled, None, None),
                Err(detail) => (JobState::Failed, None, detail),
            };
        })
    }
}
