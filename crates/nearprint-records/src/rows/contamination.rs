//! `nearprint/contamination/1`: an item of a test that a training document has, or that cannot be decided about.

use std::io::{self, Write};

use serde::Serialize;

use super::shared_passage::TextRange;
use crate::{DocumentId, Row};

/// What is known of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The document has it.
    Contaminated,
    /// It has too few tokens to be looked for.
    Undecidable,
}

impl Verdict {
    /// Its name in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Contaminated => "contaminated",
            Self::Undecidable => "undecidable",
        }
    }
}

/// Which part of an item is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ItemPart {
    /// The question.
    #[default]
    Question,
    /// The passage that the question is about.
    Passage,
}

impl ItemPart {
    /// Its name in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Question => "question",
            Self::Passage => "passage",
        }
    }
}

/// An item and a document that has it. Text form: `VERDICT TAB ITEM TAB PART TAB ITEM-TOKENS TAB DOCUMENT TAB START-END
/// TAB TOKENS TAB ANSWER`, START and END in characters, ANSWER `answered` or `unanswered`, `-` for what there is not.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ContaminationRow {
    /// The verdict.
    pub verdict: Verdict,
    /// The item.
    pub item: DocumentId,
    /// Which part of it is meant.
    pub part: ItemPart,
    /// The tokens of that part.
    pub item_tokens: u64,
    /// The document; `None` where nothing is decided.
    pub document: Option<DocumentId>,
    /// Where the longest run of the item begins in the document, in characters of its text.
    pub start: Option<u64>,
    /// Where it ends.
    pub end: Option<u64>,
    /// Where it begins, in bytes.
    pub start_byte: Option<u64>,
    /// Where it ends, in bytes.
    pub end_byte: Option<u64>,
    /// The tokens of that run.
    pub tokens: Option<u64>,
    /// The share of the item that the document has, 0 to 1: the tokens of the run, or by share8 the runs of 8
    /// tokens.
    pub share: Option<f64>,
    /// Whether the answer follows; `None` where the item has none.
    pub answer: Option<bool>,
    /// How many stretches of the document a rule cuts out; `None` where it cuts nothing.
    pub cuts: Option<u64>,
    /// What it leaves of the document, in order; nothing where the document is dropped, and where there are no cuts.
    pub pieces: Vec<TextPiece>,
}

/// A piece of a text, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct TextPiece {
    /// Where it begins.
    pub start: u64,
    /// Where it ends.
    pub end: u64,
}

impl ContaminationRow {
    /// An item without a document.
    #[must_use]
    pub fn new(verdict: Verdict, item: DocumentId, item_tokens: u64) -> Self {
        Self {
            verdict,
            item,
            part: ItemPart::Question,
            item_tokens,
            document: None,
            start: None,
            end: None,
            start_byte: None,
            end_byte: None,
            tokens: None,
            share: None,
            answer: None,
            cuts: None,
            pieces: Vec::new(),
        }
    }

    /// Notes the document that has it, where, and how much of it.
    pub fn found_in(&mut self, document: DocumentId, range: TextRange, tokens: u64, share: f64) {
        self.document = Some(document);
        (self.start, self.end) = (Some(range.start), Some(range.end));
        (self.start_byte, self.end_byte) = (Some(range.start_byte), Some(range.end_byte));
        (self.tokens, self.share) = (Some(tokens), Some(share));
    }
}

impl Row for ContaminationRow {
    const SCHEMA: &'static str = "nearprint/contamination/1";

    const COLUMNS: &'static [&'static str] = &[
        "verdict",
        "item",
        "part",
        "item_tokens",
        "document",
        "start",
        "end",
        "start_byte",
        "end_byte",
        "tokens",
        "share",
        "answer",
        "cuts",
        "pieces",
    ];

    fn write_cells(&self, line: &mut dyn FnMut(&[&str]) -> io::Result<()>) -> io::Result<()> {
        let [start, end, start_byte, end_byte, tokens] =
            [self.start, self.end, self.start_byte, self.end_byte, self.tokens]
                .map(|number| number.map(|number| number.to_string()).unwrap_or_default());
        let share = self.share.map(|share| share.to_string()).unwrap_or_default();
        let answer = self.answer.map(|answer| answer.to_string()).unwrap_or_default();
        let cuts = self.cuts.map(|cuts| cuts.to_string()).unwrap_or_default();
        let piece = |TextPiece { start, end }: &TextPiece| format!("{start}-{end}");
        let pieces: Vec<String> = self.pieces.iter().map(piece).collect();
        line(&[
            self.verdict.name(),
            self.item.as_str(),
            self.part.name(),
            &self.item_tokens.to_string(),
            self.document.as_ref().map_or("", DocumentId::as_str),
            &start,
            &end,
            &start_byte,
            &end_byte,
            &tokens,
            &share,
            &answer,
            &cuts,
            &pieces.join(" "),
        ])
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { item, item_tokens, .. } = self;
        write!(out, "{}\t{item}\t{}\t{item_tokens}\t", self.verdict.name(), self.part.name())?;
        match (&self.document, self.start, self.end, self.tokens) {
            (Some(document), Some(start), Some(end), Some(tokens)) => {
                write!(out, "{document}\t{start}-{end}\t{tokens}\t")?;
            }
            _ => out.write_all(b"-\t-\t-\t")?,
        }
        writeln!(
            out,
            "{}",
            match self.answer {
                Some(true) => "answered",
                Some(false) => "unanswered",
                None => "-",
            }
        )
    }
}
