//! Sorting of records of a few 64-bit numbers in bounded memory: sorted runs in one temporary file, which are merged.
//!
//! The order is that of the numbers, the first one first, and it is total, so the result is the same for any bound of
//! the memory and any number of threads.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::slice::ParallelSliceMut;

use crate::record_merge::{MergeThread, RecordMerge};
use crate::temporary_file::TemporaryFile;

/// Bytes that are read of a run at a time, at least, where the memory allows it.
const READ: usize = 64 * 1024;

/// Runs that are merged together, at most.
const MOST_RUNS: usize = 512;

/// A sort of records of N numbers each.
#[derive(Debug)]
pub(crate) struct ExternalSort<const N: usize> {
    buffer: Vec<[u64; N]>,
    /// Records that the buffer may have.
    most: usize,
    directory: PathBuf,
    runs: Runs,
}

/// The sorted runs of a file, by their places in bytes.
#[derive(Debug, Default)]
struct Runs {
    file: Option<TemporaryFile>,
    places: Vec<Range<u64>>,
}

impl<const N: usize> ExternalSort<N> {
    /// A sort within `memory` bytes, or a little more where that is very little.
    pub(crate) fn new(memory: usize, directory: &Path) -> Self {
        let most = (memory / size_of::<[u64; N]>()).max(1024);
        Self { buffer: Vec::new(), most, directory: directory.to_owned(), runs: Runs::default() }
    }

    pub(crate) fn push(&mut self, record: [u64; N]) -> io::Result<()> {
        if self.buffer.len() == self.most {
            self.write_run()?;
        }
        if self.buffer.len() == self.buffer.capacity() {
            // Not twice as much: that would pass the bound.
            let more = (self.buffer.len() / 2).max(1024).min(self.most - self.buffer.len());
            self.buffer.reserve_exact(more);
        }
        self.buffer.push(record);
        Ok(())
    }

    fn write_run(&mut self) -> io::Result<()> {
        self.buffer.par_sort_unstable();
        let mut run = RunWriter::begin(&mut self.runs, &self.directory)?;
        self.buffer.iter().try_for_each(|record| run.push(record))?;
        run.finish()?;
        self.buffer.clear();
        Ok(())
    }

    /// Sorts what is left. The records can then be read, as often as it is wanted.
    pub(crate) fn finish(mut self) -> io::Result<SortedRecords<N>> {
        let memory = self.most * size_of::<[u64; N]>();
        if self.runs.places.is_empty() {
            self.buffer.par_sort_unstable();
            return Ok(SortedRecords { records: self.buffer, spilled: None, memory });
        }
        self.write_run()?;
        let most_runs = (memory / READ).clamp(2, MOST_RUNS);
        let mut runs = self.runs;
        drop(self.buffer);
        while runs.places.len() > most_runs {
            let Some(file) = runs.file.take().map(Arc::new) else { break };
            let mut longer = Runs::default();
            for group in runs.places.chunks(most_runs) {
                let mut merged = RunWriter::begin(&mut longer, &self.directory)?;
                let mut records = RecordMerge::<N>::new(&file, group, memory)?;
                while let Some(record) = records.next()? {
                    merged.push(&record)?;
                }
                merged.finish()?;
            }
            runs = longer;
        }
        let spilled = runs.file.map(|file| (Arc::new(file), runs.places));
        Ok(SortedRecords { records: Vec::new(), spilled, memory })
    }
}

/// Writes a run to the file.
struct RunWriter<'r> {
    runs: &'r mut Runs,
    start: u64,
    bytes: Vec<u8>,
}

impl<'r> RunWriter<'r> {
    fn begin(runs: &'r mut Runs, directory: &Path) -> io::Result<Self> {
        if runs.file.is_none() {
            runs.file = Some(TemporaryFile::create(directory)?);
        }
        let start = runs.file.as_ref().map_or(0, TemporaryFile::length);
        Ok(Self { runs, start, bytes: Vec::new() })
    }

    fn push<const N: usize>(&mut self, record: &[u64; N]) -> io::Result<()> {
        record.iter().for_each(|number| self.bytes.extend_from_slice(&number.to_le_bytes()));
        if self.bytes.len() >= READ { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> io::Result<()> {
        if let Some(file) = &mut self.runs.file {
            file.append(&self.bytes)?;
        }
        self.bytes.clear();
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        self.write()?;
        let end = self.runs.file.as_ref().map_or(self.start, TemporaryFile::length);
        self.runs.places.push(self.start..end);
        Ok(())
    }
}

/// Records in their order.
#[derive(Debug)]
pub(crate) struct SortedRecords<const N: usize> {
    /// All of them, where they fit in memory.
    records: Vec<[u64; N]>,
    /// Else a file, and the places of the sorted runs in it.
    spilled: Option<(Arc<TemporaryFile>, Vec<Range<u64>>)>,
    memory: usize,
}

impl<const N: usize> SortedRecords<N> {
    /// Reads them from the first one on.
    pub(crate) fn read(&self) -> io::Result<RecordReader<'_, N>> {
        let merge = self.spilled.as_ref().map(|(file, places)| {
            RecordMerge::new(file, places, self.memory).and_then(MergeThread::start)
        });
        Ok(RecordReader { records: self.records.iter(), merge: merge.transpose()?, next: None })
    }
}

/// Records one after the other, of which the next can be looked at.
pub(crate) struct RecordReader<'s, const N: usize> {
    records: std::slice::Iter<'s, [u64; N]>,
    merge: Option<MergeThread<N>>,
    next: Option<[u64; N]>,
}

impl<const N: usize> RecordReader<'_, N> {
    #[inline]
    pub(crate) fn next(&mut self) -> io::Result<Option<[u64; N]>> {
        if let Some(next) = self.next.take() {
            return Ok(Some(next));
        }
        match &mut self.merge {
            Some(merge) => merge.next(),
            None => Ok(self.records.next().copied()),
        }
    }

    /// The next record if its first number is `first`.
    #[inline]
    pub(crate) fn next_of(&mut self, first: u64) -> io::Result<Option<[u64; N]>> {
        match self.next()? {
            Some(record) if record[0] == first => Ok(Some(record)),
            other => {
                self.next = other;
                Ok(None)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_memory_gives_the_same_order() {
        let mut state = 9u64;
        let records: Vec<[u64; 2]> = (0..60_000)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                [state >> 52, state >> 20 & 0xFF]
            })
            .collect();
        let mut wanted = records.clone();
        wanted.sort_unstable();
        // The least gives 59 runs of 1,024 records, of which two are merged at a time.
        for memory in [0, 100_000, 1 << 20] {
            let mut sort = ExternalSort::new(memory, &std::env::temp_dir());
            records.iter().try_for_each(|&record| sort.push(record)).unwrap();
            let sorted = sort.finish().unwrap();
            for _ in 0..2 {
                let (mut reader, mut found) = (sorted.read().unwrap(), Vec::new());
                while let Some(record) = reader.next().unwrap() {
                    found.push(record);
                    while let Some(other) = reader.next_of(record[0]).unwrap() {
                        assert_eq!(other[0], record[0]);
                        found.push(other);
                    }
                }
                assert!(found == wanted, "{memory}");
            }
        }
    }
}
