//! What verification compares, kept beside the documents: matches of fingerprints become matches of texts without
//! reading any document again.
//!
//! | tag | part of a value of [`parts`](crate::parts) |
//! |---|---|
//! | 16 | words of the text: 8 bytes, little-endian |
//! | 17 | 48 bytes of digests of the text, then the features, packed |
//!
//! Records do not have them, so that whoever reads records does not read features.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use nearprint::fingerprint::Family;
use nearprint::search::{Bands, Measure};
use nearprint::{
    Candidates, Dedup, Filter, IndexMatch, PackedFeatures, RefusedPairs, SimilarTexts, TextRequest,
    Verification, VerifiedQuery,
};
use redb::{ReadOnlyTable, ReadTransaction, ReadableTable, ReadableTableMetadata};

use crate::IndexError;
use crate::cancellation::check;
use crate::disk_index::DiskIndex;
use crate::layout::{BAND_ROWS, BANDS};
use crate::parts::{Parts, PreparedValue};
use crate::record::{RecordView, damaged};
use crate::source::Source;
use crate::store::{DOCUMENTS, FEATURES};
use crate::table_print::Reach;
use crate::tables::Candidate;

const WORDS: u8 = 16;
const PACKED: u8 = 17;

/// What verification compares of a document, as an index keeps it: some 7 bytes for each distinct phrase of three
/// words, and 44.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptFeatures {
    /// Words of its text.
    pub words: u64,
    /// The features of its text, as [`DiskIndex::wanted`] has them made.
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

/// The share of what lies just within a distance that bands must propose where none are chosen.
const PROPOSED: f64 = 0.99;

/// Candidates in succession, nearest first, whose texts are refused before the rest is taken to be as little alike:
/// what many documents have in common by a template. Candidates whose estimate reaches the threshold are not counted.
const REFUSED: u32 = 100;

/// The bands by which sketches are proposed; `None` where all are compared.
fn proposing(candidates: &Candidates) -> Option<Bands> {
    if candidates.scheme().family() != Family::Sketch {
        return None;
    }
    let of_tables = Bands::new(BANDS as u32, BAND_ROWS as u32).expect("they fit into a sketch");
    let least = 1.0 - f64::from(candidates.distance()) / f64::from(candidates.scheme().positions());
    match candidates.used_bands() {
        Some(bands) => Some(bands).filter(|bands| bands.rows() as usize >= BAND_ROWS),
        None => Some(of_tables).filter(|bands| bands.chance(least) >= PROPOSED),
    }
}

impl DiskIndex {
    /// Whether the features of all documents are kept, so that matches can be verified.
    #[must_use]
    pub fn keeps_features(&self) -> bool {
        self.shared.source.keeps_features
    }

    /// The distance within which additions of new documents look for others, unless another is named: where features
    /// are kept, the distance within which `dedup` compares texts, else the default of the scheme.
    #[must_use]
    pub fn new_distance(&self) -> u32 {
        let scheme = self.shared.source.scheme;
        if self.keeps_features() {
            Dedup::default().scheme(scheme).candidates().distance()
        } else {
            scheme.default_distance()
        }
    }

    /// Whether the texts of documents are kept.
    #[must_use]
    pub fn keeps_texts(&self) -> bool {
        self.shared.source.keeps_texts
    }

    /// What to make of each text beside its fingerprint for this index.
    #[must_use]
    pub fn wanted(&self) -> TextRequest {
        let features = self.keeps_features().then(features_verification);
        let texts = self.keeps_texts();
        TextRequest { features, text: texts, main_content: texts, ..TextRequest::default() }
    }

    /// The candidates of a query, and of them those whose texts pass the verification, with their similarity: the
    /// most similar first, of equally similar ones the nearest, then in the order of addition. Those that a filter does
    /// not allow are left out.
    ///
    /// Candidates are those within the distance; of sketches, those that agree in one of the bands by which pairs are
    /// found, too. Where bands have a single row, or the candidates name none and few of 64x2 would miss more than a
    /// hundredth of what lies just within the distance, all sketches are compared. Of a value of a band that more than
    /// 10,000 documents of a segment have, the oldest 10,000 become candidates by that band. Where the sketch estimates
    /// the measure (md1 and Jaccard), texts of candidates whose estimate is below the threshold are compared nearest
    /// first, until 100 in succession are refused.
    ///
    /// Each candidate takes one read of the store and 16 bytes of memory.
    pub(crate) fn verified(
        &self,
        query: &VerifiedQuery,
        candidates: &Candidates,
        filter: &Filter,
        counted: &RefusedPairs,
    ) -> Result<Vec<(IndexMatch, SimilarTexts)>, IndexError> {
        let source = &self.shared.source;
        let Source { store, scheme, .. } = source;
        let reach = Reach { k: candidates.distance(), bands: proposing(candidates) };
        let verification = candidates.verification();
        // Where sketches estimate the similarity, the distance of what is as similar as is demanded.
        let expected = match candidates.share() {
            Some(_) => (f64::from(scheme.positions()) * (1.0 - verification.at_least())) as u32,
            None => scheme.positions(),
        };
        let (view, near) = self.shared.answered(|view| {
            // Taken first, so that the documents are those that tables name.
            let Some(_) = view.transaction()? else { return Ok(None) };
            self.shared.tables.candidates(view, query.fingerprint(), reach)
        })?;
        // Nearest first; of very many only the first are looked at.
        let mut near: BinaryHeap<Reverse<Candidate>> = near.into_iter().map(Reverse).collect();
        let at = view.into_transaction().expect("it was taken");
        let Some(table) = FeatureTable::open(source, &at)? else { return Ok(Vec::new()) };
        let documents = store.tried(at.open_table(DOCUMENTS))?;
        let mut passed = Vec::new();
        let mut refused = 0;
        while let Some(Reverse(Candidate { distance, sequence })) = near.pop() {
            if refused == REFUSED {
                break;
            }
            check()?;
            let features = table.get(sequence)?.features.unpack();
            let similar = counted.similar(&verification, query.features(), &features);
            let Some(similar) = similar else {
                refused += u32::from(distance > expected);
                continue;
            };
            refused = 0;
            let record = store.tried(documents.get(sequence))?;
            let view = record
                .as_ref()
                .and_then(|record| RecordView::of(*scheme, sequence, record.value()));
            let document = view.and_then(|view| view.document());
            let document = document.ok_or_else(|| store.damaged(damaged(sequence)))?;
            if filter.allows(document.metadata.as_deref()) {
                passed.push((IndexMatch { id: document.id, distance }, similar));
            }
        }
        // Stable: candidates come nearest first, then in the order of addition.
        passed.sort_by(|(_, one), (_, other)| other.similarity.total_cmp(&one.similarity));
        Ok(passed)
    }
}
