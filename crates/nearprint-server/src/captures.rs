//! Captures of the Web as answers and pages show them. All of it was stored when they were added: no view compares
//! texts.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use nearprint::fingerprint::Fingerprint;
use nearprint::records::{Capture, Place, REVISIT_TYPE, write_cdxj_line};
use nearprint_index::{CaptureChange, ListedCapture};
use serde::Serialize;

use crate::problem::Problem;

/// A share in millionths, from 0 to 1.
fn share(millionths: u32) -> f64 {
    f64::from(millionths) / 1e6
}

/// How much a capture changed since the document before it; `None` for the first, and without a document.
pub(crate) fn change(captured: &ListedCapture) -> Option<CaptureChange> {
    captured.document.as_ref().and_then(|document| document.change)
}

/// The share of the words that changed, or of those of the main content; `None` where texts were not compared.
pub(crate) fn changed(captured: &ListedCapture, main_content: bool) -> Option<f64> {
    let change = change(captured)?;
    let millionths = if main_content { change.main_content } else { change.text };
    millionths.map(share)
}

/// The time of a capture, 14 digits; nothing where it is unknown.
pub(crate) fn date(captured: &ListedCapture) -> &str {
    captured.key.date.as_deref().unwrap_or_default()
}

/// The address of a capture, as it was captured; its key where only that is known.
pub(crate) fn address(captured: &ListedCapture) -> &str {
    captured.details.url.as_deref().unwrap_or(&captured.key.url_key)
}

/// The address that replays a capture, by a template with `{timestamp}` and `{url}`.
pub(crate) fn replay(template: &str, date: &str, url: &str) -> String {
    template.replace("{timestamp}", date).replace("{url}", url)
}

/// Where a list of captures continues.
pub(crate) fn cursor(captured: &ListedCapture) -> String {
    URL_SAFE_NO_PAD.encode(captured.row())
}

/// The row that a cursor names.
pub(crate) fn row_after(cursor: Option<&str>) -> Result<Option<Vec<u8>>, Problem> {
    let row = cursor.map(|cursor| URL_SAFE_NO_PAD.decode(cursor)).transpose();
    let row = row.ok().filter(|row| row.as_ref().is_none_or(|row| row.len() > 8));
    row.ok_or_else(|| Problem::invalid("?cursor", "this is not a next_cursor of a page before"))
}

/// What a line of an index of captures has beside what its readers know.
#[derive(Serialize)]
struct CdxjFields<'c> {
    #[serde(skip_serializing_if = "Option::is_none")]
    print: Option<&'c Fingerprint>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'c str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<String>,
}

/// Writes a capture as a line of an index of captures (CDXJ).
pub(crate) fn write_cdxj(captured: &ListedCapture, main_content: bool, out: &mut Vec<u8>) {
    let details = &captured.details;
    let mime = if details.is_revisit { Some(REVISIT_TYPE) } else { details.mime.as_deref() };
    let capture = Capture {
        url: address(captured).to_owned(),
        date: captured.key.date.clone(),
        status: details.status,
        mime: mime.map(str::to_owned),
        digest: captured.key.payload_digest.clone(),
        ..Capture::default()
    };
    let place = Place {
        file: details.file.as_deref().unwrap_or_default().into(),
        offset: details.offset,
        length: details.length,
        ..Place::default()
    };
    let fields = CdxjFields {
        print: captured.document.as_ref().map(|document| &document.fingerprint),
        title: details.title.as_deref(),
        changed: changed(captured, main_content).map(|share| share.to_string()),
    };
    // Writing to memory does not fail.
    let _ = write_cdxj_line(&capture, &place, fields, out);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replay_addresses_come_from_the_template() {
        let found = replay(
            "https://web.example.org/web/{timestamp}/{url}",
            "20200102030405",
            "http://e.org/?a=b",
        );
        assert_eq!(found, "https://web.example.org/web/20200102030405/http://e.org/?a=b");
    }

    #[test]
    fn cursors_are_rows() {
        assert_eq!(row_after(None).unwrap(), None);
        let row = b"org,example)/ 20200102030405\0\0\0\0\0\0\0\x07";
        let cursor = URL_SAFE_NO_PAD.encode(row);
        assert_eq!(row_after(Some(&cursor)).unwrap().as_deref(), Some(&row[..]));
        for bad in ["x", "", "é", "AAAA"] {
            assert!(row_after(Some(bad)).is_err(), "{bad}");
        }
    }

    #[test]
    fn shares_are_as_they_were_counted() {
        assert!((share(100_000) - 0.1).abs() < f64::EPSILON && share(0).abs() < f64::EPSILON);
    }
}
