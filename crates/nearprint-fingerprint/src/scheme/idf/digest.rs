//! The name of a table, as declarations of schemes give it.

use std::fmt;
use std::str::FromStr;

use super::IdfTableError;
use crate::base32::{base32, bytes_of_base32};

/// The name of a table: the first 16 bytes of the SHA-256 at its end, written as 26 characters of base32.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct IdfDigest([u8; 16]);

impl IdfDigest {
    /// That of a table with this checksum.
    pub(super) fn of(sum: &[u8; 32]) -> Self {
        Self(std::array::from_fn(|i| sum[i]))
    }
}

impl fmt::Display for IdfDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&base32(&self.0))
    }
}

impl fmt::Debug for IdfDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IdfDigest({self})")
    }
}

impl FromStr for IdfDigest {
    type Err = IdfTableError;

    /// Takes what printing gives and nothing else: a declaration has one form.
    fn from_str(text: &str) -> Result<Self, IdfTableError> {
        let bytes = bytes_of_base32(text).and_then(|bytes| bytes.try_into().ok());
        let exact = bytes.map(Self).filter(|digest| digest.to_string() == text);
        exact.ok_or(IdfTableError::Content { what: "a digest has 26 characters of a-z and 2-7" })
    }
}
