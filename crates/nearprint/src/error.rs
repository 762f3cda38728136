//! What can stop an operation as a whole. What happens to a single document is in its record instead.

use std::fmt;

use nearprint_fingerprint::{Scheme, UnlikeSchemes};
use nearprint_search::SearchError;

/// Why an operation was refused or given up.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// Fingerprints of two schemes cannot be compared.
    UnlikeSchemes(UnlikeSchemes),
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
    /// The features of documents could not be kept or read again for verification.
    Features(std::io::Error),
    /// The system gave no threads.
    Threads(rayon::ThreadPoolBuildError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnlikeSchemes(error) => error.fmt(f),
            Self::NotSearchable { scheme } => {
                write!(f, "prints of scheme {scheme} cannot be searched by this operation")
            }
            Self::Features(error) => write!(
                f,
                "what verification compares could not be kept in a temporary file ({error}): give it more memory (--memory) or \
                 name a directory with more room in TMPDIR"
            ),
            Self::Search(error) => error.fmt(f),
            Self::TooManyPairs { most } => write!(
                f,
                "there are more than {most} pairs, too many to put in order: give a smaller distance, look for \
                 clusters, or take the pairs as they are found (--unsorted)"
            ),
            Self::Threads(error) => {
                write!(f, "the system gives no threads to search with ({error}): ask for fewer")
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::UnlikeSchemes(error) => Some(error),
            Self::Search(error) => Some(error),
            Self::Features(error) => Some(error),
            Self::Threads(error) => Some(error),
            Self::NotSearchable { .. } | Self::TooManyPairs { .. } => None,
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
