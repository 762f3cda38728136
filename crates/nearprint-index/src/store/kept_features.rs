//! What verification compares, kept beside the documents: matches of fingerprints become matches of texts without
//! reading any document again.
//!
//! | tag | part of a value of [`parts`](crate::store::parts) |
//! |---|---|
//! | 16 | words of the text: 8 bytes, little-endian |
//! | 17 | 48 bytes of digests of the text, then the features, packed |
//!
//! Records do not have them, so that whoever reads records does not read features.

use nearprint::search::Measure;
use nearprint::{PackedFeatures, Verification};
use redb::{ReadOnlyTable, ReadTransaction, ReadableTable, ReadableTableMetadata};

use crate::IndexError;
use crate::store::FEATURES;
use crate::store::parts::{Parts, PreparedValue};
use crate::store::source::Source;

const WORDS: u8 = 16;
const PACKED: u8 = 17;

/// What verification compares of a document, as an index keeps it: some 7 bytes for each distinct phrase of three
/// words, and 44.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptFeatures {
    /// Words of its text.
    pub words: u64,
    /// The features of its text, as [`DiskIndex::wanted`](crate::DiskIndex::wanted) has them made.
    pub features: PackedFeatures,
}

/// The verification whose features are kept: those that Jaccard similarity and containment compare.
pub(crate) fn features_verification() -> Verification {
    Verification::new(Measure::Jaccard)
}

impl KeptFeatures {
    /// Bytes of memory and of disk, about.
    pub(crate) fn bytes(&self) -> usize {
        self.features.stored_bytes() + 12
    }

    /// The features as a value of the store.
    pub(crate) fn prepare(&self) -> PreparedValue {
        let mut value = PreparedValue::new();
        value.put(WORDS, &self.words.to_le_bytes());
        value.put(PACKED, &self.features.to_bytes());
        value
    }

    /// From the parts of a value of the store.
    pub(crate) fn of_parts(parts: Parts<'_>) -> Option<Self> {
        let [words, features] = parts.tagged([WORDS, PACKED])?;
        let words = u64::from_le_bytes(words?.try_into().ok()?);
        Some(Self { words, features: PackedFeatures::from_bytes(features?)? })
    }
}

/// The features of the document of a sequence number, which every document of an index that keeps them has.
pub(crate) fn features_of(
    source: &Source,
    table: &impl ReadableTable<u64, &'static [u8]>,
    sequence: u64,
) -> Result<KeptFeatures, IndexError> {
    let store = &source.store;
    let value = store.tried(table.get(sequence))?;
    let parts = value.as_ref().and_then(|value| Parts::of(sequence, value.value()));
    let kept = parts.and_then(KeptFeatures::of_parts);
    kept.ok_or_else(|| {
        store.damaged(format!("the features of document number {sequence} are damaged"))
    })
}

/// The features of an index in one state of its store.
pub(crate) struct FeatureTable<'s> {
    source: &'s Source,
    table: ReadOnlyTable<u64, &'static [u8]>,
}

impl<'s> FeatureTable<'s> {
    /// `None` where the index keeps none.
    pub(crate) fn open(
        source: &'s Source,
        at: &ReadTransaction,
    ) -> Result<Option<Self>, IndexError> {
        if !source.keeps_features {
            return Ok(None);
        }
        let table = source.store.tried(at.open_table(FEATURES))?;
        Ok(Some(Self { source, table }))
    }

    /// The features of the document of a sequence number, which every document has.
    pub(crate) fn get(&self, sequence: u64) -> Result<KeptFeatures, IndexError> {
        features_of(self.source, &self.table, sequence)
    }

    pub(crate) fn len(&self) -> Result<u64, IndexError> {
        self.source.store.tried(self.table.len())
    }
}
