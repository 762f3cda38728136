//! Bytes one after the other, in memory up to a bound and beyond it in a temporary file.

use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::path::PathBuf;

use crate::store::temporary_file::TemporaryFile;

/// Bytes that are gathered before they are written.
const WRITTEN_AT_ONCE: usize = 1 << 20;

/// Bytes that are added at the end and read anywhere. The file has no name and is gone when the log is.
#[derive(Debug)]
pub(crate) struct ByteLog {
    /// What the bytes are, for errors.
    what: &'static str,
    memory: u64,
    directory: PathBuf,
    /// The first bytes.
    held: Vec<u8>,
    /// Those behind them that are written.
    file: Option<TemporaryFile>,
    written: u64,
    /// Those behind these, not written yet.
    pending: Vec<u8>,
}

impl ByteLog {
    /// An empty log that keeps up to `memory` bytes in memory.
    pub(crate) fn new(what: &'static str, memory: u64, directory: PathBuf) -> Self {
        let (held, pending) = (Vec::new(), Vec::new());
        Self { what, memory, directory, held, file: None, written: 0, pending }
    }

    /// Has the temporary file in this directory.
    pub(crate) fn in_directory(self, directory: PathBuf) -> Self {
        Self { directory, ..self }
    }

    /// Bytes that are not held in memory for good.
    pub(crate) fn beyond_memory(&self) -> u64 {
        self.written + self.pending.len() as u64
    }

    /// The room of what is held in memory for good.
    #[cfg(test)]
    pub(crate) fn held_capacity(&self) -> u64 {
        self.held.capacity() as u64
    }

    /// All bytes.
    pub(crate) fn end(&self) -> u64 {
        self.held.len() as u64 + self.beyond_memory()
    }

    /// Adds bytes, beside which the caller keeps so many others of the same memory.
    pub(crate) fn push(&mut self, bytes: &[u8], beside: u64) -> io::Result<()> {
        let end = self.end() + bytes.len() as u64;
        if self.file.is_none() && end.saturating_add(beside) <= self.memory {
            if self.held.capacity() - self.held.len() < bytes.len() {
                // Twice as much would go beyond the bound at the end.
                let room = (self.memory as usize).min(2 * self.held.len()).max(end as usize);
                self.held.reserve_exact(room - self.held.len());
            }
            self.held.extend_from_slice(bytes);
            return Ok(());
        }
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
        Ok(())
    }

    /// Bytes of the log that were added together.
    pub(crate) fn get(&self, place: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        self.some(place.start, place.end - place.start)
    }

    /// At most so many bytes from a place where some that were added begin, and whole ones; none only at the end.
    #[cfg(feature = "passages")]
    pub(crate) fn next(&self, start: u64, most: u64) -> io::Result<Cow<'_, [u8]>> {
        let (held, written) = (self.held.len() as u64, self.written);
        let end = match start {
            _ if start < held => held,
            _ if start < held + written => held + written,
            _ => self.end(),
        };
        self.some(start, most.min(end - start))
    }

    /// Bytes that are all held, written or pending.
    fn some(&self, start: u64, length: u64) -> io::Result<Cow<'_, [u8]>> {
        let (held, written) = (self.held.len() as u64, self.written);
        // What is in memory has positions of a vector.
        let Some(file) = self.file.as_ref().filter(|_| start >= held) else {
            return Ok(Cow::Borrowed(&self.held[start as usize..(start + length) as usize]));
        };
        let start = start - held;
        if start >= written {
            let start = (start - written) as usize;
            return Ok(Cow::Borrowed(&self.pending[start..start + length as usize]));
        }
        let mut bytes = vec![0; length as usize];
        file.read_exact_at(&mut bytes, start)?;
        Ok(Cow::Owned(bytes))
    }
}
