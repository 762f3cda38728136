//! All captures of addresses, with documents or without, as rows of records: nothing is compared, and no text is read.

use std::ops::{Bound, ControlFlow};

use nearprint::fingerprint::Fingerprint;
use nearprint::records::DocumentId;
use nearprint::{CaptureKey, Error};
use redb::{Range, ReadOnlyTable, ReadTransaction, ReadableTableMetadata};

use crate::IndexError;
use crate::cancellation::check;
use crate::changes::group::Weight;
use crate::disk_index::DiskIndex;
use crate::store::capture_details::{CaptureChange, CaptureDetails};
use crate::store::capture_entries::{CaptureEntry, DAMAGED, StoredEntries, open_entries};
use crate::store::capture_keys::{CaptureRange, sequence_of};
use crate::store::record::{RecordView, damaged};
use crate::store::source::Source;
use crate::store::{CAPTURES, DOCUMENTS};

/// A capture in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedCapture {
    /// By what it is found.
    pub key: CaptureKey,
    /// What it is called, and where it lies.
    pub details: CaptureDetails,
    /// Its document, if there is one.
    pub document: Option<CapturedDocument>,
    /// Its row, after which a list continues.
    row: Vec<u8>,
}

/// The document of a capture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CapturedDocument {
    /// Its id.
    pub id: DocumentId,
    /// Its fingerprint.
    pub fingerprint: Fingerprint,
    /// How much it changed since the document before it, of the same address; `None` for the first, and in indexes
    /// that an earlier version wrote.
    pub change: Option<CaptureChange>,
}

impl ListedCapture {
    /// Where a list continues after this capture.
    #[must_use]
    pub fn row(&self) -> &[u8] {
        &self.row
    }
}

/// The tables of captures in one state of the store.
pub(crate) struct CaptureRows<'s> {
    pub(crate) source: &'s Source,
    captures: ReadOnlyTable<&'static [u8], ()>,
    /// `None` in a store that an earlier version made.
    entries: Option<StoredEntries>,
    documents: ReadOnlyTable<u64, &'static [u8]>,
}

/// A row of either table.
pub(crate) enum CaptureRow {
    /// A capture with a document.
    Document(Vec<u8>),
    /// One without, and its value.
    Entry(Vec<u8>, Vec<u8>),
}

impl CaptureRow {
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Document(row) | Self::Entry(row, _) => row,
        }
    }
}

/// Rows of both tables in one order.
pub(crate) struct MergedRows<'t> {
    source: &'t Source,
    captures: Range<'static, &'static [u8], ()>,
    entries: Option<Range<'static, &'static [u8], &'static [u8]>>,
    next_capture: Option<Vec<u8>>,
    next_entry: Option<(Vec<u8>, Vec<u8>)>,
}

impl MergedRows<'_> {
    fn advance_captures(&mut self) -> Result<(), IndexError> {
        let row = self.source.store.tried(self.captures.next().transpose())?;
        self.next_capture = row.map(|(row, _)| row.value().to_vec());
        Ok(())
    }

    fn advance_entries(&mut self) -> Result<(), IndexError> {
        let Some(entries) = &mut self.entries else { return Ok(()) };
        let row = self.source.store.tried(entries.next().transpose())?;
        self.next_entry = row.map(|(row, value)| (row.value().to_vec(), value.value().to_vec()));
        Ok(())
    }

    /// The next row.
    pub(crate) fn next(&mut self) -> Result<Option<CaptureRow>, IndexError> {
        let is_entry = match (&self.next_capture, &self.next_entry) {
            (Some(capture), Some((entry, _))) => entry < capture,
            (None, Some(_)) => true,
            (_, None) => false,
        };
        if is_entry {
            let row = self.next_entry.take();
            self.advance_entries()?;
            return Ok(row.map(|(row, value)| CaptureRow::Entry(row, value)));
        }
        let row = self.next_capture.take();
        self.advance_captures()?;
        Ok(row.map(CaptureRow::Document))
    }
}

impl<'s> CaptureRows<'s> {
    pub(crate) fn open(source: &'s Source, at: &ReadTransaction) -> Result<Self, IndexError> {
        let store = &source.store;
        let entries = open_entries(source, at)?;
        let captures = store.tried(at.open_table(CAPTURES))?;
        Ok(Self { source, captures, entries, documents: store.tried(at.open_table(DOCUMENTS))? })
    }

    /// The rows between two bounds.
    pub(crate) fn between(
        &self,
        bounds: (Bound<&[u8]>, Bound<&[u8]>),
    ) -> Result<MergedRows<'s>, IndexError> {
        let store = &self.source.store;
        let captures = store.tried(self.captures.range::<&[u8]>(bounds))?;
        let entries = self.entries.as_ref().map(|entries| entries.range::<&[u8]>(bounds));
        let entries = store.tried(entries.transpose())?;
        let (next_capture, next_entry) = (None, None);
        let source = self.source;
        let mut rows = MergedRows { source, captures, entries, next_capture, next_entry };
        rows.advance_captures()?;
        rows.advance_entries()?;
        Ok(rows)
    }

    /// The capture of a row.
    pub(crate) fn capture(&self, row: CaptureRow) -> Result<ListedCapture, IndexError> {
        let Source { store, scheme, .. } = self.source;
        match row {
            CaptureRow::Entry(row, value) => {
                let entry = CaptureEntry::of_row(&row, &value);
                let CaptureEntry { key, details } = entry.ok_or_else(|| store.damaged(DAMAGED))?;
                Ok(ListedCapture { key, details, document: None, row })
            }
            CaptureRow::Document(row) => {
                let sequence = sequence_of(&row);
                let record = store.tried(self.documents.get(sequence))?;
                let view = record
                    .as_ref()
                    .and_then(|record| RecordView::of(*scheme, sequence, record.value()));
                let found = view.and_then(|view| Some((view.document()?, view.change())));
                let (document, change) = found.ok_or_else(|| store.damaged(damaged(sequence)))?;
                let key = document.capture.unwrap_or_default();
                let details = document.details.map(|details| *details).unwrap_or_default();
                let (id, fingerprint) = (document.id, document.fingerprint);
                let document = Some(CapturedDocument { id, fingerprint, change });
                Ok(ListedCapture { key, details, document, row })
            }
        }
    }

    /// How many rows there are.
    fn count(&self) -> Result<u64, IndexError> {
        let store = &self.source.store;
        let captures = store.tried(self.captures.len())?;
        let entries = self.entries.as_ref().map(ReadableTableMetadata::len).transpose();
        Ok(captures + store.tried(entries)?.unwrap_or(0))
    }
}

/// Whether a row is of a time that is wanted.
fn is_wanted(range: &CaptureRange, row: &[u8]) -> bool {
    let key = &row[..row.len().saturating_sub(8)];
    let space = key.iter().position(|&byte| byte == b' ');
    space.is_some_and(|space| range.allows(&key[space + 1..]))
}

impl DiskIndex {
    /// Visits the captures of a range, by the keys of their addresses and then by time, all in one state of the index:
    /// those after the row `after` ([`ListedCapture::row`]), or from the first, until `visit` breaks. In one second
    /// those with documents come first. O(log n) for n captures, and O(1) for each that is visited.
    ///
    /// # Errors
    /// Where the index cannot be read.
    pub fn visit_captures(
        &self,
        range: &CaptureRange,
        after: Option<&[u8]>,
        mut visit: impl FnMut(ListedCapture) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let source = &self.shared.source;
        let (start, end) = range.bounds();
        let start = match after {
            Some(after) if after >= start.as_slice() => Bound::Excluded(after),
            _ => Bound::Included(start.as_slice()),
        };
        // What is after the end has nothing after it.
        if matches!(start, Bound::Excluded(after) if after >= end.as_slice()) {
            return Ok(());
        }
        source.store.guarded(|| {
            let at = source.store.begin_read()?;
            let tables = CaptureRows::open(source, &at)?;
            let mut rows = tables.between((start, Bound::Excluded(end.as_slice())))?;
            while let Some(row) = rows.next()? {
                check()?;
                if is_wanted(range, row.bytes()) && visit(tables.capture(row)?).is_break() {
                    break;
                }
            }
            Ok::<_, IndexError>(())
        })?;
        Ok(())
    }

    /// Up to `most` captures, as [`visit_captures`](Self::visit_captures) visits them.
    ///
    /// # Errors
    /// Where the index cannot be read.
    pub fn list_captures(
        &self,
        range: &CaptureRange,
        after: Option<&[u8]>,
        most: usize,
    ) -> Result<Vec<ListedCapture>, Error> {
        let mut found = Vec::new();
        if most > 0 {
            self.visit_captures(range, after, |capture| {
                found.push(capture);
                if found.len() == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
        }
        Ok(found)
    }

    /// How many captures there are, with documents or without.
    ///
    /// # Errors
    /// Where the index cannot be read.
    pub fn count_captures(&self) -> Result<u64, Error> {
        let source = &self.shared.source;
        let count = source.store.guarded(|| {
            let at = source.store.begin_read()?;
            CaptureRows::open(source, &at)?.count()
        });
        Ok(count?)
    }

    /// Visits all captures without documents, in one state of the index.
    pub(crate) fn visit_entries<E: From<Error>>(
        &self,
        mut visit: impl FnMut(CaptureEntry) -> Result<(), E>,
    ) -> Result<(), E> {
        let source = &self.shared.source;
        let store = &source.store;
        let tried = |error: IndexError| E::from(error.into());
        let at = store.begin_read().map_err(tried)?;
        let tables = CaptureRows::open(source, &at).map_err(tried)?;
        let Some(entries) = &tables.entries else { return Ok(()) };
        let mut rows = store.tried(entries.range::<&[u8]>(..)).map_err(tried)?;
        loop {
            let entry = store.guarded(|| {
                check()?;
                let Some((row, value)) = store.tried(rows.next().transpose())? else {
                    return Ok(None);
                };
                let entry = CaptureEntry::of_row(row.value(), value.value());
                entry.map(Some).ok_or_else(|| store.damaged(DAMAGED))
            });
            match entry.map_err(tried)? {
                Some(entry) => visit(entry)?,
                None => return Ok(()),
            }
        }
    }

    /// Adds captures without documents in one commit, and returns how many were not there. One whose document is there,
    /// with the same address, time and status or payload, is left out; it is also removed when that document comes.
    ///
    /// # Errors
    /// Where one has no address or time, or what it has is too long, and where the index cannot be written.
    pub fn add_captures(&self, entries: Vec<CaptureEntry>) -> Result<u64, Error> {
        for entry in &entries {
            let checked = entry.check();
            checked.map_err(|detail| IndexError::Metadata { detail: detail.to_owned() })?;
        }
        let weight = Weight { documents: entries.len(), bytes: 0, looks: false };
        self.change(weight, move |plan| Ok(plan.add_entries(entries)?))
    }
}
