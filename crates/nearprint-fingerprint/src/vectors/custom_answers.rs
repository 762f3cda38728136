//! Answers to the files of custom schemes and of seomoz-legacy.

use serde_json::{Value, json};

use super::answers::{bytes_of, compared};
use crate::scheme::custom::{self, CustomScheme};
use crate::{Fingerprint, Fingerprinter, IdfTable, Scheme, StopWords, fingerprint, token_hash};

/// The answers to one case's input; `None` if the file or the input is not known.
pub(super) fn answers(file: &str, input: &Value) -> Option<Value> {
    match file {
        "feature_hashes" => feature_hash(input),
        "declarations" => Some(declaration(input["declaration"].as_str()?)),
        "custom_documents" => {
            document(input["declaration"].as_str()?.parse().ok()?, input["text"].as_str()?)
        }
        "custom_hashes" | "custom_ties" | "custom_whitespace" | "custom_cuts" | "custom_scans" => {
            part(input)
        }
        "custom_stop_lists" | "custom_lists" => stop_list(input),
        "custom_comparisons" => comparison(input),
        "seomoz_legacy" => document(Scheme::SEOMOZ_LEGACY, input["text"].as_str()?),
        _ => None,
    }
}

fn feature_hash(input: &Value) -> Option<Value> {
    let function = custom::token_hash(input["function"].as_str()?)?;
    let bytes = match &input["bytes_hex"] {
        Value::Null => input["feature"].as_str()?.as_bytes().to_vec(),
        bytes => bytes_of(bytes.as_str()?)?,
    };
    Some(json!({ "hash": format!("{:016x}", token_hash::hash(function, &bytes)) }))
}

/// A part of declarations since 1.2: a hash, or a declaration and a text.
fn part(input: &Value) -> Option<Value> {
    if !input["function"].is_null() {
        return feature_hash(input);
    }
    if let Some(table) = input["table_hex"].as_str() {
        IdfTable::from_bytes(&bytes_of(table)?).ok()?.keep().ok()?;
    }
    let declared = input["declaration"].as_str()?;
    let mut answers = declaration(declared);
    let print = match declared.parse() {
        Ok(scheme) => document(scheme, input["text"].as_str()?)?,
        Err(_) => json!({ "count": 0, "short": null, "value": null, "string": null }),
    };
    answers.as_object_mut()?.extend(print.as_object()?.clone());
    Some(answers)
}

/// A user's list, and a text under a declaration with it.
fn stop_list(input: &Value) -> Option<Value> {
    let custom: CustomScheme = input["declaration"].as_str()?.parse().ok()?;
    let Ok(list) = StopWords::of(custom, input["list"].as_str()?) else {
        return Some(json!({
            "digest": null, "id": null, "count": 0, "short": null, "value": null, "string": null
        }));
    };
    let declared = custom.with_stop_words(&list).to_string();
    let digest = list.keep().ok()?.to_string();
    let mut answers = part(&json!({ "declaration": declared, "text": input["text"] }))?;
    answers.as_object_mut()?.insert("digest".to_owned(), json!(digest));
    Some(answers)
}

fn comparison(input: &Value) -> Option<Value> {
    let scheme: Scheme = input["declaration"].as_str()?.parse().ok()?;
    let prints = ["one", "other"].map(|field| {
        let digits = input[field].as_str()?;
        Fingerprint::from_hex(scheme, digits).ok()
    });
    let [Some(one), Some(other)] = prints else { return None };
    // A string is read as what it was written from.
    let strings = [one.to_string(), other.to_string()];
    if strings[0].parse().as_ref() != Ok(&one) {
        return None;
    }
    let mut answers = compared(&one, &other)?;
    let fields = answers.as_object_mut()?;
    fields.insert("strings".to_owned(), json!(strings));
    fields.insert("decimal".to_owned(), json!(one.to_decimal()));
    Some(answers)
}

fn declaration(declared: &str) -> Value {
    let custom: Option<CustomScheme> = declared.parse().ok();
    // What is read is written as it was, or it does not count as read.
    let exact = custom.filter(|custom| custom.to_string() == declared);
    let scheme = exact.and_then(|custom| Scheme::custom(custom).ok());
    json!({ "id": scheme.map(Scheme::id) })
}

/// A text under a scheme, in all ways there are.
pub(super) fn document(scheme: Scheme, text: &str) -> Option<Value> {
    let whole = fingerprint(scheme, text);
    // The streaming way must agree, wherever the text is divided.
    let mut fingerprinter = Fingerprinter::new(scheme);
    for byte in text.as_bytes() {
        fingerprinter.update_bytes(&[*byte]);
    }
    if fingerprinter.finish() != whole {
        return None;
    }
    let print = whole.fingerprint();
    // A string is read as what it was written from.
    if print.is_some_and(|print| print.to_string().parse::<Fingerprint>().as_ref() != Ok(print)) {
        return None;
    }
    Some(json!({
        "count": whole.tokens(),
        "short": print.map(|_| whole.is_short()),
        "value": print.map(Fingerprint::to_hex),
        "string": print.map(ToString::to_string),
    }))
}
