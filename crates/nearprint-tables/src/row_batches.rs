//! Results as batches of Arrow in memory, for whoever hands them on instead of writing them.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use arrow_array::{RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use nearprint_fingerprint::Scheme;
use nearprint_records::{Cell, TableRow};

use crate::builder::{Builder, fields};

/// Rows of a batch.
const BATCH_ROWS: usize = 8192;

/// The key under which a table's metadata says of what schema its rows are.
const SCHEMA_KEY: &str = "nearprint.schema";

/// The key under which it says by what scheme the prints were made.
const SCHEME_KEY: &str = "nearprint.scheme";

/// Gathers rows of one kind as batches.
///
/// The columns are those of the [`TableRow`], and `scheme`, where the rows do not say it themselves. The metadata of
/// the schema holds that of the rows under `nearprint.schema` and the scheme under `nearprint.scheme`.
///
/// ```
/// use nearprint_fingerprint::Scheme;
/// use nearprint_records::{DocumentId, PairRow};
/// use nearprint_tables::RowBatches;
///
/// let id = |name: &str| DocumentId::new(name).unwrap();
/// let row = PairRow::new(id("one"), id("other"), 2, 0.97);
/// let mut batches = RowBatches::new::<PairRow>(Scheme::SD1);
/// assert!(batches.push(&row)?.is_empty()); // no batch is full
/// let batch = batches.finish()?.unwrap();
/// assert_eq!((batch.num_rows(), batch.schema().field(2).name().as_str()), (1, "distance"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct RowBatches {
    /// What the rows are of.
    rows_of: &'static str,
    schema: SchemaRef,
    builders: Vec<Builder>,
    /// The scheme, where a column of it follows those of the rows.
    scheme: Option<Scheme>,
    rows: usize,
}

impl RowBatches {
    /// Batches of rows `R`, whose prints are of `scheme`.
    #[must_use]
    pub fn new<R: TableRow>(scheme: Scheme) -> Self {
        let columns = R::columns(scheme);
        let builders = columns.iter().map(|column| Builder::new(&column.kind)).collect();
        let mut fields: Vec<_> = fields(&columns).iter().cloned().collect();
        let added = R::HAS_SCHEME && columns.iter().all(|column| column.name != "scheme");
        if added {
            fields.push(Arc::new(Field::new("scheme", DataType::Utf8, false)));
        }
        let metadata = metadata::<R>(scheme).into_iter().collect::<HashMap<_, _>>();
        let schema = Arc::new(Schema::new_with_metadata(fields, metadata));
        let scheme = added.then_some(scheme);
        Self { rows_of: R::SCHEMA, schema, builders, scheme, rows: 0 }
    }

    /// The schema of every batch.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// Adds a result, and gives the batches that it fills: a result may be several rows.
    ///
    /// # Errors
    /// Where the row is not of the kind that the batches were made for.
    pub fn push<R: TableRow>(&mut self, row: &R) -> io::Result<Vec<RecordBatch>> {
        if R::SCHEMA != self.rows_of {
            let text = format!("a row of {} in a table of {}", R::SCHEMA, self.rows_of);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        let (mut full, mut done) = (Vec::new(), Ok(()));
        row.cells(&mut |cells| {
            if done.is_ok() {
                done = self.put(cells).map(|batch| full.extend(batch));
            }
        });
        done.map(|()| full)
    }

    fn put(&mut self, cells: &[Cell<'_>]) -> io::Result<Option<RecordBatch>> {
        for (builder, cell) in self.builders.iter_mut().zip(cells) {
            builder.push(*cell).map_err(io::Error::other)?;
        }
        self.rows += 1;
        if self.rows == BATCH_ROWS { self.finish() } else { Ok(None) }
    }

    /// The batch of what is left, if anything is.
    ///
    /// # Errors
    /// Where columns have unlike lengths, which they have not after rows of one kind.
    pub fn finish(&mut self) -> io::Result<Option<RecordBatch>> {
        if self.rows == 0 {
            return Ok(None);
        }
        let columns: Result<Vec<_>, _> = self.builders.iter_mut().map(Builder::finish).collect();
        let mut columns = columns.map_err(io::Error::other)?;
        if let Some(scheme) = self.scheme {
            columns.push(Arc::new(StringArray::from(vec![scheme.id(); self.rows])));
        }
        self.rows = 0;
        RecordBatch::try_new(self.schema(), columns).map(Some).map_err(io::Error::other)
    }
}

/// What the metadata of a table says.
pub(crate) fn metadata<R: TableRow>(scheme: Scheme) -> Vec<(String, String)> {
    let scheme = R::HAS_SCHEME.then_some((SCHEME_KEY, scheme.id()));
    let all = [(SCHEMA_KEY, R::SCHEMA)].into_iter().chain(scheme);
    all.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}
