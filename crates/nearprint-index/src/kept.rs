//! What verification compares, kept beside the documents: matches of fingerprints become matches of texts without
//! reading any document again.
//!
//! | tag | part of a value of [`parts`](crate::parts) |
//! |---|---|
//! | 16 | words of the text: 8 bytes, little-endian |
//! | 17 | 32 bytes of digests of the text, then the features, packed |
//!
//! Records do not have them, so that whoever reads records does not read features.

use nearprint::fingerprint::UnlikeSchemes;
use nearprint::records::{FingerprintRecord, Outcome, Place};
use nearprint::search::Measure;
use nearprint::{
    Collection, Diff, Edition, Engine, Error, Gathered, Index, IndexMatch, PackedFeatures, Role,
    Verification, VerifiedQuery, Wanted,
};
use redb::{ReadOnlyTable, ReadTransaction, ReadableTableMetadata};

use crate::IndexError;
use crate::disk_index::DiskIndex;
use crate::filter::Filter;
use crate::large_parts::LargeParts;
use crate::parts::{Parts, PreparedValue};
use crate::record::StoredDocument;
use crate::source::Source;
use crate::store::FEATURES;

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

    fn decode(sequence: u64, bytes: &[u8]) -> Option<Self> {
        let [words, features] = Parts::of(sequence, bytes)?.tagged([WORDS, PACKED])?;
        let words = u64::from_le_bytes(words?.try_into().ok()?);
        Some(Self { words, features: PackedFeatures::from_bytes(features?)? })
    }
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
        let store = &self.source.store;
        let found = store.tried(self.table.get(sequence))?;
        let kept = found.and_then(|bytes| KeptFeatures::decode(sequence, bytes.value()));
        kept.ok_or_else(|| {
            store.damaged(format!("the features of document number {sequence} are damaged"))
        })
    }

    pub(crate) fn len(&self) -> Result<u64, IndexError> {
        self.source.store.tried(self.table.len())
    }
}

impl DiskIndex {
    /// Whether the features of all documents are kept, so that matches can be verified.
    #[must_use]
    pub fn keeps_features(&self) -> bool {
        self.shared.source.keeps_features
    }

    /// Whether the texts of documents are kept.
    #[must_use]
    pub fn keeps_texts(&self) -> bool {
        self.shared.source.keeps_texts
    }

    /// What to make of each text beside its fingerprint for this index.
    #[must_use]
    pub fn wanted(&self) -> Wanted {
        let features = self.keeps_features().then(features_verification);
        let texts = self.keeps_texts();
        Wanted { features, text: texts, main_content: texts, ..Wanted::default() }
    }

    /// Refuses a verification that compares other features than those that are kept.
    ///
    /// # Errors
    /// [`IndexError::WithoutFeatures`] and [`IndexError::OtherFeatures`].
    pub fn check_verification(&self, verification: Verification) -> Result<(), IndexError> {
        let path = || self.path().to_owned();
        let wanted = verification.features_name();
        match &self.header().features {
            None => Err(IndexError::WithoutFeatures { path: path() }),
            Some(found) if *found == wanted => Ok(()),
            Some(found) => {
                Err(IndexError::OtherFeatures { path: path(), found: found.clone(), wanted })
            }
        }
    }

    /// The documents whose fingerprints are within `k` of each query's, and of them those whose texts pass the
    /// verification, with their similarity: the most similar first, of equally similar ones the nearest, then by the
    /// bytes of the id. Those that a filter does not allow are left out.
    ///
    /// Beside the look-up of the fingerprints, each candidate takes one read of the store.
    ///
    /// # Errors
    /// As for [`query_batch`](Index::query_batch) and [`check_verification`](Self::check_verification).
    pub fn query_verified(
        &self,
        queries: &[VerifiedQuery],
        k: u32,
        verification: Verification,
        filter: &Filter,
    ) -> Result<Vec<Vec<(IndexMatch, f64)>>, Error> {
        self.check_verification(verification)?;
        let prints: Vec<_> = queries.iter().map(|query| query.fingerprint().clone()).collect();
        let near = self.query_batch(&prints, k)?;
        let verified = |(query, near): (&VerifiedQuery, Vec<IndexMatch>)| {
            let mut passed = Vec::new();
            for found in near {
                // Removed since it was found, it is no match any more.
                let Some(document) = self.read(&found.id, LargeParts::FEATURES)? else { continue };
                let features = document.features.as_ref().map(|kept| kept.features.unpack());
                let similarity = features
                    .and_then(|features| verification.verified(query.features(), &features));
                let allowed = filter.allows(document.metadata.as_deref());
                passed.extend(similarity.filter(|_| allowed).map(|similarity| (found, similarity)));
            }
            // They come nearest first, and by their ids.
            passed.sort_by(|a, b| b.1.total_cmp(&a.1));
            Ok(passed)
        };
        queries.iter().zip(near).map(verified).collect()
    }

    /// Adds all documents that a filter allows to a collection, or to the references of one, in the order of insertion,
    /// and returns how many there are. No document is read again: their fingerprints are, and where the collection is
    /// verified, their features.
    ///
    /// # Errors
    /// Where the schemes differ, the collection needs texts or features that are not kept, the index cannot be read, or
    /// a temporary file cannot be written.
    pub fn read_into(
        &self,
        collection: &mut Collection,
        role: Role,
        filter: &Filter,
    ) -> Result<u64, Error> {
        let settings = *collection.settings();
        if settings.texts || settings.measured.is_some() {
            let found = self.header().features.clone().unwrap_or_else(|| "none".to_owned());
            let (path, wanted) = (self.path().to_owned(), "whole texts".to_owned());
            return Err(IndexError::OtherFeatures { path, found, wanted }.into());
        }
        UnlikeSchemes::check(settings.scheme, self.scheme())?;
        let verification = settings.verification;
        verification.map(|verification| self.check_verification(verification)).transpose()?;
        let mut count = 0;
        let least = settings.least_words;
        let wanted = match verification {
            None if least == 0 => LargeParts::NONE,
            _ => LargeParts::FEATURES,
        };
        self.visit(wanted, |document| {
            let StoredDocument { id, fingerprint, features, metadata, .. } = document;
            // How many words a document has is kept with its features.
            let short = features.as_ref().map_or(0, |kept| kept.words) < least;
            if short || !filter.allows(metadata.as_deref()) {
                return Ok(());
            }
            let features = features.as_ref().map(|kept| &kept.features);
            let added = match role {
                Role::Reference => collection.push_reference(&id, &fingerprint, features)?,
                Role::Candidate => collection.push(&id, &fingerprint, features)?,
            };
            count += u64::from(added);
            Ok::<_, Error>(())
        })?;
        Ok(count)
    }

    /// Adds all documents to those of a deduplication, as references: what repeats one of them is dropped. Returns how
    /// many there are.
    ///
    /// # Errors
    /// As for [`read_into`](Self::read_into), and where candidates were added before.
    pub fn gather_into(&self, gathered: &mut Gathered) -> Result<u64, Error> {
        self.check_verification(features_verification())?;
        let mut count = 0;
        self.visit(LargeParts::FEATURES, |document| {
            let (record, features) = self.record(document);
            count += 1;
            gathered.push(&record, features.as_ref(), Role::Reference, None)
        })?;
        Ok(count)
    }

    /// All documents as an edition of a collection, known by their ids.
    ///
    /// # Errors
    /// As for [`read_into`](Self::read_into).
    pub fn edition(&self, difference: &Diff, engine: &Engine) -> Result<Edition, Error> {
        self.check_verification(features_verification())?;
        UnlikeSchemes::check(difference.scheme(), self.scheme())?;
        let mut edition = difference.edition(engine);
        self.visit(LargeParts::FEATURES, |document| {
            let (record, features) = self.record(document);
            edition.push(record, features)
        })?;
        Ok(edition)
    }

    /// A document as it was read when it was inserted, as far as the index knows.
    fn record(&self, document: StoredDocument) -> (FingerprintRecord, Option<PackedFeatures>) {
        let StoredDocument { id, fingerprint, features, .. } = document;
        let (words, features) = features.map(|kept| (kept.words, kept.features)).unzip();
        let tokens = words.unwrap_or(0);
        let record = FingerprintRecord {
            place: Place { file: id.as_str().into(), ..Place::default() },
            id,
            scheme: self.scheme(),
            outcome: Outcome::Print { fingerprint, tokens, short: false },
            extraction: None,
            digests: None,
            capture: None,
        };
        (record, features)
    }
}
