//! Tables in memory give the documents that a file of them gives, but for their names.

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, DictionaryArray, Float64Array, Int64Array, LargeStringArray, RecordBatch,
    StringArray, StringViewArray, UInt8Array,
};
use nearprint_records::{Document, ErrorRecord, Source, TableFields};
use nearprint_tables::TableSource;

use crate::table_forms::{arrow, batch, fields, told};

fn read(batches: Vec<RecordBatch>, fields: &TableFields) -> Vec<Result<Document, ErrorRecord>> {
    let schema = batches[0].schema();
    let mut source = TableSource::of_batches(&schema, batches, fields).unwrap();
    std::iter::from_fn(|| source.next_document()).collect()
}

#[test]
fn every_type_of_text_gives_the_same_documents() {
    let texts = [Some("one"), None, Some(""), Some("zwei ü"), Some("one")];
    let columns: Vec<ArrayRef> = vec![
        arrow(StringArray::from(texts.to_vec())),
        arrow(LargeStringArray::from(texts.to_vec())),
        arrow(StringViewArray::from(texts.to_vec())),
        arrow(texts.iter().copied().collect::<DictionaryArray<Int32Type>>()),
    ];
    for texts in columns {
        let ids = arrow(StringViewArray::from(vec![Some("a"), Some("b"), None, Some("d"), None]));
        let table = batch(vec![("text", texts), ("id", ids)]);
        let found = read(
            vec![table.slice(0, 3), table.slice(5, 0), table.slice(3, 2)],
            &fields(None, None, None),
        );
        assert_eq!(told(&found), ["a = one", "b = ", "2 = ", "d = zwei ü", "4 = one"]);
        let place =
            |found: &Result<Document, ErrorRecord>| found.as_ref().unwrap().place.to_string();
        assert_eq!(found.iter().map(place).collect::<Vec<_>>(), ["a", "b", "2", "d", "4"]);
    }
}

#[test]
fn long_batches_are_read_whole_in_their_order() {
    let count = 20_000;
    let numbers = arrow(Int64Array::from_iter_values(0..count));
    let texts = arrow(StringArray::from_iter_values((0..count).map(|n| format!("text {n}"))));
    let table = batch(vec![("n", numbers), ("text", texts)]);
    let found = read(vec![table.clone(), table.slice(100, 9000)], &fields(None, None, None));
    let told = told(&found);
    let expected = (0..count).chain(100..9100).enumerate();
    assert_eq!(told, expected.map(|(at, n)| format!("{at} = text {n}")).collect::<Vec<_>>());
}

#[test]
fn columns_are_named_and_refused_as_those_of_files() {
    let (good, bad) =
        (arrow(StringArray::from(vec!["q", ""])), arrow(Float64Array::from(vec![0.5; 2])));
    let pages = arrow(StringArray::from(vec!["<p>x", "<p>y"]));
    let rank = arrow(UInt8Array::from(vec![3, 7]));
    let table = batch(vec![("name", good), ("part", bad), ("page", pages), ("rank", rank)]);
    let named =
        TableFields { order: Some("rank".to_owned()), ..fields(Some("name"), None, Some("page")) };
    let found = read(vec![table.clone()], &named);
    assert_eq!(told(&found), ["q = <p>x", "None ! bad-id"]);
    let first = found[0].as_ref().unwrap();
    assert_eq!(first.media_type.as_deref(), Some("text/html"));
    assert_eq!(first.order, Some(nearprint_records::OrderKey::of_number(3)));
    assert_eq!(found[1].as_ref().unwrap_err().place.file.as_ref(), "1");
    for (id, text, words) in [
        (None, None, "no column \"text\"; there are: name, part, page, rank"),
        (Some("nome"), Some("page"), "no column \"nome\""),
        (Some("part"), Some("page"), "contains Float64, not text or integers"),
        (None, Some("rank"), "contains UInt8, not text"),
    ] {
        let asked = fields(id, text, None);
        let refused = TableSource::of_batches(&table.schema(), vec![table.clone()], &asked);
        let error = refused.err().unwrap();
        assert!(error.contains(words), "{error}");
    }
}
