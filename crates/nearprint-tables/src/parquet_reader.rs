//! Batches of a Parquet file, with the columns that are wanted.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::sync::Arc;

use arrow_schema::{DataType, Field, Fields, Schema};
use bytes::Bytes;
use nearprint_records::positioned_io::{read_at, read_exact_at};
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::arrow::{ProjectionMask, parquet_to_arrow_schema};
use parquet::basic::{Encoding, Type as Physical};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::{
    PageIndexPolicy, ParquetMetaData, ParquetMetaDataOptions, ParquetMetaDataReader,
    ParquetStatisticsPolicy,
};
use parquet::file::reader::{ChunkReader, Length};
use parquet::schema::types::{SchemaDescriptor, Type, TypePtr};

use crate::decoder_thread::damaged;
use crate::footer_memory;
use crate::parquet_stretches::{Columns, ParquetStretches};
use crate::rows::ColumnSelection;
use crate::stretches::Stretches;
use crate::values::is_bytes;

/// What Parquet files begin with, and end.
pub(crate) const PARQUET_MAGIC: &[u8; 4] = b"PAR1";

/// What those begin with whose footer is encrypted.
const ENCRYPTED_MAGIC: &[u8; 4] = b"PARE";

/// Rows of a batch, at most.
const MOST_ROWS: u64 = 8192;

/// Bytes of the footer (<=): those of tables of 10,000 columns or of 10,000 row groups have some MB. It is held as a
/// whole, and the bytes that a sparse file says it has cost it nothing.
const LARGEST_FOOTER: u64 = 64 << 20;

/// Bytes of a batch that are aimed at, by the mean of what the file says of its rows.
const BATCH_BYTES: u64 = 4 << 20;

/// Rows of a batch where values are written as additions to the ones before them: these expand in the batch.
const MOST_ROWS_OF_DELTAS: u64 = 256;

/// The rows of a Parquet file, in the columns that `wanted` finds in its schema, and how many of them to pass over.
///
/// The first `skip` rows lie before them, but for those of the same batch: whole row groups and pages, which are not
/// expanded.
///
/// Row groups may be of any size: of each column that is wanted, pages are read one by one as the rows need them.
pub(crate) fn open(
    file: File,
    skip: u64,
    wanted: impl FnOnce(&Schema) -> Result<ColumnSelection, String>,
) -> Result<(Box<dyn Stretches>, usize), String> {
    let mut file = file;
    if !begins(&mut file).map_err(|error| error.to_string())? {
        return Err(damaged("it does not begin with the magic number of Parquet"));
    }
    let (file, metadata) = footer(file)?;
    let unread = ParquetStatisticsPolicy::SkipAll;
    let described = metadata.file_metadata().schema_descr();
    let wanted = wanted(&parquet_to_arrow_schema(described, None).map_err(damaged)?)?;
    let leaves: Vec<usize> = (0..described.num_columns())
        .filter(|&leaf| wanted.paths().any(|path| path.0 == described.column(leaf).path().parts()))
        .collect();
    let size = RowSize::of(&metadata, &leaves);
    check_chunks(&metadata, &leaves, file.length)?;

    // Once more, with bytes where the file says text (see `bytes_instead`), as views into its pages: so nothing is
    // copied, and a page of a dictionary is there once however many rows point to it.
    let paths: Vec<&[String]> = wanted.paths().map(|path| &*path.0).collect();
    let bytes = as_bytes(described.root_schema(), &paths).map_err(damaged)?;
    let bytes = Arc::new(SchemaDescriptor::new(Arc::new(bytes)));
    let options = ArrowReaderOptions::new()
        .with_skip_arrow_metadata(true)
        .with_page_index_policy(PageIndexPolicy::Skip)
        .with_column_stats_policy(unread.clone())
        .with_size_stats_policy(unread)
        .with_parquet_schema(Arc::clone(&bytes));
    let metadata = ArrowReaderMetadata::load(&file, options.clone()).map_err(damaged)?;
    let views = Schema::new(as_views(metadata.schema().fields(), &paths));
    let options = options.with_schema(Arc::new(views));
    let metadata = ArrowReaderMetadata::try_new(Arc::clone(metadata.metadata()), options);
    let metadata = metadata.map_err(damaged)?;
    let columns = ProjectionMask::leaves(&bytes, leaves);
    let (stretches, pass) =
        ParquetStretches::behind(skip, Columns { file, metadata, columns, wanted, size });
    Ok((Box::new(stretches), pass))
}

/// Whether a file begins as Parquet does.
pub(crate) fn begins(file: &mut File) -> io::Result<bool> {
    let mut magic = Vec::new();
    file.take(PARQUET_MAGIC.len() as u64).read_to_end(&mut magic)?;
    if magic == ENCRYPTED_MAGIC {
        return Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "the table is encrypted, which is not supported; write it without encryption",
        ));
    }
    Ok(magic == PARQUET_MAGIC)
}

/// All that a reader gives, in a temporary file without a name, in the system's directory of such files.
pub(crate) fn spooled(mut reader: impl Read) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(&mut reader, &mut file)?;
    file.rewind()?;
    Ok(file)
}

/// What a file says of itself at its end, without what it says of its values.
pub(crate) fn footer(file: File) -> Result<(WithinFile, ParquetMetaData), String> {
    let file = WithinFile { length: file.len(), file: Arc::new(file) };
    if let Some(stated) = footer_length(&file).filter(|length| *length > LARGEST_FOOTER) {
        return Err(format!(
            "its footer has {stated} bytes; the limit is {LARGEST_FOOTER}: write it in several files"
        ));
    }
    if let Some(bytes) = footer_bytes(&file) {
        footer_memory::check(&bytes, file.length)?;
    }
    let unread = ParquetStatisticsPolicy::SkipAll;
    let mut options = ParquetMetaDataOptions::new();
    options.set_column_stats_policy(unread.clone());
    options.set_size_stats_policy(unread);
    let metadata = ParquetMetaDataReader::new()
        .with_metadata_options(Some(options))
        .with_page_index_policy(PageIndexPolicy::Skip)
        .parse_and_finish(&file)
        .map_err(damaged)?;
    let (stated, rows) = (metadata.file_metadata().num_rows(), rows_of(&metadata));
    if u64::try_from(stated) != Ok(rows) {
        return Err(damaged(format_args!(
            "its footer states {stated} rows, and its row groups {rows}"
        )));
    }
    Ok((file, metadata))
}

/// The length of the footer, as the last bytes of the file state it; none if there are too few.
fn footer_length(file: &WithinFile) -> Option<u64> {
    let mut length = [0; 4];
    read_exact_at(&file.file, &mut length, file.length.checked_sub(8)?).ok()?;
    Some(u32::from_le_bytes(length).into())
}

/// The footer, which ends before its length and the magic; none of a file that ends otherwise, which is not read.
fn footer_bytes(file: &WithinFile) -> Option<Bytes> {
    let length = footer_length(file)?;
    let end = file.length.checked_sub(8)?;
    let magic = file.get_bytes(file.length - 4, 4).ok()?;
    let begin = end.checked_sub(length).filter(|_| magic == PARQUET_MAGIC[..])?;
    file.get_bytes(begin, usize::try_from(length).ok()?).ok()
}

/// Refuses columns whose chunks have more bytes together than their file, twice: they lie over each other, and reading
/// them would take time in the square of the file's length.
fn check_chunks(metadata: &ParquetMetaData, leaves: &[usize], file: u64) -> Result<(), String> {
    let groups = metadata.row_groups().iter();
    let chunks =
        groups.flat_map(|group| leaves.iter().filter_map(|&leaf| group.columns().get(leaf)));
    let stated = chunks.fold(0_u64, |sum, chunk| sum.saturating_add(chunk.byte_range().1));
    if stated > file.saturating_mul(2) {
        return Err(damaged(format_args!(
            "its footer states {stated} bytes of columns, in a file of {file}"
        )));
    }
    Ok(())
}

/// Rows of all row groups.
pub(crate) fn rows_of(metadata: &ParquetMetaData) -> u64 {
    let groups = metadata.row_groups().iter();
    groups.fold(0, |rows: u64, group| {
        rows.saturating_add(u64::try_from(group.num_rows()).unwrap_or(0))
    })
}

/// How large the rows of a file are, by what it says of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowSize {
    /// Bytes of a row, on average (>= 1).
    pub(crate) mean: u64,
    /// Rows that make a batch of about [`BATCH_BYTES`] (>= 1).
    pub(crate) batch: usize,
}

impl RowSize {
    pub(crate) fn of(metadata: &ParquetMetaData, leaves: &[usize]) -> Self {
        let (mut bytes, mut rows, mut most) = (0_u64, 0_u64, MOST_ROWS);
        for group in metadata.row_groups() {
            rows = rows.saturating_add(u64::try_from(group.num_rows()).unwrap_or(0));
            for column in leaves.iter().filter_map(|&leaf| group.columns().get(leaf)) {
                let size = u64::try_from(column.uncompressed_size()).unwrap_or(0);
                bytes = bytes.saturating_add(size);
                if column.encodings().any(|encoding| encoding == Encoding::DELTA_BYTE_ARRAY) {
                    most = MOST_ROWS_OF_DELTAS;
                }
            }
        }
        let mean = bytes.checked_div(rows).unwrap_or(0).max(1);
        let batch = usize::try_from((BATCH_BYTES / mean).clamp(1, most)).unwrap_or(1);
        Self { mean, batch }
    }
}

/// A type of the file with these columns of it as bytes. `paths` lead from inside it.
fn as_bytes(kind: &Type, paths: &[&[String]]) -> ParquetResult<Type> {
    let info = kind.get_basic_info();
    let id = info.has_id().then(|| info.id());
    if !kind.is_group() {
        let is_text = kind.get_physical_type() == Physical::BYTE_ARRAY;
        if !is_text || !paths.iter().any(|path| path.is_empty()) {
            return Ok(kind.clone());
        }
        let plain = Type::primitive_type_builder(info.name(), Physical::BYTE_ARRAY).with_id(id);
        return plain.with_repetition(info.repetition()).build();
    }
    let field = |field: &TypePtr| -> ParquetResult<TypePtr> {
        let inner = within(field.name(), paths);
        Ok(if inner.is_empty() { Arc::clone(field) } else { Arc::new(as_bytes(field, &inner)?) })
    };
    let fields = kind.get_fields().iter().map(field).collect::<ParquetResult<_>>()?;
    let mut group = Type::group_type_builder(info.name())
        .with_fields(fields)
        .with_converted_type(info.converted_type())
        .with_logical_type(info.logical_type_ref().cloned())
        .with_id(id);
    if info.has_repetition() {
        group = group.with_repetition(info.repetition());
    }
    group.build()
}

/// The same fields with views where these columns hold bytes.
fn as_views(fields: &Fields, paths: &[&[String]]) -> Fields {
    let field = |field: &Arc<Field>| {
        let inner = within(field.name(), paths);
        let kind = match field.data_type() {
            DataType::Struct(fields) if !inner.is_empty() => {
                DataType::Struct(as_views(fields, &inner))
            }
            DataType::Binary if inner.iter().any(|path| path.is_empty()) => DataType::BinaryView,
            _ => return Arc::clone(field),
        };
        debug_assert!(is_bytes(&kind) || kind.is_nested());
        Arc::new(field.as_ref().clone().with_data_type(kind))
    };
    fields.iter().map(field).collect()
}

/// What is left of the paths that lead into the field of this name.
fn within<'p>(name: &str, paths: &[&'p [String]]) -> Vec<&'p [String]> {
    let inner = |path: &&'p [String]| {
        path.split_first().filter(|(first, _)| *first == name).map(|(_, rest)| rest)
    };
    paths.iter().filter_map(inner).collect()
}

/// A file of which nothing is read that lies beyond its end, and for which no memory is taken. Clones read it at once.
#[derive(Clone)]
pub(crate) struct WithinFile {
    file: Arc<File>,
    length: u64,
}

/// The file from some place on.
pub(crate) struct From {
    file: Arc<File>,
    at: u64,
}

impl Read for From {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = read_at(&self.file, bytes, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Length for WithinFile {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for WithinFile {
    type T = BufReader<From>;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        Ok(BufReader::new(From { file: Arc::clone(&self.file), at: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        let end = start.checked_add(length as u64);
        if end.is_none_or(|end| end > self.length) {
            let text = format!("{length} bytes from {start}, in a file of {}", self.length);
            return Err(ParquetError::EOF(text));
        }
        let mut bytes = vec![0; length];
        read_exact_at(&self.file, &mut bytes, start)?;
        Ok(bytes.into())
    }
}
