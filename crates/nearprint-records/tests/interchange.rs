//! The vectors of interchange (`spec/vectors/interchange`), and what they cannot say: damage, and both forms in turn.

use std::io::BufReader;

use nearprint_records::{
    InterchangeError, InterchangeForm, InterchangeHeader, InterchangeReader, InterchangeRelation,
    InterchangeRow, InterchangeWriter,
};
use serde_json::{Value, json};

fn cases(name: &str) -> Vec<Value> {
    let path = format!("{}/../../spec/vectors/interchange/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let cases = file["cases"].as_array().unwrap().clone();
    assert!(!cases.is_empty());
    cases
}

fn bytes_of(digits: &str) -> Box<[u8]> {
    data_encoding::HEXLOWER.decode(digits.as_bytes()).unwrap().into()
}

fn hex(bytes: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(bytes)
}

fn form(name: &str) -> InterchangeForm {
    if name == "jsonl" { InterchangeForm::JsonLines } else { InterchangeForm::Lines }
}

/// The header, the rows and their number, of a file read by a buffer of this size.
fn read(
    bytes: &[u8],
    form: InterchangeForm,
    size: usize,
) -> Result<(InterchangeHeader, Vec<InterchangeRow>), InterchangeError> {
    let mut reader = InterchangeReader::open(BufReader::with_capacity(size, bytes), form)?;
    let rows: Vec<_> = reader.by_ref().collect::<Result<_, _>>()?;
    assert_eq!(reader.rows(), rows.len() as u64);
    Ok((reader.header().clone(), rows))
}

fn answer(input: &Value, size: usize) -> Value {
    let filling = input["fill"].as_u64().map_or("…".to_owned(), |fill| "a".repeat(fill as usize));
    let bytes: Box<[u8]> = match &input["text"] {
        Value::String(text) => text.replace('…', &filling).into_bytes().into(),
        _ => bytes_of(input["bytes_hex"].as_str().unwrap()),
    };
    match read(&bytes, form(input["form"].as_str().unwrap()), size) {
        Ok((header, rows)) => {
            let fields: Vec<_> = header
                .fields()
                .map(|(name, value)| json!([name, value.replace(&filling, "…")]))
                .collect();
            let listed: Vec<_> = rows
                .iter()
                .map(|row| {
                    json!([row.fingerprint.to_string(), row.short, row.id.as_deref().map(hex)])
                })
                .collect();
            json!({ "header": fields, "rows": listed, "count": rows.len(), "reason": null, "line": null })
        }
        Err(InterchangeError::Refused { reason, line }) => json!({
            "header": null, "rows": null, "count": null, "reason": reason.as_str(), "line": line
        }),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn files_are_read_as_the_vectors_say() {
    for case in cases("reading") {
        let mut expected = case["expected"].clone();
        // Rows that were read fit the trailer's digest, or they would have been refused.
        expected.as_object_mut().unwrap().remove("sha256");
        for size in [1 << 16, 7] {
            assert_eq!(answer(&case["input"], size), expected, "{}", case["name"]);
        }
    }
}

fn written(input: &Value, form: InterchangeForm) -> Option<String> {
    let filling = "a".repeat(input["fill"].as_u64().unwrap_or(0) as usize);
    let mut header = InterchangeHeader::default();
    for field in input["header"].as_array().unwrap() {
        let value = field[1].as_str().unwrap().replace('…', &filling);
        header.push(field[0].as_str().unwrap(), &value).ok()?;
    }
    let mut writer = InterchangeWriter::new(Vec::new(), form, header).ok()?;
    for row in input["rows"].as_array().unwrap() {
        let string = row[0].as_str().unwrap();
        let fingerprint: nearprint_fingerprint::Fingerprint = string.parse().unwrap();
        // A value cannot be in capitals.
        if fingerprint.to_string() != string {
            return None;
        }
        let (short, id) = (row[1].as_bool().unwrap(), row[2].as_str());
        let id = id.map(|id| bytes_of(&id.replace('…', &"61".repeat(filling.len()))));
        writer.write(&InterchangeRow { fingerprint, short, id }).ok()?;
    }
    let file = String::from_utf8(writer.finish().unwrap()).unwrap();
    Some(if filling.is_empty() { file } else { file.replace(&filling, "…") })
}

#[test]
fn files_are_written_as_the_vectors_say() {
    let objects = |text: &str| -> Vec<Value> {
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    for case in cases("writing") {
        let (input, expected) = (&case["input"], &case["expected"]);
        let lines = written(input, InterchangeForm::Lines);
        assert_eq!(lines.as_deref(), expected["lines"].as_str(), "{}", case["name"]);
        let json = written(input, InterchangeForm::JsonLines);
        let wanted = expected["jsonl"].as_str().map(objects);
        assert_eq!(json.as_deref().map(objects), wanted, "{}", case["name"]);
    }
}

#[test]
fn files_are_compared_as_the_vectors_say() {
    for case in cases("comparing") {
        let files = ["one", "other"].map(|side| {
            let text = case["input"][side].as_str().unwrap();
            read(text.as_bytes(), InterchangeForm::Lines, 1 << 16).unwrap()
        });
        let [(one, rows), (other, other_rows)] = &files;
        let relation = InterchangeRelation::of(one, other).unwrap();
        let short = |rows: &[InterchangeRow]| rows.iter().filter(|row| row.short).count();
        let found = json!({
            "unlike": relation.unlike.map(|(one, other)| [one.id(), other.id()]),
            "same_profile": relation.same_profile,
            "same_extractors": relation.same_extractors,
            "far": relation.is_far,
            "short": [short(rows), short(other_rows)],
            "rows": [rows.len(), other_rows.len()],
        });
        assert_eq!(found, case["expected"], "{}", case["name"]);
    }
}

#[test]
fn every_cut_and_every_changed_bit_of_a_row_is_noticed() {
    let file = written(&cases("writing")[0]["input"], InterchangeForm::Lines).unwrap().into_bytes();
    for end in 0..file.len() {
        assert!(read(&file[..end], InterchangeForm::Lines, 1 << 16).is_err(), "{end}");
    }
    let rows = file.windows(2).position(|pair| pair == b"\n\n").unwrap() + 2;
    for bit in 8 * rows..8 * file.len() {
        let mut damaged = file.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(read(&damaged, InterchangeForm::Lines, 1 << 16).is_err(), "{bit}");
    }
}
