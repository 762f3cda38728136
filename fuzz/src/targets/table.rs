//! Tables with a real column of text, in the encodings that writers use, and numbers in them that are changed.

use std::io::Cursor;
use std::panic;
use std::path::Path;
use std::sync::Once;
use std::thread;

use nearprint_records::{Place, Source, TableFields};
use nearprint_tables::TableSource;

use super::pieces::Program;

/// Written by `fuzz/make_tables.py`.
const TABLES: [&[u8]; 12] = [
    include_bytes!("../../tables/plain.parquet"),
    include_bytes!("../../tables/dictionary.parquet"),
    include_bytes!("../../tables/snappy.parquet"),
    include_bytes!("../../tables/zstd.parquet"),
    include_bytes!("../../tables/lengths.parquet"),
    include_bytes!("../../tables/prefixes.parquet"),
    include_bytes!("../../tables/nested.parquet"),
    include_bytes!("../../tables/stream.arrow"),
    include_bytes!("../../tables/stream-zstd.arrow"),
    include_bytes!("../../tables/stream-lz4.arrow"),
    include_bytes!("../../tables/file-dictionary.arrow"),
    include_bytes!("../../tables/stream-views.arrow"),
];

/// Rows that are looked at.
const MOST: usize = 10_000;

/// A program in bytes: the first chooses a table, the others change it, each at a place of two bytes. The length of
/// Parquet's footer is put right in the end, unless the first byte is odd beyond the choice.
pub fn table(data: &[u8]) {
    let (bytes, is_parquet) = changed_table(data);
    let nested = TableFields {
        id: Some("page.id".to_owned()),
        text: Some("page.text".to_owned()),
        ..TableFields::default()
    };
    for fields in [TableFields::default(), nested] {
        let (one, other) = (read(&bytes, is_parquet, &fields), read(&bytes, is_parquet, &fields));
        assert_eq!(one, other, "another outcome of the same bytes");
    }
}

/// The table that such a program makes, and whether it was one of Parquet.
pub(super) fn changed_table(data: &[u8]) -> (Vec<u8>, bool) {
    expect_panics_of_decoders();
    let mut program = Program::new(data);
    let choice = usize::from(program.next().unwrap_or(0));
    let mut bytes = TABLES[choice % TABLES.len()].to_vec();
    let is_parquet = bytes.starts_with(b"PAR1");
    let footer = is_parquet.then(|| bytes.len() - 8 - footer_length(&bytes));
    while let Some(high) = program.next() {
        let low = program.next().unwrap_or(0);
        change(&mut bytes, usize::from(high) << 8 | usize::from(low), &mut program);
    }
    if let Some(start) = footer
        && (choice / TABLES.len()).is_multiple_of(2)
        && bytes.len() >= start + 8
    {
        let (at, length) = (bytes.len() - 8, bytes.len() - 8 - start);
        bytes[at..at + 4].copy_from_slice(&(length as u32).to_le_bytes());
        bytes[at + 4..].copy_from_slice(b"PAR1");
    }
    (bytes, is_parquet)
}

fn footer_length(bytes: &[u8]) -> usize {
    let at = bytes.len() - 8;
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize
}

fn change(bytes: &mut Vec<u8>, at: usize, program: &mut Program<'_>) {
    let at = at % bytes.len().max(1);
    let kind = program.next().unwrap_or(0) % 8;
    let number = program.number();
    let mut put = |new: &[u8]| {
        for (old, new) in bytes[at..].iter_mut().zip(new) {
            *old = *new;
        }
    };
    match kind {
        0..2 => put(&[number as u8]),
        2 => put(&(number as u32).to_le_bytes()),
        3 => put(&number.to_le_bytes()),
        4 => put(&varint(number)),
        // A number of another length moves what is behind it.
        5 => drop(bytes.splice(at..(at + 1).min(bytes.len()), varint(number))),
        6 => drop(bytes.splice(at..at, program.raw().iter().copied())),
        _ => drop(bytes.drain(at..(at + (number as u8 % 16) as usize).min(bytes.len()))),
    }
}

/// A number as Thrift has it, seven bits a byte.
fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 0x7F {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// The rows, each by its text or the reason why it has none.
pub(super) fn read(
    bytes: &[u8],
    is_parquet: bool,
    fields: &TableFields,
) -> Vec<Result<Vec<u8>, String>> {
    let (reader, place) = (Cursor::new(bytes.to_vec()), Place::file(Path::new("t")));
    let mut source = if is_parquet {
        TableSource::of_parquet_stream(reader, place, fields)
    } else {
        TableSource::of_arrow(reader, place, fields)
    };
    let rows = std::iter::from_fn(|| source.next_document()).take(MOST);
    rows.map(|row| match row {
        Ok(document) => document.into_bytes(1 << 20).map_err(|error| error.reason.to_string()),
        Err(error) => Err(error.reason.to_string()),
    })
    .collect()
}

/// The libraries may panic on the threads that decode, which costs a row group and is reported: no finding.
fn expect_panics_of_decoders() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if thread::current().name() != Some("nearprint") {
                usual(panic);
            }
        }));
    });
}
