//! Documents of an index as JSON lines, with everything that is stored but the features: what `index list` and
//! `index get` write, read back.

use std::io::{BufRead, Read};

use nearprint::fingerprint::Fingerprint;
use nearprint::records::{DocumentId, ErrorRecord, IndexedRow, Place, ReasonCode, Row};
use serde_json::{Map, Value};

use crate::captures::CaptureKey;
use crate::record::StoredDocument;

/// The longest line, in bytes: the longest id, metadata and address, each escaped.
const LONGEST_LINE: u64 = 1 << 20;

/// Reads lines of the schema `nearprint/indexed/1`. A line that cannot be read is an error record with its place, and
/// reading continues after it.
#[derive(Debug)]
pub struct IndexedLines<R> {
    name: Box<str>,
    reader: R,
    line: u64,
    ended: bool,
}

impl<R: BufRead> IndexedLines<R> {
    /// A reader of what is called `name` in places.
    pub fn new(name: impl Into<Box<str>>, reader: R) -> Self {
        Self { name: name.into(), reader, line: 0, ended: false }
    }

    /// Whether these are the first bytes of such lines.
    #[must_use]
    pub fn is_begun_by(bytes: &[u8]) -> bool {
        let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let schema = format!("\"{}\"", IndexedRow::SCHEMA);
        line.starts_with(b"{")
            && line.windows(schema.len()).any(|window| window == schema.as_bytes())
    }
}

impl<R: BufRead> Iterator for IndexedLines<R> {
    type Item = Result<StoredDocument, ErrorRecord>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut bytes = Vec::new();
        while bytes.trim_ascii().is_empty() {
            bytes.clear();
            if self.ended {
                return None;
            }
            self.line += 1;
            let read = Read::take(&mut self.reader, LONGEST_LINE).read_until(b'\n', &mut bytes);
            let place =
                || Place { file: self.name.clone(), line: Some(self.line), ..Place::default() };
            let refused = |reason, detail: String| {
                Some(Err(ErrorRecord { id: None, place: place(), reason, detail: detail.into() }))
            };
            match read {
                Ok(0) => return None,
                Ok(read) if read as u64 == LONGEST_LINE && bytes.last() != Some(&b'\n') => {
                    self.ended = true;
                    return refused(ReasonCode::BAD_LINE, "the line is too long".to_owned());
                }
                Ok(_) => {}
                Err(error) => {
                    self.ended = true;
                    return refused(ReasonCode::UNREADABLE, error.to_string());
                }
            }
        }
        let place = Place { file: self.name.clone(), line: Some(self.line), ..Place::default() };
        Some(parse(&bytes).map_err(|detail| ErrorRecord {
            id: None,
            place,
            reason: ReasonCode::BAD_LINE,
            detail: detail.into(),
        }))
    }
}

fn parse(line: &[u8]) -> Result<StoredDocument, String> {
    let object: Map<String, Value> =
        serde_json::from_slice(line).map_err(|error| format!("it is no JSON object: {error}"))?;
    let text = |name: &str| match object.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(format!("the field \"{name}\" is no text")),
    };
    let needed = |name: &str| text(name)?.ok_or_else(|| format!("it has no field \"{name}\""));
    if text("schema")?.as_deref() != Some(IndexedRow::SCHEMA) {
        return Err(format!("its schema is not {}", IndexedRow::SCHEMA));
    }
    let id = DocumentId::new(needed("id")?).map_err(|error| error.to_string())?;
    let print: Fingerprint = needed("fingerprint")?.parse().map_err(|error| format!("{error}"))?;
    let stored = StoredDocument::new(id, print);
    let time = object.get("time").and_then(Value::as_u64).unwrap_or(stored.time);
    let capture = CaptureKey {
        url_key: text("url_key")?.unwrap_or_default(),
        date: text("date")?,
        payload_digest: text("payload_digest")?,
    };
    let metadata = match object.get("metadata") {
        None | Some(Value::Null) => None,
        Some(metadata) => Some(metadata.to_string()),
    };
    let capture = (!capture.is_empty()).then_some(capture);
    let document =
        StoredDocument { time, extractor: text("extractor")?, metadata, capture, ..stored };
    document.check().map_err(|error| error.to_string())?;
    Ok(document)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint::fingerprint::Scheme;
    use nearprint::records::{Format, RowWriter};

    #[test]
    fn rows_come_back_as_the_documents_they_are_of() {
        let id = |name: &str| DocumentId::new(name).unwrap();
        let print = Fingerprint::from_bytes(Scheme::SD1, &[7; 8]).unwrap();
        let capture = CaptureKey {
            url_key: "org,example)/".to_owned(),
            date: Some("20261123070000".to_owned()),
            payload_digest: Some("sha1:A".to_owned()),
        };
        let bare = StoredDocument::new(id("a \"b\""), print);
        let full = StoredDocument {
            id: id("c"),
            time: 7,
            extractor: Some("html/7".to_owned()),
            metadata: Some(r#"{"crawl":"2026-11"}"#.to_owned()),
            capture: Some(capture),
            ..bare.clone()
        };
        let mut lines = RowWriter::new(Format::Jsonl, Vec::new());
        for document in [&bare, &full] {
            lines.write(&IndexedRow::from(document.clone())).unwrap();
        }
        let mut lines = lines.into_inner();
        assert!(IndexedLines::<&[u8]>::is_begun_by(&lines));
        lines.extend(b"\n{\"schema\":\"nearprint/indexed/1\",\"id\":\"d\"}\nnothing\n");
        let read: Vec<_> = IndexedLines::new("rows", lines.as_slice()).collect();
        assert_eq!((read[0].as_ref(), read[1].as_ref()), (Ok(&bare), Ok(&full)));
        let errors: Vec<_> =
            read[2..].iter().map(|error| error.as_ref().unwrap_err().to_string()).collect();
        assert!(errors[0].starts_with("rows:4: it has no field \"fingerprint\""), "{errors:?}");
        assert!(errors[1].starts_with("rows:5: it is no JSON object"), "{errors:?}");
        assert!(!IndexedLines::<&[u8]>::is_begun_by(b"{\"schema\":\"nearprint/fingerprint/1\"}"));
    }
}
