//! Why passages could not be found.

use std::fmt;
use std::io;

/// Why passages could not be found.
#[derive(Debug)]
#[non_exhaustive]
pub enum PassageError {
    /// A setting has a value that it cannot have: its name, and which values it can have.
    Setting(&'static str, &'static str),
    /// The document of this number has more than 2,147,483,647 tokens.
    LongDocument(u32),
    /// There are more than 4,294,967,295 documents.
    ManyDocuments,
    /// A temporary file cannot be made, written or read.
    TemporaryFile(io::Error),
    /// A text was added to a search that was taken up with all of its texts.
    SavedTexts,
    /// Whoever watches the search ended it.
    Cancelled,
}

impl fmt::Display for PassageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Setting(name, values) => write!(f, "{name}: {values}"),
            Self::LongDocument(number) => write!(
                f,
                "document {number} has more than 2147483647 tokens; divide it into several"
            ),
            Self::ManyDocuments => {
                f.write_str("more than 4294967295 documents; search them in several sets")
            }
            Self::TemporaryFile(error) => error.fmt(f),
            Self::SavedTexts => f.write_str("the saved search has all of its texts already"),
            Self::Cancelled => f.write_str("the search was cancelled"),
        }
    }
}

impl std::error::Error for PassageError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::TemporaryFile(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for PassageError {
    fn from(error: io::Error) -> Self {
        Self::TemporaryFile(error)
    }
}
