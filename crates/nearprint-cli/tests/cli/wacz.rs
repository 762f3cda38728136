//! Packages of web archives through the command: rows with members, findings, and copies.

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

#[test]
fn copies_leave_nothing_out_of_a_package() {
    let sandbox = Sandbox::new();
    let bytes = package(&[("archive/a.warc", &(response("fog", FOG) + &response("rain", RAIN)))]);
    sandbox.file("whole.wacz", &bytes);
    let twice = response("fog", FOG) + &response("rain", RAIN) + &response("mist", FOG);
    sandbox.file("twice.wacz", package(&[("archive/a.warc", &twice)]));
    let run = sandbox.run(["dedup", "--write", "copy.wacz", "whole.wacz"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(std::fs::read(sandbox.path("copy.wacz")).unwrap(), bytes);
    for more in [&[][..], &["--revisits"]] {
        let arguments = [&["dedup", "--write", "less.wacz", "twice.wacz"][..], more].concat();
        let run = sandbox.run(arguments);
        assert_ne!(run.code, Some(0));
        let said =
            "captures cannot be left out of a WACZ package: unpack it and name its WARC files";
        assert!(run.err.contains(said), "{}", run.err);
        assert!(!sandbox.path("less.wacz").exists());
    }
}
