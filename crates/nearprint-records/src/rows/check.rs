//! `nearprint/check/1`: what a check found about one decision.

use std::io::{self, Write};

use serde::Serialize;

use crate::{DocumentId, Row};

/// Whether a decision to drop a document holds when both documents are read again. Text form: `holds`, `false` or
/// `unread`, `REASON`, `SIMILARITY`, `REPRESENTATIVE`, `ID` and what was found, separated by tabs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CheckRow {
    /// The document that was dropped.
    pub id: DocumentId,
    /// The one that was kept in its stead.
    pub representative: Option<DocumentId>,
    /// The reason that was stated.
    pub reason: String,
    /// The similarity that was stated.
    pub similarity: Option<f64>,
    /// Whether the decision holds; `None` where a document could not be read again.
    pub holds: Option<bool>,
    /// What was found, in words.
    pub found: String,
}

impl CheckRow {
    /// A decision of this reason that was not judged yet.
    #[must_use]
    pub fn new(id: DocumentId, representative: Option<DocumentId>, reason: String) -> Self {
        Self { id, representative, reason, similarity: None, holds: None, found: String::new() }
    }
}

impl Row for CheckRow {
    const SCHEMA: &'static str = "nearprint/check/1";

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let verdict = match self.holds {
            Some(true) => "holds",
            Some(false) => "false",
            None => "unread",
        };
        let similarity = self.similarity.map_or("-".to_owned(), |found| format!("{found:.4}"));
        let representative = self.representative.as_ref().map_or("-", DocumentId::as_str);
        let Self { reason, id, found, .. } = self;
        writeln!(out, "{verdict}\t{reason}\t{similarity}\t{representative}\t{id}\t{found}")
    }
}
