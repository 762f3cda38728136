//! `nearprint/repeat/1`: text of a document that the collection has before.

use std::io::{self, Write};

use serde::Serialize;

use super::passage::shown;
use super::shared_passage::TextRange;
use crate::{DocumentId, Row};

/// A stretch of a document's text that the collection has before.
///
/// Text form: `ID TAB START-END TAB TOKENS TAB FIRST TAB START-END TAB TEXT`, START and END in characters; of a text of
/// more than 40 words the first 30 and the last 10.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RepeatRow {
    /// The document.
    pub id: DocumentId,
    /// Characters of its extracted text before the stretch.
    pub start: u64,
    /// Characters up to its end.
    pub end: u64,
    /// Bytes before it.
    pub start_byte: u64,
    /// Bytes up to its end.
    pub end_byte: u64,
    /// Its tokens.
    pub tokens: u64,
    /// The document that has first what the stretch begins with; the document itself where it is the first place.
    pub first: DocumentId,
    /// Where the run of the least tokens that the stretch begins with is there, in characters.
    pub first_start: u64,
    /// Where it ends.
    pub first_end: u64,
    /// The same in bytes.
    pub first_start_byte: u64,
    /// Where it ends, in bytes.
    pub first_end_byte: u64,
    /// The stretch.
    pub text: String,
}

impl RepeatRow {
    /// A stretch of a document, and where the collection has its beginning first.
    #[must_use]
    pub fn new(
        (id, range): (DocumentId, TextRange),
        (first, first_range): (DocumentId, TextRange),
        tokens: u64,
        text: String,
    ) -> Self {
        let TextRange { start, end, start_byte, end_byte } = range;
        let TextRange {
            start: first_start,
            end: first_end,
            start_byte: first_start_byte,
            end_byte: first_end_byte,
        } = first_range;
        Self {
            id,
            start,
            end,
            start_byte,
            end_byte,
            tokens,
            first,
            first_start,
            first_end,
            first_start_byte,
            first_end_byte,
            text,
        }
    }
}

impl Row for RepeatRow {
    const SCHEMA: &'static str = "nearprint/repeat/1";

    const COLUMNS: &'static [&'static str] = &[
        "id",
        "start",
        "end",
        "start_byte",
        "end_byte",
        "tokens",
        "first",
        "first_start",
        "first_end",
        "first_start_byte",
        "first_end_byte",
        "text",
    ];

    fn write_cells(&self, line: &mut dyn FnMut(&[&str]) -> io::Result<()>) -> io::Result<()> {
        line(&[
            self.id.as_str(),
            &self.start.to_string(),
            &self.end.to_string(),
            &self.start_byte.to_string(),
            &self.end_byte.to_string(),
            &self.tokens.to_string(),
            self.first.as_str(),
            &self.first_start.to_string(),
            &self.first_end.to_string(),
            &self.first_start_byte.to_string(),
            &self.first_end_byte.to_string(),
            &self.text,
        ])
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { id, start, end, tokens, first, first_start, first_end, .. } = self;
        write!(out, "{id}\t{start}-{end}\t{tokens}\t{first}\t{first_start}-{first_end}\t")?;
        writeln!(out, "{}", shown(self.text.split_whitespace().collect()))
    }
}
