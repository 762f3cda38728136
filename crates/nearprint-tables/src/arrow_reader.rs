//! Batches of Arrow IPC, of a stream or a file, with the columns that are wanted.

use std::collections::HashMap;
use std::io::Read;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::{RecordBatchDecoder, read_dictionary};
use arrow_ipc::{Message, MessageHeader};
use arrow_schema::{DataType, Schema, SchemaRef};

use crate::arrow_messages::Messages;
use crate::decoding::{Batches, damaged};
use crate::rows::Wanted;
use crate::values::octets_instead;

/// The rows of a table of Arrow IPC, in the columns that `wanted` finds in its schema.
pub(crate) fn open(
    reader: impl Read + Send + 'static,
    wanted: impl FnOnce(&Schema) -> Result<Wanted, String>,
) -> Result<Batches, String> {
    let mut messages = Messages::new(reader);
    let first = messages.next()?.ok_or_else(|| damaged("there is nothing in it"))?;
    let head = first.head()?;
    let schema =
        head.header_as_schema().ok_or_else(|| damaged("it does not begin with a schema"))?;
    let schema = try_fb_to_schema(schema).map_err(damaged)?;
    let found = wanted(&schema)?;
    let projection = found.top_level(&schema);
    let fields = schema.fields().iter();
    let fields: Vec<_> = fields
        .map(|field| field.as_ref().clone().with_data_type(octets_instead(field.data_type())))
        .collect();
    let schema = Arc::new(Schema::new(fields));
    let projected = schema.project(&projection).map_err(damaged)?;
    let mut reader =
        Reader { messages, schema, projection, projected, dictionaries: HashMap::new() };
    let rows = move || Some(reader.next().transpose()?.and_then(|batch| found.rows(&batch)));
    Ok(Box::new(std::iter::from_fn(rows)))
}

struct Reader<R> {
    messages: Messages<R>,
    /// All columns, with octets instead of text.
    schema: SchemaRef,
    /// Numbers of those that are read.
    projection: Vec<usize>,
    /// These.
    projected: Schema,
    dictionaries: HashMap<i64, ArrayRef>,
}

impl<R: Read> Reader<R> {
    fn next(&mut self) -> Result<Option<RecordBatch>, String> {
        while let Some(message) = self.messages.next()? {
            let head = message.head()?;
            let version = head.version();
            match head.header_type() {
                MessageHeader::RecordBatch => {
                    let batch = head.header_as_record_batch().ok_or_else(|| damaged("no batch"))?;
                    let decoder = RecordBatchDecoder::try_new(
                        &message.body,
                        batch,
                        Arc::clone(&self.schema),
                        &self.dictionaries,
                        &version,
                    );
                    let decoder = decoder.map_err(damaged)?.with_projection(Some(&self.projection));
                    return decoder.read_record_batch().map(Some).map_err(damaged);
                }
                MessageHeader::DictionaryBatch if self.uses(&head) => {
                    let batch =
                        head.header_as_dictionary_batch().ok_or_else(|| damaged("no batch"))?;
                    let known = &mut self.dictionaries;
                    read_dictionary(&message.body, batch, &self.schema, known, &version)
                        .map_err(damaged)?;
                }
                MessageHeader::Schema => return Err(damaged("a second schema")),
                _ => {}
            }
        }
        Ok(None)
    }

    /// Whether a dictionary belongs to a column that is read.
    fn uses(&self, head: &Message<'_>) -> bool {
        let Some(batch) = head.header_as_dictionary_batch() else { return false };
        #[expect(
            deprecated,
            reason = "there is no other way to ask which columns a dictionary is of"
        )]
        let of_columns = self.projected.fields_with_dict_id(batch.id());
        of_columns.iter().any(|field| matches!(field.data_type(), DataType::Dictionary(..)))
    }
}
