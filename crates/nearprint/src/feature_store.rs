//! The features of many documents, in memory up to a bound and beyond it in a temporary file.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;

use nearprint_search::WeightedFeature;

use crate::positioned::read_exact_at;

/// Octets of a feature in the file: hash and weight, little-endian; of sets the hash alone.
const WEIGHTED: usize = 12;
const UNWEIGHTED: usize = 8;

/// Features by document, in the order they were added. The file has no name and is gone when the store is.
///
/// ```
/// use nearprint::FeatureStore;
///
/// let mut store = FeatureStore::new(16); // octets: room for nothing much
/// store.push(&[(7, 1), (9, 2)])?;
/// store.push(&[(8, 1)])?;
/// assert_eq!(store.get(0)?[..], [(7, 1), (9, 2)]);
/// assert_eq!(store.get(1)?[..], [(8, 1)]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct FeatureStore {
    memory: u64,
    held: Vec<WeightedFeature>,
    /// Where each document's features end, counted in features from the start of memory or file.
    ends: Vec<u64>,
    /// Features of the documents that are in memory: those before are none, those behind are in the file.
    documents_held: usize,
    file: Option<File>,
    /// Where that is made; the system's place where not said.
    directory: Option<PathBuf>,
    /// Octets of a feature there.
    width: usize,
}

impl FeatureStore {
    /// An empty store that keeps up to `memory` octets of features in memory, 16 for each.
    #[must_use]
    pub fn new(memory: u64) -> Self {
        Self {
            memory,
            held: Vec::new(),
            ends: Vec::new(),
            documents_held: 0,
            file: None,
            directory: None,
            width: WEIGHTED,
        }
    }

    /// Has the temporary file in this directory.
    #[must_use]
    pub fn in_directory(mut self, directory: PathBuf) -> Self {
        self.directory = Some(directory);
        self
    }

    /// Holds sets: all weights are 1, and a feature takes 8 octets in the file instead of 12.
    #[must_use]
    pub fn of_sets(mut self) -> Self {
        self.width = UNWEIGHTED;
        self
    }

    /// Octets in the temporary file.
    #[must_use]
    pub fn temporary_octets(&self) -> u64 {
        let features = self.ends.last().copied().unwrap_or(0) - self.held.len() as u64;
        features * self.width as u64
    }

    /// Adds a document's features.
    ///
    /// # Errors
    /// Where the temporary file cannot be made or written: no room, most of the time.
    pub fn push(&mut self, features: &[WeightedFeature]) -> io::Result<()> {
        let end = self.ends.last().copied().unwrap_or(0) + features.len() as u64;
        let fits = end.saturating_mul(size_of::<WeightedFeature>() as u64) <= self.memory;
        if self.file.is_none() && fits {
            self.held.extend_from_slice(features);
            self.documents_held += 1;
        } else {
            let mut octets = Vec::with_capacity(features.len() * self.width);
            for (hash, weight) in features {
                octets.extend_from_slice(&hash.to_le_bytes());
                if self.width == WEIGHTED {
                    octets.extend_from_slice(&weight.to_le_bytes());
                }
            }
            let file = match &mut self.file {
                Some(file) => file,
                none => none.insert(match &self.directory {
                    Some(directory) => tempfile::tempfile_in(directory)?,
                    None => tempfile::tempfile()?,
                }),
            };
            file.write_all(&octets)?;
        }
        self.ends.push(end);
        Ok(())
    }

    /// Number of documents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The features of the document at a position.
    ///
    /// # Errors
    /// Where the temporary file cannot be read.
    ///
    /// # Panics
    /// Where `position` is not below [`len`](Self::len).
    pub fn get(&self, position: usize) -> io::Result<Cow<'_, [WeightedFeature]>> {
        let start = if position == 0 { 0 } else { self.ends[position - 1] };
        let end = self.ends[position];
        let Some(file) = self.file.as_ref().filter(|_| position >= self.documents_held) else {
            // In memory: positions are those of a vector.
            return Ok(Cow::Borrowed(&self.held[start as usize..end as usize]));
        };
        let mut octets = vec![0; (end - start) as usize * self.width];
        let at = (start - self.held.len() as u64) * self.width as u64;
        read_exact_at(file, &mut octets, at)?;
        let feature = |octets: &[u8]| {
            let (hash, weight) = octets.split_first_chunk::<8>()?;
            let weight = weight.first_chunk().map_or(1, |weight| u32::from_le_bytes(*weight));
            Some((u64::from_le_bytes(*hash), weight))
        };
        Ok(Cow::Owned(octets.chunks_exact(self.width).filter_map(feature).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_and_file_give_back_what_came_in() {
        let documents: Vec<Vec<WeightedFeature>> = (0..100u64)
            .map(|n| (0..n % 7).map(|m| ((n * m) << 40, m as u32 + 1)).collect())
            .collect();
        for memory in [0, 16, 800, 1 << 20] {
            let mut store = FeatureStore::new(memory);
            documents.iter().for_each(|document| store.push(document).unwrap());
            assert_eq!(store.len(), 100);
            assert_eq!(store.file.is_some(), memory < 1 << 20);
            assert!(store.held.len() as u64 * 16 <= memory);
            for (position, document) in documents.iter().enumerate() {
                assert_eq!(&store.get(position).unwrap()[..], document, "{memory}: {position}");
            }
        }
    }

    #[test]
    fn sets_take_less_and_come_back_too() {
        let mut store = FeatureStore::new(32).of_sets();
        let documents: [&[WeightedFeature]; 4] =
            [&[(1, 1), (2, 1)], &[], &[(u64::MAX, 1)], &[(7, 1), (9, 1)]];
        documents.iter().for_each(|document| store.push(document).unwrap());
        assert_eq!(store.temporary_octets(), 3 * 8);
        for (position, document) in documents.iter().enumerate() {
            assert_eq!(&store.get(position).unwrap()[..], *document);
        }
    }
}
