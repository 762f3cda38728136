//! The measure of docs/MEASURE.md: cases that the readable reference made, compared with the library.
//!
//! `reference/make_measure_cases.py` writes the file; reference/test_measure.py checks that it is what the reference
//! gives.

use nearprint::records::TextGrade;
use nearprint::search::{Measure, WeightedFeature};
use nearprint::{DuplicateRule, Policy, TextFeatures, Verification, compare_texts};
use serde_json::Value;

fn cases() -> Vec<Value> {
    let file: Value = serde_json::from_str(include_str!("cases/measure.json")).unwrap();
    file["cases"].as_array().unwrap().clone()
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|item| item.as_str().unwrap()).collect()
}

/// Features of shingles, and elements as they are kept.
fn shingles(features: &TextFeatures) -> (Vec<String>, Vec<String>) {
    let words = features.words.iter().map(|&(hash, _)| format!("{hash:010x}")).collect();
    let element = |&(hash, _): &WeightedFeature| format!("{hash:016x}");
    (words, features.numbers.iter().map(element).collect())
}

/// Features of words with their weights.
fn weighted(features: &[WeightedFeature]) -> Vec<String> {
    features.iter().map(|(hash, weight)| format!("{hash:010x} {weight}")).collect()
}

#[test]
fn features_are_those_of_the_page() {
    let mut compared = 0;
    for case in cases().iter().filter(|case| case["features_a"].is_object()) {
        for side in ["a", "b"] {
            let text = case[side].as_str().unwrap();
            let stated = &case[format!("features_{side}")];
            let (words, elements) = shingles(&Verification::new(Measure::Jaccard).features(text));
            assert_eq!(words, texts(&stated["shingles"]), "{}: {side}", case["name"]);
            assert_eq!(elements, texts(&stated["elements"]), "{}: {side}", case["name"]);
            let cosine = Verification::new(Measure::Cosine).features(text);
            assert_eq!(
                weighted(&cosine.words),
                texts(&stated["words"]),
                "{}: {side}",
                case["name"]
            );
            assert_eq!(
                weighted(&cosine.numbers),
                texts(&stated["numbers"]),
                "{}: {side}",
                case["name"]
            );
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared}");
}

#[test]
fn similarities_and_matches_are_those_of_the_page() {
    for case in cases() {
        let [a, b] = ["a", "b"].map(|side| case[side].as_str().unwrap());
        for measure in Measure::ALL {
            let stated = &case[measure.name()];
            let verification = Verification::new(measure);
            let [one, other] = [a, b].map(|text| verification.features(text));
            let similarity = verification.similarity(&one, &other);
            let name = format!("{} by {}", case["name"], measure.name());
            assert_eq!(Ok(similarity), stated[0].as_str().unwrap().parse(), "{name}");
            let is_match =
                |verification: Verification| verification.verified(&one, &other).is_some();
            assert_eq!(Some(is_match(verification)), stated[1].as_bool(), "{name}");
            assert_eq!(
                Some(is_match(verification.at(similarity).evidence(true))),
                stated[2].as_bool(),
                "{name}, evidence"
            );
        }
        let features = [a, b].map(|text| Verification::default().features(text));
        let rule = DuplicateRule::new(Policy::Careful, 0.0);
        for (at, [kept, dropped]) in [[0, 1], [1, 0]].into_iter().enumerate() {
            let found = rule.related(&features[kept], &features[dropped]);
            let contradicts = found.differences.is_contradiction();
            let found = found.differences.contradiction().filter(|_| contradicts);
            let stated = case["contradicts"][at].as_str();
            assert_eq!(found.as_deref(), stated, "{}", case["name"]);
        }
        let found = compare_texts(a, b, Verification::default()).grade;
        let stated = case["texts"].as_str().unwrap();
        let grades = [
            (TextGrade::Identical, "identical"),
            (TextGrade::SameWords, "same-words"),
            (TextGrade::Near, "near"),
            (TextGrade::Different, "different"),
        ];
        assert!(grades.contains(&(found, stated)), "{}: {found:?} is not {stated}", case["name"]);
    }
}
