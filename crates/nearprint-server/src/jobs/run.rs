//! What a job does when its turn comes.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use nearprint::records::{Format, Row, RowWriter, durability};
use nearprint::{Engine, Error, Filter, PairConditions, Search};
use nearprint_index::until_cancelled;

use super::queue::OpenCollection;
use super::{Job, JobState, JobType, RESULT};
use crate::clock::now;
use crate::collection::Collection;
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::schemas::End;

/// Rows on their way into the file of a job, which appears when it is complete.
pub(super) struct ResultFile {
    part: PathBuf,
    rows: u64,
    counts: BTreeMap<String, u64>,
    writer: RowWriter<BufWriter<File>>,
}

/// What is noted of a result.
pub(super) struct ResultNote {
    pub(super) rows: u64,
    /// How many rows there are of each reason.
    pub(super) counts: BTreeMap<String, u64>,
}

/// Why a job has no result.
pub(super) enum JobEnd {
    Cancelled,
    Failed(Problem),
}

impl From<Error> for JobEnd {
    fn from(error: Error) -> Self {
        Self::Failed(error.into())
    }
}

impl From<Problem> for JobEnd {
    fn from(problem: Problem) -> Self {
        Self::Failed(problem)
    }
}

impl From<io::Error> for JobEnd {
    fn from(error: io::Error) -> Self {
        let detail = format!("the result cannot be written: {error}");
        Self::Failed(Problem::new(ProblemKind::Storage, detail))
    }
}

impl ResultFile {
    fn create(job: &Job) -> io::Result<Self> {
        let part = job.directory.join(format!("{RESULT}.part"));
        let writer = RowWriter::new(Format::Jsonl, BufWriter::new(File::create(&part)?));
        Ok(Self { part, rows: 0, counts: BTreeMap::new(), writer })
    }

    pub(super) fn push(&mut self, row: &impl Row) -> io::Result<()> {
        self.rows += 1;
        self.writer.write(row)
    }

    /// The same of a row with a reason, which is counted.
    pub(super) fn push_reasoned(&mut self, row: &impl Row, reason: &str) -> io::Result<()> {
        match self.counts.get_mut(reason) {
            Some(count) => *count += 1,
            None => drop(self.counts.insert(reason.to_owned(), 1)),
        }
        self.push(row)
    }

    /// Ends the rows with the line that says how many there are.
    fn finish(self, job: &Job) -> Result<ResultNote, JobEnd> {
        let Self { part, rows, counts, writer } = self;
        let mut out = writer.finish()?;
        serde_json::to_writer(&mut out, &End::new(rows)).map_err(io::Error::from)?;
        out.write_all(b"\n")?;
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        // The job is noted as done after this, so its result has to be there after a power cut.
        durability::finish_file(&file, &part, &job.result())?;
        Ok(ResultNote { rows, counts })
    }
}

impl Job {
    /// Runs the job to its end, whatever that is.
    pub(super) fn run(&self, collection: OpenCollection, engine: &Engine, imports: Option<&Path>) {
        // If the disk does not take it now, it may take the end.
        let _ = self.change(|record| {
            (record.state, record.started) = (JobState::Running, Some(now()));
        });
        let done = catch_unwind(AssertUnwindSafe(|| self.rows(&*collection()?, engine, imports)));
        let done = match done {
            Ok(Ok(note)) => Ok(note),
            Ok(Err(JobEnd::Cancelled)) => Err(None),
            Ok(Err(JobEnd::Failed(problem))) => Err(Some(problem.detail)),
            Err(_) => Err(Some("a fault of the server, please report it".to_owned())),
        };
        // If the disk does not take it, the job has failed when the server starts the next time.
        let _ = self.end(done);
    }

    fn rows(
        &self,
        collection: &Collection,
        engine: &Engine,
        imports: Option<&Path>,
    ) -> Result<ResultNote, JobEnd> {
        let request = self.record().request;
        let mut file = ResultFile::create(self)?;
        match request.kind {
            JobType::Pairs => {
                let question = request.pairs(collection)?;
                until_cancelled(&self.cancel, || {
                    question.run_on(
                        &collection.index,
                        engine,
                        PairConditions::default(),
                        |search| self.watched(search),
                        |row| file.push(&row).map_err(JobEnd::from),
                    )
                })?;
            }
            JobType::Clusters => {
                let question = request.clusters(collection)?;
                let found = until_cancelled(&self.cancel, || {
                    let watched = |search| self.watched(search);
                    question.run_on(&collection.index, engine, Filter::all(), watched)
                })?;
                found.rows.iter().try_for_each(|row| file.push(row))?;
            }
            JobType::Dedup => self.dedup(&request, collection, engine, &mut file)?,
            JobType::Import => self.import(&request, collection, engine, imports, &mut file)?,
        }
        self.go_on()?;
        file.finish(self)
    }

    /// Ends the job where it was cancelled.
    pub(super) fn go_on(&self) -> Result<(), JobEnd> {
        match self.cancel.is_cancelled() {
            true => Err(JobEnd::Cancelled),
            false => Ok(()),
        }
    }

    /// A search that the job can cancel, and that says how far it is.
    pub(super) fn watched<'w>(&'w self, search: Search<'w>) -> Search<'w> {
        search
            .cancelled_by(&self.cancel)
            .watched_by(|progress| self.set_progress(progress.done, progress.total))
    }
}
