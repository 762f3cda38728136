//! What can be wrong with a search: all of it is known before the work starts, except a failing
//! spill store and an output too large to sort.

use std::fmt;

use crate::spill::SpillError;

/// Why a search was refused or given up.
#[derive(Debug)]
#[non_exhaustive]
pub enum SearchError {
    /// The distance asked for lies beyond what this operation serves.
    DistanceTooLarge {
        /// The distance asked for, in bits.
        k: u32,
        /// The largest this operation takes, in bits.
        limit: u32,
    },
    /// More fingerprints than a 32-bit position can name.
    TooManyPrints {
        /// How many were given.
        count: usize,
    },
    /// Two lists that must be of one length are not.
    LengthMismatch {
        /// Number of fingerprints.
        prints: usize,
        /// Number of entries in the list beside them.
        beside: usize,
    },
    /// A plan was made for another width or another distance.
    PlanMismatch {
        /// The plan, in its text form.
        plan: String,
        /// The width of the fingerprints, in bits.
        width: u32,
        /// The distance asked for, in bits.
        k: u32,
    },
    /// A plan could not be read or made, or would miss pairs.
    Plan(PlanError),
    /// A sample has too few near fingerprints to learn from which bits differ.
    TooFewPairs {
        /// Pairs the sample has.
        found: usize,
        /// Pairs it takes.
        least: usize,
    },
    /// Sorted output was asked for, and there are more pairs than fit the memory bound.
    TooManyPairsToSort {
        /// The most that could be held.
        limit: usize,
    },
    /// The spill store failed.
    Spill(SpillError),
    /// The work does not fit the memory bound, and no spill store was given.
    MemoryTooSmall {
        /// Bytes the work needs at least.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
}

/// Why a plan was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanError {
    /// The text is not a plan's.
    Syntax {
        /// Byte at which reading stopped.
        at: usize,
        /// What was expected there.
        expected: &'static str,
    },
    /// A bit lies outside the fingerprint.
    BitOutOfRange {
        /// The bit named, counted from 0, the least significant.
        bit: u32,
        /// The fingerprint's width in bits.
        width: u32,
    },
    /// A width other than 32, 64 and 128.
    Width(u32),
    /// A block uses a bit twice, or one that its pairs have agreed in already.
    Overlap,
    /// Some pair within the distance would be found by no table.
    Incomplete {
        /// The distance in bits.
        k: u32,
        /// The text of the part that misses it.
        part: String,
    },
    /// The number of blocks does not suit the distance and the width.
    Blocks {
        /// Blocks asked for.
        blocks: u32,
        /// The fewest that work.
        least: u32,
        /// The most that work.
        most: u32,
    },
    /// The plan has more tables than are allowed.
    TooLarge {
        /// The most tables a plan may have.
        limit: usize,
    },
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DistanceTooLarge { k, limit } => {
                write!(f, "distance {k} is too large; this search supports 0 to {limit} bits")
            }
            Self::TooManyPrints { count } => write!(
                f,
                "{count} fingerprints are too many for one search; the limit is {}, split the set",
                u32::MAX
            ),
            Self::LengthMismatch { prints, beside } => {
                write!(f, "{prints} fingerprints have {beside} entries; give one each")
            }
            Self::PlanMismatch { plan, width, k } => write!(
                f,
                "the plan `{plan}` does not work for {width}-bit fingerprints within {k} bits"
            ),
            Self::Plan(error) => error.fmt(f),
            Self::TooFewPairs { found, least } => write!(
                f,
                "only {found} similar pairs were found, but {least} are needed to learn which \
                    bits differ; search exactly"
            ),
            Self::TooManyPairsToSort { limit } => write!(
                f,
                "more than {limit} pairs were found, too many to sort within the memory limit; \
                    use unsorted output, raise the limit, or search for groups of equal \
                    fingerprints"
            ),
            Self::Spill(error) => write!(f, "the spill store failed: {error}"),
            Self::MemoryTooSmall { needed, allowed } => write!(
                f,
                "the search needs {needed} bytes, but the limit is {allowed}; raise the limit or \
                    provide a spill store"
            ),
        }
    }
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax { at, expected } => {
                write!(f, "not a plan: expected {expected} at byte {at}")
            }
            Self::BitOutOfRange { bit, width } => {
                write!(
                    f,
                    "the plan names bit {bit} of a fingerprint of {width} bits (0 to {})",
                    width - 1
                )
            }
            Self::Width(width) => write!(f, "fingerprints have 32, 64 or 128 bits, not {width}"),
            Self::Overlap => {
                f.write_str("a block of the plan repeats a bit of its own or of a block above it")
            }
            Self::Incomplete { k, part } => write!(
                f,
                "the plan would miss pairs within {k} bits at `{part}`; add blocks there, or \
                    increase a block's radius"
            ),
            Self::Blocks { blocks, least, most } => {
                write!(f, "{blocks} blocks do not work here; use {least} to {most}")
            }
            Self::TooLarge { limit } => {
                write!(f, "the plan has more than {limit} tables; use fewer blocks")
            }
        }
    }
}

impl std::error::Error for SearchError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Plan(error) => Some(error),
            Self::Spill(error) => Some(&**error),
            _ => None,
        }
    }
}

impl std::error::Error for PlanError {}

impl From<PlanError> for SearchError {
    fn from(error: PlanError) -> Self {
        Self::Plan(error)
    }
}

impl From<SpillError> for SearchError {
    fn from(error: SpillError) -> Self {
        Self::Spill(error)
    }
}
