//! The line of a fingerprint in JSON: every field, as it is written and as it is read.

use nearprint_fingerprint::{Fingerprint, Scheme};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{ExtractionNote, FingerprintRecord, Note, Outcome};
use crate::{Capture, ContentDigests, DocumentId, Place, ReasonCode, Sha256Digest};

/// Makes both forms of a line, as it is written and as it is read, of one list of fields: its name, and its type in
/// either form.
macro_rules! line {
    ($($(#[$attribute:meta])* $field:ident: $written:ty => $read:ty,)*) => {
        /// The record as a line: every line has every field, null where there is nothing, so that tables can be made
        /// of them. Fields that were asked for are there only where they were.
        #[derive(Serialize)]
        struct Line<'a> {
            $($(#[$attribute])* $field: $written,)*
        }

        /// A line as it is read: as it is written.
        #[derive(Deserialize)]
        struct ReadLine {
            $($(#[$attribute])* $field: $read,)*
        }

        /// The names of the fields, for the test that compares them with the columns of a table.
        #[cfg(test)]
        pub(crate) const LINE_FIELDS: &[&str] = &[$(stringify!($field)),*];
    };
}

line! {
    id: &'a DocumentId => DocumentId,
    fingerprint: Option<&'a Fingerprint> => Option<Fingerprint>,
    scheme: Scheme => Scheme,
    tokens: Option<u64> => Option<u64>,
    short: Option<bool> => Option<bool>,
    reason: Option<&'a ReasonCode> => Option<ReasonCode>,
    detail: Option<&'a str> => Option<Box<str>>,
    media_type: Option<&'a str> => Option<String>,
    #[serde(default)]
    wrappers: &'a [String] => Vec<String>,
    charset: Option<&'a str> => Option<String>,
    charset_source: Option<&'a str> => Option<String>,
    extractor: Option<&'a str> => Option<String>,
    extractor_version: Option<u32> => Option<u32>,
    pages: Option<u32> => Option<u32>,
    characters: Option<u64> => Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    main_content: Option<&'a str> => Option<String>,
    #[serde(default)]
    warnings: &'a [Note] => Vec<Note>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content_sha256: Option<Option<Sha256Digest>> => Option<Sha256Digest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text_sha256: Option<Option<Sha256Digest>> => Option<Sha256Digest>,
    capture: Option<&'a Capture> => Option<Box<Capture>>,
    place: &'a Place => Place,
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
            main_content: note.and_then(|note| note.main_content.as_deref()),
            warnings: note.map_or(&[], |note| &note.warnings),
            content_sha256: self.digests.as_ref().map(|digests| digests.content),
            text_sha256: self.digests.as_ref().map(|digests| digests.text),
            capture: self.capture.as_deref(),
            place: &self.place,
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for FingerprintRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let line = ReadLine::deserialize(deserializer)?;
        let missing = |name| de::Error::missing_field(name);
        let outcome = match (line.fingerprint, line.reason) {
            (Some(fingerprint), _) => Outcome::Print {
                fingerprint,
                tokens: line.tokens.ok_or_else(|| missing("tokens"))?,
                short: line.short.ok_or_else(|| missing("short"))?,
            },
            (None, Some(reason)) => {
                Outcome::Nothing { reason, detail: line.detail.unwrap_or_default() }
            }
            (None, None) => return Err(missing("reason")),
        };
        let extraction = match (line.media_type, line.extractor) {
            (Some(media_type), Some(extractor)) => Some(ExtractionNote {
                media_type,
                wrappers: line.wrappers,
                charset: line.charset,
                charset_source: line.charset_source,
                extractor,
                extractor_version: line
                    .extractor_version
                    .ok_or_else(|| missing("extractor_version"))?,
                pages: line.pages,
                characters: line.characters.ok_or_else(|| missing("characters"))?,
                main_content: line.main_content,
                warnings: line.warnings,
            }),
            _ => None,
        };
        let ReadLine { id, place, scheme, capture, .. } = line;
        let read = ContentDigests { content: line.content_sha256, text: line.text_sha256 };
        let digests = (read != ContentDigests::default()).then(|| Box::new(read));
        Ok(Self { id, place, scheme, outcome, extraction, digests, capture })
    }
}
