//! The features of many documents, in memory up to a bound and beyond it in a temporary file.

use std::io;
use std::path::PathBuf;

use twox_hash::XxHash3_64;

use crate::store::byte_store::ByteStore;
use crate::text::packed_features::{split_stored, unpack_text, words};
use crate::{DuplicateRule, PackedFeatures, RelatedTexts, Sameness, TextFeatures};

/// Bytes that say for a document where its features end and what they come to.
const PLACES: u64 = 16;

/// Features by document, in the order they were added. The file has no name and is gone when the store is.
///
/// A document's features are kept as the digests of its text and the differences of their hashes, in groups of 7 bits:
/// some 5 bytes for each feature that [`Verification::features`](crate::Verification::features) gives, and for each
/// document 16 and the digests.
///
/// ```
/// use nearprint::FeatureStore;
///
/// let mut store = FeatureStore::new(16); // bytes: room for nothing much
/// store.push(&vec![(7, 1), (9, 2)].into())?;
/// store.push(&vec![(8, 1)].into())?;
/// assert_eq!(store.get(0)?.words, [(7, 1), (9, 2)]);
/// assert_eq!(store.get(1)?.words, [(8, 1)]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct FeatureStore {
    bytes: ByteStore,
    /// Of each document a number that all of equal features have in common.
    digests: Vec<u64>,
}

/// A number that equal features have in common.
pub(crate) fn digest(packed: &[u8]) -> u64 {
    XxHash3_64::oneshot(packed)
}

impl FeatureStore {
    /// An empty store that takes up to `memory` bytes of memory, and beyond that a file among the system's temporary
    /// ones.
    #[must_use]
    pub fn new(memory: u64) -> Self {
        let bytes = ByteStore::new("features of documents", memory, PLACES, std::env::temp_dir());
        Self { bytes, digests: Vec::new() }
    }

    /// Has the temporary file in this directory.
    #[must_use]
    pub fn in_directory(self, directory: PathBuf) -> Self {
        Self { bytes: self.bytes.in_directory(directory), ..self }
    }

    /// Bytes in the temporary file, written or about to be.
    #[must_use]
    pub fn temporary_bytes(&self) -> u64 {
        self.bytes.beyond_memory()
    }

    /// Adds a document's features, each list in ascending order of hashes without repetition, as
    /// [`Verification::features`](crate::Verification::features) gives them.
    ///
    /// # Errors
    /// Where the temporary file cannot be made or written: no room, most of the time.
    pub fn push(&mut self, features: &TextFeatures) -> io::Result<()> {
        self.push_packed(&features.into())
    }

    /// Adds a document's features that are packed already.
    ///
    /// # Errors
    /// As for [`push`](Self::push).
    pub fn push_packed(&mut self, features: &PackedFeatures) -> io::Result<()> {
        self.push_digested(features, digest(features.bytes()))
    }

    /// Adds features with their [`digest`].
    pub(crate) fn push_digested(
        &mut self,
        features: &PackedFeatures,
        digest: u64,
    ) -> io::Result<()> {
        self.bytes.push(&features.to_bytes())?;
        self.digests.push(digest);
        Ok(())
    }

    /// Whether the document at a position has the words of these features.
    pub(crate) fn holds_words(
        &self,
        position: usize,
        features: &PackedFeatures,
    ) -> io::Result<bool> {
        Ok(words(split_stored(&self.bytes.get(position)?).1) == features.words())
    }

    /// Whether the document at a position has these features, its words in the same order, and where that is demanded
    /// is identical.
    pub(crate) fn holds(
        &self,
        position: usize,
        features: &PackedFeatures,
        sameness: Sameness,
    ) -> io::Result<bool> {
        let stored = self.bytes.get(position)?;
        let (digests, bytes) = split_stored(&stored);
        Ok(bytes == features.bytes() && digests.sameness(&features.digests()) <= sameness)
    }

    /// Bytes of memory beside those of the features.
    pub(crate) fn places(&self) -> u64 {
        self.len() as u64 * PLACES
    }

    /// Bytes of the features, and those beside them, which the bound on memory is for too.
    pub(crate) fn bytes_and_places(&self) -> (u64, u64) {
        (self.bytes(), self.places())
    }

    /// Number of documents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes that the features take, in memory or on disk.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes.end()
    }

    /// The features of the document at a position.
    ///
    /// # Errors
    /// Where the temporary file cannot be read.
    ///
    /// # Panics
    /// Where `position` is not below [`len`](Self::len).
    pub fn get(&self, position: usize) -> io::Result<TextFeatures> {
        let mut features = TextFeatures::default();
        self.read(position, &mut features)?;
        Ok(features)
    }

    /// The features of the document at a position, into vectors that are used again.
    ///
    /// # Errors
    /// Where the temporary file cannot be read.
    ///
    /// # Panics
    /// Where `position` is not below [`len`](Self::len).
    pub fn read(&self, position: usize, features: &mut TextFeatures) -> io::Result<()> {
        let stored = self.bytes.get(position)?;
        let (digests, bytes) = split_stored(&stored);
        features.digests = digests;
        unpack_text(bytes, features);
        Ok(())
    }

    /// The features of the document at a position as they are stored.
    pub(crate) fn packed(&self, position: usize) -> io::Result<PackedFeatures> {
        let stored = self.bytes.get(position)?;
        let (digests, bytes) = split_stored(&stored);
        Ok(PackedFeatures::new(digests, bytes))
    }

    /// A number that documents of equal features have in common.
    pub(crate) fn digest(&self, position: usize) -> u64 {
        self.digests[position]
    }

    /// What two documents are to one another by a rule.
    pub(crate) fn related(
        &self,
        rule: &DuplicateRule,
        a: u32,
        b: u32,
        read: &mut LastFeatures,
    ) -> io::Result<RelatedTexts> {
        let [a, b] = self.read_both(a, b, read)?;
        Ok(rule.related(a, b))
    }

    /// The features of two documents.
    pub(crate) fn read_both<'r>(
        &self,
        a: u32,
        b: u32,
        read: &'r mut LastFeatures,
    ) -> io::Result<[&'r TextFeatures; 2]> {
        if read.first != Some(a) {
            read.first = None;
            self.read(a as usize, &mut read.a)?;
            read.first = Some(a);
        }
        self.read(b as usize, &mut read.b)?;
        Ok([&read.a, &read.b])
    }

    /// Whether two documents have the same features and digests.
    pub(crate) fn are_equal(&self, a: usize, b: usize) -> io::Result<bool> {
        Ok(self.bytes.get(a)? == self.bytes.get(b)?)
    }
}

/// What was read last: candidates come in order, so the first document is often the one of the candidate before.
#[derive(Debug, Default)]
pub(crate) struct LastFeatures {
    first: Option<u32>,
    a: TextFeatures,
    b: TextFeatures,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_and_file_give_back_what_came_in() {
        let list = |n: u64, most: u64| -> Vec<_> {
            (0..n % most).map(|m| (((n + 1) * m) << 40, (m * n) as u32 + 1)).collect()
        };
        let mut documents: Vec<TextFeatures> = (0..100u64)
            .map(|n| TextFeatures { numbers: list(n, 3), ..list(n, 7).into() })
            .collect();
        documents.push(vec![(0, 1), (1, 1), (127, 1), (128, 1), (u64::MAX, 1)].into());
        documents.push(vec![(5, 0), (u64::MAX - 1, u32::MAX)].into());
        for memory in [0, 16, 800, 1 << 20] {
            let mut store = FeatureStore::new(memory);
            documents.iter().for_each(|document| store.push(document).unwrap());
            assert_eq!(store.len(), documents.len());
            for (position, document) in documents.iter().enumerate() {
                assert_eq!(&store.get(position).unwrap(), document, "{memory}: {position}");
            }
        }
    }
}
