//! Columns by name: of the table itself, or dotted, of a structure in it.

use std::fmt::Write as _;

use arrow_array::{Array, RecordBatch, StructArray, cast::AsArray};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field, Fields, Schema};

use crate::values::{Values, is_bytes, is_measure, is_number};

/// Columns named in an error message, at most.
const NAMED: usize = 40;

/// Structures nested in each other through which a name may lead, at most.
const DEPTH: usize = 32;

/// A column that was found: the names that lead to it, from the outermost structure to itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ColumnPath(pub(crate) Vec<String>);

/// What a column is to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Text or bytes.
    Content,
    /// Text, bytes or whole numbers.
    Id,
    /// Text, numbers or times.
    Order,
}

impl ColumnPath {
    /// The column of this name, which must fit its purpose. `None` if there is none.
    ///
    /// A column of the table whose own name is `name` comes before one in a structure.
    pub(crate) fn find(
        schema: &Schema,
        name: &str,
        purpose: Purpose,
    ) -> Result<Option<Self>, String> {
        let mut path = Vec::new();
        let Some(field) = descend(schema.fields(), name, &mut path, 0) else { return Ok(None) };
        let fits = match value_type(field.data_type()) {
            DataType::Null => true,
            kind => match purpose {
                Purpose::Content => is_bytes(kind),
                Purpose::Id => is_bytes(kind) || is_number(kind),
                Purpose::Order => is_bytes(kind) || is_number(kind) || is_measure(kind),
            },
        };
        match field.data_type() {
            _ if fits => Ok(Some(Self(path))),
            DataType::Struct(fields) => {
                let inner = fields.first().map_or("...", |field| field.name().as_str());
                Err(format!(
                    "the column \"{name}\" is a structure; name a column in it, such as \
                        {name}.{inner}"
                ))
            }
            kind => {
                let wanted = match purpose {
                    Purpose::Content => "text",
                    Purpose::Id => "text or integers",
                    Purpose::Order => "text, numbers or times",
                };
                Err(format!("the column \"{name}\" contains {kind}, not {wanted}"))
            }
        }
    }

    /// The same where there must be one: otherwise the message names those there are.
    pub(crate) fn required(schema: &Schema, name: &str, purpose: Purpose) -> Result<Self, String> {
        Self::find(schema, name, purpose)?
            .ok_or_else(|| format!("there is no column \"{name}\"; there are: {}", listing(schema)))
    }

    /// Its values in a batch. `None` if the batch is not of the schema it was found in.
    pub(crate) fn values(&self, batch: &RecordBatch) -> Option<Values> {
        let (first, rest) = self.0.split_first()?;
        let mut array = batch.column_by_name(first)?;
        let mut nulls: Option<NullBuffer> = None;
        for name in rest {
            let structure: &StructArray = array.as_struct_opt()?;
            nulls = NullBuffer::union(nulls.as_ref(), structure.nulls());
            array = structure.column_by_name(name)?;
        }
        Values::new(array.as_ref(), nulls)
    }
}

/// The type of what a column's dictionary holds, or its own.
fn value_type(kind: &DataType) -> &DataType {
    match kind {
        DataType::Dictionary(_, values) => values,
        kind => kind,
    }
}

fn descend<'a>(
    fields: &'a Fields,
    name: &str,
    path: &mut Vec<String>,
    depth: usize,
) -> Option<&'a Field> {
    if let Some(field) = fields.iter().find(|field| field.name() == name) {
        path.push(name.to_owned());
        return Some(field);
    }
    if depth == DEPTH {
        return None;
    }
    for field in fields {
        let rest = name.strip_prefix(field.name().as_str()).and_then(|rest| rest.strip_prefix('.'));
        if let (Some(rest), DataType::Struct(inner)) = (rest, field.data_type()) {
            path.push(field.name().clone());
            if let Some(found) = descend(inner, rest, path, depth + 1) {
                return Some(found);
            }
            path.pop();
        }
    }
    None
}

/// The names of columns, those in structures dotted.
fn listing(schema: &Schema) -> String {
    let mut names = Vec::new();
    gather(schema.fields(), "", &mut names, 0);
    let mut text = names[..names.len().min(NAMED)].join(", ");
    if names.len() > NAMED {
        // Writing to a string does not fail.
        let _ = write!(text, " and {} more", names.len() - NAMED);
    }
    if text.is_empty() { "none".to_owned() } else { text }
}

fn gather(fields: &Fields, above: &str, names: &mut Vec<String>, depth: usize) {
    for field in fields {
        let name = format!("{above}{}", field.name().escape_debug());
        match field.data_type() {
            DataType::Struct(inner) if depth < DEPTH => {
                gather(inner, &format!("{name}."), names, depth + 1);
            }
            _ => names.push(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn schema() -> Schema {
        let inner = Fields::from(vec![
            Field::new("text", DataType::Utf8, true),
            Field::new("n", DataType::Int32, true),
        ]);
        let list = DataType::List(Arc::new(Field::new("item", DataType::Utf8, true)));
        let keys = Box::new(DataType::Int8);
        Schema::new(vec![
            Field::new("doc", DataType::Struct(inner.clone()), true),
            Field::new("doc.n", DataType::LargeUtf8, true),
            Field::new(
                "deep",
                DataType::Struct(vec![Field::new("er", DataType::Struct(inner), true)].into()),
                true,
            ),
            Field::new("links", list, true),
            Field::new("lang", DataType::Dictionary(keys, Box::new(DataType::Utf8)), true),
        ])
    }

    #[test]
    fn columns_are_found_by_their_names() {
        for (name, path) in [
            ("doc.text", Some(vec!["doc", "text"])),
            ("doc.n", Some(vec!["doc.n"])),
            ("deep.er.text", Some(vec!["deep", "er", "text"])),
            ("lang", Some(vec!["lang"])),
            ("text", None),
            ("deep.text", None),
            ("", None),
        ] {
            let found = ColumnPath::find(&schema(), name, Purpose::Content).unwrap();
            let path = path.map(|path| ColumnPath(path.into_iter().map(str::to_owned).collect()));
            assert_eq!(found, path, "{name}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_refused_with_a_remedy() {
        for (name, purpose, words) in [
            ("doc", Purpose::Content, "such as doc.text"),
            ("links", Purpose::Content, "not text"),
            ("deep.er.n", Purpose::Content, "Int32"),
            ("links", Purpose::Id, "integers"),
            (
                "body",
                Purpose::Content,
                "doc.text, doc.n, doc.n, deep.er.text, deep.er.n, links, lang",
            ),
        ] {
            let error = ColumnPath::required(&schema(), name, purpose).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
        assert!(ColumnPath::required(&schema(), "deep.er.n", Purpose::Id).is_ok());
        let wide: Vec<_> =
            (0..50).map(|n| Field::new(format!("c{n}"), DataType::Utf8, true)).collect();
        let error = ColumnPath::required(&Schema::new(wide), "text", Purpose::Content).unwrap_err();
        assert!(error.ends_with("c39 and 10 more"), "{error}");
    }
}
