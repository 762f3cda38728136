//! `nearprint/extraction/1`: the text of one document.

use std::io::{self, Write};

use serde::Serialize;

use super::fingerprint::ExtractionNote;
use crate::{DocumentId, ErrorRecord, ReasonCode, Row};

/// One document's text, or why there is none. Text form: the text as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ExtractionRow {
    /// The document.
    pub id: DocumentId,
    /// Its text.
    pub text: Option<String>,
    /// How the text was obtained.
    #[serde(flatten)]
    pub note: Option<ExtractionNote>,
    /// Why there is no text.
    #[serde(flatten)]
    pub failure: Option<ExtractionFailure>,
}

/// Why there is no text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ExtractionFailure {
    /// The reason.
    pub reason: ReasonCode,
    /// What happened, for a person to read.
    pub detail: Box<str>,
}

impl ExtractionRow {
    /// The row of a text.
    #[must_use]
    pub fn of_text(id: DocumentId, text: String, note: ExtractionNote) -> Self {
        Self { id, text: Some(text), note: Some(note), failure: None }
    }

    /// The row of a document without a text, called as [`crate::FingerprintRecord::of_error`] says.
    #[must_use]
    pub fn of_error(error: &ErrorRecord) -> Self {
        let id = error.id.clone();
        let id = id.unwrap_or_else(|| DocumentId::cut(&error.place.to_string()));
        let (reason, detail) = (error.reason.clone(), error.detail.clone());
        Self { id, text: None, note: None, failure: Some(ExtractionFailure { reason, detail }) }
    }
}

impl Row for ExtractionRow {
    const SCHEMA: &'static str = "nearprint/extraction/1";

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Some(text) = &self.text else { return Ok(()) };
        out.write_all(text.as_bytes())?;
        // A text that ends within a line would run into the next prompt.
        if text.is_empty() || text.ends_with('\n') { Ok(()) } else { out.write_all(b"\n") }
    }
}
