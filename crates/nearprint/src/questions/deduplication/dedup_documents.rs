//! What deduplication holds of the documents: their texts' features and prints, and a note about each.

use std::io;

use hashbrown::HashTable;
use nearprint_records::{FingerprintRecord, Outcome, ReasonCode, SameFile};

use super::digest_log::{DigestLog, DocumentDigests};
use super::digest_table::DigestTable;
use super::document_log::{DocumentLog, LoggedDocument};
use super::keep_order::{KeepOrder, Wish};
use super::word_sets::WordSets;
use super::{DecidedDocuments, Dedup};
use crate::store::feature_store::digest;
use crate::store::id_counter::IdCounter;
use crate::{
    Arrival, CopyRegister, DuplicateRule, Engine, Error, FeatureStore, PackedFeatures, Policy,
    PrintSet, Role, Sameness, Search,
};

/// Of documents that are equal to no other: empty ones, those that could not be read, further paths to a file.
pub(super) const NO_TEXT: u32 = u32::MAX;

/// Of documents that are not decided about, as they have no text.
pub(super) const LEFT_OUT: u32 = NO_TEXT - 1;

/// From here on numbers are of documents whose texts are not compared, and of their copies.
pub(super) const UNCOMPARED: u32 = 1 << 31;

/// Documents whose texts are not compared, each with its copies: those of the same bytes, and of an identical text.
#[derive(Debug, Default)]
pub(super) struct UncomparedDocuments {
    /// Of each the document that is wanted most.
    pub(super) wanted: KeepOrder,
    /// Whether it has a text, which has too few words.
    pub(super) has_text: Vec<bool>,
    /// Those with a text, by its digest.
    by_text: DigestTable,
}

/// Whether a document was looked at and has no text.
fn is_without_text(outcome: &Outcome) -> bool {
    let has_none =
        |reason: &ReasonCode| ![ReasonCode::NO_TOKENS, ReasonCode::SAME_FILE].contains(reason);
    matches!(outcome, Outcome::Nothing { reason, .. } if has_none(reason))
}

impl UncomparedDocuments {
    /// Bytes of memory, about.
    fn memory(&self) -> usize {
        self.wanted.memory() + self.has_text.capacity() + self.by_text.memory()
    }
}

/// Documents on their way to a decision.
///
/// In memory: some 28 bytes a document, and for each distinct text some 50. In a temporary file: 80 bytes of digests
/// for each document. Prints (256 bytes for `md1`) and features are in memory up to the bound given and then in a
/// temporary file, 8 bytes each; so is what is said about a document.
#[derive(Debug)]
pub struct DedupDocuments {
    engine: Engine,
    pub(super) log: DocumentLog,
    /// By which documents are known as equal.
    pub(super) digests: DigestLog,
    by_bytes: DigestTable,
    /// For each document its text, [`UNCOMPARED`] and more, or [`NO_TEXT`].
    pub(super) texts: Vec<u32>,
    pub(super) uncompared: UncomparedDocuments,
    /// Documents from 0 on that are only compared with.
    pub(super) references: u64,
    /// Candidates with too few words, those without a fingerprint, and further paths to files.
    pub(super) too_short: u64,
    pub(super) without_fingerprint: u64,
    pub(super) same_files: u64,
    /// Those that are not decided about.
    left_out: u64,
    /// The word sets of the texts, and their prints, without ids.
    pub(super) word_sets: WordSets,
    pub(super) set: PrintSet,
    /// The features of the texts.
    pub(super) store: FeatureStore,
    /// Of each text the document that is wanted most.
    pub(super) wanted: KeepOrder,
    least_words: u64,
    only: DecidedDocuments,
    pub(super) rule: DuplicateRule,
    by_digest: HashTable<u32>,
    /// Ids of candidates, by which those that come again are counted.
    ids: IdCounter,
    duplicate_ids: u64,
    copies: CopyRegister,
}

/// The part of an engine's memory in which copies are recognised before they are extracted.
const COPIES_SHARE: u64 = 16;

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
            by_bytes: DigestTable::default(),
            texts: Vec::new(),
            uncompared: UncomparedDocuments {
                wanted: KeepOrder::new(settings.keep.clone()),
                ..UncomparedDocuments::default()
            },
            references: 0,
            too_short: 0,
            without_fingerprint: 0,
            same_files: 0,
            left_out: 0,
            word_sets: WordSets::default(),
            set: PrintSet::within(settings.print_scheme(), memory, directory.clone()),
            store: FeatureStore::new(memory).in_directory(directory),
            wanted: KeepOrder::new(settings.keep.clone()),
            least_words: settings.least_words,
            only: settings.only,
            rule: settings.rule(),
            by_digest: HashTable::new(),
            ids: IdCounter::default(),
            duplicate_ids: 0,
            copies: CopyRegister::within(engine.settings().memory / COPIES_SHARE),
        })
    }

    /// What of each document is needed where all of them are read for this decision alone, in order: as
    /// [`Dedup::wanted`], and copies are not extracted again.
    #[must_use]
    pub fn wanted(&self) -> crate::TextRequest {
        let copies = Some(self.copies.clone());
        crate::TextRequest { digest: true, copies, ..self.rule.verification().into() }
    }

    /// Adds a document with what [`Dedup::wanted`] makes of its text, and with what it came with: its digest, by which
    /// copies are known, and the value of the field that [`Keep::Field`](super::Keep::Field) names, if there is one.
    /// References come before candidates.
    ///
    /// # Errors
    /// Where the print is of another scheme, there are more than 2^31 - 1 documents, a reference comes too late, or a
    /// temporary file cannot be written.
    pub fn push(
        &mut self,
        record: &FingerprintRecord,
        features: Option<&PackedFeatures>,
        role: Role,
        arrival: Arrival,
    ) -> Result<(), Error> {
        let number = self.log.len();
        let document = u32::try_from(number).ok().filter(|&document| document < UNCOMPARED);
        let document = document.ok_or(Error::TooManyDocuments)?;
        if role == Role::Reference {
            if self.references != number {
                return Err(Error::LateReference);
            }
            self.references += 1;
        }
        let Arrival { order, digest, .. } = arrival;
        let wish = self.wanted.wish(document, record, order);
        let mut digests = DocumentDigests {
            bytes: digest.map(|digest| digest.0).unwrap_or_default(),
            text: features.map(PackedFeatures::digests).unwrap_or_default(),
        };
        let text = match self.same_bytes(&digests).map_err(Error::TemporaryFile)? {
            Some(first) => {
                if features.is_none() {
                    // It was not extracted again.
                    digests.text =
                        self.digests.get(first.into()).map_err(Error::TemporaryFile)?.text;
                }
                let text = self.texts[first as usize];
                self.improve(text, wish);
                text
            }
            None if self.only == DecidedDocuments::Text && is_without_text(&record.outcome) => {
                LEFT_OUT
            }
            None => self.first_of_its_bytes(record, features, &digests, wish)?,
        };
        let reason = match &record.outcome {
            Outcome::Print { .. } => None,
            Outcome::Nothing { reason, .. } => Some(reason.clone()),
        };
        if role == Role::Candidate {
            self.ids.push(&record.id);
            match &reason {
                Some(reason) if *reason == ReasonCode::SAME_FILE => self.same_files += 1,
                _ if text == LEFT_OUT => self.left_out += 1,
                _ if text < UNCOMPARED => {}
                _ if self.has_text(text) => self.too_short += 1,
                _ => self.without_fingerprint += 1,
            }
        }
        self.texts.push(text);
        self.digests.push(digests).map_err(Error::TemporaryFile)?;
        let (id, place) = (record.id.clone(), record.place.clone());
        let first = match &record.outcome {
            Outcome::Nothing { detail, .. } if reason == Some(ReasonCode::SAME_FILE) => {
                SameFile::of_detail(detail).map(|same| same.first)
            }
            _ => None,
        };
        let capture = record.capture.clone();
        let noted = self.log.push(LoggedDocument { id, place, reason, first, capture });
        noted.map_err(Error::TemporaryFile)
    }

    /// The first document that has the same bytes.
    fn same_bytes(&self, digests: &DocumentDigests) -> io::Result<Option<u32>> {
        if digests.bytes == [0; 32] {
            return Ok(None);
        }
        self.by_bytes.find(&digests.bytes, |document| Ok(self.digests.get(document.into())?.bytes))
    }

    /// The number of the text of a document that comes next, whose bytes no other has.
    fn first_of_its_bytes(
        &mut self,
        record: &FingerprintRecord,
        features: Option<&PackedFeatures>,
        digests: &DocumentDigests,
        wish: Wish,
    ) -> Result<u32, Error> {
        // There are fewer documents than that.
        let document = self.log.len() as u32;
        let has_bytes = digests.bytes != [0; 32];
        if has_bytes {
            self.by_bytes.insert(&digests.bytes, document);
        }
        let (words, print) = match &record.outcome {
            Outcome::Print { tokens, fingerprint, .. } => (*tokens, Some(fingerprint)),
            Outcome::Nothing { .. } => (0, None),
        };
        let features = print.zip(features.filter(|features| !features.is_empty()));
        match features {
            Some((print, features)) if words >= self.least_words.max(1) => {
                let text = self.text_of(features, wish)?;
                if self.set.len() < self.word_sets.len() {
                    self.set.push_numbered(print)?;
                }
                Ok(text)
            }
            Some(_) => self.short_text_of(&digests.text.text, wish).map_err(Error::TemporaryFile),
            None if has_bytes => Ok(self.push_uncompared(false, wish)),
            None => Ok(NO_TEXT),
        }
    }

    /// The number of a text that is too short to be compared: of one that is identical, where there is one.
    fn short_text_of(&mut self, digest: &[u8; 32], wish: Wish) -> io::Result<u32> {
        let read = |document: u32| Ok(self.digests.get(document.into())?.text.text);
        if let Some(same) = self.uncompared.by_text.find(digest, read)? {
            let text = self.texts[same as usize];
            self.improve(text, wish);
            return Ok(text);
        }
        self.uncompared.by_text.insert(digest, self.log.len() as u32);
        Ok(self.push_uncompared(true, wish))
    }

    fn push_uncompared(&mut self, has_text: bool, wish: Wish) -> u32 {
        let number = self.uncompared.wanted.len() as u32;
        self.uncompared.wanted.push(wish);
        self.uncompared.has_text.push(has_text);
        UNCOMPARED | number
    }

    /// Takes a further document of a text.
    fn improve(&mut self, text: u32, wish: Wish) {
        // There are no more documents than that.
        let references = self.references as u32;
        match text.checked_sub(UNCOMPARED) {
            None => self.wanted.improve(text, wish, references),
            Some(number) => self.uncompared.wanted.improve(number, wish, references),
        }
    }

    /// Whether a document that is not compared has a text.
    pub(super) fn has_text(&self, text: u32) -> bool {
        text < LEFT_OUT && self.uncompared.has_text[(text - UNCOMPARED) as usize]
    }

    /// The number of the text with these features, a new one where there is none.
    fn text_of(&mut self, features: &PackedFeatures, wish: Wish) -> Result<u32, Error> {
        let sameness = match self.rule.policy() {
            Policy::Exact => Sameness::Identical,
            _ if self.rule.is_too_short(features.shingles()) => Sameness::Identical,
            Policy::Careful | Policy::Loose => Sameness::SameWords,
        };
        let Self { store, by_digest, .. } = self;
        let digest = digest(features.bytes());
        // Equal digests are a hint; the features decide. The file may fail while they are compared.
        let mut failed = None;
        let is_same = |&text: &u32| {
            store.digest(text as usize) == digest
                && store.holds(text as usize, features, sameness).unwrap_or_else(|error| {
                    failed = Some(error);
                    false
                })
        };
        let found = by_digest.find(digest, is_same).copied();
        if let Some(error) = failed {
            return Err(Error::TemporaryFile(error));
        }
        if let Some(text) = found {
            self.improve(text, wish);
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
        self.log.len() - self.references - self.left_out
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

    /// Distinct texts, and documents whose texts are not compared, without their copies.
    pub(super) fn all_texts(&self) -> usize {
        self.wanted.len() + self.uncompared.wanted.len()
    }

    /// The document that stands for a text.
    pub(crate) fn representative(&self, text: u32) -> u64 {
        let document = match text.checked_sub(UNCOMPARED) {
            None => self.wanted.document(text),
            Some(number) => self.uncompared.wanted.document(number),
        };
        document.into()
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
        let texts = texts + self.by_bytes.memory() + self.uncompared.memory();
        let texts = texts + self.texts.capacity() * size_of::<u32>() + self.ids.memory();
        (texts + self.word_sets.memory()) as u64 + self.store.places()
    }

    /// Bytes in temporary files.
    #[must_use]
    pub fn temporary_bytes(&self) -> u64 {
        self.log.bytes() + self.digests.bytes() + self.store.temporary_bytes() + self.set.on_disk()
    }
}
