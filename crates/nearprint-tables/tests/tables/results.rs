//! Results written as tables, and read back.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{UInt32Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::{FileReader, StreamReader};
use nearprint_fingerprint::{Fingerprint, Scheme};
use nearprint_records::{
    ClusterRow, DocumentId, ExtractionNote, FingerprintRecord, Note, Outcome, PairRow, Place,
    ReasonCode, TableRow,
};
use nearprint_tables::{ROW_GROUP_ROWS, TableFormat, TableWriter};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

fn id(id: &str) -> DocumentId {
    DocumentId::new(id).unwrap()
}

fn written<R: TableRow>(format: TableFormat, scheme: Scheme, rows: &[R]) -> Vec<u8> {
    let mut writer = TableWriter::new::<R>(format, scheme, Vec::new()).unwrap();
    rows.iter().for_each(|row| writer.write(row).unwrap());
    writer.finish().unwrap()
}

fn batches(format: TableFormat, bytes: Vec<u8>) -> Vec<RecordBatch> {
    match format {
        TableFormat::Parquet => ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(bytes))
            .unwrap()
            .build()
            .unwrap()
            .map(Result::unwrap)
            .collect(),
        TableFormat::ArrowFile => {
            FileReader::try_new(io::Cursor::new(bytes), None).unwrap().map(Result::unwrap).collect()
        }
        TableFormat::ArrowStream => {
            StreamReader::try_new(&bytes[..], None).unwrap().map(Result::unwrap).collect()
        }
    }
}

/// What the schema of a table says beside its columns.
fn metadata(format: TableFormat, bytes: Vec<u8>) -> HashMap<String, String> {
    let schema = match format {
        TableFormat::Parquet => {
            let reader = ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(bytes));
            Arc::clone(reader.unwrap().schema())
        }
        _ => batches(format, bytes)[0].schema(),
    };
    schema.metadata().clone().into()
}

const FORMATS: [TableFormat; 3] =
    [TableFormat::Parquet, TableFormat::ArrowFile, TableFormat::ArrowStream];

fn print(scheme: Scheme) -> FingerprintRecord {
    let fingerprint = match scheme.bytes() {
        8 => Fingerprint::from_u64(scheme, u64::MAX - 5).unwrap(),
        bytes => Fingerprint::from_bytes(scheme, &vec![7; bytes]).unwrap(),
    };
    let mut extraction = ExtractionNote::default();
    extraction.media_type = "text/html".to_owned();
    extraction.wrappers = vec!["gzip".to_owned()];
    extraction.extractor = "html".to_owned();
    extraction.extractor_version = 3;
    extraction.characters = 12;
    extraction.warnings = vec![Note::new("recovered", "odd")];
    let place = Place { file: "f".into(), row: Some(7), ..Place::default() };
    let outcome = Outcome::print(fingerprint, 9, true);
    let mut record = FingerprintRecord::new(id("a"), place, scheme, outcome);
    record.extraction = Some(extraction);
    record
}

fn nothing() -> FingerprintRecord {
    let outcome = Outcome::nothing(ReasonCode::NO_TOKENS, "no word");
    FingerprintRecord::new(id("b"), print(Scheme::SD1).place, Scheme::SD1, outcome)
}

#[test]
fn records_are_rows() {
    for format in FORMATS {
        let bytes = written(format, Scheme::SD1, &[print(Scheme::SD1), nothing()]);
        let metadata = metadata(format, bytes.clone());
        assert_eq!(metadata["nearprint.schema"], "nearprint/fingerprint/1");
        assert_eq!(metadata["nearprint.scheme"], "sd1");
        let batches = batches(format, bytes);
        let table = &batches[0];
        assert_eq!((batches.len(), table.num_rows()), (1, 2));
        let column = |name: &str| table.column_by_name(name).unwrap();
        let text = |name: &str, row: usize| column(name).as_string::<i32>().value(row).to_owned();
        assert_eq!((text("id", 0), text("id", 1)), ("a".to_owned(), "b".to_owned()));
        let string = print(Scheme::SD1).outcome.fingerprint().unwrap().to_string();
        assert_eq!(text("fingerprint", 0), string);
        assert_eq!(column("print").as_primitive::<UInt64Type>().value(0), u64::MAX - 5);
        assert!(column("fingerprint").is_null(1) && column("print").is_null(1));
        assert_eq!((text("scheme", 0), text("scheme", 1)), ("sd1".to_owned(), "sd1".to_owned()));
        assert_eq!(column("extractor_version").as_primitive::<UInt32Type>().value(0), 3);
        assert!(column("extractor_version").is_null(1));
        assert_eq!(text("reason", 1), "no-tokens");
        let wrappers = column("wrappers").as_list::<i32>();
        assert_eq!(wrappers.value(0).as_string::<i32>().value(0), "gzip");
        assert_eq!(wrappers.value(1).len(), 0);
        let warnings = column("warnings").as_list::<i32>().value(0);
        let codes = warnings.as_struct().column_by_name("code").unwrap();
        assert_eq!(codes.as_string::<i32>().value(0), "recovered");
        let place = column("place").as_struct();
        let rows = place.column_by_name("row").unwrap();
        assert_eq!(rows.as_primitive::<UInt64Type>().value(0), 7);
        assert_eq!(place.column_by_name("file").unwrap().as_string::<i32>().value(1), "f");
    }
}

#[test]
fn sketches_are_bytes() {
    for format in FORMATS {
        let batches = batches(format, written(format, Scheme::MD1, &[print(Scheme::MD1)]));
        let prints = batches[0].column_by_name("print").unwrap().as_fixed_size_binary();
        assert_eq!(prints.value(0), [7; 256]);
    }
}

fn pair(a: &str, b: &str, similarity: Option<f64>) -> PairRow {
    let mut row = PairRow::new(id(a), id(b), 2, 1.0 - 2.0 / 128.0);
    (row.measure, row.similarity) = (similarity.map(|_| "jaccard"), similarity);
    row
}

#[test]
fn pairs_and_members_say_their_scheme() {
    let pair = pair("a", "b", None);
    let mut cluster = ClusterRow::new(1, id("a"), vec![id("a"), id("b")], vec![0, 2]);
    cluster.chain = Some(1);
    for format in FORMATS {
        let table = &batches(format, written(format, Scheme::MD1, std::slice::from_ref(&pair)))[0];
        assert_eq!(table.column_by_name("scheme").unwrap().as_string::<i32>().value(0), "md1");
        assert!(table.column_by_name("similarity").unwrap().is_null(0));
        let table =
            &batches(format, written(format, Scheme::SD1, std::slice::from_ref(&cluster)))[0];
        assert_eq!(table.num_rows(), 2);
        assert_eq!(table.column_by_name("id").unwrap().as_string::<i32>().value(1), "b");
    }
}

#[test]
fn tables_without_rows_have_their_columns() {
    for format in FORMATS {
        let bytes = written::<PairRow>(format, Scheme::SD1, &[]);
        let rows: usize = batches(format, bytes).iter().map(RecordBatch::num_rows).sum();
        assert_eq!(rows, 0);
    }
}

#[test]
fn row_groups_have_a_bound() {
    let rows: Vec<_> =
        (0..=ROW_GROUP_ROWS).map(|number| pair(&format!("a-{number}"), "b", Some(0.5))).collect();
    let bytes = bytes::Bytes::from(written(TableFormat::Parquet, Scheme::SD1, &rows));
    let reader = ParquetRecordBatchReaderBuilder::try_new(bytes).unwrap();
    let groups: Vec<_> = reader
        .metadata()
        .row_groups()
        .iter()
        .map(parquet::file::metadata::RowGroupMetaData::num_rows)
        .collect();
    assert_eq!(groups, [ROW_GROUP_ROWS as i64, 1]);
}

#[test]
fn rows_of_another_kind_are_refused() {
    let mut writer =
        TableWriter::new::<PairRow>(TableFormat::Parquet, Scheme::SD1, Vec::new()).unwrap();
    let error = writer.write(&print(Scheme::SD1)).unwrap_err();
    assert!(error.to_string().contains("nearprint/pair/1"), "{error}");
    // A number that is not a fingerprint of the scheme that was named.
    let mut writer =
        TableWriter::new::<FingerprintRecord>(TableFormat::Parquet, Scheme::MD1, Vec::new())
            .unwrap();
    assert!(writer.write(&print(Scheme::SD1)).is_err());
}

/// Stream whose reader has gone.
struct BrokenPipe;

impl Write for BrokenPipe {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Err(io::ErrorKind::BrokenPipe.into())
    }
}

#[test]
fn a_reader_who_has_gone_is_known_as_such() {
    for format in FORMATS {
        let outcome = TableWriter::new::<PairRow>(format, Scheme::SD1, BrokenPipe)
            .and_then(|writer| writer.finish().map(drop));
        assert_eq!(outcome.unwrap_err().kind(), io::ErrorKind::BrokenPipe, "{format:?}");
    }
}
