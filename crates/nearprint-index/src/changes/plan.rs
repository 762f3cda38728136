//! What the changes of a group do to an index, decided before anything is written.
//!
//! Each change decides on a [`Draft`] of its own, on top of those before it. A draft becomes part of the plan when its
//! change is decided, and is dropped where that ends in an error.

use std::collections::{BTreeMap, HashMap};

use nearprint::fingerprint::Fingerprint;
use nearprint::records::DocumentId;
use nearprint::{
    Candidates, Documents, Error, Filter, Index, IndexMatch, MemoryIndex, OnDuplicate,
    RefusedPairs, VerifiedQuery,
};
use redb::{ReadableTable, Table, WriteTransaction};

use crate::IndexError;
use crate::cancellation::check;
use crate::changes::capture_words::StoredWords;
use crate::changes::prepared_document::PreparedDocument;
use crate::index_state::IndexState;
use crate::store::capture_entries::{CaptureEntry, EntryTable};
use crate::store::kept_features::{KeptFeatures, features_of};
use crate::store::recent_ids::RecentIds;
use crate::store::record::{RecordView, StoredDocument, damaged};
use crate::store::texts;
use crate::store::{DOCUMENTS, FEATURES, IDS, NEXT, STATE, TEXTS};
use crate::tables::table_print::Reach;

/// What is to be written.
#[derive(Default)]
pub(crate) struct ChangeSet {
    /// The sequence number of the first document.
    pub(crate) first: u64,
    /// Documents in the order of their sequence numbers; `None` where a later change of the group took it out again.
    pub(crate) inserted: Vec<Option<PreparedDocument>>,
    /// The sequence numbers of stored documents that go.
    pub(crate) removed: Vec<u64>,
    /// The new metadata of stored documents, by their sequence numbers. Some of these may go as well.
    pub(crate) metadata: BTreeMap<u64, Option<String>>,
    /// Words that were counted of stored documents, by their sequence numbers.
    pub(crate) words: StoredWords,
    /// Captures without documents that are not there.
    pub(crate) entries: Vec<CaptureEntry>,
}

impl ChangeSet {
    pub(crate) fn is_empty(&self) -> bool {
        self.inserted.is_empty()
            && self.removed.is_empty()
            && self.metadata.is_empty()
            && self.entries.is_empty()
    }
}

/// Where ids lead after some changes that are not written yet.
#[derive(Default)]
struct Layer {
    /// The sequence number of each id that was changed; `None` where its document goes.
    changed: HashMap<DocumentId, Option<u64>>,
    /// The fingerprints of new documents, if a change of the group looks for those near others.
    new: Option<MemoryIndex>,
}

impl Layer {
    /// Where an id leads, if it was changed.
    fn place(&self, id: &DocumentId) -> Option<Option<u64>> {
        self.changed.get(id).copied()
    }

    fn near(&self, print: &Fingerprint, k: u32) -> Result<Vec<IndexMatch>, Error> {
        self.new.as_ref().map_or(Ok(Vec::new()), |new| new.query(print, k))
    }
}

/// The changes of a group so far.
pub(crate) struct Plan<'a> {
    pub(crate) shared: &'a IndexState,
    to: &'a WriteTransaction,
    recent: &'a RecentIds,
    ids: Table<'a, &'static [u8], u64>,
    documents: Table<'a, u64, &'static [u8]>,
    decided: ChangeSet,
    layer: Layer,
}

/// One change on top of a plan.
pub(crate) struct Draft {
    first: u64,
    inserted: Vec<Option<PreparedDocument>>,
    /// Sequence numbers of documents that go: stored ones, and those of earlier changes.
    removed: Vec<u64>,
    /// New metadata of documents that are there before this change, by their sequence numbers.
    metadata: Vec<(u64, Option<String>)>,
    layer: Layer,
}

impl<'a> Plan<'a> {
    /// Nothing so far, on the newest state of the store. With `looks`, documents near those of the plan are found.
    pub(crate) fn open(
        shared: &'a IndexState,
        to: &'a WriteTransaction,
        recent: &'a RecentIds,
        looks: bool,
    ) -> Result<Self, IndexError> {
        let store = &shared.source.store;
        let first = store.state(&store.tried(to.open_table(STATE))?, NEXT)?;
        let new = looks.then(|| MemoryIndex::new(shared.source.scheme));
        Ok(Self {
            shared,
            to,
            recent,
            ids: store.tried(to.open_table(IDS))?,
            documents: store.tried(to.open_table(DOCUMENTS))?,
            decided: ChangeSet { first, ..ChangeSet::default() },
            layer: Layer { new, ..Layer::default() },
        })
    }

    pub(crate) fn finish(self) -> ChangeSet {
        let Self { mut decided, .. } = self;
        if decided.inserted.iter().all(Option::is_none) {
            decided.inserted.clear();
        }
        decided
    }

    /// A change on top of those so far.
    pub(crate) fn draft(&self) -> Draft {
        let new = self.layer.new.is_some().then(|| MemoryIndex::new(self.shared.source.scheme));
        Draft {
            first: self.decided.first + self.decided.inserted.len() as u64,
            inserted: Vec::new(),
            removed: Vec::new(),
            metadata: Vec::new(),
            layer: Layer { new, ..Layer::default() },
        }
    }

    /// Where ids lead in the plan. They are looked up in their order: that goes through the store's tree from one end
    /// to the other, each page once.
    pub(crate) fn places(&self, ids: &[&DocumentId]) -> Result<Vec<Option<u64>>, IndexError> {
        let mut order: Vec<usize> = (0..ids.len()).collect();
        order.sort_unstable_by_key(|&at| ids[at]);
        let mut places = vec![None; ids.len()];
        for at in order {
            check()?;
            let tables = (&self.ids, &self.documents);
            places[at] = match self.layer.place(ids[at]) {
                Some(place) => place,
                None => self.recent.find(&self.shared.source, tables, ids[at].as_str())?,
            };
        }
        Ok(places)
    }

    /// The documents within `k` of each fingerprint in the plan.
    pub(crate) fn near(
        &self,
        prints: &[Fingerprint],
        k: u32,
    ) -> Result<Vec<Vec<IndexMatch>>, Error> {
        let mut all = self.shared.near(prints, Reach { k, bands: None }, usize::MAX)?;
        for (near, print) in all.iter_mut().zip(prints) {
            near.retain(|near| self.layer.place(&near.id).is_none());
            near.extend(self.layer.near(print, k)?);
        }
        Ok(all)
    }

    /// The stored documents that are similar to a query, as far as the plan left them, the most similar first.
    pub(crate) fn similar(
        &self,
        query: &VerifiedQuery,
        candidates: &Candidates,
    ) -> Result<Vec<IndexMatch>, IndexError> {
        let counted = RefusedPairs::default();
        let found = self.shared.verified(query, candidates, Filter::all(), &counted)?;
        let left = found.into_iter().map(|(near, _)| near);
        Ok(left.filter(|near| self.layer.place(&near.id).is_none()).collect())
    }

    /// The documents of the plan that are not stored yet, within `k` of a fingerprint.
    pub(crate) fn near_new(&self, print: &Fingerprint, k: u32) -> Result<Vec<IndexMatch>, Error> {
        self.layer.near(print, k)
    }

    /// The document of a sequence number, without its features.
    pub(crate) fn document(&self, sequence: u64) -> Result<StoredDocument, IndexError> {
        let source = &self.shared.source;
        let (document, has_text) = self.record(sequence)?;
        if !has_text || sequence >= self.decided.first {
            return Ok(document);
        }
        let text = texts::read(source, &source.store.tried(self.to.open_table(TEXTS))?, sequence)?;
        Ok(StoredDocument { text: Some(text), ..document })
    }

    /// The metadata of the document of a sequence number.
    pub(crate) fn metadata(&self, sequence: u64) -> Result<Option<String>, IndexError> {
        Ok(self.record(sequence)?.0.metadata)
    }

    /// The document of a sequence number, of a stored one without its text, and whether it has one.
    fn record(&self, sequence: u64) -> Result<(StoredDocument, bool), IndexError> {
        let source = &self.shared.source;
        let damaged = || source.store.damaged(damaged(sequence));
        if let Some(at) = sequence.checked_sub(self.decided.first) {
            let inserted = self.decided.inserted.get(at as usize).and_then(Option::as_ref);
            let document = inserted.and_then(|new| new.document(source.scheme));
            return document.map(|document| (document, false)).ok_or_else(damaged);
        }
        let record = source.store.tried(self.documents.get(sequence))?;
        let record = record.as_ref().map(redb::AccessGuard::value);
        let view = record.and_then(|record| RecordView::of(source.scheme, sequence, record));
        let found = view.and_then(|view| Some((view.document()?, view.has_text())));
        let (mut document, has_text) = found.ok_or_else(damaged)?;
        if let Some(metadata) = self.decided.metadata.get(&sequence) {
            document.metadata.clone_from(metadata);
        }
        Ok((document, has_text))
    }

    /// The features of the document of a sequence number, of an index that keeps them.
    pub(crate) fn features(&self, sequence: u64) -> Result<KeptFeatures, IndexError> {
        let source = &self.shared.source;
        if let Some(at) = sequence.checked_sub(self.decided.first) {
            let inserted = self.decided.inserted.get(at as usize).and_then(Option::as_ref);
            let features = inserted.and_then(PreparedDocument::kept_features);
            return features.ok_or_else(|| source.store.damaged(damaged(sequence)));
        }
        features_of(source, &source.store.tried(self.to.open_table(FEATURES))?, sequence)
    }

    /// The ids of all documents in the plan that a filter allows.
    pub(crate) fn ids_where(&self, filter: &Filter) -> Result<Vec<DocumentId>, IndexError> {
        let source = &self.shared.source;
        let mut ids = Vec::new();
        let mut take = |document: StoredDocument| {
            if filter.allows(document.metadata.as_deref()) {
                ids.push(document.id);
            }
        };
        for row in source.store.tried(self.documents.iter())? {
            check()?;
            let (sequence, record) = source.store.tried(row)?;
            let sequence = sequence.value();
            let view = RecordView::of(source.scheme, sequence, record.value());
            let document = view.and_then(|view| view.document());
            let mut document = document.ok_or_else(|| source.store.damaged(damaged(sequence)))?;
            if self.layer.place(&document.id).is_none() {
                if let Some(metadata) = self.decided.metadata.get(&sequence) {
                    document.metadata.clone_from(metadata);
                }
                take(document);
            }
        }
        let new = self.decided.inserted.iter().flatten();
        new.filter_map(|new| new.document(source.scheme)).for_each(take);
        Ok(ids)
    }

    /// Adds captures without documents, and returns how many were not there.
    pub(crate) fn add_entries(&mut self, entries: Vec<CaptureEntry>) -> Result<u64, IndexError> {
        let table = EntryTable::open(&self.shared.source, self.to)?;
        let mut count = 0;
        for entry in entries {
            check()?;
            if !table.has(&entry, &self.documents)? {
                count += 1;
                self.decided.entries.push(entry);
            }
        }
        Ok(count)
    }

    /// Takes words that were counted of stored documents.
    pub(crate) fn take_words(&mut self, words: StoredWords) {
        self.decided.words.extend(words);
    }

    /// Makes a change part of the plan.
    pub(crate) fn absorb(&mut self, draft: Draft) -> Result<(), Error> {
        let Draft { inserted, removed, metadata, layer: Layer { changed, new }, .. } = draft;
        let source = &self.shared.source;
        let ChangeSet { first, inserted: all, removed: gone, metadata: altered, .. } =
            &mut self.decided;
        for (sequence, metadata) in metadata {
            match sequence.checked_sub(*first) {
                None => drop(altered.insert(sequence, metadata)),
                Some(at) => {
                    let new = all.get_mut(at as usize).and_then(Option::as_mut);
                    let changed = new.and_then(|new| new.set_metadata(source.scheme, metadata));
                    changed.ok_or_else(|| source.store.damaged(damaged(sequence)))?;
                }
            }
        }
        if let (Some(new), true) = (new, self.layer.changed.is_empty()) {
            self.layer.new = Some(new);
        } else if let Some(there) = &self.layer.new {
            for id in changed.keys() {
                there.remove(id)?;
            }
            for new in inserted.iter().flatten() {
                there.insert(&new.id, &new.fingerprint, OnDuplicate::Replace)?;
            }
        }
        all.extend(inserted);
        for sequence in removed {
            match sequence.checked_sub(*first) {
                None => gone.push(sequence),
                Some(at) => all[at as usize] = None,
            }
        }
        self.layer.changed.extend(changed);
        Ok(())
    }
}

impl Draft {
    /// Where an id leads, if this change changed it.
    pub(crate) fn place(&self, id: &DocumentId) -> Option<Option<u64>> {
        self.layer.place(id)
    }

    /// The document of a sequence number that this change inserted.
    pub(crate) fn inserted(&self, sequence: u64) -> Option<&PreparedDocument> {
        self.inserted.get(sequence.checked_sub(self.first)? as usize)?.as_ref()
    }

    /// What is within `k` of a fingerprint: `before`, as far as this change left it, and what is new.
    pub(crate) fn near(
        &self,
        before: Vec<IndexMatch>,
        print: &Fingerprint,
        k: u32,
    ) -> Result<Vec<IndexMatch>, Error> {
        let mut near = self.left(before);
        near.extend(self.layer.near(print, k)?);
        // Stable: what comes later was added later.
        near.sort_by_key(|near| near.distance);
        Ok(near)
    }

    /// What this change left as it was.
    pub(crate) fn left(&self, before: Vec<IndexMatch>) -> Vec<IndexMatch> {
        let mut left = before;
        left.retain(|near| self.layer.place(&near.id).is_none());
        left
    }

    /// Inserts a document, in place of that of a sequence number.
    pub(crate) fn insert(
        &mut self,
        document: PreparedDocument,
        replaced: Option<u64>,
    ) -> Result<(), Error> {
        if let Some(sequence) = replaced {
            self.remove(&document.id, sequence)?;
        }
        if let Some(new) = &self.layer.new {
            new.insert(&document.id, &document.fingerprint, OnDuplicate::Replace)?;
        }
        let sequence = self.first + self.inserted.len() as u64;
        self.layer.changed.insert(document.id.clone(), Some(sequence));
        self.inserted.push(Some(document));
        Ok(())
    }

    /// Gives a document that is there before this change other metadata.
    pub(crate) fn change_metadata(&mut self, sequence: u64, metadata: Option<String>) {
        self.metadata.push((sequence, metadata));
    }

    /// Removes the document of an id, which has this sequence number.
    pub(crate) fn remove(&mut self, id: &DocumentId, sequence: u64) -> Result<(), Error> {
        if let Some(new) = &self.layer.new {
            new.remove(id)?;
        }
        self.layer.changed.insert(id.clone(), None);
        match sequence.checked_sub(self.first) {
            Some(at) => self.inserted[at as usize] = None,
            None => self.removed.push(sequence),
        }
        Ok(())
    }
}
