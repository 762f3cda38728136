//! Tables for tests, in every form, and their rows as documents.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use nearprint_records::{Container, Content, Document, ErrorRecord, Place, Source, TableFields};
use nearprint_tables::TableSource;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::schema::types::ColumnPath;

/// Form in which a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TableForm {
    Parquet,
    /// Data pages of version 2, without dictionaries, in row groups of some rows.
    ParquetOfDeltas,
    ArrowFile,
    ArrowStream,
    ArrowStreamOfZstd,
}

pub(crate) const WRITINGS: [TableForm; 5] = [
    TableForm::Parquet,
    TableForm::ParquetOfDeltas,
    TableForm::ArrowFile,
    TableForm::ArrowStream,
    TableForm::ArrowStreamOfZstd,
];

impl TableForm {
    pub(crate) fn form(self) -> Container {
        match self {
            Self::Parquet | Self::ParquetOfDeltas => Container::Parquet,
            _ => Container::Arrow,
        }
    }

    /// The bytes of a table of these batches.
    pub(crate) fn bytes(self, batches: &[RecordBatch]) -> Vec<u8> {
        let schema = batches[0].schema();
        let mut out = Vec::new();
        let mut properties = match self {
            Self::ParquetOfDeltas => WriterProperties::builder()
                .set_writer_version(WriterVersion::PARQUET_2_0)
                .set_dictionary_enabled(false)
                .set_max_row_group_row_count(Some(3))
                .set_compression(Compression::ZSTD(ZstdLevel::default())),
            _ => WriterProperties::builder().set_compression(Compression::SNAPPY),
        };
        for field in schema.fields() {
            let kind = field.data_type();
            if self == Self::ParquetOfDeltas && (kind.is_string() || kind.is_binary()) {
                let column = ColumnPath::from(field.name().as_str());
                properties = properties.set_column_encoding(column, Encoding::DELTA_BYTE_ARRAY);
            }
        }
        match self {
            Self::Parquet | Self::ParquetOfDeltas => {
                let mut writer =
                    ArrowWriter::try_new(&mut out, schema, Some(properties.build())).unwrap();
                batches.iter().for_each(|batch| writer.write(batch).unwrap());
                writer.close().unwrap();
            }
            Self::ArrowFile => {
                let mut writer = FileWriter::try_new(&mut out, &schema).unwrap();
                batches.iter().for_each(|batch| writer.write(batch).unwrap());
                writer.finish().unwrap();
            }
            Self::ArrowStream | Self::ArrowStreamOfZstd => {
                let compression = (self != Self::ArrowStream).then_some(CompressionType::ZSTD);
                let options = IpcWriteOptions::default().try_with_compression(compression).unwrap();
                let mut writer =
                    StreamWriter::try_new_with_options(&mut out, &schema, options).unwrap();
                batches.iter().for_each(|batch| writer.write(batch).unwrap());
                writer.finish().unwrap();
            }
        }
        out
    }
}

/// One batch of these columns, all of which may be null.
pub(crate) fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(
        columns.into_iter().map(|(name, column)| (name, column, true)),
    )
    .unwrap()
}

pub(crate) fn fields(id: Option<&str>, text: Option<&str>, html: Option<&str>) -> TableFields {
    let owned = |name: Option<&str>| name.map(str::to_owned);
    TableFields { id: owned(id), text: owned(text), html: owned(html), ..TableFields::default() }
}

/// A file with these bytes, in a directory that lives as long as the first value.
pub(crate) fn file(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("t");
    std::fs::write(&path, bytes).unwrap();
    (directory, path)
}

/// The rows of a file.
pub(crate) fn source(path: &Path, form: Container, fields: &TableFields) -> TableSource {
    match form {
        Container::Parquet => TableSource::of_parquet(path, Place::file(path), fields),
        _ => TableSource::of_arrow(File::open(path).unwrap(), Place::file(path), fields),
    }
}

pub(crate) fn read(
    bytes: &[u8],
    form: Container,
    fields: &TableFields,
) -> Vec<Result<Document, ErrorRecord>> {
    let (_directory, path) = file(bytes);
    let mut source = source(&path, form, fields);
    std::iter::from_fn(|| source.next_document()).collect()
}

/// What was read, in short: `ID = TEXT`, `ID : REASON`, or `ROW ! REASON`.
pub(crate) fn told(found: &[Result<Document, ErrorRecord>]) -> Vec<String> {
    let tell = |found: &Result<Document, ErrorRecord>| match found {
        Ok(document) => {
            let content = match &document.content {
                Content::Text(text) | Content::Page(text) => text.clone(),
                Content::Bytes(bytes) => format!("{}", bytes.escape_ascii()),
                other => panic!("{other:?}"),
            };
            let id = document.id.as_str();
            let id = id.rsplit_once('/').map_or(id, |(_, name)| name);
            format!("{id} = {content}")
        }
        Err(error) => match &error.id {
            Some(id) => format!("{id} : {}", error.reason),
            None => format!("{:?} ! {}", error.place.row, error.reason),
        },
    };
    found.iter().map(tell).collect()
}

/// A column.
pub(crate) fn arrow(values: impl arrow_array::Array + 'static) -> ArrayRef {
    Arc::new(values)
}
