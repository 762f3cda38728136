//! The digests of documents and their texts, in a temporary file: 80 bytes each, read where documents may be equal.

use std::io;
use std::path::Path;

use nearprint_records::DecisionReason;

use crate::store::temporary_file::TemporaryFile;
use crate::{Sameness, TextDigests};

/// Bytes of a document.
const EACH: usize = 32 + TextDigests::BYTES;

/// Documents that are written at once.
const STEP: usize = 2048;

/// By which a document is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct DocumentDigests {
    /// SHA-256 of its bytes; zeros where they are not known, or there are none.
    pub(super) bytes: [u8; 32],
    /// Those of its text; zeros where there is none.
    pub(super) text: TextDigests,
}

impl DocumentDigests {
    /// Why one of two documents is dropped for the other.
    pub(super) fn reason(&self, other: &Self) -> DecisionReason {
        if self.bytes == other.bytes && self.bytes != [0; 32] {
            return DecisionReason::SameBytes;
        }
        match self.text.sameness(&other.text) {
            Sameness::Identical => DecisionReason::Identical,
            Sameness::SameWords => DecisionReason::SameWords,
            Sameness::Different => DecisionReason::Near,
        }
    }
}

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

    pub(super) fn push(&mut self, digests: DocumentDigests) -> io::Result<()> {
        self.held.extend_from_slice(&digests.bytes);
        self.held.extend_from_slice(&digests.text.to_bytes());
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
    pub(super) fn get(&self, number: u64) -> io::Result<DocumentDigests> {
        let at = number * EACH as u64;
        let mut found = [0; EACH];
        if at < self.written {
            self.file.read_exact_at(&mut found, at)?;
        } else {
            let from = (at - self.written) as usize;
            found.copy_from_slice(&self.held[from..from + EACH]);
        }
        Ok(DocumentDigests {
            bytes: std::array::from_fn(|at| found[at]),
            text: TextDigests::from_bytes(&std::array::from_fn(|at| found[32 + at])),
        })
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
        let digests = |n: u64| DocumentDigests {
            bytes: [n as u8; 32],
            text: TextDigests { text: [!n as u8; 32], words: u128::from(n) << 70 },
        };
        let count = 2 * STEP as u64 + 5;
        (0..count).for_each(|n| log.push(digests(n)).unwrap());
        assert_eq!(log.bytes(), (2 * STEP * EACH) as u64);
        for n in [0, count - 1, 7, STEP as u64, 2 * STEP as u64 - 1, 2 * STEP as u64] {
            assert_eq!(log.get(n).unwrap(), digests(n));
        }
    }

    #[test]
    fn equal_bytes_come_before_equal_texts() {
        let text = |text, words| TextDigests { text: [text; 32], words };
        let of = |bytes, text| DocumentDigests { bytes: [bytes; 32], text };
        for (a, b, wanted) in [
            (of(1, text(1, 1)), of(1, text(2, 2)), DecisionReason::SameBytes),
            (of(1, text(1, 1)), of(2, text(1, 1)), DecisionReason::Identical),
            (of(0, text(1, 1)), of(0, text(2, 1)), DecisionReason::SameWords),
            (of(0, text(1, 1)), of(0, text(2, 2)), DecisionReason::Near),
        ] {
            assert_eq!(a.reason(&b), wanted);
        }
    }
}
