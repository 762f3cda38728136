//! Batches of Arrow IPC, of a stream or a file, with the columns that are wanted.

use std::collections::HashMap;
use std::io::Read;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_ipc::MessageHeader;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::RecordBatchDecoder;
use arrow_schema::{Schema, SchemaRef};

use crate::arrow_messages::{Messages, Whole};
use crate::decoder_thread::{apart, damaged};
use crate::dictionaries::Dictionaries;
use crate::rows::{ColumnSelection, Rows};
use crate::stretches::{DecodedStretch, Stretch, Stretches};
use crate::values::bytes_instead;

/// The rows of a table of Arrow IPC, in the columns that `wanted` finds in its schema: each batch is a stretch.
pub(crate) fn open(
    reader: impl Read + Send + 'static,
    wanted: impl FnOnce(&Schema) -> Result<ColumnSelection, String>,
) -> Result<Box<dyn Stretches>, String> {
    let mut messages = Messages::new(reader);
    let first = messages.next()?.ok_or_else(|| damaged("it is empty"))?;
    let head = first.head()?;
    let schema =
        head.header_as_schema().ok_or_else(|| damaged("it does not begin with a schema"))?;
    check_fields(&schema, first.head_length())?;
    let schema = try_fb_to_schema(schema).map_err(damaged)?;
    let wanted = wanted(&schema)?;
    let projection = wanted.top_level(&schema);
    let fields = schema.fields().iter();
    let fields: Vec<_> = fields
        .map(|field| field.as_ref().clone().with_data_type(bytes_instead(field.data_type())))
        .collect();
    let schema = Arc::new(Schema::new(fields));
    let projected = schema.project(&projection).map_err(damaged)?;
    let dictionaries = Dictionaries::of(&projected);
    let columns = Arc::new(Columns { schema, projection, wanted });
    Ok(Box::new(Reader { messages, columns, dictionaries }))
}

/// Bytes of a schema for each of its fields (>=): a table, its name, and where it lies. Writers take 100 and more.
const BYTES_OF_FIELD: usize = 32;

/// Refuses a schema of more fields than its bytes can hold: a million columns that are one field, which is referred to
/// a million times, have 4 bytes each in the file and 300 in memory.
fn check_fields(schema: &arrow_ipc::Schema<'_>, length: usize) -> Result<(), String> {
    let limit = length / BYTES_OF_FIELD;
    let mut left = limit;
    let mut waiting: Vec<_> = schema.fields().into_iter().collect();
    while let Some(fields) = waiting.pop() {
        left = left.checked_sub(fields.len()).ok_or_else(|| {
            damaged(format_args!("its schema has more fields than its {length} bytes can hold"))
        })?;
        waiting.extend(fields.iter().filter_map(|field| field.children()));
    }
    Ok(())
}

struct Reader<R> {
    messages: Messages<R>,
    columns: Arc<Columns>,
    dictionaries: Dictionaries,
}

/// What is read of a table.
struct Columns {
    /// All columns, with bytes instead of text.
    schema: SchemaRef,
    /// Numbers of those that are read.
    projection: Vec<usize>,
    wanted: ColumnSelection,
}

impl<R: Read + Send> Stretches for Reader<R> {
    fn next(&mut self, _decoders: usize) -> Option<Result<Stretch, String>> {
        apart(|| self.next_batch()).transpose()
    }
}

impl<R: Read> Reader<R> {
    /// Reads up to the next batch, which others decode.
    fn next_batch(&mut self) -> Result<Option<Stretch>, String> {
        while let Some(message) = self.messages.next()? {
            let head = message.head()?;
            match head.header_type() {
                MessageHeader::RecordBatch => {
                    let bytes = usize::try_from(message.expanded).unwrap_or(usize::MAX);
                    let columns = Arc::clone(&self.columns);
                    let dictionaries = self.dictionaries.known();
                    return Ok(Some(Stretch::new(bytes, 0, move || {
                        let batches = vec![columns.rows(&message, &dictionaries)?];
                        Ok(DecodedStretch { batches, ..DecodedStretch::default() })
                    })));
                }
                MessageHeader::DictionaryBatch => self.dictionaries.read(&message, &head)?,
                MessageHeader::Schema => return Err(damaged("a second schema")),
                _ => {}
            }
        }
        Ok(None)
    }
}

impl Columns {
    /// The rows of a batch.
    fn rows(&self, message: &Whole, dictionaries: &HashMap<i64, ArrayRef>) -> Result<Rows, String> {
        let head = message.head()?;
        let batch = head.header_as_record_batch().ok_or_else(|| damaged("no batch"))?;
        let (schema, version) = (Arc::clone(&self.schema), head.version());
        let decoder =
            RecordBatchDecoder::try_new(&message.body, batch, schema, dictionaries, &version);
        let decoder = decoder.map_err(damaged)?.with_projection(Some(&self.projection));
        self.wanted.rows(&decoder.read_record_batch().map_err(damaged)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A schema in FlatBuffers whose columns are all one field, which says nothing.
    fn schema(columns: u32) -> Vec<u8> {
        let places = 24;
        let field = places + 4 * columns + 4;
        // Where the schema is, what it has (fields alone), and where they are.
        let mut bytes =
            [12_u32, 8 | 8 << 16, 4 << 16, 8, 4, columns].map(u32::to_le_bytes).concat();
        for place in (places..).step_by(4).take(columns as usize) {
            bytes.extend((field - place).to_le_bytes());
        }
        bytes.extend([4 | 4 << 16, 4_u32].map(u32::to_le_bytes).concat());
        bytes
    }

    #[test]
    fn one_field_is_not_a_million_columns() {
        let bytes = schema(900);
        let many = arrow_ipc::root_as_schema(&bytes).unwrap();
        assert_eq!(many.fields().unwrap().len(), 900);
        let error = check_fields(&many, bytes.len()).unwrap_err();
        assert!(error.contains("more fields than its 3632 bytes can hold"), "{error}");
        check_fields(&many, 900 * BYTES_OF_FIELD).unwrap();
        check_fields(&many, 900 * BYTES_OF_FIELD - 1).unwrap_err();
    }
}
