//! Lines of an index of captures (CDXJ) with the fingerprint, or what was decided, beside the fields that its readers
//! know.

use std::io::{self, Write};

use nearprint_fingerprint::{Fingerprint, Scheme};
use serde::Serialize;

use super::decision::DecisionRow;
use super::fingerprint::{FingerprintRecord, Outcome};
use crate::surt::surt;
use crate::{Capture, DocumentId, Place, ReasonCode};

/// The object of a line: what indexers write of a capture, and then what was found. Numbers are text, as pywb writes
/// them.
#[derive(Serialize)]
struct Line<'a, F> {
    url: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<String>,
    filename: &'a str,
    #[serde(flatten)]
    found: F,
}

/// Fingerprint of a capture.
#[derive(Serialize)]
struct CaptureFingerprint<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    print: Option<&'a Fingerprint>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a ReasonCode>,
    scheme: Scheme,
    #[serde(skip_serializing_if = "Option::is_none")]
    extractor: Option<String>,
}

/// Decision of deduplication about a capture.
#[derive(Serialize)]
struct CaptureDecision<'a> {
    decision: &'a str,
    reason: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    representative: Option<&'a DocumentId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    similarity: Option<String>,
}

/// Writes the line of a capture; nothing for what is none.
pub(super) fn write(record: &FingerprintRecord, out: &mut dyn Write) -> io::Result<()> {
    let Some(capture) = &record.capture else { return Ok(()) };
    let (print, reason) = match &record.outcome {
        Outcome::Print { fingerprint, .. } => (Some(fingerprint), None),
        Outcome::Nothing { reason, .. } => (None, Some(reason)),
    };
    let extractor = record.extraction.as_ref();
    let extractor = extractor.map(|note| format!("{}/{}", note.extractor, note.extractor_version));
    let found = CaptureFingerprint { print, reason, scheme: record.scheme, extractor };
    write_cdxj_line(capture, &record.place, found, out)
}

/// The same with a decision in place of the fingerprint.
pub(super) fn write_decision(row: &DecisionRow, out: &mut dyn Write) -> io::Result<()> {
    let Some(capture) = &row.capture else { return Ok(()) };
    let found = CaptureDecision {
        decision: row.decision.name(),
        reason: row.reason.name(),
        representative: row.representative.as_ref(),
        similarity: row.similarity.map(|similarity| format!("{similarity:.4}")),
    };
    write_cdxj_line(capture, &row.place, found, out)
}

/// Writes a line of an index of captures (CDXJ): what its readers know of the capture whose record is at a place, and
/// then the fields of `found`, which serializes as an object. Numbers are text, as pywb writes them.
///
/// # Errors
/// Those of `out`.
pub fn write_cdxj_line(
    capture: &Capture,
    place: &Place,
    found: impl Serialize,
    out: &mut dyn Write,
) -> io::Result<()> {
    // Of a file that is compressed as a whole no record can be read alone.
    let alone = place.wrapper.is_none();
    let file = place.member.as_ref().unwrap_or(&place.file);
    let line = Line {
        url: &capture.url,
        mime: capture.mime.as_deref(),
        status: capture.status.map(|status| status.to_string()),
        digest: capture.digest.as_deref(),
        length: place.length.filter(|_| alone).map(|length| length.to_string()),
        offset: place.offset.filter(|_| alone).map(|offset| offset.to_string()),
        filename: file.rsplit('/').next().unwrap_or(file),
        found,
    };
    write!(out, "{} {} ", surt(&capture.url), capture.date.as_deref().unwrap_or("-"))?;
    serde_json::to_writer(&mut *out, &line)?;
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Capture, DocumentId, Place};

    #[test]
    fn captures_have_lines_and_others_none() {
        let capture = Capture {
            url: "http://www.example.org/A".to_owned(),
            date: Some("20210304050607".to_owned()),
            status: Some(200),
            mime: Some("text/html".to_owned()),
            ..Capture::default()
        };
        let record = FingerprintRecord {
            id: DocumentId::new("x").unwrap(),
            place: Place {
                file: "crawl/a.warc.gz".into(),
                offset: Some(7),
                length: Some(90),
                ..Place::default()
            },
            scheme: Scheme::SD1,
            outcome: Outcome::Nothing { reason: ReasonCode::NO_TOKENS, detail: "".into() },
            extraction: None,
            digests: None,
            capture: Some(Box::new(capture)),
        };
        let mut out = Vec::new();
        write(&record, &mut out).unwrap();
        let expected = "org,example)/a 20210304050607 {\"url\":\"http://www.example.org/A\",\"mime\":\"text/html\",\"status\":\"200\",\"length\":\"90\",\"offset\":\"7\",\"filename\":\"a.warc.gz\",\"reason\":\"no-tokens\",\"scheme\":\"sd1\"}\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
        let mut out = Vec::new();
        write(&FingerprintRecord { capture: None, ..record }, &mut out).unwrap();
        assert!(out.is_empty());
    }
}
