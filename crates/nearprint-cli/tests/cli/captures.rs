//! Captures in an index: by address and time, by payload, and payloads that are not extracted again.

use crate::harness::Sandbox;

/// A record of an archive.
fn record(url: &str, date: &str, digest: &str, body: &str) -> String {
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}");
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{date}-{digest}>\r\n\
         WARC-Target-URI: {url}\r\nWARC-Date: {date}\r\nWARC-Payload-Digest: sha1:{digest}\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
        http.len()
    )
}

const FOG: &str = "<p>Fog came in at noon and stayed over the harbour until the bells rang.";
const RAIN: &str = "<p>It rained on the hills for a week, and every brook became a river.";

fn crawls() -> Sandbox {
    let sandbox = Sandbox::new();
    let one = record("https://example.org/fog", "2026-09-01T00:00:00Z", "A", FOG)
        + &record("https://example.org/fog/rain", "2026-09-02T00:00:00Z", "B", RAIN);
    // The payload of digest A is another one here: only who extracts it again notices.
    let two = record("http://www.example.org/fog/", "2026-10-01T00:00:00Z", "A", RAIN)
        + &record("https://example.org/fog", "2026-11-01T00:00:00Z", "C", RAIN);
    sandbox.file("one.warc", one).file("two.warc", two);
    sandbox.run(["index", "create", "c.index"]).expect_fine();
    let add =
        |archive: &str| sandbox.run(["index", "add", "--read", "ids=url-date", "c.index", archive]);
    assert_eq!(add("one.warc").code, Some(0));
    let run = add("two.warc");
    let said = "nearprint: 2 documents added, 1 with known payloads not extracted; the index contains 4 documents\n";
    assert_eq!((run.code, run.err.as_str()), (Some(0), said));
    sandbox
}

#[test]
fn captures_of_an_address_are_listed_in_the_order_of_time() {
    let sandbox = crawls();
    let listed = |arguments: &[&str]| {
        let list = ["index", "list", "c.index"].iter().chain(arguments);
        let run = sandbox.run(list.collect::<Vec<_>>()).expect_fine();
        run.ids().iter().map(|id| (*id).to_owned()).collect::<Vec<_>>()
    };
    let fog = [
        "20260901000000/https://example.org/fog",
        "20261001000000/http://www.example.org/fog/",
        "20261101000000/https://example.org/fog",
    ];
    assert_eq!(listed(&["--url", "example.org/fog"]), fog);
    assert_eq!(
        listed(&["--url", "https://example.org/fog", "--from", "202610", "--to", "20261031"]),
        fog[1..2]
    );
    assert_eq!(listed(&["--url", "https://example.org/fog", "--most", "1"]), fog[..1]);
    assert_eq!(listed(&["--url", "https://example.org/*"]).len(), 4);
    assert_eq!(
        listed(&["--url", "https://example.org/fog/*"]),
        ["20260902000000/https://example.org/fog/rain"]
    );
    assert_eq!(listed(&["--url", "https://example.com/"]), [""; 0]);
    let run = sandbox.run([
        "index",
        "list",
        "--format",
        "jsonl",
        "--url",
        "example.org/fog",
        "--most",
        "1",
        "c.index",
    ]);
    let row: serde_json::Value = serde_json::from_str(&run.expect_fine().out).unwrap();
    assert_eq!(
        (&row["url_key"], &row["date"]),
        (&"org,example)/fog".into(), &"20260901000000".into())
    );
    assert_eq!(row["payload_digest"], "sha1:A");
    assert_eq!(
        sandbox.run(["index", "list", "--url", "x", "--from", "May", "c.index"]).code,
        Some(2)
    );
}

#[test]
fn equal_payloads_are_found_and_not_extracted_again() {
    let sandbox = crawls();
    let with = |digest: &str| sandbox.run(["index", "get", "--payload-digest", digest, "c.index"]);
    let run = with("sha1:A").expect_fine();
    let prints: Vec<_> = run.rows().iter().map(|row| row[0].to_owned()).collect();
    assert!(prints.len() == 2 && prints[0] == prints[1], "{}", run.out);
    assert_eq!(with("sha1:D").code, Some(1));
    // The features came along: what was not extracted is verified, too.
    let run = sandbox.run(["pairs", "-qq", "index:c.index"]).expect_fine();
    assert_eq!(run.rows().len(), 2, "{}", run.out);
    sandbox.run(["index", "verify", "-qq", "c.index"]).expect_fine();
    // Rows keep everything but the features.
    let rows = sandbox.run(["index", "list", "--format", "jsonl", "c.index"]).expect_fine().out;
    sandbox.file("rows.jsonl", &rows);
    sandbox
        .run(["index", "create", "--scheme", "md1", "--keep", "fingerprints", "d.index"])
        .expect_fine();
    sandbox.run(["index", "import", "-qq", "d.index", "rows.jsonl"]).expect_fine();
    assert_eq!(
        sandbox.run(["index", "list", "--format", "jsonl", "d.index"]).expect_fine().out,
        rows
    );
    sandbox
        .run(["index", "create", "--scheme", "md1", "--keep", "fingerprints", "e.index"])
        .expect_fine();
    sandbox.run_with(["index", "import", "-qq", "e.index", "-"], rows.as_bytes()).expect_fine();
    assert_eq!(
        sandbox.run(["index", "list", "--format", "jsonl", "e.index"]).expect_fine().out,
        rows
    );
}

#[test]
fn tables_of_fingerprints_are_imported() {
    let sandbox = crawls();
    sandbox.file("d/fog.html", FOG).file("d/rain.html", RAIN);
    let lines = sandbox.run(["fingerprint", "-qq", "d"]).expect_fine().out;
    sandbox.file("a.prints", &lines);
    // An index does not know which texts are short.
    let kept = lines.replace("\tshort\n", "\n");
    for (name, format) in
        [("a.parquet", "parquet"), ("a.arrow", "arrow"), ("a.csv", "csv"), ("a.jsonl", "jsonl")]
    {
        sandbox
            .run(["fingerprint", "-qq", "--format", format, "--output", name, "d"])
            .expect_fine();
    }
    for name in ["a.prints", "a.parquet", "a.arrow", "a.csv", "a.jsonl"] {
        let index = format!("{name}.index");
        sandbox.run(["index", "create", "--scheme", "sd1", &index]).expect_fine();
        sandbox.run(["index", "import", "-qq", &index, name]).expect_fine();
        assert_eq!(sandbox.run(["index", "export", &index]).expect_fine().out, kept, "{name}");
    }
    sandbox.run(["index", "create", "--scheme", "sd1", "f.index"]).expect_fine();
    sandbox.run_with(["index", "import", "-qq", "f.index", "-"], lines.as_bytes()).expect_fine();
    assert_eq!(sandbox.run(["index", "export", "f.index"]).expect_fine().out, kept);
}

/// A revisit of a crawl that has no payload of its own.
fn revisit(url: &str, date: &str, digest: &str) -> String {
    let fields = match digest {
        "" => format!(
            "WARC-Refers-To-Target-URI: {url}\r\nWARC-Refers-To-Date: 2026-09-02T00:00:00Z\r\n"
        ),
        digest => format!("WARC-Payload-Digest: sha1:{digest}\r\n"),
    };
    format!(
        "WARC/1.1\r\nWARC-Type: revisit\r\nWARC-Record-ID: <urn:uuid:{date}>\r\nWARC-Target-URI: {url}\r\n\
         WARC-Date: {date}\r\n{fields}Content-Length: 0\r\n\r\n\r\n\r\n"
    )
}

#[test]
fn revisits_are_captures_with_the_fingerprint_of_their_target() {
    let sandbox = crawls();
    let new = record("https://example.org/new", "2026-12-01T00:00:00Z", "D", FOG);
    let three = new
        + &revisit("https://example.org/fog", "2026-12-02T00:00:00Z", "A")
        // Its target is in the same archive.
        + &revisit("https://example.org/new", "2026-12-03T00:00:00Z", "D")
        + &revisit("https://example.org/fog/rain", "2026-12-04T00:00:00Z", "")
        + &revisit("https://example.org/fog", "2026-12-05T00:00:00Z", "Z");
    sandbox.file("three.warc", three);
    let add = |options: &[&str]| {
        let command = ["index", "add", "--read", "ids=url-date", "c.index", "three.warc"];
        sandbox.run(command.iter().chain(options).collect::<Vec<_>>())
    };
    let run = add(&["--revisits"]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    let said =
        "4 documents added, 3 with known payloads not extracted; the index contains 8 documents";
    assert!(run.err.contains("unknown-target") && run.err.contains(said), "{}", run.err);
    let list = |url: &str| {
        let run = sandbox.run(["index", "list", "--format", "text", "--url", url, "c.index"]);
        run.expect_fine().out
    };
    let print = |list: &str, date: &str| {
        let line = list.lines().find(|line| line.contains(date)).expect("a capture of that day");
        line.split_once('\t').expect("a tab").0.to_owned()
    };
    let fog = list("example.org/fog");
    assert_eq!(fog.lines().count(), 4, "{fog}");
    assert_eq!(print(&fog, "20260901"), print(&fog, "20261202"));
    let (rain, new) = (list("example.org/fog/rain"), list("example.org/new"));
    assert_eq!(print(&rain, "20260902"), print(&rain, "20261204"));
    assert_eq!(print(&new, "20261201"), print(&new, "20261203"));
    assert_ne!(print(&rain, "20260902"), print(&new, "20261201"));
    // Without the option they are not documents.
    let run = add(&["--on-duplicate", "replace"]);
    assert!(
        run.code == Some(0) && run.err.contains("0 documents added, 1 replaced"),
        "{}",
        run.err
    );
}

#[test]
fn an_index_of_captures_names_what_was_decided() {
    let sandbox = crawls();
    let near = record(
        "https://example.org/fog/",
        "2026-12-01T00:00:00Z",
        "E",
        &format!("{FOG} Then it went."),
    );
    sandbox
        .file("three.warc", near)
        .file("plain.txt", "Fog came in at noon and stayed over the harbour.");
    let inputs = ["one.warc", "two.warc", "three.warc", "plain.txt"];
    let options = [
        "dedup",
        "--read",
        "ids=url-date",
        "--revisits",
        "--write",
        "smaller",
        "--threshold",
        "0.5",
        "--policy",
        "loose",
    ];
    let options = options.into_iter().chain(["--cdxj", "decided.cdxj"]).chain(inputs);
    let options = options.chain(["-qq"]);
    sandbox.run(options.collect::<Vec<_>>()).expect_fine();
    let lines = std::fs::read_to_string(sandbox.path("decided.cdxj")).unwrap();
    let found: Vec<_> = lines
        .lines()
        .map(|line| {
            let (key, object) = line.split_once(" {").expect("a key and an object");
            let object: serde_json::Value = serde_json::from_str(&format!("{{{object}")).unwrap();
            (key.to_owned(), object)
        })
        .collect();
    let keys: Vec<_> = found.iter().map(|(key, _)| key.as_str()).collect();
    let expected = [
        "org,example)/fog 20260901000000",
        "org,example)/fog/rain 20260902000000",
        "org,example)/fog 20261001000000",
        "org,example)/fog 20261101000000",
        "org,example)/fog 20261201000000",
    ];
    assert_eq!(keys, expected);
    let decided = |at: usize| {
        let (_, object) = &found[at];
        (object["decision"].as_str().unwrap(), object["reason"].as_str().unwrap())
    };
    assert_eq!(decided(0), ("keep", "representative"));
    assert_eq!(decided(2), ("revisit", "same-payload"));
    let (_, near) = &found[4];
    assert_eq!((decided(4), near["filename"].as_str()), (("keep", "near"), Some("three.warc")));
    assert_eq!(near["representative"], "20260901000000/https://example.org/fog");
    assert!(
        near["similarity"].as_str().unwrap().starts_with("0.") && near["offset"] == "0",
        "{near}"
    );
}
