//! One collection: an index on disk, and the texts of its documents if it keeps them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use nearprint::fingerprint::Scheme;
use nearprint::records::{DocumentId, IndexRow};
use nearprint::{Error, Index, IndexMatch, OnDuplicate};
use nearprint_index::{DiskIndex, Settings, StoredDocument};
use serde::{Deserialize, Serialize};

use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::texts::{KeptText, Texts};

/// Bytes of an index's store that are held in memory.
const CACHE: usize = 64 << 20;

/// The file that makes a directory a collection: it is written last and removed first.
pub(crate) const DESCRIPTION: &str = "collection.json";

/// The file of its texts.
const TEXTS: &str = "texts.redb";

/// What a collection is, as that file says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Description {
    pub(crate) name: String,
    /// Whether the texts of documents are kept.
    pub(crate) texts: bool,
}

/// A collection that is open.
pub(crate) struct Collection {
    pub(crate) description: Description,
    directory: PathBuf,
    pub(crate) index: DiskIndex,
    texts: Option<Texts>,
    /// One change at a time; the time of the newest document.
    changing: Mutex<u64>,
    /// Whether the directory goes when the last request that uses it has ended.
    deleted: AtomicBool,
}

/// A document on its way into a collection.
pub(crate) struct NewDocument {
    pub(crate) document: StoredDocument,
    /// Its text, if there is one and it is to be kept.
    pub(crate) text: Option<KeptText>,
}

/// What became of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Put {
    Added,
    Replaced,
    /// The one of its id stays, as was asked for.
    Skipped,
    /// The one of its id stays, and that is an error.
    Refused,
    /// It is there already, with the same content.
    Unchanged,
    /// It was not added, because these are within the distance.
    Near(Vec<IndexMatch>),
}

fn settings() -> Settings {
    Settings::default().cache(CACHE)
}

impl Collection {
    /// Creates a collection in a new directory.
    pub(crate) fn create(
        directory: PathBuf,
        description: Description,
        scheme: Scheme,
    ) -> Result<Self, Problem> {
        let index = DiskIndex::create(&index_path(&directory), scheme, settings())?;
        Self::with(directory, description, index)
    }

    /// Opens the collection in a directory.
    pub(crate) fn open(directory: PathBuf, description: Description) -> Result<Self, Problem> {
        let index = DiskIndex::open(&index_path(&directory), settings())?;
        Self::with(directory, description, index)
    }

    fn with(
        directory: PathBuf,
        description: Description,
        index: DiskIndex,
    ) -> Result<Self, Problem> {
        let texts = description.texts.then(|| Texts::open(&directory.join(TEXTS)));
        let texts = texts.transpose()?;
        let (changing, deleted) = (Mutex::default(), AtomicBool::new(false));
        Ok(Self { description, directory, index, texts, changing, deleted })
    }

    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    pub(crate) fn scheme(&self) -> Scheme {
        self.index.scheme()
    }

    pub(crate) fn keeps_texts(&self) -> bool {
        self.texts.is_some()
    }

    /// Lets the directory go with the last user of the collection.
    pub(crate) fn delete(&self) {
        self.deleted.store(true, Ordering::Relaxed);
    }

    /// Inserts documents in one commit; with `if_new` only those that lie within this distance of no other. Returns
    /// what became of each. On return all of it is on the disk.
    pub(crate) fn put(
        &self,
        mut documents: Vec<NewDocument>,
        on_duplicate: OnDuplicate,
        if_new: Option<u32>,
    ) -> Result<Vec<Put>, Problem> {
        // Whoever panicked left nothing half done: the index's transaction was all or nothing.
        let mut newest = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        for new in &mut documents {
            *newest = new.document.time.max(*newest + 1);
            new.document.time = *newest;
        }
        // What becomes of each, unless something lies near it.
        let mut became = Vec::with_capacity(documents.len());
        let mut seen = HashSet::new();
        for new in &documents {
            let id = &new.document.id;
            let there = self.index.document(id)?;
            let is_same = match &there {
                Some(there) if if_new.is_some() && !seen.contains(id) => {
                    self.is_same(there, new)?
                }
                _ => false,
            };
            let is_there = there.is_some() || seen.contains(id);
            became.push(match on_duplicate {
                // A request that is repeated because its answer was lost gets the same answer.
                _ if is_same => Put::Unchanged,
                _ if !is_there => Put::Added,
                OnDuplicate::Refuse => Put::Refused,
                OnDuplicate::Skip => Put::Skipped,
                OnDuplicate::Replace => Put::Replaced,
            });
            seen.insert(id.clone());
        }
        let is_written = |put: &Put| matches!(put, Put::Added | Put::Replaced);
        let at: Vec<usize> = (0..became.len()).filter(|&at| is_written(&became[at])).collect();
        let written: Vec<&NewDocument> = at.iter().map(|&at| &documents[at]).collect();
        if written.is_empty() {
            return Ok(became);
        }
        if let Some(texts) = &self.texts {
            let texts_of = written.iter().copied();
            texts.keep(texts_of.filter_map(|new| Some((&new.document, new.text.as_ref()?))))?;
        }
        let stored: Vec<_> = written.iter().map(|new| new.document.clone()).collect();
        let inserted = match if_new {
            None => self.index.insert_documents(&stored, OnDuplicate::Replace).map(|_| Vec::new()),
            Some(k) => self
                .index
                .insert_new(&stored, k, OnDuplicate::Replace)
                .map(|inserted| inserted.known),
        };
        // What is there now decides which texts stay, whatever happened before.
        self.remove_old_texts(stored.iter().map(|document| &document.id))?;
        for (position, near) in inserted? {
            became[at[position]] = Put::Near(near);
        }
        Ok(became)
    }

    /// Whether a document is there with the same content.
    fn is_same(&self, there: &StoredDocument, new: &NewDocument) -> Result<bool, Problem> {
        Ok(there.fingerprint == new.document.fingerprint
            && there.metadata == new.document.metadata
            && there.capture == new.document.capture
            && (self.texts.is_none()
                || self.text(there)?.as_ref() == new.text.as_ref().map(|kept| &kept.text)))
    }

    /// Removes the texts of these ids that belong to no document.
    fn remove_old_texts<'d>(
        &self,
        ids: impl Iterator<Item = &'d DocumentId>,
    ) -> Result<(), Problem> {
        let Some(texts) = &self.texts else { return Ok(()) };
        let mut current = Vec::new();
        for id in ids {
            current.push((id, self.index.document(id)?.map(|found| found.time)));
        }
        texts.remove_others(current)
    }

    /// Removes documents in one commit, and returns how many there were.
    pub(crate) fn remove(&self, ids: &[DocumentId]) -> Result<u64, Problem> {
        let _newest = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let removed = self.index.remove_batch(ids)?;
        if let Some(texts) = &self.texts {
            texts.remove_others(ids.iter().map(|id| (id, None)))?;
        }
        Ok(removed)
    }

    /// Visits every document with its text, all in one state of the collection. Changes go on meanwhile.
    pub(crate) fn for_each_with_text<E: From<Problem> + From<Error>>(
        &self,
        mut visit: impl FnMut(StoredDocument, Option<KeptText>) -> Result<(), E>,
    ) -> Result<(), E> {
        // No change may come between the two states: the index has taken its own when the first document comes.
        let mut unchanged = Some(self.changing.lock().unwrap_or_else(PoisonError::into_inner));
        let texts = self.texts.as_ref().map(Texts::view).transpose()?;
        self.index.for_each(|document| {
            drop(unchanged.take());
            let text = texts.as_ref().map_or(Ok(None), |texts| texts.of(&document))?;
            visit(document, text)
        })
    }

    /// Puts documents of a snapshot into a new collection, as they were.
    pub(crate) fn restore(&self, documents: Vec<NewDocument>) -> Result<(), Problem> {
        let mut newest = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(texts) = &self.texts {
            let with_text =
                documents.iter().filter_map(|new| Some((&new.document, new.text.as_ref()?)));
            texts.keep(with_text)?;
        }
        let stored: Vec<_> = documents.into_iter().map(|new| new.document).collect();
        *newest = stored.iter().map(|document| document.time).max().unwrap_or(0).max(*newest);
        self.index.insert_documents(&stored, OnDuplicate::Refuse)?;
        Ok(())
    }

    /// A document by its id.
    pub(crate) fn document(&self, id: &DocumentId) -> Result<StoredDocument, Problem> {
        self.index.document(id)?.ok_or_else(|| {
            let detail = format!("the collection {} has no document {id}", self.description.name);
            Problem::new(ProblemKind::UnknownDocument, detail)
        })
    }

    /// The text of a document; `None` if there is none.
    pub(crate) fn text(&self, document: &StoredDocument) -> Result<Option<String>, Problem> {
        Ok(self.kept_text(document)?.map(|kept| kept.text))
    }

    /// The same, or only the main content of a page.
    pub(crate) fn text_or_main(
        &self,
        document: &StoredDocument,
        main_content: bool,
    ) -> Result<Option<String>, Problem> {
        let kept = self.kept_text(document)?;
        Ok(kept.map(|kept| if main_content { kept.main_text() } else { kept.text }))
    }

    /// The same with where the main content of a page is in it.
    pub(crate) fn kept_text(&self, document: &StoredDocument) -> Result<Option<KeptText>, Problem> {
        self.texts.as_ref().map_or(Ok(None), |texts| texts.of(document))
    }

    /// Bytes that it takes on the disk.
    pub(crate) fn bytes(&self) -> Result<u64, Problem> {
        let found = self.index.statistics()?;
        let texts = std::fs::metadata(self.directory.join(TEXTS)).map_or(0, |texts| texts.len());
        Ok(found.store_bytes + found.table_bytes + texts)
    }

    /// What the collection is like, as `nearprint index stats` says.
    pub(crate) fn statistics(&self) -> Result<(IndexRow, Option<String>), Problem> {
        let found = self.index.statistics()?;
        Ok((found.row(self.index.header()), found.merge_error))
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
