//! Golden cases: each `cases/NAME.input` gives the text of `NAME.txt` and a record with the fields of
//! `NAME.json` (warnings by their codes). All of them were written for this purpose.
//!
//! A deliberate change of an extractor changes the files here, and its version.

use std::fs;
use std::path::{Path, PathBuf};

use nearprint_extract::{Hints, Limits, extract};
use serde_json::{Value, json};

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut found: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "input"))
        .collect();
    found.sort();
    assert!(found.len() > 15, "the cases are missing");
    found
}

#[test]
fn cases_give_their_text_and_record() {
    let mut wrong = Vec::new();
    for path in cases() {
        let bytes = fs::read(&path).unwrap();
        let text = fs::read_to_string(path.with_extension("txt")).unwrap();
        let fields: Value =
            serde_json::from_str(&fs::read_to_string(path.with_extension("json")).unwrap())
                .unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let found = match extract(&bytes, &Hints::default(), &Limits::default()) {
            Ok(found) => found,
            Err(error) => {
                wrong.push(format!("{name}: {error}"));
                continue;
            }
        };
        if found.text != text {
            wrong.push(format!("{name}: got\n{}\nwanted\n{text}", found.text));
        }
        let mut record = serde_json::to_value(&found.record).unwrap();
        let codes: Vec<Value> = record["warnings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|warning| warning["code"].clone())
            .collect();
        record["warnings"] = json!(codes);
        for (field, wanted) in fields.as_object().unwrap() {
            if record[field] != *wanted {
                wrong.push(format!("{name}: {field} is {}, wanted {wanted}", record[field]));
            }
        }
        assert_eq!(found.record.characters, found.text.chars().count() as u64, "{name}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Any case wrapped in gzip, twice over, is the same document.
#[test]
fn wrapped_cases_give_the_same_text() {
    use std::io::Write;
    for path in cases() {
        let bytes = fs::read(&path).unwrap();
        let plain = extract(&bytes, &Hints::default(), &Limits::default()).unwrap();
        let mut wrapped = bytes;
        for _ in 0..2 {
            let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            gzip.write_all(&wrapped).unwrap();
            wrapped = gzip.finish().unwrap();
        }
        let found = extract(&wrapped, &Hints::default(), &Limits::default()).unwrap();
        assert_eq!(found.text, plain.text);
        assert_eq!(&found.record.wrappers[..2], ["gzip", "gzip"]);
    }
}

/// A record survives being sent.
#[test]
fn extractions_and_errors_are_data() {
    for path in cases() {
        let found =
            extract(&fs::read(&path).unwrap(), &Hints::default(), &Limits::default()).unwrap();
        let sent = serde_json::to_string(&found).unwrap();
        assert_eq!(serde_json::from_str::<nearprint_extract::Extraction>(&sent).unwrap(), found);
    }
    let error = extract(b"", &Hints::default(), &Limits::default()).unwrap_err();
    let sent = serde_json::to_value(&error).unwrap();
    assert_eq!(sent, json!({"reason": "empty", "detail": error.detail()}));
    for reason in nearprint_extract::Reason::ALL {
        assert_eq!(serde_json::to_value(reason).unwrap(), json!(reason.code()));
    }
}
