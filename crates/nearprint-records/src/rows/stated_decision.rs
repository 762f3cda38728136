//! Decisions as they are read again, from lines of JSON of `nearprint/decision/1`.

use std::fmt;
use std::io::{self, BufRead};

use serde::Deserialize;

use super::DecisionRow;
use crate::lines::Lines;
use crate::{DocumentId, Place, Row, Sha256Digest};

/// What a line says about one document. Fields that decide nothing are not read.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct StatedDecision {
    schema: String,
    /// The document.
    pub id: DocumentId,
    /// What became of it: `keep`, `drop` or `revisit`.
    pub decision: String,
    /// Why.
    pub reason: String,
    /// Its cluster.
    #[serde(default)]
    pub cluster: Option<u64>,
    /// The document that is kept in its stead.
    pub representative: Option<DocumentId>,
    /// How similar they are.
    pub similarity: Option<f64>,
    /// By which policy it was decided.
    #[serde(default)]
    pub policy: Option<String>,
    /// What contradicts between the two, if anything does.
    #[serde(default)]
    pub contradicts: Option<String>,
    /// SHA-256 of its bytes.
    #[serde(default)]
    pub sha256: Option<Sha256Digest>,
    /// The same of the representative.
    #[serde(default)]
    pub representative_sha256: Option<Sha256Digest>,
    /// Where it was found.
    pub place: Place,
}

/// Why a file of decisions cannot be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum StatedDecisionError {
    /// The file cannot be read.
    Io(io::Error),
    /// It has no decision.
    Empty,
    /// A line is not a decision.
    Line {
        /// Its number, from 1.
        number: u64,
        /// What is wrong with it.
        problem: String,
    },
}

impl fmt::Display for StatedDecisionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Empty => {
                f.write_str("there is no decision in it; write decisions with dedup --format jsonl")
            }
            Self::Line { number, problem } => write!(
                f,
                "line {number} is not a decision: {problem}; write decisions with dedup --format jsonl"
            ),
        }
    }
}

impl std::error::Error for StatedDecisionError {}

impl StatedDecision {
    /// Gives all decisions of a file to `take`, one after the other. Lines have at most 1 MiB.
    ///
    /// # Errors
    /// If the file cannot be read, has no decision, or a line is not one.
    pub fn each(
        reader: impl BufRead,
        mut take: impl FnMut(Self),
    ) -> Result<(), StatedDecisionError> {
        let (mut lines, mut is_empty) = (Lines::new(reader), true);
        while let Some(line) = lines.next() {
            let line = line.map_err(StatedDecisionError::Io)?;
            let problem =
                |problem: String| StatedDecisionError::Line { number: line.number, problem };
            let bytes = line.bytes.ok_or_else(|| problem("it has more than 1 MiB".to_owned()))?;
            if bytes.is_empty() {
                continue;
            }
            let decision: Self =
                serde_json::from_slice(bytes).map_err(|error| problem(error.to_string()))?;
            if decision.schema != DecisionRow::SCHEMA {
                let schema = decision.schema.escape_debug();
                return Err(problem(format!("its schema is \"{schema}\"")));
            }
            take(decision);
            is_empty = false;
        }
        if is_empty { Err(StatedDecisionError::Empty) } else { Ok(()) }
    }

    /// Whether the document was dropped.
    #[must_use]
    pub fn is_drop(&self) -> bool {
        self.decision == "drop"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: &str = r#"{"schema":"nearprint/decision/1","id":"b","decision":"drop","reason":"near","cluster":1,"representative":"a","similarity":0.9,"failure":null,"place":{"file":"b"}}"#;

    #[test]
    fn rows_are_read_and_other_lines_refused() {
        let read = |text: &str| {
            let mut ids = Vec::new();
            let done = StatedDecision::each(text.as_bytes(), |row| ids.push(row.id.to_string()));
            done.map(|()| ids).map_err(|error| error.to_string())
        };
        assert_eq!(read(&format!("{ROW}\n\n{ROW}\n")).unwrap(), ["b", "b"]);
        for (text, part) in [
            ("drop\tnear\t1", "line 1 is not a decision"),
            ("\r\n", "there is no decision in it"),
            (&*ROW.replace("decision/1", "pair/1"), "its schema is \"nearprint/pair/1\""),
            (&*format!("{ROW}\n{{}}"), "line 2"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(part) && error.contains("--format jsonl"), "{error}");
        }
    }
}
