//! Documents made to hurt, in one folder with honest ones, through the whole command: each comes to its own reason,
//! within the limits, wherever it is read, and the honest ones come to their fingerprints.

use std::collections::BTreeMap;
use std::fs::File;

use serde_json::Value;

use crate::bombs::{deflated, gzip, pdf, zip};
use crate::harness::Sandbox;

const HONEST: &[u8] = b"<!doctype html><p>Fog came in at noon and stayed until the bells rang.";

/// Name, content, and the reason; `None` where the text is taken all the same.
type Case = (&'static str, Vec<u8>, Option<&'static str>);

fn bombs() -> Vec<Case> {
    let blanks = vec![b' '; 64 << 20];
    let mut twice = blanks.clone();
    twice.extend(b"word");
    let content = "<office:document-content/>";
    let laughs: String = (1..12)
        .map(|n| format!("<!ENTITY l{n} '{}'>", format!("&l{};", n - 1).repeat(10)))
        .collect();
    let laughs =
        format!("<?xml version='1.0'?><!DOCTYPE a [<!ENTITY l0 'ha '>{laughs}]><a>&l11;</a>");
    let mimetype = &b"application/vnd.oasis.opendocument.text"[..];
    vec![
        ("bomb.gz", gzip(&blanks), Some("expansion-limit")),
        ("bomb.gz.gz", gzip(&gzip(&twice)), Some("expansion-limit")),
        ("bomb.xz", include_bytes!("../data/spaces.xz").to_vec(), Some("expansion-limit")),
        ("bomb.bz2", include_bytes!("../data/spaces.bz2").to_vec(), Some("expansion-limit")),
        ("bomb.zst", include_bytes!("../data/spaces.zst").to_vec(), Some("expansion-limit")),
        (
            "bomb.odt",
            zip(&[("mimetype", mimetype), ("content.xml", &blanks)]),
            Some("expansion-limit"),
        ),
        ("bomb.docx", zip(&[("word/document.xml", &blanks)]), Some("expansion-limit")),
        (
            "fine.odt",
            zip(&[("mimetype", mimetype), ("content.xml", content.as_bytes())]),
            Some("no-text"),
        ),
        ("bomb.pdf", pdf(&[("/Filter /FlateDecode", deflated(&blanks))]), Some("expansion-limit")),
        ("laughs.xml", laughs.into_bytes(), Some("expansion-limit")),
        ("five.gz", (0..5).fold(b"word".to_vec(), |inner, _| gzip(&inner)), Some("too-deep")),
        ("four.gz", (0..4).fold(b"word".to_vec(), |inner, _| gzip(&inner)), None),
    ]
}

fn shapes() -> Vec<Case> {
    const MILLION: usize = 1_000_000;
    let nested = |begin: &str, count: usize| {
        format!("{begin}{}word{}", "<a><b>".repeat(count / 2), "</b></a>".repeat(count / 2))
            .into_bytes()
    };
    let divisions =
        |count: usize| format!("<!doctype html>{}word", "<div>".repeat(count)).into_bytes();
    let attributes = |count: usize| {
        let all: String = (0..count).map(|n| format!(" a{n}=1")).collect();
        format!("<!doctype html><p{all}>word").into_bytes()
    };
    let draws = "/X Do ".repeat(1_100);
    vec![
        ("deep.html", divisions(MILLION), None),
        ("deeper.html", divisions(MILLION + 1), Some("too-deep")),
        ("deep.xml", nested("<?xml version='1.0'?>", MILLION), None),
        ("deeper.xml", nested("<?xml version='1.0'?>", MILLION + 2), Some("too-deep")),
        ("attributes.html", attributes(100_000), None),
        ("more.html", attributes(MILLION + 1), Some("attribute-limit")),
        ("pages.pdf", pdf(&vec![("", b"BT ET".to_vec()); 21]), Some("page-limit")),
        ("work.pdf", pdf(&[("", draws.repeat(20).into_bytes())]), Some("work-limit")),
        ("loop.pdf", looping(), Some("damaged")),
        ("parts.odt", many_parts(), Some("part-limit")),
        ("long.txt", "long words ".repeat(900_000).into_bytes(), Some("text-limit")),
    ]
}

fn states() -> Vec<Case> {
    let locked = include_bytes!("../../../nearprint-pdf/tests/data/aes-256-lantern.pdf");
    vec![
        ("empty.txt", Vec::new(), Some("empty")),
        ("blank.txt", b" \n".to_vec(), Some("no-text")),
        ("numbers.txt", b"1 2 3\n".to_vec(), Some("no-tokens")),
        ("picture.png", b"\x89PNG\r\n\x1a\nxxxx".to_vec(), Some("unsupported-media")),
        ("noise", (0..4_000_u32).map(|n| (n * n % 251) as u8).collect(), Some("unsupported-media")),
        ("cut.gz", gzip(&HONEST.repeat(9))[..40].to_vec(), Some("damaged")),
        ("locked.pdf", locked.to_vec(), Some("encrypted")),
    ]
}

/// A package of 31 parts.
fn many_parts() -> Vec<u8> {
    let mut parts = vec![("mimetype", &b"application/vnd.oasis.opendocument.text"[..])];
    parts.resize(31, ("a", &b""[..]));
    zip(&parts)
}

/// A PDF whose page tree is its own child.
fn looping() -> Vec<u8> {
    b"%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n\
      2 0 obj <</Type/Pages/Kids[2 0 R 3 0 R]/Count 2>> endobj\n\
      3 0 obj <</Type/Pages/Kids[2 0 R 3 0 R]/Count 2>> endobj\ntrailer <</Root 1 0 R>>\n"
        .to_vec()
}

const LIMITS: [&str; 5] = [
    "--limit=pages=20",
    "--limit=operators=12000",
    "--limit=parts=30",
    "--limit=text-bytes=8M",
    "--limit=expanded-bytes=32M",
];

/// The records of a run over the whole folder, as lines.
fn records(sandbox: &Sandbox, more: &[&str]) -> Vec<String> {
    let arguments = ["fingerprint", "-qq", "--format=jsonl", "in"];
    let run = sandbox.run(arguments.iter().chain(&LIMITS).chain(more));
    assert_eq!(run.code, Some(1), "{}", run.err);
    run.out.lines().map(str::to_owned).collect()
}

#[test]
fn each_hostile_document_comes_to_its_own_reason() {
    let sandbox = Sandbox::new();
    let mut expected = BTreeMap::new();
    for (number, (name, content, reason)) in
        [bombs(), shapes(), states()].into_iter().flatten().enumerate()
    {
        sandbox.file(format!("in/{number:02}-{name}"), content);
        sandbox.file(format!("in/{number:02}-~honest.html"), HONEST);
        expected.insert(format!("in/{number:02}-{name}"), reason);
        expected.insert(format!("in/{number:02}-~honest.html"), None);
    }
    // Two gigabytes that take no room: refused by their length.
    let sparse = File::create(sandbox.path("in/large.txt")).unwrap();
    sparse.set_len(2 << 30).unwrap();
    expected.insert("in/large.txt".to_owned(), Some("too-large"));

    let lines = records(&sandbox, &["--read=isolate=heavy", "--threads=2"]);
    let found: BTreeMap<String, Option<String>> = lines
        .iter()
        .map(|line| {
            let record: Value = serde_json::from_str(line).unwrap();
            let text = |field: &str| record[field].as_str().map(str::to_owned);
            assert_eq!(record["fingerprint"].is_null(), record["reason"].is_string(), "{line}");
            (text("id").unwrap(), text("reason"))
        })
        .collect();
    let wanted: BTreeMap<String, Option<String>> =
        expected.into_iter().map(|(id, reason)| (id, reason.map(str::to_owned))).collect();
    assert_eq!(found, wanted);
    for other in
        [["--read=isolate=everything", "--threads=1"], ["--read=isolate=never", "--threads=2"]]
    {
        assert_eq!(records(&sandbox, &other), lines, "{other:?}");
    }
}

#[test]
fn the_password_opens_what_it_belongs_to() {
    let sandbox = Sandbox::new();
    sandbox.file("a.pdf", include_bytes!("../../../nearprint-pdf/tests/data/aes-256-lantern.pdf"));
    for (password, said) in [(None, "none was given"), (Some("candle"), "does not open")] {
        let option = password.map(|password| format!("--read=password={password}"));
        let run = sandbox.run(["extract", "a.pdf"].map(str::to_owned).into_iter().chain(option));
        assert_eq!((run.code, run.out.as_str()), (Some(1), ""));
        assert!(run.err.starts_with("a.pdf: encrypted: ") && run.err.contains(said), "{}", run.err);
    }
    let run = sandbox.run(["extract", "--read=password=lantern", "a.pdf"]);
    assert_eq!(run.expect_fine().out, "The harbour lights were locked away\n");
}

/// What comes through a pipe has no length to refuse it by: reading stops at the limit.
#[test]
fn an_endless_input_is_refused_at_the_limit() {
    let sandbox = Sandbox::new();
    let run =
        sandbox.run_with(["extract", "--limit=input-bytes=1M", "-"], &b"word ".repeat(1 << 20));
    assert_eq!((run.code, run.out.as_str()), (Some(1), ""));
    assert!(run.err.starts_with("-: too-large: "), "{}", run.err);
}

#[test]
fn symbols_are_read_as_the_standard_reads_them() {
    let sandbox = Sandbox::new();
    let fingerprint = |text: &str| sandbox.run_with(["fingerprint", "-"], text.as_bytes());
    // U+2122 folds to two letters, U+2F00 to an ideograph.
    for (symbol, letters) in [("™", "tm"), ("\u{2F00}", "\u{4E00}")] {
        let (found, wanted) = (fingerprint(symbol), fingerprint(letters));
        assert_eq!((found.code, found.out), (Some(0), wanted.out), "{}", found.err);
    }
    for (text, reason) in [("★", "no-tokens"), ("\n\u{3000}", "no-text")] {
        let run = fingerprint(text);
        assert_eq!((run.code, run.out.as_str()), (Some(0), ""), "{}", run.err);
        assert!(run.err.contains(&format!(": {reason}: ")), "{}", run.err);
    }
}
