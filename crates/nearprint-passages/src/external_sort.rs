//! Sorting of records of a few 64-bit numbers in bounded memory: sorted runs in one temporary file, which
//! are merged in parts.
//!
//! The order is that of the numbers, the first one first, and it is total, so the result is the same for any bound of
//! the memory and any number of threads.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::slice::ParallelSliceMut;

use crate::record_parts::RecordParts;
use crate::sorted_runs::{RecordChoice, RunPlan, SortedRuns, record_of};
use crate::temporary_file::TemporaryFile;

/// A sort of records of N numbers each.
#[derive(Debug)]
pub(crate) struct ExternalSort<const N: usize> {
    buffer: Vec<[u64; N]>,
    /// Records that the buffer may have.
    most: usize,
    directory: PathBuf,
    threads: usize,
    plan: RunPlan,
    runs: SortedRuns<N>,
}

impl<const N: usize> ExternalSort<N> {
    /// A sort within `memory` bytes, or a little more where that is very little.
    pub(crate) fn new(memory: usize, directory: &Path) -> Self {
        let most = most_records::<N>(memory);
        let threads = rayon::current_num_threads();
        let plan = RunPlan::new(most, threads);
        Self {
            buffer: Vec::new(),
            most,
            directory: directory.to_owned(),
            threads,
            plan,
            runs: SortedRuns::new(plan),
        }
    }

    pub(crate) fn push(&mut self, record: [u64; N]) -> io::Result<()> {
        self.extend(&[record])
    }

    pub(crate) fn extend(&mut self, mut records: &[[u64; N]]) -> io::Result<()> {
        while !records.is_empty() {
            if self.buffer.len() == self.most {
                self.write_run()?;
            }
            let (now, later) = records.split_at(records.len().min(self.most - self.buffer.len()));
            let length = self.buffer.len() + now.len();
            if length > self.buffer.capacity() {
                // Not twice as much: that would pass the bound.
                let more = (length / 2).max(1024).min(self.most - self.buffer.len());
                self.buffer.reserve_exact(more.max(now.len()));
            }
            self.buffer.extend_from_slice(now);
            records = later;
        }
        Ok(())
    }

    fn write_run(&mut self) -> io::Result<()> {
        self.buffer.par_sort_unstable();
        self.runs.begin(&self.directory)?;
        self.runs.push(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    /// Sorts what is left. The records can then be read, as often as it is wanted.
    pub(crate) fn finish(mut self) -> io::Result<SortedRecords<N>> {
        let threads = self.threads;
        if self.runs.count() == 0 {
            self.buffer.par_sort_unstable();
            return Ok(SortedRecords { records: self.buffer, runs: None, threads });
        }
        self.write_run()?;
        drop(self.buffer);
        let mut runs = Arc::new(self.runs);
        while runs.count() > self.plan.most_runs {
            let mut longer = SortedRuns::new(self.plan);
            for first in (0..runs.count()).step_by(self.plan.most_runs) {
                let numbers = first..runs.count().min(first + self.plan.most_runs);
                let mut parts = RecordParts::start(&runs, numbers, RecordChoice::All, threads)?;
                longer.begin(&self.directory)?;
                while let Some(part) = parts.next_part()? {
                    longer.push(&part.records)?;
                }
            }
            runs = Arc::new(longer);
        }
        Ok(SortedRecords { records: Vec::new(), runs: Some(runs), threads })
    }
}

/// The records of N numbers that a sort within `memory` bytes has in memory.
fn most_records<const N: usize>(memory: usize) -> usize {
    (memory / size_of::<[u64; N]>()).max(1024)
}

/// Records that are saved together.
const SAVED: usize = 16 * 1024;

/// Records in their order.
#[derive(Debug)]
pub(crate) struct SortedRecords<const N: usize> {
    /// All of them, where they fit in memory.
    records: Vec<[u64; N]>,
    /// Else the sorted runs that have them.
    runs: Option<Arc<SortedRuns<N>>>,
    threads: usize,
}

impl<const N: usize> SortedRecords<N> {
    /// The records of a file that [`write`](Self::write) has made, within `memory` bytes as of [`ExternalSort::new`].
    pub(crate) fn open(file: TemporaryFile, memory: usize) -> io::Result<Self> {
        let threads = rayon::current_num_threads();
        let most = most_records::<N>(memory);
        if file.length() / size_of::<[u64; N]>() as u64 > most as u64 {
            let runs = SortedRuns::of_file(RunPlan::new(most, threads), file)?;
            return Ok(Self { records: Vec::new(), runs: Some(Arc::new(runs)), threads });
        }
        // So it fits.
        let mut bytes = vec![0; file.length() as usize];
        file.read(&mut bytes, 0)?;
        let records = bytes.chunks_exact(size_of::<[u64; N]>()).map(record_of).collect();
        Ok(Self { records, runs: None, threads })
    }

    /// Appends all of them to a file.
    pub(crate) fn write(&self, file: &mut TemporaryFile) -> io::Result<()> {
        let (mut reader, mut bytes) = (self.read()?, Vec::new());
        while let Some(record) = reader.next()? {
            record.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
            if bytes.len() >= SAVED * size_of::<[u64; N]>() {
                file.append(&bytes)?;
                bytes.clear();
            }
        }
        file.append(&bytes)
    }

    /// Whether they are in a file.
    pub(crate) fn is_spilled(&self) -> bool {
        self.runs.is_some()
    }

    /// How many there are.
    pub(crate) fn len(&self) -> u64 {
        self.runs.as_ref().map_or(self.records.len() as u64, |runs| runs.records())
    }

    /// Reads them from the first one on.
    pub(crate) fn read(&self) -> io::Result<RecordReader<'_, N>> {
        self.read_choice(RecordChoice::All)
    }

    /// Reads those with a first number that another one has. Some others may come as well.
    pub(crate) fn read_groups(&self) -> io::Result<RecordReader<'_, N>> {
        self.read_choice(RecordChoice::Groups)
    }

    fn read_choice(&self, choice: RecordChoice) -> io::Result<RecordReader<'_, N>> {
        let start = |runs| RecordParts::start(runs, 0..runs.count(), choice, self.threads);
        let parts = self.runs.as_ref().map(start).transpose()?;
        Ok(RecordReader { records: self.records.iter(), parts, next: None })
    }
}

/// Records one after the other, of which the next can be looked at.
pub(crate) struct RecordReader<'s, const N: usize> {
    records: std::slice::Iter<'s, [u64; N]>,
    parts: Option<RecordParts<N>>,
    next: Option<[u64; N]>,
}

impl<const N: usize> RecordReader<'_, N> {
    /// How many records were left out since this was asked the last time.
    pub(crate) fn left_out(&mut self) -> u64 {
        self.parts.as_mut().map_or(0, RecordParts::left_out)
    }

    #[inline]
    pub(crate) fn next(&mut self) -> io::Result<Option<[u64; N]>> {
        if let Some(next) = self.next.take() {
            return Ok(Some(next));
        }
        match &mut self.parts {
            Some(parts) => parts.next(),
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

    #[test]
    fn saved_records_are_read_by_others() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("records");
        for memory in [0, 1 << 20] {
            let mut sort = ExternalSort::new(memory, directory.path());
            (0..60_000).for_each(|at: u64| sort.push([at % 251, at]).unwrap());
            let sorted = sort.finish().unwrap();
            let mut file = TemporaryFile::create_named(&path).unwrap();
            sorted.write(&mut file).unwrap();
            for other in [0, 1 << 20] {
                let opened =
                    SortedRecords::<2>::open(TemporaryFile::open(&path).unwrap(), other).unwrap();
                assert_eq!((opened.len(), opened.is_spilled()), (60_000, other == 0));
                let [mut one, mut two] = [&sorted, &opened].map(|records| records.read().unwrap());
                for _ in 0..=60_000 {
                    assert_eq!(one.next().unwrap(), two.next().unwrap());
                }
            }
        }
    }

    #[test]
    fn records_that_are_alone_are_left_out() {
        let mut state = 7u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state >> 33
        };
        // About every second first number is of one record.
        let records: Vec<[u64; 2]> = (0..60_000).map(|at| [random() % 40_000, at]).collect();
        let mut wanted = records.clone();
        wanted.sort_unstable();
        let groups = |records: &[[u64; 2]]| -> Vec<[u64; 2]> {
            let groups = records.chunk_by(|one, other| one[0] == other[0]);
            groups.filter(|group| group.len() > 1).flatten().copied().collect()
        };
        for memory in [0, 200_000, 1 << 20] {
            let mut sort = ExternalSort::new(memory, &std::env::temp_dir());
            records.chunks(700).try_for_each(|records| sort.extend(records)).unwrap();
            let sorted = sort.finish().unwrap();
            let (mut reader, mut found) = (sorted.read_groups().unwrap(), Vec::new());
            while let Some(record) = reader.next().unwrap() {
                found.push(record);
            }
            assert!(groups(&found) == groups(&wanted), "{memory}");
            assert_eq!(found.len() as u64 + reader.left_out(), 60_000, "{memory}");
            // In memory all are there.
            assert_eq!(found.len() < 55_000, memory < 1 << 20, "{}", found.len());
        }
    }
}
