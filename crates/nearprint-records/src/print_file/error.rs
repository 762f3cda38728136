//! Why a file is no binary file of prints.

use std::fmt;
use std::io;

use nearprint_fingerprint::Scheme;

use super::VERSION;

/// Why a binary file of prints was refused, as a whole: there are no good lines in a damaged one.
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
    /// Its prints are of a scheme that this build does not know.
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
    /// It goes on behind what its header promises.
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
            Self::Magic => f.write_str("it does not begin as a binary file of prints does: it is another kind of file, or was changed in transfer"),
            Self::Version { found } => write!(
                f,
                "it is a file of prints of version {found}, and this nearprint reads version {VERSION}: use a later nearprint"
            ),
            Self::Scheme { found } => {
                write!(f, "its prints are of the scheme \"{found}\", which this build does not know")
            }
            Self::Width { scheme, found } => write!(
                f,
                "it states prints of {found} bits, those of {scheme} have {}: it is damaged",
                scheme.bytes() * 8
            ),
            Self::Header { what } => write!(f, "its header is damaged: {what}"),
            Self::Truncated { wanted, found } => write!(
                f,
                "it has {found} bytes and its header promises {wanted}: it was cut short, copy it again"
            ),
            Self::Trailing { wanted } => write!(
                f,
                "it goes on behind the {wanted} bytes its header promises: something was joined to it"
            ),
            Self::Checksum => {
                f.write_str("its checksum is not that of its bytes: it is damaged, copy or write it again")
            }
            Self::Id { number } => {
                write!(f, "the id of its print {number} cannot be one: it was not written by nearprint")
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
