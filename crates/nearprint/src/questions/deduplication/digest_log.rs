//! The digests of documents' texts, in a temporary file: 32 bytes each, read where a document is dropped.

use std::io;
use std::path::Path;

use crate::TextDigests;
use crate::store::temporary_file::TemporaryFile;

/// Bytes of a document.
const EACH: usize = 32;

/// Documents that are written at once.
const STEP: usize = 2048;

/// Digests in the order of the documents, in a file without a name that is gone when this is.
#[derive(Debug)]
pub(super) struct DigestLog {
    file: TemporaryFile,
    written: u64,
    /// Those that are not written yet.
    held: Vec<u8>,
}

impl DigestLog {
    pub(super) fn new(directory: &Path) -> io::Result<Self> {
        Ok(Self {
            file: TemporaryFile::create("digests of documents", directory)?,
            written: 0,
            held: Vec::new(),
        })
    }

    pub(super) fn push(&mut self, digests: TextDigests) -> io::Result<()> {
        self.held.extend_from_slice(&digests.to_bytes());
        if self.held.len() == STEP * EACH {
            self.file.write_all_at(&self.held, self.written)?;
            self.written += self.held.len() as u64;
            self.held.clear();
        }
        Ok(())
    }

    /// The digests of the document of a number, from 0.
    ///
    /// # Panics
    /// Where there are not so many documents.
    pub(super) fn get(&self, number: u64) -> io::Result<TextDigests> {
        let at = number * EACH as u64;
        let mut bytes = [0; EACH];
        if at < self.written {
            self.file.read_exact_at(&mut bytes, at)?;
        } else {
            let from = (at - self.written) as usize;
            bytes.copy_from_slice(&self.held[from..from + EACH]);
        }
        Ok(TextDigests::from_bytes(&bytes))
    }

    /// Bytes of the file.
    pub(super) fn bytes(&self) -> u64 {
        self.written
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_come_back_in_any_order() {
        let mut log = DigestLog::new(&std::env::temp_dir()).unwrap();
        let digests = |n: u64| TextDigests { normalised: u128::from(n) << 70, words: n.into() };
        let count = 2 * STEP as u64 + 5;
        (0..count).for_each(|n| log.push(digests(n)).unwrap());
        assert_eq!(log.bytes(), (2 * STEP * EACH) as u64);
        for n in [0, count - 1, 7, STEP as u64, 2 * STEP as u64 - 1, 2 * STEP as u64] {
            assert_eq!(log.get(n).unwrap(), digests(n));
        }
    }
}
