//! Which document of a cluster is kept.

use std::fmt;
use std::str::FromStr;

use nearprint_records::{FingerprintRecord, Outcome};

/// The order in which documents are wanted; of equal ones the first in the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Keep {
    /// By the order of the input: files as they are named.
    #[default]
    First,
    /// Those of most words first.
    Longest,
}

impl Keep {
    /// Where a document stands: least is wanted most.
    pub(super) fn rank(self, record: &FingerprintRecord) -> u64 {
        match (self, &record.outcome) {
            (Self::Longest, Outcome::Print { tokens, .. }) => u64::MAX - tokens,
            _ => 0,
        }
    }
}

impl fmt::Display for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::First => "first",
            Self::Longest => "longest",
        })
    }
}

impl FromStr for Keep {
    type Err = UnknownKeep;

    fn from_str(name: &str) -> Result<Self, UnknownKeep> {
        match name {
            "first" => Ok(Self::First),
            "longest" => Ok(Self::Longest),
            _ => Err(UnknownKeep { name: name.to_owned() }),
        }
    }
}

/// A name that is no [`Keep`]'s.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownKeep {
    name: String,
}

impl fmt::Display for UnknownKeep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "\"{}\" is no order to keep by: there are first and longest",
            self.name.escape_debug()
        )
    }
}

impl std::error::Error for UnknownKeep {}
