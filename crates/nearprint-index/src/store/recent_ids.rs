//! Ids of the newest documents, in memory: the store's table of ids gets them in large batches.
//!
//! Ids come in no order, so that each one written to the table rewrites a page of its own. Many at a time, in their
//! order, share pages. Until then the documents are the only record of their ids, and are read once to learn them.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use redb::{ReadTransaction, ReadableTable, WriteTransaction};

use crate::IndexError;
use crate::store::rows::{Rows, StoredRows};
use crate::store::source::{Source, View, changes};
use crate::store::{DOCUMENTS, IDS, INDEXED, NEXT, STATE};

/// The ids of the documents from a sequence number on, in one state of the store.
#[derive(Default)]
pub(crate) struct Recent(RwLock<RecentIds>);

#[derive(Default)]
pub(crate) struct RecentIds {
    changes: Option<u64>,
    /// The first sequence number of which the id is not in the table.
    from: u64,
    /// The first one that is not in `ids`.
    seen: u64,
    /// The newest sequence number of each id. Its document may have been removed.
    ids: BTreeMap<Box<str>, u64>,
}

impl Recent {
    /// The ids in a state of the store; `None` where it can no longer be read.
    pub(crate) fn at(
        &self,
        view: &View<'_>,
    ) -> Result<Option<RwLockReadGuard<'_, RecentIds>>, IndexError> {
        loop {
            let ids = self.0.read().unwrap_or_else(PoisonError::into_inner);
            if ids.changes > Some(view.changes) {
                return Ok(None);
            }
            if ids.changes == Some(view.changes) {
                return Ok(Some(ids));
            }
            drop(ids);
            let Some(at) = view.transaction()? else { return Ok(None) };
            self.refresh(view.source, at)?;
        }
    }

    fn refresh(&self, source: &Source, at: &ReadTransaction) -> Result<(), IndexError> {
        let store = &source.store;
        let changes = changes(source, at)?;
        let mut held = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if held.changes >= Some(changes) {
            return Ok(());
        }
        let (from, next) = {
            let state = store.tried(at.open_table(STATE))?;
            (store.state(&state, INDEXED)?, store.state(&state, NEXT)?)
        };
        let documents = store.tried(at.open_table(DOCUMENTS))?;
        let first = if held.from == from { held.seen } else { from };
        let mut added: Vec<(Box<str>, u64)> = Vec::new();
        StoredRows { source, documents: &documents, range: (first, next) }.visit(&mut |row| {
            added.push((row.id.into(), row.sequence));
            Ok(())
        })?;
        // Nothing fails from here on.
        if held.from != from {
            held.ids.clear();
        }
        held.ids.extend(added);
        (held.from, held.seen, held.changes) = (from, next, Some(changes));
        Ok(())
    }
}

impl RecentIds {
    /// The sequence number of a document by its id, which the table of ids need not have yet.
    pub(crate) fn find(
        &self,
        source: &Source,
        (ids, documents): (
            &impl ReadableTable<&'static [u8], u64>,
            &impl ReadableTable<u64, &'static [u8]>,
        ),
        id: &str,
    ) -> Result<Option<u64>, IndexError> {
        let store = &source.store;
        if let Some(&sequence) = self.ids.get(id)
            && store.tried(documents.get(sequence))?.is_some()
        {
            return Ok(Some(sequence));
        }
        Ok(store.tried(ids.get(id.as_bytes()))?.map(|sequence| sequence.value()))
    }

    /// The ids from one on in their order, with sequence numbers, whose documents may have been removed.
    pub(crate) fn from<'r>(&'r self, from: Bound<&str>) -> impl Iterator<Item = (&'r str, u64)> {
        let rows = self.ids.range::<str, _>((from, Bound::Unbounded));
        rows.map(|(id, &sequence)| (&**id, sequence))
    }

    /// Whether the table of ids has the id of a document.
    pub(crate) fn is_in_table(&self, sequence: u64) -> bool {
        sequence < self.from
    }
}

/// Puts the ids of the newest documents into the table, where there are `enough` of them, in a transaction that has
/// inserted documents.
pub(crate) fn write_ids(
    source: &Source,
    to: &WriteTransaction,
    enough: u64,
) -> Result<(), IndexError> {
    let store = &source.store;
    let mut state = store.tried(to.open_table(STATE))?;
    let (from, next) = (store.state(&state, INDEXED)?, store.state(&state, NEXT)?);
    if next - from < enough {
        return Ok(());
    }
    let mut rows: Vec<(Box<str>, u64)> = Vec::new();
    {
        let documents = store.tried(to.open_table(DOCUMENTS))?;
        StoredRows { source, documents: &documents, range: (from, next) }.visit(&mut |row| {
            rows.push((row.id.into(), row.sequence));
            Ok(())
        })?;
    }
    // Ids in order go through the table's tree from one end to the other, each page once.
    rows.sort_unstable();
    let mut ids = store.tried(to.open_table(IDS))?;
    for (id, sequence) in rows {
        store.tried(ids.insert(id.as_bytes(), sequence).map(drop))?;
    }
    store.tried(state.insert(INDEXED, next).map(drop))
}
