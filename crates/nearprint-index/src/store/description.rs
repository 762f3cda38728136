//! What the store knows about a file of tables.
//!
//! ```text
//! 8 bytes  number of the file
//! 8 bytes  first sequence number
//! 8 bytes  end of the sequence numbers, exclusive
//! 8 bytes  documents in it
//! 8 bytes  of these, documents that were removed since
//! 8 bytes  length of the file in bytes
//! 16 bytes digest of the file
//! 8 bytes  digest of the removed documents
//! 8 bytes  XXH3-64 of these 72 bytes
//! ```
//! Numbers are little-endian.

use std::path::{Path, PathBuf};

use twox_hash::XxHash3_64;

/// A file of tables, as the store names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Description {
    /// The number that is its name.
    pub(crate) file: u64,
    /// The first sequence number it covers.
    pub(crate) first: u64,
    /// The first sequence number behind it.
    pub(crate) end: u64,
    /// Entries.
    pub(crate) entries: u64,
    /// Entries whose documents were removed since.
    pub(crate) removed: u64,
    /// Length of the file in bytes.
    pub(crate) length: u64,
    /// What the file's digest must be.
    pub(crate) digest: u128,
    /// The digests of the removed documents, summed up.
    pub(crate) removed_digest: u64,
}

impl Description {
    const BYTES: usize = 80;

    pub(crate) fn encode(&self) -> [u8; Self::BYTES] {
        let Self { file, first, end, entries, removed, length, digest, removed_digest } = *self;
        let mut bytes = [0; Self::BYTES];
        let (low, high) = (digest as u64, (digest >> 64) as u64);
        let numbers = [file, first, end, entries, removed, length, low, high, removed_digest];
        for (place, number) in bytes.chunks_exact_mut(8).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        let checksum = XxHash3_64::oneshot(&bytes[..Self::BYTES - 8]);
        bytes[Self::BYTES - 8..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; Self::BYTES] = bytes.try_into().ok()?;
        let (numbers, _) = bytes.as_chunks::<8>();
        let number = |at: usize| u64::from_le_bytes(numbers[at]);
        if number(9) != XxHash3_64::oneshot(&bytes[..Self::BYTES - 8]) {
            return None;
        }
        let found = Self {
            file: number(0),
            first: number(1),
            end: number(2),
            entries: number(3),
            removed: number(4),
            length: number(5),
            digest: u128::from(number(6)) | u128::from(number(7)) << 64,
            removed_digest: number(8),
        };
        let spans = found.end.checked_sub(found.first)?;
        let fits = found.entries <= spans
            && spans <= u64::from(u32::MAX)
            && found.removed <= found.entries;
        fits.then_some(found)
    }

    /// Where the file is.
    pub(crate) fn path(&self, index: &Path) -> PathBuf {
        Self::path_of(index, self.file)
    }

    /// The directory of the files of tables of an index.
    pub(crate) fn directory(index: &Path) -> PathBuf {
        index.join("tables")
    }

    /// Where the file of a number is.
    pub(crate) fn path_of(index: &Path, file: u64) -> PathBuf {
        Self::directory(index).join(format!("{file:012}.tables"))
    }
}
