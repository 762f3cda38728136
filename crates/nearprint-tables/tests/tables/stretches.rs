//! Tables that several threads decode: the same rows, and the same error, as by one.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Mutex;

use arrow_array::StringArray;
use nearprint_records::{
    Batch, Container, Document, ErrorRecord, Place, Position, ReasonCode, Source, TableFields,
};
use nearprint_tables::TableSource;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};
use parquet::schema::types::ColumnPath;

use crate::table_forms::{WRITINGS, arrow, batch, file, source, told};

/// Parquet of these texts, whose batches are of 256 rows, because they are written as additions to the text before.
fn of_deltas(
    texts: &[String],
    more: impl Fn(WriterPropertiesBuilder) -> WriterPropertiesBuilder,
) -> Vec<u8> {
    let properties = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_compression(Compression::SNAPPY)
        .set_column_encoding(ColumnPath::from("text"), Encoding::DELTA_BYTE_ARRAY);
    let ids: Vec<_> = (0..texts.len()).map(|number| format!("row {number}")).collect();
    let rows = batch(vec![
        ("id", arrow(StringArray::from_iter_values(&ids))),
        ("text", arrow(StringArray::from_iter_values(texts))),
    ]);
    let mut out = Vec::new();
    let properties = more(properties).build();
    let mut writer = ArrowWriter::try_new(&mut out, rows.schema(), Some(properties)).unwrap();
    writer.write(&rows).unwrap();
    writer.close().unwrap();
    out
}

fn numbered(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("text {number}")).collect()
}

/// What so many threads read that work on the rows too, after `row`.
fn given(path: &Path, form: Container, workers: usize, row: u64) -> Vec<String> {
    let mut rows = source(path, form, &TableFields::default());
    rows.expect_workers(NonZeroUsize::new(workers).unwrap());
    if row > 0 {
        assert!(rows.go_on(&Position { row, ..Position::default() }));
    }
    let rows = Mutex::new((rows, 0));
    let work = || {
        let mut found: Vec<(u64, Vec<Result<Document, ErrorRecord>>)> = Vec::new();
        loop {
            let mut taking = rows.lock().unwrap();
            let Some(batch) = taking.0.next_batch() else { return found };
            taking.1 += 1;
            let number = taking.1;
            drop(taking);
            found.push((number, Batch::into_documents(batch)));
        }
    };
    let mut found: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    found.sort_by_key(|(number, _)| *number);
    told(&found.into_iter().flat_map(|(_, documents)| documents).collect::<Vec<_>>())
}

#[test]
fn rows_are_the_same_by_any_number_of_threads() {
    // A stretch is 16,384 rows at most, and a row group here two or more of them, with pages that end where they like.
    let texts = numbered(60_000);
    let wanted: Vec<String> =
        (0..texts.len()).map(|number| format!("row {number} = text {number}")).collect();
    for rows in [60_000, 40_000, 16_384, 7_001, 100] {
        for page in [1_000, 100_000] {
            let bytes = of_deltas(&texts, |properties| {
                properties
                    .set_max_row_group_row_count(Some(rows))
                    .set_data_page_size_limit(page)
                    .set_write_batch_size(rows.min(997))
            });
            let (_directory, path) = file(&bytes);
            for workers in [1, 2, 3, 9] {
                let found = given(&path, Container::Parquet, workers, 0);
                assert!(found == wanted, "{rows} {page} {workers}");
            }
            for row in [1, 255, 256, 16_384, 39_999, 40_000, 59_999, 60_000] {
                let found = given(&path, Container::Parquet, 3, row);
                assert!(found == wanted[row as usize..], "{rows} {page} from {row} on");
            }
        }
    }
}

#[test]
fn every_form_is_read_by_several_threads() {
    let texts = numbered(20_000);
    let tables: Vec<_> = texts
        .chunks(777)
        .map(|some| batch(vec![("text", arrow(StringArray::from_iter_values(some)))]))
        .collect();
    for writing in WRITINGS {
        let (_directory, path) = file(&writing.bytes(&tables));
        let one = given(&path, writing.form(), 1, 0);
        assert_eq!(one.len(), texts.len(), "{writing:?}");
        for workers in [2, 5] {
            assert!(given(&path, writing.form(), workers, 0) == one, "{writing:?} {workers}");
        }
    }
}

#[test]
fn parquet_is_read_as_it_comes_too() {
    let bytes = of_deltas(&numbered(3_000), |properties| properties);
    let (_directory, path) = file(&bytes);
    let place = || Place::file(&path);
    let all = |mut rows: TableSource, row: u64| {
        assert!(rows.go_on(&Position { row, ..Position::default() }));
        told(&std::iter::from_fn(|| rows.next_document()).collect::<Vec<_>>())
    };
    let stream = |bytes: Vec<u8>| {
        let reader = std::io::Cursor::new(bytes);
        TableSource::of_parquet_stream(reader, place(), &TableFields::default())
    };
    for row in [0, 2_000] {
        let wanted = TableSource::of_parquet(&path, place(), &TableFields::default());
        assert!(all(stream(bytes.clone()), row) == all(wanted, row), "{row}");
    }
    let cut = all(stream(bytes[..bytes.len() - 1].to_vec()), 0);
    assert_eq!(cut, [format!("None ! {}", ReasonCode::BAD_FILE)]);
}

#[test]
fn rows_that_are_larger_than_is_said_are_decoded_a_few_at_a_time() {
    // 200 MB from additions of some bytes each: of a stretch no more than 64 MiB are decoded at once.
    let long = "fog ".repeat(16 << 10);
    let texts: Vec<_> = (0..3_000).map(|number| format!("{long}{number}")).collect();
    let bytes = of_deltas(&texts, |properties| properties);
    assert!(bytes.len() < 4 << 20, "{}", bytes.len());
    let (_directory, path) = file(&bytes);
    for workers in [1, 3] {
        let found = given(&path, Container::Parquet, workers, 0);
        assert_eq!(found.len(), texts.len());
        for (number, found) in found.iter().enumerate() {
            assert!(found.ends_with(&format!(" {number}")), "{workers} {number}");
        }
    }
}

#[test]
fn damage_is_the_same_row_wherever_reading_began() {
    let texts = numbered(40_000);
    let whole = of_deltas(&texts, |properties| properties.set_data_page_size_limit(4_000));
    for place in 1..8 {
        let mut bytes = whole.clone();
        let at = whole.len() * place / 9;
        bytes[at..at + 8].fill(0xFF);
        let (_directory, path) = file(&bytes);
        let one = given(&path, Container::Parquet, 1, 0);
        let error = one.last().unwrap();
        assert!(error.ends_with(&format!("! {}", ReasonCode::BAD_FILE)), "{place}: {error}");
        for workers in [2, 4] {
            assert!(given(&path, Container::Parquet, workers, 0) == one, "{place} {workers}");
        }
        for row in [1, 300, one.len() / 2, one.len().saturating_sub(2)] {
            if 0 < row && row < one.len() {
                let found = given(&path, Container::Parquet, 2, row as u64);
                assert!(found == one[row..], "{place} from {row} on: {:?}", found.last());
            }
        }
    }
}
