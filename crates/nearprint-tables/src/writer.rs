//! Results as tables.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::RecordBatch;
use arrow_ipc::writer::{FileWriter, StreamWriter};
use nearprint_fingerprint::Scheme;
use nearprint_records::TableRow;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::schema::types::ColumnPath;

use crate::row_batches::{RowBatches, metadata};

/// Rows of a row group of Parquet, at most. A row group is held, encoded, until it is whole.
pub const ROW_GROUP_ROWS: usize = 131_072;

/// Bytes of a row group of Parquet, encoded, from which on a new one begins.
pub const ROW_GROUP_BYTES: usize = 128 << 20;

/// Columns whose values hardly ever come twice, so that a dictionary of them is lost labour.
const WITHOUT_DICTIONARY: [&str; 3] = ["id", "fingerprint", "print"];

/// The formats in which results are tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TableFormat {
    /// Apache Parquet, compressed by zstd.
    Parquet,
    /// A file of Arrow IPC, also called Feather 2.
    ArrowFile,
    /// A stream of Arrow IPC.
    ArrowStream,
}

/// Writes rows of one kind as a table.
///
/// Its columns are those of the [`TableRow`], and `scheme`, where the rows do not say it themselves. The metadata of
/// the table holds the schema of the rows under `nearprint.schema` and the scheme under `nearprint.scheme`.
///
/// Memory: 8,192 rows, and of Parquet one row group, encoded: at most [`ROW_GROUP_ROWS`] rows and about
/// [`ROW_GROUP_BYTES`]. Without [`finish`](Self::finish) a Parquet file lacks what makes it one.
pub struct TableWriter<W: Write + Send> {
    out: Out<W>,
    batches: RowBatches,
    /// The last error of the stream.
    error: Arc<Mutex<Option<io::Error>>>,
}

enum Out<W: Write + Send> {
    Parquet(Box<ArrowWriter<ErrorKeeper<W>>>),
    File(FileWriter<ErrorKeeper<W>>),
    Stream(StreamWriter<ErrorKeeper<W>>),
}

impl<W: Write + Send> TableWriter<W> {
    /// A table of rows `R`, whose prints are of `scheme`.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn new<R: TableRow>(format: TableFormat, scheme: Scheme, out: W) -> io::Result<Self> {
        let batches = RowBatches::new::<R>(scheme);
        let schema = batches.schema();
        let error = Arc::default();
        let stream = ErrorKeeper { out, error: Arc::clone(&error) };
        let out = match format {
            TableFormat::Parquet => ArrowWriter::try_new(
                stream,
                Arc::clone(&schema),
                Some(properties(metadata::<R>(scheme))),
            )
            .map(|writer| Out::Parquet(Box::new(writer)))
            .map_err(io::Error::other),
            TableFormat::ArrowFile => {
                FileWriter::try_new(stream, &schema).map(Out::File).map_err(io::Error::other)
            }
            TableFormat::ArrowStream => {
                StreamWriter::try_new(stream, &schema).map(Out::Stream).map_err(io::Error::other)
            }
        };
        let out = out.map_err(|other| told(&error, other))?;
        Ok(Self { out, batches, error })
    }

    /// Writes one result.
    ///
    /// # Errors
    /// Those of the stream, and where the row is not of the kind that the table was made for.
    pub fn write<R: TableRow>(&mut self, row: &R) -> io::Result<()> {
        let full = self.batches.push(row)?;
        full.iter().try_for_each(|batch| self.write_batch(batch))
    }

    /// Hands on what is gathered.
    fn write_batch(&mut self, batch: &RecordBatch) -> io::Result<()> {
        let written = match &mut self.out {
            Out::Parquet(out) => out.write(batch).map_err(io::Error::other),
            Out::File(out) => out.write(batch).map_err(io::Error::other),
            Out::Stream(out) => out.write(batch).map_err(io::Error::other),
        };
        written.map_err(|other| told(&self.error, other))
    }

    /// Ends the table, and gives the stream back.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn finish(mut self) -> io::Result<W> {
        if let Some(batch) = self.batches.finish()? {
            self.write_batch(&batch)?;
        }
        let stream = match self.out {
            Out::Parquet(out) => out.into_inner().map_err(io::Error::other),
            Out::File(out) => out.into_inner().map_err(io::Error::other),
            Out::Stream(out) => out.into_inner().map_err(io::Error::other),
        };
        stream.map(|stream| stream.out).map_err(|other| told(&self.error, other))
    }
}

/// The error of the stream where there was one, so that a reader who has gone is known as such; else the other one.
fn told(of_stream: &Mutex<Option<io::Error>>, other: io::Error) -> io::Error {
    of_stream.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or(other)
}

fn properties(metadata: Vec<(String, String)>) -> WriterProperties {
    let metadata = metadata.into_iter().map(|(key, value)| KeyValue::new(key, value)).collect();
    let mut properties = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_created_by(concat!("nearprint ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_key_value_metadata(Some(metadata))
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_max_row_group_row_count(Some(ROW_GROUP_ROWS))
        .set_max_row_group_bytes(Some(ROW_GROUP_BYTES));
    for column in WITHOUT_DICTIONARY {
        let path = ColumnPath::from(column);
        properties = properties.set_column_dictionary_enabled(path, false);
    }
    properties.build()
}

/// Stream whose errors are kept: the libraries make text of some.
struct ErrorKeeper<W> {
    out: W,
    error: Arc<Mutex<Option<io::Error>>>,
}

impl<W> ErrorKeeper<W> {
    fn remembered<T>(&self, outcome: io::Result<T>) -> io::Result<T> {
        outcome.map_err(|error| {
            let known = io::Error::from(error.kind());
            // Nothing panics while it holds this lock.
            *self.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            known
        })
    }
}

impl<W: Write> Write for ErrorKeeper<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let outcome = self.out.write(bytes);
        // Whoever writes tries again, and nothing is lost.
        if outcome.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::Interrupted) {
            return outcome;
        }
        self.remembered(outcome)
    }

    fn flush(&mut self) -> io::Result<()> {
        let outcome = self.out.flush();
        self.remembered(outcome)
    }
}
