//! The index on disk: every operation is one transaction of the store, and queries go by the tables.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLockReadGuard};

use nearprint::fingerprint::Fingerprint;
use nearprint::records::{DocumentId, IndexRow};
use nearprint::{Documents, Error, Index, IndexMatch, InsertCounts, InsertOutcome, OnDuplicate};
use redb::{ReadTransaction, ReadableTable};

use crate::IndexError;
use crate::group::Queue;
use crate::header::{FORMAT_VERSION, Header};
use crate::large_parts::{LargeParts, LargeTables};
use crate::lock::WriterLock;
use crate::maintenance::BackgroundMerge;
use crate::recent::{Recent, RecentIds};
use crate::record::{StoredDocument, damaged};
use crate::source::{Source, View};
use crate::store::{DOCUMENTS, IDS, SEGMENTS};
use crate::tables::TableSet;
use crate::texts::StoredText;

/// An [`Index`] on disk.
///
/// Up to 2^64 documents, of which each takes its id twice, its fingerprint and some 60 bytes in the store, and in
/// tables its id and some 38 bytes where fingerprints have 64 bits, some 700 where they are sketches.
pub struct DiskIndex {
    // Dropped first: the thread ends before the rest goes.
    pub(crate) merging: Option<BackgroundMerge>,
    pub(crate) shared: Arc<IndexState>,
}

/// What an index and its thread for merges share.
pub(crate) struct IndexState {
    pub(crate) source: Source,
    pub(crate) header: Header,
    pub(crate) tables: Box<dyn TableSet>,
    pub(crate) recent: Recent,
    /// The right to write; `None` where the index is open for reading.
    pub(crate) writer: Option<WriterLock>,
    /// Changes that wait for their commit.
    pub(crate) queue: Queue,
    /// Documents from which on a segment is written.
    pub(crate) fresh: u64,
    /// Why the last merge failed.
    pub(crate) merge_error: Mutex<Option<String>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Whoever panicked has left nothing half done: what is not committed is not there.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What an index is like.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// Documents.
    pub documents: u64,
    /// Documents that are in no segment yet.
    pub fresh: u64,
    /// Files of tables.
    pub segments: u64,
    /// Documents in them, removed ones included.
    pub entries: u64,
    /// Removed documents in them.
    pub removed: u64,
    /// Bytes of the store on disk.
    pub store_bytes: u64,
    /// Bytes of the files of tables.
    pub table_bytes: u64,
    /// Bytes of memory that tables take at the moment.
    pub memory: u64,
    /// Why the last merge failed; `None` where it did not.
    pub merge_error: Option<String>,
}

impl Statistics {
    /// The row that describes an index with this header.
    #[must_use]
    pub fn row(&self, header: &Header) -> IndexRow {
        IndexRow {
            scheme: header.scheme.to_string(),
            format: FORMAT_VERSION,
            created_by: header.created_by.clone(),
            documents: self.documents,
            fresh: self.fresh,
            segments: self.segments,
            entries: self.entries,
            removed: self.removed,
            store_bytes: self.store_bytes,
            table_bytes: self.table_bytes,
        }
    }
}

impl Index for DiskIndex {
    fn insert(
        &self,
        id: &DocumentId,
        fingerprint: &Fingerprint,
        on_duplicate: OnDuplicate,
    ) -> Result<InsertOutcome, Error> {
        let document = StoredDocument::new(id.clone(), fingerprint.clone());
        let counts = self.insert_documents(&[document], on_duplicate)?;
        Ok(match counts {
            InsertCounts { replaced: 1, .. } => InsertOutcome::Replaced,
            InsertCounts { skipped: 1, .. } => InsertOutcome::Skipped,
            _ => InsertOutcome::Added,
        })
    }

    fn insert_batch(
        &self,
        documents: &[(DocumentId, Fingerprint)],
        on_duplicate: OnDuplicate,
    ) -> Result<InsertCounts, Error> {
        let document = |(id, fingerprint): &(DocumentId, Fingerprint)| {
            StoredDocument::new(id.clone(), fingerprint.clone())
        };
        let documents: Vec<_> = documents.iter().map(document).collect();
        self.insert_documents(&documents, on_duplicate)
    }

    fn remove(&self, id: &DocumentId) -> Result<bool, Error> {
        Ok(self.remove_batch(std::slice::from_ref(id))? == 1)
    }
}

impl DiskIndex {
    /// The directory of the index.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.shared.source.path
    }

    /// What the index says about itself.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.shared.header
    }

    /// How many commits made the index what it is: two equal numbers of one index mean the same documents.
    ///
    /// # Errors
    /// Where the index cannot be read.
    pub fn changes(&self) -> Result<u64, Error> {
        Ok(self
            .shared
            .source
            .store
            .guarded(|| Ok::<_, IndexError>(View::newest(&self.shared.source)?.changes))?)
    }

    /// A document with everything that is stored about it; `None` where there is none of this id.
    ///
    /// # Errors
    /// Where the index cannot be read.
    pub fn document(&self, id: &DocumentId) -> Result<Option<StoredDocument>, Error> {
        Ok(self.read(id, LargeParts::ALL)?.map(|(_, document)| document))
    }

    /// A document without its features and its text, which are large; `None` where there is none of this id.
    ///
    /// # Errors
    /// As for [`document`](Self::document).
    pub fn document_record(&self, id: &DocumentId) -> Result<Option<StoredDocument>, Error> {
        Ok(self.read(id, LargeParts::NONE)?.map(|(_, document)| document))
    }

    /// A document with its text, where that is kept, and without its features; `None` where there is none of this id.
    ///
    /// # Errors
    /// As for [`document`](Self::document).
    pub fn document_with_text(&self, id: &DocumentId) -> Result<Option<StoredDocument>, Error> {
        Ok(self.read(id, LargeParts::TEXTS)?.map(|(_, document)| document))
    }

    /// The text of a document; `None` where there is no document of this id, or no text of it.
    ///
    /// # Errors
    /// As for [`document`](Self::document).
    pub fn text(&self, id: &DocumentId) -> Result<Option<StoredText>, Error> {
        Ok(self.document_with_text(id)?.and_then(|document| document.text))
    }

    /// A document with those of its large parts that are wanted, and its sequence number.
    pub(crate) fn read(
        &self,
        id: &DocumentId,
        wanted: LargeParts,
    ) -> Result<Option<(u64, StoredDocument)>, Error> {
        let source = &self.shared.source;
        let store = &source.store;
        store.guarded(|| {
            let Some((at, sequence)) = self.find(id)? else { return Ok(None) };
            let documents = store.tried(at.open_table(DOCUMENTS))?;
            let record = store.tried(documents.get(sequence))?;
            let record = record.ok_or_else(|| store.damaged(damaged(sequence)))?;
            let tables = LargeTables::open(source, &at, wanted)?;
            let document = tables.document(sequence, record.value())?;
            if document.id != *id {
                return Err(store.damaged(damaged(sequence)).into());
            }
            Ok(Some((sequence, document)))
        })
    }

    /// The number of a document in the order of insertion, counted from 1; `None` where there is none of this id. It is
    /// never used again: a document that is replaced gets another one.
    ///
    /// # Errors
    /// Where the index cannot be read.
    pub fn number(&self, id: &DocumentId) -> Result<Option<u64>, Error> {
        let found = self.shared.source.store.guarded(|| self.find(id))?;
        Ok(found.map(|(_, sequence)| sequence + 1))
    }

    /// The sequence number of a document by its id, and a transaction that reads that state of the store.
    pub(crate) fn find(
        &self,
        id: &DocumentId,
    ) -> Result<Option<(ReadTransaction, u64)>, IndexError> {
        let source = &self.shared.source;
        loop {
            let view = View::newest(source)?;
            let Some(recent) = self.shared.recent.at(&view)? else { continue };
            let Some(at) = view.transaction()? else { continue };
            let ids = source.store.tried(at.open_table(IDS))?;
            let documents = source.store.tried(at.open_table(DOCUMENTS))?;
            let found = recent.find(source, (&ids, &documents), id.as_str())?;
            return Ok(found.zip(view.into_transaction()).map(|(sequence, at)| (at, sequence)));
        }
    }

    /// Visits every document in the order of insertion, all in one state of the index.
    ///
    /// # Errors
    /// Where the index cannot be read, or `visit` fails.
    pub fn for_each<E: From<Error>>(
        &self,
        mut visit: impl FnMut(StoredDocument) -> Result<(), E>,
    ) -> Result<(), E> {
        self.visit_numbered(LargeParts::NONE, |_, document| visit(document))
    }

    /// Visits every document with its features and its text, as far as the index keeps them.
    ///
    /// # Errors
    /// As for [`for_each`](Self::for_each).
    pub fn for_each_whole<E: From<Error>>(
        &self,
        mut visit: impl FnMut(StoredDocument) -> Result<(), E>,
    ) -> Result<(), E> {
        self.visit_numbered(LargeParts::ALL, |_, document| visit(document))
    }

    /// Visits every document with its sequence number.
    pub(crate) fn visit_numbered<E: From<Error>>(
        &self,
        wanted: LargeParts,
        mut visit: impl FnMut(u64, StoredDocument) -> Result<(), E>,
    ) -> Result<(), E> {
        let source = &self.shared.source;
        let store = &source.store;
        let tried = |error: IndexError| E::from(error.into());
        let at = store.begin_read().map_err(tried)?;
        let documents = store.tried(at.open_table(DOCUMENTS)).map_err(tried)?;
        let mut rows = store.tried(documents.iter()).map_err(tried)?;
        let tables = LargeTables::open(source, &at, wanted).map_err(tried)?;
        loop {
            let row = store.guarded(|| {
                crate::cancellation::check()?;
                let Some(row) = rows.next() else { return Ok(None) };
                let (sequence, record) = store.tried(row)?;
                let sequence = sequence.value();
                Ok(Some((sequence, tables.document(sequence, record.value())?)))
            });
            match row.map_err(tried)? {
                Some((sequence, document)) => visit(sequence, document)?,
                None => return Ok(()),
            }
        }
    }

    /// What the index is like at the moment.
    ///
    /// # Errors
    /// Where the index cannot be read.
    pub fn statistics(&self) -> Result<Statistics, Error> {
        let Source { store, path, .. } = &self.shared.source;
        let segments = store.guarded(|| {
            let at = store.begin_read()?;
            store.segments(&store.tried(at.open_table(SEGMENTS))?)
        })?;
        let documents = self.len()?;
        let (entries, removed) = segments.iter().fold((0, 0), |(entries, removed), segment| {
            (entries + segment.entries, removed + segment.removed)
        });
        let file = crate::store::Store::file(path);
        let length = std::fs::metadata(&file).map_err(IndexError::io(&file))?.len();
        Ok(Statistics {
            documents,
            fresh: documents.saturating_sub(entries - removed),
            segments: segments.len() as u64,
            entries,
            removed,
            store_bytes: length,
            table_bytes: segments.iter().map(|segment| segment.length).sum(),
            memory: self.shared.tables.memory(),
            merge_error: lock(&self.shared.merge_error).clone(),
        })
    }

    /// Reads all tables into memory, so that the first queries are as quick as later ones.
    ///
    /// # Errors
    /// Where a file of tables cannot be read or is damaged.
    pub fn read_all(&self) -> Result<(), Error> {
        Ok(self.shared.tables.read_all()?)
    }
}

impl IndexState {
    /// Refuses to write to an index that is open for reading.
    pub(crate) fn check_writable(&self) -> Result<(), IndexError> {
        match self.writer {
            Some(_) => Ok(()),
            None => Err(IndexError::ReadOnly { path: self.source.path.clone() }),
        }
    }

    /// Notes how merging ended.
    pub(crate) fn note_merge(&self, merged: Result<(), IndexError>) {
        *lock(&self.merge_error) = merged.err().map(|error| error.to_string());
    }

    /// The ids of the newest documents, in the newest state of the store.
    pub(crate) fn recent(&self) -> Result<RwLockReadGuard<'_, RecentIds>, IndexError> {
        loop {
            if let Some(recent) = self.recent.at(&View::newest(&self.source)?)? {
                return Ok(recent);
            }
        }
    }

    /// Brings the tables to the newest state of the store.
    pub(crate) fn up_to_date(&self) -> Result<(), IndexError> {
        self.source.store.guarded(|| {
            let view = View::newest(&self.source)?;
            let Some(at) = view.transaction()? else { return Ok(()) };
            match self.tables.refresh(&self.source, at) {
                // The writer may have merged what could not be opened.
                Err(error) if !view.is_outdated()? => Err(error),
                _ => Ok(()),
            }
        })
    }

    /// The documents within `k` of each fingerprint, in the newest state of the store.
    pub(crate) fn near(
        &self,
        fingerprints: &[Fingerprint],
        k: u32,
    ) -> Result<Vec<Vec<IndexMatch>>, IndexError> {
        Ok(self.answered(|view| self.tables.near(view, fingerprints, k))?.1)
    }

    /// What tables answer in the newest state of the store, and that state; asked again where they give `None`.
    pub(crate) fn answered<T>(
        &self,
        mut ask: impl FnMut(&View<'_>) -> Result<Option<T>, IndexError>,
    ) -> Result<(View<'_>, T), IndexError> {
        loop {
            let view = View::newest(&self.source)?;
            match ask(&view) {
                Ok(Some(answer)) => return Ok((view, answer)),
                // Another thread has brought the tables beyond this state.
                Ok(None) => {}
                Err(error) if !view.is_outdated()? => return Err(error),
                Err(_) => {}
            }
        }
    }
}

impl std::fmt::Debug for DiskIndex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DiskIndex")
            .field("path", &self.shared.source.path)
            .field("scheme", &self.shared.source.scheme)
            .finish_non_exhaustive()
    }
}
