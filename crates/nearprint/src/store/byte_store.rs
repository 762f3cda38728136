//! Something of each of many documents, in memory up to a bound and beyond it in a temporary file.

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

use crate::store::byte_log::ByteLog;

/// Bytes by document, in the order they were added. The file has no name and is gone when the store is.
#[derive(Debug)]
pub(crate) struct ByteStore {
    /// Bytes of memory that each document takes beside its own.
    places: u64,
    log: ByteLog,
    /// Where each document ends, counted from the first byte of the first.
    ends: Vec<u64>,
}

impl ByteStore {
    /// An empty store that keeps up to `memory` bytes in memory, `places` for each document included: the 8 that say
    /// where it ends and whatever the caller keeps beside them.
    pub(crate) fn new(what: &'static str, memory: u64, places: u64, directory: PathBuf) -> Self {
        Self { places, log: ByteLog::new(what, memory, directory), ends: Vec::new() }
    }

    /// Has the temporary file in this directory.
    pub(crate) fn in_directory(self, directory: PathBuf) -> Self {
        Self { log: self.log.in_directory(directory), ..self }
    }

    /// Bytes that are not held in memory for good.
    pub(crate) fn beyond_memory(&self) -> u64 {
        self.log.beyond_memory()
    }

    /// Adds a document's bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.log.push(bytes, (self.ends.len() as u64 + 1) * self.places)?;
        self.ends.push(self.log.end());
        Ok(())
    }

    /// Number of documents.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Bytes of all documents.
    pub(crate) fn end(&self) -> u64 {
        self.log.end()
    }

    /// The bytes of the document at a position, which must be below [`len`](Self::len).
    pub(crate) fn get(&self, position: usize) -> io::Result<Cow<'_, [u8]>> {
        let start = if position == 0 { 0 } else { self.ends[position - 1] };
        self.log.get(start..self.ends[position])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_and_file_give_back_what_came_in() {
        let documents: Vec<Vec<u8>> =
            (0..2000usize).map(|n| vec![n as u8; (n * n) % 3001]).collect();
        let all: u64 = documents.iter().map(|document| document.len() as u64).sum();
        for memory in [0, 100, 50_000, all, all + 16_000] {
            let mut store = ByteStore::new("documents", memory, 8, std::env::temp_dir());
            for (number, document) in documents.iter().enumerate() {
                store.push(document).unwrap();
                assert_eq!(store.get(number).unwrap()[..], document[..]);
            }
            assert_eq!(store.len(), documents.len());
            assert_eq!(store.beyond_memory() > 0, memory < all + 16_000);
            assert!(store.log.held_capacity() <= memory);
            for (number, document) in documents.iter().enumerate() {
                assert_eq!(store.get(number).unwrap()[..], document[..], "{memory}: {number}");
            }
        }
    }
}
