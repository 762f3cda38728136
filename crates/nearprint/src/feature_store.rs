//! The features of many documents, in memory up to a bound and beyond it in a temporary file.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;

use nearprint_search::WeightedFeature;

use crate::positioned::read_exact_at;

/// Octets of a feature in the file: hash and weight, little-endian.
const OCTETS: usize = 12;

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
        }
    }

    /// Has the temporary file in this directory.
    #[must_use]
    pub fn in_directory(mut self, directory: PathBuf) -> Self {
        self.directory = Some(directory);
        self
    }

    /// Octets in the temporary file.
    #[must_use]
    pub fn temporary_octets(&self) -> u64 {
        let features = self.ends.last().copied().unwrap_or(0) - self.held.len() as u64;
        features * OCTETS as u64
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
            let mut octets = Vec::with_capacity(features.len() * OCTETS);
            for (hash, weight) in features {
                octets.extend_from_slice(&hash.to_le_bytes());
                octets.extend_from_slice(&weight.to_le_bytes());
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
        let mut octets = vec![0; (end - start) as usize * OCTETS];
        read_exact_at(file, &mut octets, (start - self.held.len() as u64) * OCTETS as u64)?;
        let (features, _) = octets.as_chunks::<OCTETS>();
        let feature = |octets: &[u8; OCTETS]| {
            let [a, b, c, d, e, f, g, h, weight @ ..] = *octets;
            (u64::from_le_bytes([a, b, c, d, e, f, g, h]), u32::from_le_bytes(weight))
        };
        Ok(Cow::Owned(features.iter().map(feature).collect()))
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
}
