//! Why there is no table.

use std::fmt;

use super::MOST_KEPT;
use super::bytes::VERSION;

/// Why bytes are not a table, or a table does not serve a scheme.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum IdfTableError {
    /// They do not begin like one.
    NoTable,
    /// Of a version that this build does not read.
    Version {
        /// It.
        found: u32,
    },
    /// Another length than its head says, cut or joined to something.
    Length {
        /// Bytes found.
        found: u64,
    },
    /// The checksum is another: it was damaged.
    Checksum,
    /// A number or name in it that cannot be.
    Content {
        /// What is wrong.
        what: &'static str,
    },
    /// It counts other features than the scheme has.
    OtherFeatures {
        /// What it counts.
        table: String,
        /// What the scheme has.
        scheme: String,
    },
    /// This process knows too many tables already.
    TooMany,
}

impl fmt::Display for IdfTableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTable => f.write_str(
                "not a table of inverse document frequencies; give a file made by `nearprint prints idf`",
            ),
            Self::Version { found } => write!(
                f,
                "the table of inverse document frequencies has version {found}, but this build \
                    reads version {VERSION}; use a newer build, or make the table again \
                    (`nearprint prints idf`)"
            ),
            Self::Length { found } => write!(
                f,
                "the table of inverse document frequencies has {found} bytes, but its header \
                    states a different length; copy it again"
            ),
            Self::Checksum => f.write_str(
                "the table of inverse document frequencies is damaged (wrong checksum); copy it \
                    again",
            ),
            Self::Content { what } => {
                write!(f, "the table of inverse document frequencies is invalid: {what}")
            }
            Self::OtherFeatures { table, scheme } => write!(
                f,
                "the table counts the features {table}, but the scheme has {scheme}; use a \
                    scheme with these features, or make a table for it (`nearprint prints idf \
                    --scheme`)"
            ),
            Self::TooMany => write!(
                f,
                "this process has reached the maximum of {MOST_KEPT} tables of inverse document \
                    frequencies, or of 4 GiB of them; use another process"
            ),
        }
    }
}

impl std::error::Error for IdfTableError {}
