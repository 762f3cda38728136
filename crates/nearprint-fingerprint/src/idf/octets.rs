//! SPEC [13.10]: a table as octets.

use sha2::{Digest, Sha256};

use super::{IdfDigest, IdfTable, IdfTableError};
use crate::custom::CustomScheme;

/// What a table begins with.
const MAGIC: [u8; 8] = *b"\x89NPIDF\r\n";

/// The version of the layout that this build reads and writes.
pub(super) const VERSION: u32 = 1;

/// Octets before the features' name.
const HEAD: usize = 32;

/// Octets of an entry: a hash and a count.
const ENTRY: usize = 12;

/// Octets of the SHA-256 at the end.
pub(super) const SUM: usize = 32;

impl IdfTable {
    /// Reads what [`to_octets`](Self::to_octets) writes.
    ///
    /// # Errors
    /// On anything else; memory is that of a table of as many octets at most.
    pub fn from_octets(octets: &[u8]) -> Result<Self, IdfTableError> {
        if !octets.starts_with(&MAGIC) {
            return Err(IdfTableError::NoTable);
        }
        let length = IdfTableError::Length { found: octets.len() as u64 };
        let Some((head, rest)) = octets.split_at_checked(HEAD) else { return Err(length) };
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
        let (unsummed, found) = octets.split_at(octets.len() - SUM);
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

    /// The table as octets (SPEC [13.10]).
    #[must_use]
    pub fn to_octets(&self) -> Vec<u8> {
        let mut octets = self.unsummed();
        let sum = sum(&octets);
        octets.extend(sum);
        octets
    }

    fn unsummed(&self) -> Vec<u8> {
        let mut octets = Vec::with_capacity(HEAD + self.counted.len() + ENTRY * self.len() + SUM);
        octets.extend(MAGIC);
        for number in [VERSION, self.documents, self.least, self.counted.len() as u32] {
            octets.extend(number.to_le_bytes());
        }
        octets.extend((self.len() as u64).to_le_bytes());
        octets.extend(self.counted.as_bytes());
        for (hash, count) in self.hashes.iter().zip(&self.counts) {
            octets.extend(hash.to_le_bytes());
            octets.extend(count.to_le_bytes());
        }
        octets
    }

    /// The checksum that the octets end with.
    pub(super) fn sum(&self) -> [u8; SUM] {
        sum(&self.unsummed())
    }
}

pub(super) fn sum(octets: &[u8]) -> [u8; SUM] {
    Sha256::digest(octets).into()
}
