//! A build without features reads texts and markup as every other build, and names the feature that something needs.
//! `scripts/check_features.py` runs it; in a build with all features there is nothing to test.
#![cfg(not(any(
    feature = "archives",
    feature = "directories",
    feature = "office",
    feature = "pdf",
    feature = "spill",
    feature = "tables",
    feature = "worker"
)))]

use std::path::Path;

use nearprint::fingerprint::{Scheme, fingerprint};
use nearprint::records::{Document, DocumentId, ErrorRecord, Outcome, PairRow, Source};
use nearprint::{
    Dedup, Engine, FeatureStore, InputSettings, InputSource, Inputs, ResultFormat, ResultWriter,
    Settings, Verification,
};

fn outcome(bytes: &[u8]) -> Outcome {
    let id = DocumentId::new("document").expect("short and plain");
    let engine = Engine::default();
    let note = engine.in_process_note().expect("there are no workers");
    assert!(note.contains("\"worker\""), "{note}");
    engine.pipeline(Settings::default()).fingerprint_one(Document::from_bytes(id, bytes)).outcome
}

#[test]
fn texts_and_markup_have_the_fingerprints_that_they_have() {
    let text = "Fog came in at noon.";
    let expected = fingerprint(Scheme::SD1, text);
    for document in
        [text.to_owned(), format!("<title>x</title><p>{text}"), format!("{{\\rtf1 {text}}}")]
    {
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
        (b"PK\x03\x04\x14\0\0\0\0\0", "office"),
        (b"\x1f\x8b\x08\0\0\0\0\0\0\xff", "archives"),
        (b"BZh91AY&SY", "archives"),
        (b"\xfd7zXZ\0", "archives"),
        (b"\x28\xb5\x2f\xfd\x04\x58", "archives"),
    ] {
        let Outcome::Nothing { reason, detail } = outcome(bytes) else { panic!("{feature}") };
        assert_eq!(reason.as_str(), "unsupported-media", "{detail}");
        assert!(detail.contains(&format!("feature \"{feature}\"")), "{detail}");
    }
}

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
fn what_exceeds_the_memory_is_an_error_that_names_its_feature() {
    let features = Verification::default().features("Fog came in at noon and stayed.");
    assert!(FeatureStore::new(1 << 20).push(&features).is_ok());
    let error = FeatureStore::new(0).push(&features).expect_err("there are no files");
    assert_eq!(error.kind(), std::io::ErrorKind::Unsupported);
    assert!(error.to_string().contains("feature \"spill\""), "{error}");
    let error = Dedup::default().gather(&Engine::default()).map(drop).expect_err("it needs files");
    assert!(error.to_string().contains("feature \"spill\""), "{error}");
}
