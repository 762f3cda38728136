//! Sources that continue where another stood give what that one would have given, and read nothing before.

use std::io::Write;

use super::*;
use crate::{Batch, Document, Position, RecordCounts};

/// Bytes of the file that are read before one continues: what tells its kind, and the names of columns.
const BEGINNING: usize = 40;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

/// Records of an archive, of which every third is not a document.
fn records() -> Vec<Vec<u8>> {
    let record = |number: usize| {
        let kind = ["resource", "conversion", "metadata"][number % 3];
        let text = format!("Text {number}. ").repeat(number * 7 % 11 + 1);
        format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:n:{number}>\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\r\n{text}\r\n\r\n",
            text.len()
        )
        .into_bytes()
    };
    (0..40).map(record).collect()
}

/// The beginning of a file of rows is longer than what is read to tell its kind.
fn rows(separator: char, lines: impl Fn(usize) -> String) -> Vec<u8> {
    let head = format!("id{separator}text{separator}a-column-with-a-long-name-behind-them\n");
    let rows =
        (0..40).map(|number| format!("row-{number}{separator}{}{separator}x\n", lines(number)));
    std::iter::once(head).chain(rows).collect::<String>().into_bytes()
}

/// Files, what they are, and whether one can continue within them.
fn files() -> Vec<(&'static str, Vec<u8>, Container, bool)> {
    let members = |pack: fn(&[u8]) -> Vec<u8>| -> Vec<Vec<u8>> {
        records().iter().map(|record| pack(record)).collect()
    };
    let mut damaged = members(gzip);
    let middle = damaged[7].len() / 2;
    damaged[7].truncate(middle);
    damaged[20][12] ^= 0x55;
    let lines = |number: usize| format!("{{\"id\":{number},\"text\":\"fog {number}\"}}\r\n");
    let jsonl = format!("{}\nno object\n\n{}", lines(0), (1..40).map(lines).collect::<String>());
    vec![
        ("plain", records().concat(), Container::Warc, true),
        ("gzip", members(gzip).concat(), Container::Warc, true),
        ("damaged", damaged.concat(), Container::Warc, true),
        ("zstd", members(zstd).concat(), Container::Warc, true),
        ("as a whole", gzip(&records().concat()), Container::Warc, false),
        ("lines", jsonl.clone().into_bytes(), Container::JsonLines, true),
        ("packed lines", gzip(jsonl.as_bytes()), Container::JsonLines, false),
        ("commas", rows(',', |n| format!("\"a, {n}\n\"\"b\"\"\"")), Container::Csv, true),
        ("tabs", rows('\t', |n| format!("fog {n}")), Container::Tsv, true),
    ]
}

type DocumentText = Vec<(String, String)>;

fn told(found: &Result<Document, ErrorRecord>) -> (String, String) {
    match found {
        Ok(document) => (format!("{:?}", document.place), format!("{:?}", document.content)),
        Err(error) => (format!("{:?}", error.place), error.to_string()),
    }
}

fn rest(source: &mut dyn Source) -> DocumentText {
    let batches = std::iter::from_fn(|| source.next_batch());
    batches.flat_map(Batch::into_documents).map(|found| told(&found)).collect()
}

fn opened(path: &Path, container: Container) -> (Box<dyn Source>, RecordCounter) {
    let counts = RecordCounter::default();
    let file = InputFile::open(path).unwrap();
    let settings = ReadSettings::default();
    let Ok(source) = file.into_documents(container, &settings, &counts) else { panic!() };
    (source, counts)
}

#[test]
fn a_source_goes_on_where_another_stood() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    for (name, bytes, container, seeks) in files() {
        std::fs::write(&path, &bytes).unwrap();
        let (mut all, counts) = opened(&path, container);
        let mut positions: Vec<(usize, Position, RecordCounts)> = Vec::new();
        let mut wanted: DocumentText = Vec::new();
        loop {
            if let Some(position) = all.position() {
                positions.push((wanted.len(), position, counts.read()));
            }
            let Some(found) = all.next_document() else { break };
            wanted.push(told(&found));
        }
        assert!(wanted.len() > 25, "{name}: {wanted:#?}");
        assert_eq!(rest(&mut *opened(&path, container).0), wanted, "{name}");
        // Behind damage one does not always stand at the beginning of a member.
        assert!(!seeks || positions.len() > wanted.len() - 4, "{name}: {}", positions.len());
        for (given, position, met) in positions {
            let mut changed = bytes.clone();
            let before = (position.offset as usize).max(BEGINNING);
            let head = if container == Container::Csv || container == Container::Tsv {
                60
            } else {
                BEGINNING
            };
            if head < before {
                changed[head..before].fill(b'#');
            }
            std::fs::write(&path, &changed).unwrap();
            let (mut source, counts) = opened(&path, container);
            counts.restore(met);
            // Of what is compressed as a whole one may still stand at the beginning and at the end.
            assert!(seeks || given == 0 || given == wanted.len(), "{name} {position:?}");
            assert!(source.go_on(&position) || !seeks, "{name} {position:?}");
            if seeks {
                assert_eq!(rest(&mut *source), wanted[given..], "{name} {position:?}");
            }
        }
    }
}

#[test]
fn nobody_goes_on_in_a_stream() {
    let lines = b"{\"id\":1,\"text\":\"fog\"}\n{\"id\":2,\"text\":\"rain\"}\n";
    let place = Place { file: "-".into(), ..Place::default() };
    let raw = Raw::new(Box::new(std::io::Cursor::new(lines.to_vec())));
    let file = InputFile { place, raw };
    let counts = RecordCounter::default();
    let lines = file.into_documents(Container::JsonLines, &ReadSettings::default(), &counts);
    let Ok(mut lines) = lines else { panic!() };
    assert!(!lines.go_on(&Position { offset: 22, line: 1, ..Position::default() }));
    assert_eq!(rest(&mut *lines).len(), 2);
}

/// A few bytes that become one long line, row, record or body.
#[test]
fn records_of_short_compressed_files_have_a_bound() {
    let mut state = 1_u32;
    let mut block = Vec::new();
    while block.len() < 1 << 20 {
        state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        write!(block, "some words of a text {:03} ", state >> 20).unwrap();
    }
    let http = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n";
    let record = |length: usize| {
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {length}\r\n\r\n{http}"
        )
    };
    let long = block.repeat(55);
    let within = |begin: &str, end: &str| gzip(&[begin.as_bytes(), &long, end.as_bytes()].concat());
    let coded = [&b"Content-Encoding: gzip\r\n\r\n"[..], &gzip(&long)].concat();
    let plain = format!("{}\r\n", record(http.len() + 2 + long.len()));
    for (container, name, bytes) in [
        (Container::JsonLines, "line", within("{\"id\":\"a\",\"text\":\"", "\"}\n")),
        (Container::Csv, "row", within("id,text\n1,\"", "\"\n")),
        (Container::Warc, "record", within(&plain, "\r\n\r\n")),
        (
            Container::Warc,
            "body",
            [record(http.len() + coded.len()).as_bytes(), &coded, b"\r\n\r\n"].concat(),
        ),
    ] {
        let path = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(path.path(), &bytes).unwrap();
        let file = InputFile::open(path.path()).unwrap();
        let counts = RecordCounter::default();
        let Ok(mut source) = file.into_documents(container, &ReadSettings::default(), &counts)
        else {
            panic!()
        };
        let error = match source.next_document().unwrap() {
            Err(error) => error.detail.to_string(),
            Ok(Document { content: crate::Content::Http(body), .. }) => {
                body.decode(1 << 30).unwrap_err().1
            }
            Ok(_) => panic!("{name}"),
        };
        assert!(error.contains(name) && error.contains("50331648"), "{name}: {error}");
    }
}

/// A beginning of a container that gives fewer documents than the whole has an error, where its end can be known: by
/// the lengths of records, by rows that are objects, by its compression.
#[test]
fn containers_that_are_cut_say_so() {
    let record = |n: u32| {
        let block = format!("fog over the harbour {n}");
        format!(
            "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:{n}>\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        )
    };
    let records: Vec<String> = (0..4).map(record).collect();
    let lines: String = (0..4).map(|n| format!("{{\"text\":\"fog {n}\"}}\n")).collect();
    let gzip = |bytes: &[u8]| {
        let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        std::io::Write::write_all(&mut out, bytes).unwrap();
        out.finish().unwrap()
    };
    let zstd = |bytes: &[u8]| {
        ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
    };
    let bzip2 = |bytes: &[u8]| {
        let mut out = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        std::io::Write::write_all(&mut out, bytes).unwrap();
        out.finish().unwrap()
    };
    let xz = |bytes: &[u8]| {
        let options = lzma_rust2::XzOptions::with_preset(0);
        let mut out = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
        std::io::Write::write_all(&mut out, bytes).unwrap();
        out.finish().unwrap()
    };
    let arc: String = (0..4)
        .map(|n| {
            let page = format!("HTTP/1.0 200 OK\r\n\r\n<p>fog {n}");
            format!("http://e.org/{n} 1.2.3.4 20000102030405 text/html {}\n{page}\n", page.len())
        })
        .collect();
    let arc = format!("filedesc://x 0.0.0.0 20000102030405 text/plain 0\n\n{arc}");
    let array = format!("[{}]\n", lines.trim_end().replace('\n', ",\n"));
    let quoted: String = (0..4).map(|n| format!("{n},\"fog {n}\"\n")).collect();
    let quoted = format!("id,text\n{quoted}");
    let warc = records.concat();
    let members: Vec<u8> = records.iter().flat_map(|record| gzip(record.as_bytes())).collect();
    for (name, container, whole) in [
        ("WARC", Container::Warc, warc.clone().into_bytes()),
        ("ARC", Container::Arc, arc.into_bytes()),
        ("array", Container::JsonArray, array.clone().into_bytes()),
        ("array in gzip", Container::JsonArray, gzip(array.as_bytes())),
        ("quoted", Container::Csv, quoted.clone().into_bytes()),
        ("lines as a whole in bzip2", Container::JsonLines, bzip2(lines.as_bytes())),
        ("lines as a whole in xz", Container::JsonLines, xz(lines.as_bytes())),
        ("WARC in gzip", Container::Warc, gzip(warc.as_bytes())),
        ("WARC in members", Container::Warc, members),
        ("WARC in zstd", Container::Warc, zstd(warc.as_bytes())),
        ("lines", Container::JsonLines, lines.clone().into_bytes()),
        ("lines in gzip", Container::JsonLines, gzip(lines.as_bytes())),
        ("lines in zstd", Container::JsonLines, zstd(lines.as_bytes())),
    ] {
        let read = |bytes: &[u8]| {
            let bytes = std::io::Cursor::new(bytes.to_vec());
            let file = InputFile::from_reader(Place::default(), bytes);
            let settings = ReadSettings::default();
            let Ok(mut documents) =
                file.into_documents(container, &settings, &RecordCounter::default())
            else {
                panic!("{name} is read here")
            };
            let found: Vec<_> = std::iter::from_fn(|| documents.next_document()).collect();
            (found.iter().filter(|found| found.is_ok()).count(), found.iter().any(Result::is_err))
        };
        assert_eq!(read(&whole), (4, false), "{name}");
        let mut silent = Vec::new();
        for cut in 1..whole.len() {
            let (documents, is_told) = read(&whole[..cut]);
            if documents < 4 && !is_told {
                silent.push(cut);
            }
        }
        // Between two of them nothing shows that there was a third.
        assert!(silent.len() <= 4 * 5, "{name}: {silent:?} of {}", whole.len());
        let is_whole = name.contains(" in ") && !name.ends_with("members");
        assert!(!is_whole || silent.is_empty(), "{name}: {silent:?}");
    }
}
