//! Tables once more without some of their rows: everything else is as it was.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, DictionaryArray, Int64Array, LargeBinaryArray,
    LargeStringArray, RecordBatch, RecordBatchReader, StringArray, StringViewArray,
    TimestampMicrosecondArray, types::Int32Type,
};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::Schema;
use nearprint_tables::{copy_rows_changed, copy_rows_with_texts, copy_rows_without};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::table_forms::{TableForm, WRITINGS, arrow, batch, file};

/// Batches of columns of several kinds, with metadata. The dictionary is one for all, as files of Arrow demand.
fn batches() -> Vec<RecordBatch> {
    let words: DictionaryArray<Int32Type> = ["fog", "rain", "sun"].into_iter().collect();
    let times = TimestampMicrosecondArray::from(vec![7, 8, 9]).with_timezone("UTC");
    let table = batch(vec![
        ("id", arrow(Int64Array::from(vec![Some(1), None, Some(3)]))),
        ("text", arrow(StringArray::from(vec!["over the harbour", "on the hills", ""]))),
        ("word", arrow(words)),
        ("at", arrow(times)),
    ]);
    let metadata = HashMap::from([("origin".to_owned(), "a crawl".to_owned())]);
    let schema = Schema::new_with_metadata(table.schema().fields().clone(), metadata);
    let table = table.with_schema(Arc::new(schema)).unwrap();
    vec![table.clone(), table.slice(0, 2), table]
}

/// What a table holds, in one batch for each that it is read in.
fn read(writing: TableForm, bytes: Vec<u8>) -> (Schema, Vec<RecordBatch>) {
    let cursor = std::io::Cursor::new(bytes.clone());
    let reader: Box<dyn RecordBatchReader> = match writing {
        TableForm::Parquet | TableForm::ParquetOfDeltas => {
            let bytes = bytes::Bytes::from(bytes);
            let builder = ParquetRecordBatchReaderBuilder::try_new(bytes).unwrap();
            let schema = builder.schema().as_ref().clone();
            return (schema, builder.build().unwrap().map(Result::unwrap).collect());
        }
        TableForm::ArrowFile => Box::new(FileReader::try_new(cursor, None).unwrap()),
        _ => Box::new(StreamReader::try_new(cursor, None).unwrap()),
    };
    let schema = reader.schema().as_ref().clone();
    (schema, reader.map(Result::unwrap).collect())
}

/// All cells, row by row; of dictionaries what their numbers stand for.
fn rows(batches: &[RecordBatch]) -> Vec<String> {
    let cell =
        |column: &ArrayRef| match column.as_any().downcast_ref::<DictionaryArray<Int32Type>>() {
            Some(words) => {
                let values = words.values().as_any().downcast_ref::<StringArray>().unwrap();
                values.value(words.key(0).unwrap()).to_owned()
            }
            None => format!("{column:?}"),
        };
    let row = |batch: &RecordBatch, at: usize| -> String {
        batch.slice(at, 1).columns().iter().map(cell).collect()
    };
    batches.iter().flat_map(|batch| (0..batch.num_rows()).map(|at| row(batch, at))).collect()
}

fn copied(bytes: &[u8], dropped: &[u64]) -> std::io::Result<Vec<u8>> {
    let (_directory, path) = file(bytes);
    let mut out = Vec::new();
    let dropped = dropped.iter().copied().map(Ok);
    let written = copy_rows_without(&path, dropped, &mut out)?;
    assert_eq!(written.bytes, out.len() as u64);
    assert!(written.unreadable.is_empty());
    Ok(out)
}

#[test]
fn texts_are_changed_but_in_dictionaries() {
    let words = [Some("fog"), None, Some("sun")];
    let bytes = || words.iter().map(|word| word.map(str::as_bytes));
    let table = batch(vec![
        ("string", arrow(StringArray::from_iter(words))),
        ("large", arrow(LargeStringArray::from_iter(words))),
        ("view", arrow(StringViewArray::from_iter(words))),
        ("binary", arrow(BinaryArray::from_iter(bytes()))),
        ("large_binary", arrow(LargeBinaryArray::from_iter(bytes()))),
        ("binary_view", arrow(BinaryViewArray::from_iter(bytes()))),
        ("word", arrow(words.into_iter().collect::<DictionaryArray<Int32Type>>())),
    ]);
    for writing in WRITINGS {
        let (_directory, path) = file(&writing.bytes(std::slice::from_ref(&table)));
        for field in table.schema().fields() {
            let name = field.name().as_str();
            let (mut out, mut taken) = (Vec::new(), 0);
            let texts = [(1, "rain"), (3, "")].map(|(row, text)| Ok((row, text.to_owned())));
            let texts = texts.into_iter().inspect(|_| taken += 1);
            let copied = copy_rows_with_texts(&path, name, texts, &mut out).unwrap();
            let (schema, found) = read(writing, out);
            assert_eq!(schema.fields(), table.schema().fields(), "{writing:?}");
            let changed = format!("{:?}", found[0].column_by_name(name).unwrap());
            let keeps = name == "word";
            assert_eq!((copied.keeps_texts, taken), (keeps, if keeps { 0 } else { 2 }), "{name}");
            let old = format!("{:?}", table.column_by_name(name).unwrap());
            assert_eq!(changed == old, keeps, "{writing:?} {changed}");
            // Rows without a new text go, and those whose text cannot be another.
            let mut out = Vec::new();
            let changes = [Ok((1, Some("rain".to_owned()))), Ok((2, None))];
            let copied = copy_rows_changed(&path, name, changes, &mut out).unwrap();
            let (_, found) = read(writing, out);
            let left: usize = found.iter().map(RecordBatch::num_rows).sum();
            assert_eq!((copied.keeps_texts, left), (keeps, if keeps { 1 } else { 2 }), "{name}");
        }
        let none =
            copy_rows_with_texts(&path, "in.here", [Ok((1, String::new()))], &mut Vec::new());
        assert!(none.unwrap().keeps_texts);
    }
}

#[test]
fn what_is_compressed_as_a_whole_is_so_again() {
    let packed = |bytes: &[u8]| {
        let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
        std::io::Write::write_all(&mut out, bytes).unwrap();
        out.finish().unwrap()
    };
    for writing in WRITINGS {
        let bytes = writing.bytes(&batches());
        let wanted = copied(&bytes, &[2, 7]).unwrap();
        let found = copied(&packed(&bytes), &[2, 7]).unwrap();
        let mut expanded = Vec::new();
        let mut found = flate2::read::GzDecoder::new(&*found);
        std::io::Read::read_to_end(&mut found, &mut expanded).unwrap();
        assert!(expanded == wanted, "{writing:?}");
        assert!(copied(&packed(&bytes[..bytes.len() / 2]), &[1]).is_err());
    }
}

#[test]
fn what_the_footer_of_a_file_says_stays() {
    let schema = batches()[0].schema();
    let mut bytes = Vec::new();
    let mut writer = arrow_ipc::writer::FileWriter::try_new(&mut bytes, &schema).unwrap();
    batches().iter().for_each(|batch| writer.write(batch).unwrap());
    writer.write_metadata("licence", "CC0");
    writer.write_metadata("made", "by hand");
    writer.finish().unwrap();
    let said = |bytes: Vec<u8>| {
        let reader = FileReader::try_new(std::io::Cursor::new(bytes), None).unwrap();
        reader.custom_metadata().clone()
    };
    assert_eq!(said(bytes.clone()).len(), 2);
    for dropped in [&[][..], &[1, 8]] {
        assert_eq!(said(copied(&bytes, dropped).unwrap()), said(bytes.clone()));
    }
    // A file without its end is read to where it goes, and has nothing to say.
    let cut = bytes.len() - 5;
    assert!(said(copied(&bytes[..cut], &[1]).unwrap()).is_empty());
    // A footer that is none is an error of the table.
    let end = bytes.len() - 10;
    for length in [0, 1, 60, u32::MAX] {
        let mut bytes = bytes.clone();
        bytes[end..end + 4].copy_from_slice(&length.to_le_bytes());
        if let Ok(copy) = copied(&bytes, &[1]) {
            assert!(said(copy).len() <= 2, "{length}");
        }
    }
}

#[test]
fn what_is_kept_is_as_it_was() {
    for writing in WRITINGS {
        let bytes = writing.bytes(&batches());
        let (schema, all) = read(writing, bytes.clone());
        assert_eq!(schema.metadata()["origin"], "a crawl", "{writing:?}");
        let all = rows(&all);
        assert_eq!(all.len(), 8);
        for dropped in
            [&[][..], &[1], &[8], &[2, 3, 4, 7], &[4, 5], &[1, 4, 5], &[1, 2, 3, 4, 5, 6, 7, 8]]
        {
            let (found, left) = read(writing, copied(&bytes, dropped).unwrap());
            assert_eq!(found, schema, "{writing:?}");
            let wanted: Vec<_> =
                (1u64..).zip(&all).filter(|(row, _)| !dropped.contains(row)).collect();
            let wanted: Vec<_> = wanted.into_iter().map(|(_, row)| row.clone()).collect();
            assert_eq!(rows(&left), wanted, "{writing:?} without {dropped:?}");
        }
    }
}

#[test]
fn a_table_that_has_changed_or_is_damaged_is_refused() {
    for writing in WRITINGS {
        let bytes = writing.bytes(&batches());
        for dropped in [&[9][..], &[3, 2], &[0]] {
            let error = copied(&bytes, dropped).unwrap_err().to_string();
            assert!(error.contains("the file changed"), "{writing:?} {dropped:?}: {error}");
        }
        for length in [0, 3, 8, bytes.len() / 2] {
            assert!(copied(&bytes[..length], &[1]).is_err(), "{writing:?} of {length}");
        }
    }
}

#[test]
fn columns_keep_their_compression() {
    use parquet::basic::Compression;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    let compression = |bytes: Vec<u8>| {
        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
        reader.metadata().row_group(0).column(1).compression()
    };
    let bytes = TableForm::Parquet.bytes(&batches());
    assert_eq!(compression(bytes.clone()), Compression::SNAPPY);
    assert_eq!(compression(copied(&bytes, &[1]).unwrap()), Compression::SNAPPY);
    let plain = TableForm::ArrowStream.bytes(&batches());
    let zstd = TableForm::ArrowStreamOfZstd.bytes(&batches());
    assert_eq!(copied(&zstd, &[]).unwrap(), zstd);
    assert_eq!(copied(&plain, &[]).unwrap(), plain);
}
