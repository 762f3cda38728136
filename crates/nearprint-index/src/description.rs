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
//! ```
//! Numbers are little-endian.

use std::path::{Path, PathBuf};

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
}

impl Description {
    const BYTES: usize = 64;

    pub(crate) fn encode(&self) -> [u8; Self::BYTES] {
        let Self { file, first, end, entries, removed, length, digest } = *self;
        let mut bytes = [0; Self::BYTES];
        let numbers =
            [file, first, end, entries, removed, length, digest as u64, (digest >> 64) as u64];
        for (place, number) in bytes.chunks_exact_mut(8).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; Self::BYTES] = bytes.try_into().ok()?;
        let (numbers, _) = bytes.as_chunks::<8>();
        let number = |at: usize| u64::from_le_bytes(numbers[at]);
        let found = Self {
            file: number(0),
            first: number(1),
            end: number(2),
            entries: number(3),
            removed: number(4),
            length: number(5),
            digest: u128::from(number(6)) | u128::from(number(7)) << 64,
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
