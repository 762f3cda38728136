//! Tables of other libraries as documents.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use nearprint::records::{Source, TableFields};
use nearprint::tables::TableSource;
use pyo3::prelude::*;

use crate::capsule::{Arrays, unreadable};
use crate::error::invalid;

/// A table in memory, which shares its columns with the library that made it.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl Frame {
    /// A table that came by Arrow's interface; nothing where it is a column.
    pub(crate) fn of(field: &Field, batches: &mut Arrays) -> PyResult<Option<Self>> {
        let DataType::Struct(columns) = field.data_type() else { return Ok(None) };
        let mut frame =
            Self { schema: Arc::new(Schema::new(columns.clone())), batches: Vec::new() };
        for batch in batches {
            let batch = batch.map_err(unreadable)?;
            let rows = batch.as_struct();
            if rows.null_count() > 0 {
                return Err(invalid("rows of the table are null: leave them out"));
            }
            frame.batches.push(rows.into());
        }
        Ok(Some(frame))
    }

    /// Its documents, in the columns of these names.
    pub(crate) fn source(&self, fields: &TableFields) -> PyResult<Box<dyn Source>> {
        let source = TableSource::of_batches(&self.schema, self.batches.clone(), fields);
        source.map(|source| Box::new(source) as _).map_err(invalid)
    }
}
