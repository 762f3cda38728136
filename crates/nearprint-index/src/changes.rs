//! Insertions and removals, as transactions of the store do them.

use nearprint::fingerprint::Family;
use nearprint::records::DocumentId;
use nearprint::{Error, InsertCounts, OnDuplicate};
use redb::{Table, WriteTransaction};

use crate::IndexError;
use crate::cancelling::check;
use crate::captures::CaptureTables;
use crate::recent::RecentIds;
use crate::record::{RecordView, StoredDocument, damaged};
use crate::removed::digest;
use crate::source::Source;
use crate::store::{DOCUMENTS, FEATURES, IDS, NEXT, REMOVED, SEGMENTS, STATE};

/// Inserts documents in a transaction, and returns also the sequence numbers of those that were replaced. They get
/// sequence numbers in their order, those that are left out included.
pub(crate) fn insert(
    source: &Source,
    to: &WriteTransaction,
    recent: &RecentIds,
    documents: &[StoredDocument],
    on_duplicate: OnDuplicate,
) -> Result<(InsertCounts, Vec<u64>), Error> {
    let store = &source.store;
    let mut state = store.tried(to.open_table(STATE))?;
    let next = store.state(&state, NEXT)?;
    let mut ids = store.tried(to.open_table(IDS))?;
    let mut records = store.tried(to.open_table(DOCUMENTS))?;
    // Ids in order go through the store's tree from one end to the other, each page once.
    let mut order: Vec<usize> = (0..documents.len()).collect();
    order.sort_by(|&a, &b| documents[a].id.cmp(&documents[b].id));
    let mut counts = InsertCounts::default();
    let mut refused: Option<usize> = None;
    let mut left_out = vec![false; documents.len()];
    let mut replaced: Vec<u64> = Vec::new();
    // The document of the id before, if any.
    let mut before: Option<(&DocumentId, u64)> = None;
    for at in order {
        check()?;
        let id = &documents[at].id;
        let sequence = next + at as u64;
        let there = match before {
            Some((same, there)) if same == id => Some(there),
            _ => recent.find(source, (&ids, &records), id.as_str())?,
        };
        before = Some((id, there.unwrap_or(sequence)));
        match (there, on_duplicate) {
            (None, _) => counts.added += 1,
            (Some(_), OnDuplicate::Refuse) => {
                refused = Some(refused.map_or(at, |before| before.min(at)));
            }
            (Some(_), OnDuplicate::Skip) => {
                left_out[at] = true;
                counts.skipped += 1;
            }
            (Some(old), OnDuplicate::Replace) => {
                counts.replaced += 1;
                before = Some((id, sequence));
                match old.checked_sub(next) {
                    Some(earlier) => left_out[earlier as usize] = true,
                    None => {
                        replaced.push(old);
                        if recent.is_in_table(old) {
                            store.tried(ids.remove(id.as_str().as_bytes()).map(drop))?;
                        }
                    }
                }
            }
        }
    }
    if let Some(at) = refused {
        return Err(Error::DuplicateId { id: documents[at].id.clone() });
    }
    let mut features = match source.keeps_features {
        true => Some(store.tried(to.open_table(FEATURES))?),
        false => None,
    };
    let mut record = Vec::new();
    for (at, document) in documents.iter().enumerate() {
        check()?;
        if !left_out[at] {
            let sequence = next + at as u64;
            document.encode(sequence, &mut record);
            store.tried(records.insert(sequence, record.as_slice()).map(drop))?;
            if let Some((table, kept)) = features.as_mut().zip(document.features.as_ref()) {
                kept.encode(sequence, &mut record);
                store.tried(table.insert(sequence, record.as_slice()).map(drop))?;
            }
        }
    }
    drop(features);
    let captured = documents.iter().enumerate().filter(|&(at, _)| !left_out[at]);
    let captured = captured.filter_map(|(at, document)| {
        document.capture.as_ref().map(|capture| (next + at as u64, capture))
    });
    if captured.clone().next().is_some() {
        CaptureTables::open(source, to)?.insert(source, captured)?;
    }
    replaced.sort_unstable();
    take_out(source, to, &mut records, &replaced)?;
    store.tried(state.insert(NEXT, next + documents.len() as u64).map(drop))?;
    Ok((counts, replaced))
}

/// Removes documents in a transaction and returns their sequence numbers.
pub(crate) fn remove(
    source: &Source,
    to: &WriteTransaction,
    recent: &RecentIds,
    ids: &[DocumentId],
) -> Result<Vec<u64>, IndexError> {
    let store = &source.store;
    let mut by_id = store.tried(to.open_table(IDS))?;
    let mut records = store.tried(to.open_table(DOCUMENTS))?;
    let mut sequences = Vec::new();
    for id in ids {
        check()?;
        let Some(sequence) = recent.find(source, (&by_id, &records), id.as_str())? else {
            continue;
        };
        if recent.is_in_table(sequence) {
            store.tried(by_id.remove(id.as_str().as_bytes()).map(drop))?;
        }
        sequences.push(sequence);
    }
    sequences.sort_unstable();
    // An id may be given twice.
    sequences.dedup();
    take_out(source, to, &mut records, &sequences)?;
    Ok(sequences)
}

/// Takes documents out of the store by their sequence numbers, ascending, and notes them as removed from segments.
fn take_out(
    source: &Source,
    to: &WriteTransaction,
    records: &mut Table<'_, u64, &'static [u8]>,
    sequences: &[u64],
) -> Result<(), IndexError> {
    let store = &source.store;
    if source.keeps_features {
        let mut features = store.tried(to.open_table(FEATURES))?;
        for &sequence in sequences {
            store.tried(features.remove(sequence).map(drop))?;
        }
    }
    let mut removed = store.tried(to.open_table(REMOVED))?;
    let mut captures = CaptureTables::open(source, to)?;
    for &sequence in sequences {
        check()?;
        {
            let Some(record) = store.tried(records.remove(sequence))? else {
                return Err(store.damaged(format!("document number {sequence} is missing")));
            };
            let view = RecordView::of(source.scheme, sequence, record.value());
            let document = view.and_then(|view| view.document());
            let document = document.ok_or_else(|| store.damaged(damaged(sequence)))?;
            if let Some(capture) = &document.capture {
                captures.remove(source, sequence, capture)?;
            }
        }
        if source.scheme.family() != Family::Sketch {
            store.tried(removed.insert(sequence, ()).map(drop))?;
        }
    }
    if sequences.is_empty() {
        return Ok(());
    }
    let mut segments = store.tried(to.open_table(SEGMENTS))?;
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
    Ok(())
}
