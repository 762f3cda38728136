//! Comparing everything with everything: what is hurt, by name.

use std::collections::HashSet;

use nearprint::records::DocumentId;
use nearprint::search::{QuerySegment, SegmentArrays};
use redb::ReadableTable;

use crate::IndexError;
use crate::cancelling::check;
use crate::captures::CheckedCaptures;
use crate::kept::FeatureTable;
use crate::record::{RecordView, damaged};
use crate::removed::Removed;
use crate::rows::{Rows, StoredRows};
use crate::segment::Word;
use crate::source::Source;
use crate::store::{DOCUMENTS, IDS, INDEXED, NEXT, REMOVED, SEGMENTS, STATE};
use crate::tables::TableSet;
use crate::texts::TextTable;

/// What is wrong with a segment.
pub(crate) enum Problem {
    /// It is not what the store has.
    Differs(String),
    /// The store could not be read.
    Unread(IndexError),
}

/// What was compared, and what was found to be wrong.
#[derive(Debug, Default)]
pub struct Verified {
    /// Documents in the store.
    pub documents: u64,
    /// Files of tables.
    pub segments: u64,
    /// What is wrong; nothing where the index is whole.
    pub problems: Vec<IndexError>,
}

/// Compares a segment, all of whose blocks fit their checksums, with the documents that are in the store: each must be
/// in it. Removed documents may be in it too.
pub(crate) fn compare<W: Word>(
    arrays: SegmentArrays<'_, W>,
    documents: &[(u64, DocumentId)],
    rows: &dyn Rows,
) -> Result<(), Problem> {
    let differs = |detail: &str| Err(Problem::Differs(detail.to_owned()));
    let mut prints = vec![W::default(); documents.len()];
    let mut named = vec![false; documents.len()];
    for (&word, &document) in arrays.fingerprints(0).iter().zip(arrays.documents()) {
        match named.get_mut(document as usize).map(|named| std::mem::replace(named, true)) {
            Some(false) => prints[document as usize] = word,
            _ => return differs("its tables do not name each document once"),
        }
    }
    if !documents.is_sorted_by(|a, b| a.0 < b.0) {
        return differs("its sequence numbers are not in order");
    }
    let mut rest = documents.iter().zip(&prints);
    let mut lacks = false;
    let visited = rows.visit(&mut |row| {
        let found = rest.find(|((sequence, _), _)| *sequence >= row.sequence);
        lacks |= !found.is_some_and(|((sequence, id), &print)| {
            *sequence == row.sequence && id.as_str() == row.id && print == W::of(row.word)
        });
        Ok(())
    });
    visited.map_err(Problem::Unread)?;
    if lacks {
        return differs(
            "it lacks a document of the store, or has another fingerprint or id for it",
        );
    }
    let entries: Vec<u32> = (0..prints.len() as u32).collect();
    let built = QuerySegment::build(&prints, &entries)
        .map_err(|error| Problem::Differs(error.to_string()))?;
    let built = built.arrays();
    let same = built.bits() == arrays.bits()
        && (0..SegmentArrays::<W>::TABLES).all(|table| {
            built.directory(table) == arrays.directory(table)
                && built.fingerprints(table) == arrays.fingerprints(table)
        });
    match same {
        true => Ok(()),
        false => differs("its tables are not those of its fingerprints"),
    }
}

/// Verifies a whole index.
pub(crate) fn all(source: &Source, tables: &dyn TableSet) -> Result<Verified, IndexError> {
    let mut verified = Verified::default();
    let found = source.store.guarded(|| {
        store(source, &mut verified)?;
        segments(source, tables, &mut verified)
    });
    // A store that cannot be read any further is a finding too.
    match found {
        Ok(()) => {}
        Err(IndexError::Cancelled) => return Err(IndexError::Cancelled),
        Err(error) => verified.problems.push(error),
    }
    Ok(verified)
}

/// Every record, and the way from each id to its record and back.
fn store(source: &Source, verified: &mut Verified) -> Result<(), IndexError> {
    let Source { store, scheme, .. } = source;
    let at = store.begin_read()?;
    let documents = store.tried(at.open_table(DOCUMENTS))?;
    let ids = store.tried(at.open_table(IDS))?;
    let (indexed, next) = {
        let state = store.tried(at.open_table(STATE))?;
        (store.state(&state, INDEXED)?, store.state(&state, NEXT)?)
    };
    let features = FeatureTable::open(source, &at)?;
    let (texts, mut with_text) = (TextTable::open(source, &at)?, 0);
    let mut captures = CheckedCaptures::open(source, &at)?;
    let mut recent: HashSet<String> = HashSet::new();
    let mut problem = |detail: String| verified.problems.push(store.damaged(detail));
    for row in store.tried(documents.iter())? {
        check()?;
        let (sequence, record) = store.tried(row)?;
        let sequence = sequence.value();
        verified.documents += 1;
        let view = RecordView::of(*scheme, sequence, record.value());
        let Some(document) = view.and_then(|view| view.document()) else {
            problem(damaged(sequence));
            continue;
        };
        if !captures.has(sequence, &document)? {
            problem(format!("the capture {} is not found by its address or payload", document.id));
        }
        let named = store.tried(ids.get(document.id.as_str().as_bytes()))?;
        let named = named.map(|named| named.value());
        let leads = match sequence < indexed {
            true => named == Some(sequence),
            false => named.is_none() && recent.insert(document.id.as_str().to_owned()),
        };
        if !leads {
            problem(format!("the id {} does not lead to its document", document.id));
        }
        if store.tried(documents.get(sequence))?.is_none() || sequence >= next {
            problem(format!("document number {sequence} is not found by its number"));
        }
        if let Some(Err(error)) = features.as_ref().map(|features| features.get(sequence)) {
            problem(error.to_string());
        }
        if view.is_some_and(|view| view.has_text()) {
            with_text += 1;
            if let Some(Err(error)) = texts.as_ref().map(|texts| texts.get(sequence)) {
                problem(error.to_string());
            }
        }
    }
    if !captures.are_all()? {
        problem("addresses or payloads lead to no document".to_owned());
    }
    let kept = features.map(|features| features.len()).transpose()?;
    if kept.is_some_and(|kept| kept != verified.documents) {
        problem(format!("there are not as many features as documents ({})", verified.documents));
    }
    let kept = texts.map(|texts| texts.len()).transpose()?.unwrap_or(0);
    if kept != with_text {
        problem(format!("there are {kept} texts of {with_text} documents that have one"));
    }
    let mut named = 0;
    for row in store.tried(ids.iter())? {
        check()?;
        let (_, sequence) = store.tried(row)?;
        named += 1;
        if store.tried(documents.get(sequence.value()))?.is_none() {
            problem(format!(
                "an id leads to document number {}, which is missing",
                sequence.value()
            ));
        }
    }
    let expected = verified.documents - recent.len() as u64;
    if named != expected {
        problem(format!("there are {named} ids of {expected} documents"));
    }
    Ok(())
}

/// Every file of tables.
fn segments(
    source: &Source,
    tables: &dyn TableSet,
    verified: &mut Verified,
) -> Result<(), IndexError> {
    let Source { store, .. } = source;
    let at = store.begin_read()?;
    let documents = store.tried(at.open_table(DOCUMENTS))?;
    let removed = store.tried(at.open_table(REMOVED))?;
    for described in store.segments(&store.tried(at.open_table(SEGMENTS))?)? {
        check()?;
        verified.segments += 1;
        let range = (described.first, described.end);
        if let Err(error) = Removed::all(store, &removed, &described) {
            verified.problems.push(error);
        }
        let rows = StoredRows { source, documents: &documents, range };
        let Err(error) = tables.verify(source, described, &rows) else { continue };
        check()?;
        // A process that writes may have merged it meanwhile, and removed its file.
        let now = store.begin_read()?;
        let named = store.segments(&store.tried(now.open_table(SEGMENTS))?)?;
        if named.iter().any(|named| named.file == described.file) {
            verified.problems.push(error);
        }
    }
    Ok(())
}
