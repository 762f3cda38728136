//! What a job does when its turn comes.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;

use nearprint::records::{Format, Row, RowWriter};
use nearprint::search::MAX_JOIN_DISTANCE;
use nearprint::{CancelFlag, Engine, Error, PrintSet};

use super::{Job, JobRecord, JobState, JobType, RESULT};
use crate::clock::now;
use crate::collection::Collection;
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::schemas::End;

/// Rows on their way into the file of a job, which appears when it is complete.
struct ResultFile {
    part: PathBuf,
    rows: u64,
    writer: RowWriter<BufWriter<File>>,
}

/// Why a job has no result.
enum Ended {
    Cancelled,
    Failed(Problem),
}

impl From<Error> for Ended {
    fn from(error: Error) -> Self {
        Self::Failed(error.into())
    }
}

impl From<io::Error> for Ended {
    fn from(error: io::Error) -> Self {
        let detail = format!("the result cannot be written: {error}");
        Self::Failed(Problem::new(ProblemKind::Storage, detail))
    }
}

impl ResultFile {
    fn create(job: &Job) -> io::Result<Self> {
        let part = job.directory.join(format!("{RESULT}.part"));
        let writer = RowWriter::new(Format::Jsonl, BufWriter::new(File::create(&part)?));
        Ok(Self { part, rows: 0, writer })
    }

    fn push(&mut self, row: &impl Row) -> io::Result<()> {
        self.rows += 1;
        self.writer.write(row)
    }

    /// Ends the rows with the line that says how many there are; returns their number.
    fn finish(self, job: &Job) -> io::Result<u64> {
        let Self { part, rows, writer } = self;
        let mut out = writer.finish()?;
        serde_json::to_writer(&mut out, &End::new(rows))?;
        out.write_all(b"\n")?;
        out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        fs::rename(part, job.result())?;
        Ok(rows)
    }
}

impl Job {
    pub(super) fn new(directory: PathBuf, record: JobRecord) -> Self {
        let (done, total) = (AtomicU64::new(0), AtomicU64::new(0));
        let cancel = CancelFlag::new();
        Self { directory, record: Mutex::new(record), cancel, done, total }
    }

    /// Runs the job to its end, whatever that is.
    pub(super) fn run(&self, collection: &Collection, engine: &Engine) {
        // If the disk does not take it now, it may take the end.
        let _ = self.change(|record| record.state = JobState::Running);
        let done = catch_unwind(AssertUnwindSafe(|| self.rows(collection, engine)));
        let done = match done {
            Ok(Ok(rows)) => Ok(rows),
            Ok(Err(Ended::Cancelled)) => Err(None),
            Ok(Err(Ended::Failed(problem))) => Err(Some(problem.detail)),
            Err(_) => Err(Some("a fault of the server, please report it".to_owned())),
        };
        // If the disk does not take it, the job has failed when the server starts the next time.
        let _ = self.end(done);
    }

    /// Notes how the job ended: with rows, cancelled, or failed.
    pub(super) fn end(&self, done: Result<u64, Option<String>>) -> Result<(), Problem> {
        let _ = fs::remove_file(self.directory.join(format!("{RESULT}.part")));
        self.change(|record| {
            record.ended = Some(now());
            (record.state, record.rows, record.detail) = match done {
                Ok(rows) => (JobState::Done, Some(rows), None),
                Err(None) => (JobState::Cancelled, None, None),
                Err(detail) => (JobState::Failed, None, detail),
            };
        })
    }

    fn rows(&self, collection: &Collection, engine: &Engine) -> Result<u64, Ended> {
        let request = self.record().request;
        let scheme = collection.scheme();
        let k = request.k.unwrap_or_else(|| scheme.default_distance());
        let mut set = PrintSet::new(scheme);
        collection.index.for_each(|document| {
            if self.cancel.is_cancelled() {
                return Err(Ended::Cancelled);
            }
            set.push(&document.id, &document.fingerprint).map_err(Ended::from)
        })?;
        let search = engine
            .search(k)
            .cancelled_by(&self.cancel)
            .watched_by(|progress| self.set_progress(progress.done, progress.total));
        let mut file = ResultFile::create(self)?;
        match request.kind {
            JobType::Pairs => {
                search.pairs(&set, |row| file.push(&row).map_err(Ended::from))?;
            }
            JobType::Clusters => {
                for row in search.clusters(&set)? {
                    file.push(&row)?;
                }
            }
        }
        if self.cancel.is_cancelled() {
            return Err(Ended::Cancelled);
        }
        Ok(file.finish(self)?)
    }
}

/// Refuses a distance that a join does not serve.
pub(crate) fn check_distance(k: Option<u32>, collection: &Collection) -> Result<(), Problem> {
    let scheme = collection.scheme();
    let is_sketch = scheme.family() == nearprint::fingerprint::Family::Sketch;
    let most = if is_sketch { scheme.positions() } else { MAX_JOIN_DISTANCE };
    match k {
        Some(k) if k > most => {
            Err(Problem::invalid("/k", format!("the largest distance is {most} for {scheme}")))
        }
        _ => Ok(()),
    }
}
