//! The vectors as questions to another implementation, one line of JSON each, and what its answers are worth.

use serde_json::{Map, Value, json};

use super::FILES;

/// The field of an answer by which another implementation leaves a case out.
const SKIPPED: &str = "skipped";

/// A case of the vectors, as another implementation is asked it.
#[derive(Debug, Clone)]
pub struct Question {
    file: &'static str,
    name: String,
    input: Value,
    expected: Map<String, Value>,
}

/// What the answer to a question is worth.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// All fields are as expected.
    Passed,
    /// The implementation does not answer it.
    Skipped,
    /// Why it is wrong.
    Failed(String),
}

/// The cases of all embedded files, in the order of the stages.
///
/// # Panics
/// If an embedded file is not JSON, which tests exclude.
#[must_use]
pub fn questions() -> Vec<Question> {
    let mut questions = Vec::new();
    for (file, text) in FILES {
        let parsed: Value = serde_json::from_str(text).expect("the embedded vectors are JSON");
        for case in parsed["cases"].as_array().map(Vec::as_slice).unwrap_or_default() {
            questions.push(Question {
                file,
                name: case["name"].as_str().unwrap_or_default().to_owned(),
                input: case["input"].clone(),
                expected: case["expected"].as_object().cloned().unwrap_or_default(),
            });
        }
    }
    questions
}

impl Question {
    /// The name of its file, without `.json`.
    #[must_use]
    pub fn file(&self) -> &'static str {
        self.file
    }

    /// The name of the case, unique in its file.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The question as one line: the file, the name of the case, and its input. ASCII, without its end.
    #[must_use]
    pub fn line(&self) -> String {
        let mut line = String::new();
        let question = json!({"file": self.file, "name": self.name, "input": self.input});
        for character in question.to_string().chars() {
            if character.is_ascii() {
                line.push(character);
            } else {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    line.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
        line
    }

    /// Judges an answer: one line of JSON with the fields of `expected`, or with `"skipped": true`.
    #[must_use]
    pub fn judge(&self, answer: &str) -> Verdict {
        let answers: Map<String, Value> = match serde_json::from_str(answer) {
            Ok(answers) => answers,
            Err(error) => {
                return Verdict::Failed(format!("the answer is not a JSON object: {error}"));
            }
        };
        if answers.get(SKIPPED) == Some(&Value::Bool(true)) {
            return Verdict::Skipped;
        }
        for (field, expected) in &self.expected {
            match answers.get(field) {
                Some(answer) if answer == expected => {}
                Some(answer) => {
                    return Verdict::Failed(format!("{field}: expected {expected}, got {answer}"));
                }
                None => return Verdict::Failed(format!("{field}: the answer does not have it")),
            }
        }
        Verdict::Passed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::{answers, names, verify_file};

    /// What this build answers, asked as another implementation is, passes; and any other value fails.
    #[test]
    fn this_build_passes_as_another_implementation() {
        let questions = questions();
        assert_eq!(names().len(), FILES.len());
        let small = questions.iter().filter(|question| !question.file.contains("large"));
        for question in small {
            let line: Value = serde_json::from_str(&question.line()).unwrap();
            assert!(question.line().is_ascii());
            let found = answers::answers(line["file"].as_str().unwrap(), &line["input"]).unwrap();
            let answer = Value::Object(found);
            assert_eq!(question.judge(&answer.to_string()), Verdict::Passed, "{}", question.name);
            let mut wrong = answer;
            let field = question.expected.keys().next().unwrap();
            wrong[field] = json!("another");
            assert!(matches!(question.judge(&wrong.to_string()), Verdict::Failed(_)));
        }
        let total: usize =
            FILES.iter().map(|(name, text)| verify_file(name, text).cases()).sum::<usize>();
        assert_eq!(questions.len(), total);
    }

    #[test]
    fn answers_that_are_none_fail_and_skips_are_neither() {
        let question = &questions()[0];
        assert_eq!(question.judge("{\"skipped\":true}"), Verdict::Skipped);
        for answer in ["", "null", "[]", "{}", "{\"skipped\":1}"] {
            assert!(matches!(question.judge(answer), Verdict::Failed(_)), "{answer}");
        }
    }
}
