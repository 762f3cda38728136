//! Something of each of many documents, in memory up to a bound and beyond it in a temporary file.

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

use crate::store::temporary_file::TemporaryFile;

/// Bytes that are gathered before they are written.
const WRITTEN_AT_ONCE: usize = 1 << 20;

/// Bytes by document, in the order they were added. The file has no name and is gone when the store is.
#[derive(Debug)]
pub(crate) struct ByteStore {
    /// What the bytes are, for errors.
    what: &'static str,
    memory: u64,
    /// Bytes of memory that each document takes beside its own.
    places: u64,
    directory: PathBuf,
    /// The first documents.
    held: Vec<u8>,
    /// Those behind them that are written.
    file: Option<TemporaryFile>,
    written: u64,
    /// Those behind these, not written yet.
    pending: Vec<u8>,
    /// Where each document ends, counted from the first byte of the first.
    ends: Vec<u64>,
}

impl ByteStore {
    /// An empty store that keeps up to `memory` bytes in memory, `places` for each document included: the 8 that say
    /// where it ends and whatever the caller keeps beside them.
    pub(crate) fn new(what: &'static str, memory: u64, places: u64, directory: PathBuf) -> Self {
        Self {
            what,
            memory,
            places,
            directory,
            held: Vec::new(),
            file: None,
            written: 0,
            pending: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// Has the temporary file in this directory.
    pub(crate) fn in_directory(self, directory: PathBuf) -> Self {
        Self { directory, ..self }
    }

    /// Bytes that are not held in memory for good.
    pub(crate) fn beyond_memory(&self) -> u64 {
        self.written + self.pending.len() as u64
    }

    /// Adds a document's bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        let end = self.end() + bytes.len() as u64;
        let places = (self.ends.len() as u64 + 1) * self.places;
        if self.file.is_none() && end.saturating_add(places) <= self.memory {
            if self.held.capacity() - self.held.len() < bytes.len() {
                // Twice as much would go beyond the bound at the end.
                let room = (self.memory as usize).min(2 * self.held.len()).max(end as usize);
                self.held.reserve_exact(room - self.held.len());
            }
            self.held.extend_from_slice(bytes);
        } else {
            let file = match &self.file {
                Some(file) => file,
                None => self.file.insert(TemporaryFile::create(self.what, &self.directory)?),
            };
            self.pending.extend_from_slice(bytes);
            if self.pending.len() >= WRITTEN_AT_ONCE {
                file.write_all_at(&self.pending, self.written)?;
                self.written += self.pending.len() as u64;
                self.pending.clear();
            }
        }
        self.ends.push(end);
        Ok(())
    }

    /// Number of documents.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Bytes of all documents.
    pub(crate) fn end(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// The bytes of the document at a position, which must be below [`len`](Self::len).
    pub(crate) fn get(&self, position: usize) -> io::Result<Cow<'_, [u8]>> {
        let start = if position == 0 { 0 } else { self.ends[position - 1] };
        let end = self.ends[position];
        let (held, written) = (self.held.len() as u64, self.written);
        // What is in memory has positions of a vector.
        let Some(file) = self.file.as_ref().filter(|_| start >= held) else {
            return Ok(Cow::Borrowed(&self.held[start as usize..end as usize]));
        };
        let (start, end) = (start - held, end - held);
        if start >= written {
            let place = (start - written) as usize..(end - written) as usize;
            return Ok(Cow::Borrowed(&self.pending[place]));
        }
        let mut bytes = vec![0; (end - start) as usize];
        file.read_exact_at(&mut bytes, start)?;
        Ok(Cow::Owned(bytes))
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
            assert_eq!(store.file.is_some(), memory < all + 16_000);
            assert!(store.held.capacity() as u64 <= memory);
            assert!(store.pending.len() < WRITTEN_AT_ONCE);
            for (number, document) in documents.iter().enumerate() {
                assert_eq!(store.get(number).unwrap()[..], document[..], "{memory}: {number}");
            }
        }
    }
}
