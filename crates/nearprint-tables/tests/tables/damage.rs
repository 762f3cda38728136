//! Tables that are damaged or lie: errors, never a panic, never more memory than they are worth.

use std::num::NonZeroUsize;
use std::sync::Once;
use std::{panic, thread};

use arrow_array::{DictionaryArray, Int64Array, StringArray, types::Int32Type};
use nearprint_records::{Batch, Container, Document, ErrorRecord, Source, TableFields};
use nearprint_tables::{arrow_rows, parquet_rows};

use parquet::file::metadata::{
    FileMetaData, ParquetMetaData, ParquetMetaDataReader, ParquetMetaDataWriter,
};

use crate::table_forms::{TableForm, WRITINGS, arrow, batch, file, read, source};

/// A table with a dictionary, nulls and two batches.
fn table(writing: TableForm) -> Vec<u8> {
    let texts = [Some("fog over the harbour"), None, Some("rain on the hills"), Some("fog")];
    let table = batch(vec![
        ("id", arrow(Int64Array::from(vec![Some(1), None, Some(3), Some(4)]))),
        ("text", arrow(texts.into_iter().collect::<DictionaryArray<Int32Type>>())),
        ("more", arrow(StringArray::from(vec!["a"; 4]))),
    ]);
    writing.bytes(&[table.clone(), table])
}

/// Numbers that look random and are the same every time.
fn numbers() -> impl FnMut(usize) -> usize {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).unwrap()
    }
}

/// Panics on the threads that decode are expected, and told as errors.
fn silence_decoders() {
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

/// Reads a damaged table; its rows and errors must stay within reason.
fn survives(bytes: &[u8], form: Container) -> usize {
    let found = read(bytes, form, &TableFields::default());
    let (_directory, path) = file(bytes);
    let mut source = source(&path, form, &TableFields::default());
    source.expect_workers(NonZeroUsize::new(3).unwrap());
    let batches = std::iter::from_fn(|| source.next_batch());
    let by_batches: Vec<_> = batches.flat_map(Batch::into_documents).collect();
    let ends = |found: &[Result<Document, ErrorRecord>]| {
        found.iter().map(|found| found.as_ref().err().map(|error| error.place.row)).collect()
    };
    let (one, other): (Vec<_>, Vec<_>) = (ends(&found), ends(&by_batches));
    assert_eq!(one, other, "one by one, and by batches");
    // Whatever they say of their rows, it is said without harm.
    let _ = (parquet_rows(&path), arrow_rows(&path));
    let errors = found.iter().filter(|found| found.is_err()).count();
    // One error ends a table; rows may have errors of their own.
    assert!(errors <= found.len());
    errors
}

#[test]
fn bytes_that_are_changed_are_errors_or_other_rows() {
    silence_decoders();
    let mut number = numbers();
    for writing in WRITINGS {
        let whole = table(writing);
        assert_eq!(survives(&whole, writing.form()), 0, "{writing:?}");
        let mut damaged = 0;
        for _ in 0..600 {
            let mut bytes = whole.clone();
            for _ in 0..=number(3) {
                let at = number(bytes.len());
                bytes[at] = match number(4) {
                    0 => bytes[at] ^ 1 << number(8),
                    1 => 0xFF,
                    2 => 0,
                    _ => u8::try_from(number(256)).unwrap(),
                };
            }
            damaged += usize::from(survives(&bytes, writing.form()) > 0);
        }
        assert!(damaged > 50, "{writing:?}: {damaged} of 600 were noticed");
    }
}

#[test]
fn tables_that_are_cut_off_say_so() {
    silence_decoders();
    for writing in WRITINGS {
        let whole = table(writing);
        for length in (0..whole.len()).step_by(5) {
            let found = read(&whole[..length], writing.form(), &TableFields::default());
            // A stream may end between two messages; in the footer of a file there are no rows.
            let has_end = matches!(writing, TableForm::Parquet | TableForm::ParquetOfDeltas)
                || (writing == TableForm::ArrowFile && found.len() < 8);
            if has_end || length < 8 {
                assert!(found.last().unwrap().is_err(), "{writing:?} {length}");
            }
            let first = found.iter().position(Result::is_err);
            assert!(first.is_none_or(|first| first + 1 == found.len()), "{writing:?} {length}");
        }
    }
}

#[test]
fn absurd_lengths_take_no_memory() {
    // A message whose body is said to have 2^62 bytes, one of 2^31 - 1 for its head, and a footer longer than its file.
    let whole = table(TableForm::ArrowStream);
    let mut head = whole.clone();
    head[4..8].copy_from_slice(&i32::MAX.to_le_bytes());
    let mut negative = whole.clone();
    negative[4..8].copy_from_slice(&(-8_i32).to_le_bytes());
    for bytes in [head, negative] {
        assert_eq!(survives(&bytes, Container::Arrow), 1);
    }
    let whole = table(TableForm::Parquet);
    for length in [0, 1, 7, whole.len() as u32, u32::MAX, i32::MAX as u32] {
        let mut bytes = whole.clone();
        let at = bytes.len() - 8;
        bytes[at..at + 4].copy_from_slice(&length.to_le_bytes());
        assert_eq!(survives(&bytes, Container::Parquet), 1);
    }
}

/// The bytes of a sparse file exist, and cost nothing to whoever made it.
#[test]
fn a_footer_is_believed_only_up_to_its_limit() {
    use std::io::{Seek, SeekFrom, Write};
    for length in [(64 << 20) + 1, 2_000_000_000_u32, u32::MAX] {
        let (_directory, path) = file(b"PAR1");
        let mut sparse = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
        sparse.seek(SeekFrom::Start(5_000_000_000)).unwrap();
        sparse.write_all(&[&length.to_le_bytes()[..], b"PAR1"].concat()).unwrap();
        let mut source = source(&path, Container::Parquet, &TableFields::default());
        let error = source.next_document().expect("an error").unwrap_err();
        let said = format!("its footer has {length} bytes; the limit is 67108864");
        assert!(error.detail.starts_with(&said), "{error}");
        assert!(source.next_document().is_none());
    }
}

/// Numbers of values that no memory holds, in pages and in dictionaries: the decoders would take memory for them first,
/// and the process end.
#[test]
fn pages_that_promise_too_much_are_refused_before_they_are_decoded() {
    silence_decoders();
    let absurd = [&[0x80, 1, 4][..], &[0xFF; 7], &[0x7F]].concat();
    // A list of differences begins with its block of 128, its four parts, and the number of its values: 12.
    for name in ["lengths", "prefixes"] {
        let path = format!("{}/../../fuzz/tables/{name}.parquet", env!("CARGO_MANIFEST_DIR"));
        let whole = std::fs::read(path).unwrap();
        assert_eq!(survives(&whole, Container::Parquet), 0);
        let places =
            (0..whole.len() - absurd.len()).filter(|&at| whole[at..].starts_with(&[0x80, 1, 4]));
        let refused = places.filter(|&at| {
            let mut bytes = whole.clone();
            bytes[at..at + absurd.len()].copy_from_slice(&absurd);
            let found = read(&bytes, Container::Parquet, &TableFields::default());
            found.iter().any(|found| {
                let error = found.as_ref().err();
                error.is_some_and(|error| error.detail.contains("more values than it can have"))
            })
        });
        assert!(refused.count() > 0, "{name}");
    }
}

#[test]
fn buffers_that_promise_too_much_are_refused_before_they_are_made() {
    let text = "rain on the hills ".repeat(40);
    let table = batch(vec![("text", arrow(StringArray::from(vec![text; 40])))]);
    let whole = TableForm::ArrowStreamOfZstd.bytes(&[table]);
    let mut met = 0;
    for at in 0..whole.len() - 8 {
        // What looks like the length of a compressed buffer becomes 2^60, or less than a batch may have.
        let stated = u64::from_le_bytes(whole[at..at + 8].try_into().unwrap());
        if (1..1 << 20).contains(&stated) && whole[at + 8..].starts_with(&[0x28, 0xB5, 0x2F, 0xFD])
        {
            for (number, said) in [
                (1_u64 << 60, "expands to 11529"),
                (1 << 30, "expands to 10737"),
                (129 << 20, "expands to 1352"),
            ] {
                let mut bytes = whole.clone();
                bytes[at..at + 8].copy_from_slice(&number.to_le_bytes());
                let found = read(&bytes, Container::Arrow, &TableFields::default());
                let error = found.last().unwrap().as_ref().unwrap_err();
                assert!(error.detail.contains(said), "{error}");
                met += 1;
            }
        }
    }
    assert!(met > 0);
}

/// Few bytes that are to become many: the pages of a batch count together, and before one of them is expanded.
#[test]
fn pages_that_expand_too_far_are_refused_before_they_are_expanded() {
    silence_decoders();
    let texts: Vec<String> = (0..7).map(|row| format!("fog {row} ").repeat(200_000)).collect();
    let table = batch(vec![
        ("id", arrow(Int64Array::from_iter_values(0..7))),
        ("text", arrow(StringArray::from(texts))),
    ]);
    let properties = parquet::file::properties::WriterProperties::builder()
        .set_compression(parquet::basic::Compression::ZSTD(Default::default()))
        .set_dictionary_enabled(false)
        .set_write_batch_size(1)
        .set_data_page_size_limit(1 << 20);
    let mut whole = Vec::new();
    let mut writer =
        parquet::arrow::ArrowWriter::try_new(&mut whole, table.schema(), Some(properties.build()))
            .unwrap();
    writer.write(&table).unwrap();
    writer.close().unwrap();
    assert_eq!(survives(&whole, Container::Parquet), 0);
    // The heads of data pages begin with their kind and their size, here in four bytes: 50 MiB in its place. Of
    // these, a batch has three.
    let places: Vec<usize> = (0..whole.len() - 7)
        .filter(|&at| {
            whole[at..].starts_with(&[0x15, 0, 0x15])
                && whole[at + 3..at + 6].iter().all(|byte| byte & 0x80 != 0)
                && whole[at + 6] & 0x80 == 0
        })
        .collect();
    assert_eq!(places.len(), 7);
    for (count, is_refused) in [(2, false), (7, true)] {
        let mut bytes = whole.clone();
        for at in &places[..count] {
            let number = (50_u32 << 20) << 1;
            let digits = [0, 7, 14, 21].map(|shift| (number >> shift & 0x7F) as u8);
            bytes[at + 3..at + 7].copy_from_slice(&digits);
            bytes[at + 3..at + 6].iter_mut().for_each(|byte| *byte |= 0x80);
        }
        let found = read(&bytes, Container::Parquet, &TableFields::default());
        let error = found.last().unwrap().as_ref().unwrap_err();
        let is_counted = error.detail.contains("its pages expand to 157");
        assert_eq!(is_counted, is_refused, "{error}");
        assert_eq!(survives(&bytes, Container::Parquet), 1);
    }
}

/// A table of 50 rows in row groups of 10, and where the second column of the third row group lies.
fn groups(column: &str) -> (Vec<u8>, std::ops::Range<usize>) {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    let texts: Vec<String> = (0..50).map(|row| format!("fog {row} over the harbour")).collect();
    let table = batch(vec![
        ("id", arrow(Int64Array::from_iter_values(0..50))),
        ("text", arrow(StringArray::from(texts.clone()))),
        ("more", arrow(StringArray::from(texts))),
    ]);
    let properties = parquet::file::properties::WriterProperties::builder()
        .set_max_row_group_row_count(Some(10))
        .set_dictionary_enabled(false);
    let mut out = Vec::new();
    let mut writer =
        parquet::arrow::ArrowWriter::try_new(&mut out, table.schema(), Some(properties.build()))
            .unwrap();
    writer.write(&table).unwrap();
    writer.close().unwrap();
    let reader = SerializedFileReader::new(bytes::Bytes::from(out.clone())).unwrap();
    let group = reader.metadata().row_group(2).clone();
    let chunk = group.columns().iter().find(|chunk| chunk.column_path().string() == column);
    let (start, length) = chunk.unwrap().byte_range();
    (out, start as usize..(start + length) as usize)
}

#[test]
fn a_damaged_row_group_costs_its_rows() {
    silence_decoders();
    let (mut bytes, place) = groups("text");
    bytes[place].fill(0xFF);
    let (_directory, path) = file(&bytes);
    for workers in [1, 3] {
        let mut source = source(&path, Container::Parquet, &TableFields::default());
        source.expect_workers(NonZeroUsize::new(workers).unwrap());
        let batches = std::iter::from_fn(|| source.next_batch());
        let found: Vec<_> = batches.flat_map(Batch::into_documents).collect();
        let ids: Vec<String> = found.iter().flatten().map(|found| found.id.to_string()).collect();
        let wanted: Vec<String> = (0..20).chain(30..50).map(|id: u32| id.to_string()).collect();
        assert_eq!(ids, wanted);
        let error = found[20].as_ref().unwrap_err();
        assert_eq!(error.place.row, Some(21));
        assert!(error.detail.starts_with("rows 21 to 30 cannot be read: "), "{error}");
    }
    // Whoever continues from a row meets the same.
    for row in [0, 5, 20, 30, 35] {
        let mut source = source(&path, Container::Parquet, &TableFields::default());
        let position = nearprint_records::Position { row, ..Default::default() };
        assert!(source.go_on(&position));
        let found: Vec<_> = std::iter::from_fn(|| source.next_document()).collect();
        let rows = found.iter().map(|found| match found {
            Ok(document) => document.place.row,
            Err(error) => error.place.row,
        });
        let wanted = (row + 1..=21).chain(31..=50).filter(|number| *number > row);
        assert_eq!(rows.flatten().collect::<Vec<_>>(), wanted.collect::<Vec<_>>(), "{row}");
    }
}

#[test]
fn a_copy_leaves_out_what_cannot_be_read_of_a_row_group() {
    silence_decoders();
    for column in ["text", "more"] {
        let (mut bytes, place) = groups(column);
        bytes[place].fill(0xFF);
        let (_directory, path) = file(&bytes);
        let mut out = Vec::new();
        let dropped = [1, 22, 50].map(Ok);
        let copied = nearprint_tables::copy_rows_without(&path, dropped, &mut out).unwrap();
        assert_eq!((copied.bytes, copied.unreadable), (out.len() as u64, vec![21..=30]));
        let kept = read(&out, Container::Parquet, &TableFields::default());
        let ids: Vec<String> =
            kept.into_iter().map(|found| found.unwrap().id.to_string()).collect();
        let wanted: Vec<String> = (1..20).chain(30..49).map(|id: u32| id.to_string()).collect();
        assert_eq!(ids, wanted);
    }
}

/// Many row groups that state the same bytes of the file: each would be read, and a file of 1 MB would take an hour.
#[test]
fn row_groups_over_each_other_are_refused() {
    let texts: Vec<String> = (0..2000_u32).map(|n| format!("fog {}", n * 7919)).collect();
    let whole = TableForm::Parquet.bytes(&[batch(vec![("text", arrow(StringArray::from(texts)))])]);
    let (_directory, path) = file(&whole);
    let metadata =
        ParquetMetaDataReader::new().parse_and_finish(&std::fs::File::open(path).unwrap()).unwrap();
    let group = metadata.row_group(0).clone();
    let old = metadata.file_metadata();
    for (count, refused) in [(1, false), (2, false), (100, true)] {
        let rows = old.num_rows() * count;
        let new = FileMetaData::new(old.version(), rows, None, None, old.schema_descr_ptr(), None);
        let groups = vec![group.clone(); count as usize];
        let mut bytes = whole.clone();
        let footer = ParquetMetaData::new(new, groups);
        ParquetMetaDataWriter::new(&mut bytes, &footer).finish().unwrap();
        let found = read(&bytes, Container::Parquet, &TableFields::default());
        let told = found.iter().find_map(|found| found.as_ref().err()).map(|error| &*error.detail);
        assert_eq!(told.is_some_and(|told| told.contains("bytes of columns")), refused, "{told:?}");
        assert_eq!(found.len(), if refused { 1 } else { rows as usize }, "{told:?}");
    }
}

/// A Parquet file of no rows whose schema has so many groups, one inside another, and so many columns in the last.
fn deep(groups: usize, columns: usize) -> Vec<u8> {
    let varint = |mut number: usize| {
        let mut bytes = Vec::new();
        while number > 0x7F {
            bytes.push(number as u8 & 0x7F | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
        bytes
    };
    let group = |children: usize| {
        [&[0x35, 0, 0x18, 1, b'g', 0x15][..], &varint(2 * children), &[0]].concat()
    };
    let mut footer = [&[0x15, 2, 0x19, 0xFC][..], &varint(groups + columns + 2)].concat();
    footer.extend(group(2));
    footer.extend(b"\x15\x0c\x25\x00\x18\x04text\x00");
    footer.extend(group(1).repeat(groups - 1));
    footer.extend(group(columns));
    footer.extend(b"\x15\x0c\x25\x00\x18\x01x\x00".repeat(columns));
    footer.extend([0x16, 0, 0x19, 0x0C, 0]);
    let length = u32::try_from(footer.len()).unwrap().to_le_bytes();
    [&b"PAR1"[..], &footer, &length, b"PAR1"].concat()
}

/// 160 KB took 10 GB, and 800 KB ended the process.
#[test]
fn schemas_of_many_groups_and_columns_are_refused_before_they_are_read() {
    for (groups, columns, refused) in [
        (10, 10, ""),
        (1000, 1, ""),
        (1001, 1, "more than 1000 groups"),
        (100_000, 1, "more than 1000 groups"),
        (1000, 10_000, "bytes of memory, but the limit is 134217728"),
        (1, 200_000, "bytes of memory, but the limit is 134217728"),
    ] {
        let bytes = deep(groups, columns);
        let found = read(&bytes, Container::Parquet, &TableFields::default());
        if refused.is_empty() {
            assert!(found.is_empty(), "{groups} {columns}: {found:?}");
            continue;
        }
        let error = found.last().unwrap().as_ref().unwrap_err();
        assert!(error.detail.contains(refused), "{groups} {columns}: {}", error.detail);
        let (_directory, path) = file(&bytes);
        assert_eq!(parquet_rows(&path), None, "{groups} {columns}");
    }
}
