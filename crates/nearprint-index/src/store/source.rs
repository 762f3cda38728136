//! What the tables of an index are made of, and the state of it that a query is answered in.

use std::cell::OnceCell;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use nearprint::fingerprint::Scheme;
use redb::{ReadTransaction, WriteTransaction};

use crate::store::{CHANGES, STATE, Store};
use crate::{Header, IndexError};

/// What the tables of an index are made of.
pub(crate) struct Source {
    /// The directory of the index.
    pub(crate) path: PathBuf,
    pub(crate) store: Store,
    pub(crate) scheme: Scheme,
    /// What the files of the index have in common.
    pub(crate) id: u128,
    /// Whether the features of documents are kept.
    pub(crate) keeps_features: bool,
    /// Whether the texts of documents are kept.
    pub(crate) keeps_texts: bool,
    /// The newest state, which only the writing process knows without asking the store.
    pub(crate) newest: Option<Newest>,
}

/// The newest state of an index in the process that writes to it.
pub(crate) struct Newest {
    changes: AtomicU64,
    /// Sequence numbers of removed documents with the change that removed them, until the tables note them.
    removals: Mutex<Vec<(u64, u64)>>,
}

impl Newest {
    /// The newest state is the one after so many changes.
    pub(crate) fn new(changes: u64) -> Self {
        Self { changes: AtomicU64::new(changes), removals: Mutex::default() }
    }

    fn removals(&self) -> MutexGuard<'_, Vec<(u64, u64)>> {
        self.removals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The documents that changes up to this one removed, each handed out once.
    pub(crate) fn take_removals(&self, changes: u64) -> Vec<u64> {
        let mut removals = self.removals();
        let taken = removals.extract_if(.., |(change, _)| *change <= changes);
        taken.map(|(_, sequence)| sequence).collect()
    }
}

impl Source {
    /// What the tables of an index of this header are made of; whoever writes adds the newest state.
    pub(crate) fn new(path: PathBuf, store: Store, header: &Header) -> Self {
        let (keeps_features, keeps_texts) = (header.features.is_some(), header.texts);
        let Header { scheme, id, .. } = *header;
        Self { path, store, scheme, id, keeps_features, keeps_texts, newest: None }
    }

    /// Counts a change, which removed documents of these sequence numbers, and commits it. On return it is on the disk,
    /// and the next query sees it.
    pub(crate) fn commit(&self, to: WriteTransaction, removed: &[u64]) -> Result<(), IndexError> {
        let store = &self.store;
        let changes = {
            let mut state = store.tried(to.open_table(STATE))?;
            let changes = store.state(&state, CHANGES)? + 1;
            store.tried(state.insert(CHANGES, changes).map(drop))?;
            changes
        };
        let Some(newest) = &self.newest else { return store.commit(to) };
        // Before the commit: a query that sees the new state finds what it removed.
        newest.removals().extend(removed.iter().map(|&sequence| (changes, sequence)));
        let committed = store.commit(to);
        match &committed {
            // Another thread may have committed the next change already.
            Ok(()) => drop(newest.changes.fetch_max(changes, Ordering::AcqRel)),
            Err(_) => newest.removals().retain(|(change, _)| *change != changes),
        }
        committed
    }
}

/// One state of an index.
pub(crate) struct View<'s> {
    pub(crate) source: &'s Source,
    /// The number of changes that made it.
    pub(crate) changes: u64,
    transaction: OnceCell<ReadTransaction>,
}

impl<'s> View<'s> {
    /// The newest state.
    pub(crate) fn newest(source: &'s Source) -> Result<Self, IndexError> {
        let transaction = OnceCell::new();
        let changes = match &source.newest {
            Some(newest) => newest.changes.load(Ordering::Acquire),
            None => {
                let at = source.store.begin_read()?;
                let changes = changes(source, &at)?;
                // The cell is empty.
                let _ = transaction.set(at);
                changes
            }
        };
        Ok(Self { source, changes, transaction })
    }

    /// A transaction that reads the store in this state; `None` where the store is in a newer one by now.
    pub(crate) fn transaction(&self) -> Result<Option<&ReadTransaction>, IndexError> {
        if let Some(at) = self.transaction.get() {
            return Ok(Some(at));
        }
        let at = self.source.store.begin_read()?;
        let found = changes(self.source, &at)?;
        if found == self.changes {
            return Ok(Some(self.transaction.get_or_init(|| at)));
        }
        // Another thread has committed, and may not have said so yet.
        if let Some(newest) = &self.source.newest {
            newest.changes.fetch_max(found, Ordering::AcqRel);
        }
        Ok(None)
    }

    /// The transaction, where one was asked for.
    pub(crate) fn into_transaction(self) -> Option<ReadTransaction> {
        self.transaction.into_inner()
    }

    /// Whether the store is in a newer state by now.
    pub(crate) fn is_outdated(&self) -> Result<bool, IndexError> {
        Ok(changes(self.source, &self.source.store.begin_read()?)? > self.changes)
    }
}

/// The number of changes that made a state of the store.
pub(crate) fn changes(source: &Source, at: &ReadTransaction) -> Result<u64, IndexError> {
    let store = &source.store;
    store.state(&store.tried(at.open_table(STATE))?, CHANGES)
}
