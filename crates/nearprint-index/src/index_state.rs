//! An open index: its store, its tables and the right to write, as the index and its thread for merges share them.

use std::sync::{Mutex, MutexGuard, PoisonError, RwLockReadGuard};

use nearprint::IndexMatch;
use nearprint::fingerprint::Fingerprint;

use crate::IndexError;
use crate::lock::WriterLock;
use crate::store::header::Header;
use crate::store::recent_ids::{Recent, RecentIds};
use crate::store::source::{Source, View};
use crate::tables::table_print::Reach;
use crate::tables::table_set::TableSet;

/// What an index and its thread for merges share.
pub(crate) struct IndexState {
    pub(crate) source: Source,
    pub(crate) header: Header,
    pub(crate) tables: Box<dyn TableSet>,
    pub(crate) recent: Recent,
    /// The right to write; `None` where the index is open for reading.
    pub(crate) writer: Option<WriterLock>,
    /// Documents from which on a segment is written.
    pub(crate) fresh: u64,
    /// Why the last merge failed.
    pub(crate) merge_error: Mutex<Option<String>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Whoever panicked has left nothing half done: what is not committed is not there.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// Why the last merge failed; `None` where it did not.
    pub(crate) fn merge_error(&self) -> Option<String> {
        lock(&self.merge_error).clone()
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

    /// The documents within reach of each fingerprint, in the newest state of the store: the first `most` of them.
    pub(crate) fn near(
        &self,
        fingerprints: &[Fingerprint],
        reach: Reach,
        most: usize,
    ) -> Result<Vec<Vec<IndexMatch>>, IndexError> {
        Ok(self.answered(|view| self.tables.near(view, fingerprints, reach, most))?.1)
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
