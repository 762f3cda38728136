use std::io::{Cursor, Write};

use super::*;
use crate::expansion::Raw;

fn record(kind: &str, number: usize, media_type: &str, block: &[u8]) -> Vec<u8> {
    let mut out = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://example.org/{number}\r\nWARC-Date: 2021-03-04T05:06:0{number}Z\r\nWARC-Record-ID: <urn:n:{number}>\r\nContent-Type: {media_type}\r\nContent-Length: {}\r\n\r\n",
        block.len()
    )
    .into_bytes();
    out.extend_from_slice(block);
    out.extend_from_slice(b"\r\n\r\n");
    out
}

fn response(number: usize, header: &str, body: &[u8]) -> Vec<u8> {
    let mut block = format!("HTTP/1.1 {header}\r\n\r\n").into_bytes();
    block.extend_from_slice(body);
    record("response", number, "application/http; msgtype=response", &block)
}

/// Five records, four of them documents.
fn records() -> Vec<Vec<u8>> {
    vec![
        response(0, "200 OK\r\nContent-Type: text/html; charset=utf-8", b"<p>Fog came in at noon."),
        record("request", 1, "application/http; msgtype=request", b"GET / HTTP/1.1\r\n\r\n"),
        response(2, "200 OK", &b"Rain on the hills all week. ".repeat(20)),
        record("resource", 3, "text/plain", b"A resource, stored as it was."),
        record("conversion", 4, "text/plain", "Text, l\u{e9}gal.".as_bytes()),
    ]
}

const DOCUMENTS: [usize; 4] = [0, 2, 3, 4];

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

fn open(bytes: Vec<u8>, settings: ReadSettings) -> (Archive, RecordCounter) {
    let counts = RecordCounter::default();
    let stream = Expansion::new(Raw::new(Box::new(Cursor::new(bytes.clone()))), settings.max_ratio);
    let container = if bytes.starts_with(b"filedesc") { Container::Arc } else { Container::Warc };
    let place = Place { file: "f".into(), ..Place::default() };
    (Archive::new(place, stream, container, settings, counts.clone()), counts)
}

type DocumentResults = Vec<Result<(String, String, Place), String>>;

fn read_with(bytes: Vec<u8>, settings: ReadSettings) -> DocumentResults {
    let mut archive = open(bytes, settings).0;
    std::iter::from_fn(|| archive.next_document())
        .map(|found| match found {
            Ok(document) => {
                let (id, place) = (document.id.to_string(), document.place.clone());
                let bytes = document.into_bytes(1 << 30).map_err(|error| error.to_string())?;
                Ok((id, String::from_utf8_lossy(&bytes).into_owned(), place))
            }
            Err(error) => Err(format!("{}: {error}", error.reason)),
        })
        .collect()
}

fn read(bytes: Vec<u8>) -> DocumentResults {
    read_with(bytes, ReadSettings::default())
}

fn texts(found: &DocumentResults) -> Vec<String> {
    found.iter().filter_map(|found| found.as_ref().ok().map(|found| found.1.clone())).collect()
}

/// The numbers of the records that came as documents, by their ids.
fn numbers(found: &DocumentResults) -> Vec<usize> {
    let ids = found.iter().filter_map(|found| found.as_ref().ok());
    ids.filter_map(|(id, ..)| id.strip_prefix("urn:n:")?.parse().ok()).collect()
}

#[test]
fn records_are_the_same_in_any_packing_and_can_be_read_alone() {
    let records = records();
    let expected = texts(&read(records.concat()));
    assert_eq!(expected.len(), 4);
    assert_eq!((&*expected[0], &*expected[3]), ("<p>Fog came in at noon.", "Text, l\u{e9}gal."));
    let members = |pack: fn(&[u8]) -> Vec<u8>| records.iter().flat_map(|r| pack(r)).collect();
    let cases: [(Vec<u8>, Option<&str>); 6] = [
        (records.concat(), None),
        (members(gzip), None),
        (members(zstd), None),
        (gzip(&records.concat()), Some("gzip")),
        (zstd(&records.concat()), Some("zstd")),
        // Cut into members anywhere.
        (records.concat().chunks(100).flat_map(gzip).collect(), Some("gzip")),
    ];
    for (bytes, wrapper) in cases {
        let found = read(bytes.clone());
        assert_eq!(texts(&found), expected);
        assert_eq!(numbers(&found), DOCUMENTS);
        for (_, text, place) in found.into_iter().map(Result::unwrap) {
            assert_eq!(place.wrapper.as_deref(), wrapper);
            assert_eq!(place.record.unwrap().as_str().len(), 7);
            let stored = if wrapper.is_none() { bytes.clone() } else { records.concat() };
            let begin = place.offset.unwrap() as usize;
            let alone = stored[begin..begin + place.length.unwrap() as usize].to_vec();
            assert_eq!(texts(&read(alone)), [text]);
        }
    }
}

#[test]
fn kinds_are_counted() {
    let mut records = records();
    records.push(response(5, "404 Not Found", b"gone"));
    records.push(record("revisit", 6, "application/http", b""));
    records.push(record("strange", 7, "text/plain", b"?"));
    records.push(record("metadata", 8, "application/warc-fields", b"via: fog\r\n"));
    let (mut archive, counts) = open(records.concat(), ReadSettings::default());
    let found = std::iter::from_fn(|| archive.next_document());
    assert_eq!(found.filter(Result::is_ok).count(), 4);
    let counts: Vec<_> = counts.read().iter().collect();
    let expected = [
        ("response", 2),
        ("resource", 1),
        ("conversion", 1),
        ("request", 1),
        ("revisit", 1),
        ("metadata", 1),
        ("other-status", 1),
        ("other", 1),
    ];
    assert_eq!(counts, expected);
    let settings = ReadSettings { any_status: true, ..ReadSettings::default() };
    assert_eq!(
        texts(&read_with(records.concat(), settings)).last().map(String::as_str),
        Some("gone")
    );
}

#[test]
fn a_changed_byte_costs_the_record_it_is_in() {
    let records = records();
    for compressed in [true, false] {
        let packed: Vec<Vec<u8>> =
            records.iter().map(|r| if compressed { gzip(r) } else { r.clone() }).collect();
        let bytes = packed.concat();
        for at in 0..bytes.len() {
            let (mut hit, mut end) = (0, packed[0].len());
            while end <= at {
                hit += 1;
                end += packed[hit].len();
            }
            let mut changed = bytes.clone();
            changed[at] ^= 0x11;
            if at < 8 && sniff(&changed).is_none() && !compressed || at < 4 && compressed {
                // Not told as what it was.
                continue;
            }
            let found = numbers(&read(changed));
            // Where a plain record's first line is gone, the one before does not end as it should.
            // Where its last line end is, the one after does not begin a line.
            let last = at + 1 == end;
            let lost = |n: usize| n == hit || !compressed && (n + 1 == hit || last && n == hit + 1);
            let kept: Vec<_> = DOCUMENTS.into_iter().filter(|n| !lost(*n)).collect();
            let rest: Vec<_> = found.iter().copied().filter(|n| !lost(*n)).collect();
            assert_eq!(rest, kept, "byte {at} of record {hit}, compressed: {compressed}");
        }
    }
}

#[test]
fn a_cut_archive_gives_what_is_whole_and_one_error() {
    let records = records();
    type Pack = fn(&[u8]) -> Vec<u8>;
    let packings: [Pack; 3] = [gzip, zstd, <[u8]>::to_vec];
    for pack in packings {
        let packed: Vec<Vec<u8>> = records.iter().map(|r| pack(r)).collect();
        let bytes = packed.concat();
        for cut in 9..bytes.len() {
            let mut whole = 0;
            let mut end = 0;
            while whole < packed.len() && end + packed[whole].len() <= cut {
                end += packed[whole].len();
                whole += 1;
            }
            let found = read(bytes[..cut].to_vec());
            let expected: Vec<_> = DOCUMENTS.into_iter().filter(|n| *n < whole).collect();
            let numbers = numbers(&found);
            // Of plain records the line ends after the block are not loss.
            let spare = numbers.len() == expected.len() + 1
                && bytes[..cut].len() + 4 >= end + packed[whole].len();
            assert!(numbers == expected || spare, "cut at {cut}: {found:?}");
            assert!(found.iter().filter(|found| found.is_err()).count() <= 1, "{found:?}");
        }
    }
}

#[test]
fn promises_are_bounds_not_allocations() {
    let huge =
        b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 100000000000000\r\n\r\nfog".to_vec();
    let after = [&huge[..], b"\r\n\r\n", &records()[3]].concat();
    assert!(read(huge)[0].as_ref().unwrap_err().contains("truncated: it has 3 of 100000000000000"));
    let found = read(after);
    // The header promises more than is allowed, so nothing of it was kept, and the record after it is found.
    assert_eq!(numbers(&found), [3]);
    let long = [
        b"WARC/1.0\r\nX: ".to_vec(),
        vec![b'x'; LONGEST_HEADER + LOOK],
        b"\r\n\r\n".to_vec(),
        records()[3].clone(),
    ];
    let found = read(long.concat());
    assert!(found[0].as_ref().unwrap_err().contains("header"), "{:?}", found[0]);
    assert_eq!(numbers(&found), [3]);
    let settings = ReadSettings { max_bytes: 100, ..ReadSettings::default() };
    let found = read_with(records().concat(), settings);
    assert!(found[1].as_ref().unwrap_err().starts_with("too-large: f@"), "{found:?}");
    assert_eq!(numbers(&found), [0, 3, 4]);
}

#[test]
fn a_bomb_costs_itself() {
    let bomb = response(1, "200 OK", &vec![b' '; 40 << 20]);
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    out.write_all(&bomb).unwrap();
    let bytes = [out.finish().unwrap(), gzip(&records()[3])].concat();
    let found = read(bytes);
    assert!(found[0].as_ref().unwrap_err().starts_with("expansion-limit: f@0"), "{:?}", found[0]);
    assert_eq!(numbers(&found), [3]);
}

#[test]
fn hostile_repetitions_are_read_in_time() {
    // Each line begins a record that promises all the rest.
    let bytes = b"WARC/1.0\nWARC-Type: response\nContent-Length: 16000000\n\n".repeat(40_000);
    let found = read(bytes);
    assert!(found.iter().all(Result::is_err));
}

#[test]
fn bodies_are_undone_and_named() {
    let body = gzip(b"<p>Fog came in.");
    let chunked = [format!("{:x}\r\n", body.len()).as_bytes(), &body, b"\r\n0\r\n\r\n"].concat();
    let header = "200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\nContent-Type: text/html; charset=koi8-r";
    let settings = ReadSettings { ids: CaptureIds::DateAndUrl, ..ReadSettings::default() };
    let mut archive = open(response(1, header, &chunked), settings).0;
    let document = archive.next_document().unwrap().unwrap();
    assert_eq!(document.id.as_str(), "20210304050601/http://example.org/1");
    assert_eq!(document.charset.as_deref(), Some("koi8-r"));
    let capture = document.capture.clone().unwrap();
    assert_eq!((capture.status, capture.mime.as_deref()), (Some(200), Some("text/html")));
    assert_eq!(document.into_bytes(1000).unwrap(), b"<p>Fog came in.");
    let damaged = response(1, "200 OK\r\nContent-Encoding: gzip", &body[..20]);
    assert!(read(damaged)[0].as_ref().unwrap_err().contains("the gzip data"));
}

#[test]
fn arc_is_read_with_its_damage() {
    let block = b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Fog.";
    let line =
        |url: &str, length: usize| format!("{url} 192.0.2.1 20000102030405 text/html {length}\n");
    let one = |url: &str| [line(url, block.len()).as_bytes(), block, b"\n"].concat();
    let first = b"filedesc://x.arc 0.0.0.0 20000102030405 text/plain 76\n1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n\n\n".to_vec();
    let wrong = [line("http://e.org/2", 9).as_bytes(), block, b"\n"].concat();
    let bytes =
        [first, one("http://e.org/1"), wrong, one("http://e.org/3"), one("dns:e.org")].concat();
    let settings = ReadSettings { ids: CaptureIds::Url, ..ReadSettings::default() };
    let found = read_with(bytes.clone(), settings.clone());
    let ids: Vec<_> = found.iter().map(|f| f.as_ref().map(|f| &*f.0).map_err(|_| ())).collect();
    assert_eq!(ids, [Ok("http://e.org/1"), Err(()), Ok("http://e.org/3")], "{found:?}");
    assert_eq!(texts(&found), ["<p>Fog.", "<p>Fog."]);
    let packed: Vec<u8> = gzip(&bytes);
    let stream = Expansion::new(Raw::new(Box::new(Cursor::new(packed))), 300);
    let mut archive =
        Archive::new(Place::default(), stream, Container::Arc, settings, RecordCounter::default());
    let found = std::iter::from_fn(|| archive.next_document());
    assert_eq!(found.filter(Result::is_ok).count(), 2);
}

fn stored(bytes: &[u8]) -> Vec<StoredRecord> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.warc");
    std::fs::write(&path, bytes).unwrap();
    StoredRecords::open(&path, &ReadSettings::default()).unwrap().unwrap().collect()
}

#[test]
fn stored_records_are_read_whole_behind_damage() {
    let mut all = records();
    let cut = all[1].len() - 6;
    all[1].truncate(cut);
    let found = stored(&all.concat());
    let ids: Vec<_> = found.iter().map(|record| record.record_id.as_deref().unwrap()).collect();
    assert_eq!(ids, ["urn:n:0", "urn:n:2", "urn:n:3", "urn:n:4"]);
    let lengths: Vec<_> =
        found.iter().map(|record| record.payload.as_ref().map(|p| p.length)).collect();
    assert_eq!(lengths, [Some(23), Some(560), None, None]);
    assert!(stored(&all[0]).iter().all(|record| record.block.starts_with(b"HTTP/1.1 200 OK")));
}

#[test]
fn responses_become_revisits_with_their_own_fields() {
    let folded = b"WARC/1.0\r\nwarc-type: response\r\nWARC-Target-URI: http://e.org/\r\nWARC-Date: 2021-03-04T05:06:07Z\r\nWARC-Payload-Digest:\r\n sha1:FOLDED\r\nWARC-Record-ID: <urn:x>\r\nX-Own: 1;\r\n 2\r\nContent-Type: application/http\r\nContent-Length: 23\r\n\r\nHTTP/1.1 200 OK\r\n\r\nbody\r\n\r\n";
    let [record] = &stored(folded)[..] else { panic!("one record") };
    let target = RevisitTarget {
        record_id: "urn:first".to_owned(),
        url: "http://e.org/first".to_owned(),
        date: "2020-01-01T00:00:00Z".to_owned(),
        digest: "sha1:FIRST".to_owned(),
    };
    let text = String::from_utf8(record.as_revisit_of(&target)).unwrap();
    let expected = "WARC/1.0\r\nWARC-Type: revisit\r\nWARC-Target-URI: http://e.org/\r\nWARC-Date: 2021-03-04T05:06:07Z\r\nWARC-Record-ID: <urn:x>\r\nX-Own: 1;\r\n 2\r\nContent-Type: application/http\r\nWARC-Truncated: length\r\nWARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest\r\nWARC-Payload-Digest: sha1:FIRST\r\nWARC-Refers-To: <urn:first>\r\nWARC-Refers-To-Target-URI: http://e.org/first\r\nWARC-Refers-To-Date: 2020-01-01T00:00:00Z\r\nWARC-Block-Digest: sha1:OP3ZUEAEIGC5QPO47I7DR5X4KB6IV5TP\r\nContent-Length: 19\r\n\r\nHTTP/1.1 200 OK\r\n\r\n\r\n\r\n";
    assert_eq!(text, expected);
    let [revisit] = &stored(text.as_bytes())[..] else { panic!("one record") };
    assert_eq!(revisit.kind, StoredKind::Revisit);
    let referred = revisit.refers_to();
    assert_eq!(referred.record_id.as_deref(), Some("urn:first"));
    assert_eq!(referred.capture, Some((target.url.clone(), target.date.clone())));
    // Refers to another one now, and is the same otherwise.
    let other = RevisitTarget { record_id: "urn:other".to_owned(), ..target };
    let again = String::from_utf8(revisit.referring_to(&other)).unwrap();
    assert_eq!(again.replace("urn:other", "urn:first"), text);
}

/// Bytes that were looked at while a whole archive was read.
fn work_of(bytes: Vec<u8>) -> u64 {
    let mut archive = open(bytes, ReadSettings::default()).0;
    while archive.next_document().is_some() {}
    archive.stream.cost().work
}

/// Headers without an end, each of which has a mebibyte in which it may end, and members that seem to begin at every
/// tenth byte: work grows with the length, not with its square.
#[test]
fn hostile_archives_are_searched_in_linear_time() {
    let byte = |byte: u8| gzip(&[byte]);
    let by_bytes = |text: &[u8]| text.iter().flat_map(|one| byte(*one)).collect::<Vec<_>>();
    let damage = b"damage".as_slice();
    let sound = &records()[0];
    let behind = |packed: Vec<u8>, head: &[u8], count: usize| {
        [packed, damage.to_vec(), head.repeat(count)].concat()
    };
    let raw_block = [b"\x28\xb5\x2f\xfd\0\x58".as_slice(), &[0, 0, 16]].concat();
    let one_letter = [b"\x28\xb5\x2f\xfd\0\x58".as_slice(), &[2, 0, 16, b'a']].concat();
    type Make<'a> = &'a dyn Fn(usize) -> Vec<u8>;
    let archives: [(&str, Make<'_>, u64); 7] = [
        ("first lines", &|count| b"WARC/1.0\r\n".repeat(count * 10), 0),
        (
            "a header byte by byte",
            &|count| by_bytes(&[&b"WARC/1.0\r\n"[..], &b"a\n".repeat(count)].concat()),
            0,
        ),
        (
            "a line byte by byte",
            &|count| by_bytes(&[&b"WARC/1.0 "[..], &b"a".repeat(count)].concat()),
            0,
        ),
        (
            "a line of ARC byte by byte",
            &|count| by_bytes(&[&b"filedesc://"[..], &b"a".repeat(count)].concat()),
            0,
        ),
        (
            "names of members of gzip",
            &|count| behind(gzip(sound), b"\x1f\x8b\x08\x08\x01\x01\x01\x01\x01\x01", count),
            32 << 20,
        ),
        ("frames of zstd", &|count| behind(zstd(sound), &raw_block, count), 32 << 20),
        ("frames of one letter", &|count| behind(zstd(sound), &one_letter, count), 32 << 20),
    ];
    for (name, archive, at_once) in archives {
        let archive = archive(5_000);
        let (length, work) = (archive.len() as u64, work_of(archive));
        assert!(work <= 10 * length + at_once, "{name}: {work} for {length}");
    }
}
