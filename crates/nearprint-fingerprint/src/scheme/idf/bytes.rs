//! SPEC [13.10]: a table as bytes.

use sha2::{Digest, Sha256};

use super::{IdfDigest, IdfTable, IdfTableError};
use crate::scheme::custom::CustomScheme;

/// What a table begins with.
const MAGIC: [u8; 8] = *b"\x89NPIDF\r\n";

/// The version of the layout that this build reads and writes.
pub(super) const VERSION: u32 = 1;

/// Bytes before the features' name.
const HEAD: usize = 32;

/// Bytes of an entry: a hash and a count.
const ENTRY: usize = 12;

/// Bytes of the SHA-256 at the end.
pub(super) const SUM: usize = 32;

impl IdfTable {
    /// Reads what [`to_bytes`](Self::to_bytes) writes.
    ///
    /// # Errors
    /// On anything else; memory is that of a table of as many bytes at most.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, IdfTableError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(IdfTableError::NoTable);
        }
        let length = IdfTableError::Length { found: bytes.len() as u64 };
        let Some((head, rest)) = bytes.split_at_checked(HEAD) else { return Err(length) };
        let number = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| head[at + i]));
        if number(8) != VERSION {
            return Err(IdfTableError::Version { found: number(8) });
        }
        let entries = u64::from(number(24)) | u64::from(number(28)) << 32;
        let named = number(20);
        let wanted = u128::from(entries) * ENTRY as u128 + u128::from(named) + SUM as u128;
        if rest.len() as u128 != wanted {
            return Err(length);
        }
        let (unsummed, found) = bytes.split_at(bytes.len() - SUM);
        let sum = sum(unsummed);
        if sum != found {
            return Err(IdfTableError::Checksum);
        }
        // Both fit, for the length is right.
        let (name, rest) = unsummed[HEAD..].split_at(named as usize);
        let (rows, _) = rest.as_chunks::<ENTRY>();
        let name = std::str::from_utf8(name).ok();
        let Some(scheme) = name.and_then(CustomScheme::of_counted) else {
            return Err(IdfTableError::Content {
                what: "what is counted is said as in a declaration",
            });
        };
        let hash = |row: &[u8; ENTRY]| u64::from_le_bytes(std::array::from_fn(|i| row[i]));
        let count = |row: &[u8; ENTRY]| u32::from_le_bytes(std::array::from_fn(|i| row[8 + i]));
        let (hashes, counts) = (rows.iter().map(hash).collect(), rows.iter().map(count).collect());
        let table = Self::checked(scheme.counted(), number(12), number(16), hashes, counts)?;
        Ok(Self { digest: IdfDigest::of(&sum), ..table })
    }

    /// The table as bytes (SPEC [13.10]).
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.unsummed();
        let sum = sum(&bytes);
        bytes.extend(sum);
        bytes
    }

    fn unsummed(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD + self.counted.len() + ENTRY * self.len() + SUM);
        bytes.extend(MAGIC);
        for number in [VERSION, self.documents, self.least, self.counted.len() as u32] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend((self.len() as u64).to_le_bytes());
        bytes.extend(self.counted.as_bytes());
        for (hash, count) in self.hashes.iter().zip(&self.counts) {
            bytes.extend(hash.to_le_bytes());
            bytes.extend(count.to_le_bytes());
        }
        bytes
    }

    /// The checksum that the bytes end with.
    pub(super) fn sum(&self) -> [u8; SUM] {
        sum(&self.unsummed())
    }
}

pub(super) fn sum(bytes: &[u8]) -> [u8; SUM] {
    Sha256::digest(bytes).into()
}
