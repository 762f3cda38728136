//! In how many documents of a collection each feature occurs: exactly, in bounded memory.
//!
//! Hashes of features are gathered; whenever they fill the memory they are sorted, counted and written as a run to a
//! temporary file. Merging the runs gives every feature once, ascending, with its whole count. So nothing is pruned
//! while counting, and the table that comes out depends on the documents alone: not on their order, nor on threads or
//! memory.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::io;
use std::path::PathBuf;

use nearprint_fingerprint::{CustomScheme, IdfTable};

use crate::Error;
use crate::store::temporary_file::TemporaryFile;

/// Bytes of an entry of a run: a hash and a count.
const ENTRY: usize = 12;

/// Entries of a run that are read at once, at least.
const LEAST_READ: usize = 256;

/// Entries of a run that are read or written at once, at most.
const MOST_READ: usize = 8192;

/// Counts features by documents, for a table of inverse document frequencies (SPEC [13.9]).
///
/// Memory: as allowed, and 3 KiB more for each time it was filled. Disk: 12 bytes for each feature of each filling.
///
/// ```
/// use nearprint::fingerprint::{CustomScheme, Scheme, feature_hashes};
/// use nearprint::DocumentFrequencies;
///
/// let words: CustomScheme = "custom:words,log,lookup3,64".parse()?;
/// let scheme = Scheme::custom(words)?;
/// let mut counting = DocumentFrequencies::new(words, 64 << 20, std::env::temp_dir());
/// for text in ["Fog came in.", "Fog and rain.", "Rain fell."] {
///     counting.push(&feature_hashes(scheme, text).unwrap_or_default())?;
/// }
/// let table = counting.finish(2, 1 << 20)?;
/// assert_eq!((table.documents(), table.len()), (3, 2)); // "fog" and "rain"
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DocumentFrequencies {
    scheme: CustomScheme,
    directory: PathBuf,
    memory: u64,
    documents: u64,
    /// Hashes not yet counted.
    pending: Vec<u64>,
    /// What is counted, where it was more than the memory holds.
    file: Option<TemporaryFile>,
    /// Entries of each run; the runs lie one behind the other.
    runs: Vec<u64>,
}

impl DocumentFrequencies {
    /// Nothing counted yet, of features of `scheme`; uses up to so many bytes of memory, and a temporary file without a
    /// name in `directory` beyond that.
    #[must_use]
    pub fn new(scheme: CustomScheme, memory: u64, directory: PathBuf) -> Self {
        let (pending, runs) = (Vec::new(), Vec::new());
        Self { scheme, directory, memory, documents: 0, pending, file: None, runs }
    }

    /// Adds a document by the hashes of its features, each once
    /// ([`feature_hashes`](nearprint_fingerprint::feature_hashes)). One without features does not count.
    ///
    /// # Errors
    /// Where the temporary file cannot be made or written.
    pub fn push(&mut self, features: &[u64]) -> Result<(), Error> {
        if features.is_empty() {
            return Ok(());
        }
        self.documents += 1;
        for &feature in features {
            // Half of the memory is for these, half for reading the runs and for the table.
            if self.pending.len() as u64 >= (self.memory / 16).max(1 << 10) {
                self.write_run()?;
            }
            self.pending.push(feature);
        }
        Ok(())
    }

    /// The documents with features so far.
    #[must_use]
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// The table of all features that are in `least` documents or more; where these are more than `most`, of those that
    /// are in so many more documents that they are not. What it left out can be read off [`IdfTable::least`].
    ///
    /// # Errors
    /// Where no document has a feature, there are more documents than a table counts, or the temporary file cannot be
    /// read.
    pub fn finish(mut self, least: u32, most: u64) -> Result<IdfTable, Error> {
        if self.documents == 0 {
            return Err(Error::NothingCounted);
        }
        if !self.runs.is_empty() {
            self.write_run()?;
        }
        self.pending.sort_unstable();
        // How many features are in so many documents: a rule without ties.
        let mut by_count = BTreeMap::<u32, u64>::new();
        self.each(|_, count| *by_count.entry(count).or_default() += 1)?;
        let (mut kept, mut least) = (0, least.max(1));
        for (&count, &features) in by_count.range(least..).rev() {
            kept += features;
            if kept > most {
                least = count.saturating_add(1);
                break;
            }
        }
        let mut entries = Vec::new();
        self.each(|feature, count| {
            if count >= least {
                entries.push((feature, count));
            }
        })?;
        let documents = self.documents.try_into().unwrap_or(u32::MAX);
        IdfTable::new(self.scheme, documents, least, entries).map_err(Error::IdfTable)
    }

    fn write_run(&mut self) -> Result<(), Error> {
        self.pending.sort_unstable();
        let file = match &self.file {
            Some(file) => file,
            None => {
                let made = TemporaryFile::create("counts of features", &self.directory)
                    .map_err(Error::TemporaryFile)?;
                self.file.insert(made)
            }
        };
        let mut at = self.runs.iter().sum::<u64>() * ENTRY as u64;
        let mut entries = 0;
        let mut bytes = Vec::with_capacity(ENTRY * MOST_READ);
        for same in self.pending.chunk_by(|a, b| a == b) {
            bytes.extend(same[0].to_le_bytes());
            bytes.extend((same.len() as u32).to_le_bytes());
            entries += 1;
            if bytes.len() >= ENTRY * MOST_READ {
                file.write_all_at(&bytes, at).map_err(Error::TemporaryFile)?;
                at += bytes.len() as u64;
                bytes.clear();
            }
        }
        file.write_all_at(&bytes, at).map_err(Error::TemporaryFile)?;
        self.runs.push(entries);
        self.pending.clear();
        Ok(())
    }

    /// Every feature with its count, ascending. What is pending is sorted, and nothing is where there are runs.
    fn each(&self, mut take: impl FnMut(u64, u32)) -> Result<(), Error> {
        let Some(file) = &self.file else {
            let same = self.pending.chunk_by(|a, b| a == b);
            same.for_each(|same| take(same[0], same.len() as u32));
            return Ok(());
        };
        let fitting = self.memory / 2 / ENTRY as u64 / self.runs.len() as u64;
        let at_once = (fitting as usize).clamp(LEAST_READ, MOST_READ);
        let mut at = 0;
        let mut readers = Vec::new();
        for &entries in &self.runs {
            readers.push(RunReader { file, at, left: entries, bytes: Vec::new(), next: 0 });
            at += entries * ENTRY as u64;
        }
        let mut heads = BinaryHeap::new();
        for (run, reader) in readers.iter_mut().enumerate() {
            if let Some((feature, count)) = reader.next(at_once).map_err(Error::TemporaryFile)? {
                heads.push(Reverse((feature, count, run)));
            }
        }
        let mut current: Option<(u64, u32)> = None;
        while let Some(Reverse((feature, count, run))) = heads.pop() {
            current = match current {
                Some((same, so_far)) if same == feature => {
                    Some((same, so_far.saturating_add(count)))
                }
                before => {
                    if let Some((feature, count)) = before {
                        take(feature, count);
                    }
                    Some((feature, count))
                }
            };
            if let Some((feature, count)) =
                readers[run].next(at_once).map_err(Error::TemporaryFile)?
            {
                heads.push(Reverse((feature, count, run)));
            }
        }
        if let Some((feature, count)) = current {
            take(feature, count);
        }
        Ok(())
    }
}

/// A run from front to back.
struct RunReader<'f> {
    file: &'f TemporaryFile,
    at: u64,
    /// Entries not read yet.
    left: u64,
    bytes: Vec<u8>,
    next: usize,
}

impl RunReader<'_> {
    fn next(&mut self, at_once: usize) -> io::Result<Option<(u64, u32)>> {
        if self.next == self.bytes.len() {
            let entries = self.left.min(at_once as u64);
            self.bytes.resize(entries as usize * ENTRY, 0);
            self.file.read_exact_at(&mut self.bytes, self.at)?;
            self.at += self.bytes.len() as u64;
            self.left -= entries;
            self.next = 0;
        }
        let Some(entry) = self.bytes[self.next..].first_chunk::<ENTRY>() else { return Ok(None) };
        self.next += ENTRY;
        let feature = u64::from_le_bytes(std::array::from_fn(|i| entry[i]));
        let count = u32::from_le_bytes(std::array::from_fn(|i| entry[8 + i]));
        Ok(Some((feature, count)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Documents whose features have counts of every kind.
    fn documents() -> Vec<Vec<u64>> {
        let mut state = 5u64;
        let mut random = |bound: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % bound
        };
        let document = |random: &mut dyn FnMut(u64) -> u64| {
            let mut features: Vec<u64> = (0..random(90))
                .map(|_| {
                    let bound = 1 + random(3000);
                    random(bound).wrapping_mul(0x9e37_79b9_7f4a_7c15)
                })
                .collect();
            features.sort_unstable();
            features.dedup();
            features
        };
        (0..700).map(|_| document(&mut random)).collect()
    }

    fn table(documents: &[Vec<u64>], memory: u64, least: u32, most: u64) -> IdfTable {
        let scheme = "custom:words,log,lookup3,64".parse().unwrap();
        let mut counting = DocumentFrequencies::new(scheme, memory, std::env::temp_dir());
        documents.iter().for_each(|features| counting.push(features).unwrap());
        // The small ones do go to the disk.
        assert_eq!(counting.runs.is_empty(), memory > 1 << 20, "{}", counting.runs.len());
        counting.finish(least, most).unwrap()
    }

    #[test]
    fn memory_and_order_change_nothing_and_counts_are_those_of_the_documents() {
        let mut documents = documents();
        let mut counts = BTreeMap::<u64, u32>::new();
        documents.iter().flatten().for_each(|&feature| *counts.entry(feature).or_default() += 1);
        let with_features = documents.iter().filter(|features| !features.is_empty()).count() as u32;
        for (least, most) in [(1, u64::MAX), (2, u64::MAX), (2, 1000), (1, 100), (30, 0)] {
            let found = table(&documents, 64 << 20, least, most);
            // The least bound of least or more that leaves no more than the most.
            let kept = |bound: u32| counts.values().filter(|&&count| count >= bound).count() as u64;
            let bound = (least..).find(|&bound| kept(bound) <= most).unwrap();
            let entries = counts.iter().map(|(&feature, &count)| (feature, count));
            let entries = entries.filter(|&(_, count)| count >= bound).collect();
            let scheme = "custom:words,log,lookup3,64".parse().unwrap();
            let wanted = IdfTable::new(scheme, with_features, bound, entries).unwrap();
            assert_eq!(found, wanted, "{least}, {most}");
            for memory in [0, 100_000] {
                assert_eq!(table(&documents, memory, least, most), found);
            }
            documents.reverse();
            assert_eq!(table(&documents, 0, least, most), found);
        }
    }

    #[test]
    fn a_collection_without_features_has_no_table() {
        let scheme = "custom:words,log,lookup3,64".parse().unwrap();
        let mut counting = DocumentFrequencies::new(scheme, 0, std::env::temp_dir());
        counting.push(&[]).unwrap();
        assert!(matches!(counting.finish(1, 9), Err(Error::NothingCounted)));
    }
}
