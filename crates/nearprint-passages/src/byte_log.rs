//! Bytes that are appended, and read anywhere: in memory up to a bound, and beyond it in a temporary file. A log that
//! is saved has all of its bytes in a file with a name, and the first of them in memory as well.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::temporary_file::TemporaryFile;

/// Bytes that are written to the file together.
const WRITTEN: usize = 256 * 1024;

/// A log of records, each of which is in memory or in the file as a whole.
#[derive(Debug)]
pub(crate) struct ByteLog {
    memory: Vec<u8>,
    most: usize,
    directory: PathBuf,
    file: Option<TemporaryFile>,
    /// Where the bytes of the file begin in the log.
    file_start: u64,
    /// What comes after the file's content and is not yet written.
    pending: Vec<u8>,
}

impl ByteLog {
    /// An empty log that keeps `most` bytes in memory, and a buffer once there are more.
    pub(crate) fn new(most: usize, directory: &Path) -> Self {
        let directory = directory.to_owned();
        let (memory, pending) = (Vec::new(), Vec::new());
        Self { memory, most, directory, file: None, file_start: 0, pending }
    }

    /// An empty log of which all is in a file of this path, and `most` bytes in memory as well.
    pub(crate) fn saved(most: usize, path: &Path) -> io::Result<Self> {
        let file = Some(TemporaryFile::create_named(path)?);
        Ok(Self { file, ..Self::new(most, path) })
    }

    /// The log of a file that [`saved`](Self::saved) has made.
    pub(crate) fn open(most: usize, file: TemporaryFile) -> io::Result<Self> {
        // It is no more than fits, and whole numbers.
        let mut memory = vec![0; file.length().min((most / 8 * 8) as u64) as usize];
        file.read(&mut memory, 0)?;
        Ok(Self { memory, file: Some(file), ..Self::new(most, Path::new("")) })
    }

    /// The file of a log that is saved.
    pub(crate) fn file(&self) -> Option<&TemporaryFile> {
        self.file.as_ref()
    }

    /// The number of bytes that were appended, which is the offset of the next record.
    pub(crate) fn len(&self) -> u64 {
        let Some(file) = &self.file else { return self.memory.len() as u64 };
        self.file_start + file.length() + self.pending.len() as u64
    }

    /// Appends a record, which is in parts.
    pub(crate) fn append(&mut self, record: &[&[u8]]) -> io::Result<()> {
        let length = record.iter().map(|part| part.len()).sum::<usize>();
        let in_memory = self.memory.len() as u64;
        let fits = in_memory == self.len() && length <= self.most - self.memory.len();
        if fits {
            if self.memory.capacity() - self.memory.len() < length {
                // Not twice as much: that would pass the bound.
                let more = (self.memory.len() / 4).max(length);
                self.memory.reserve_exact(more.min(self.most - self.memory.len()));
            }
            record.iter().for_each(|part| self.memory.extend_from_slice(part));
        }
        if self.file.is_none() {
            if fits {
                return Ok(());
            }
            self.file = Some(TemporaryFile::create(&self.directory)?);
            self.file_start = in_memory;
        }
        for part in record {
            if part.len() >= WRITTEN {
                self.flush()?;
                self.file.iter_mut().try_for_each(|file| file.append(part))?;
                continue;
            }
            self.pending.extend_from_slice(part);
            if self.pending.len() >= WRITTEN {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Writes what is pending, so that everything can be read.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        if let Some(file) = &mut self.file {
            file.append(&self.pending)?;
            self.pending.clear();
        }
        Ok(())
    }

    /// Whether the bytes before this one are in memory.
    pub(crate) fn has_in_memory(&self, end: u64) -> bool {
        end <= self.memory.len() as u64
    }

    /// The bytes of a range of one record or of several, all in memory or all in the file; `scratch` is where those of
    /// the file are put.
    pub(crate) fn read<'r>(
        &'r self,
        range: Range<u64>,
        scratch: &'r mut Vec<u8>,
    ) -> io::Result<&'r [u8]> {
        let length =
            usize::try_from(range.end.saturating_sub(range.start)).map_err(io::Error::other)?;
        if self.has_in_memory(range.end) {
            // It fits, as the memory does.
            let start = range.start as usize;
            return Ok(&self.memory[start..start + length]);
        }
        let is_there = range.start >= self.file_start && range.end <= self.len();
        let file = self.file.as_ref().filter(|_| is_there);
        let file = file.ok_or(io::ErrorKind::UnexpectedEof)?;
        scratch.resize(length, 0);
        file.read(scratch, range.start - self.file_start)?;
        Ok(scratch)
    }

    /// The two 64-bit numbers from an index on of a log of such numbers.
    pub(crate) fn two_numbers(&self, index: u64) -> io::Result<[u64; 2]> {
        let (start, end) = (index * 8, index * 8 + 16);
        let in_memory = self.memory.len() as u64;
        let mut bytes = [0; 16];
        if end <= in_memory {
            let start = start as usize;
            bytes.copy_from_slice(&self.memory[start..start + 16]);
        } else if start >= self.file_start {
            let file = self.file.as_ref().filter(|_| end <= self.len());
            let file = file.ok_or(io::ErrorKind::UnexpectedEof)?;
            file.read(&mut bytes, start - self.file_start)?;
        } else {
            let mut numbers = Vec::new();
            self.numbers(index..index + 2, &mut numbers)?;
            return numbers.first_chunk().copied().ok_or(io::ErrorKind::UnexpectedEof.into());
        }
        let (numbers, _) = bytes.as_chunks();
        Ok([numbers[0], numbers[1]].map(u64::from_le_bytes))
    }

    /// Fills `numbers` with those at some indexes, which may be in memory and in the file.
    pub(crate) fn numbers(&self, indexes: Range<u64>, numbers: &mut Vec<u64>) -> io::Result<()> {
        numbers.clear();
        let (mut at, end) = (indexes.start * 8, indexes.end * 8);
        let (in_memory, mut scratch) = (self.memory.len() as u64, Vec::new());
        while at < end {
            let to = if at < in_memory { end.min(in_memory) } else { end };
            let bytes = self.read(at..to, &mut scratch)?;
            numbers.extend(bytes.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes)));
            at = to;
        }
        Ok(())
    }

    /// Appends a number to a log of numbers.
    pub(crate) fn append_number(&mut self, number: u64) -> io::Result<()> {
        self.append(&[&number.to_le_bytes()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_wherever_they_are() {
        for most in [0, 100, 5_000, 1 << 20] {
            let mut log = ByteLog::new(most, &std::env::temp_dir());
            for number in 0..40_000 {
                log.append_number(number * 3).unwrap();
            }
            assert!(log.memory.capacity() <= most);
            log.flush().unwrap();
            check(&log);
        }
    }

    #[test]
    fn a_saved_log_is_read_by_others() {
        let directory = tempfile::tempdir().unwrap();
        for (most, others) in [(0, 5_000), (100, 0), (1 << 20, 100)] {
            let path = directory.path().join("log");
            let mut log = ByteLog::saved(most, &path).unwrap();
            for number in 0..40_000 {
                log.append_number(number * 3).unwrap();
            }
            assert!(log.memory.capacity() <= most);
            log.flush().unwrap();
            check(&log);
            let digest = log.file().and_then(TemporaryFile::digest);
            let other = ByteLog::open(others, TemporaryFile::open(&path).unwrap()).unwrap();
            check(&other);
            assert_eq!(other.file().and_then(TemporaryFile::digest), digest);
        }
    }

    fn check(log: &ByteLog) {
        assert_eq!(log.len(), 320_000);
        for number in 0..39_999 {
            assert_eq!(log.two_numbers(number).unwrap(), [number * 3, number * 3 + 3]);
        }
        assert!(log.two_numbers(39_999).is_err());
        let mut numbers = Vec::new();
        log.numbers(5..20_000, &mut numbers).unwrap();
        assert!(numbers.into_iter().eq((5..20_000).map(|number| number * 3)));
    }
}
