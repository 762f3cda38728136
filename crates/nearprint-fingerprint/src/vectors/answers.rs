//! What this build answers to the input of a case, field by field.

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::{
    Fingerprint, FingerprintOutcome, Fingerprinter, ParseFingerprintError, Scheme, fingerprint,
    stages,
};

/// The answers to one case's input, by the names of the fields; `None` if the file or the input is not known.
pub(super) fn answers(file: &str, input: &Value) -> Option<Map<String, Value>> {
    let answers = match file {
        "repair" => repair(input)?.0,
        "normalise" | "normal_forms" => {
            json!({ "normalised": stages::normalise(input["text"].as_str()?) })
        }
        "cuts" => json!({ "cut": stages::cut(input["text"].as_str()?) }),
        "tokens" => json!({ "tokens": tokens(input["text"].as_str()?) }),
        "hashes" => hash(input)?,
        "prints" => print_of_tokens(input)?,
        "strings" => string(input["string"].as_str()?),
        "distances" => distance(input)?,
        "documents" => document(input)?,
        "large" => large(&input["rule"])?,
        _ => super::family_answers::answers(file, input)
            .or_else(|| super::custom_answers::answers(file, input))
            .or_else(|| super::idf_answers::answers(file, input))?,
    };
    match answers {
        Value::Object(answers) => Some(answers),
        _ => None,
    }
}

/// The answers, and the text of [3.2].
fn repair(input: &Value) -> Option<(Value, String)> {
    if let Some(text) = input["text"].as_str() {
        let assigned = stages::replace_unassigned(text);
        return Some((json!({ "assigned": assigned }), assigned));
    }
    if let Some(bytes) = input["bytes_hex"].as_str() {
        let repaired = stages::repair(&bytes_of(bytes)?);
        let assigned = stages::replace_unassigned(&repaired);
        return Some((json!({ "repaired": repaired, "assigned": assigned }), assigned));
    }
    let units: Option<Vec<u16>> =
        input["utf16"].as_array()?.iter().map(|unit| unit.as_u64()?.try_into().ok()).collect();
    let assigned = stages::replace_unassigned(&stages::repair_utf16(&units?));
    Some((json!({ "assigned": assigned }), assigned))
}

fn tokens(cut: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    stages::tokens(cut, |token| tokens.push(token.to_owned()));
    tokens
}

fn hash(input: &Value) -> Option<Value> {
    let hash = match input["token"].as_str() {
        Some(token) => stages::token_hash(token.as_bytes()),
        None => stages::token_hash(&bytes_of(input["bytes_hex"].as_str()?)?),
    };
    Some(json!({
        "hash": format!("{hash:016x}"),
        "c": format!("{:08x}", hash >> 32),
        "b": format!("{:08x}", hash as u32),
    }))
}

fn print_of_tokens(input: &Value) -> Option<Value> {
    let tokens: Option<Vec<&str>> = input["tokens"].as_array()?.iter().map(Value::as_str).collect();
    let tokens = tokens?;
    let counters =
        stages::counters(tokens.iter().map(|token| stages::token_hash(token.as_bytes())));
    let print = if tokens.is_empty() {
        None
    } else {
        Fingerprint::from_u64(Scheme::SD1, stages::bits(&counters))
    };
    let short = (tokens.len() as u64) < Scheme::SD1.short_below();
    Some(print_fields(tokens.len() as u64, &counters, print.as_ref(), short))
}

pub(super) fn print_fields(
    count: u64,
    counters: &[i64],
    print: Option<&Fingerprint>,
    short: bool,
) -> Value {
    let signs: String = counters
        .iter()
        .rev()
        .map(|counter| match counter.signum() {
            1 => '+',
            0 => '0',
            _ => '-',
        })
        .collect();
    json!({
        "count": count,
        "signs": signs,
        "short": print.map(|_| short),
        "value": print.map(Fingerprint::to_hex),
        "string": print.map(ToString::to_string),
        "decimal": print.and_then(Fingerprint::to_decimal),
    })
}

fn string(text: &str) -> Value {
    let parsed: Result<Fingerprint, _> = text.parse();
    let position = match &parsed {
        Err(ParseFingerprintError::Alphabet { position, .. }) => Some(*position),
        _ => None,
    };
    json!({
        "value": parsed.as_ref().ok().map(Fingerprint::to_hex),
        "reason": parsed.as_ref().err().map(ParseFingerprintError::reason),
        "position": position,
    })
}

fn distance(input: &Value) -> Option<Value> {
    let print = |field: &str| Fingerprint::from_hex(Scheme::SD1, input[field].as_str()?).ok();
    compared(&print("one")?, &print("other")?)
}

/// What is said of two fingerprints of one scheme.
pub(super) fn compared(one: &Fingerprint, other: &Fingerprint) -> Option<Value> {
    let distance = one.distance(other).ok()?;
    let scheme = one.scheme();
    let kind = if distance <= scheme.close() {
        "close"
    } else if distance <= scheme.loose() {
        "loose"
    } else {
        "none"
    };
    Some(json!({
        "distance": distance,
        "similarity": one.similarity(other).ok()?,
        "match": kind,
        "within_default": distance <= scheme.default_distance(),
    }))
}

fn document(input: &Value) -> Option<Value> {
    let (mut answers, assigned) = repair(input)?;
    let result = match input["bytes_hex"].as_str() {
        Some(bytes) => {
            let mut fingerprinter = Fingerprinter::new(Scheme::SD1);
            fingerprinter.update_bytes(&bytes_of(bytes)?);
            fingerprinter.finish()
        }
        None => fingerprint(Scheme::SD1, input["text"].as_str().unwrap_or(&assigned)),
    };
    let normalised = stages::normalise(&assigned);
    let cut = stages::cut(&normalised);
    let rest = json!({ "tokens": tokens(&cut), "normalised": normalised, "cut": cut });
    for more in [rest, result_fields(&result)] {
        merge(&mut answers, more);
    }
    Some(answers)
}

fn result_fields(result: &FingerprintOutcome) -> Value {
    print_fields(result.tokens(), result.counters(), result.fingerprint(), result.is_short())
}

fn large(rule: &Value) -> Option<Value> {
    let text = text_by_rule(rule)?;
    let assigned = stages::replace_unassigned(&text);
    let normalised = stages::normalise(&assigned);
    let cut = stages::cut(&normalised);
    let mut tokens = Sha256::new();
    stages::tokens(&cut, |token| {
        tokens.update(token);
        tokens.update("\n");
    });
    let mut answers = json!({
        "octets": text.len(),
        "text_sha256": hex(&Sha256::digest(&text)),
        "assigned_sha256": hex(&Sha256::digest(&assigned)),
        "normalised_sha256": hex(&Sha256::digest(&normalised)),
        "cut_sha256": hex(&Sha256::digest(&cut)),
        "tokens_sha256": hex(&tokens.finalize()),
    });
    merge(&mut answers, result_fields(&fingerprint(Scheme::SD1, &text)));
    Some(answers)
}

/// The rules of `large.json`, as its comment says.
pub(super) fn text_by_rule(rule: &Value) -> Option<String> {
    match rule["kind"].as_str()? {
        "every-code-point" => {
            let (before, after) = (rule["before"].as_str()?, rule["after"].as_str()?);
            let mut text = String::new();
            for c in '\0'..=char::MAX {
                text.push_str(before);
                text.push(c);
                text.push_str(after);
            }
            Some(text)
        }
        "pieces" => {
            let pieces: Option<Vec<&str>> =
                rule["pieces"].as_array()?.iter().map(Value::as_str).collect();
            let pieces = pieces?;
            let bytes = usize::try_from(rule["octets"].as_u64()?).ok()?;
            let mut state: u64 = rule["seed"].as_str()?.parse().ok()?;
            let mut text = String::with_capacity(bytes + 64);
            while text.len() < bytes {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                text.push_str(pieces.get((state >> 33) as usize % pieces.len().max(1))?);
            }
            Some(text)
        }
        _ => None,
    }
}

fn merge(into: &mut Value, more: Value) {
    if let (Value::Object(into), Value::Object(more)) = (into, more) {
        into.extend(more);
    }
}

pub(super) fn bytes_of(text: &str) -> Option<Vec<u8>> {
    text.as_bytes()
        .chunks(2)
        .map(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok())
        .collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
