//! Packages that are read, and what is said of them.

mod hostile;

use std::io::Write;
use std::path::Path;

use data_encoding::HEXLOWER;
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use sha2::{Digest, Sha256};

use crate::{Container, InputFile, Place, ReadSettings, RecordCounter};

/// A member on its way into a package.
#[derive(Clone)]
struct Part {
    name: String,
    content: Vec<u8>,
    is_deflated: bool,
    /// What the directory says of its length instead.
    size: Option<u32>,
}

fn part(name: &str, content: impl AsRef<[u8]>) -> Part {
    let content = content.as_ref().to_vec();
    Part { name: name.to_owned(), content, is_deflated: false, size: None }
}

/// A zip archive of these members.
fn zip(parts: &[Part]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for Part { name, content, is_deflated, size } in parts {
        let mut packed = content.clone();
        if *is_deflated {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(content).unwrap();
            packed = encoder.finish().unwrap();
        }
        let mut crc = flate2::Crc::new();
        crc.update(content);
        let mut fields = Vec::new();
        fields.extend_from_slice(&[20, 0, 0, 0, if *is_deflated { 8 } else { 0 }, 0, 0, 0, 0, 0]);
        fields.extend_from_slice(&crc.sum().to_le_bytes());
        fields.extend_from_slice(&(packed.len() as u32).to_le_bytes());
        fields.extend_from_slice(&size.unwrap_or(content.len() as u32).to_le_bytes());
        fields.extend_from_slice(&(name.len() as u32).to_le_bytes());
        let header = out.len() as u32;
        out.extend_from_slice(b"PK\x03\x04");
        out.extend_from_slice(&fields);
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(&packed);
        directory.extend_from_slice(b"PK\x01\x02\x14\x00");
        directory.extend_from_slice(&fields);
        directory.extend_from_slice(&[0; 10]);
        directory.extend_from_slice(&header.to_le_bytes());
        directory.extend_from_slice(name.as_bytes());
    }
    let start = out.len() as u32;
    out.extend_from_slice(&directory);
    out.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    let count = parts.len().min(0xFFFF) as u16;
    out.extend_from_slice(&count.to_le_bytes());
    out.extend_from_slice(&count.to_le_bytes());
    out.extend_from_slice(&(directory.len() as u32).to_le_bytes());
    out.extend_from_slice(&start.to_le_bytes());
    out.extend_from_slice(&[0, 0]);
    out
}

/// A record of WARC, compressed by itself.
fn record(kind: &str, number: u32, more: &str, block: &str) -> Vec<u8> {
    let head = format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:x:{number}>\r\nWARC-Target-URI: https://example.org/{number}\r\nWARC-Date: 2026-01-02T03:04:0{number}Z\r\nContent-Type: application/http; msgtype=response\r\n{more}Content-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    );
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(head.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn response(number: u32) -> Vec<u8> {
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\npage {number}");
    record("response", number, &format!("WARC-Payload-Digest: sha1:{number}\r\n"), &block)
}

fn revisit(number: u32, of: u32, digest: &str) -> Vec<u8> {
    let more = format!(
        "WARC-Payload-Digest: {digest}\r\nWARC-Refers-To-Target-URI: https://example.org/{of}\r\nWARC-Refers-To-Date: 2026-01-02T03:04:0{of}Z\r\n"
    );
    record("revisit", number, &more, "HTTP/1.1 200 OK\r\n\r\n")
}

/// The members of a package of these WARC files, as the format requires them, with `more` in the description.
fn package(archives: &[(&str, Vec<u8>)], more: &str) -> Vec<Part> {
    let mut parts: Vec<Part> =
        archives.iter().map(|(name, bytes)| part(&format!("archive/{name}"), bytes)).collect();
    parts.push(part("indexes/index.cdx", "index"));
    parts.push(Part { is_deflated: true, ..part("pages/pages.jsonl", "{}\n".repeat(50)) });
    let listed = parts.iter().map(|part| {
        let digest = HEXLOWER.encode(&Sha256::digest(&part.content));
        format!(
            "{{\"name\":\"x\",\"path\":\"{}\",\"hash\":\"sha256:{digest}\",\"bytes\":{}}}",
            part.name,
            part.content.len()
        )
    });
    let resources = listed.collect::<Vec<_>>().join(",");
    let manifest = format!(
        "{{\"profile\":\"data-package\",\"wacz_version\":\"1.1.1\"{more},\"resources\":[{resources}]}}"
    );
    let digest = HEXLOWER.encode(&Sha256::digest(&manifest));
    parts.push(part("datapackage.json", manifest));
    let digest = format!("{{\"path\":\"datapackage.json\",\"hash\":\"sha256:{digest}\"}}");
    parts.push(part("datapackage-digest.json", digest));
    parts
}

/// What reading gives: places of documents, and reasons and details with the member at fault.
fn read(bytes: &[u8]) -> (Vec<String>, Vec<String>) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.wacz");
    std::fs::write(&path, bytes).unwrap();
    read_file(&path)
}

fn read_file(path: &Path) -> (Vec<String>, Vec<String>) {
    let settings = ReadSettings::default();
    let mut file = InputFile::open(path).unwrap();
    assert_eq!(file.container(&settings).unwrap(), Some(Container::Wacz));
    let (mut documents, mut problems) = (Vec::new(), Vec::new());
    let mut source = file
        .into_documents(Container::Wacz, &settings, &RecordCounter::default())
        .unwrap_or_else(|_| panic!("not read"));
    while let Some(found) = source.next_document() {
        match found {
            Ok(document) => documents.push(document.id.to_string()),
            Err(error) => problems.push(format!(
                "{} {}: {}",
                error.reason,
                error.place.member.unwrap_or_default(),
                error.detail
            )),
        }
    }
    (documents, problems)
}

fn sound() -> Vec<Part> {
    let first = [response(1), response(2)].concat();
    package(&[("a.warc.gz", first), ("b.warc.gz", response(3))], "")
}

#[test]
fn captures_of_all_archives_are_read() {
    let nothing: [String; 0] = [];
    let (documents, problems) = read(&zip(&sound()));
    assert_eq!(documents, ["urn:x:1", "urn:x:2", "urn:x:3"]);
    assert_eq!(problems, nothing);
    let deflated: Vec<Part> =
        sound().into_iter().map(|part| Part { is_deflated: true, ..part }).collect();
    assert_eq!(read(&zip(&deflated)), (documents, Vec::new()));
}

#[test]
fn places_name_the_member_and_the_bytes_in_it() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.zip");
    std::fs::write(&path, zip(&sound())).unwrap();
    let mut file = InputFile::open(&path).unwrap();
    let settings = ReadSettings::default();
    assert_eq!(file.container(&settings).unwrap(), Some(Container::Wacz));
    let counts = RecordCounter::default();
    let mut source = file
        .into_documents(Container::Wacz, &settings, &counts)
        .unwrap_or_else(|_| panic!("not read"));
    let _ = source.next_document();
    let document = source.next_document().unwrap().unwrap();
    let Place { member, offset, length, .. } = document.place;
    assert_eq!(member.as_deref(), Some("archive/a.warc.gz"));
    assert_eq!(offset, Some(response(1).len() as u64));
    assert_eq!(length, Some(response(2).len() as u64));
}

#[test]
fn a_package_that_is_compressed_is_read() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&zip(&sound())).unwrap();
    let (documents, problems) = read(&encoder.finish().unwrap());
    assert_eq!((documents.len(), problems.len()), (3, 0));
}

#[test]
fn a_package_from_a_stream_is_read() {
    let bytes = zip(&sound());
    let place = Place { file: "-".into(), ..Place::default() };
    let file = InputFile::from_reader(place, std::io::Cursor::new(bytes));
    let mut source = file
        .into_documents(Container::Wacz, &ReadSettings::default(), &RecordCounter::default())
        .unwrap_or_else(|_| panic!("not read"));
    let mut count = 0;
    while let Some(found) = source.next_document() {
        found.unwrap();
        count += 1;
    }
    assert_eq!(count, 3);
}

#[test]
fn what_is_missing_is_listed_and_read_around() {
    let parts = vec![part("archive/a.warc.gz", response(1))];
    let (documents, problems) = read(&zip(&parts));
    assert_eq!(documents, ["urn:x:1"]);
    assert_eq!(
        problems,
        [
            "incomplete datapackage.json: the package lacks datapackage.json, pages/pages.jsonl, an index in indexes/, archive/a.warc.gz in resources"
        ]
    );
    let mut parts = sound();
    let manifest = parts.iter_mut().find(|part| part.name == "datapackage.json").unwrap();
    manifest.content =
        b"{\"resources\":{\"pages/pages.jsonl\":{\"hash\":\"md5:0\"},\"archive/gone.warc\":{}}}"
            .to_vec();
    parts.retain(|part| part.name != "datapackage-digest.json");
    let (documents, problems) = read(&zip(&parts));
    assert_eq!(documents.len(), 3);
    assert_eq!(
        problems,
        [
            "incomplete datapackage.json: the package lacks profile in datapackage.json, wacz_version in datapackage.json, archive/a.warc.gz in resources, archive/b.warc.gz in resources, a SHA-256 digest of archive/gone.warc, a SHA-256 digest of pages/pages.jsonl",
            "damaged datapackage.json: members that the package lists are not in it: archive/gone.warc",
        ]
    );
}

#[test]
fn a_wrong_digest_names_the_member() {
    for (name, is_archive) in [
        ("archive/a.warc.gz", true),
        ("indexes/index.cdx", false),
        ("pages/pages.jsonl", false),
        ("datapackage.json", false),
    ] {
        let mut parts = sound();
        let found = parts.iter_mut().find(|part| part.name == name).unwrap();
        if is_archive {
            found.content.extend(response(4));
        } else {
            // The same length, and JSON as before.
            let text = String::from_utf8(found.content.clone()).unwrap();
            let text = text.replace("{}", "[]").replace("1.1.1", "1.1.0");
            let is_index = name.starts_with("indexes/");
            found.content = if is_index { b"xedni".to_vec() } else { text.into_bytes() };
        }
        let (documents, problems) = read(&zip(&parts));
        assert_eq!(documents.len(), 3 + usize::from(is_archive), "{name}");
        assert_eq!(
            problems,
            [format!(
                "damaged {name}: the member does not have the SHA-256 digest that the package states"
            )]
        );
    }
}

#[test]
fn revisits_of_other_packages_are_unresolved() {
    for (requires, said) in [
        ("", ""),
        (",\"relation\":{\"requires\":[\"first.wacz\"]}", "; it requires first.wacz"),
        (
            ",\"relation\":{\"requires\":[{\"name\":\"first.wacz\",\"hash\":\"x\"},{\"crawlId\":\"c\"}]}",
            "; it requires first.wacz, c",
        ),
    ] {
        // What a revisit refers to may come after it, and in another file.
        let first =
            [revisit(5, 1, "sha1:x"), revisit(6, 9, "sha1:1"), revisit(7, 8, "sha1:7")].concat();
        let parts = package(&[("a.warc.gz", first), ("b.warc.gz", response(1))], requires);
        let (documents, problems) = read(&zip(&parts));
        assert_eq!(documents, ["urn:x:1"]);
        assert_eq!(
            problems,
            [format!(
                "unresolved datapackage.json: 1 revisit refers to a capture that is not in the package, the first at https://example.org/7{said}"
            )]
        );
    }
}
