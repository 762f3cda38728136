//! The columns that are wanted of a table, and what a batch has in them.

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Schema};
use nearprint_records::{OrderKey, TableFields};

use crate::column::{ColumnPath, Purpose};
use crate::values::{Value, Values, is_bytes};

/// Columns that are read.
#[derive(Debug, Clone)]
pub(crate) struct ColumnSelection {
    id: Option<ColumnPath>,
    content: ColumnPath,
    order: Option<ColumnPath>,
    /// Whether the content is text by the schema, not bytes.
    is_text: bool,
}

impl ColumnSelection {
    pub(crate) fn find(schema: &Schema, fields: &TableFields) -> Result<Self, String> {
        let id = match &fields.id {
            Some(name) => Some(ColumnPath::required(schema, name, Purpose::Id)?),
            // What happens to be called so and cannot be an id was not asked for.
            None => ColumnPath::find(schema, fields.id(), Purpose::Id).unwrap_or(None),
        };
        let content = ColumnPath::required(schema, fields.content(), Purpose::Content)?;
        let order = fields.order.as_deref();
        let order = order.map(|name| ColumnPath::required(schema, name, Purpose::Order));
        let is_text = content.is_text(schema);
        Ok(Self { id, content, order: order.transpose()?, is_text })
    }

    /// The columns.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &ColumnPath> {
        self.id.iter().chain([&self.content]).chain(&self.order)
    }

    /// Numbers of the table's own columns that they are, or lie in; each once, in order.
    pub(crate) fn top_level(&self, schema: &Schema) -> Vec<usize> {
        let numbers = self.paths().filter_map(|path| schema.index_of(path.0.first()?).ok());
        let numbers: std::collections::BTreeSet<usize> = numbers.collect();
        numbers.into_iter().collect()
    }

    /// Their values in a batch.
    pub(crate) fn rows(&self, batch: &RecordBatch) -> Result<Rows, String> {
        let values = |path: &Option<ColumnPath>| {
            path.as_ref().map(|path| path.values(batch).ok_or(())).transpose()
        };
        match (values(&self.id), self.content.values(batch), values(&self.order)) {
            (Ok(ids), Some(content), Ok(orders)) => {
                let (is_text, count) = (self.is_text, batch.num_rows());
                let bytes = batch.get_array_memory_size();
                Ok(Rows { ids, content, orders, is_text, count, bytes })
            }
            _ => Err(crate::decoder_thread::damaged("a batch does not have the table's schema")),
        }
    }
}

/// What is wanted of one batch.
pub(crate) struct Rows {
    ids: Option<Values>,
    content: Values,
    orders: Option<Values>,
    /// Whether the content is text by the schema, not bytes.
    pub(crate) is_text: bool,
    /// How many there are.
    pub(crate) count: usize,
    /// Bytes of memory they lie in (<=): columns may share it.
    pub(crate) bytes: usize,
}

impl Rows {
    /// The content of a row; nothing if it is null.
    pub(crate) fn content(&self, row: usize) -> &[u8] {
        match self.content.get(row) {
            Value::Bytes(bytes) => bytes,
            _ => &[],
        }
    }

    /// What puts a row in order, where a column for that is read.
    pub(crate) fn order(&self, row: usize) -> Option<OrderKey> {
        match self.orders.as_ref()?.get(row) {
            Value::Null => None,
            Value::Number(number) => Some(OrderKey::of_number(number)),
            Value::Real(number) => OrderKey::of_real(number),
            Value::Bytes(bytes) => OrderKey::of_text(&String::from_utf8_lossy(bytes)),
        }
    }

    /// The id of a row as it is in the table; `None` if it has none.
    pub(crate) fn id(&self, row: usize) -> Option<Result<String, String>> {
        let ids = self.ids.as_ref()?;
        Some(match ids.get(row) {
            Value::Null | Value::Real(_) => return None,
            Value::Number(number) => Ok(number.to_string()),
            Value::Bytes(bytes) if ids.are_of_fixed_size() => {
                Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
            }
            Value::Bytes(bytes) => match std::str::from_utf8(bytes) {
                Ok(id) => Ok(id.to_owned()),
                Err(_) => Err("the id is not UTF-8; name a column of text or integers".to_owned()),
            },
        })
    }
}

impl ColumnPath {
    /// Whether it is text by the schema.
    fn is_text(&self, schema: &Schema) -> bool {
        let mut fields = schema.fields();
        for name in &self.0 {
            let Some(field) = fields.iter().find(|field| field.name() == name) else {
                return false;
            };
            match field.data_type() {
                DataType::Struct(inner) => fields = inner,
                DataType::Dictionary(_, values) => return values.is_string() && is_bytes(values),
                kind => return kind.is_string(),
            }
        }
        false
    }
}
