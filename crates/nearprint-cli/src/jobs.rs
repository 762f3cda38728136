//! Jobs that continue where they stopped: the options, and how such a job is begun and ended.

use std::path::{Path, PathBuf};

use clap::Args;
use nearprint::records::{Folder, JobIdentity, PartSize, PartsError, escape};
use nearprint::{Error, JobError, ResumableJob};

use crate::exit_status::Failure;
use crate::outputs;
use crate::talk::{Talk, counted};

/// What of a job survives its process.
#[derive(Debug, Args)]
#[command(next_help_heading = "Work")]
pub(crate) struct JobOptions {
    /// Save progress in DIRECTORY, every 10,000 documents or 8 MiB (--limit commit=N); rerun the same command to
    /// resume, with other threads and memory if need be. DIRECTORY is removed when the job is done
    #[arg(long, value_name = "DIRECTORY")]
    job: Option<PathBuf>,
}

impl JobOptions {
    /// Whether there is a job.
    pub(crate) fn is_given(&self) -> bool {
        self.job.is_some()
    }

    /// The folder of the job, where there is one.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.job.as_deref()
    }

    /// Takes the job up or begins it, where one was asked for; it is saved after `commit` documents.
    pub(crate) fn open(
        &self,
        commit: u64,
        identity: impl FnOnce() -> Result<JobIdentity, Failure>,
        talk: &Talk,
    ) -> Result<Option<ResumableJob<Folder>>, Failure> {
        let Some(path) = &self.job else { return Ok(None) };
        let identity = identity()?;
        let is_resumed = path.exists();
        let folder =
            Folder::open(path).map_err(|error| failed(path)(PartsError::from(error).into()))?;
        let size = PartSize { records: commit, ..PartSize::default() };
        let job = ResumableJob::open(folder, &identity, size).map_err(failed(path))?;
        if is_resumed {
            outputs::remove_abandoned().map_err(|error| {
                Failure::Work(format!("cannot remove an unfinished output: {error}"))
            })?;
        }
        if job.documents() > 0 {
            let done = counted(job.documents(), "document");
            talk.say(format_args!("nearprint: resuming the job after {done}"));
        }
        Ok(Some(job))
    }

    /// What an error of the job means for the work.
    pub(crate) fn failure(&self, error: JobError) -> Failure {
        failed(self.job.as_deref().unwrap_or(Path::new("")))(error)
    }

    /// Removes the job, once all that it was for is there.
    pub(crate) fn remove(&self, job: Option<ResumableJob<Folder>>) -> Result<(), Failure> {
        let Some(job) = job else { return Ok(()) };
        let folder = job.remove().map_err(|error| self.failure(error))?;
        folder.close().map_err(|error| self.failure(PartsError::from(error).into()))
    }
}

fn failed(path: &Path) -> impl Fn(JobError) -> Failure {
    let name = escape(path.as_os_str().as_encoded_bytes());
    move |error| match error {
        JobError::Parts(
            PartsError::OtherJob { .. }
            | PartsError::OtherVersion { .. }
            | PartsError::OtherFiles { .. },
        )
        | JobError::OtherInput { .. } => Failure::Usage(format!("{name}: {error}")),
        error => Failure::Work(format!("{name}: {error}")),
    }
}

/// Why giving out the documents of a job stopped.
pub(crate) enum JobStop {
    Job(JobError),
    Here(Failure),
}

impl From<JobError> for JobStop {
    fn from(error: JobError) -> Self {
        Self::Job(error)
    }
}

impl From<Error> for JobStop {
    fn from(error: Error) -> Self {
        Self::Here(error.into())
    }
}

impl JobStop {
    pub(crate) fn failure(self, options: &JobOptions) -> Failure {
        match self {
            Self::Job(error) => options.failure(error),
            Self::Here(failure) => failure,
        }
    }
}
