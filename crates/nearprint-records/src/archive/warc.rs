//! Headers of WARC records, by ISO 28500, as they are found.

use std::borrow::Cow;

use super::Head;
use crate::{Capture, RevisitedCapture};

/// Whether a record begins here: `WARC/` and a version.
pub(super) fn begins(bytes: &[u8]) -> bool {
    matches!(bytes, [b'W', b'A', b'R', b'C', b'/', major, b'.', minor, ..] if major.is_ascii_digit() && minor.is_ascii_digit())
}

/// Bytes of a header that ends with an empty line; of HTTP messages the same.
pub(super) fn head_end(bytes: &[u8]) -> Option<usize> {
    // Some writers end lines with LF alone.
    memchr::memchr_iter(b'\n', bytes).find_map(|at| match bytes[at + 1..] {
        [b'\n', ..] => Some(at + 2),
        [b'\r', b'\n', ..] => Some(at + 3),
        _ => None,
    })
}

/// Bytes of a record's header: up to the empty line that ends it, or to the next line that begins a record.
///
/// A header that has such a line was cut, and searching it to its end for each of its lines would take time in the
/// square of its length.
pub(super) fn record_head_end(bytes: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b'\n', bytes).find_map(|at| match bytes[at + 1..] {
        [b'\n', ..] => Some(at + 2),
        [b'\r', b'\n', ..] => Some(at + 3),
        ref rest => begins(rest).then_some(at + 1),
    })
}

/// Whether an empty line ends this header.
pub(super) fn is_whole(header: &[u8]) -> bool {
    header.ends_with(b"\n\n") || header.ends_with(b"\n\r\n")
}

/// A line of a header: UTF-8, or else the ISO 8859-1 of old servers and archives, each byte a letter.
pub(super) fn decoded(line: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(line) {
        Ok(line) => Cow::Borrowed(line),
        Err(_) => line.iter().copied().map(char::from).collect(),
    }
}

/// Names and values of a header's lines after the first.
pub(super) fn fields(bytes: &[u8]) -> Vec<(String, String)> {
    // Nearly all are UTF-8, which is made sure of several times as fast for all lines together.
    let lines: Box<dyn Iterator<Item = Cow<'_, str>>> = match std::str::from_utf8(bytes) {
        Ok(text) => Box::new(text.split('\n').map(Cow::Borrowed)),
        Err(_) => Box::new(bytes.split(|&byte| byte == b'\n').map(decoded)),
    };
    let mut fields: Vec<(String, String)> = Vec::new();
    for line in lines.skip(1) {
        let line = line.trim_end();
        match (line.strip_prefix([' ', '\t']), fields.last_mut()) {
            // A line that continues with the one before.
            (Some(more), Some((_, value))) => {
                value.push(' ');
                value.push_str(more.trim());
            }
            _ => {
                if let Some((name, value)) = line.split_once(':') {
                    fields.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
                }
            }
        }
    }
    fields
}

/// Reads a record's header.
pub(super) fn head(bytes: &[u8]) -> Result<Head, String> {
    let mut head = Head { kind: "other", ..Head::default() };
    let mut capture = Capture::default();
    let (mut length, mut block_digest) = (None, None);
    let mut revisited = RevisitedCapture::default();
    for (name, value) in fields(bytes) {
        match &*name {
            "warc-type" => (head.kind, head.is_document) = kind(&value),
            "content-length" => {
                let digits = value.bytes().all(|byte| byte.is_ascii_digit());
                let number = digits.then(|| value.parse().ok()).flatten();
                let shown =
                    || value.chars().take(40).collect::<String>().escape_debug().to_string();
                length =
                    Some(number.ok_or_else(|| {
                        format!("Content-Length is not a number: \"{}\"", shown())
                    })?);
            }
            "warc-target-uri" => capture.url = unbracketed(&value).to_owned(),
            "warc-date" => capture.date = date(&value),
            "warc-record-id" => head.record_id = Some(unbracketed(&value).to_owned()),
            "warc-payload-digest" => capture.digest = Some(value),
            "warc-block-digest" => block_digest = Some(value),
            "warc-refers-to-target-uri" => revisited.url = Some(unbracketed(&value).to_owned()),
            "warc-refers-to-date" => revisited.date = date(&value),
            "warc-truncated" => capture.truncated = Some(value),
            "content-type" => head.media_type = Some(value),
            // The first segment of a record whose others lie elsewhere.
            "warc-segment-number" => capture.truncated = Some("segment".to_owned()),
            _ => {}
        }
    }
    head.length = length.ok_or("the header of the record has no Content-Length")?;
    head.is_http = head.kind == "response"
        && !head.media_type.as_deref().is_some_and(|value| value.starts_with("text/dns"));
    if head.kind == "response" && capture.url.starts_with("dns:") {
        (head.kind, head.is_document) = ("dns", false);
    }
    // Of what is not a message the block is the payload.
    if capture.digest.is_none() && !head.is_http {
        capture.digest = block_digest;
    }
    capture.revisited = (head.kind == "revisit").then(|| Box::new(revisited));
    head.capture = capture;
    Ok(head)
}

/// The kinds of records, and whether they are documents.
fn kind(name: &str) -> (&'static str, bool) {
    match name.to_ascii_lowercase().as_str() {
        "response" => ("response", true),
        "resource" => ("resource", true),
        "conversion" => ("conversion", true),
        "request" => ("request", false),
        "revisit" => ("revisit", false),
        "metadata" => ("metadata", false),
        "warcinfo" => ("warcinfo", false),
        "continuation" => ("continuation", false),
        _ => ("other", false),
    }
}

/// Ids and, in old archives, addresses stand in angle brackets.
pub(super) fn unbracketed(value: &str) -> &str {
    value.strip_prefix('<').and_then(|value| value.strip_suffix('>')).unwrap_or(value)
}

/// A time as 14 digits.
pub(super) fn date(value: &str) -> Option<String> {
    let digits: String = value.chars().filter(char::is_ascii_digit).take(14).collect();
    (digits.len() == 14).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_as_they_are_found() {
        let text = b"WARC/1.1\r\nwarc-type: Response\r\nWARC-Target-URI: <http://e.org/a b>\r\nWARC-Date: 2020-01-02T03:04:05.678Z\r\nWARC-Record-ID: <urn:x>\r\nContent-Type: application/http;\r\n msgtype=response\r\nno colon\r\nContent-Length: 12\r\nWARC-Payload-Digest: sha1:X\r\n\r\n";
        assert_eq!(head_end(text), Some(text.len()));
        let found = head(text).unwrap();
        assert_eq!(
            (found.kind, found.is_document, found.is_http, found.length),
            ("response", true, true, 12)
        );
        assert_eq!(found.record_id.as_deref(), Some("urn:x"));
        assert_eq!(found.media_type.as_deref(), Some("application/http; msgtype=response"));
        assert_eq!(found.capture.url, "http://e.org/a b");
        assert_eq!(found.capture.date.as_deref(), Some("20200102030405"));
        assert_eq!(found.capture.digest.as_deref(), Some("sha1:X"));
    }

    #[test]
    fn lines_that_are_no_utf_8_are_of_latin_1() {
        let text = b"WARC/1.0\r\nContent-Length: 1\r\nWARC-Target-URI: http://e.org/\xE9\r\nWARC-Record-ID: \xC3\xA9\r\n\r\n";
        let found = head(text).unwrap();
        assert_eq!(found.capture.url, "http://e.org/\u{E9}");
        assert_eq!(found.record_id.as_deref(), Some("\u{E9}"));
    }

    #[test]
    fn lines_may_end_with_lf_alone() {
        assert_eq!(head_end(b"WARC/1.0\nContent-Length: 1\n\nx\r\n\r\n"), Some(28));
        assert_eq!(head_end(b"WARC/1.0\r\nContent-Length: 1\r\n\r\nx\n\n"), Some(31));
        assert_eq!(head_end(b"WARC/1.0\r\n"), None);
    }

    #[test]
    fn lengths_are_numbers() {
        for bad in ["", "-1", "+1", "1e3", "99999999999999999999"] {
            let text = format!("WARC/1.0\r\nContent-Length: {bad}\r\n\r\n");
            assert!(head(text.as_bytes()).unwrap_err().contains("Content-Length"), "{bad}");
        }
        assert!(head(b"WARC/1.0\r\n\r\n").unwrap_err().contains("no Content-Length"));
    }
}
