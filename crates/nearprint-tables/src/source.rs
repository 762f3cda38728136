//! The source of documents that are rows of a table.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Schema};
use nearprint_records::{
    Content, Document, DocumentId, ErrorRecord, Place, ReasonCode, TableFields,
};

use crate::ahead::{Batches, decoded_ahead};
use crate::column::{ColumnPath, Purpose};
use crate::values::{Value, Values, is_octets};
use crate::{arrow_reader, parquet_reader};

/// What Parquet files begin with, and end.
const PARQUET_MAGIC: &[u8; 4] = b"PAR1";

/// The rows of a table as documents, in their order.
///
/// - The column of the content is named by [`TableFields`]: text, octets, or a dictionary of them; a dotted name is a
///   column of a structure. A table without it is one error, which names the columns there are.
/// - The id is text (or a dictionary of it), a whole number, which is written in decimal digits, or octets of a fixed
///   number, written as hexadecimal digits. A row without one is called by its place, `FILE#ROW`; rows count from 1.
/// - A row whose content is **null** is a document of no octets: `empty`, which is a finding and no failure. Text that is
///   no UTF-8 is the error of its row. HTML may be in any charset where its column holds octets.
/// - What is **damaged** is one error with the row from which on nothing can be read, and the end of the table.
///
/// Memory: of Parquet two batches of at most 8,192 rows and about 4 MiB (one row, where it is longer), and the pages
/// they lie in, as the writer cut them; of Arrow two batches as the writer cut them, 2 GiB each at most. Rows that are as
/// long as they like are copied one at a time.
pub struct TableSource {
    place: Place,
    html: bool,
    /// Opens the table, when the first row is asked for.
    open: Option<Box<dyn FnOnce() -> Batches + Send>>,
    /// What is not used yet; `None` before the table is opened and behind its end.
    batches: Option<Batches>,
    /// What is used now.
    rows: Option<Rows>,
    /// Rows that were met.
    met: u64,
}

impl TableSource {
    /// The rows of a Parquet file, which is opened when the first one is asked for. What is read cannot be a stream: what
    /// lies where is written at the end of the file. `place` says what it is called.
    #[must_use]
    pub fn of_parquet(path: impl Into<PathBuf>, place: Place, fields: &TableFields) -> Self {
        let path = path.into();
        Self::of(place, fields, move |fields| open_parquet(&path, &fields))
    }

    /// The rows of Arrow IPC, a file (also called Feather 2) or a stream, read from its beginning to its end. Files without
    /// their end, the footer, will do.
    #[must_use]
    pub fn of_arrow(
        reader: impl Read + Send + 'static,
        place: Place,
        fields: &TableFields,
    ) -> Self {
        Self::of(place, fields, |fields| {
            arrow_reader::open(reader, |schema| Wanted::find(schema, &fields))
        })
    }

    fn of(
        place: Place,
        fields: &TableFields,
        open: impl FnOnce(TableFields) -> Result<Batches, String> + Send + 'static,
    ) -> Self {
        let html = fields.is_html();
        let fields = fields.clone();
        let open = Box::new(move || decoded_ahead(move || open(fields)));
        Self { place, html, open: Some(open), batches: None, rows: None, met: 0 }
    }

    fn document(&self, rows: &Rows, row: usize, number: u64) -> Result<Document, ErrorRecord> {
        let place = Place { row: Some(number), ..self.place.clone() };
        let id = match rows.id(row) {
            None => DocumentId::new(place.to_string()),
            Some(Ok(id)) => DocumentId::new(id),
            Some(Err(detail)) => return Err(error(None, place, ReasonCode::BAD_ID, detail)),
        };
        let id = match id {
            Ok(id) => id,
            Err(bad) => return Err(error(None, place, ReasonCode::BAD_ID, bad.to_string())),
        };
        let octets = match rows.content.get(row) {
            Value::Octets(octets) => octets,
            _ => &[],
        };
        if self.html {
            let mut document = Document::new(id, place, Content::Octets(octets.to_vec()));
            document.media_type = Some("text/html".to_owned());
            document.charset = rows.is_text.then(|| "utf-8".to_owned());
            return Ok(document);
        }
        match std::str::from_utf8(octets) {
            Ok(text) => Ok(Document::new(id, place, Content::Text(text.to_owned()))),
            Err(bad) => {
                let detail =
                    format!("the text is no UTF-8 from its octet {} on", bad.valid_up_to());
                Err(error(Some(id), place, ReasonCode::DAMAGED, detail))
            }
        }
    }
}

impl Iterator for TableSource {
    type Item = Result<Document, ErrorRecord>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(open) = self.open.take() {
            self.batches = Some(open());
        }
        loop {
            if let Some(row) = self.rows.as_mut().and_then(Rows::take) {
                self.met += 1;
                let rows = self.rows.as_ref()?;
                return Some(self.document(rows, row, self.met));
            }
            match self.batches.as_mut()?.next() {
                Some(Ok(rows)) => self.rows = Some(rows),
                Some(Err(detail)) => {
                    self.batches = None;
                    let row = (self.met > 0).then_some(self.met + 1);
                    let place = Place { row, ..self.place.clone() };
                    return Some(Err(error(None, place, ReasonCode::BAD_FILE, detail)));
                }
                None => self.batches = None,
            }
        }
    }
}

fn error(id: Option<DocumentId>, place: Place, reason: ReasonCode, detail: String) -> ErrorRecord {
    ErrorRecord { id, place, reason, detail: detail.into() }
}

fn open_parquet(path: &Path, fields: &TableFields) -> Result<Batches, String> {
    let mut file = File::open(path).map_err(|error| error.to_string())?;
    let mut magic = [0; PARQUET_MAGIC.len()];
    if file.read_exact(&mut magic).is_err() || magic != *PARQUET_MAGIC {
        let text = "it does not begin as Parquet does; where it is compressed as a whole, expand it: pages of Parquet are \
                    compressed already";
        return Err(text.to_owned());
    }
    parquet_reader::open(file, |schema| Wanted::find(schema, fields))
}

/// The columns that are read.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    id: Option<ColumnPath>,
    content: ColumnPath,
    /// Whether the content is text by the schema, not octets.
    is_text: bool,
}

impl Wanted {
    fn find(schema: &Schema, fields: &TableFields) -> Result<Self, String> {
        let id = match &fields.id {
            Some(name) => Some(ColumnPath::required(schema, name, Purpose::Id)?),
            // What happens to be called so and cannot be an id was not asked for.
            None => ColumnPath::find(schema, fields.id(), Purpose::Id).unwrap_or(None),
        };
        let content = ColumnPath::required(schema, fields.content(), Purpose::Content)?;
        let is_text = content.is_text(schema);
        Ok(Self { id, content, is_text })
    }

    /// The columns.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &ColumnPath> {
        self.id.iter().chain([&self.content])
    }

    /// Numbers of the table's own columns that they are, or lie in; each once, in order.
    pub(crate) fn top_level(&self, schema: &Schema) -> Vec<usize> {
        let numbers = self.paths().filter_map(|path| schema.index_of(path.0.first()?).ok());
        let numbers: std::collections::BTreeSet<usize> = numbers.collect();
        numbers.into_iter().collect()
    }

    /// Their values in a batch.
    pub(crate) fn rows(&self, batch: &RecordBatch) -> Result<Rows, String> {
        let ids = self.id.as_ref().map(|path| path.values(batch).ok_or(path));
        match (ids.transpose(), self.content.values(batch)) {
            (Ok(ids), Some(content)) => {
                Ok(Rows { ids, content, is_text: self.is_text, count: batch.num_rows(), next: 0 })
            }
            _ => Err(crate::ahead::damaged("a batch is not of the table's schema")),
        }
    }
}

/// What is wanted of one batch.
pub(crate) struct Rows {
    ids: Option<Values>,
    content: Values,
    is_text: bool,
    count: usize,
    /// The first that was not taken.
    next: usize,
}

impl Rows {
    /// The number of the next row in the batch; `None` behind the last.
    fn take(&mut self) -> Option<usize> {
        let row = self.next;
        (row < self.count).then(|| {
            self.next += 1;
            row
        })
    }

    /// The id of a row as it is in the table; `None` where it has none.
    fn id(&self, row: usize) -> Option<Result<String, String>> {
        let ids = self.ids.as_ref()?;
        Some(match ids.get(row) {
            Value::Null => return None,
            Value::Number(number) => Ok(number.to_string()),
            Value::Octets(octets) if ids.are_of_fixed_size() => {
                Ok(octets.iter().map(|octet| format!("{octet:02x}")).collect())
            }
            Value::Octets(octets) => match std::str::from_utf8(octets) {
                Ok(id) => Ok(id.to_owned()),
                Err(_) => {
                    Err("the id is no UTF-8: name a column of text or of whole numbers".to_owned())
                }
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
                DataType::Dictionary(_, values) => return values.is_string() && is_octets(values),
                kind => return kind.is_string(),
            }
        }
        false
    }
}
