//! Comparing everything with everything: what is hurt, by name.

use std::collections::HashSet;

use redb::{ReadableTable, ReadableTableMetadata};

use crate::IndexError;
use crate::cancellation::check;
use crate::store::capture_entries::damaged_entries;
use crate::store::capture_keys::CheckedCaptures;
use crate::store::kept_features::FeatureTable;
use crate::store::record::{RecordView, damaged};
use crate::store::rows::StoredRows;
use crate::store::source::Source;
use crate::store::texts::TextTable;
use crate::store::{DOCUMENTS, FEATURES, IDS, INDEXED, NEXT, REMOVED, SEGMENTS, STATE};
use crate::tables::removed_numbers::RemovedNumbers;
use crate::tables::table_set::TableSet;

/// What was compared, and what was found to be wrong.
#[derive(Debug, Default)]
pub struct VerifyReport {
    /// Documents in the store.
    pub documents: u64,
    /// Files of tables.
    pub segments: u64,
    /// What is wrong; nothing where the index is whole.
    pub problems: Vec<IndexError>,
}

/// Verifies a whole index.
pub(crate) fn all(source: &Source, tables: &dyn TableSet) -> Result<VerifyReport, IndexError> {
    let mut verified = VerifyReport::default();
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
fn store(source: &Source, verified: &mut VerifyReport) -> Result<(), IndexError> {
    let Source { store, scheme, .. } = source;
    let at = store.begin_read()?;
    let documents = store.tried(at.open_table(DOCUMENTS))?;
    let ids = store.tried(at.open_table(IDS))?;
    let (indexed, next) = {
        let state = store.tried(at.open_table(STATE))?;
        (store.state(&state, INDEXED)?, store.state(&state, NEXT)?)
    };
    let segments = store.segments(&store.tried(at.open_table(SEGMENTS))?)?;
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
        // Those after the last file of tables are compared one by one.
        let after = segments.partition_point(|segment| segment.end <= sequence);
        if segments.get(after).is_some_and(|segment| sequence < segment.first) {
            problem(format!("document number {sequence} is in no file of tables"));
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
    let damaged = damaged_entries(source, &at)?;
    if damaged > 0 {
        problem(format!("{damaged} captures without a document are damaged"));
    }
    if features.is_none() && !store.tried(store.tried(at.open_table(FEATURES))?.is_empty())? {
        problem("there are features, which the header does not name".to_owned());
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
    verified: &mut VerifyReport,
) -> Result<(), IndexError> {
    let Source { store, .. } = source;
    let at = store.begin_read()?;
    let documents = store.tried(at.open_table(DOCUMENTS))?;
    let removed = store.tried(at.open_table(REMOVED))?;
    for described in store.segments(&store.tried(at.open_table(SEGMENTS))?)? {
        check()?;
        verified.segments += 1;
        let range = (described.first, described.end);
        // A page whose count is damaged hides documents, whose ids need not be in the table of ids yet.
        let mut documents_held = 0;
        for row in store.tried(documents.range(range.0..range.1))? {
            store.tried(row)?;
            documents_held += 1;
        }
        let expected = described.entries - described.removed;
        if documents_held != expected {
            verified.problems.push(store.damaged(format!(
                "there are {documents_held} documents of the {expected} in a file of tables"
            )));
        }
        if let Err(error) = RemovedNumbers::all(store, &removed, &described) {
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
