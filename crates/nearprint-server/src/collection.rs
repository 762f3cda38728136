//! One collection: an index on disk, which keeps the texts of its documents if that is wanted.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use nearprint::fingerprint::Scheme;
use nearprint::records::{DocumentId, IndexRow};
use nearprint::{Documents, Error, Filter, OnDuplicate};
use nearprint_index::{
    Addition, Admission, CaptureEntry, DiskIndex, IndexError, MetadataChange, Settings,
    StoredDocument,
};
use serde::{Deserialize, Serialize};

use crate::collections::write_whole;
use crate::pace::Pace;
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;

/// Bytes of an index's store that are held in memory.
const CACHE: usize = 64 << 20;

/// The file that makes a directory a collection: it is written last and removed first.
pub(crate) const DESCRIPTION: &str = "collection.json";

/// What a collection is, as that file says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Description {
    pub(crate) name: String,
    /// Whether the texts of documents are kept.
    pub(crate) texts: bool,
    /// Where its captures are replayed: a template of addresses with `{timestamp}` and `{url}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) replay: Option<String>,
}

/// What a collection is like, open or not.
#[derive(Clone)]
pub(crate) struct CollectionSummary {
    pub(crate) description: Description,
    /// Whether features are kept.
    pub(crate) features: bool,
    /// Captures, with documents or without.
    pub(crate) captures: u64,
    /// Whether it can only be read.
    pub(crate) is_read_only: bool,
    /// What `nearprint index stats` says of its index.
    pub(crate) row: IndexRow,
    /// Why the tables of the index could not be merged the last time.
    pub(crate) merge_error: Option<String>,
}

impl CollectionSummary {
    /// Bytes that it takes on the disk.
    pub(crate) fn bytes(&self) -> u64 {
        self.row.store_bytes + self.row.table_bytes
    }
}

/// A text to be compared, and the digest by which it is known as equal, where that is kept.
pub(crate) type ComparedText = (String, Option<[u8; 32]>);

/// A collection that is open.
pub(crate) struct Collection {
    /// Why it is open for reading alone, where it is.
    read_only: Option<String>,
    pub(crate) description: Description,
    directory: PathBuf,
    pub(crate) index: DiskIndex,
    /// How long it takes to look a fingerprint up.
    pub(crate) pace: Arc<Pace>,
    /// Where its captures are replayed, as the file says now.
    replay: RwLock<Option<String>>,
    /// Held by changes together, and alone by one that first looks at what it changes.
    changes: RwLock<()>,
    /// Whether the directory goes when the last request that uses it has ended.
    deleted: AtomicBool,
}

impl Collection {
    /// Creates a collection in a new directory.
    pub(crate) fn create(
        directory: PathBuf,
        description: Description,
        (scheme, features): (Scheme, bool),
    ) -> Result<Self, Problem> {
        let settings = Settings::default().cache(CACHE);
        let settings = settings.texts(description.texts).features(features);
        let index = DiskIndex::create(&index_path(&directory), scheme, settings)?;
        let (changes, deleted) = (RwLock::default(), AtomicBool::new(false));
        let pace = Arc::new(Pace::new());
        let replay = RwLock::new(description.replay.clone());
        let read_only = None;
        Ok(Self { description, directory, index, pace, read_only, replay, changes, deleted })
    }

    /// Opens the collection in a directory: for reading alone where it cannot be written to.
    pub(crate) fn open(directory: PathBuf, description: Description) -> Result<Self, Problem> {
        let path = index_path(&directory);
        let settings = || Settings::default().cache(CACHE);
        let (index, read_only) = match DiskIndex::open(&path, settings()) {
            Ok(index) => (Ok(index), None),
            // Only what is whole can be read; the disk may be full, or not writable.
            Err(error @ IndexError::OtherFormat { .. }) => (Err(error), None),
            Err(error) => match DiskIndex::open_read_only(&path, settings()) {
                Ok(index) => (Ok(index), Some(error.to_string())),
                Err(_) => (Err(error), None),
            },
        };
        let index = index.map_err(|error| {
            let remedy = match error {
                IndexError::OtherFormat { .. } => {
                    "; export it with that version (`nearprint index list --format jsonl` of its directory `index`), \
                     remove it, and import the lines into a new one"
                }
                _ => "",
            };
            let detail = format!("the collection {}: {error}{remedy}", description.name);
            Problem { detail, ..Problem::from(error) }
        })?;
        let (changes, deleted) = (RwLock::default(), AtomicBool::new(false));
        let pace = Arc::new(Pace::new());
        let replay = RwLock::new(description.replay.clone());
        Ok(Self { description, directory, index, pace, read_only, replay, changes, deleted })
    }

    /// Why nothing can be changed, where the collection is open for reading alone.
    pub(crate) fn read_only(&self) -> Option<&str> {
        self.read_only.as_deref()
    }

    /// Where its captures are replayed: a template of addresses.
    pub(crate) fn replay(&self) -> Option<String> {
        self.replay.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Says where its captures are replayed. On return it is on the disk.
    pub(crate) fn set_replay(&self, replay: Option<String>) -> Result<(), Problem> {
        self.check_writable()?;
        let mut held = self.replay.write().unwrap_or_else(PoisonError::into_inner);
        let description = Description { replay: replay.clone(), ..self.description.clone() };
        let written = serde_json::to_vec(&description).unwrap_or_default();
        write_whole(&self.directory, DESCRIPTION, &written)?;
        *held = replay;
        Ok(())
    }

    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    pub(crate) fn scheme(&self) -> Scheme {
        self.index.scheme()
    }

    pub(crate) fn keeps_texts(&self) -> bool {
        self.index.keeps_texts()
    }

    /// Lets the directory go with the last user of the collection.
    pub(crate) fn delete(&self) {
        self.deleted.store(true, Ordering::Relaxed);
    }

    /// Inserts documents in one commit, those of them that are let in. Returns what became of each. On return all of it
    /// is on the disk.
    pub(crate) fn put(
        &self,
        documents: &[StoredDocument],
        on_duplicate: OnDuplicate,
        admission: Admission,
    ) -> Result<Vec<Addition>, Problem> {
        self.check_writable()?;
        let _together = self.changes.read().unwrap_or_else(PoisonError::into_inner);
        Ok(self.index.add(documents, on_duplicate, admission)?)
    }

    /// Adds captures without documents in one commit, and returns how many were not there.
    pub(crate) fn put_captures(&self, entries: Vec<CaptureEntry>) -> Result<u64, Problem> {
        self.check_writable()?;
        let _together = self.changes.read().unwrap_or_else(PoisonError::into_inner);
        Ok(self.index.add_captures(entries)?)
    }

    /// Makes a change of one document unless `check` refuses it as it is now; no other change comes between.
    pub(crate) fn changed_if<T>(
        &self,
        id: &DocumentId,
        check: impl FnOnce(Option<StoredDocument>) -> Result<(), Problem>,
        change: impl FnOnce(&DiskIndex) -> Result<T, Error>,
    ) -> Result<T, Problem> {
        self.check_writable()?;
        let _alone = self.changes.write().unwrap_or_else(PoisonError::into_inner);
        check(self.index.document_record(id)?)?;
        Ok(change(&self.index)?)
    }

    /// Removes documents in one commit, and returns how many there were.
    pub(crate) fn remove(&self, ids: &[DocumentId]) -> Result<u64, Problem> {
        self.check_writable()?;
        let _together = self.changes.read().unwrap_or_else(PoisonError::into_inner);
        Ok(self.index.remove_batch(ids)?)
    }

    /// Removes the documents that a filter allows in one commit, and returns how many there were.
    pub(crate) fn remove_where(&self, filter: &Filter) -> Result<u64, Problem> {
        self.check_writable()?;
        let _together = self.changes.read().unwrap_or_else(PoisonError::into_inner);
        Ok(self.index.remove_where(filter)?)
    }

    /// Changes the metadata of documents in one commit, and returns how many of them there are.
    pub(crate) fn change_metadata(
        &self,
        ids: &[DocumentId],
        change: &MetadataChange,
    ) -> Result<u64, Problem> {
        self.check_writable()?;
        let _together = self.changes.read().unwrap_or_else(PoisonError::into_inner);
        Ok(self.index.change_metadata(ids, change)?)
    }

    /// The same of the documents that a filter allows.
    pub(crate) fn change_metadata_where(
        &self,
        filter: &Filter,
        change: &MetadataChange,
    ) -> Result<u64, Problem> {
        self.check_writable()?;
        let _together = self.changes.read().unwrap_or_else(PoisonError::into_inner);
        Ok(self.index.change_metadata_where(filter, change)?)
    }

    fn check_writable(&self) -> Result<(), Problem> {
        let Some(why) = self.read_only() else { return Ok(()) };
        let detail = format!("the collection {} can only be read: {why}", self.description.name);
        Err(Problem::new(ProblemKind::DamagedCollection, detail))
    }

    /// A document by its id, without its text.
    pub(crate) fn document(&self, id: &DocumentId) -> Result<StoredDocument, Problem> {
        self.index.document_record(id)?.ok_or_else(|| self.unknown(id))
    }

    /// A document by its id, with its text if that is wanted; refused where the collection keeps no texts.
    pub(crate) fn document_with(
        &self,
        id: &DocumentId,
        text: bool,
    ) -> Result<StoredDocument, Problem> {
        if !text {
            return self.document(id);
        }
        if !self.keeps_texts() {
            let detail = format!("the collection {} keeps no texts", self.description.name);
            return Err(Problem::new(ProblemKind::NoTexts, detail));
        }
        self.index.document_with_text(id)?.ok_or_else(|| self.unknown(id))
    }

    /// What is said of an id that no document has.
    pub(crate) fn unknown(&self, id: &DocumentId) -> Problem {
        let detail = format!("the collection {} has no document {id}", self.description.name);
        Problem::new(ProblemKind::UnknownDocument, detail)
    }

    /// The text of a document; `None` if there is none.
    pub(crate) fn text(&self, document: &StoredDocument) -> Result<Option<String>, Problem> {
        Ok(self.index.text(&document.id)?.map(|kept| kept.text))
    }

    /// The text of a document to be compared, with the digest by which it is known as equal, where that is kept; `None`
    /// if there is no text.
    pub(crate) fn compared(
        &self,
        document: &StoredDocument,
    ) -> Result<Option<ComparedText>, Problem> {
        let Some(whole) = self.index.document(&document.id)? else { return Ok(None) };
        let digest = whole.features.map(|kept| kept.features.digests().text);
        Ok(whole.text.map(|kept| (kept.text, digest)))
    }

    /// The text of a document, or only the main content of a page.
    pub(crate) fn text_or_main(
        &self,
        document: &StoredDocument,
        main_content: bool,
    ) -> Result<Option<String>, Problem> {
        let kept = self.index.text(&document.id)?;
        Ok(kept.map(|kept| if main_content { kept.main_text() } else { kept.text }))
    }

    /// What the collection is like.
    pub(crate) fn summary(&self) -> Result<CollectionSummary, Problem> {
        let found = self.index.statistics()?;
        Ok(CollectionSummary {
            description: Description { replay: self.replay(), ..self.description.clone() },
            captures: self.index.count_captures()?,
            features: self.index.keeps_features(),
            is_read_only: self.read_only.is_some(),
            row: found.row(self.index.header()),
            merge_error: found.merge_error,
        })
    }
}

impl Drop for Collection {
    fn drop(&mut self) {
        if *self.deleted.get_mut() {
            // What cannot be removed now is removed when the server starts the next time.
            let _ = std::fs::remove_dir_all(&self.directory);
        }
    }
}

fn index_path(directory: &Path) -> PathBuf {
    directory.join("index")
}
