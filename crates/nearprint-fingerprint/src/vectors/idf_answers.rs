//! Answers to the files of tables of inverse document frequencies.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::answers::bytes_of;
use super::custom_answers::document;
use crate::scheme::custom::CustomScheme;
use crate::scheme::idf::{IdfTable, log2};
use crate::{Scheme, feature_hashes, token_hash};

/// The answers to one case's input; `None` if the file or the input is not known.
pub(super) fn answers(file: &str, input: &Value) -> Option<Value> {
    match file {
        "logarithms" => {
            let number = input["number"].as_u64()?.try_into().ok().filter(|&number| number > 0)?;
            Some(json!({ "logarithm": log2(number) }))
        }
        "idf_tables" => table(input),
        "idf_readings" => reading(input),
        "idf_documents" => {
            let table = IdfTable::from_bytes(&bytes_of(input["table_hex"].as_str()?)?).ok()?;
            table.keep().ok()?;
            document(input["declaration"].as_str()?.parse().ok()?, input["text"].as_str()?)
        }
        _ => None,
    }
}

fn table(input: &Value) -> Option<Value> {
    let custom: CustomScheme = input["declaration"].as_str()?.parse().ok()?;
    let scheme = Scheme::custom(custom).ok()?;
    let least: u32 = input["least"].as_u64()?.try_into().ok()?;
    let mut documents = 0;
    let mut counts = BTreeMap::<u64, u32>::new();
    for text in input["texts"].as_array()? {
        let hashes = feature_hashes(scheme, text.as_str()?)?;
        documents += u32::from(!hashes.is_empty());
        hashes.into_iter().for_each(|hash| *counts.entry(hash).or_default() += 1);
    }
    let entries = counts.into_iter().filter(|&(_, count)| count >= least).collect();
    let table = IdfTable::new(custom, documents, least, entries).ok()?;
    let bytes = table.to_bytes();
    // It is read as it was written, and named the same.
    if IdfTable::from_bytes(&bytes).as_ref() != Ok(&table) {
        return None;
    }
    let weight = |feature: &Value| {
        let hash = token_hash::hash(scheme.token_hash(), feature.as_str()?.as_bytes());
        Some(table.weight(hash))
    };
    let weights: Option<Vec<u64>> = input["features"].as_array()?.iter().map(weight).collect();
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Some(json!({
        "table_hex": hex,
        "digest": table.digest().to_string(),
        "documents": table.documents(),
        "weights": weights?,
    }))
}

fn reading(input: &Value) -> Option<Value> {
    let table = IdfTable::from_bytes(&bytes_of(input["table_hex"].as_str()?)?).ok();
    let counted = table.as_ref().map(|table| table.counted().to_owned());
    let custom: Option<CustomScheme> = input["declaration"].as_str()?.parse().ok();
    let named = custom.zip(table).filter(|(custom, table)| custom.idf() == Some(table.digest()));
    let scheme = named.and_then(|(custom, table)| {
        table.keep().ok()?;
        Scheme::custom(custom).ok()
    });
    Some(json!({ "counted": counted, "id": scheme.map(Scheme::id) }))
}
