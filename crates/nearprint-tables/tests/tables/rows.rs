//! Columns of every kind, in every form of table.

use std::sync::Arc;

use arrow_array::types::{Int8Type, Int32Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, DictionaryArray, FixedSizeBinaryArray, Float64Array, Int16Array,
    Int64Array, LargeBinaryArray, LargeStringArray, NullArray, StringArray, StringViewArray,
    StructArray, UInt64Array,
};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field};
use nearprint_records::{Batch, Container, Content, Position, ReadSettings, Source, TableFields};
use nearprint_tables::{arrow_rows, parquet_rows};

use crate::table_forms::{TableForm, WRITINGS, arrow, batch, fields, file, read, source, told};

#[test]
fn every_type_of_text_gives_the_same_documents() {
    let texts = [Some("one"), None, Some(""), Some("zwei ü"), Some("one")];
    let bytes = || texts.iter().map(|text| text.map(str::as_bytes)).collect::<Vec<_>>();
    let ids = arrow(StringArray::from(vec!["a", "b", "c", "d", "e"]));
    let columns: Vec<ArrayRef> = vec![
        arrow(StringArray::from(texts.to_vec())),
        arrow(LargeStringArray::from(texts.to_vec())),
        arrow(StringViewArray::from(texts.to_vec())),
        arrow(BinaryArray::from(bytes())),
        arrow(LargeBinaryArray::from(bytes())),
        arrow(texts.iter().copied().collect::<DictionaryArray<Int32Type>>()),
        arrow(texts.iter().copied().collect::<DictionaryArray<Int8Type>>()),
    ];
    for texts in columns {
        let kind = texts.data_type().clone();
        let other = arrow(Float64Array::from(vec![0.5; 5]));
        let table = batch(vec![("other", other), ("text", texts), ("id", Arc::clone(&ids))]);
        for writing in WRITINGS {
            let found = read(
                &writing.bytes(&[table.clone(), table.slice(3, 2)]),
                writing.form(),
                &TableFields::default(),
            );
            let told = told(&found);
            let wanted =
                ["a = one", "b = ", "c = ", "d = zwei ü", "e = one", "d = zwei ü", "e = one"];
            assert_eq!(told, wanted, "{kind} {writing:?}");
            let rows: Vec<_> =
                found.iter().map(|found| found.as_ref().unwrap().place.row.unwrap()).collect();
            assert_eq!(rows, [1, 2, 3, 4, 5, 6, 7]);
        }
    }
}

#[test]
fn ids_are_text_numbers_and_digests() {
    let digests = FixedSizeBinaryArray::try_from_iter([[0_u8, 255], [16, 1]].iter()).unwrap();
    for (ids, wanted) in [
        (arrow(Int16Array::from(vec![-7, 9])), ["-7 = x", "9 = y"]),
        (arrow(UInt64Array::from(vec![u64::MAX, 0])), ["18446744073709551615 = x", "0 = y"]),
        (arrow(Int64Array::from(vec![None, Some(3)])), ["t#1 = x", "3 = y"]),
        (arrow(digests), ["00ff = x", "1001 = y"]),
        (arrow(StringArray::from(vec![Some("q"), None])), ["q = x", "t#2 = y"]),
        (
            arrow(StringArray::from(vec![Some("a\nb"), Some("")])),
            ["Some(1) ! bad-id", "Some(2) ! bad-id"],
        ),
        (arrow(BinaryArray::from(vec![&b"\xff"[..], b"z"])), ["Some(1) ! bad-id", "z = y"]),
        (arrow(NullArray::new(2)), ["t#1 = x", "t#2 = y"]),
        // Not asked for, and no id: skipped.
        (arrow(Float64Array::from(vec![1.0, 2.0])), ["t#1 = x", "t#2 = y"]),
    ] {
        let kind = ids.data_type().clone();
        let table = batch(vec![("id", ids), ("text", arrow(StringArray::from(vec!["x", "y"])))]);
        for writing in WRITINGS {
            let found = read(
                &writing.bytes(std::slice::from_ref(&table)),
                writing.form(),
                &TableFields::default(),
            );
            assert_eq!(told(&found), wanted, "{kind} {writing:?}");
        }
    }
}

#[test]
fn structures_lend_their_columns() {
    let texts = arrow(StringArray::from(vec![Some("x"), Some("hidden"), None]));
    let numbers = arrow(Int64Array::from(vec![1, 2, 3]));
    let inner = StructArray::new(
        vec![Field::new("body", DataType::Utf8, true), Field::new("n", DataType::Int64, true)]
            .into(),
        vec![texts, numbers],
        Some(NullBuffer::from(vec![true, false, true])),
    );
    let outer = StructArray::from(vec![(
        Arc::new(Field::new("page", inner.data_type().clone(), true)),
        arrow(inner),
    )]);
    let table = batch(vec![("text", arrow(Int64Array::from(vec![0; 3]))), ("doc", arrow(outer))]);
    for writing in WRITINGS {
        let bytes = writing.bytes(std::slice::from_ref(&table));
        let found =
            read(&bytes, writing.form(), &fields(Some("doc.page.n"), Some("doc.page.body"), None));
        assert_eq!(told(&found), ["1 = x", "t#2 = ", "3 = "], "{writing:?}");
        for (named, words) in [
            (fields(None, None, None), "contains Int64, not text"),
            (fields(Some("nr"), Some("doc.page.body"), None), "text, doc.page.body, doc.page.n"),
            (fields(None, Some("doc.page"), None), "such as doc.page.body"),
        ] {
            let found = read(&bytes, writing.form(), &named);
            let error = found[0].as_ref().unwrap_err();
            assert!(found.len() == 1 && error.detail.contains(words), "{error}");
            assert_eq!((error.reason.as_str(), error.place.row), ("bad-file", None));
        }
    }
}

#[test]
fn text_must_be_utf8_and_html_need_not() {
    let bytes = arrow(BinaryArray::from(vec![&b"caf\xe9"[..], "café".as_bytes()]));
    let table = batch(vec![("body", bytes)]);
    for writing in WRITINGS {
        let bytes = writing.bytes(std::slice::from_ref(&table));
        let found = read(&bytes, writing.form(), &fields(None, Some("body"), None));
        assert!(found[0].as_ref().unwrap_err().detail.contains("byte 3"));
        assert_eq!(found[0].as_ref().unwrap_err().reason.as_str(), "damaged");
        assert_eq!(told(&found)[1], "t#2 = café");
        let found = read(&bytes, writing.form(), &fields(None, None, Some("body")));
        let page = found[0].as_ref().unwrap();
        assert!(matches!(&page.content, Content::Bytes(bytes) if bytes == b"caf\xe9"));
        assert_eq!(
            (page.media_type.as_deref(), page.charset.as_deref()),
            (Some("text/html"), None)
        );
    }
    // What its column calls text is in UTF-8, whatever the page itself says.
    let table = batch(vec![("body", arrow(StringArray::from(vec!["<p>x"])))]);
    for writing in WRITINGS {
        let found = read(
            &writing.bytes(std::slice::from_ref(&table)),
            writing.form(),
            &fields(None, None, Some("body")),
        );
        assert_eq!(found[0].as_ref().unwrap().charset.as_deref(), Some("utf-8"));
    }
}

#[test]
fn tables_without_rows_are_read() {
    let table = batch(vec![("text", arrow(StringArray::from(vec!["x"])))]).slice(0, 0);
    for writing in WRITINGS {
        let bytes = writing.bytes(std::slice::from_ref(&table));
        assert!(read(&bytes, writing.form(), &TableFields::default()).is_empty());
    }
}

#[test]
fn forms_are_told_by_their_beginning() {
    let table = batch(vec![("text", arrow(StringArray::from(vec!["x"])))]);
    for writing in WRITINGS {
        let bytes = writing.bytes(std::slice::from_ref(&table));
        let told = Container::sniff(&bytes, &ReadSettings::default());
        assert_eq!(told, Some(writing.form()), "{writing:?}");
    }
}

#[test]
fn a_table_that_is_left_early_leaves_no_thread_waiting() {
    let table = batch(vec![("text", arrow(StringArray::from(vec!["x"; 40_000])))]);
    for writing in WRITINGS {
        let (_directory, path) = file(&writing.bytes(std::slice::from_ref(&table)));
        let mut source = source(&path, writing.form(), &TableFields::default());
        assert!(source.next_document().unwrap().is_ok());
        drop(source);
    }
}

#[test]
fn one_dictionary_page_serves_all_its_rows() {
    // 2,500 rows of 1 MB each: one page in the file, 2.5 GB as text, more than one array of strings can have.
    let long = "long ".repeat(200_000);
    let keys = arrow_array::Int32Array::from(vec![0; 2_500]);
    let texts = arrow(DictionaryArray::new(keys, arrow(StringArray::from(vec![long.as_str()]))));
    let table = batch(vec![("text", texts)]);
    for writing in WRITINGS.into_iter().filter(|writing| format!("{writing:?}") == "Parquet") {
        let bytes = writing.bytes(std::slice::from_ref(&table));
        let (_directory, path) = file(&bytes);
        let mut rows = source(&path, writing.form(), &TableFields::default());
        let rows = std::iter::from_fn(|| rows.next_document());
        let lengths: u64 = rows.take(100).map(|found| found.unwrap().length()).sum();
        assert_eq!(lengths, 100 * long.len() as u64);
    }
}

/// All that a source gives, in short, as batches or one by one.
fn given(source: &mut impl Source, batches: bool) -> Vec<String> {
    let found: Vec<_> = match batches {
        true => {
            std::iter::from_fn(|| source.next_batch()).flat_map(Batch::into_documents).collect()
        }
        false => std::iter::from_fn(|| source.next_document()).collect(),
    };
    told(&found)
}

#[test]
fn reading_goes_on_at_any_row() {
    let numbers: Vec<String> = (0..3000).map(|number| format!("text {number}")).collect();
    let tables: Vec<_> = numbers
        .chunks(1100)
        .map(|some| batch(vec![("text", arrow(StringArray::from_iter_values(some)))]))
        .collect();
    for writing in WRITINGS {
        let (_directory, path) = file(&writing.bytes(&tables));
        let open = || source(&path, writing.form(), &TableFields::default());
        let all = given(&mut open(), false);
        assert_eq!(all.len(), 3000, "{writing:?}");
        assert_eq!(given(&mut open(), true), all, "{writing:?}");
        let mut mixed = open();
        let first = mixed.next_document().unwrap().unwrap();
        assert_eq!(told(&[Ok(first)]), all[..1]);
        let second = mixed.next_batch().unwrap().into_documents();
        let after = 1 + second.len();
        assert_eq!(told(&second), all[1..after]);
        assert_eq!(given(&mut mixed, true), all[after..]);

        let is_parquet = writing.form() == Container::Parquet;
        for row in [0, 1, 1099, 1100, 1101, 2999, 3000] {
            let position = Position { row, ..Position::default() };
            let mut source = open();
            assert_eq!(source.go_on(&position), is_parquet, "{writing:?}");
            if is_parquet {
                assert_eq!(given(&mut source, true), all[row as usize..], "{writing:?} {row}");
            }
        }
        let mut source = open();
        assert_eq!(source.position().is_some(), is_parquet);
        assert!(source.next_batch().is_some());
        let rows = source.position().map(|position| position.row);
        assert_eq!(rows, is_parquet.then_some(64), "{writing:?}");
    }
}

#[test]
fn batches_are_the_same_whoever_works_on_them_and_when() {
    let texts: Vec<String> = (0..30_000).map(|number| format!("text {number}")).collect();
    let tables: Vec<_> = texts
        .chunks(7_001)
        .map(|some| batch(vec![("text", arrow(StringArray::from_iter_values(some)))]))
        .collect();
    for writing in WRITINGS {
        let (_directory, path) = file(&writing.bytes(&tables));
        let open = || source(&path, writing.form(), &TableFields::default());
        let all = given(&mut open(), false);
        assert_eq!(all.len(), 30_000);
        // All are taken before any is worked on, the last one first.
        let mut source = open();
        let mut batches: Vec<_> = std::iter::from_fn(|| source.next_batch()).collect();
        batches.reverse();
        let mut found: Vec<_> = batches.into_iter().map(Batch::into_documents).collect();
        found.reverse();
        assert!(told(&found.concat()) == all, "{writing:?}: last first");
        // Some at once, each taken by whoever is free.
        let source = std::sync::Mutex::new((open(), 0));
        let work = || {
            let mut found = Vec::new();
            loop {
                let mut taking = source.lock().unwrap();
                let Some(batch) = taking.0.next_batch() else { return found };
                taking.1 += 1;
                let number = taking.1;
                drop(taking);
                found.push((number, batch.into_documents()));
            }
        };
        let mut found: Vec<_> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
            workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
        });
        found.sort_by_key(|(number, _)| *number);
        let found: Vec<_> = found.into_iter().flat_map(|(_, documents)| documents).collect();
        assert!(told(&found) == all, "{writing:?}: at once");
    }
}

#[test]
fn rows_are_counted_without_reading_them() {
    let table = |rows: usize| batch(vec![("text", arrow(StringArray::from(vec!["x"; rows])))]);
    for (tables, rows) in [(vec![table(0)], 0), (vec![table(3), table(0), table(4000)], 4003)] {
        for writing in WRITINGS {
            let bytes = writing.bytes(&tables);
            let (_directory, path) = file(&bytes);
            let (parquet, arrow) = (parquet_rows(&path), arrow_rows(&path));
            let wanted = match writing {
                TableForm::Parquet | TableForm::ParquetOfDeltas => (Some(rows), None),
                TableForm::ArrowFile => (None, Some(rows)),
                // Their ends do not say what is before them.
                TableForm::ArrowStream | TableForm::ArrowStreamOfZstd => (None, None),
            };
            assert_eq!((parquet, arrow), wanted, "{writing:?}");
            for length in 0..bytes.len().min(400) {
                let (_directory, path) = file(&bytes[bytes.len() - length..]);
                assert!(length == bytes.len() || parquet_rows(&path).is_none_or(|n| n <= rows));
                assert!(arrow_rows(&path).is_none_or(|n| n <= rows), "{writing:?} {length}");
            }
        }
    }
}
