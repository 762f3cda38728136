//! How much captures changed since those before them: computed when they are written, and again where a commit puts
//! another capture before them, so that nobody who looks at captures compares texts.

use std::collections::BTreeSet;
use std::ops::Bound;
use std::sync::Arc;

use redb::{ReadableTable, Table, WriteTransaction};

use crate::IndexError;
use crate::cancellation::check;
use crate::changes::capture_words::{StoredWords, TextWords};
use crate::store::capture_details::CaptureChange;
use crate::store::capture_keys::{address_bounds, sequence_of};
use crate::store::parts::Parts;
use crate::store::record::{RecordView, damaged};
use crate::store::source::Source;
use crate::store::texts::StoredText;
use crate::store::{CAPTURES, DOCUMENTS, TEXTS};

/// Texts whose words are in memory at once (<=), beside those that were counted before.
const MOST_TEXTS: usize = 16;

/// The tables of captures, their documents and texts in a transaction that changes them.
struct CaptureTexts<'t> {
    source: &'t Source,
    captures: Table<'t, &'static [u8], ()>,
    documents: Table<'t, u64, &'static [u8]>,
    texts: Option<Table<'t, u64, &'static [u8]>>,
    counted: StoredWords,
    /// Words of texts that were counted here, the newest last.
    recent: Vec<(u64, Option<Arc<TextWords>>)>,
}

/// Brings the changes up to date after captures came to these rows and went from those. `counted` are words that are
/// known already, by sequence numbers.
///
/// O(log n) for each row, and the time of dividing texts into words where they changed.
pub(crate) fn update(
    source: &Source,
    to: &WriteTransaction,
    (inserted, removed): (Vec<Vec<u8>>, Vec<Vec<u8>>),
    counted: StoredWords,
) -> Result<(), IndexError> {
    if inserted.is_empty() && removed.is_empty() {
        return Ok(());
    }
    let store = &source.store;
    let texts = source.keeps_texts.then(|| store.tried(to.open_table(TEXTS))).transpose()?;
    let mut tables = CaptureTexts {
        source,
        captures: store.tried(to.open_table(CAPTURES))?,
        documents: store.tried(to.open_table(DOCUMENTS))?,
        texts,
        counted,
        recent: Vec::new(),
    };
    // In order, so that neighbours come one after the other.
    let mut affected = BTreeSet::new();
    for row in inserted.iter().chain(&removed) {
        check()?;
        affected.extend(tables.after(row)?);
    }
    affected.extend(inserted);
    for row in affected {
        check()?;
        tables.update(&row)?;
    }
    Ok(())
}

impl CaptureTexts<'_> {
    /// The capture after a row, of the same address.
    fn after(&self, row: &[u8]) -> Result<Option<Vec<u8>>, IndexError> {
        let store = &self.source.store;
        let (_, end) = address_bounds(row);
        let range = (Bound::Excluded(row), Bound::Excluded(end.as_slice()));
        let next = store.tried(self.captures.range::<&[u8]>(range))?.next();
        Ok(store.tried(next.transpose())?.map(|(row, _)| row.value().to_vec()))
    }

    /// The sequence number of the capture before a row, of the same address.
    fn before(&self, row: &[u8]) -> Result<Option<u64>, IndexError> {
        let store = &self.source.store;
        let (start, _) = address_bounds(row);
        let range = (Bound::Included(start.as_slice()), Bound::Excluded(row));
        let last = store.tried(self.captures.range::<&[u8]>(range))?.next_back();
        Ok(store.tried(last.transpose())?.map(|(row, _)| sequence_of(row.value())))
    }

    /// Writes the change of the capture of a row, unless it is there already.
    fn update(&mut self, row: &[u8]) -> Result<(), IndexError> {
        let sequence = sequence_of(row);
        let change = match self.before(row)? {
            Some(before) => Some(self.change(before, sequence)?),
            None => None,
        };
        let store = &self.source.store;
        let record = store.tried(self.documents.get(sequence))?;
        let view = record
            .as_ref()
            .and_then(|record| RecordView::of(self.source.scheme, sequence, record.value()));
        let view = view.ok_or_else(|| store.damaged(damaged(sequence)))?;
        if view.change() == change {
            return Ok(());
        }
        let changed = view.with_change(change);
        let mut changed = changed.ok_or_else(|| store.damaged(damaged(sequence)))?;
        drop(record);
        store.tried(self.documents.insert(sequence, changed.sealed(sequence)).map(drop))
    }

    /// What changed from one document to another.
    fn change(&mut self, before: u64, after: u64) -> Result<CaptureChange, IndexError> {
        let (one, other) = (self.record(before)?, self.record(after)?);
        let distance = one.0.distance(&other.0).unwrap_or(u32::MAX);
        let unknown = CaptureChange { distance, text: None, main_content: None };
        if !(one.1 && other.1) {
            return Ok(unknown);
        }
        if distance == 0 && self.has_same_text(before, after)? {
            return Ok(CaptureChange { text: Some(0), main_content: Some(0), ..unknown });
        }
        let (one, other) = (self.words(before)?, self.words(after)?);
        Ok(one.zip(other).map_or(unknown, |(one, other)| {
            let (text, main_content) = other.change_from(&one);
            CaptureChange { distance, text: Some(text), main_content: Some(main_content) }
        }))
    }

    /// The fingerprint of a document, and whether it has a text.
    fn record(
        &self,
        sequence: u64,
    ) -> Result<(nearprint::fingerprint::Fingerprint, bool), IndexError> {
        let store = &self.source.store;
        let record = store.tried(self.documents.get(sequence))?;
        let view = record
            .as_ref()
            .and_then(|record| RecordView::of(self.source.scheme, sequence, record.value()));
        let found = view.and_then(|view| Some((view.fingerprint()?, view.has_text())));
        found.ok_or_else(|| store.damaged(damaged(sequence)))
    }

    /// Whether two documents have texts of the same bytes, with the same main content: most captures did not change.
    fn has_same_text(&self, one: u64, other: u64) -> Result<bool, IndexError> {
        let Some(texts) = &self.texts else { return Ok(false) };
        let store = &self.source.store;
        let (a, b) = (store.tried(texts.get(one))?, store.tried(texts.get(other))?);
        let (Some(a), Some(b)) = (a, b) else { return Ok(false) };
        let (a, b) = (Parts::of(one, a.value()), Parts::of(other, b.value()));
        let same = a.map(Parts::bytes).zip(b.map(Parts::bytes));
        Ok(same.is_some_and(|(a, b)| a == b))
    }

    /// The words of the text of a document; `None` where it is too long.
    fn words(&mut self, sequence: u64) -> Result<Option<Arc<TextWords>>, IndexError> {
        if let Some(words) = self.counted.get(&sequence) {
            return Ok(Some(Arc::clone(words)));
        }
        if let Some((_, words)) = self.recent.iter().rev().find(|(known, _)| *known == sequence) {
            return Ok(words.clone());
        }
        let store = &self.source.store;
        let Some(texts) = &self.texts else { return Ok(None) };
        let value = store.tried(texts.get(sequence))?;
        let parts = value.as_ref().and_then(|value| Parts::of(sequence, value.value()));
        let text = parts.and_then(StoredText::of_parts);
        let damaged =
            || store.damaged(format!("the text of document number {sequence} is damaged"));
        let words = TextWords::of(&text.ok_or_else(damaged)?).map(Arc::new);
        if self.recent.len() == MOST_TEXTS {
            self.recent.remove(0);
        }
        self.recent.push((sequence, words.clone()));
        Ok(words)
    }
}
