//! Why inputs are refused before any of them is read.

use std::fmt;

use nearprint_records::{BadGlob, ErrorRecord};

use super::UnexpectedInput;
use crate::{Error, ErrorKind};

/// Why [`Inputs`](super::Inputs) are refused.
#[derive(Debug)]
#[non_exhaustive]
pub enum InputsError {
    /// A pattern that is none.
    BadPattern(BadGlob),
    /// A path at which there is nothing, or a pattern that matches nothing.
    Missing {
        /// The path, escaped as ids are.
        path: String,
    },
    /// Standard input is named twice.
    StandardInputTwice,
    /// Standard input is named for something that has to be read again.
    ReadOnce,
    /// The list of paths cannot be opened.
    List(ErrorRecord),
    /// An input is not what it is expected to be.
    Unexpected(UnexpectedInput),
    /// A directory where one document is expected.
    Directory {
        /// Its path, escaped as ids are.
        path: String,
    },
    /// A pattern matches several paths where one is expected.
    SeveralPaths {
        /// How many.
        paths: usize,
    },
    /// The fingerprints that were read cannot be kept.
    Prints(Error),
}

impl InputsError {
    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::List(_) => ErrorKind::Io,
            Self::Prints(error) => error.kind(),
            _ => ErrorKind::InvalidInput,
        }
    }
}

impl fmt::Display for InputsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadPattern(error) => error.fmt(f),
            Self::Missing { path } => write!(f, "{path} does not exist"),
            Self::StandardInputTwice => f.write_str("standard input can be read only once"),
            Self::ReadOnce => f.write_str("standard input cannot be read a second time"),
            Self::List(error) => error.fmt(f),
            Self::Unexpected(unexpected) => unexpected.fmt(f),
            Self::Directory { path } => write!(f, "{path} is a directory"),
            Self::SeveralPaths { paths } => {
                write!(f, "{paths} paths are named where one is expected")
            }
            Self::Prints(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for InputsError {}

impl From<Error> for InputsError {
    fn from(error: Error) -> Self {
        Self::Prints(error)
    }
}
