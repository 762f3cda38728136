//! Tables and columns as bytes, so that they can be pickled: results leave a worker process in this form. The bytes are
//! a stream of Arrow IPC, which other libraries read too.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{FieldRef, Schema, SchemaRef};
use pyo3::prelude::*;

use crate::capsule::unreadable;
use crate::error::invalid;

/// Batches as bytes.
pub(crate) fn to_stream(schema: &Schema, batches: &[RecordBatch]) -> PyResult<Vec<u8>> {
    let mut writer = StreamWriter::try_new(Vec::new(), schema).map_err(unreadable)?;
    for batch in batches {
        writer.write(batch).map_err(unreadable)?;
    }
    writer.into_inner().map_err(unreadable)
}

/// The batches of such bytes.
pub(crate) fn from_stream(stream: &[u8]) -> PyResult<(SchemaRef, Vec<RecordBatch>)> {
    let reader = StreamReader::try_new(stream, None).map_err(unreadable)?;
    let schema = reader.schema();
    let batches: Result<Vec<_>, _> = reader.collect();
    Ok((schema, batches.map_err(unreadable)?))
}

/// A column as bytes: a table of this column alone.
pub(crate) fn column_to_stream(field: &FieldRef, array: &ArrayRef) -> PyResult<Vec<u8>> {
    let schema = Arc::new(Schema::new(vec![Arc::clone(field)]));
    let batch = RecordBatch::try_new(Arc::clone(&schema), vec![Arc::clone(array)]);
    to_stream(&schema, &[batch.map_err(unreadable)?])
}

/// The column of such bytes.
pub(crate) fn column_from_stream(stream: &[u8]) -> PyResult<(FieldRef, ArrayRef)> {
    let (schema, batches) = from_stream(stream)?;
    match (schema.fields().first(), batches.as_slice()) {
        (Some(field), [batch]) => Ok((Arc::clone(field), Arc::clone(batch.column(0)))),
        _ => Err(invalid("the bytes do not hold one column")),
    }
}
