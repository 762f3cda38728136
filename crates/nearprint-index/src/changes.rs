//! Changes of an index, from a caller's wish to one commit of the store.
//!
//! Changes wait in a queue ([`group`]), each decides in its turn what it does ([`plan`]), and all that they decided is
//! written here by one transaction.

mod capture_changes;
pub(crate) mod capture_words;
pub(crate) mod group;
pub(crate) mod plan;
pub(crate) mod prepared_document;

use std::collections::BTreeMap;
use std::sync::RwLockReadGuard;

use nearprint::records::DocumentId;
use redb::{ReadableTable, Table, WriteTransaction};

use crate::IndexError;
use crate::cancellation::check;
use crate::changes::plan::ChangeSet;
use crate::changes::prepared_document::PreparedDocument;
use crate::index_state::IndexState;
use crate::maintenance;
use crate::store::capture_entries::EntryTable;
use crate::store::capture_keys::{CaptureTables, capture_row};
use crate::store::recent_ids::{self, RecentIds};
use crate::store::record::{RecordView, damaged};
use crate::store::source::Source;
use crate::store::{DOCUMENTS, FEATURES, IDS, NEXT, REMOVED, SEGMENTS, STATE, TEXTS};
use crate::tables::removed_numbers::digest;

/// How many times as many documents as are looked through in memory have their ids in memory only.
const IDS_PER_FRESH: u64 = 4;

/// Writes what was decided and commits it.
pub(crate) fn write(
    shared: &IndexState,
    to: WriteTransaction,
    recent: RwLockReadGuard<'_, RecentIds>,
    decided: ChangeSet,
) -> Result<(), IndexError> {
    let source = &shared.source;
    let ChangeSet { first, inserted, mut removed, mut metadata, words, entries } = decided;
    removed.sort_unstable();
    metadata.retain(|sequence, _| removed.binary_search(sequence).is_err());
    let gone = take_out(source, &to, &recent, &removed)?;
    change_metadata(source, &to, metadata)?;
    drop(recent);
    let (mut came, mut words) = (Vec::new(), words);
    for (sequence, document) in (first..).zip(&inserted) {
        let Some(document) = document else { continue };
        came.extend(document.capture.as_ref().and_then(|capture| capture_row(sequence, capture)));
        words.extend(document.words.clone().map(|counted| (sequence, counted)));
    }
    if !inserted.is_empty() {
        insert(source, &to, first, inserted)?;
        recent_ids::write_ids(source, &to, shared.fresh * IDS_PER_FRESH)?;
        maintenance::write_fresh(shared, &to)?;
    }
    if !entries.is_empty() {
        EntryTable::open(source, &to)?.insert(&entries)?;
    }
    capture_changes::update(source, &to, (came, gone), words)?;
    source.commit(to, &removed)
}

/// Inserts documents with sequence numbers in their order from `first` on.
fn insert(
    source: &Source,
    to: &WriteTransaction,
    first: u64,
    mut documents: Vec<Option<PreparedDocument>>,
) -> Result<(), IndexError> {
    let store = &source.store;
    let mut records = store.tried(to.open_table(DOCUMENTS))?;
    let open = |table, is_kept: bool| is_kept.then(|| store.tried(to.open_table(table)));
    let mut features = open(FEATURES, source.keeps_features).transpose()?;
    let mut texts = open(TEXTS, source.keeps_texts).transpose()?;
    for (sequence, document) in (first..).zip(&mut documents) {
        check()?;
        let Some(document) = document else { continue };
        let record = document.record.sealed(sequence);
        store.tried(records.insert(sequence, record).map(drop))?;
        let large = [(&mut features, &mut document.features), (&mut texts, &mut document.text)];
        for (table, value) in large {
            if let Some((table, value)) = table.as_mut().zip(value.as_mut()) {
                store.tried(table.insert(sequence, value.sealed(sequence)).map(drop))?;
            }
        }
    }
    let captured = (first..).zip(&documents);
    let captured = captured.filter_map(|(sequence, document)| {
        document.as_ref()?.capture.as_ref().map(|capture| (sequence, capture))
    });
    if captured.clone().next().is_some() {
        CaptureTables::open(source, to)?.insert(source, captured.clone())?;
        let mut entries = EntryTable::open(source, to)?;
        for (sequence, capture) in captured {
            let document = documents.get((sequence - first) as usize).and_then(Option::as_ref);
            let details = document.and_then(|document| document.details.as_deref());
            if let Some(row) = capture_row(sequence, capture) {
                entries.remove_of(&row, capture, details)?;
            }
        }
    }
    let mut state = store.tried(to.open_table(STATE))?;
    store.tried(state.insert(NEXT, first + documents.len() as u64).map(drop))
}

/// Gives stored documents other metadata.
fn change_metadata(
    source: &Source,
    to: &WriteTransaction,
    metadata: BTreeMap<u64, Option<String>>,
) -> Result<(), IndexError> {
    if metadata.is_empty() {
        return Ok(());
    }
    let store = &source.store;
    let mut records = store.tried(to.open_table(DOCUMENTS))?;
    for (sequence, metadata) in metadata {
        check()?;
        let record = store.tried(records.get(sequence))?;
        let view = record
            .as_ref()
            .and_then(|record| RecordView::of(source.scheme, sequence, record.value()));
        let changed = view.and_then(|view| view.with_metadata(metadata.as_deref()));
        let mut changed = changed.ok_or_else(|| store.damaged(damaged(sequence)))?;
        drop(record);
        store.tried(records.insert(sequence, changed.sealed(sequence)).map(drop))?;
    }
    Ok(())
}

/// Takes documents out of the store by their sequence numbers, ascending, and notes them as removed from segments.
/// Returns the rows of those that were captures.
fn take_out(
    source: &Source,
    to: &WriteTransaction,
    recent: &RecentIds,
    sequences: &[u64],
) -> Result<Vec<Vec<u8>>, IndexError> {
    if sequences.is_empty() {
        return Ok(Vec::new());
    }
    let store = &source.store;
    for (table, is_kept) in [(FEATURES, source.keeps_features), (TEXTS, source.keeps_texts)] {
        if !is_kept {
            continue;
        }
        let mut table = store.tried(to.open_table(table))?;
        for &sequence in sequences {
            store.tried(table.remove(sequence).map(drop))?;
        }
    }
    let (mut ids, gone) = take_out_records(source, to, recent, sequences)?;
    // Ids in order go through the store's tree from one end to the other, each page once.
    ids.sort_unstable();
    let mut by_id = store.tried(to.open_table(IDS))?;
    for id in ids {
        store.tried(by_id.remove(id.as_str().as_bytes()).map(drop))?;
    }
    let mut segments: Table<'_, u64, &'static [u8]> = store.tried(to.open_table(SEGMENTS))?;
    let mut all = store.segments(&segments)?;
    for segment in &mut all {
        let from = sequences.partition_point(|&sequence| sequence < segment.first);
        let count = sequences[from..].partition_point(|&sequence| sequence < segment.end);
        if count > 0 {
            segment.removed = (segment.removed + count as u64).min(segment.entries);
            let digests = sequences[from..from + count].iter().map(|&sequence| digest(sequence));
            segment.removed_digest = digests.fold(segment.removed_digest, u64::wrapping_add);
            store.tried(segments.insert(segment.first, segment.encode().as_slice()).map(drop))?;
        }
    }
    Ok(gone)
}

/// Takes the records and the keys of captures out. Returns those ids that the table of ids has, and the rows of
/// captures.
fn take_out_records(
    source: &Source,
    to: &WriteTransaction,
    recent: &RecentIds,
    sequences: &[u64],
) -> Result<(Vec<DocumentId>, Vec<Vec<u8>>), IndexError> {
    let store = &source.store;
    let (mut ids, mut gone) = (Vec::new(), Vec::new());
    let mut records = store.tried(to.open_table(DOCUMENTS))?;
    let mut removed = store.tried(to.open_table(REMOVED))?;
    let mut captures = CaptureTables::open(source, to)?;
    for &sequence in sequences {
        check()?;
        let record = store.tried(records.remove(sequence))?;
        let missing = || store.damaged(format!("document number {sequence} is missing"));
        let record = record.ok_or_else(missing)?;
        let view = RecordView::of(source.scheme, sequence, record.value());
        let document = view.and_then(|view| view.document());
        let document = document.ok_or_else(|| store.damaged(damaged(sequence)))?;
        if let Some(capture) = &document.capture {
            captures.remove(source, sequence, capture)?;
            gone.extend(capture_row(sequence, capture));
        }
        store.tried(removed.insert(sequence, ()).map(drop))?;
        if recent.is_in_table(sequence) {
            ids.push(document.id);
        }
    }
    Ok((ids, gone))
}
