//! What deduplication holds of the documents: their texts' features and prints, and a note about each.

use hashbrown::HashTable;
use nearprint_records::{FingerprintRecord, OrderKey, Outcome};

use super::Dedup;
use super::digest_log::DigestLog;
use super::document_log::{DocumentLog, LoggedDocument};
use super::keep_order::{KeepOrder, Wish};
use super::word_sets::WordSets;
use crate::store::feature_store::digest;
use crate::store::id_counter::IdCounter;
use crate::{
    Documents, Engine, Error, FeatureStore, Filter, PackedFeatures, Parts, PrintSet, Role, Search,
    Verification,
};

/// Of documents that are compared with none.
pub(super) const NO_TEXT: u32 = u32::MAX;

/// Documents on their way to a decision.
///
/// In memory: some 12 bytes a document, and for each distinct text some 50. In a temporary file: 32 bytes of digests
/// for each document. Prints (256 bytes for `md1`) and features are in memory up to the bound given and then in a
/// temporary file, 8 bytes each; so is what is said about a document.
#[derive(Debug)]
pub struct DedupDocuments {
    engine: Engine,
    pub(super) log: DocumentLog,
    /// By which texts are known as identical, or as of the same words.
    pub(super) digests: DigestLog,
    /// For each document its text, or [`NO_TEXT`].
    pub(super) texts: Vec<u32>,
    /// Documents from 0 on that are only compared with.
    pub(super) references: u64,
    /// Candidates with too few words, and those without a fingerprint.
    pub(super) too_short: u64,
    pub(super) without_fingerprint: u64,
    /// The word sets of the texts, and their prints, without ids.
    pub(super) word_sets: WordSets,
    pub(super) set: PrintSet,
    /// The features of the texts.
    pub(super) store: FeatureStore,
    /// Of each text the document that is wanted most.
    pub(super) wanted: KeepOrder,
    least_words: u64,
    verification: Verification,
    by_digest: HashTable<u32>,
    /// Ids of candidates, by which those that come again are counted.
    ids: IdCounter,
    duplicate_ids: u64,
}

/// Bytes of an engine's memory for features, and as many for fingerprints.
pub(super) fn features_share(engine: &Engine) -> u64 {
    engine.settings().memory / 4
}

impl DedupDocuments {
    pub(super) fn new(settings: &Dedup, engine: &Engine) -> Result<Self, Error> {
        let (memory, directory) = (features_share(engine), engine.temporary_directory());
        let log = DocumentLog::new(&directory).map_err(Error::TemporaryFile)?;
        let digests = DigestLog::new(&directory).map_err(Error::TemporaryFile)?;
        Ok(Self {
            engine: engine.clone(),
            log,
            digests,
            texts: Vec::new(),
            references: 0,
            too_short: 0,
            without_fingerprint: 0,
            word_sets: WordSets::default(),
            set: PrintSet::within(settings.print_scheme(), memory, directory.clone()),
            store: FeatureStore::new(memory).in_directory(directory),
            wanted: KeepOrder::new(settings.keep.clone()),
            least_words: settings.least_words,
            verification: settings.verification(),
            by_digest: HashTable::new(),
            ids: IdCounter::default(),
            duplicate_ids: 0,
        })
    }

    /// Adds all documents of a collection as references: what repeats one of them is dropped. Returns how many there
    /// are.
    ///
    /// # Errors
    /// Where the collection does not keep features and digests of the texts, or cannot be read, and as for
    /// [`push`](Self::push).
    pub fn push_references(&mut self, documents: &dyn Documents) -> Result<u64, Error> {
        let wanted = Parts::default().features(self.verification).digests().words();
        let mut count = 0;
        documents.for_each(&wanted, Filter::all(), |document| {
            let (record, features) = document.into_record();
            count += 1;
            self.push(&record, features.as_ref(), Role::Reference, None)
        })?;
        Ok(count)
    }

    /// Adds a document with what [`Dedup::wanted`] makes of its text, and with the value of the field that
    /// [`Keep::Field`](super::Keep::Field) names, if there is one. References come before candidates.
    ///
    /// # Errors
    /// Where the print is of another scheme, there are more than 2^32 - 2 documents, a reference comes too late, or a
    /// temporary file cannot be written.
    pub fn push(
        &mut self,
        record: &FingerprintRecord,
        features: Option<&PackedFeatures>,
        role: Role,
        order: Option<OrderKey>,
    ) -> Result<(), Error> {
        let number = self.log.len();
        let document = u32::try_from(number).ok().filter(|&document| document < NO_TEXT);
        let document = document.ok_or(Error::TooManyDocuments)?;
        if role == Role::Reference {
            if self.references != number {
                return Err(Error::LateReference);
            }
            self.references += 1;
        }
        let (words, reason) = match &record.outcome {
            Outcome::Print { tokens, .. } => (*tokens, None),
            Outcome::Nothing { reason, .. } => (0, Some(reason.clone())),
        };
        let compared = words >= self.least_words.max(1);
        let text = match (record.outcome.fingerprint(), features) {
            (Some(print), Some(features)) if compared && !features.is_empty() => {
                let wish = self.wanted.wish(document, record, order);
                let text = self.text_of(features, wish)?;
                if self.set.len() < self.word_sets.len() {
                    self.set.push_numbered(print)?;
                }
                text
            }
            _ => {
                match role {
                    Role::Candidate if reason.is_some() => self.without_fingerprint += 1,
                    Role::Candidate => self.too_short += 1,
                    Role::Reference => {}
                }
                NO_TEXT
            }
        };
        self.texts.push(text);
        if role == Role::Candidate {
            self.ids.push(&record.id);
        }
        let (id, place) = (record.id.clone(), record.place.clone());
        let digests = features.map(PackedFeatures::digests).unwrap_or_default();
        self.digests.push(digests).map_err(Error::TemporaryFile)?;
        let capture = record.capture.clone();
        let noted = self.log.push(LoggedDocument { id, place, words, reason, capture });
        noted.map_err(Error::TemporaryFile)
    }

    /// The number of the text with these features, a new one where there is none.
    fn text_of(&mut self, features: &PackedFeatures, wish: Wish) -> Result<u32, Error> {
        let Self { store, by_digest, .. } = self;
        let digest = digest(features.bytes());
        // Equal digests are a hint; the features decide. The file may fail while they are compared.
        let mut failed = None;
        let is_same = |&text: &u32| {
            store.digest(text as usize) == digest
                && store.holds(text as usize, features).unwrap_or_else(|error| {
                    failed = Some(error);
                    false
                })
        };
        let found = by_digest.find(digest, is_same).copied();
        if let Some(error) = failed {
            return Err(Error::TemporaryFile(error));
        }
        if let Some(text) = found {
            // There are no more documents than that.
            self.wanted.improve(text, wish, self.references as u32);
            return Ok(text);
        }
        let text = self.wanted.len() as u32;
        store.push_digested(features, digest).map_err(Error::TemporaryFile)?;
        self.word_sets.push(features, store).map_err(Error::TemporaryFile)?;
        self.wanted.push(wish);
        let store = &self.store;
        self.by_digest.insert_unique(digest, text, |&text| store.digest(text as usize));
        Ok(text)
    }

    /// Counts the ids that came again, and gives back the memory that takes.
    pub(super) fn count_ids(&mut self) {
        self.duplicate_ids += std::mem::take(&mut self.ids).repeated();
    }

    /// Documents decided about whose id an earlier one of these has; known once it is decided.
    #[must_use]
    pub fn duplicate_ids(&self) -> u64 {
        self.duplicate_ids
    }

    /// Documents that are to be kept or dropped.
    #[must_use]
    pub fn documents(&self) -> u64 {
        self.log.len() - self.references
    }

    /// Documents that are only compared with.
    #[must_use]
    pub fn references(&self) -> u64 {
        self.references
    }

    /// Distinct texts, by their word 3-shingles and numbers.
    #[must_use]
    pub fn distinct_texts(&self) -> u64 {
        self.wanted.len() as u64
    }

    /// The document that stands for a text.
    pub(crate) fn representative(&self, text: u32) -> u64 {
        self.wanted.document(text).into()
    }

    /// The id of a document.
    pub(crate) fn id(&mut self, document: u64) -> Result<String, Error> {
        Ok(self.log.id(document).map_err(Error::TemporaryFile)?.to_string())
    }

    /// This search by the engine's threads, within the memory that the documents leave.
    #[must_use]
    pub fn search<'w>(&self, search: Search<'w>) -> Search<'w> {
        let taken = features_share(&self.engine) + self.memory();
        let left = self.engine.settings().memory.saturating_sub(taken);
        search.on(&self.engine).memory(Some(left)).sorted_up_to(Some(usize::MAX))
    }

    /// Bytes of memory beside the prints and the features.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let texts = self.wanted.memory() + self.by_digest.allocation_size();
        let texts = texts + self.texts.capacity() * size_of::<u32>() + self.ids.memory();
        (texts + self.word_sets.memory()) as u64 + self.store.places()
    }

    /// Bytes in temporary files.
    #[must_use]
    pub fn temporary_bytes(&self) -> u64 {
        self.log.bytes() + self.digests.bytes() + self.store.temporary_bytes() + self.set.on_disk()
    }
}
