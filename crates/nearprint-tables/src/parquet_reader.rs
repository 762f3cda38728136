//! Batches of a Parquet file, with the columns that are wanted.

use std::fs::File;
use std::io::BufReader;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Fields, Schema};
use bytes::Bytes;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::arrow::{ProjectionMask, parquet_to_arrow_schema};
use parquet::basic::{Encoding, Type as Physical};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::{
    PageIndexPolicy, ParquetMetaData, ParquetMetaDataOptions, ParquetMetaDataReader,
    ParquetStatisticsPolicy,
};
use parquet::file::reader::{ChunkReader, Length};
use parquet::schema::types::{SchemaDescriptor, Type, TypePtr};

use crate::decoding::{Batches, damaged};
use crate::rows::Wanted;
use crate::values::is_octets;

/// Rows of a batch, at most.
const MOST_ROWS: u64 = 8192;

/// Octets of a batch that are aimed at, by the mean of what the file says of its rows.
const BATCH_OCTETS: u64 = 4 << 20;

/// Rows of a batch where values are written as additions to the ones before them: these expand in the batch.
const MOST_ROWS_OF_DELTAS: u64 = 256;

/// The rows of a Parquet file, in the columns that `wanted` finds in its schema.
///
/// The first `skip` rows are passed over: whole row groups, and within one pages, without expanding them.
///
/// Row groups may be of any size: of each column that is wanted, pages are read one by one as the rows need them.
pub(crate) fn open(
    file: File,
    skip: u64,
    wanted: impl FnOnce(&Schema) -> Result<Wanted, String>,
) -> Result<Batches, String> {
    let (file, metadata) = footer(file)?;
    let unread = ParquetStatisticsPolicy::SkipAll;
    let described = metadata.file_metadata().schema_descr();
    let wanted = wanted(&parquet_to_arrow_schema(described, None).map_err(damaged)?)?;
    let leaves: Vec<usize> = (0..described.num_columns())
        .filter(|&leaf| wanted.paths().any(|path| path.0 == described.column(leaf).path().parts()))
        .collect();
    let rows = batch_rows(&metadata, &leaves);

    // Once more, with octets where the file says text (see `octets_instead`), as views into its pages: so nothing is copied,
    // and a page of a dictionary is there once however many rows point to it.
    let paths: Vec<&[String]> = wanted.paths().map(|path| &*path.0).collect();
    let octets = as_octets(described.root_schema(), &paths).map_err(damaged)?;
    let octets = Arc::new(SchemaDescriptor::new(Arc::new(octets)));
    let options = ArrowReaderOptions::new()
        .with_skip_arrow_metadata(true)
        .with_page_index_policy(PageIndexPolicy::Skip)
        .with_column_stats_policy(unread.clone())
        .with_size_stats_policy(unread)
        .with_parquet_schema(Arc::clone(&octets));
    let metadata = ArrowReaderMetadata::load(&file, options.clone()).map_err(damaged)?;
    let views = Schema::new(as_views(metadata.schema().fields(), &paths));
    let options = options.with_schema(Arc::new(views));
    let metadata = ArrowReaderMetadata::try_new(Arc::clone(metadata.metadata()), options);
    let metadata = metadata.map_err(damaged)?;
    let (groups, offset) = behind(skip, metadata.metadata());
    let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata)
        .with_projection(ProjectionMask::leaves(&octets, leaves))
        .with_batch_size(rows)
        .with_row_groups(groups)
        .with_offset(offset)
        .build()
        .map_err(damaged)?;
    Ok(Box::new(reader.map(move |batch| wanted.rows(&batch.map_err(damaged)?))))
}

/// What a file says of itself at its end, without what it says of its values.
pub(crate) fn footer(file: File) -> Result<(WithinFile, ParquetMetaData), String> {
    let file = WithinFile { length: file.len(), file };
    let unread = ParquetStatisticsPolicy::SkipAll;
    let mut options = ParquetMetaDataOptions::new();
    options.set_column_stats_policy(unread.clone());
    options.set_size_stats_policy(unread);
    let metadata = ParquetMetaDataReader::new()
        .with_metadata_options(Some(options))
        .with_page_index_policy(PageIndexPolicy::Skip)
        .parse_and_finish(&file)
        .map_err(damaged)?;
    Ok((file, metadata))
}

/// Rows of all row groups.
pub(crate) fn rows_of(metadata: &ParquetMetaData) -> u64 {
    let groups = metadata.row_groups().iter();
    groups.fold(0, |rows: u64, group| {
        rows.saturating_add(u64::try_from(group.num_rows()).unwrap_or(0))
    })
}

/// The row groups behind so many rows, the one that these end in with them, and how many rows of it to pass over.
fn behind(skip: u64, metadata: &ParquetMetaData) -> (Vec<usize>, usize) {
    let (mut left, mut first) = (skip, 0);
    for group in metadata.row_groups() {
        let rows = u64::try_from(group.num_rows()).unwrap_or(0);
        if left < rows {
            break;
        }
        left -= rows;
        first += 1;
    }
    let offset = usize::try_from(left).unwrap_or(usize::MAX);
    ((first..metadata.num_row_groups()).collect(), offset)
}

/// Rows that make a batch of about [`BATCH_OCTETS`].
pub(crate) fn batch_rows(metadata: &ParquetMetaData, leaves: &[usize]) -> usize {
    let (mut octets, mut rows, mut most) = (0_u64, 0_u64, MOST_ROWS);
    for group in metadata.row_groups() {
        rows = rows.saturating_add(u64::try_from(group.num_rows()).unwrap_or(0));
        for column in leaves.iter().filter_map(|&leaf| group.columns().get(leaf)) {
            let size = u64::try_from(column.uncompressed_size()).unwrap_or(0);
            octets = octets.saturating_add(size);
            if column.encodings().any(|encoding| encoding == Encoding::DELTA_BYTE_ARRAY) {
                most = MOST_ROWS_OF_DELTAS;
            }
        }
    }
    let mean = octets.checked_div(rows).unwrap_or(0).max(1);
    usize::try_from((BATCH_OCTETS / mean).clamp(1, most)).unwrap_or(1)
}

/// A type of the file with these columns of it as octets. `paths` lead from inside it.
fn as_octets(kind: &Type, paths: &[&[String]]) -> ParquetResult<Type> {
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
        Ok(if inner.is_empty() { Arc::clone(field) } else { Arc::new(as_octets(field, &inner)?) })
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

/// The same fields with views where these columns hold octets.
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
        debug_assert!(is_octets(&kind) || kind.is_nested());
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

/// A file of which nothing is read that lies beyond its end, and for which no memory is taken.
pub(crate) struct WithinFile {
    file: File,
    length: u64,
}

impl Length for WithinFile {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for WithinFile {
    type T = BufReader<File>;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        self.file.get_read(start)
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        let end = start.checked_add(length as u64);
        if end.is_none_or(|end| end > self.length) {
            let text = format!("{length} octets from {start} on, of a file of {}", self.length);
            return Err(ParquetError::EOF(text));
        }
        self.file.get_bytes(start, length)
    }
}
