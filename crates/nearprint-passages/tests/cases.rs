//! The cases that the reference in Python has written (reference/make_passage_cases.py).

use nearprint_fingerprint::placed_tokens;
use nearprint_passages::{PassageSearch, PassageSettings};
use serde_json::Value;

fn number(case: &Value, field: &str) -> u32 {
    u32::try_from(case[field].as_u64().unwrap()).unwrap()
}

#[test]
fn what_the_reference_finds_is_found() {
    let file: Value = serde_json::from_str(include_str!("cases/passages.json")).unwrap();
    let cases = file["cases"].as_array().unwrap();
    assert!(cases.len() > 70);
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
