//! Batches that are in memory: slices of them, nothing of which is copied.

use std::sync::Arc;
use std::vec;

use arrow_array::RecordBatch;

use crate::rows::ColumnSelection;
use crate::stretches::{DecodedStretch, Stretch, Stretches};

/// Rows of a slice, at most: as many as a batch of Parquet has.
const ROWS: usize = 8192;

/// The rows of batches in memory that share a schema, in the columns that are wanted.
pub(crate) struct MemoryBatches {
    wanted: Arc<ColumnSelection>,
    /// What is left of the present batch.
    rest: Option<RecordBatch>,
    batches: vec::IntoIter<RecordBatch>,
}

impl MemoryBatches {
    pub(crate) fn new(wanted: ColumnSelection, batches: Vec<RecordBatch>) -> Self {
        Self { wanted: Arc::new(wanted), rest: None, batches: batches.into_iter() }
    }
}

impl Stretches for MemoryBatches {
    fn next(&mut self, _decoders: usize) -> Option<Result<Stretch, String>> {
        let batch = loop {
            let batch = self.rest.take().or_else(|| self.batches.next())?;
            if batch.num_rows() > 0 {
                break batch;
            }
        };
        let count = batch.num_rows().min(ROWS);
        let slice = batch.slice(0, count);
        self.rest = Some(batch.slice(count, batch.num_rows() - count));
        let wanted = Arc::clone(&self.wanted);
        Some(Ok(Stretch::new(0, 0, move || {
            let mut rows = wanted.rows(&slice)?;
            // The memory is the caller's, however much is read ahead.
            rows.bytes = 0;
            Ok(DecodedStretch { batches: vec![rows], ..DecodedStretch::default() })
        })))
    }
}
