//! The standard's vectors, and how this build answers them (feature `vectors`).
//!
//! The files are those of `spec/vectors`, embedded. Each stage has a file; a case has an input and what is expected
//! of each stage it goes through. Failures say which case, which field, what was expected and what came.

mod answers;
mod custom_answers;
mod extraction_corpus;
mod family_answers;
mod idf_answers;
mod questions;

use std::fmt;

use serde_json::Value;

pub use self::extraction_corpus::{
    ClassAgreement, CorpusDocument, ExtractionBounds, TextDistance, corpus_documents,
};
pub use self::questions::{Question, Verdict, questions};

/// Name and content of each file, in the order of the stages.
const FILES: [(&str, &str); 35] = [
    ("repair", include_str!("../../vectors/repair.json")),
    ("normalise", include_str!("../../vectors/normalise.json")),
    ("cuts", include_str!("../../vectors/cuts.json")),
    ("tokens", include_str!("../../vectors/tokens.json")),
    ("hashes", include_str!("../../vectors/hashes.json")),
    ("prints", include_str!("../../vectors/prints.json")),
    ("strings", include_str!("../../vectors/strings.json")),
    ("distances", include_str!("../../vectors/distances.json")),
    ("documents", include_str!("../../vectors/documents.json")),
    ("large", include_str!("../../vectors/large.json")),
    ("logs", include_str!("../../vectors/logs.json")),
    ("elements", include_str!("../../vectors/elements.json")),
    ("sketches", include_str!("../../vectors/sketches.json")),
    ("family_strings", include_str!("../../vectors/family_strings.json")),
    ("exchange", include_str!("../../vectors/exchange.json")),
    ("comparisons", include_str!("../../vectors/comparisons.json")),
    ("family_documents", include_str!("../../vectors/family_documents.json")),
    ("family_large", include_str!("../../vectors/family_large.json")),
    ("feature_hashes", include_str!("../../vectors/feature_hashes.json")),
    ("declarations", include_str!("../../vectors/declarations.json")),
    ("custom_documents", include_str!("../../vectors/custom_documents.json")),
    ("logarithms", include_str!("../../vectors/logarithms.json")),
    ("idf_tables", include_str!("../../vectors/idf_tables.json")),
    ("idf_readings", include_str!("../../vectors/idf_readings.json")),
    ("idf_documents", include_str!("../../vectors/idf_documents.json")),
    ("custom_hashes", include_str!("../../vectors/custom_hashes.json")),
    ("custom_ties", include_str!("../../vectors/custom_ties.json")),
    ("custom_whitespace", include_str!("../../vectors/custom_whitespace.json")),
    ("custom_stop_lists", include_str!("../../vectors/custom_stop_lists.json")),
    ("custom_cuts", include_str!("../../vectors/custom_cuts.json")),
    ("normal_forms", include_str!("../../vectors/normal_forms.json")),
    ("custom_lists", include_str!("../../vectors/custom_lists.json")),
    ("custom_scans", include_str!("../../vectors/custom_scans.json")),
    ("custom_comparisons", include_str!("../../vectors/custom_comparisons.json")),
    ("seomoz_legacy", include_str!("../../vectors/seomoz_legacy.json")),
];

/// The names of the files, without `.json`, in the order of the stages.
pub fn names() -> impl ExactSizeIterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

/// Runs all embedded vectors on this build: some seconds, 100 MB of memory.
#[must_use]
pub fn verify() -> Vec<Report> {
    FILES.iter().map(|(name, text)| verify_file(name, text)).collect()
}

/// Runs one file of vectors, embedded or not: `name` says which stage it is of, `json` is its content.
#[must_use]
pub fn verify_file(name: &str, json: &str) -> Report {
    let mut report =
        Report { name: name.to_owned(), version: String::new(), cases: 0, failures: Vec::new() };
    let file: Value = match serde_json::from_str(json) {
        Ok(file) => file,
        Err(error) => {
            report.fail("", format!("the file is not JSON: {error}"));
            return report;
        }
    };
    report.version = file["spec_version"].as_str().unwrap_or_default().to_owned();
    let cases = file["cases"].as_array().map(Vec::as_slice).unwrap_or_default();
    if cases.is_empty() {
        report.fail("", "the file has no cases".to_owned());
    }
    for case in cases {
        report.cases += 1;
        let case_name = case["name"].as_str().unwrap_or_default();
        let Some(expected) = case["expected"].as_object().filter(|expected| !expected.is_empty())
        else {
            report.fail(case_name, "nothing is expected".to_owned());
            continue;
        };
        let Some(answers) = answers::answers(name, &case["input"]) else {
            report.fail(
                case_name,
                "this build knows no such file of vectors, or no such input".to_owned(),
            );
            continue;
        };
        for (field, expected) in expected {
            match answers.get(field) {
                Some(answer) if answer == expected => {}
                Some(answer) => {
                    report.fail(case_name, format!("{field}: expected {expected}, got {answer}"));
                }
                None => report.fail(case_name, format!("{field}: this build does not answer that")),
            }
        }
    }
    report
}

/// What happened to one file of vectors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    name: String,
    version: String,
    cases: usize,
    failures: Vec<Failure>,
}

impl Report {
    /// The file's name without `.json`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The version of the standard that the file belongs to.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The number of cases that were run.
    #[must_use]
    pub fn cases(&self) -> usize {
        self.cases
    }

    /// Every answer that was not as expected; empty if all is well.
    #[must_use]
    pub fn failures(&self) -> &[Failure] {
        &self.failures
    }

    fn fail(&mut self, case: &str, what: String) {
        self.failures.push(Failure { case: case.to_owned(), what });
    }
}

/// An answer that was not as expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    case: String,
    what: String,
}

impl Failure {
    /// The name of the case; empty if the file itself is at fault.
    #[must_use]
    pub fn case(&self) -> &str {
        &self.case
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.case.is_empty() {
            f.write_str(&self.what)
        } else {
            write!(f, "{}: {}", self.case, self.what)
        }
    }
}
