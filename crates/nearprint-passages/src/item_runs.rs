//! Runs of items, looked up by their hashes: most that are asked for are of no item, which a filter tells.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Bits of the filter for each run of an item.
const FILTER_BITS: usize = 16;

/// A run of an item that is looked up by its hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ItemRun {
    pub(crate) hash: u64,
    pub(crate) item: u32,
    pub(crate) start: u32,
}

/// Runs that are looked up, and the filter before them.
#[derive(Debug, Default)]
pub(crate) struct ItemRuns {
    /// By their hashes, and then by items.
    runs: Vec<ItemRun>,
    /// Where the runs of a hash begin.
    starts: HashMap<u64, usize, BuildHasherDefault<HashAsIs>>,
    /// A bit of each hash.
    filter: Vec<u64>,
}

/// Hashes numbers that are hashes.
#[derive(Debug, Default)]
pub(crate) struct HashAsIs(u64);

impl Hasher for HashAsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0.rotate_left(8) ^ u64::from(byte));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

impl ItemRuns {
    /// Makes runs ready to be looked up. O(n log n) time.
    pub(crate) fn new(mut runs: Vec<ItemRun>) -> Self {
        runs.sort_unstable();
        let words = (runs.len() * FILTER_BITS / 64).next_power_of_two();
        let mut made = Self { runs, starts: HashMap::default(), filter: vec![0; words] };
        for (at, run) in made.runs.iter().enumerate() {
            let (word, bit) = filter_bit(run.hash, words);
            made.filter[word] |= bit;
            made.starts.entry(run.hash).or_insert(at);
        }
        made
    }

    /// The runs that have a hash, by items.
    pub(crate) fn with_hash(&self, hash: u64) -> &[ItemRun] {
        if self.filter.is_empty() {
            return &[];
        }
        let (word, bit) = filter_bit(hash, self.filter.len());
        if self.filter[word] & bit == 0 {
            return &[];
        }
        let Some(&first) = self.starts.get(&hash) else { return &[] };
        let runs = &self.runs[first..];
        &runs[..runs.partition_point(|run| run.hash == hash)]
    }

    /// Equal runs.
    pub(crate) fn groups(&self) -> impl Iterator<Item = &[ItemRun]> {
        self.runs.chunk_by(|one, next| one.hash == next.hash)
    }

    /// In how many items each run is, by its hash.
    pub(crate) fn counts(&self) -> HashMap<u64, u32, BuildHasherDefault<HashAsIs>> {
        self.groups().map(|group| (group[0].hash, items_of(group))).collect()
    }
}

/// The number of items of equal runs.
pub(crate) fn items_of(runs: &[ItemRun]) -> u32 {
    let items = runs.chunk_by(|one, next| one.item == next.item).count();
    u32::try_from(items).unwrap_or(u32::MAX)
}

fn filter_bit(hash: u64, words: usize) -> (usize, u64) {
    ((hash >> 32) as usize & (words - 1), 1 << (hash & 63))
}
