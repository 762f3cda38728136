//! All vectors of the standard, on this build.

use nearprint_fingerprint::vectors;

#[test]
fn every_case_of_every_file() {
    let mut failures = Vec::new();
    for report in vectors::verify() {
        assert!(report.cases() > 0, "{} has no cases", report.name());
        let name = report.name().to_owned();
        failures.extend(report.failures().iter().map(|failure| format!("{name}: {failure}")));
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn the_embedded_files_are_all_there_are() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../spec/vectors");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .expect("the repository has spec/vectors")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".json").map(str::to_owned))
        .collect();
    files.sort();
    let mut names: Vec<&str> = vectors::names().collect();
    names.sort_unstable();
    assert_eq!(files, names);
}

#[test]
fn a_wrong_expectation_is_a_failure() {
    for (file, json, what) in [
        ("cuts", "{", "not JSON"),
        ("cuts", r#"{"cases": []}"#, "no cases"),
        (
            "cuts",
            r#"{"cases": [{"name": "n", "input": {"text": ""}, "expected": {}}]}"#,
            "nothing is expected",
        ),
        (
            "cuts",
            r#"{"cases": [{"name": "n", "input": {"text": "a"}, "expected": {"cut": "b"}}]}"#,
            "n: cut: expected",
        ),
        (
            "cuts",
            r#"{"cases": [{"name": "n", "input": {"text": "a"}, "expected": {"cot": "a"}}]}"#,
            "does not answer",
        ),
        (
            "nuts",
            r#"{"cases": [{"name": "n", "input": {"text": "a"}, "expected": {"cut": "a"}}]}"#,
            "knows no such",
        ),
    ] {
        let report = vectors::verify_file(file, json);
        assert_eq!(report.failures().len(), 1, "{json}");
        let text = report.failures()[0].to_string();
        assert!(text.contains(what), "{text:?} does not contain {what:?}");
    }
}
