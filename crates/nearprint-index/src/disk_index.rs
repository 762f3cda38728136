//! The index on disk: every operation is one transaction of the store, and queries go by the tables.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLockReadGuard};

use nearprint::fingerprint::{Fingerprint, Scheme, UnlikeSchemes};
use nearprint::records::{DocumentId, IndexRow};
use nearprint::{Error, Index, IndexMatch, InsertCounts, Inserted, MemoryIndex, OnDuplicate};
use redb::{ReadTransaction, ReadableTable, ReadableTableMetadata};

use crate::header::{FORMAT_VERSION, Header};
use crate::kept::FeatureTable;
use crate::lock::WriterLock;
use crate::maintenance::{self, Merging};
use crate::recent::{self, Recent, RecentIds};
use crate::record::{RecordView, StoredDocument, damaged};
use crate::source::{Source, View};
use crate::store::{DOCUMENTS, IDS, SEGMENTS};
use crate::tables::TableSet;
use crate::{IndexError, changes};

/// How many times as many documents as are looked through in memory have their ids in memory only.
const IDS_PER_FRESH: u64 = 4;

/// An [`Index`] on disk.
///
/// Up to 2^64 documents, of which each takes its id twice, its fingerprint and some 60 bytes in the store, and for
/// 64-bit fingerprints its id and some 38 bytes in tables. Sketches have no tables: a query compares them with all
/// documents.
pub struct DiskIndex {
    // Dropped first: the thread ends before the rest goes.
    pub(crate) merging: Option<Merging>,
    pub(crate) shared: Arc<Shared>,
}

/// What an index and its thread for merges share.
pub(crate) struct Shared {
    pub(crate) source: Source,
    pub(crate) header: Header,
    pub(crate) tables: Box<dyn TableSet>,
    pub(crate) recent: Recent,
    /// The right to write, held for the whole of an operation; `None` where the index is open for reading.
    pub(crate) writer: Option<Mutex<WriterLock>>,
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

/// What an insertion that first looks for similar documents did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IfNew {
    /// Nothing was within the distance: the document was inserted.
    Inserted(Inserted),
    /// These were within the distance: the document was not inserted.
    Near(Vec<IndexMatch>),
}

/// What an insertion of many documents that first looks for similar ones did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewInserted {
    /// What was done with those that lie near no other.
    pub counts: InsertCounts,
    /// The others by their positions, with what lies near them.
    pub known: Vec<(usize, Vec<IndexMatch>)>,
}

impl Index for DiskIndex {
    fn scheme(&self) -> Scheme {
        self.shared.source.scheme
    }

    fn len(&self) -> Result<u64, Error> {
        let store = &self.shared.source.store;
        store.guarded(|| {
            let at = store.begin_read()?;
            Ok(store.tried(store.tried(at.open_table(DOCUMENTS))?.len())?)
        })
    }

    fn insert(
        &self,
        id: &DocumentId,
        fingerprint: &Fingerprint,
        on_duplicate: OnDuplicate,
    ) -> Result<Inserted, Error> {
        let document = StoredDocument::new(id.clone(), fingerprint.clone());
        let counts = self.insert_documents(&[document], on_duplicate)?;
        Ok(match counts {
            InsertCounts { replaced: 1, .. } => Inserted::Replaced,
            InsertCounts { skipped: 1, .. } => Inserted::Skipped,
            _ => Inserted::Added,
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

    fn get(&self, id: &DocumentId) -> Result<Option<Fingerprint>, Error> {
        Ok(self.document(id)?.map(|document| document.fingerprint))
    }

    fn query_batch(
        &self,
        fingerprints: &[Fingerprint],
        k: u32,
    ) -> Result<Vec<Vec<IndexMatch>>, Error> {
        let source = &self.shared.source;
        let check = |print: &Fingerprint| UnlikeSchemes::check(source.scheme, print.scheme());
        fingerprints.iter().try_for_each(check)?;
        let mut near = source.store.guarded(|| self.shared.near(fingerprints, k))?;
        for near in &mut near {
            // Nearest first, then by the bytes of the id.
            near.sort_unstable_by(|a, b| a.distance.cmp(&b.distance).then_with(|| a.id.cmp(&b.id)));
        }
        Ok(near)
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
        let source = &self.shared.source;
        let Source { store, scheme, .. } = source;
        store.guarded(|| {
            let Some((at, sequence)) = self.find(id)? else { return Ok(None) };
            let documents = store.tried(at.open_table(DOCUMENTS))?;
            let record = store.tried(documents.get(sequence))?;
            let view = record
                .as_ref()
                .and_then(|record| RecordView::of(*scheme, sequence, record.value()));
            let document = view.and_then(|view| view.document()).filter(|found| found.id == *id);
            let document = document.ok_or_else(|| store.damaged(damaged(sequence)))?;
            let features = FeatureTable::open(source, &at)?.map(|table| table.get(sequence));
            Ok(Some(StoredDocument { features: features.transpose()?, ..document }))
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
        visit: impl FnMut(StoredDocument) -> Result<(), E>,
    ) -> Result<(), E> {
        self.visit(false, visit)
    }

    /// Visits every document with its features, where the index keeps them; else as [`for_each`](Self::for_each).
    ///
    /// # Errors
    /// As for [`for_each`](Self::for_each).
    pub fn for_each_whole<E: From<Error>>(
        &self,
        visit: impl FnMut(StoredDocument) -> Result<(), E>,
    ) -> Result<(), E> {
        self.visit(true, visit)
    }

    pub(crate) fn visit<E: From<Error>>(
        &self,
        whole: bool,
        mut visit: impl FnMut(StoredDocument) -> Result<(), E>,
    ) -> Result<(), E> {
        let source = &self.shared.source;
        let Source { store, scheme, .. } = source;
        let tried = |error: IndexError| E::from(error.into());
        let at = store.begin_read().map_err(tried)?;
        let documents = store.tried(at.open_table(DOCUMENTS)).map_err(tried)?;
        let mut rows = store.tried(documents.iter()).map_err(tried)?;
        let features = match whole {
            true => FeatureTable::open(source, &at).map_err(tried)?,
            false => None,
        };
        loop {
            let row = store.guarded(|| {
                crate::cancelling::check()?;
                let Some(row) = rows.next() else { return Ok(None) };
                let (sequence, record) = store.tried(row)?;
                let sequence = sequence.value();
                let view = RecordView::of(*scheme, sequence, record.value());
                let document = view.and_then(|view| view.document());
                let document = document.ok_or_else(|| store.damaged(damaged(sequence)))?;
                let features = features.as_ref().map(|table| table.get(sequence)).transpose()?;
                Ok::<_, IndexError>(Some(StoredDocument { features, ..document }))
            });
            match row.map_err(tried)? {
                Some(document) => visit(document)?,
                None => return Ok(()),
            }
        }
    }

    /// Inserts documents, all or none of them, in one commit.
    ///
    /// # Errors
    /// As for [`insert`](Index::insert), and where the metadata of a document are too long.
    pub fn insert_documents(
        &self,
        documents: &[StoredDocument],
        on_duplicate: OnDuplicate,
    ) -> Result<InsertCounts, Error> {
        let writing = self.shared.writing()?;
        self.insert_held(&writing, documents, on_duplicate)
    }

    /// Inserts a document unless another one lies within `k` of it. No other change comes between the look and the
    /// insertion. A document of the same id counts as another one, except where it is to be replaced.
    ///
    /// # Errors
    /// As for [`insert`](Index::insert) and [`query`](Index::query).
    pub fn insert_if_new(
        &self,
        document: &StoredDocument,
        k: u32,
        on_duplicate: OnDuplicate,
    ) -> Result<IfNew, Error> {
        let documents = std::slice::from_ref(document);
        let NewInserted { counts, mut known } = self.insert_new(documents, k, on_duplicate)?;
        Ok(match (known.pop(), counts) {
            (Some((_, near)), _) => IfNew::Near(near),
            (None, InsertCounts { replaced: 1, .. }) => IfNew::Inserted(Inserted::Replaced),
            (None, InsertCounts { skipped: 1, .. }) => IfNew::Inserted(Inserted::Skipped),
            (None, _) => IfNew::Inserted(Inserted::Added),
        })
    }

    /// Inserts those documents that lie within `k` of no other: neither of one in the index nor of an earlier one of
    /// the batch. Returns what lies near each of the others, by their positions. All of it is one change, and no other
    /// comes between.
    ///
    /// # Errors
    /// As for [`insert_if_new`](Self::insert_if_new).
    pub fn insert_new(
        &self,
        documents: &[StoredDocument],
        k: u32,
        on_duplicate: OnDuplicate,
    ) -> Result<NewInserted, Error> {
        let writing = self.shared.writing()?;
        let prints: Vec<_> =
            documents.iter().map(|document| document.fingerprint.clone()).collect();
        let there = self.query_batch(&prints, k)?;
        // Those of this batch that are new, so far.
        let batch = MemoryIndex::new(self.scheme());
        let (mut new, mut known) = (Vec::new(), Vec::new());
        for (at, (document, mut near)) in documents.iter().zip(there).enumerate() {
            near.extend(batch.query(&document.fingerprint, k)?);
            if on_duplicate == OnDuplicate::Replace {
                near.retain(|near| near.id != document.id);
            }
            if near.is_empty() {
                batch.insert(&document.id, &document.fingerprint, OnDuplicate::Replace)?;
                new.push(document.clone());
            } else {
                near.sort_by(|a, b| a.distance.cmp(&b.distance).then_with(|| a.id.cmp(&b.id)));
                known.push((at, near));
            }
        }
        let counts = self.insert_held(&writing, &new, on_duplicate)?;
        Ok(NewInserted { counts, known })
    }

    fn insert_held(
        &self,
        _: &MutexGuard<'_, WriterLock>,
        documents: &[StoredDocument],
        on_duplicate: OnDuplicate,
    ) -> Result<InsertCounts, Error> {
        let source = &self.shared.source;
        for document in documents {
            UnlikeSchemes::check(source.scheme, document.fingerprint.scheme())?;
            document.check()?;
            if source.keeps_features && document.features.is_none() {
                let (path, id) = (source.path.clone(), document.id.clone());
                return Err(IndexError::FeaturesMissing { path, id }.into());
            }
        }
        let counts = source.store.guarded(|| {
            let recent = self.shared.recent()?;
            let to = source.store.begin_write()?;
            let (counts, replaced) =
                changes::insert(source, &to, &recent, documents, on_duplicate)?;
            drop(recent);
            if counts.added + counts.replaced > 0 {
                recent::write_ids(source, &to, self.shared.fresh * IDS_PER_FRESH)?;
                maintenance::write_fresh(&self.shared, &to)?;
                source.commit(to, &replaced)?;
            }
            Ok::<_, Error>(counts)
        })?;
        self.changed();
        Ok(counts)
    }

    /// Removes documents, in one commit, and returns how many there were.
    ///
    /// # Errors
    /// Where the index cannot be written.
    pub fn remove_batch(&self, ids: &[DocumentId]) -> Result<u64, Error> {
        let writing = self.shared.writing()?;
        self.remove_held(&writing, ids)
    }

    pub(crate) fn remove_held(
        &self,
        _: &MutexGuard<'_, WriterLock>,
        ids: &[DocumentId],
    ) -> Result<u64, Error> {
        let source = &self.shared.source;
        let count = source.store.guarded(|| {
            let recent = self.shared.recent()?;
            let to = source.store.begin_write()?;
            let removed = changes::remove(source, &to, &recent, ids)?;
            drop(recent);
            if !removed.is_empty() {
                source.commit(to, &removed)?;
            }
            Ok::<_, Error>(removed.len() as u64)
        })?;
        self.changed();
        Ok(count)
    }

    /// Brings the tables up to date after a change, and has segments merged, by the thread for it or here.
    ///
    /// The change is done, whatever happens here: the next query meets the trouble, and statistics name what hinders
    /// merges.
    fn changed(&self) {
        let _ = self.shared.up_to_date();
        match &self.merging {
            Some(merging) => merging.wake(),
            None => self.shared.note_merge(maintenance::merge_all(&self.shared, &|| false)),
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

impl Shared {
    /// The right to write; waits for the operation of another thread.
    pub(crate) fn writing(&self) -> Result<MutexGuard<'_, WriterLock>, IndexError> {
        let path = || self.source.path.clone();
        let writer = self.writer.as_ref().ok_or_else(|| IndexError::ReadOnly { path: path() })?;
        Ok(lock(writer))
    }

    /// Notes how merging ended.
    pub(crate) fn note_merge(&self, merged: Result<(), IndexError>) {
        *lock(&self.merge_error) = merged.err().map(|error| error.to_string());
    }

    /// The ids of the newest documents, in the newest state of the store.
    fn recent(&self) -> Result<RwLockReadGuard<'_, RecentIds>, IndexError> {
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
    fn near(
        &self,
        fingerprints: &[Fingerprint],
        k: u32,
    ) -> Result<Vec<Vec<IndexMatch>>, IndexError> {
        loop {
            let view = View::newest(&self.source)?;
            match self.tables.near(&view, fingerprints, k) {
                Ok(Some(near)) => return Ok(near),
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
