//! How the command ends: the exit codes, all of them decided here.

use std::fmt::Display;
use std::io;

use nearprint::{Error, JobError, Tally};

use crate::indexes::failure;
use crate::remedies::with_remedy;

/// An end that is not a failure of the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExitStatus {
    /// Everything was done.
    Whole,
    /// Some documents failed.
    Partial,
}

impl ExitStatus {
    pub(crate) fn of(tally: &Tally) -> Self {
        if tally.failed == 0 { Self::Whole } else { Self::Partial }
    }

    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Whole => 0,
            Self::Partial => 1,
        }
    }
}

/// Why the work stopped as a whole.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What was asked for makes no sense.
    Usage(String),
    /// The reader of standard output went away. Nobody is left who wanted more, so this is not a failure, and nothing
    /// is said: `nearprint ... | head` is everyday use. With 0, scripts under `pipefail` continue.
    ReaderGone,
    /// The output could not be written.
    Output { name: String, error: io::Error },
    /// Anything else.
    Work(String),
}

impl Failure {
    pub(crate) fn work(error: impl Display) -> Self {
        Self::Work(error.to_string())
    }

    pub(crate) fn text(&self) -> Option<String> {
        match self {
            Self::Usage(text) | Self::Work(text) => Some(text.clone()),
            Self::ReaderGone => None,
            Self::Output { name, error } => Some(format!("cannot write {name}: {error}")),
        }
    }

    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::ReaderGone => 0,
            Self::Usage(_) => 2,
            Self::Output { .. } | Self::Work(_) => 3,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::NotSearchable { .. } => Self::Usage(error.to_string()),
            Error::Index { error, kind } => match error.downcast() {
                Ok(error) => failure(*error),
                Err(error) => Self::Work(with_remedy(&Error::Index { error, kind })),
            },
            error => Self::Work(with_remedy(&error)),
        }
    }
}

impl From<JobError> for Failure {
    fn from(error: JobError) -> Self {
        Self::work(error)
    }
}
