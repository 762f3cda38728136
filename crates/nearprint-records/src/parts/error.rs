//! Why a job cannot continue from its parts.

use std::fmt;
use std::io;

use super::identity::differences;

/// Why parts cannot be opened, written or read.
#[derive(Debug)]
#[non_exhaustive]
pub enum PartsError {
    /// The folder holds another job.
    OtherJob {
        /// What that job is.
        found: String,
        /// What was asked for.
        wanted: String,
    },
    /// Another version of nearprint began the job, and wrote its files in another form.
    OtherVersion {
        /// A file's name in the folder.
        name: String,
        /// The form it has.
        found: String,
        /// The form that this version reads and writes.
        wanted: &'static str,
    },
    /// The folder holds no job, but other files.
    OtherFiles {
        /// The name of one.
        name: String,
    },
    /// A file of the job is not what it was when it was written.
    Damaged {
        /// Its name in the folder.
        name: String,
        /// What is wrong with it.
        why: String,
    },
    /// The storage failed.
    Storage(io::Error),
}

impl fmt::Display for PartsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherJob { found, wanted } => {
                f.write_str("the folder contains a different job: ")?;
                let changes = differences(found, wanted);
                match &changes {
                    Some(changes) => f.write_str(changes)?,
                    None => write!(f, "it was {found} and is now {wanted}")?,
                }
                let remedy = match changes {
                    Some(changes)
                        if ["version was ", "extractors was "]
                            .iter()
                            .any(|begin| changes.starts_with(begin)) =>
                    {
                        "Resume it with the version that started it"
                    }
                    _ => "Use the same options and input",
                };
                write!(f, ". {remedy}, or use another folder")
            }
            Self::OtherVersion { name, found, wanted } => write!(
                f,
                "another version of nearprint started the job: {name} has the form {found}, but \
                    this version uses {wanted}. Finish the job with that version, or remove the \
                    folder and start again"
            ),
            Self::OtherFiles { name } => write!(
                f,
                "the folder contains other files, such as {}; use a new or empty one",
                name.escape_debug()
            ),
            Self::Damaged { name, why } => {
                write!(f, "{name} is damaged: {why}; remove the folder and start the job again")
            }
            Self::Storage(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for PartsError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Storage(error) => Some(error),
            Self::OtherJob { .. }
            | Self::OtherVersion { .. }
            | Self::OtherFiles { .. }
            | Self::Damaged { .. } => None,
        }
    }
}

impl From<io::Error> for PartsError {
    fn from(error: io::Error) -> Self {
        Self::Storage(error)
    }
}
