//! `nearprint/fingerprint/1`: what became of one document.

#[cfg(feature = "json")]
mod line;

use std::io::{self, Write};

use nearprint_fingerprint::{Fingerprint, Scheme};

use crate::separated_writer::cell;
use crate::{
    Capture, ContentDigests, DocumentId, ErrorRecord, Place, ReasonCode, Row, write_print_line,
};

/// The schema of lines that hold fingerprints, as written and as required when read.
pub(crate) const FINGERPRINT_SCHEMA: &str = "nearprint/fingerprint/1";

/// One document's fingerprint with how it was obtained, or why there is none.
///
/// Text form: `FINGERPRINT TAB ID`, with `TAB short` after it for a short fingerprint, and nothing for a document
/// without a fingerprint.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FingerprintRecord {
    /// The document.
    pub id: DocumentId,
    /// Where it was found.
    pub place: Place,
    /// The scheme asked for.
    pub scheme: Scheme,
    /// The fingerprint or its absence.
    pub outcome: Outcome,
    /// How the text was obtained; `None` if none was.
    pub extraction: Option<ExtractionNote>,
    /// Digests of the document, where they were asked for.
    pub digests: Option<Box<ContentDigests>>,
    /// What its archive says about it, where it comes from one.
    pub capture: Option<Box<Capture>>,
}

/// A fingerprint, or the reason why there is none.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The document has a fingerprint.
    #[non_exhaustive]
    Print {
        /// It.
        fingerprint: Fingerprint,
        /// Token occurrences it was computed from, at least 1.
        tokens: u64,
        /// Whether these are so few that the standard calls the fingerprint short.
        short: bool,
    },
    /// The document has none.
    #[non_exhaustive]
    Nothing {
        /// The kind of reason.
        reason: ReasonCode,
        /// The reason, for a person to read.
        detail: Box<str>,
    },
}

impl FingerprintRecord {
    /// The record of a document of which nothing else is known.
    #[must_use]
    pub fn new(id: DocumentId, place: Place, scheme: Scheme, outcome: Outcome) -> Self {
        Self { id, place, scheme, outcome, extraction: None, digests: None, capture: None }
    }

    /// Whether it is that of a revisit of an archive, which has no content of its own.
    #[must_use]
    pub fn is_revisit(&self) -> bool {
        self.capture.as_ref().is_some_and(|capture| capture.revisited.is_some())
    }

    /// The record of a document that came to nothing before it could be extracted.
    ///
    /// Every document has a line of its own, so one whose name cannot be an id is called by its place, cut to the
    /// length of an id.
    #[must_use]
    pub fn of_error(error: ErrorRecord, scheme: Scheme) -> Self {
        let ErrorRecord { id, place, reason, detail } = error;
        let id = id.unwrap_or_else(|| DocumentId::cut(&place.to_string()));
        Self::new(id, place, scheme, Outcome::nothing(reason, detail))
    }
}

impl Outcome {
    /// A fingerprint, of so many tokens; `short` if they are few for its scheme.
    #[must_use]
    pub fn print(fingerprint: Fingerprint, tokens: u64, short: bool) -> Self {
        Self::Print { fingerprint, tokens, short }
    }

    /// No fingerprint.
    #[must_use]
    pub fn nothing(reason: ReasonCode, detail: impl Into<Box<str>>) -> Self {
        Self::Nothing { reason, detail: detail.into() }
    }

    /// Whether there is no fingerprint for this reason.
    #[must_use]
    pub fn is(&self, wanted: &ReasonCode) -> bool {
        matches!(self, Self::Nothing { reason, .. } if reason == wanted)
    }

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
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
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
    /// How the main content of a page was told, where it was asked for.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub main_content: Option<String>,
    /// What is worth knowing about the quality of the text.
    pub warnings: Vec<Note>,
}

/// One warning: a code and a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Note {
    /// The kind of warning.
    pub code: String,
    /// What was seen.
    pub detail: String,
}

impl Note {
    /// The code of a warning that is not extraction's: an archive holds only the beginning of the document.
    pub const TRUNCATED: &'static str = "truncated";

    /// The code of the mark of texts that do not follow the standard's extraction profile ([16.5]): a rule for main
    /// content or a fallback made them, or the document is damaged.
    pub const OUTSIDE_PROFILE: &'static str = "outside-profile";

    /// A warning of this code.
    #[must_use]
    pub fn new(code: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { code: code.into(), detail: detail.into() }
    }
}

impl Row for FingerprintRecord {
    const SCHEMA: &'static str = FINGERPRINT_SCHEMA;

    const COLUMNS: &'static [&'static str] = &[
        "id",
        "fingerprint",
        "scheme",
        "tokens",
        "short",
        "reason",
        "detail",
        "media_type",
        "charset",
        "extractor",
        "extractor_version",
        "pages",
        "characters",
        "warnings",
        "url",
        "date",
        "status",
        "file",
        "offset",
        "length",
        "line",
        "row",
        "record",
        "wrapper",
        "member",
    ];

    fn write_cells(&self, line: &mut dyn FnMut(&[&str]) -> io::Result<()>) -> io::Result<()> {
        let (fingerprint, tokens, short, reason, detail) = match &self.outcome {
            Outcome::Print { fingerprint, tokens, short } => {
                (Some(fingerprint), Some(tokens), Some(short), None, "")
            }
            Outcome::Nothing { reason, detail } => (None, None, None, Some(reason), &**detail),
        };
        let (note, capture) = (self.extraction.as_ref(), self.capture.as_ref());
        let codes = |note: &ExtractionNote| {
            note.warnings.iter().map(|warning| &*warning.code).collect::<Vec<_>>().join(" ")
        };
        let cells = [
            self.id.to_string(),
            cell(fingerprint),
            self.scheme.to_string(),
            cell(tokens),
            cell(short),
            cell(reason),
            detail.to_owned(),
            cell(note.map(|note| &note.media_type)),
            cell(note.and_then(|note| note.charset.as_ref())),
            cell(note.map(|note| &note.extractor)),
            cell(note.map(|note| note.extractor_version)),
            cell(note.and_then(|note| note.pages)),
            cell(note.map(|note| note.characters)),
            cell(note.map(codes)),
            cell(capture.map(|capture| &capture.url)),
            cell(capture.and_then(|capture| capture.date.as_ref())),
            cell(capture.and_then(|capture| capture.status)),
        ];
        let place = self.place.cells();
        let cells: Vec<&str> = cells.iter().chain(&place).map(String::as_str).collect();
        line(&cells)
    }

    fn write_cdxj(&self, out: &mut dyn Write) -> io::Result<()> {
        super::cdxj::write(self, out)
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.outcome {
            Outcome::Print { fingerprint, short, .. } => {
                write_print_line(out, fingerprint, &self.id, Some(*short))
            }
            Outcome::Nothing { .. } => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::line::LINE_FIELDS;
    use super::*;
    use crate::{Sha256Digest, TableRow};

    #[test]
    fn records_are_read_as_they_were_written() {
        let note = ExtractionNote {
            media_type: "text/html".to_owned(),
            wrappers: vec!["gzip".to_owned()],
            charset: Some("UTF-8".to_owned()),
            charset_source: None,
            extractor: "html".to_owned(),
            extractor_version: 3,
            pages: None,
            characters: 12,
            main_content: Some("whole-page".to_owned()),
            warnings: vec![Note { code: "recovered".to_owned(), detail: "a \"quote\"".to_owned() }],
        };
        let fingerprint = Fingerprint::from_u64(Scheme::SD1, 77).unwrap();
        let print = FingerprintRecord {
            id: DocumentId::new("a").unwrap(),
            place: Place { file: "f".into(), offset: Some(7), ..Place::default() },
            scheme: Scheme::SD1,
            outcome: Outcome::Print { fingerprint, tokens: 9, short: true },
            extraction: Some(note),
            digests: Some(Box::new(ContentDigests {
                content: Some(Sha256Digest([0xA7; 32])),
                text: None,
            })),
            capture: Some(Box::new(Capture { url: "http://e.org/".into(), ..Capture::default() })),
        };
        let outcome = Outcome::Nothing { reason: ReasonCode::NO_TOKENS, detail: "no word".into() };
        let nothing =
            FingerprintRecord { outcome, extraction: None, digests: None, ..print.clone() };
        for record in [print, nothing] {
            let line = serde_json::to_string(&record).unwrap();
            assert_eq!(serde_json::from_str::<FingerprintRecord>(&line).unwrap(), record);
        }
        assert!(serde_json::from_str::<FingerprintRecord>("{\"id\":\"a\"}").is_err());
    }

    #[test]
    fn lines_tables_and_separated_values_have_the_same_fields() {
        let mut columns: Vec<&str> =
            FingerprintRecord::columns(Scheme::SD1).iter().map(|column| column.name).collect();
        // The fingerprint as a number, which JSON has no type for.
        columns.retain(|name| *name != "print");
        columns.sort_unstable();
        let mut fields = LINE_FIELDS.to_vec();
        fields.sort_unstable();
        assert_eq!(columns, fields);
        // A line of separated values has parts of the lists and groups, and nothing that has to be asked for.
        let (capture, place) = (["url", "date", "status"], ["file", "offset", "length", "line"]);
        let parts = [&capture[..], &place, &["row", "record", "wrapper", "member"]].concat();
        let asked_for = ["main_content", "content_sha256", "text_sha256"];
        let left_out =
            [&["capture", "place", "wrappers", "charset_source"], &asked_for[..]].concat();
        let mut expected: Vec<&str> =
            fields.into_iter().filter(|name| !left_out.contains(name)).chain(parts).collect();
        expected.sort_unstable();
        let mut cells = FingerprintRecord::COLUMNS.to_vec();
        cells.sort_unstable();
        assert_eq!(cells, expected);
    }
}
