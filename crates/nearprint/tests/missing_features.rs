//! A build without features reads texts as every other build, and names the feature that something needs; so does one
//! with `files` and `markup` alone. `scripts/check_features.py` runs both; in a build with all features there is
//! nothing to test.
#![cfg(not(any(
    feature = "archives",
    feature = "charsets",
    feature = "digests",
    feature = "directories",
    feature = "edits",
    feature = "office",
    feature = "pdf",
    feature = "spill",
    feature = "tables",
    feature = "worker"
)))]

use nearprint::fingerprint::{CustomScheme, Scheme, fingerprint};
use nearprint::records::{Document, DocumentId, Outcome};
use nearprint::{Engine, FeatureStore, Settings, TextMeasure, Verification};

fn outcome(bytes: &[u8]) -> Outcome {
    let id = DocumentId::new("document").expect("short and plain");
    let engine = Engine::default();
    let note = engine.in_process_note().expect("there are no workers");
    assert!(note.contains("\"worker\""), "{note}");
    engine.pipeline(Settings::default()).fingerprint_one(Document::from_bytes(id, bytes)).outcome
}

#[test]
fn texts_have_the_fingerprints_that_they_have() {
    let text = "Fog came in at noon.";
    let expected = fingerprint(Scheme::SD1, text);
    for document in [text.to_owned(), format!("\u{FEFF}{text}")] {
        assert_eq!(outcome(document.as_bytes()).fingerprint(), expected.fingerprint());
    }
}

#[cfg(feature = "markup")]
#[test]
fn markup_has_the_fingerprints_of_its_text() {
    let text = "Fog came in at noon.";
    let expected = fingerprint(Scheme::SD1, text);
    for document in [
        format!("<meta charset=latin1><title>x</title><p>{text}"),
        format!("<?xml version='1.0' encoding='US-ASCII'?><x>{text}</x>"),
    ] {
        assert_eq!(
            outcome(document.as_bytes()).fingerprint(),
            expected.fingerprint(),
            "{document}"
        );
    }
}

#[test]
fn a_document_that_needs_a_feature_is_an_error_that_names_it() {
    let pdf = b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\n";
    for (bytes, feature) in [
        (&pdf[..], "pdf"),
        (b"caf\xE9", "charsets"),
        (b"\xFF\xFEa\0b\0c\0d\0", "charsets"),
        (b"a\0b\0c\0d\0e\0f\0", "charsets"),
        #[cfg(feature = "markup")]
        (b"<meta charset=gbk><p>fog", "charsets"),
        #[cfg(not(feature = "markup"))]
        (b"<!doctype html><p>fog", "markup"),
        #[cfg(not(feature = "markup"))]
        (b".TH FOG 1\n.SH NAME\nfog \\- it came in\n", "markup"),
        (b"\x1b$B%F%9%H\x1b(B", "charsets"),
        (b"{\\rtf1 Fog came in at noon.}", "charsets"),
        (b"From: a@b.c\nSubject: fog\nDate: Mon, 1 Jan 2024 00:00:00 +0000\n\nFog.\n", "charsets"),
        (b"PK\x03\x04\x14\0\0\0\0\0", "office"),
        (b"\x1f\x8b\x08\0\0\0\0\0\0\xff", "archives"),
        (b"BZh91AY&SY", "archives"),
        (b"\xfd7zXZ\0", "archives"),
        (b"\x28\xb5\x2f\xfd\x04\x58", "archives"),
    ] {
        let Outcome::Nothing { reason, detail, .. } = outcome(bytes) else { panic!("{feature}") };
        assert_eq!(reason.as_str(), "unsupported-media", "{detail}");
        assert!(detail.contains(&format!("feature \"{feature}\"")), "{detail}");
    }
}

#[test]
fn a_measure_or_a_hash_that_needs_a_feature_is_an_error_that_names_it() {
    let error = "edit".parse::<TextMeasure>().expect_err("it is not compiled").to_string();
    assert!(error.contains("feature \"edits\""), "{error}");
    assert!(TextMeasure::all().all(|measure| measure.name() != "edit"));
    for hash in ["md5-64", "sha1-64"] {
        let scheme = format!("custom:words,tf,{hash},64");
        let error = scheme.parse::<CustomScheme>().expect_err("it is not compiled").to_string();
        assert!(error.contains("feature \"digests\""), "{error}");
    }
    assert!("custom:words,tf,xxh3,64".parse::<CustomScheme>().is_ok());
}

#[test]
fn only_charsets_that_are_decoded_are_charsets() {
    use nearprint::extract::is_charset;
    assert!(is_charset("UTF-8") && is_charset("us-ascii") && is_charset("utf-32le"));
    assert!(!is_charset("gbk") && !is_charset("no-such") && !is_charset(""));
}

#[test]
fn what_exceeds_the_memory_is_an_error_that_names_its_feature() {
    let features = Verification::default().features("Fog came in at noon and stayed.");
    assert!(FeatureStore::new(1 << 20).push(&features).is_ok());
    let error = FeatureStore::new(0).push(&features).expect_err("there are no files");
    assert_eq!(error.kind(), std::io::ErrorKind::Unsupported);
    assert!(error.to_string().contains("feature \"spill\""), "{error}");
    #[cfg(feature = "json")]
    {
        let question = nearprint::Dedup::default();
        let error = question.gather(&Engine::default()).map(drop).expect_err("it needs files");
        assert!(error.to_string().contains("feature \"spill\""), "{error}");
    }
}

/// Rows are there in every build, and their lines of text; questions are the same, with or without JSON.
#[cfg(not(feature = "json"))]
#[test]
fn json_is_an_error_that_names_its_feature() {
    use nearprint::records::{Format, PairRow, RowWriter};
    use nearprint::{Distance, Pairs, Subject};

    let id = |name| DocumentId::new(name).expect("short and plain");
    let row = PairRow::new(id("a"), id("b"), 3, 0.953_125);
    let mut text = RowWriter::new(Format::Text, Vec::new());
    text.write(&row).expect("it is text");
    assert_eq!(text.into_inner(), b"a\tb\t3\n");
    let mut lines = RowWriter::new(Format::Jsonl, Vec::new());
    let error = lines.write(&row).expect_err("it is JSON");
    assert_eq!(error.kind(), std::io::ErrorKind::Unsupported);
    assert!(error.to_string().contains("feature \"json\""), "{error}");
    assert!(lines.into_inner().is_empty());

    let question = Pairs::default().threshold(1.5).resolve(Subject::Documents);
    let error = question.expect_err("it is no share").to_string();
    assert_eq!(error, "threshold: expected a number from 0 to 1, such as 0.3, not 1.5");
    assert_eq!("loose".parse(), Ok(Distance::Loose));
    assert_eq!("4294967295".parse(), Ok(Distance::Within(u32::MAX)));
    let error = "near".parse::<Distance>().expect_err("it is no distance");
    assert_eq!(error, "expected a whole number up to 128, close or loose, not near");
}

#[cfg(not(feature = "widths"))]
#[test]
fn a_width_that_is_not_searched_is_an_error_that_names_its_feature() {
    use nearprint::{Index, MemoryIndex, OnDuplicate, PrintSet};

    let scheme: CustomScheme = "custom:words,tf,xxh3,128".parse().expect("a declaration");
    let scheme = Scheme::custom(scheme).expect("few are known");
    let printed = fingerprint(scheme, "Fog came in at noon.");
    let (id, print) = (DocumentId::new("a").expect("plain"), printed.fingerprint().expect("words"));
    let errors = [
        PrintSet::new(scheme).push(&id, print).expect_err("it has 128 bits"),
        MemoryIndex::new(scheme).insert(&id, print, OnDuplicate::Refuse).expect_err("here too"),
    ];
    assert!(errors.iter().all(|error| error.to_string().contains("feature \"widths\"")));
}

/// What files need.
#[cfg(feature = "files")]
mod files {
    use std::path::Path;

    use nearprint::fingerprint::Scheme;
    use nearprint::records::{ErrorRecord, PairRow, ReadSettings, Source, StoredRecords};
    use nearprint::{InputSettings, InputSource, Inputs, ResultFormat, ResultWriter};

    fn first_error(path: &Path) -> ErrorRecord {
        let mut source = InputSource::new([path], InputSettings::default());
        source.next_document().expect("something is there").expect_err("it cannot be read")
    }

    #[test]
    fn a_file_that_needs_a_feature_is_an_error_that_names_it() {
        let directory = tempfile::tempdir().expect("a directory");
        for (bytes, feature) in [
            (&b"PAR1 and what follows PAR1"[..], "tables"),
            (b"ARROW1\0\0 and what follows", "tables"),
            (b"\x1f\x8b\x08\0\0\0\0\0\0\xff", "archives"),
            (b"PK\x03\x04\x0a\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x11\0\0\0pages/pages.jsonl", "archives"),
        ] {
            let path = directory.path().join("file");
            std::fs::write(&path, bytes).expect("room");
            let error = first_error(&path);
            assert!(error.detail.contains(&format!("feature \"{feature}\"")), "{error}");
        }
        let error = first_error(directory.path());
        assert!(error.detail.contains("feature \"directories\""), "{error}");
        let pattern = directory.path().join("*.txt");
        let error = Inputs::new([pattern], InputSettings::default()).expect_err("it is a pattern");
        assert!(error.to_string().contains("\"directories\""), "{error}");
        let parquet = ResultWriter::new::<PairRow>(ResultFormat::Parquet, Scheme::SD1, Vec::new());
        assert!(parquet.unwrap_err().to_string().contains("feature \"tables\""));
    }

    #[test]
    fn a_charset_other_than_utf8_is_an_error_in_rows() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("rows.csv");
        std::fs::write(&path, b"id,text\n1,caf\xE9\n").expect("room");
        let error = first_error(&path);
        assert!(error.detail.contains("feature \"charsets\""), "{error}");
    }

    #[test]
    fn an_archive_is_read_and_its_copy_refused() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("a.warc");
        let body = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Fog came in at noon.";
        let head = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x>\r\nWARC-Target-URI: http://x.org/\r\nWARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{body}\r\n\r\n",
            body.len()
        );
        std::fs::write(&path, head).expect("room");
        let mut source = InputSource::new([&path], InputSettings::default());
        assert!(source.next_document().expect("a capture is there").is_ok());
        let error = StoredRecords::open(&path, &ReadSettings::default()).map(drop).expect_err("no");
        assert!(error.to_string().contains("feature \"archives\""), "{error}");
    }
}
