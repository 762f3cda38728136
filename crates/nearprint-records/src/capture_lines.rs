//! Indexes of captures, read: CDXJ, and CDX with any order of fields. They say which captures an archive holds, and
//! hold no texts.
//!
//! A line that cannot be read is an error record, and reading continues after it. Keys of addresses are made again from
//! the addresses: those of other programs may follow other rules.

use std::io::{BufRead, Read};

use serde_json::{Map, Value};

use crate::{Capture, ErrorRecord, Place, ReasonCode};

/// Bytes of a line (<=).
const LONGEST_LINE: u64 = 1 << 20;

/// The fields of a CDX file without a heading, by how many there are.
const USUAL_FIELDS: [&str; 2] = ["N b a m s k r M S V g", "N b a m s k r V g"];

/// A capture that an index names, and where its record is.
pub type IndexedCapture = (Capture, Place);

/// Reads an index of captures.
#[derive(Debug)]
pub struct CaptureLines<R> {
    name: Box<str>,
    reader: R,
    line: u64,
    /// The fields of CDX in their order, each a letter, once they are known.
    fields: Option<Vec<u8>>,
    /// What is between fields.
    delimiter: u8,
    ended: bool,
}

impl<R: BufRead> CaptureLines<R> {
    /// A reader of what is called `name` in places of errors.
    pub fn new(name: impl Into<Box<str>>, reader: R) -> Self {
        let (line, fields, delimiter) = (0, None, b' ');
        Self { name: name.into(), reader, line, fields, delimiter, ended: false }
    }

    /// Whether these are the first bytes of an index of captures.
    ///
    /// ```
    /// use nearprint_records::CaptureLines;
    ///
    /// let is_begun_by = CaptureLines::<&[u8]>::is_begun_by;
    /// assert!(is_begun_by(b" CDX N b a m s k r M S V g\n"));
    /// assert!(is_begun_by(b"org,example)/ 20260101000000 {\"url\": \"http://example.org/\"}\n"));
    /// assert!(!is_begun_by(b"Fog came in at noon.\n"));
    /// ```
    #[must_use]
    pub fn is_begun_by(bytes: &[u8]) -> bool {
        let line = bytes.split(|&byte| byte == b'\n').find(|line| !line.trim_ascii().is_empty());
        let Some(line) = line.map(<[u8]>::trim_ascii_end) else { return false };
        if heading(line).is_some() || line.starts_with(b"!OpenWayback-CDXJ") {
            return true;
        }
        let mut parts = line.split(|&byte| byte == b' ');
        let (key, date, rest) = (parts.next(), parts.next(), parts.next());
        let is_date = date.is_some_and(|date| {
            (14..=17).contains(&date.len()) && date.iter().all(u8::is_ascii_digit)
        });
        let count = line.split(|&byte| byte == b' ').count();
        let is_usual = USUAL_FIELDS.iter().any(|usual| usual.split(' ').count() == count);
        let is_object = rest.is_some_and(|rest| rest.starts_with(b"{"));
        key.is_some_and(|key| !key.is_empty()) && is_date && (is_object || is_usual)
    }

    fn refused(&self, detail: impl Into<Box<str>>) -> ErrorRecord {
        let place = Place { file: self.name.clone(), line: Some(self.line), ..Place::default() };
        ErrorRecord { id: None, place, reason: ReasonCode::BAD_LINE, detail: detail.into() }
    }

    /// The next line without its end; `None` at the end of the file.
    fn read_line(&mut self) -> Option<Result<Vec<u8>, ErrorRecord>> {
        let mut bytes = Vec::new();
        self.line += 1;
        match Read::take(&mut self.reader, LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) => None,
            Ok(read) if read as u64 == LONGEST_LINE && bytes.last() != Some(&b'\n') => {
                self.ended = true;
                Some(Err(self.refused("the line is too long")))
            }
            Ok(_) => {
                bytes.truncate(bytes.trim_ascii_end().len());
                Some(Ok(bytes))
            }
            Err(error) => {
                self.ended = true;
                let refused = self.refused(error.to_string());
                Some(Err(ErrorRecord { reason: ReasonCode::UNREADABLE, ..refused }))
            }
        }
    }

    /// The capture of a line.
    fn parse(&self, line: &[u8]) -> Result<IndexedCapture, String> {
        let line = String::from_utf8_lossy(line);
        let mut parts = line.splitn(3, ' ');
        let (_, date, rest) = (parts.next(), parts.next(), parts.next().unwrap_or_default());
        let values = if rest.starts_with('{') {
            let object: Map<String, Value> = serde_json::from_str(rest)
                .map_err(|error| format!("it is no JSON object: {error}"))?;
            Values::of_object(&object, date.unwrap_or_default())
        } else {
            let delimiter = char::from(self.delimiter);
            let found: Vec<&str> = line.split(delimiter).collect();
            let usual = USUAL_FIELDS.iter().find(|usual| usual.split(' ').count() == found.len());
            let usual = usual.map(|usual| usual.bytes().filter(|byte| *byte != b' ').collect());
            let fields: Option<Vec<u8>> = self.fields.clone().or(usual);
            let fields = fields.filter(|fields| fields.len() == found.len());
            let fields = fields.ok_or("it does not have the fields of an index of captures")?;
            Values::of_fields(&fields, &found)
        };
        values.capture()
    }
}

impl<R: BufRead> Iterator for CaptureLines<R> {
    type Item = Result<IndexedCapture, ErrorRecord>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.ended {
                return None;
            }
            let line = match self.read_line()? {
                Ok(line) => line,
                Err(error) => return Some(Err(error)),
            };
            if line.trim_ascii().is_empty() || line.starts_with(b"!") {
                continue;
            }
            if let Some((fields, delimiter)) = heading(&line) {
                (self.fields, self.delimiter) = (Some(fields), delimiter);
                continue;
            }
            return Some(self.parse(&line).map_err(|detail| self.refused(detail)));
        }
    }
}

/// The fields that a heading of CDX names, and what is between fields: its first byte.
fn heading(line: &[u8]) -> Option<(Vec<u8>, u8)> {
    let (&delimiter, rest) = line.split_first()?;
    let mut parts = rest.split(|&byte| byte == delimiter);
    if parts.next() != Some(b"CDX") {
        return None;
    }
    let fields: Option<Vec<u8>> = parts
        .filter(|part| !part.is_empty())
        .map(|part| if let [letter] = part { Some(*letter) } else { None })
        .collect();
    fields.filter(|fields| !fields.is_empty()).map(|fields| (fields, delimiter))
}

/// What a line says, as text.
#[derive(Debug, Default)]
struct Values {
    url: Option<String>,
    date: Option<String>,
    mime: Option<String>,
    status: Option<String>,
    digest: Option<String>,
    length: Option<String>,
    offset: Option<String>,
    file: Option<String>,
}

impl Values {
    fn of_object(object: &Map<String, Value>, date: &str) -> Self {
        let text = |name: &str| match object.get(name)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        Self {
            url: text("url"),
            date: Some(date.to_owned()),
            mime: text("mime"),
            status: text("status"),
            digest: text("digest"),
            length: text("length"),
            offset: text("offset"),
            file: text("filename"),
        }
    }

    fn of_fields(fields: &[u8], found: &[&str]) -> Self {
        let mut values = Self::default();
        for (field, text) in fields.iter().zip(found) {
            let value = match field {
                b'a' => &mut values.url,
                b'b' => &mut values.date,
                b'm' => &mut values.mime,
                b's' => &mut values.status,
                b'k' => &mut values.digest,
                b'S' => &mut values.length,
                b'V' => &mut values.offset,
                b'g' => &mut values.file,
                _ => continue,
            };
            *value = Some((*text).to_owned());
        }
        values
    }

    fn capture(self) -> Result<IndexedCapture, String> {
        // What is not known is a hyphen.
        let known = |value: Option<String>| value.filter(|value| !value.is_empty() && value != "-");
        let url = known(self.url).ok_or("it has no address")?;
        let date = known(self.date).and_then(|date| date.get(..14).map(str::to_owned));
        let date = date.filter(|date| date.bytes().all(|byte| byte.is_ascii_digit()));
        let date = date.ok_or("it has no time of 14 digits")?;
        let capture = Capture {
            url,
            date: Some(date),
            status: known(self.status).and_then(|status| status.parse().ok()),
            mime: known(self.mime).map(|mime| mime.to_ascii_lowercase()),
            digest: known(self.digest).map(with_algorithm),
            ..Capture::default()
        };
        let number = |value: Option<String>| known(value).and_then(|value| value.parse().ok());
        let place = Place {
            file: known(self.file).unwrap_or_default().into(),
            offset: number(self.offset),
            length: number(self.length),
            ..Place::default()
        };
        Ok((capture, place))
    }
}

/// A digest as archives state it: indexes leave out that it is SHA-1.
fn with_algorithm(digest: String) -> String {
    let is_base32 = digest.len() == 32
        && digest.bytes().all(|byte| byte.is_ascii_uppercase() || (b'2'..=b'7').contains(&byte));
    if is_base32 { format!("sha1:{digest}") } else { digest }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIGEST: &str = "AAAABBBBCCCCDDDDEEEEFFFF22223333";

    fn read(text: &str) -> Vec<Result<IndexedCapture, String>> {
        let lines = CaptureLines::new("index", text.as_bytes());
        lines.map(|line| line.map_err(|error| error.to_string())).collect()
    }

    fn expected(status: Option<u16>, length: Option<u64>) -> IndexedCapture {
        let capture = Capture {
            url: "http://www.Example.org/A".to_owned(),
            date: Some("20260101020304".to_owned()),
            status,
            mime: Some("text/html".to_owned()),
            digest: Some(format!("sha1:{DIGEST}")),
            ..Capture::default()
        };
        let place = Place { file: "a.warc.gz".into(), offset: Some(7), length, ..Place::default() };
        (capture, place)
    }

    #[test]
    fn all_forms_of_indexes_give_the_same_captures() {
        let url = "http://www.Example.org/A";
        let key = "org,example)/a";
        let whole = Ok(expected(Some(404), Some(90)));
        let cdxj = format!(
            "{key} 20260101020304 {{\"url\": \"{url}\", \"mime\": \"text/html\", \"status\": \"404\", \"digest\": \
             \"{DIGEST}\", \"length\": 90, \"offset\": \"7\", \"filename\": \"a.warc.gz\"}}"
        );
        assert_eq!(read(&cdxj), std::slice::from_ref(&whole));
        assert_eq!(
            read(&format!("!OpenWayback-CDXJ 1.0\n\n{cdxj}\r\n{cdxj}")),
            [whole.clone(), whole.clone()]
        );
        let eleven =
            format!("{key} 20260101020304 {url} text/html 404 {DIGEST} - - 90 7 a.warc.gz");
        assert_eq!(read(&eleven), std::slice::from_ref(&whole));
        assert_eq!(read(&format!(" CDX N b a m s k r M S V g\n{eleven}\n")), [whole]);
        let nine = format!("{key} 20260101020304 {url} text/html - {DIGEST} - 7 a.warc.gz");
        assert_eq!(read(&nine), [Ok(expected(None, None))]);
        let other = format!(
            "\tCDX\ta\tb\tm\ts\tk\tV\tg\n{url}\t20260101020304123\ttext/html\t-\t{DIGEST}\t7\ta.warc.gz"
        );
        assert_eq!(read(&other), [Ok(expected(None, None))]);
        for text in [&cdxj, &eleven, &nine, &other] {
            assert!(CaptureLines::<&[u8]>::is_begun_by(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn what_is_no_capture_is_an_error_and_reading_continues() {
        let good = "e 20260101020304 {\"url\":\"http://e.org/\"}";
        for (bad, detail) in [
            ("e 20260101020304 {\"url\":", "no JSON object"),
            ("e 20260101020304 {}", "no address"),
            ("e 2026 {\"url\":\"http://e.org/\"}", "no time"),
            ("e 20260101020304 x", "fields"),
            ("nothing", "fields"),
        ] {
            let found = read(&format!("{bad}\n{good}\n"));
            assert!(found[0].as_ref().unwrap_err().contains(detail), "{found:?}");
            assert!(found[0].as_ref().unwrap_err().starts_with("index:1: "), "{found:?}");
            assert!(found[1].is_ok() && found.len() == 2, "{found:?}");
        }
        let long = format!("{}\n{good}\n", "x".repeat(LONGEST_LINE as usize));
        assert_eq!(read(&long).len(), 1);
    }

    #[test]
    fn texts_are_no_indexes() {
        for text in [
            "",
            "\n",
            "Fog came in at noon",
            "{\"a\":1}",
            " CDX",
            "a 20260101000000",
            "a b c d e f g h i",
        ] {
            assert!(!CaptureLines::<&[u8]>::is_begun_by(text.as_bytes()), "{text:?}");
        }
    }
}
