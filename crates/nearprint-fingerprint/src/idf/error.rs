//! Why there is no table.

use std::fmt;

use super::MOST_KEPT;
use super::bytes::VERSION;

/// Why bytes are no table, or a table does not serve a scheme.
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
                "this is no table of inverse document frequencies: name a file that `nearprint idf` made",
            ),
            Self::Version { found } => write!(
                f,
                "the table of inverse document frequencies is of version {found}, this build reads version {VERSION}: take a \
                 newer build, or make the table anew (`nearprint idf`)"
            ),
            Self::Length { found } => write!(
                f,
                "the table of inverse document frequencies has {found} bytes, and its head says otherwise: it was cut or \
                 joined to something; copy it anew"
            ),
            Self::Checksum => f.write_str(
                "the table of inverse document frequencies is damaged (its checksum is another): copy it anew",
            ),
            Self::Content { what } => {
                write!(f, "the table of inverse document frequencies says what cannot be: {what}")
            }
            Self::OtherFeatures { table, scheme } => write!(
                f,
                "the table counts the features {table}, and the scheme has {scheme}: name such a scheme, or make a table for it \
                 (`nearprint idf --scheme`)"
            ),
            Self::TooMany => write!(
                f,
                "this process knows {MOST_KEPT} tables of inverse document frequencies, which is the most; use another process"
            ),
        }
    }
}

impl std::error::Error for IdfTableError {}
