//! Writing and merging segments, in the background or not, and making all of them again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use nearprint::CaptureKey;
use redb::{ReadableTable, WriteTransaction};

use crate::IndexError;
use crate::cancellation::check;
use crate::index_state::IndexState;
use crate::policy::{self, LARGEST};
use crate::store::capture_keys::CaptureTables;
use crate::store::description::Description;
use crate::store::record::{RecordView, damaged};
use crate::store::rows::{AscendingNumbers, StoredRows};
use crate::store::source::Source;
use crate::store::{DOCUMENTS, NEXT, NEXT_FILE, REMOVED, SEGMENTS, STATE};
use crate::tables;
use crate::tables::table_set::TableSet;

/// Captures whose keys are sorted in memory at once.
const KEYS: usize = 1 << 20;

/// Writes documents that are in no segment into one, where there are enough of them, in the transaction that inserts
/// the last of them: whoever reads its state never has many to look through.
pub(crate) fn write_fresh(shared: &IndexState, to: &WriteTransaction) -> Result<(), IndexError> {
    let IndexState { source, tables, fresh, .. } = shared;
    let store = &source.store;
    let (first, next) = {
        let segments = store.segments(&store.tried(to.open_table(SEGMENTS))?)?;
        let state = store.tried(to.open_table(STATE))?;
        (segments.last().map_or(0, |last| last.end), store.state(&state, NEXT)?)
    };
    if next - first < *fresh {
        return Ok(());
    }
    let written = {
        let documents = store.tried(to.open_table(DOCUMENTS))?;
        write_range(source, &**tables, &documents, (first, next), &mut || new_file(source, to))?
    };
    let mut removed = store.tried(to.open_table(REMOVED))?;
    store.tried(removed.retain_in(first..next, |_, ()| false))?;
    name(source, to, &written)
}

/// Writes the segments of a range of sequence numbers.
fn write_range(
    source: &Source,
    tables: &dyn TableSet,
    documents: &impl ReadableTable<u64, &'static [u8]>,
    (first, end): (u64, u64),
    file: &mut dyn FnMut() -> Result<u64, IndexError>,
) -> Result<Vec<Description>, IndexError> {
    let mut written = Vec::new();
    let mut from = first;
    while from < end {
        let to = end.min(from + LARGEST);
        let rows = StoredRows { source, documents, range: (from, to) };
        written.push(tables.write(source, file()?, (from, to), &rows)?);
        from = to;
    }
    Ok(written)
}

/// The number of a new file of tables.
fn new_file(source: &Source, to: &WriteTransaction) -> Result<u64, IndexError> {
    let store = &source.store;
    let mut state = store.tried(to.open_table(STATE))?;
    let file = store.state(&state, NEXT_FILE)?;
    store.tried(state.insert(NEXT_FILE, file + 1).map(drop))?;
    Ok(file)
}

/// Makes the tables of addresses and payloads again.
fn write_captures(source: &Source, to: &WriteTransaction) -> Result<(), IndexError> {
    let store = &source.store;
    let mut tables = CaptureTables::open(source, to)?;
    tables.clear(source)?;
    let mut batch: Vec<(u64, CaptureKey)> = Vec::new();
    let mut write = |batch: &mut Vec<(u64, CaptureKey)>| {
        let rows = batch.iter().map(|(sequence, capture)| (*sequence, capture));
        tables.insert(source, rows)?;
        batch.clear();
        Ok::<_, IndexError>(())
    };
    for row in store.tried(store.tried(to.open_table(DOCUMENTS))?.iter())? {
        check()?;
        let (sequence, record) = store.tried(row)?;
        let sequence = sequence.value();
        let view = RecordView::of(source.scheme, sequence, record.value());
        let document = view.and_then(|view| view.document());
        let document = document.ok_or_else(|| store.damaged(damaged(sequence)))?;
        batch.extend(document.capture.map(|capture| (sequence, capture)));
        if batch.len() == KEYS {
            write(&mut batch)?;
        }
    }
    write(&mut batch)
}

/// Writes down segments.
fn name(source: &Source, to: &WriteTransaction, all: &[Description]) -> Result<(), IndexError> {
    let store = &source.store;
    let mut segments = store.tried(to.open_table(SEGMENTS))?;
    for segment in all {
        store.tried(segments.insert(segment.first, segment.encode().as_slice()).map(drop))?;
    }
    Ok(())
}

/// Merges segments until all are as the policy wants them. `stopped` is asked between merges.
pub(crate) fn merge_all(shared: &IndexState, stopped: &dyn Fn() -> bool) -> Result<(), IndexError> {
    shared.source.store.guarded(|| {
        while !stopped() && merge_once(shared)? {}
        Ok(())
    })
}

/// Merges some segments into one; `false` where none are to be merged. The new one is made from the store, so that it
/// has no removed documents and no damage of the old ones.
fn merge_once(shared: &IndexState) -> Result<bool, IndexError> {
    let IndexState { source, tables, .. } = shared;
    let store = &source.store;
    let at = store.begin_read()?;
    let before = store.segments(&store.tried(at.open_table(SEGMENTS))?)?;
    let Some(range) = policy::merge(&before) else { return Ok(false) };
    let old = &before[range];
    let span = (old[0].first, old[old.len() - 1].end);
    // The number of a file is never used again, even if writing the file fails.
    let file = {
        let to = store.begin_write()?;
        let file = new_file(source, &to)?;
        store.commit(to)?;
        file
    };
    let mut written = {
        let documents = store.tried(at.open_table(DOCUMENTS))?;
        let rows = StoredRows { source, documents: &documents, range: span };
        tables.write(source, file, span, &rows)?
    };
    let gone: Vec<u64> = {
        let removed = store.tried(at.open_table(REMOVED))?;
        let rows = store.tried(removed.range(span.0..span.1))?;
        let mut numbers = AscendingNumbers::within(span.0..span.1);
        let gone = rows.map(|row| numbers.next(store, store.tried(row)?.0.value()));
        gone.collect::<Result<_, IndexError>>()?
    };
    drop(at);
    let to = store.begin_write()?;
    {
        let mut segments = store.tried(to.open_table(SEGMENTS))?;
        let now = store.segments(&segments)?;
        for old in old {
            let Some(now) = now.iter().find(|now| now.file == old.file) else {
                // Somebody else made them again meanwhile.
                let path = written.path(&source.path);
                return std::fs::remove_file(&path).map_err(IndexError::io(&path)).map(|()| true);
            };
            // Those removed since are in the new segment.
            written.removed = (written.removed + now.removed - old.removed).min(written.entries);
            let digest = now.removed_digest.wrapping_sub(old.removed_digest);
            written.removed_digest = written.removed_digest.wrapping_add(digest);
        }
        for old in old {
            store.tried(segments.remove(old.first).map(drop))?;
        }
    }
    {
        let mut removed = store.tried(to.open_table(REMOVED))?;
        for sequence in gone {
            store.tried(removed.remove(sequence).map(drop))?;
        }
    }
    name(source, &to, &[written])?;
    source.commit(to, &[])?;
    shared.up_to_date()?;
    for old in old {
        // A process that reads may have it open; the next writer removes what is left.
        let _ = std::fs::remove_file(old.path(&source.path));
    }
    Ok(true)
}

/// Makes all tables of an index again from its documents, and commits that: those of fingerprints, and those of
/// addresses and payloads. Whatever files of tables were there before are removed.
pub(crate) fn rebuild(source: &Source, tables: &dyn TableSet) -> Result<(), IndexError> {
    let store = &source.store;
    store.guarded(|| {
        let to = store.begin_write()?;
        let next = store.state(&store.tried(to.open_table(STATE))?, NEXT)?;
        let written = {
            let documents = store.tried(to.open_table(DOCUMENTS))?;
            write_range(source, tables, &documents, (0, next), &mut || new_file(source, &to))?
        };
        let mut segments = store.tried(to.open_table(SEGMENTS))?;
        store.tried(segments.retain(|_, _| false))?;
        drop(segments);
        let mut removed = store.tried(to.open_table(REMOVED))?;
        store.tried(removed.retain(|_, ()| false))?;
        drop(removed);
        name(source, &to, &written)?;
        write_captures(source, &to)?;
        source.commit(to, &[])?;
        tables::remove_leavings(&source.path, &written)
    })
}

/// A thread that merges segments while its index is used.
pub(crate) struct BackgroundMerge {
    work: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
    stopped: Arc<AtomicBool>,
}

impl BackgroundMerge {
    pub(crate) fn start(shared: &Arc<IndexState>) -> Result<Self, IndexError> {
        let (work, wanted) = sync_channel(1);
        let stopped = Arc::new(AtomicBool::new(false));
        let (of_thread, stop) = (Arc::clone(shared), Arc::clone(&stopped));
        let thread = std::thread::Builder::new()
            .name("nearprint-merge".to_owned())
            .spawn(move || run(&of_thread, &stop, &wanted))
            .map_err(IndexError::io(&shared.source.path))?;
        let merging = Self { work: Some(work), thread: Some(thread), stopped };
        merging.wake();
        Ok(merging)
    }

    /// Has it look for segments to merge.
    pub(crate) fn wake(&self) {
        // Where it is full, the thread looks soon, and sees this change too.
        let _ = self.work.as_ref().map(|work| work.try_send(()));
    }
}

fn run(shared: &IndexState, stopped: &AtomicBool, wanted: &Receiver<()>) {
    while wanted.recv().is_ok() {
        shared.note_merge(merge_all(shared, &|| stopped.load(Ordering::Relaxed)));
    }
}

impl Drop for BackgroundMerge {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        self.work = None;
        if let Some(thread) = self.thread.take() {
            // It does not panic on purpose, and there is nobody to tell.
            let _ = thread.join();
        }
    }
}
