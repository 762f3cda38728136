//! Why a declaration of a custom scheme was refused.

use std::fmt;

use super::{LONGEST, MOST_KNOWN};
use crate::scheme::TokenHash;
use crate::scheme::idf::{IdfDigest, IdfTableError};
use crate::scheme::stop_lists::StopDigest;

/// Why a declaration was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CustomError {
    /// A part is none that may stand there.
    Part {
        /// The part, counted from 1 after `custom:`.
        number: usize,
        /// What it is for.
        what: &'static str,
        /// What may stand there.
        expected: &'static str,
    },
    /// More parts follow than there are, or twice the same, or in another order.
    Behind {
        /// The part's number.
        number: usize,
    },
    /// Too long.
    Length,
    /// This build has no digests, by which the hash is computed.
    NoDigests {
        /// The hash.
        hash: TokenHash,
    },
    /// The table of inverse document frequencies that it names is not known to this process
    /// ([`IdfTable::keep`](crate::IdfTable::keep)).
    NoTable {
        /// Its digest.
        digest: IdfDigest,
    },
    /// The user's stop list that it names is not known to this process ([`StopWords::keep`](crate::StopWords::keep)).
    NoList {
        /// Its digest.
        digest: StopDigest,
    },
    /// The table that it names counts other features.
    OtherTable(IdfTableError),
    /// This process knows too many custom schemes already.
    TooMany,
}

impl fmt::Display for CustomError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const FORM: &str = "custom:FEATURES,WEIGHT,HASH,BITS[,tie=1][,tokens=whitespace][,cut=identifiers][,digits=none][,stop=LIST][,min=LENGTH][,idf=DIGEST]";
        match self {
            Self::Part { number, what, expected } => {
                write!(
                    f,
                    "part {number} of a custom scheme, {what}, must be {expected}; the form is \
                        {FORM}"
                )
            }
            Self::Behind { number: 0 } => write!(f, "a custom scheme has the form {FORM}"),
            Self::Behind { number } => {
                write!(
                    f,
                    "part {number} of the custom scheme is unknown or out of order; the form is \
                        {FORM}"
                )
            }
            Self::Length => {
                write!(f, "a custom scheme has at most {LONGEST} bytes; the form is {FORM}")
            }
            Self::NoDigests { hash } => write!(
                f,
                "this build does not hash by {hash}: compile it with the feature \"digests\""
            ),
            Self::NoTable { digest } => write!(
                f,
                "the table of inverse document frequencies with digest {digest} is missing; give \
                    its file as idf={digest}@FILE (`nearprint prints idf` makes one)"
            ),
            Self::NoList { digest } => write!(
                f,
                "the stop list with digest {digest} is missing; give its file as \
                    stop={digest}@FILE"
            ),
            Self::OtherTable(error) => error.fmt(f),
            Self::TooMany => write!(
                f,
                "this process has reached the maximum of {MOST_KNOWN} custom schemes; use fewer, \
                    or another process"
            ),
        }
    }
}

impl std::error::Error for CustomError {}
