//! Why an index cannot be opened, read or written. Each error names the file and the remedy.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use nearprint::records::escape;

/// What is wrong with an index on disk.
#[derive(Debug)]
#[non_exhaustive]
pub enum IndexError {
    /// An index was to be created where something is already.
    Exists {
        /// The path.
        path: PathBuf,
    },
    /// There is no index at this path.
    NotAnIndex {
        /// The path.
        path: PathBuf,
        /// What is missing or wrong.
        reason: String,
    },
    /// Another version of the format.
    OtherFormat {
        /// The index.
        path: PathBuf,
        /// The version it has.
        found: String,
        /// The version this program reads and writes.
        known: u32,
    },
    /// The scheme of the index is not known to this program, or its table is not.
    UnknownScheme {
        /// The index.
        path: PathBuf,
        /// The scheme's name.
        scheme: String,
        /// Why.
        reason: String,
    },
    /// Another writer has the index open.
    Held {
        /// The index.
        path: PathBuf,
        /// Who: process, machine and time.
        holder: String,
    },
    /// The index is on a file system that is shared between machines.
    NetworkFileSystem {
        /// The index.
        path: PathBuf,
        /// The name of the file system.
        name: &'static str,
    },
    /// The index was opened for reading only.
    ReadOnly {
        /// The index.
        path: PathBuf,
    },
    /// A file of tables is missing, truncated or damaged. It can be made again from the store.
    Tables {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        detail: String,
    },
    /// The store is damaged.
    Store {
        /// Its file.
        file: PathBuf,
        /// What is wrong with it.
        detail: String,
    },
    /// The metadata of a document cannot be stored.
    Metadata {
        /// Why.
        detail: String,
    },
    /// A file cannot be read or written.
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The machine stores numbers most significant byte first, and tables are read as they are stored.
    BigEndian,
}

impl IndexError {
    /// The error of an operation on a file.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        |error| Self::Io { path: path.to_owned(), error }
    }
}

fn name(path: &Path) -> String {
    escape(path.as_os_str().as_encoded_bytes())
}

impl fmt::Display for IndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exists { path } => {
                write!(f, "{} exists already: name a new directory for the index", name(path))
            }
            Self::NotAnIndex { path, reason } => write!(
                f,
                "{} is not an index ({reason}): create one with `nearprint index create`",
                name(path)
            ),
            Self::OtherFormat { path, found, known } => write!(
                f,
                "the index {} has format version {found}, and this program knows version {known}: use the program that made it, \
                 or export it there and import it here",
                name(path)
            ),
            Self::UnknownScheme { path, scheme, reason } => {
                write!(
                    f,
                    "the index {} is of scheme {scheme}, which cannot be used here: {reason}",
                    name(path)
                )
            }
            Self::Held { path, holder } => write!(
                f,
                "another process writes to the index {}: {holder}. Wait until it has ended, or open the index for reading only",
                name(path)
            ),
            Self::NetworkFileSystem { path, name: system } => write!(
                f,
                "{} is on {system}, a network file system, where locks and crash safety cannot be relied on: put the index on a \
                 local disk",
                name(path)
            ),
            Self::ReadOnly { path } => {
                write!(f, "the index {} was opened for reading only", name(path))
            }
            Self::Tables { file, detail } => write!(
                f,
                "{}: {detail}. No document is lost: `nearprint index rebuild` makes the tables again from the store",
                name(file)
            ),
            Self::Store { file, detail } => write!(
                f,
                "{}: {detail}. The store itself is damaged: restore the index from a snapshot, or export what is readable \
                 with `nearprint index export` and import it into a new index",
                name(file)
            ),
            Self::Metadata { detail } => f.write_str(detail),
            Self::Io { path, error } => write!(f, "{}: {error}", name(path)),
            Self::BigEndian => {
                f.write_str("indexes on disk need a little-endian machine: use the index in memory")
            }
        }
    }
}

impl std::error::Error for IndexError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { error, .. } => Some(error),
            _ => None,
        }
    }
}

impl From<IndexError> for nearprint::Error {
    fn from(error: IndexError) -> Self {
        Self::Index(Box::new(error))
    }
}
