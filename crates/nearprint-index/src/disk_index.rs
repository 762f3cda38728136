//! The index on disk: what it offers, and how a document of it is read.
//!
//! Every change is one transaction of the store ([`crate::changes`]), and queries go by the tables ([`crate::tables`]).
//! The modules below are the other methods of [`DiskIndex`], each about one thing that is done with an index.

pub(crate) mod address_list;
pub(crate) mod admission;
pub(crate) mod capture_list;
pub(crate) mod captures;
pub(crate) mod document_list;
pub(crate) mod documents;
pub(crate) mod insertion;
pub(crate) mod metadata;
pub(crate) mod open;
pub(crate) mod removal;
pub(crate) mod statistics;
pub(crate) mod upkeep;

use std::path::Path;
use std::sync::Arc;

use nearprint::records::DocumentId;
use nearprint::{Dedup, Error, Filter, TextRequest};
use redb::{ReadTransaction, ReadableTable};

use crate::IndexError;
use crate::changes::group::{Queue, Weight};
use crate::changes::plan::Plan;
use crate::index_state::IndexState;
use crate::maintenance::{self, BackgroundMerge};
use crate::store::header::Header;
use crate::store::kept_features::features_verification;
use crate::store::large_parts::{LargeParts, LargeTables};
use crate::store::record::{StoredDocument, damaged};
use crate::store::source::View;
use crate::store::texts::StoredText;
use crate::store::{DOCUMENTS, IDS};

/// An [`Index`](nearprint::Index) on disk.
///
/// Up to 2^64 documents, of which each takes its id twice, its fingerprint and some 60 bytes in the store, and in
/// tables its id and some 38 bytes where fingerprints have 64 bits, some 700 where they are sketches.
pub struct DiskIndex {
    // Dropped first: the thread ends before the rest goes.
    pub(crate) merging: Option<BackgroundMerge>,
    pub(crate) shared: Arc<IndexState>,
    /// Changes that wait for their commit.
    pub(crate) queue: Queue,
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
        let text = TextRequest { text: texts, main_content: texts, ..TextRequest::default() };
        // What a page is called is not part of the text, and small.
        TextRequest { features, head: true, ..text }
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

    /// Visits every document that a filter allows in the order of insertion, all in one state of the index.
    ///
    /// # Errors
    /// As for [`for_each`](Self::for_each).
    pub fn for_each_where<E: From<Error>>(
        &self,
        filter: &Filter,
        mut visit: impl FnMut(StoredDocument) -> Result<(), E>,
    ) -> Result<(), E> {
        self.for_each(|document| match filter.allows(document.metadata.as_deref()) {
            true => visit(document),
            false => Ok(()),
        })
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

    /// Makes a change, in one commit with those of other threads. On return it is on the disk, and the next query sees
    /// it.
    pub(crate) fn change<T: Send + 'static>(
        &self,
        weight: Weight,
        decide: impl FnOnce(&mut Plan<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.queue.change(&self.shared, weight, decide, &|| self.changed())
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
}

impl std::fmt::Debug for DiskIndex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DiskIndex")
            .field("path", &self.shared.source.path)
            .field("scheme", &self.shared.source.scheme)
            .finish_non_exhaustive()
    }
}
