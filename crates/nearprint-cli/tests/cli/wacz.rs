//! Packages of web archives through the command: rows with members, findings, and copies.

use std::io::Read;

use serde_json::Value;

use crate::bombs::zip;
use crate::harness::Sandbox;

const FOG: &str = "Fog came in at noon and stayed over the harbour until the bells of the old town rang for the evening.";
const RAIN: &str = "It rained on the hills for a week, and every brook became a river that nobody in the valley had seen.";

fn response(name: &str, text: &str) -> String {
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{text}");
    format!(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:{name}>\r\n\
         WARC-Target-URI: https://example.org/{name}\r\nWARC-Date: 2026-09-01T00:00:00Z\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
        http.len()
    )
}

/// A revisit of a capture in another package.
fn revisit() -> String {
    "WARC/1.1\r\nWARC-Type: revisit\r\nWARC-Record-ID: <urn:x:again>\r\n\
     WARC-Target-URI: https://example.org/again\r\nWARC-Date: 2026-09-02T00:00:00Z\r\n\
     WARC-Payload-Digest: sha1:Z\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
        .to_owned()
}

fn package(archives: &[(&str, &str)]) -> Vec<u8> {
    let manifest = br#"{"wacz_version":"1.1.1","resources":[],"relation":{"requires":[{"name":"first.wacz"}]}}"#;
    let parts = archives.iter().map(|(name, bytes)| (*name, bytes.as_bytes()));
    zip(&parts.chain([("datapackage.json", &manifest[..])]).collect::<Vec<_>>())
}

#[test]
fn captures_have_the_member_they_are_in_and_findings_are_rows() {
    let sandbox = Sandbox::new();
    let (one, two) = (response("fog", FOG) + &revisit(), response("rain", RAIN));
    let bytes = package(&[("archive/one.warc", &one), ("archive/two.warc", &two)]);
    sandbox.file("crawl.wacz", &bytes).file("crawl.bin", &bytes);
    for name in ["crawl.wacz", "crawl.bin"] {
        let run = sandbox.run(["fingerprint", "--format", "jsonl", name]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        let rows: Vec<Value> =
            run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let place = |row: &Value| (row["place"]["member"].clone(), row["place"]["offset"].clone());
        let captures: Vec<_> = rows.iter().filter(|row| !row["fingerprint"].is_null()).collect();
        assert_eq!(captures.len(), 2);
        assert_eq!(place(captures[0]), ("archive/one.warc".into(), 0.into()));
        assert_eq!(place(captures[1]), ("archive/two.warc".into(), 0.into()));
        let found = |reason: &str| {
            let row = rows.iter().find(|row| row["reason"] == reason).expect("a finding");
            assert_eq!(row["place"]["member"], "datapackage.json");
            row["detail"].as_str().unwrap().to_owned()
        };
        assert!(found("incomplete").starts_with("the package lacks profile in datapackage.json"));
        assert_eq!(
            found("unresolved"),
            "1 revisit refers to a capture that is not in the package, the first at https://example.org/again; it requires first.wacz"
        );
    }
}

#[test]
fn a_package_is_compared_with_archives_and_directories() {
    let sandbox = Sandbox::new();
    sandbox.file("crawl.wacz", package(&[("archive/one.warc", &response("fog", FOG))]));
    sandbox.file("d/other.warc", response("other", FOG));
    let run = sandbox.run(["pairs", "--read", "ids=url", "crawl.wacz", "d"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains("https://example.org/fog\thttps://example.org/other"), "{}", run.out);
}

/// A package of three captures, of which the second has the text of the first, with an index, pages and a signature.
fn signed_package() -> Vec<u8> {
    let captures = [("fog", FOG), ("mist", FOG), ("rain", RAIN)];
    let (mut archive, mut index, mut pages) = (String::new(), String::new(), String::new());
    pages += "{\"format\":\"json-pages-1.0\",\"id\":\"pages\",\"title\":\"All\"}\n";
    for (name, text) in captures {
        let record = response(name, text);
        let (offset, length) = (archive.len(), record.len());
        index += &format!(
            "org,example)/{name} 20260901000000 {{\"url\":\"https://example.org/{name}\",\"mime\":\"text/html\",\
             \"length\":\"{length}\",\"offset\":\"{offset}\",\"filename\":\"a.warc\"}}\n"
        );
        pages += &format!(
            "{{\"url\":\"https://example.org/{name}\",\"ts\":\"2026-09-01T00:00:00Z\",\"title\":\"Page of {name}\"}}\n"
        );
        archive += &record;
    }
    let manifest = br#"{"profile":"data-package","wacz_version":"1.1.1","title":"A crawl","resources":[{"name":"a.warc","path":"archive/a.warc"}]}"#;
    let digest = br#"{"path":"datapackage.json","signedData":{"signature":"x"}}"#;
    zip(&[
        ("archive/a.warc", archive.as_bytes()),
        ("indexes/index.cdx", index.as_bytes()),
        ("pages/pages.jsonl", pages.as_bytes()),
        ("notes.txt", b"kept"),
        ("datapackage.json", manifest),
        ("datapackage-digest.json", digest),
    ])
}

/// The names of all members of a package, and what is in them. What readers look up by its place is not compressed.
fn expanded(package: &[u8]) -> String {
    let mut package = zip::ZipArchive::new(std::io::Cursor::new(package)).unwrap();
    let mut text = String::new();
    for at in 0..package.len() {
        let mut member = package.by_index(at).unwrap();
        let is_stored = member.compression() == zip::CompressionMethod::Stored;
        let name = member.name().unwrap().into_owned();
        assert_eq!(is_stored, name.starts_with("archive/"), "{name}");
        text += &format!("\n{name}\n");
        member.read_to_string(&mut text).unwrap();
    }
    text
}

/// Offsets of the documents in a package, and what is wrong with it.
fn contents(sandbox: &Sandbox, name: &str) -> (Vec<u64>, Vec<String>) {
    let run = sandbox.run(["fingerprint", "--format", "jsonl", name]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let rows: Vec<Value> =
        run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let offsets = rows.iter().filter_map(|row| row["place"]["offset"].as_u64()).collect();
    let faults = rows.iter().filter_map(|row| Some(row["detail"].as_str()?.to_owned())).collect();
    (offsets, faults)
}

#[test]
fn a_package_from_which_nothing_is_dropped_is_copied_as_it_is() {
    let sandbox = Sandbox::new();
    let bytes = package(&[("archive/a.warc", &(response("fog", FOG) + &response("rain", RAIN)))]);
    sandbox.file("whole.wacz", &bytes);
    let run = sandbox.run(["dedup", "--write", "copy.wacz", "whole.wacz"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(std::fs::read(sandbox.path("copy.wacz")).unwrap(), bytes);
}

#[test]
fn captures_are_left_out_of_a_package_with_their_pages_and_lines() {
    let sandbox = Sandbox::new();
    sandbox.file("crawl.wacz", signed_package());
    let run = sandbox.run(["dedup", "--write", "less.wacz", "crawl.wacz"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.err.contains("crawl.wacz: its copy has another content, and no signature"));
    let after = response("fog", FOG).len();
    assert_eq!(contents(&sandbox, "less.wacz"), (vec![0, after as u64], vec![]));
    let bytes = std::fs::read(sandbox.path("less.wacz")).unwrap();
    let text = expanded(&bytes);
    assert!(!text.contains("Page of mist") && !text.contains("org,example)/mist"));
    assert!(text.contains("Page of rain") && text.contains("kept") && text.contains("A crawl"));
    let line = format!("\"length\":\"{}\"", response("rain", RAIN).len());
    let moved = text.lines().find(|line| line.starts_with("org,example)/rain")).unwrap();
    assert!(moved.contains(&line) && moved.contains(&format!("\"offset\":\"{after}\"")));
    assert!(text.contains("nearprint/decision/1") && text.contains("nearprint/decisions.txt"));
    // The same once more, whenever it is.
    let run = sandbox.run(["dedup", "--force", "--write", "again.wacz", "crawl.wacz"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(std::fs::read(sandbox.path("again.wacz")).unwrap(), bytes);
}

#[test]
fn captures_of_a_package_become_revisits() {
    let sandbox = Sandbox::new();
    sandbox.file("crawl.wacz", signed_package());
    let arguments = ["dedup", "--revisits", "--write", "less.wacz", "crawl.wacz"];
    let run = sandbox.run(arguments);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let (offsets, faults) = contents(&sandbox, "less.wacz");
    assert_eq!((offsets.len(), &faults[..]), (2, &[][..]));
    let text = expanded(&std::fs::read(sandbox.path("less.wacz")).unwrap());
    let line = |name: &str| {
        let key = format!("org,example)/{name} ");
        text.lines().find(|line| line.starts_with(&key)).unwrap().to_owned()
    };
    assert!(line("mist").contains("\"mime\":\"warc/revisit\""));
    assert!(line("rain").contains(&format!("\"offset\":\"{}\"", offsets[1])));
    assert!(text.contains("WARC-Refers-To: <urn:x:fog>") && text.contains("Page of mist"));
}
