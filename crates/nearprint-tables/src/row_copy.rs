//! A table once more, without some of its rows, in its own format.
//!
//! Rows of tables do not lie side by side as lines do, so they are decoded and rewritten: what is kept is the same
//! by its values, its schema and its metadata, not byte for byte.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{BooleanArray, RecordBatch};
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::{RecordBatchDecoder, read_dictionary};
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_ipc::{CompressionType, MessageHeader};
use arrow_schema::SchemaRef;
use arrow_select::filter::filter_record_batch;
use nearprint_records::{CountingWriter, rewritten};
use parquet::arrow::arrow_reader::ArrowReaderMetadata;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::arrow::{ARROW_SCHEMA_META_KEY, ArrowWriter, ProjectionMask};
use parquet::basic::Type as Physical;
use parquet::file::metadata::{KeyValue, ParquetMetaData, RowGroupMetaData};
use parquet::file::properties::{WriterProperties, WriterVersion};

use crate::arrow_messages::{FILE_MAGIC, Messages};
use crate::decoder_thread::{apart, damaged, guarded};
use crate::parquet_pages::checked_reader;
use crate::parquet_reader::{self, PARQUET_MAGIC, RowSize, spooled};
use crate::writer::{ROW_GROUP_BYTES, ROW_GROUP_ROWS};

/// What was written of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CopiedRows {
    /// Bytes.
    pub bytes: u64,
    /// Rows that are not written because they cannot be read in all columns, ascending; they count from 1.
    pub unreadable: Vec<RangeInclusive<u64>>,
    /// Whether the texts of the table are of a type that cannot be changed
    /// ([`copy_rows_with_texts`](crate::copy_rows_with_texts)).
    pub keeps_texts: bool,
}

/// Writes a table to `to` without some of its rows: `dropped` are their numbers, which count from 1, ascending. All
/// columns, the schema and the metadata of the table stay. Returns what was written.
///
/// Where a row group of Parquet is damaged in any of its columns, what cannot be read of it is left out.
///
/// Parquet is written in row groups of at most 131,072 rows and about 128 MiB, which is what it takes of memory, each
/// column with the compression it had in the first row group. Arrow is written as a file or a stream as it was, in its
/// batches, with their compression and what its footer says of it. A file that is compressed as a whole is so again;
/// Parquet that is is expanded into a temporary file without a name first.
///
/// # Errors
/// Those of the files and of `dropped`; where Arrow is damaged in any of its columns, or Parquet in its footer, or the
/// table has not all of these rows.
pub fn copy_rows_without(
    path: &Path,
    dropped: impl IntoIterator<Item = io::Result<u64>, IntoIter: Send>,
    to: &mut (dyn Write + Send),
) -> io::Result<CopiedRows> {
    let mut kept = RowFilter {
        dropped: dropped.into_iter(),
        next: None,
        last: 0,
        met: 0,
        unreadable: Vec::new(),
    };
    let bytes = copy_table(path, &mut kept, to)?;
    Ok(CopiedRows { bytes, unreadable: kept.unreadable, keeps_texts: false })
}

/// What is made of the batches of a table.
pub(crate) trait BatchEdit: Send {
    /// Rows met.
    fn met(&self) -> u64;

    /// What is written of a batch.
    fn edited(&mut self, batch: &RecordBatch) -> Result<RecordBatch, String>;

    /// Continues after rows that cannot be read, up to the one of this number.
    fn miss(&mut self, last: u64) -> Result<(), String>;

    /// The end of the table.
    fn finish(&mut self) -> Result<(), String>;
}

/// Writes a table to `to` as it was, with its batches edited, and returns the bytes written.
pub(crate) fn copy_table(
    path: &Path,
    edit: &mut impl BatchEdit,
    to: &mut (dyn Write + Send),
) -> io::Result<u64> {
    let mut file = File::open(path)?;
    if parquet_reader::begins(&mut file)? {
        let mut out = CountingWriter::new(to);
        apart(|| copy_parquet(file, edit, &mut out).and_then(|()| edit.finish()))
            .map_err(io::Error::other)?;
        return Ok(out.bytes());
    }
    rewritten(path, to, |from, to| {
        let mut from = BufReader::new(from);
        let head = from.fill_buf()?;
        let (is_parquet, is_file) = (head.starts_with(PARQUET_MAGIC), head.starts_with(FILE_MAGIC));
        // What lies where in Parquet is written at its end.
        let spooled = if is_parquet { Some(spooled(&mut from)?) } else { None };
        apart(|| {
            match spooled {
                Some(file) => copy_parquet(file, edit, &mut { to })?,
                None => copy_arrow(from, is_file, edit, to)?,
            }
            edit.finish()
        })
        .map_err(io::Error::other)
    })
}

/// Filter of the rows that stay.
struct RowFilter<I> {
    dropped: I,
    /// The next row that is dropped, once it was asked for.
    next: Option<u64>,
    /// The last one that was.
    last: u64,
    /// Rows met.
    met: u64,
    /// Those that could not be read.
    unreadable: Vec<RangeInclusive<u64>>,
}

impl<I: Iterator<Item = io::Result<u64>>> RowFilter<I> {
    fn dropped(&mut self) -> Result<Option<u64>, String> {
        if self.next.is_none() {
            self.next = self.dropped.next().transpose().map_err(|error| error.to_string())?;
        }
        Ok(self.next)
    }
}

impl<I: Iterator<Item = io::Result<u64>> + Send> BatchEdit for RowFilter<I> {
    fn met(&self) -> u64 {
        self.met
    }

    fn edited(&mut self, batch: &RecordBatch) -> Result<RecordBatch, String> {
        let mut stays = vec![true; batch.num_rows()];
        let behind = self.met + stays.len() as u64;
        while let Some(row) = self.dropped()?.filter(|&row| row <= behind) {
            if row <= self.last.max(self.met) {
                return Err(changed());
            }
            stays[(row - self.met - 1) as usize] = false;
            (self.next, self.last) = (None, row);
        }
        self.met = behind;
        filter_record_batch(batch, &BooleanArray::from(stays)).map_err(damaged)
    }

    fn miss(&mut self, last: u64) -> Result<(), String> {
        while let Some(row) = self.dropped()?.filter(|&row| row <= last) {
            if row <= self.last.max(self.met) {
                return Err(changed());
            }
            (self.next, self.last) = (None, row);
        }
        self.unreadable.push(self.met + 1..=last);
        self.met = last;
        Ok(())
    }

    fn finish(&mut self) -> Result<(), String> {
        if self.dropped()?.is_some() { Err(changed()) } else { Ok(()) }
    }
}

pub(crate) fn changed() -> String {
    "the file changed while the job was running; rerun it".to_owned()
}

fn unwritten(error: impl std::fmt::Display) -> String {
    format!("cannot write the rows: {error}")
}

fn copy_parquet(
    file: File,
    edit: &mut impl BatchEdit,
    to: &mut (impl Write + Send),
) -> Result<(), String> {
    let (file, metadata) = parquet_reader::footer(file)?;
    let metadata = ArrowReaderMetadata::try_new(Arc::new(metadata), Default::default());
    let metadata = metadata.map_err(damaged)?;
    let described = metadata.metadata();
    let columns = described.file_metadata().schema_descr();
    let leaves: Vec<usize> = (0..columns.num_columns()).collect();
    let rows = RowSize::of(described, &leaves).batch;
    let had_arrow_schema = pairs(described).any(|pair| pair.key == ARROW_SCHEMA_META_KEY);
    let mut options = ArrowWriterOptions::new()
        .with_properties(properties_as_of(described))
        .with_skip_arrow_metadata(!had_arrow_schema);
    // Times of 96 bits are read and no longer written: their column is then one of nanoseconds.
    if columns.columns().iter().all(|column| column.physical_type() != Physical::INT96) {
        options = options.with_parquet_schema(columns.clone());
    }
    let schema = Arc::clone(metadata.schema());
    let mut writer = ArrowWriter::try_new_with_options(to, schema, options).map_err(unwritten)?;
    // Each row group alone: what is damaged in one costs none of the next.
    for (number, group) in described.row_groups().iter().enumerate() {
        let end = edit.met().saturating_add(u64::try_from(group.num_rows()).unwrap_or(0));
        let file = file.clone();
        let mut reader = guarded(|| {
            checked_reader(file, &metadata, vec![number], ProjectionMask::all(), rows, None)
                .map_err(damaged)
        });
        while let Ok(batches) = &mut reader {
            match guarded(|| batches.next().transpose().map_err(damaged)) {
                Ok(Some(batch)) if edit.met() + batch.num_rows() as u64 <= end => {
                    writer.write(&edit.edited(&batch)?).map_err(unwritten)?;
                }
                _ => break,
            }
        }
        if edit.met() < end {
            edit.miss(end)?;
        }
    }
    writer.close().map_err(unwritten)?;
    Ok(())
}

/// What the file's own metadata has.
fn pairs(metadata: &ParquetMetaData) -> impl Iterator<Item = &KeyValue> {
    metadata.file_metadata().key_value_metadata().into_iter().flatten()
}

/// How the table is rewritten: its metadata, and each column's compression.
fn properties_as_of(metadata: &ParquetMetaData) -> WriterProperties {
    let own = pairs(metadata).filter(|pair| pair.key != ARROW_SCHEMA_META_KEY).cloned();
    let mut properties = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_created_by(concat!("nearprint ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_key_value_metadata(Some(own.collect()))
        .set_max_row_group_row_count(Some(ROW_GROUP_ROWS))
        .set_max_row_group_bytes(Some(ROW_GROUP_BYTES));
    for column in metadata.row_groups().first().into_iter().flat_map(RowGroupMetaData::columns) {
        let path = column.column_path().clone();
        properties = properties.set_column_compression(path, column.compression());
    }
    properties.build()
}

/// The two forms of Arrow IPC.
enum ArrowOut<W: Write> {
    File(FileWriter<W>),
    Stream(StreamWriter<W>),
}

impl<W: Write> ArrowOut<W> {
    fn new(
        to: W,
        schema: &SchemaRef,
        is_file: bool,
        compression: Option<CompressionType>,
    ) -> Result<Self, String> {
        let options = IpcWriteOptions::default().try_with_compression(compression);
        let options = options.map_err(unwritten)?;
        let out = match is_file {
            true => FileWriter::try_new_with_options(to, schema, options).map(Self::File),
            false => StreamWriter::try_new_with_options(to, schema, options).map(Self::Stream),
        };
        out.map_err(unwritten)
    }

    fn write(&mut self, batch: &RecordBatch) -> Result<(), String> {
        match self {
            Self::File(out) => out.write(batch),
            Self::Stream(out) => out.write(batch),
        }
        .map_err(unwritten)
    }

    /// Writes the end: of a file the footer, with these keys and values.
    fn finish(mut self, footer: Vec<(String, String)>) -> Result<(), String> {
        match &mut self {
            Self::File(out) => {
                footer.into_iter().for_each(|(key, value)| out.write_metadata(key, value));
                out.finish()
            }
            Self::Stream(out) => out.finish(),
        }
        .map_err(unwritten)
    }
}

fn copy_arrow(
    from: impl Read,
    is_file: bool,
    edit: &mut impl BatchEdit,
    to: &mut (dyn Write + Send),
) -> Result<(), String> {
    let mut messages = Messages::new(from);
    let first = messages.next()?.ok_or_else(|| damaged("it is empty"))?;
    let head = first.head()?;
    let schema = head.header_as_schema().ok_or_else(|| damaged("it has no schema"))?;
    let schema: SchemaRef = Arc::new(try_fb_to_schema(schema).map_err(damaged)?);
    let mut dictionaries = HashMap::new();
    let mut to = Some(to);
    let mut out = None;
    // The batches say how they are compressed, so the first one is seen before anything is written.
    let mut opened = |compression| match to.take() {
        Some(to) => ArrowOut::new(to, &schema, is_file, compression).map(Some),
        None => Ok(None),
    };
    while let Some(message) = messages.next()? {
        let head = message.head()?;
        let version = head.version();
        match head.header_type() {
            MessageHeader::RecordBatch => {
                let batch = head.header_as_record_batch().ok_or_else(|| damaged("no batch"))?;
                let compression = batch.compression().map(|compression| compression.codec());
                if let Some(begun) = opened(compression)? {
                    out = Some(begun);
                }
                let schema = Arc::clone(&schema);
                let decoder = RecordBatchDecoder::try_new(
                    &message.body,
                    batch,
                    schema,
                    &dictionaries,
                    &version,
                );
                let batch = decoder.and_then(RecordBatchDecoder::read_record_batch);
                let batch = edit.edited(&batch.map_err(damaged)?)?;
                // A batch of which nothing is left has lost its dictionaries too, and files have one for all batches.
                if let Some(out) = out.as_mut().filter(|_| batch.num_rows() > 0) {
                    out.write(&batch)?;
                }
            }
            MessageHeader::DictionaryBatch => {
                let batch = head.header_as_dictionary_batch().ok_or_else(|| damaged("no batch"))?;
                read_dictionary(&message.body, batch, &schema, &mut dictionaries, &version)
                    .map_err(damaged)?;
            }
            MessageHeader::Schema => return Err(damaged("a second schema")),
            _ => {}
        }
    }
    match (out, opened(None)?) {
        (Some(out), _) | (None, Some(out)) => {
            out.finish(if is_file { messages.footer_metadata()? } else { Vec::new() })
        }
        (None, None) => Ok(()),
    }
}
