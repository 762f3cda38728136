//! Readers of files that hold many documents: archives of the Web, lines of JSON, separated values.

use std::io::Cursor;

use nearprint_records::{
    Container, Document, ErrorRecord, InputFile, Place, ReadSettings, RecordCounter,
};

/// Records that are looked at: a compressed file may hold millions.
const MOST: usize = 10_000;

/// Small enough that limits are met.
pub(super) fn settings() -> ReadSettings {
    ReadSettings { max_bytes: 64 << 10, ..ReadSettings::default() }
}

pub(super) type DocumentResults = Vec<Result<Document, ErrorRecord>>;

fn open(bytes: &[u8]) -> InputFile {
    let place = Place { file: "f".into(), ..Place::default() };
    InputFile::from_reader(place, Cursor::new(bytes.to_vec()))
}

/// All documents and errors of a file, read as `container`.
pub(super) fn read(bytes: &[u8], container: Container) -> DocumentResults {
    let documents = open(bytes).into_documents(container, &settings(), &RecordCounter::default());
    let Ok(mut documents) = documents else { return Vec::new() };
    std::iter::from_fn(|| documents.next_document()).take(MOST).collect()
}

/// What a document is, for comparison: its id, its bytes, or why they cannot be had.
pub(super) fn told(document: Document) -> (String, Result<Vec<u8>, String>) {
    let id = document.id.as_str().to_owned();
    (id, document.into_bytes(settings().max_bytes).map_err(|error| error.reason.to_string()))
}

/// What holds for every file: places lie in it, documents in their order, and the outcome is the same each time.
fn check(bytes: &[u8], container: Container) -> DocumentResults {
    let found = read(bytes, container);
    let mut last = 0;
    for found in &found {
        let (place, is_document) = match found {
            Ok(document) => (&document.place, true),
            Err(error) => (&error.place, false),
        };
        // Bytes of what is compressed, or of a member of a package, are others than those of the file.
        let (Some(offset), None, None) = (place.offset, &place.wrapper, &place.member) else {
            continue;
        };
        assert!(offset + place.length.unwrap_or(0) <= bytes.len() as u64, "{place}");
        // Damage is told where it shows, and the search for what is whole begins before that.
        if is_document {
            assert!(offset >= last, "{place} behind {last}");
            last = offset;
        }
    }
    let again = read(bytes, container);
    assert_eq!(found.len(), again.len());
    for pair in found.iter().zip(&again) {
        match pair {
            (Ok(one), Ok(other)) => assert_eq!(told(one.clone()), told(other.clone())),
            (Err(one), Err(other)) => {
                assert_eq!((&one.place, &one.reason), (&other.place, &other.reason));
            }
            _ => panic!("another outcome of the same bytes"),
        }
    }
    found
}

/// The dictionary that an archive compressed by zstd may begin with, which its records need.
fn dictionary(bytes: &[u8]) -> &[u8] {
    match bytes {
        [0x5D, 0x2A, 0x4D, 0x18, a, b, c, d, rest @ ..] => {
            let length = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
            &bytes[..8 + length.min(rest.len())]
        }
        _ => &[],
    }
}

/// The bytes at a record's place are the record, alone as among others.
fn check_places(bytes: &[u8], container: Container) {
    let (dictionary, found) = (dictionary(bytes), check(bytes, container));
    // A damaged dictionary is none.
    if !dictionary.is_empty() && found.iter().any(Result::is_err) {
        return;
    }
    for document in found.into_iter().flatten() {
        let place = &document.place;
        let (Some(offset), Some(length), None) = (place.offset, place.length, &place.wrapper)
        else {
            continue;
        };
        let record = &bytes[offset as usize..(offset + length) as usize];
        let alone = [dictionary, record].concat();
        let alone = read(&alone, container).into_iter().flatten().next();
        let alone = alone.unwrap_or_else(|| panic!("no record at {place}"));
        assert_eq!(told(alone).1, told(document).1);
    }
}

/// Archives by ISO 28500, in any compression.
pub fn warc(data: &[u8]) {
    check_places(data, Container::Warc);
}

/// Archives of the form before.
pub fn arc(data: &[u8]) {
    check_places(data, Container::Arc);
}

/// Lines of JSON.
pub fn json_lines(data: &[u8]) {
    check_places(data, Container::JsonLines);
}

/// Separated values, JSON arrays and mailboxes, which the first byte chooses.
pub fn separated(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else { return };
    let all = [Container::Csv, Container::Tsv, Container::JsonArray, Container::Mbox];
    check(rest, all[usize::from(*first) % all.len()]);
}

/// Whatever a file is taken for by its content: the same each time, and read as that. Translations in an article are
/// stretches of it, one after the other.
pub fn input_file(data: &[u8]) {
    let settings = settings();
    let container = |mut file: InputFile| file.container(&settings).ok().flatten();
    let found = container(open(data));
    assert_eq!(found, container(open(data)));
    if let Some(container) = found {
        check(data, container);
    }
    let mut end = 0;
    for document in open(data).translations(&settings).into_iter().flatten().take(MOST).flatten() {
        let (Some(offset), Some(length)) = (document.place.offset, document.place.length) else {
            panic!("a translation without a place")
        };
        assert!(offset >= end && length > 0, "{}", document.place);
        end = offset + length;
        if document.place.wrapper.is_none() {
            assert_eq!(told(document).1.ok(), Some(data[offset as usize..end as usize].to_vec()));
        }
    }
}
