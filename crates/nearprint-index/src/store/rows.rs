//! Documents of a range of sequence numbers, read from the store as often as they are needed.

use std::ops::Range;

use redb::ReadableTable;

use crate::IndexError;
use crate::cancellation::check;
use crate::store::Store;
use crate::store::record::{RecordView, damaged};
use crate::store::source::Source;

/// A document as tables need it.
pub(crate) struct Row<'r> {
    pub(crate) sequence: u64,
    /// The bytes of the fingerprint, the most significant first; as many as the scheme says.
    pub(crate) fingerprint: &'r [u8],
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
        let mut numbers = AscendingNumbers::within(first..end);
        for row in store.tried(self.documents.range(first..end))? {
            check()?;
            let (sequence, record) = store.tried(row)?;
            let sequence = numbers.next(store, sequence.value())?;
            let view = RecordView::of(*scheme, sequence, record.value());
            let row = view.and_then(|view| {
                Some(Row { sequence, fingerprint: view.fingerprint_bytes(), id: view.id()? })
            });
            visit(row.ok_or_else(|| store.damaged(damaged(sequence)))?)?;
        }
        Ok(())
    }
}

/// Sequence numbers as a range of a table must give them: the database does not check its pages, and a damaged one
/// leads to rows that were not asked for.
pub(crate) struct AscendingNumbers(Range<u64>);

impl AscendingNumbers {
    /// Sequence numbers of a range.
    pub(crate) fn within(range: Range<u64>) -> Self {
        Self(range)
    }

    /// The next sequence number; an error where it is outside of the range or not greater than the last.
    pub(crate) fn next(&mut self, store: &Store, sequence: u64) -> Result<u64, IndexError> {
        if !self.0.contains(&sequence) {
            return Err(store.damaged(format!("number {sequence} is where it does not belong")));
        }
        self.0.start = sequence + 1;
        Ok(sequence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_a_damaged_tree_leads_to_are_refused() {
        let directory = tempfile::tempdir().expect("a directory");
        let store = Store::create(directory.path(), 1 << 20).expect("a new directory");
        let given = |numbers: &[u64]| {
            let mut ascending = AscendingNumbers::within(3..9);
            numbers.iter().try_for_each(|&number| ascending.next(&store, number).map(drop))
        };
        given(&[3, 4, 8]).expect("all are in the range");
        for wrong in [&[2][..], &[9], &[3, 3], &[5, 4], &[u64::MAX], &[8, 9]] {
            assert!(matches!(given(wrong), Err(IndexError::Store { .. })), "{wrong:?}");
        }
    }
}
