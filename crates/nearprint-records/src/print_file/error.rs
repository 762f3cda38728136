//! Why a file is not a binary file of fingerprints.

use std::fmt;
use std::io;

use nearprint_fingerprint::Scheme;

use super::VERSION;

/// Why a binary file of fingerprints was refused, as a whole: there are no good lines in a damaged one.
#[derive(Debug)]
#[non_exhaustive]
pub enum PrintFileError {
    /// It could not be read.
    Io(io::Error),
    /// It does not begin as such a file does.
    Magic,
    /// It was written by a later nearprint.
    Version {
        /// The version it states.
        found: u32,
    },
    /// Its fingerprints are of a scheme that this build does not know.
    Scheme {
        /// What stands there, made printable.
        found: Box<str>,
    },
    /// It states another width than its scheme has.
    Width {
        /// The scheme.
        scheme: Scheme,
        /// Bits stated.
        found: u32,
    },
    /// A field of the header has a value that it cannot have.
    Header {
        /// The field, and what is wrong with it.
        what: &'static str,
    },
    /// It ends before what its header promises.
    Truncated {
        /// Bytes there ought to be.
        wanted: u64,
        /// Bytes there are.
        found: u64,
    },
    /// It continues after what its header promises.
    Trailing {
        /// Bytes there ought to be.
        wanted: u64,
    },
    /// The checksum is not that of the bytes.
    Checksum,
    /// An id cannot be one.
    Id {
        /// Its number, from 1.
        number: u64,
    },
}

impl fmt::Display for PrintFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Magic => f.write_str(
                "it is not a binary fingerprint file, or it was changed \
                in transfer",
            ),
            Self::Version { found } => write!(
                f,
                "it is a fingerprint file of version {found}, but this nearprint reads versions 1 \
                    to {VERSION}; use a later nearprint"
            ),
            Self::Scheme { found } => {
                write!(f, "it contains fingerprints of the unknown scheme \"{found}\"")
            }
            Self::Width { scheme, found } => write!(
                f,
                "it states fingerprints of {found} bits, but those of {scheme} have {}; it is \
                    damaged",
                scheme.bytes() * 8
            ),
            Self::Header { what } => write!(f, "its header is damaged: {what}"),
            Self::Truncated { wanted, found } => write!(
                f,
                "it has {found} bytes, but its header states {wanted}; it was truncated, copy it \
                    again"
            ),
            Self::Trailing { wanted } => write!(
                f,
                "it is longer than the {wanted} bytes that its header states; something was \
                    appended to it"
            ),
            Self::Checksum => {
                f.write_str("its checksum is wrong; it is damaged, copy or write it again")
            }
            Self::Id { number } => {
                write!(
                    f,
                    "the id of its fingerprint {number} is invalid; it was not written by \
                    nearprint"
                )
            }
        }
    }
}

impl std::error::Error for PrintFileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}
