//! Fingerprints every stage of texts, for comparing implementations: JSON lines in (`id`, `text` or `bytes_hex`, and
//! `declarations` of custom schemes with the bytes of their table, `table_hex`), JSON lines out. `reference/compare.py`
//! says what each field is and runs this beside the reference.

use std::io::{self, BufRead, Write};

use nearprint_fingerprint::{FingerprintOutcome, IdfTable, Scheme, fingerprint_by, stages};
use serde_json::{Value, json};

fn main() -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let input: Value = serde_json::from_str(&line?)?;
        writeln!(out, "{}", stages_of(&input).ok_or(io::ErrorKind::InvalidData)?)?;
    }
    out.flush()
}

fn stages_of(input: &Value) -> Option<Value> {
    let mut answer = json!({ "id": input["id"] });
    let text = match input["bytes_hex"].as_str() {
        None => input["text"].as_str()?.to_owned(),
        Some(digits) => {
            let repaired = stages::repair(&bytes_of(digits)?);
            answer["repaired"] = json!(repaired);
            repaired
        }
    };
    let assigned = stages::replace_unassigned(&text);
    let normalised = stages::normalise(&assigned);
    let cut = stages::cut(&normalised);
    let mut tokens = Vec::new();
    stages::tokens(&cut, |token| tokens.push(token.to_owned()));
    let hash = |token: &String| format!("{:016x}", stages::token_hash(token.as_bytes()));
    answer["hashes"] = tokens.iter().map(hash).collect();
    answer["count"] = json!(tokens.len());
    answer["assigned"] = json!(assigned);
    answer["normalised"] = json!(normalised);
    answer["cut"] = json!(cut);
    answer["tokens"] = json!(tokens);
    let schemes: Vec<Scheme> = Scheme::all().collect();
    for printed in fingerprint_by(&schemes, &text) {
        // sd1 came first, and its fields have plain names.
        let id = printed.scheme().id();
        let field = |name: &str| if id == "sd1" { name.to_owned() } else { format!("{id}_{name}") };
        let print = printed.fingerprint();
        answer[field("value")] = json!(print.map(nearprint_fingerprint::Fingerprint::to_hex));
        answer[field("string")] = json!(print.map(ToString::to_string));
        if !printed.counters().is_empty() {
            answer[field("signs")] = json!(signs(&printed));
        }
        if id == "sd1" {
            answer["short"] = json!(print.map(|_| printed.is_short()));
        }
    }
    if let Some(digits) = input["table_hex"].as_str() {
        IdfTable::from_bytes(&bytes_of(digits)?).ok()?.keep().ok()?;
    }
    let declarations = input["declarations"].as_array().map_or(&[][..], Vec::as_slice);
    let custom: Option<Vec<Scheme>> =
        declarations.iter().map(|declared| declared.as_str()?.parse().ok()).collect();
    let printed = fingerprint_by(&custom?, &text).into_iter();
    let string = |printed: FingerprintOutcome| printed.fingerprint().map(ToString::to_string);
    answer["custom"] = printed.map(string).map(|string| json!(string)).collect();
    Some(answer)
}

fn bytes_of(digits: &str) -> Option<Vec<u8>> {
    let byte = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    (0..digits.len()).step_by(2).map(byte).collect()
}

fn signs(printed: &FingerprintOutcome) -> String {
    let sign = |&counter: &i64| ['-', '0', '+'][(counter.signum() + 1) as usize];
    printed.counters().iter().rev().map(sign).collect()
}
