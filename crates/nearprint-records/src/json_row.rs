//! The line of a row in JSON.

use std::io;

use serde::Serialize;

/// A row that has a form in JSON: whatever serde serialises as an object.
pub trait JsonRow: Serialize {}

impl<R: Serialize> JsonRow for R {}

/// Row with its schema before its own fields.
#[derive(Serialize)]
struct SchemaRow<'a, R> {
    schema: &'static str,
    #[serde(flatten)]
    row: &'a R,
}

/// Writes a row as a line.
pub(crate) fn write(schema: &'static str, row: &impl JsonRow, to: &mut Vec<u8>) -> io::Result<()> {
    serde_json::to_writer(&mut *to, &SchemaRow { schema, row })?;
    to.push(b'\n');
    Ok(())
}
