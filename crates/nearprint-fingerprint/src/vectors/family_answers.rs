//! Answers to the files that go beyond sd1: the other schemes' stages, and every scheme's strings and documents.

use serde_json::{Map, Value, json};

use super::answers::{bytes_of, compared, print_fields, text_by_rule};
use crate::element_hash::Frequencies;
use crate::log_counters::weight;
use crate::sketch::SketchBuilder;
use crate::{Fingerprint, Fingerprinter, ParseFingerprintError, Scheme, fingerprint_by, stages};

/// The answers to one case's input; `None` if the file or the input is not known.
pub(super) fn answers(file: &str, input: &Value) -> Option<Value> {
    match file {
        "logs" => logs(input),
        "elements" => elements(input),
        "sketches" => sketch(input),
        "family_strings" => string(input),
        "exchange" => exchange(input),
        "comparisons" => comparison(input),
        "family_documents" => document(input),
        "family_large" => Some(printed(&text_by_rule(&input["rule"])?)),
        _ => None,
    }
}

fn logs(input: &Value) -> Option<Value> {
    let mut frequencies = Frequencies::default();
    let mut count = 0;
    for counted in input["counted"].as_array()? {
        let times = counted[1].as_u64()?;
        *frequencies.entry(stages::token_hash(counted[0].as_str()?.as_bytes())).or_default() +=
            times;
        count += times;
    }
    let mut features: Vec<(u64, u64)> =
        frequencies.iter().map(|(&hash, &times)| (hash, times)).collect();
    features.sort_unstable();
    let weighted = features.iter().map(|&(hash, times)| (hash, weight(times)));
    let counters = stages::counters(
        weighted.flat_map(|(hash, weight)| std::iter::repeat_n(hash, weight as usize)),
    );
    let print = Fingerprint::from_u64(Scheme::SL1, stages::bits(&counters)).filter(|_| count > 0);
    let short = count < Scheme::SL1.short_below();
    let mut answers = print_fields(count, &counters, print.as_ref(), short);
    answers["features"] = features
        .iter()
        .map(|&(hash, times)| json!([format!("{hash:016x}"), times, weight(times)]))
        .collect();
    Some(answers)
}

fn elements(input: &Value) -> Option<Value> {
    let tokens: Option<Vec<&str>> = input["tokens"].as_array()?.iter().map(Value::as_str).collect();
    let tokens = tokens?;
    let hashes = tokens.iter().map(|token| stages::token_hash(token.as_bytes()));
    let mut elements = match input["scheme"].as_str()? {
        "md1" => stages::shingles(hashes),
        "wd1" => stages::weighted_words(hashes),
        _ => return None,
    };
    elements.sort_unstable();
    elements.dedup();
    Some(
        json!({ "elements": elements.iter().map(|element| format!("{element:016x}")).collect::<Vec<_>>() }),
    )
}

fn sketch(input: &Value) -> Option<Value> {
    let number = |value: &Value| u64::from_str_radix(value.as_str()?, 16).ok();
    let mut sketching = SketchBuilder::default();
    let rule = &input["rule"];
    if rule.is_object() {
        let (mut element, step) = (number(&rule["first"])?, number(&rule["step"])?);
        for _ in 0..rule["count"].as_u64()? {
            sketching.extend(&[element]);
            element = element.wrapping_add(step);
        }
    } else {
        for element in input["elements"].as_array()? {
            sketching.extend(&[number(element)?]);
        }
    }
    let (sketch, rounds) = sketching.finish_counting()?;
    let value = Fingerprint::from_sketch(Scheme::MD1, sketch)?.to_hex();
    Some(json!({ "rounds": rounds, "value": value }))
}

fn string(input: &Value) -> Option<Value> {
    let text = match input["bytes_hex"].as_str() {
        Some(bytes) => stages::repair(&bytes_of(bytes)?),
        None => input["string"].as_str()?.to_owned(),
    };
    let parsed: Result<Fingerprint, _> = text.parse();
    let position = match &parsed {
        Err(ParseFingerprintError::Alphabet { position, .. }) => Some(*position),
        _ => None,
    };
    let print = parsed.as_ref().ok();
    Some(json!({
        "scheme": print.map(|print| print.scheme().id()),
        "value": print.map(Fingerprint::to_hex),
        "reason": parsed.as_ref().err().map(ParseFingerprintError::reason),
        "position": position,
    }))
}

fn exchange(input: &Value) -> Option<Value> {
    let scheme: Scheme = input["scheme"].as_str()?.parse().ok()?;
    let digits = input["digits"].as_str()?;
    let read = match input["form"].as_str()? {
        "hex" => Fingerprint::from_hex(scheme, digits),
        "decimal" => Fingerprint::from_decimal(scheme, digits),
        _ => return None,
    };
    Some(json!({ "string": read.ok().map(|print| print.to_string()) }))
}

fn comparison(input: &Value) -> Option<Value> {
    let print = |field: &str| input[field].as_str()?.parse::<Fingerprint>().ok();
    let (one, other) = (print("one")?, print("other")?);
    if let Err(unlike) = one.distance(&other) {
        return Some(json!({
            "distance": null,
            "similarity": null,
            "match": null,
            "within_default": null,
            "unlike": [unlike.left().id(), unlike.right().id()],
        }));
    }
    let mut answers = compared(&one, &other)?;
    answers.as_object_mut()?.insert("unlike".to_owned(), Value::Null);
    Some(answers)
}

fn document(input: &Value) -> Option<Value> {
    if let Some(bytes) = input["bytes_hex"].as_str() {
        // The streaming way reads bytes itself; both ways must agree.
        let bytes = bytes_of(bytes)?;
        let whole = printed(&stages::repair(&bytes));
        let agrees = Scheme::all().all(|scheme| {
            let mut fingerprinter = Fingerprinter::new(scheme);
            fingerprinter.update_bytes(&bytes);
            let print = fingerprinter.finish().into_fingerprint().map(|print| print.to_string());
            json!(print) == whole["strings"][scheme.id()]
        });
        return agrees.then_some(whole);
    }
    let text = match input["utf16"].as_array() {
        None => input["text"].as_str()?.to_owned(),
        Some(units) => {
            let units: Option<Vec<u16>> =
                units.iter().map(|unit| unit.as_u64()?.try_into().ok()).collect();
            stages::repair_utf16(&units?)
        }
    };
    Some(printed(&text))
}

/// A text under every scheme.
fn printed(text: &str) -> Value {
    let cut = stages::cut(&stages::normalise(text));
    let mut hashes = Vec::new();
    stages::tokens(&cut, |token| hashes.push(stages::token_hash(token.as_bytes())));
    let distinct = |mut elements: Vec<u64>| {
        elements.sort_unstable();
        elements.dedup();
        elements.len()
    };
    let schemes: Vec<Scheme> = Scheme::all().collect();
    let all = fingerprint_by(&schemes, text);
    let mut strings = Map::new();
    for printed in &all {
        let string = printed.fingerprint().map(ToString::to_string);
        strings.insert(printed.scheme().id().to_owned(), json!(string));
    }
    let first = all.first();
    json!({
        "count": first.map(crate::FingerprintOutcome::tokens),
        "short": first.and_then(|first| first.fingerprint().map(|_| first.is_short())),
        "elements": {
            "md1": distinct(stages::shingles(hashes.iter().copied())),
            "wd1": distinct(stages::weighted_words(hashes.iter().copied())),
        },
        "strings": strings,
    })
}
