//! Files of zstd, however they are cut into frames: detected, and read to their end.

use std::io::Cursor;

use crate::{Container, Content, InputFile, Place, ReadSettings, RecordCounter};

/// Bytes of a window descriptor: 8 MiB, 128 MiB (`--long=27`), 256 MiB, 2 GiB (`--long=31`).
const WINDOWS: [u8; 4] = [0x68, 0x88, 0x90, 0xA8];

/// 400 rows whose text does not compress.
fn rows() -> Vec<String> {
    let mut state = 1u64;
    let mut word = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        format!("{:x} ", state >> 20)
    };
    let mut row = |id| {
        let words: String = (0..100).map(|_| word()).collect();
        format!("{{\"id\":{id},\"text\":\"{words}\"}}\n")
    };
    (0..400).map(&mut row).collect()
}

/// A frame of raw blocks without the size of its content and without a checksum.
fn frame(content: &[u8], window: u8) -> Vec<u8> {
    let mut out = vec![0x28, 0xB5, 0x2F, 0xFD, 0, window];
    let blocks: Vec<&[u8]> = content.chunks(128 << 10).collect();
    for (number, block) in blocks.iter().enumerate() {
        let last = u32::from(number + 1 == blocks.len());
        out.extend(&(last | u32::try_from(block.len()).unwrap() << 3).to_le_bytes()[..3]);
        out.extend_from_slice(block);
    }
    if blocks.is_empty() {
        out.extend([1, 0, 0]);
    }
    out
}

/// A frame that states the size of its content and has a checksum.
fn packed(content: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(content, ruzstd::encoding::CompressionLevel::Fastest)
}

fn skippable(magic: u8, length: usize) -> Vec<u8> {
    let head = [magic, 0x2A, 0x4D, 0x18];
    [&head[..], &u32::try_from(length).unwrap().to_le_bytes(), &vec![7; length]].concat()
}

/// Contents of a file: what it is detected as, and its documents: their texts, or why there is none.
type Contents = (Option<Container>, Vec<Result<String, String>>);

fn read(bytes: Vec<u8>) -> Result<Contents, String> {
    let place = Place { file: "f".into(), ..Place::default() };
    let mut file = InputFile::from_reader(place, Cursor::new(bytes));
    let container = file.container(&ReadSettings::default());
    let container = container.map_err(|error| format!("{}: {error}", error.reason))?;
    let Some(known) = container else { return Ok((None, Vec::new())) };
    let (settings, counts) = (ReadSettings::default(), RecordCounter::default());
    let Ok(mut source) = file.into_documents(known, &settings, &counts) else { panic!() };
    let documents = std::iter::from_fn(|| source.next_document());
    let texts = documents.map(|found| match found {
        Ok(document) => Ok(match document.content {
            Content::Text(text) => text,
            Content::Bytes(text) => String::from_utf8(text).unwrap(),
            other => panic!("{other:?}"),
        }),
        Err(error) => Err(error.to_string()),
    });
    Ok((container, texts.collect()))
}

#[test]
fn frames_of_any_form_are_detected_and_read() {
    let rows = rows();
    let all = rows.concat().into_bytes();
    let wanted = read(all.clone()).unwrap();
    assert_eq!((wanted.0, wanted.1.len()), (Some(Container::JsonLines), 400));
    let (start, end) = all.split_at(all.len() / 3);
    let empty = frame(b"", WINDOWS[0]);
    let files = [
        ("one frame", frame(&all, WINDOWS[0])),
        ("with size and checksum", packed(&all)),
        ("a long window", frame(&all, WINDOWS[1])),
        ("many frames", rows.iter().flat_map(|row| packed(row.as_bytes())).collect()),
        ("frames cut anywhere", all.chunks(1000).flat_map(|c| frame(c, WINDOWS[1])).collect()),
        ("empty frames", [empty.repeat(50_000), packed(&all), empty.clone()].concat()),
        (
            "skippable frames",
            [
                skippable(0x50, 300_000),
                packed(start),
                skippable(0x5D, 70_000),
                empty.clone(),
                frame(end, WINDOWS[0]),
                skippable(0x5F, 0),
            ]
            .concat(),
        ),
        ("a long skippable frame", [skippable(0x5E, 20 << 20), packed(&all)].concat()),
        (
            "a long skippable frame within",
            [empty, skippable(0x50, 20 << 20), frame(start, WINDOWS[0]), packed(end)].concat(),
        ),
    ];
    for (name, bytes) in files {
        assert!(read(bytes).unwrap() == wanted, "{name}");
    }
}

#[test]
fn one_frame_may_hold_an_archive() {
    let rows = rows();
    let record = |text: &String| {
        let head =
            "WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: text/plain\r\nContent-Length: ";
        format!("{head}{}\r\n\r\n{text}\r\n\r\n", text.len())
    };
    let all: String = rows.iter().map(record).collect();
    for bytes in [frame(all.as_bytes(), WINDOWS[1]), packed(all.as_bytes())] {
        let (container, found) = read(bytes).unwrap();
        assert_eq!(container, Some(Container::Warc));
        let texts: Vec<String> = found.into_iter().map(Result::unwrap).collect();
        assert!(texts == rows);
    }
}

#[test]
fn a_window_beyond_the_limit_names_it_and_the_remedy() {
    let all = rows().concat().into_bytes();
    for window in &WINDOWS[2..] {
        let error = read(frame(&all, *window)).unwrap_err();
        assert!(error.starts_with("expansion-limit: "), "{error}");
        assert!(error.contains("the limit is 134217728") && error.contains("--long=27"), "{error}");
        // Of one after others too, what came before is read.
        let found = read([packed(&all), frame(&all, *window)].concat()).unwrap().1;
        assert_eq!(found.iter().filter(|found| found.is_ok()).count(), 400);
        assert!(found[400].as_ref().unwrap_err().contains("--long=27"), "{:?}", found[400]);
    }
}

#[test]
fn damage_at_the_beginning_is_met_by_whoever_reads_on() {
    let mut bytes = packed(&rows().concat().into_bytes());
    bytes[20..2000].fill(0xFF);
    assert_eq!(read(bytes), Ok((None, Vec::new())));
}

/// Archives whose frames need the dictionary that the file begins with: as it is, and compressed.
const DICTIONARIES: [&[u8]; 2] = [
    include_bytes!("../../tests/archives/dictionary.warc.zst"),
    include_bytes!("../../tests/archives/packed-dictionary.warc.zst"),
];

#[test]
fn the_dictionary_of_an_archive_serves_all_of_its_frames() {
    for bytes in DICTIONARIES {
        let (container, found) = read(bytes.to_vec()).unwrap();
        assert_eq!(container, Some(Container::Warc));
        assert_eq!(found.len(), 8);
        for (number, text) in found.iter().enumerate() {
            let start = format!("Fog {} came in at {number} ", number * 7919);
            assert!(text.as_ref().unwrap().starts_with(&start), "{text:?}");
        }
    }
}

#[test]
fn damage_costs_a_record_of_those_that_need_the_dictionary() {
    for bytes in DICTIONARIES {
        let frames: Vec<usize> =
            memchr::memmem::find_iter(bytes, &[0x28, 0xB5, 0x2F, 0xFD]).collect();
        let mut noticed = 0;
        let third = frames[frames.len() - 6];
        for at in third + 4..frames[frames.len() - 5] {
            let mut changed = bytes.to_vec();
            changed[at] ^= 0x41;
            let found = read(changed).unwrap().1;
            let lost: Vec<&String> =
                found.iter().filter_map(|found| found.as_ref().err()).collect();
            assert!(found.len() == 8 && lost.len() <= 1, "byte {at}: {lost:?}");
            noticed += lost.len();
        }
        // Some bits of a frame's header decide nothing.
        assert!(noticed > 30, "{noticed}");
    }
}

#[test]
fn a_dictionary_that_cannot_be_used_is_an_error() {
    let rows = packed(&rows().concat().into_bytes());
    for (length, reason) in [(17 << 20, "the limit is 16777216"), (100, "cannot be used")] {
        let error = read([skippable(0x5D, length), rows.clone()].concat()).unwrap_err();
        assert!(error.contains(reason) && error.contains("zstd -d"), "{error}");
    }
    let far = [DICTIONARIES[0][..1024 + 8].to_vec(), skippable(0x50, 20 << 20), rows].concat();
    let error = read(far).unwrap_err();
    assert!(error.contains("no content within the first"), "{error}");
}
