//! The dictionaries of a table of Arrow IPC: which columns they are of, and what they take.
//!
//! The library looks through all fields of the schema for each dictionary that comes, and copies all values of a
//! dictionary for each piece that is added to it. Both take the square of a file's length where a file is made for it:
//! 400 KB of fields and 1 MB of dictionaries took 72 s. So each dictionary is decoded with the one field that it is of,
//! and what additions copy is counted.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_ipc::Message;
use arrow_ipc::reader::read_dictionary;
use arrow_schema::{DataType, Field, Schema};

use crate::arrow_messages::{Whole, largest_expansion};
use crate::decoder_thread::damaged;

/// Bytes copied for each byte of the messages that dictionaries came in.
const COPIES_PER_BYTE: u64 = 256;

/// Bytes that may be copied, however short the messages are.
const COPIES: u64 = 256 << 20;

/// The dictionaries that batches are decoded with.
pub(crate) struct Dictionaries {
    /// The field of each dictionary of a column that is read, as a schema.
    fields: HashMap<i64, Schema>,
    known: Arc<HashMap<i64, ArrayRef>>,
    held: DictionaryBytes,
}

impl Dictionaries {
    /// Those of the columns that are read.
    pub(crate) fn of(projected: &Schema) -> Self {
        let mut fields = HashMap::new();
        for field in projected.fields() {
            find(field, &mut fields);
        }
        Self { fields, known: Arc::default(), held: DictionaryBytes::default() }
    }

    /// What the next batch is decoded with.
    pub(crate) fn known(&self) -> Arc<HashMap<i64, ArrayRef>> {
        Arc::clone(&self.known)
    }

    /// Reads a dictionary, or a piece that is added to one, unless no column that is read has it.
    pub(crate) fn read(&mut self, message: &Whole, head: &Message<'_>) -> Result<(), String> {
        let batch = head.header_as_dictionary_batch().ok_or_else(|| damaged("no batch"))?;
        let Some(field) = self.fields.get(&batch.id()) else { return Ok(()) };
        let (expanded, packed) = (message.expanded, message.body.len() as u64);
        self.held.add(batch.id(), batch.isDelta(), expanded, packed)?;
        let known = Arc::make_mut(&mut self.known);
        read_dictionary(&message.body, batch, field, known, &head.version()).map_err(damaged)
    }
}

/// Finds the fields with dictionaries in a field. Of several fields with one dictionary the first says its type.
fn find(field: &Arc<Field>, fields: &mut HashMap<i64, Schema>) {
    match field.data_type() {
        DataType::Dictionary(_, values) => {
            #[expect(deprecated, reason = "nothing else says which dictionary a field has")]
            if let Some(id) = field.dict_id() {
                fields.entry(id).or_insert_with(|| Schema::new(vec![Arc::clone(field)]));
            }
            // Dictionaries of what lies in a dictionary.
            find(&Arc::new(Field::new("", values.as_ref().clone(), true)), fields);
        }
        DataType::Struct(inner) => inner.iter().for_each(|field| find(field, fields)),
        DataType::Union(inner, _) => inner.iter().for_each(|(_, field)| find(field, fields)),
        DataType::List(inner)
        | DataType::LargeList(inner)
        | DataType::ListView(inner)
        | DataType::LargeListView(inner)
        | DataType::FixedSizeList(inner, _)
        | DataType::Map(inner, _) => find(inner, fields),
        DataType::RunEndEncoded(ends, values) => {
            find(ends, fields);
            find(values, fields);
        }
        _ => {}
    }
}

/// Bytes of the dictionaries in memory, and of those that were copied.
#[derive(Default)]
struct DictionaryBytes {
    /// Of each one, expanded: pieces that are added to it count with it.
    expanded: HashMap<i64, u64>,
    /// Of all of them.
    all: u64,
    /// Of all messages that they came in.
    packed: u64,
    /// Of values that were copied, for each piece that was added.
    copied: u64,
}

impl DictionaryBytes {
    /// Refuses dictionaries that together take much more memory, or time, than they have bytes.
    fn add(&mut self, id: i64, is_delta: bool, expanded: u64, packed: u64) -> Result<(), String> {
        let held = self.expanded.entry(id).or_default();
        let before = *held;
        *held = if is_delta { before.saturating_add(expanded) } else { expanded };
        self.all = self.all.saturating_sub(before).saturating_add(*held);
        if is_delta {
            self.copied = self.copied.saturating_add(*held);
        }
        self.packed = self.packed.saturating_add(packed);
        let limit = largest_expansion(self.packed);
        if self.all > limit {
            return Err(format!(
                "its dictionaries expand to {} bytes, but the limit is {limit}; write the table without dictionaries",
                self.all
            ));
        }
        let limit = COPIES.saturating_add(COPIES_PER_BYTE.saturating_mul(self.packed));
        if self.copied > limit {
            return Err(format!(
                "additions to its dictionaries copy {} bytes, but the limit is {limit}; write each dictionary as one",
                self.copied
            ));
        }
        Ok(())
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

    #[test]
    fn additions_count_what_they_copy() {
        let mut held = DictionaryBytes::default();
        held.add(1, false, 1 << 20, 1 << 20).unwrap();
        // 256 MiB, and as much for the first dictionary, in pieces of 1 MiB and a little.
        let refused = (0..1000).position(|_| held.add(1, true, 8, 8).is_err());
        assert_eq!(refused, Some(511));
        // As much is added as there was: each byte is copied twice.
        let mut held = DictionaryBytes::default();
        for piece in 0..20 {
            held.add(1, piece > 0, 1 << piece, 1 << piece).unwrap();
        }
    }

    #[test]
    fn the_field_of_a_dictionary_is_found_wherever_it_lies() {
        let kind = || DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
        #[expect(deprecated, reason = "as above")]
        let field = |id| Arc::new(Field::new_dict("x", kind(), true, id, false));
        let inside = DataType::Struct(vec![field(2), field(1)].into());
        let list = DataType::List(Arc::new(Field::new("s", inside, true)));
        let schema = Schema::new(vec![field(1), Arc::new(Field::new("l", list, true))]);
        let found = Dictionaries::of(&schema).fields;
        let mut ids: Vec<_> = found.keys().copied().collect();
        ids.sort_unstable();
        assert_eq!(ids, [1, 2]);
    }
}
