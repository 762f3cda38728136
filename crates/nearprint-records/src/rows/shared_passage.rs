//! `nearprint/passage/1` and `nearprint/passage-place/1`: passages that documents share.

use std::fmt;
use std::io::{self, Write};

use serde::Serialize;

use super::passage::shown;
use crate::{DocumentId, Row};

/// A range of the extracted text of a document, from the first character of a passage up to the end of its last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TextRange {
    /// Characters (code points) before the passage.
    pub start: u64,
    /// Characters up to its end.
    pub end: u64,
    /// Bytes of UTF-8 before the passage.
    pub start_byte: u64,
    /// Bytes up to its end.
    pub end_byte: u64,
}

/// Which of two documents is wholly within the passage that they share, but for what is not a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Containment {
    /// The first: the second contains it.
    A,
    /// The second.
    B,
    /// Both: they have the same tokens.
    Both,
}

impl Containment {
    /// Its name in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::A => "a",
            Self::B => "b",
            Self::Both => "both",
        }
    }
}

/// A passage that two documents share, or a frequent one, which is at so many places that its pairs are not listed.
///
/// Text form: `DOCUMENTS TAB TOKENS TAB A TAB START-END TAB B TAB START-END TAB TEXT`, START and END in characters, `-`
/// for B and its range where the passage is frequent; of a text of more than 40 words the first 30 and the last 10.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SharedPassageRow {
    /// Documents that have it: 2, or of a frequent passage all.
    pub documents: u64,
    /// Places at which it is: 2, or of a frequent passage all.
    pub places: u64,
    /// The number of a frequent passage, from 0, by which its places are listed.
    pub passage: Option<u64>,
    /// Its tokens: those that both documents have.
    pub tokens: u64,
    /// Tokens of either document that the other one lacks there, where passages are joined.
    pub changed: u64,
    /// The first document.
    pub a: DocumentId,
    /// Where it is there.
    pub a_start: u64,
    /// Where it ends there.
    pub a_end: u64,
    /// Where it is there, in bytes.
    pub a_start_byte: u64,
    /// Where it ends there, in bytes.
    pub a_end_byte: u64,
    /// The second document; `None` where the passage is frequent.
    pub b: Option<DocumentId>,
    /// Where it is there.
    pub b_start: Option<u64>,
    /// Where it ends there.
    pub b_end: Option<u64>,
    /// Where it is there, in bytes.
    pub b_start_byte: Option<u64>,
    /// Where it ends there, in bytes.
    pub b_end_byte: Option<u64>,
    /// Which of the documents has no other tokens.
    pub contained: Option<Containment>,
    /// The passage as the first document has it.
    pub text: String,
    /// Whether numbers are tokens of it; in JSON only where they are, and not in tables.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub numbers: bool,
}

impl SharedPassageRow {
    /// A passage of two documents.
    #[must_use]
    pub fn of_two(
        (a, in_a): (DocumentId, TextRange),
        (b, in_b): (DocumentId, TextRange),
        tokens: u64,
        text: String,
    ) -> Self {
        Self {
            b: Some(b),
            b_start: Some(in_b.start),
            b_end: Some(in_b.end),
            b_start_byte: Some(in_b.start_byte),
            b_end_byte: Some(in_b.end_byte),
            ..Self::frequent(0, (a, in_a), tokens, text).counted(2, 2, None)
        }
    }

    /// A frequent passage by its number, with its first place.
    #[must_use]
    pub fn frequent(
        passage: u64,
        (a, in_a): (DocumentId, TextRange),
        tokens: u64,
        text: String,
    ) -> Self {
        Self {
            documents: 0,
            places: 0,
            passage: Some(passage),
            tokens,
            changed: 0,
            a,
            a_start: in_a.start,
            a_end: in_a.end,
            a_start_byte: in_a.start_byte,
            a_end_byte: in_a.end_byte,
            b: None,
            b_start: None,
            b_end: None,
            b_start_byte: None,
            b_end_byte: None,
            contained: None,
            text,
            numbers: false,
        }
    }

    /// Where it is in the first document.
    #[must_use]
    pub fn a_range(&self) -> TextRange {
        TextRange {
            start: self.a_start,
            end: self.a_end,
            start_byte: self.a_start_byte,
            end_byte: self.a_end_byte,
        }
    }

    /// Where it is in the second document, if there is one.
    #[must_use]
    pub fn b_range(&self) -> Option<TextRange> {
        Some(TextRange {
            start: self.b_start?,
            end: self.b_end?,
            start_byte: self.b_start_byte?,
            end_byte: self.b_end_byte?,
        })
    }

    /// The same with these counts, and this number of a frequent passage.
    #[must_use]
    pub fn counted(self, documents: u64, places: u64, passage: Option<u64>) -> Self {
        Self { documents, places, passage, ..self }
    }
}

/// Writes a range of characters as `START-END`.
struct Range(u64, u64);

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.0, self.1)
    }
}

impl Row for SharedPassageRow {
    const SCHEMA: &'static str = "nearprint/passage/1";

    const COLUMNS: &'static [&'static str] = &[
        "documents",
        "places",
        "passage",
        "tokens",
        "changed",
        "a",
        "a_start",
        "a_end",
        "a_start_byte",
        "a_end_byte",
        "b",
        "b_start",
        "b_end",
        "b_start_byte",
        "b_end_byte",
        "contained",
        "text",
    ];

    fn write_cells(&self, line: &mut dyn FnMut(&[&str]) -> io::Result<()>) -> io::Result<()> {
        let optional = |number: Option<u64>| number.map(|number| number.to_string());
        let [passage, b_start, b_end, b_start_byte, b_end_byte] =
            [self.passage, self.b_start, self.b_end, self.b_start_byte, self.b_end_byte]
                .map(|number| optional(number).unwrap_or_default());
        line(&[
            &self.documents.to_string(),
            &self.places.to_string(),
            &passage,
            &self.tokens.to_string(),
            &self.changed.to_string(),
            self.a.as_str(),
            &self.a_start.to_string(),
            &self.a_end.to_string(),
            &self.a_start_byte.to_string(),
            &self.a_end_byte.to_string(),
            self.b.as_ref().map_or("", DocumentId::as_str),
            &b_start,
            &b_end,
            &b_start_byte,
            &b_end_byte,
            self.contained.map_or("", Containment::name),
            &self.text,
        ])
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let in_a = Range(self.a_start, self.a_end);
        write!(out, "{}\t{}\t{}\t{in_a}\t", self.documents, self.tokens, self.a)?;
        match (&self.b, self.b_start, self.b_end) {
            (Some(b), Some(start), Some(end)) => write!(out, "{b}\t{}\t", Range(start, end))?,
            _ => out.write_all(b"-\t-\t")?,
        }
        writeln!(out, "{}", shown(self.text.split_whitespace().collect()))
    }
}

/// One place of a frequent passage. Places that overlap are one.
///
/// Text form: `PASSAGE TAB ID TAB START-END`, in characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PassagePlaceRow {
    /// The number of the passage.
    pub passage: u64,
    /// The document.
    pub id: DocumentId,
    /// Where it is there.
    pub start: u64,
    /// Where it ends there.
    pub end: u64,
    /// Where it is there, in bytes.
    pub start_byte: u64,
    /// Where it ends there, in bytes.
    pub end_byte: u64,
}

impl PassagePlaceRow {
    /// A place of the passage of this number.
    #[must_use]
    pub fn new(passage: u64, id: DocumentId, range: TextRange) -> Self {
        let TextRange { start, end, start_byte, end_byte } = range;
        Self { passage, id, start, end, start_byte, end_byte }
    }

    /// Where it is.
    #[must_use]
    pub fn range(&self) -> TextRange {
        let Self { start, end, start_byte, end_byte, .. } = *self;
        TextRange { start, end, start_byte, end_byte }
    }
}

impl Row for PassagePlaceRow {
    const SCHEMA: &'static str = "nearprint/passage-place/1";

    const COLUMNS: &'static [&'static str] =
        &["passage", "id", "start", "end", "start_byte", "end_byte"];

    fn write_cells(&self, line: &mut dyn FnMut(&[&str]) -> io::Result<()>) -> io::Result<()> {
        line(&[
            &self.passage.to_string(),
            self.id.as_str(),
            &self.start.to_string(),
            &self.end.to_string(),
            &self.start_byte.to_string(),
            &self.end_byte.to_string(),
        ])
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}\t{}\t{}", self.passage, self.id, Range(self.start, self.end))
    }
}
