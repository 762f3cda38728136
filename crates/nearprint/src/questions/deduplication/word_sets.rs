//! Texts whose words are the same and whose numbers are not: they share a print, so candidates are pairs of word sets.

use std::io;

use hashbrown::HashTable;

use crate::store::feature_store::digest;
use crate::{FeatureStore, PackedFeatures};

/// The distinct sets of word 3-shingles of texts, numbered in the order they were met. Takes 4 bytes a text, and 17 for
/// each set.
#[derive(Debug, Default)]
pub(super) struct WordSets {
    /// The set of each text.
    of_texts: Vec<u32>,
    /// Of each set its first text, and a number that equal sets have in common.
    firsts: Vec<u32>,
    digests: Vec<u64>,
    by_digest: HashTable<u32>,
}

impl WordSets {
    /// Number of sets.
    pub(super) fn len(&self) -> usize {
        self.firsts.len()
    }

    /// The set of a text.
    pub(super) fn of(&self, text: u32) -> u32 {
        self.of_texts[text as usize]
    }

    /// Adds the text of these features, which are now the last of the store; says whether its set is new.
    pub(super) fn push(
        &mut self,
        features: &PackedFeatures,
        store: &FeatureStore,
    ) -> io::Result<bool> {
        let digest = digest(features.words());
        let Self { of_texts, firsts, digests, by_digest } = self;
        // Equal digests are a hint; the shingles decide. The file may fail while they are compared.
        let mut failed = None;
        let is_same = |&set: &u32| {
            digests[set as usize] == digest
                && store.holds_words(firsts[set as usize] as usize, features).unwrap_or_else(
                    |error| {
                        failed = Some(error);
                        false
                    },
                )
        };
        let found = by_digest.find(digest, is_same).copied();
        if let Some(error) = failed {
            return Err(error);
        }
        // There are fewer texts than 2^32.
        let (text, new) = (of_texts.len() as u32, firsts.len() as u32);
        of_texts.push(found.unwrap_or(new));
        if found.is_none() {
            firsts.push(text);
            digests.push(digest);
            by_digest.insert_unique(digest, new, |&set| digests[set as usize]);
        }
        Ok(found.is_none())
    }

    /// Bytes of memory.
    pub(super) fn memory(&self) -> usize {
        (self.of_texts.capacity() + self.firsts.capacity()) * size_of::<u32>()
            + self.digests.capacity() * size_of::<u64>()
            + self.by_digest.allocation_size()
    }
}
