//! Why an index cannot be opened, read or written. Each error names the file; the door words the remedy.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nearprint::ErrorKind;
use nearprint::records::{DocumentId, escape};

use crate::format::FORMAT_VERSION;

/// What is wrong with an index on disk.
#[derive(Debug, Clone)]
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
        /// The version of the program that made it.
        created_by: String,
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
    /// The index keeps no features of its documents, so that their texts cannot be compared.
    WithoutFeatures {
        /// The index.
        path: PathBuf,
    },
    /// The index keeps features of another kind or version than those that are compared.
    OtherFeatures {
        /// The index.
        path: PathBuf,
        /// Those it keeps.
        found: String,
        /// Those that are compared.
        wanted: String,
    },
    /// The index does not keep a part of documents that is needed.
    WithoutPart {
        /// The index.
        path: PathBuf,
        /// The part.
        part: &'static str,
    },
    /// A document without features was to be inserted into an index that keeps them.
    FeaturesMissing {
        /// The index.
        path: PathBuf,
        /// The document.
        id: DocumentId,
    },
    /// A file cannot be read or written.
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: Arc<io::Error>,
    },
    /// The thread that wrote this change with its own ended by a panic. Nothing of the change is there.
    WriterEnded,
    /// The caller cancelled it.
    Cancelled,
    /// The machine stores numbers most significant byte first, and tables are read as they are stored.
    BigEndian,
}

impl IndexError {
    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Exists { .. }
            | Self::NotAnIndex { .. }
            | Self::OtherFormat { .. }
            | Self::UnknownScheme { .. }
            | Self::ReadOnly { .. }
            | Self::WithoutFeatures { .. }
            | Self::OtherFeatures { .. }
            | Self::WithoutPart { .. }
            | Self::FeaturesMissing { .. }
            | Self::Metadata { .. } => ErrorKind::InvalidInput,
            Self::NetworkFileSystem { .. } | Self::BigEndian => ErrorKind::Unsupported,
            Self::Held { .. } => ErrorKind::Resource,
            Self::Cancelled => ErrorKind::Cancelled,
            Self::Tables { .. } | Self::Store { .. } | Self::Io { .. } | Self::WriterEnded => {
                ErrorKind::Io
            }
        }
    }

    /// The error of an operation on a file.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        |error| Self::Io { path: path.to_owned(), error: Arc::new(error) }
    }
}

fn name(path: &Path) -> String {
    escape(path.as_os_str().as_encoded_bytes())
}

impl fmt::Display for IndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exists { path } => {
                write!(f, "{} exists already", name(path))
            }
            Self::NotAnIndex { path, reason } => {
                write!(f, "{} is not an index ({reason})", name(path))
            }
            Self::OtherFormat { path, found, created_by } => write!(
                f,
                "the index {} was made by version {created_by} and has format version {found}; this program knows \
                 version {FORMAT_VERSION} only",
                name(path)
            ),
            Self::UnknownScheme { path, scheme, reason } => {
                write!(
                    f,
                    "the index {} is of scheme {scheme}, which cannot be used here: {reason}",
                    name(path)
                )
            }
            Self::Held { path, holder } => {
                write!(f, "another process writes to the index {}: {holder}", name(path))
            }
            Self::NetworkFileSystem { path, name: system } => write!(
                f,
                "{} is on {system}, a network file system, where locks and crash safety cannot be relied on",
                name(path)
            ),
            Self::ReadOnly { path } => {
                write!(f, "the index {} was opened for reading only", name(path))
            }
            Self::Tables { file, detail } => write!(
                f,
                "{}: {detail}. No document is lost: a rebuild makes the tables again from the store",
                name(file)
            ),
            Self::Store { file, detail } => {
                write!(f, "{}: {detail}. The store itself is damaged", name(file))
            }
            Self::WithoutFeatures { path } => write!(
                f,
                "the index {} keeps no features, so the texts of its documents cannot be compared",
                name(path)
            ),
            Self::OtherFeatures { path, found, wanted } => write!(
                f,
                "the index {} keeps features {found}, and {wanted} are compared; make it again of its documents",
                name(path)
            ),
            Self::WithoutPart { path, part } => {
                write!(f, "the index {} does not keep the {part} of its documents", name(path))
            }
            Self::FeaturesMissing { path, id } => write!(
                f,
                "the index {} keeps features, and {id} has none: fingerprints alone cannot be added",
                name(path)
            ),
            Self::Metadata { detail } => f.write_str(detail),
            Self::Io { path, error } => write!(f, "{}: {error}", name(path)),
            Self::WriterEnded => f.write_str(
                "the thread that wrote this change to the index ended, and the change was not made",
            ),
            Self::Cancelled => f.write_str("the work on the index was cancelled"),
            Self::BigEndian => f.write_str("indexes on disk need a little-endian machine"),
        }
    }
}

impl std::error::Error for IndexError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { error, .. } => Some(&**error),
            _ => None,
        }
    }
}

impl From<IndexError> for nearprint::Error {
    fn from(error: IndexError) -> Self {
        Self::Index { kind: error.kind(), error: Box::new(error) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_facade_keeps_the_kind_and_names_no_command() {
        let path = || PathBuf::from("some.index");
        let held = IndexError::Held { path: path(), holder: "process 7".to_owned() };
        let missing = IndexError::NotAnIndex { path: path(), reason: "no header".to_owned() };
        let torn = IndexError::Tables { file: path(), detail: "it is torn".to_owned() };
        for (error, kind) in [
            (held, ErrorKind::Resource),
            (missing, ErrorKind::InvalidInput),
            (torn, ErrorKind::Io),
            (IndexError::BigEndian, ErrorKind::Unsupported),
        ] {
            let error = nearprint::Error::from(error);
            assert_eq!(error.kind(), kind, "{error}");
            assert!(!error.to_string().contains("nearprint index"), "{error}");
        }
    }
}
