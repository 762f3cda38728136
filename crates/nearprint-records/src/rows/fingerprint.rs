//! `nearprint/fingerprint/1`: what became of one document, and `nearprint/extraction/1`: its text.

use std::io::{self, Write};

use nearprint_fingerprint::{Fingerprint, Scheme};
use serde::{Serialize, Serializer};

use crate::{DocumentId, ErrorRecord, Place, ReasonCode, Row};

/// The schema of lines that hold prints, as written and as required when read.
pub(crate) const FINGERPRINT_SCHEMA: &str = "nearprint/fingerprint/1";

/// One document's fingerprint with how it was obtained, or why there is none.
///
/// Text form: `FINGERPRINT TAB ID`, and nothing for a document without a fingerprint.
#[derive(Debug, Clone, PartialEq)]
pub struct FingerprintRecord {
    /// The document.
    pub id: DocumentId,
    /// Where it was found.
    pub place: Place,
    /// The scheme asked for.
    pub scheme: Scheme,
    /// The fingerprint or its absence.
    pub outcome: Outcome,
    /// How the text was obtained; `None` where none was.
    pub extraction: Option<ExtractionNote>,
    /// The least certain bits of the fingerprint, the least certain first, where they were asked for.
    pub weak_bits: Option<[u8; 16]>,
}

/// A fingerprint, or the reason why there is none.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The document has a fingerprint.
    Print {
        /// It.
        fingerprint: Fingerprint,
        /// Token occurrences it was computed from, at least 1.
        tokens: u64,
        /// Whether these are so few that the standard calls the print short.
        short: bool,
    },
    /// The document has none.
    Nothing {
        /// The kind of reason.
        reason: ReasonCode,
        /// The reason, for a person to read.
        detail: Box<str>,
    },
}

impl FingerprintRecord {
    /// The record of a document that came to nothing before it could be extracted.
    ///
    /// Every document has a line of its own, so one whose name cannot be an id is called by its place, cut to the
    /// length of an id.
    #[must_use]
    pub fn of_error(error: ErrorRecord, scheme: Scheme) -> Self {
        let ErrorRecord { id, place, reason, detail } = error;
        let id = id.unwrap_or_else(|| DocumentId::cut(&place.to_string()));
        Self {
            id,
            place,
            scheme,
            outcome: Outcome::Nothing { reason, detail },
            extraction: None,
            weak_bits: None,
        }
    }
}

impl Outcome {
    /// The fingerprint, where there is one.
    #[must_use]
    pub fn fingerprint(&self) -> Option<&Fingerprint> {
        match self {
            Self::Print { fingerprint, .. } => Some(fingerprint),
            Self::Nothing { .. } => None,
        }
    }
}

/// How a text was taken out of a document. What each field says is stated with the extractors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExtractionNote {
    /// The media type, e.g. `text/html`.
    pub media_type: String,
    /// Compression that was undone, outermost first.
    pub wrappers: Vec<String>,
    /// The charset, where the medium has one.
    pub charset: Option<String>,
    /// How the charset was found.
    pub charset_source: Option<String>,
    /// The extractor's name.
    pub extractor: String,
    /// Its version: texts of one document by different versions may differ.
    pub extractor_version: u32,
    /// Pages, in paged media.
    pub pages: Option<u32>,
    /// Code points of text.
    pub characters: u64,
    /// What is worth knowing about the quality of the text.
    pub warnings: Vec<Note>,
}

/// One warning: a code and a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    /// The kind of warning.
    pub code: String,
    /// What was seen.
    pub detail: String,
}

impl Row for FingerprintRecord {
    const SCHEMA: &'static str = FINGERPRINT_SCHEMA;

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        match self.outcome.fingerprint() {
            Some(fingerprint) => writeln!(out, "{fingerprint}\t{}", self.id),
            None => Ok(()),
        }
    }
}

/// The record as a line: every line has every field, null where there is nothing, so that tables can be made of them.
#[derive(Serialize)]
struct Line<'a> {
    id: &'a DocumentId,
    fingerprint: Option<&'a Fingerprint>,
    scheme: Scheme,
    tokens: Option<u64>,
    short: Option<bool>,
    reason: Option<&'a ReasonCode>,
    detail: Option<&'a str>,
    media_type: Option<&'a str>,
    wrappers: &'a [String],
    charset: Option<&'a str>,
    charset_source: Option<&'a str>,
    extractor: Option<&'a str>,
    extractor_version: Option<u32>,
    pages: Option<u32>,
    characters: Option<u64>,
    warnings: &'a [Note],
    #[serde(skip_serializing_if = "Option::is_none")]
    weak_bits: Option<&'a [u8; 16]>,
    place: &'a Place,
}

impl Serialize for FingerprintRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let note = self.extraction.as_ref();
        let (fingerprint, tokens, short, reason, detail) = match &self.outcome {
            Outcome::Print { fingerprint, tokens, short } => {
                (Some(fingerprint), Some(*tokens), Some(*short), None, None)
            }
            Outcome::Nothing { reason, detail } => {
                (None, None, None, Some(reason), Some(&**detail))
            }
        };
        Line {
            id: &self.id,
            fingerprint,
            scheme: self.scheme,
            tokens,
            short,
            reason,
            detail,
            media_type: note.map(|note| note.media_type.as_str()),
            wrappers: note.map_or(&[], |note| &note.wrappers),
            charset: note.and_then(|note| note.charset.as_deref()),
            charset_source: note.and_then(|note| note.charset_source.as_deref()),
            extractor: note.map(|note| note.extractor.as_str()),
            extractor_version: note.map(|note| note.extractor_version),
            pages: note.and_then(|note| note.pages),
            characters: note.map(|note| note.characters),
            warnings: note.map_or(&[], |note| &note.warnings),
            weak_bits: self.weak_bits.as_ref(),
            place: &self.place,
        }
        .serialize(serializer)
    }
}

/// One document's text. Text form: the text as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExtractionRow {
    /// The document.
    pub id: DocumentId,
    /// Its text.
    pub text: String,
    /// How it was obtained.
    #[serde(flatten)]
    pub note: ExtractionNote,
}

impl Row for ExtractionRow {
    const SCHEMA: &'static str = "nearprint/extraction/1";

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(self.text.as_bytes())?;
        // A text that ends within a line would run into the next prompt.
        if self.text.is_empty() || self.text.ends_with('\n') {
            Ok(())
        } else {
            out.write_all(b"\n")
        }
    }
}
