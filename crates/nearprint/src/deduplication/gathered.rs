//! What deduplication holds of the documents: their texts' features and prints, and a note about each.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use hashbrown::HashTable;
use nearprint_records::{FingerprintRecord, Outcome};
use nearprint_search::WeightedFeature;

use super::document_log::{DocumentLog, LoggedDocument};
use super::{Deduplication, Keep};
use crate::{Error, FeatureStore, PrintSet};

/// Of documents that are compared with none.
pub(super) const NO_TEXT: u32 = u32::MAX;

/// What a document is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Role {
    /// To be compared with: what repeats it is dropped, nothing is said about it itself.
    Reference,
    /// To be kept or dropped.
    #[default]
    Candidate,
}

/// Documents on their way to a decision.
///
/// In memory: some 30 octets a document, and for each distinct text its print (256 octets for `md1`) and some 30 more. Features
/// are in memory up to the bound given and then in a temporary file, 8 octets each; so is what is said about a document.
#[derive(Debug)]
pub struct Gathered {
    pub(super) log: DocumentLog,
    /// For each document its text, or [`NO_TEXT`].
    pub(super) texts: Vec<u32>,
    /// Documents from 0 on that are only compared with.
    pub(super) references: u64,
    /// Candidates with too few words, and those without a fingerprint.
    pub(super) too_short: u64,
    pub(super) without_fingerprint: u64,
    /// The prints of the texts, without ids.
    pub(super) set: PrintSet,
    /// The features of the texts.
    pub(super) store: FeatureStore,
    /// Of each text the document that is wanted most, and how much.
    pub(super) best: Vec<Best>,
    keep: Keep,
    least_words: u64,
    digests: Vec<u64>,
    by_digest: HashTable<u32>,
}

/// The document that stands for a text; less is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Best {
    pub(super) role: Role,
    rank: u64,
    pub(super) document: u32,
}

impl Gathered {
    pub(super) fn new(
        settings: &Deduplication,
        memory: u64,
        directory: Option<&Path>,
    ) -> Result<Self, Error> {
        let directory = directory.map_or_else(std::env::temp_dir, Path::to_owned);
        let log = DocumentLog::new(&directory)
            .map_err(|error| Error::Temporary { directory: directory.clone(), error })?;
        Ok(Self {
            log,
            texts: Vec::new(),
            references: 0,
            too_short: 0,
            without_fingerprint: 0,
            set: PrintSet::within(settings.scheme, memory, directory.clone()),
            store: FeatureStore::new(memory).in_directory(directory),
            best: Vec::new(),
            keep: settings.keep,
            least_words: settings.least_words,
            digests: Vec::new(),
            by_digest: HashTable::new(),
        })
    }

    /// Adds a document with what [`Deduplication::features`] gives of its text. References come before candidates.
    ///
    /// # Errors
    /// Where the print is of another scheme, there are more than 2^32 - 2 documents, a reference comes too late, or a temporary
    /// file cannot be written.
    pub fn push(
        &mut self,
        record: &FingerprintRecord,
        features: Option<&[WeightedFeature]>,
        role: Role,
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
                let best = Best { role, rank: self.keep.rank(record), document };
                let text = self.text_of(features, best)?;
                if text as usize == self.set.len() {
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
        let (id, place) = (record.id.clone(), record.place.clone());
        let noted = self.log.push(LoggedDocument { id, place, words, reason });
        noted.map_err(Error::Features)
    }

    /// The number of the text with these features, a new one where there is none.
    fn text_of(&mut self, features: &[WeightedFeature], best: Best) -> Result<u32, Error> {
        let mut hasher = DefaultHasher::new();
        features.hash(&mut hasher);
        let digest = hasher.finish();
        // Equal digests are a hint; the features decide. The file may fail while they are compared.
        let mut failed = None;
        let is_same = |&text: &u32| {
            self.digests[text as usize] == digest
                && match self.store.get(text as usize) {
                    Ok(found) => *found == *features,
                    Err(error) => {
                        failed = Some(error);
                        false
                    }
                }
        };
        let found = self.by_digest.find(digest, is_same).copied();
        if let Some(error) = failed {
            return Err(Error::Features(error));
        }
        if let Some(text) = found {
            let known = &mut self.best[text as usize];
            *known = best.min(*known);
            return Ok(text);
        }
        let text = self.best.len() as u32;
        self.store.push(features).map_err(Error::Features)?;
        self.best.push(best);
        self.digests.push(digest);
        let digests = &self.digests;
        self.by_digest.insert_unique(digest, text, |&text| digests[text as usize]);
        Ok(text)
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

    /// Distinct texts, by their word 3-shingles.
    #[must_use]
    pub fn distinct_texts(&self) -> u64 {
        self.best.len() as u64
    }

    /// The document that stands for a text.
    pub(crate) fn representative(&self, text: u32) -> u64 {
        self.best[text as usize].document.into()
    }

    /// The id of a document.
    pub(crate) fn id(&mut self, document: u64) -> Result<String, Error> {
        Ok(self.log.get(document).map_err(Error::Features)?.id.to_string())
    }

    /// Octets of memory beside the prints and the features.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let texts = self.best.capacity() * (size_of::<Best>() + 2 * size_of::<u64>())
            + self.by_digest.allocation_size();
        (texts + self.texts.capacity() * size_of::<u32>()) as u64
    }

    /// Octets in temporary files.
    #[must_use]
    pub fn temporary_octets(&self) -> u64 {
        self.log.octets() + self.store.temporary_octets()
    }
}
