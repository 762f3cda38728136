//! Documents of a range of sequence numbers, read from the store as often as they are needed.

use redb::ReadableTable;

use crate::IndexError;
use crate::cancelling::check;
use crate::record::{RecordView, damaged};
use crate::source::Source;

/// A document as tables need it.
pub(crate) struct Row<'r> {
    pub(crate) sequence: u64,
    /// The fingerprint as a number; meaningful for simhashes only.
    pub(crate) word: u128,
    pub(crate) id: &'r str,
}

/// Documents in the order of their sequence numbers.
pub(crate) trait Rows {
    /// Hands every document to `visit`. Each visit of the same rows gives the same documents.
    fn visit(&self, visit: &mut Visit<'_>) -> Result<(), IndexError>;
}

/// What is done with each document.
pub(crate) type Visit<'v> = dyn FnMut(Row<'_>) -> Result<(), IndexError> + 'v;

/// Documents of one state of the store.
pub(crate) struct StoredRows<'t, T> {
    pub(crate) source: &'t Source,
    pub(crate) documents: &'t T,
    /// The first sequence number, and the first one that is not meant.
    pub(crate) range: (u64, u64),
}

impl<T: ReadableTable<u64, &'static [u8]>> Rows for StoredRows<'_, T> {
    fn visit(&self, visit: &mut Visit<'_>) -> Result<(), IndexError> {
        let Source { store, scheme, .. } = self.source;
        let (first, end) = self.range;
        for row in store.tried(self.documents.range(first..end))? {
            check()?;
            let (sequence, record) = store.tried(row)?;
            let sequence = sequence.value();
            let view = RecordView::of(*scheme, sequence, record.value());
            let row =
                view.and_then(|view| Some(Row { sequence, word: view.word(), id: view.id()? }));
            visit(row.ok_or_else(|| store.damaged(damaged(sequence)))?)?;
        }
        Ok(())
    }
}
