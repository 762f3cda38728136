//! `nearprint/passages/1`: what a search for passages did, in one line for a program to read.

use std::io::{self, Write};

use serde::Serialize;

use crate::{Pace, Row};

/// The counts of a search for passages. Text form: lines `NAME TAB VALUE`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PassagesSummaryRow {
    /// The digest of the question with all its defaults.
    pub question: String,
    /// Documents, whatever became of them.
    pub documents: u64,
    /// Those without a token, and those without a text, where nothing failed.
    pub without_text: u64,
    /// Those that failed.
    pub failed: u64,
    /// Bytes of the documents.
    pub bytes: u64,
    /// Tokens of all texts.
    pub tokens: u64,
    /// Passages of two documents.
    pub shared: u64,
    /// Frequent passages.
    pub frequent: u64,
    /// How long it took.
    #[serde(flatten)]
    pub pace: Pace,
}

impl PassagesSummaryRow {
    /// The summary of a question with this digest.
    #[must_use]
    pub fn new(question: String) -> Self {
        Self {
            question,
            documents: 0,
            without_text: 0,
            failed: 0,
            bytes: 0,
            tokens: 0,
            shared: 0,
            frequent: 0,
            pace: Pace::default(),
        }
    }
}

impl Row for PassagesSummaryRow {
    const SCHEMA: &'static str = "nearprint/passages/1";

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "question\t{}", self.question)?;
        for (name, count) in [
            ("documents", self.documents),
            ("without_text", self.without_text),
            ("failed", self.failed),
            ("bytes", self.bytes),
            ("tokens", self.tokens),
            ("shared", self.shared),
            ("frequent", self.frequent),
        ] {
            writeln!(out, "{name}\t{count}")?;
        }
        self.pace.write_text(out)
    }
}
