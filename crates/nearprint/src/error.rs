//! What can stop an operation as a whole. What happens to a single document is in its record instead.

pub(crate) mod error_kind;
pub(crate) mod missing_part;

use std::fmt;
use std::path::PathBuf;

use nearprint_fingerprint::{IdfTableError, Scheme, UnlikeSchemes};
#[cfg(feature = "passages")]
use nearprint_passages::PassageError;
use nearprint_search::SearchError;

use crate::store::print_set::is_searchable;

/// Why an operation was refused or given up.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// Fingerprints of two schemes cannot be compared.
    UnlikeSchemes(UnlikeSchemes),
    /// A file holds prints of another scheme than those it was to join.
    PrintsOfOtherScheme {
        /// The file's name.
        file: String,
        /// The scheme of its prints.
        found: Scheme,
        /// The scheme wanted.
        wanted: Scheme,
    },
    /// Prints of this scheme are not searched by Hamming distance.
    NotSearchable {
        /// The scheme.
        scheme: Scheme,
    },
    /// The search was refused or given up.
    Search(SearchError),
    /// There are more pairs than may be held to put them in order.
    TooManyPairs {
        /// The most that may be.
        most: usize,
    },
    /// There are more verified pairs than may be held to make clusters of them.
    TooManyVerified {
        /// The most that may be.
        most: u64,
        /// Bytes of memory that each takes.
        each: u64,
    },
    /// More pairs are expected than are wanted.
    TooManyExpected {
        /// Pairs expected, by a sample.
        expected: f64,
        /// Pairs of equal prints among them, where they are told apart.
        equal: Option<f64>,
        /// The most that may be.
        most: u64,
    },
    /// More pairs were found than are wanted, though fewer were expected.
    TooManyFound {
        /// The most that may be.
        most: u64,
    },
    /// The memory allowed does not suffice even with a temporary file.
    MemoryTooSmall {
        /// Bytes that would do.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// A temporary file cannot be created, written or read again: the error says which and where.
    TemporaryFile(std::io::Error),
    /// A temporary file would not fit.
    NoRoom {
        /// Where.
        directory: PathBuf,
        /// Bytes it may come to.
        needed: u64,
        /// Bytes there are.
        free: u64,
    },
    /// No document has a feature, so there is nothing to count.
    NothingCounted,
    /// A table of inverse document frequencies could not be made.
    IdfTable(IdfTableError),
    /// There are more documents than deduplication numbers.
    TooManyDocuments,
    /// An index already holds a document of this id.
    DuplicateId {
        /// The id.
        id: nearprint_records::DocumentId,
    },
    /// An index could not be opened, read or written.
    Index {
        /// The kind, which only the index knows.
        kind: crate::ErrorKind,
        /// What is wrong.
        error: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Documents do not have a part that is needed.
    MissingPart(crate::MissingPart),
    /// A document to compare with came after one that is to be kept or dropped.
    LateReference,
    /// Passages could not be found.
    #[cfg(feature = "passages")]
    Passages(PassageError),
    /// The system gave no threads.
    Threads(rayon::ThreadPoolBuildError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnlikeSchemes(error) => error.fmt(f),
            Self::PrintsOfOtherScheme { file, found, wanted } => {
                // A custom scheme's id alone names nothing.
                let named = |scheme: &Scheme| match scheme.as_custom() {
                    Some(_) => scheme.name(),
                    None => scheme.id(),
                };
                let (found, wanted) = (named(found), named(wanted));
                write!(
                    f,
                    "{file} contains {found} fingerprints, not {wanted}, and different schemes \
                        cannot be compared"
                )
            }
            Self::NotSearchable { scheme } => {
                write!(f, "this operation cannot search {scheme} fingerprints")?;
                match is_searchable(*scheme) {
                    true => Ok(()),
                    false => f.write_str(": compile it with the feature \"widths\""),
                }
            }
            Self::TemporaryFile(error) => error.fmt(f),
            Self::Search(error) => error.fmt(f),
            Self::TooManyPairs { most } => write!(f, "more than {most} pairs are too many to sort"),
            Self::TooManyVerified { most, each } => write!(
                f,
                "more than {most} verified pairs do not fit in memory for clustering ({each} \
                    bytes each)"
            ),
            Self::TooManyExpected { expected, equal, most } => {
                write!(f, "about {} pairs are expected", rounded(*expected))?;
                if let Some(equal) = equal.filter(|equal| *equal >= 1.0) {
                    write!(f, ", {} of them with equal fingerprints", rounded(equal))?;
                }
                write!(f, ", more than {most}")
            }
            Self::TooManyFound { most } => {
                write!(f, "more than {most} pairs were found, although fewer were expected")
            }
            Self::MemoryTooSmall { needed, allowed } => {
                let needed = Bytes(*needed);
                write!(
                    f,
                    "the fingerprints, their ids and the search need at least {needed} of memory, "
                )?;
                match allowed {
                    0 => f.write_str("but nothing of the limit is left for them"),
                    allowed => write!(f, "but the limit is {}", Bytes(*allowed)),
                }
            }
            Self::NoRoom { directory, needed, free } => write!(
                f,
                "the search may need {} in {}, but only {} are free",
                Bytes(*needed),
                directory.display(),
                Bytes(*free)
            ),
            Self::NothingCounted => {
                f.write_str("no document has a feature of the scheme, so there is nothing to count")
            }
            Self::IdfTable(error) => error.fmt(f),
            Self::TooManyDocuments => {
                f.write_str("more than 4,294,967,294 documents are too many to deduplicate at once")
            }
            Self::DuplicateId { id } => {
                write!(f, "the index already contains a document with the id {id}")
            }
            Self::Index { error, .. } => error.fmt(f),
            Self::MissingPart(error) => error.fmt(f),
            Self::LateReference => {
                f.write_str("reference documents must come before the documents to be deduplicated")
            }
            #[cfg(feature = "passages")]
            Self::Passages(error) => error.fmt(f),
            Self::Threads(error) => {
                write!(f, "cannot start threads: {error}")
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::UnlikeSchemes(error) => Some(error),
            Self::Search(error) => Some(error),
            Self::TemporaryFile(error) => Some(error),
            Self::IdfTable(error) => Some(error),
            #[cfg(feature = "passages")]
            Self::Passages(error) => Some(error),
            Self::Threads(error) => Some(error),
            Self::Index { error, .. } => Some(&**error),
            _ => None,
        }
    }
}

impl From<crate::MissingPart> for Error {
    fn from(error: crate::MissingPart) -> Self {
        Self::MissingPart(error)
    }
}

#[cfg(feature = "passages")]
impl From<PassageError> for Error {
    fn from(error: PassageError) -> Self {
        match error {
            PassageError::TemporaryFile(error) => Self::TemporaryFile(error),
            error => Self::Passages(error),
        }
    }
}

impl From<UnlikeSchemes> for Error {
    fn from(error: UnlikeSchemes) -> Self {
        Self::UnlikeSchemes(error)
    }
}

impl From<SearchError> for Error {
    fn from(error: SearchError) -> Self {
        Self::Search(error)
    }
}

/// A number of bytes with its unit.
pub(crate) struct Bytes(pub(crate) u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (unit, size) in [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)] {
            if self.0 as f64 >= size {
                return write!(f, "{:.1} {unit}", self.0 as f64 / size);
            }
        }
        write!(f, "{} bytes", self.0)
    }
}

/// A number to two places, in words of thousands where it is large.
pub(crate) fn rounded(number: f64) -> String {
    for (unit, size) in [("million million", 1e12), ("thousand million", 1e9), ("million", 1e6)] {
        if number >= size {
            return format!("{:.1} {unit}", number / size);
        }
    }
    format!("{number:.0}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_numbers_are_told_in_units() {
        let bytes = [0, 999, 1000, 1_000_000, 1_500_000_000].map(|bytes| Bytes(bytes).to_string());
        assert_eq!(bytes, ["0 bytes", "999 bytes", "1.0 kB", "1.0 MB", "1.5 GB"]);
        let numbers = [0.4, 999_999.0, 1e6, 4_999_950_000.0, 2e12].map(rounded);
        assert_eq!(
            numbers,
            ["0", "999999", "1.0 million", "5.0 thousand million", "2.0 million million"]
        );
    }
}
