//! The vectors of spec/PASSAGES.md, which the reference in Python has written.

use nearprint_fingerprint::placed_tokens;
use nearprint_passages::{
    ItemIndex, ItemSettings, KeptPlace, PassageError, PassageSearch, PassageSettings,
};
use serde_json::Value;

fn number(case: &Value, field: &str) -> u32 {
    u32::try_from(case[field].as_u64().unwrap()).unwrap()
}

#[test]
fn what_the_reference_finds_is_found() {
    let file: Value =
        serde_json::from_str(include_str!("../../../spec/vectors/passages/shared.json")).unwrap();
    let cases = file["cases"].as_array().unwrap();
    assert!(cases.len() > 100);
    for case in cases {
        let name = &case["name"];
        let texts: Vec<&str> =
            case["texts"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
        if let Some(tokens) = case["tokens"].as_array() {
            for (text, tokens) in texts.iter().zip(tokens) {
                let mut found = Vec::new();
                placed_tokens(text, true, |token| {
                    let text = String::from_utf8(token.token.to_vec()).unwrap();
                    found.push(serde_json::json!([text, token.place.start, token.place.end]));
                });
                assert_eq!(&Value::Array(found), tokens, "{name}");
            }
        }
        let mut search = PassageSearch::new(PassageSettings {
            least_tokens: number(case, "least_tokens"),
            numbers: case["numbers"].as_bool().unwrap(),
            most_places: number(case, "most_places"),
            most_gap: number(case, "most_gap"),
            ..PassageSettings::default()
        })
        .unwrap();
        for (at, text) in texts.iter().enumerate() {
            if case["references"].as_u64() == Some(at as u64) {
                search.begin_references();
            }
            search.push(text).unwrap();
        }
        if case["references"].as_u64() == Some(texts.len() as u64) {
            search.begin_references();
        }
        let found = serde_json::to_value(search.lists().unwrap()).unwrap();
        assert_eq!(found, case["found"], "{name}");
    }
}

fn texts(case: &Value) -> impl Iterator<Item = &str> {
    case["texts"].as_array().unwrap().iter().map(|text| text.as_str().unwrap())
}

#[test]
fn repeats_are_those_of_the_reference() {
    let file = include_str!("../../../spec/vectors/passages/repeats.json");
    let file: Value = serde_json::from_str(file).unwrap();
    let cases = file["cases"].as_array().unwrap();
    assert!(cases.len() >= 40);
    for case in cases {
        let mut search = PassageSearch::new(PassageSettings {
            least_tokens: number(case, "least_tokens"),
            numbers: case["numbers"].as_bool().unwrap(),
            ..PassageSettings::default()
        })
        .unwrap();
        texts(case).for_each(|text| search.push(text).unwrap());
        let all = case["all_places"].as_bool().unwrap();
        let kept = if all { KeptPlace::None } else { KeptPlace::First };
        let mut found = Vec::new();
        let repeats = search.repeats(kept, &mut |_| true).unwrap();
        repeats
            .each(|repeat| {
                found.push(serde_json::json!({
                    "document": repeat.run.document,
                    "start_byte": repeat.run.place.start_byte,
                    "end_byte": repeat.run.place.end_byte,
                    "tokens": repeat.run.tokens.len(),
                }));
                Ok::<_, PassageError>(())
            })
            .unwrap();
        assert_eq!(Value::Array(found), case["found"], "{}", case["name"]);
    }
}

#[test]
fn items_are_found_where_the_reference_finds_them() {
    let file: Value =
        serde_json::from_str(include_str!("../../../spec/vectors/passages/items.json")).unwrap();
    let cases = file["cases"].as_array().unwrap();
    assert!(cases.len() >= 20);
    for case in cases {
        let mut index = ItemIndex::new(ItemSettings::default());
        for item in case["items"].as_array().unwrap() {
            index.push(item["question"].as_str().unwrap(), item["answer"].as_str());
        }
        index.finish();
        let mut rows = Vec::new();
        for (document, text) in texts(case).enumerate() {
            let found = index.matches(text);
            for item in 0..index.len() {
                let runs: Vec<_> = found.iter().filter(|found| found.item == item).collect();
                let Some(longest) = runs.iter().rev().max_by_key(|run| run.tokens) else {
                    continue;
                };
                rows.push(serde_json::json!({
                    "document": document,
                    "item": item,
                    "start": longest.text_start,
                    "end": longest.text_start + longest.tokens,
                    "answer": longest.answer.map(|_| runs.iter().any(|run| run.answer == Some(true))),
                }));
            }
        }
        assert_eq!(Value::Array(rows), case["found"], "{}", case["name"]);
        let undecidable: Vec<u32> =
            (0..index.len()).filter(|&item| !index.is_decidable(item)).collect();
        assert_eq!(serde_json::json!(undecidable), case["undecidable"], "{}", case["name"]);
    }
}
