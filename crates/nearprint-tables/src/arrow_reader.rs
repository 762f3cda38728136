//! Batches of Arrow IPC, of a stream or a file, with the columns that are wanted.

use std::collections::HashMap;
use std::io::Read;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::{RecordBatchDecoder, read_dictionary};
use arrow_ipc::{Message, MessageHeader};
use arrow_schema::{DataType, Schema, SchemaRef};

use crate::arrow_messages::{Messages, Whole, largest_expansion};
use crate::decoder_thread::{apart, damaged};
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
    let schema = try_fb_to_schema(schema).map_err(damaged)?;
    let wanted = wanted(&schema)?;
    let projection = wanted.top_level(&schema);
    let fields = schema.fields().iter();
    let fields: Vec<_> = fields
        .map(|field| field.as_ref().clone().with_data_type(bytes_instead(field.data_type())))
        .collect();
    let schema = Arc::new(Schema::new(fields));
    let projected = schema.project(&projection).map_err(damaged)?;
    let columns = Arc::new(Columns { schema, projection, projected, wanted });
    Ok(Box::new(Reader {
        messages,
        columns,
        dictionaries: Arc::default(),
        held: DictionaryBytes::default(),
    }))
}

struct Reader<R> {
    messages: Messages<R>,
    columns: Arc<Columns>,
    /// Those that the next batch is decoded with.
    dictionaries: Arc<HashMap<i64, ArrayRef>>,
    held: DictionaryBytes,
}

/// What is read of a table.
struct Columns {
    /// All columns, with bytes instead of text.
    schema: SchemaRef,
    /// Numbers of those that are read.
    projection: Vec<usize>,
    /// These.
    projected: Schema,
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
                    let dictionaries = Arc::clone(&self.dictionaries);
                    return Ok(Some(Stretch::new(bytes, 0, move || {
                        let batches = vec![columns.rows(&message, &dictionaries)?];
                        Ok(DecodedStretch { batches, ..DecodedStretch::default() })
                    })));
                }
                MessageHeader::DictionaryBatch if self.columns.use_it(&head) => {
                    let batch =
                        head.header_as_dictionary_batch().ok_or_else(|| damaged("no batch"))?;
                    let (expanded, packed) = (message.expanded, message.body.len() as u64);
                    self.held.add(batch.id(), batch.isDelta(), expanded, packed)?;
                    let known = Arc::make_mut(&mut self.dictionaries);
                    let schema = &self.columns.schema;
                    read_dictionary(&message.body, batch, schema, known, &head.version())
                        .map_err(damaged)?;
                }
                MessageHeader::Schema => return Err(damaged("a second schema")),
                _ => {}
            }
        }
        Ok(None)
    }
}

/// Bytes of the dictionaries in memory.
#[derive(Default)]
struct DictionaryBytes {
    /// Of each one, expanded: pieces that are added to it count with it.
    expanded: HashMap<i64, u64>,
    /// Of all messages that they came in.
    packed: u64,
}

impl DictionaryBytes {
    /// Refuses dictionaries that together take much more memory than they have bytes.
    fn add(&mut self, id: i64, is_delta: bool, expanded: u64, packed: u64) -> Result<(), String> {
        let held = self.expanded.entry(id).or_default();
        *held = if is_delta { held.saturating_add(expanded) } else { expanded };
        self.packed = self.packed.saturating_add(packed);
        let all = self.expanded.values().fold(0_u64, |sum, held| sum.saturating_add(*held));
        let limit = largest_expansion(self.packed);
        if all > limit {
            return Err(format!(
                "its dictionaries expand to {all} bytes, but the limit is {limit}; write the table without \
                 dictionaries"
            ));
        }
        Ok(())
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

    /// Whether a dictionary belongs to a column that is read.
    fn use_it(&self, head: &Message<'_>) -> bool {
        let Some(batch) = head.header_as_dictionary_batch() else { return false };
        #[expect(
            deprecated,
            reason = "there is no other way to ask which columns a dictionary is of"
        )]
        let of_columns = self.projected.fields_with_dict_id(batch.id());
        of_columns.iter().any(|field| matches!(field.data_type(), DataType::Dictionary(..)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dictionaries_are_counted_together_while_they_are_held() {
        let mut held = DictionaryBytes::default();
        held.add(1, false, 100 << 20, 9).unwrap();
        held.add(1, false, 120 << 20, 9).unwrap();
        held.add(2, false, 8 << 20, 9).unwrap();
        let error = held.add(2, true, 1, 9).unwrap_err();
        assert!(error.starts_with("its dictionaries expand to 134217729 bytes"), "{error}");
        // Many bytes may expand to many.
        held.add(2, false, 900 << 20, 21 << 20).unwrap();
    }
}
