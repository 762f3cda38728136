//! Documents of an index as JSON lines, with everything that is stored: what `index list`, `index get` and exports
//! write, read back.

use std::io::{BufRead, Read};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use nearprint::fingerprint::Fingerprint;
use nearprint::records::{
    CaptureEntryRow, DocumentId, ErrorRecord, ExportEndRow, ExportHeadRow, IndexedRow, Place,
    ReasonCode, Row,
};
use nearprint::{CaptureKey, PackedFeatures};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::export::hex;
use crate::store::capture_details::CaptureDetails;
use crate::store::capture_entries::CaptureEntry;
use crate::store::header::scheme_text;
use crate::store::kept_features::KeptFeatures;
use crate::store::record::StoredDocument;
use crate::store::texts::StoredText;

/// The longest line, in bytes, unless another bound is set: it may have a text.
const LONGEST_LINE: u64 = 1 << 28;

/// What the first line of an export says about its documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportHead {
    /// The scheme of all fingerprints: its id, or how it is declared. Reading it declares nothing.
    pub scheme: String,
    /// The name of the features that each document has.
    pub features: Option<String>,
    /// Whether there are texts.
    pub texts: bool,
}

/// A line: a document, or a capture without one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IndexedLine {
    /// A document with everything that is stored about it.
    Document(Box<StoredDocument>),
    /// A capture of which there is no document.
    Capture(Box<CaptureEntry>),
}

/// Reads lines of the schemas `nearprint/indexed/1` and `nearprint/capture-entry/1`, alone or as an export with its
/// first and last line. A line that cannot be read is an error record with its place, and reading continues after it.
/// An export that was cut or changed is an error record, too.
#[derive(Debug)]
pub struct IndexedLines<R> {
    name: Box<str>,
    reader: R,
    longest: u64,
    line: u64,
    /// The first line, if it was read and is a document.
    first: Option<Vec<u8>>,
    head: Option<ExportHead>,
    /// Of the lines of an export so far.
    digest: Sha256,
    rows: u64,
    is_whole: bool,
    ended: bool,
}

impl<R: BufRead> IndexedLines<R> {
    /// A reader of what is called `name` in places.
    pub fn new(name: impl Into<Box<str>>, reader: R) -> Self {
        Self {
            name: name.into(),
            reader,
            longest: LONGEST_LINE,
            line: 0,
            first: None,
            head: None,
            digest: Sha256::new(),
            rows: 0,
            is_whole: false,
            ended: false,
        }
    }

    /// With another bound for the length of a line, in bytes.
    #[must_use]
    pub fn longest(self, bytes: u64) -> Self {
        Self { longest: bytes, ..self }
    }

    /// Whether these are the first bytes of such lines.
    #[must_use]
    pub fn is_begun_by(bytes: &[u8]) -> bool {
        let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let is_of = |schema: &str| {
            let schema = format!("\"{schema}\"");
            line.windows(schema.len()).any(|window| window == schema.as_bytes())
        };
        line.starts_with(b"{")
            && [IndexedRow::SCHEMA, ExportHeadRow::SCHEMA, CaptureEntryRow::SCHEMA]
                .into_iter()
                .any(is_of)
    }

    /// What the first line says, if it is that of an export.
    ///
    /// # Errors
    /// Where the first line cannot be read.
    pub fn head(&mut self) -> Result<Option<&ExportHead>, ErrorRecord> {
        if self.line == 0 {
            let Some(line) = self.read_line() else { return Ok(None) };
            let line = line?;
            let is_head = object(&line).is_ok_and(|object| is_of::<ExportHeadRow>(&object));
            if is_head {
                let head = object(&line).and_then(|object| parse_head(&object));
                self.head = Some(head.map_err(|detail| self.refused(detail))?);
                self.digest.update(&line);
            } else {
                self.first = Some(line);
            }
        }
        Ok(self.head.as_ref())
    }

    /// Whether the last line of an export was read, and is that of the lines before it.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    fn refused(&self, detail: impl Into<Box<str>>) -> ErrorRecord {
        let place = Place { file: self.name.clone(), line: Some(self.line), ..Place::default() };
        ErrorRecord { id: None, place, reason: ReasonCode::BAD_LINE, detail: detail.into() }
    }

    /// The next line that is not empty.
    fn read_line(&mut self) -> Option<Result<Vec<u8>, ErrorRecord>> {
        let mut bytes = Vec::new();
        while bytes.trim_ascii().is_empty() {
            self.digest.update(&bytes);
            bytes.clear();
            if self.ended {
                return None;
            }
            self.line += 1;
            let read = Read::take(&mut self.reader, self.longest).read_until(b'\n', &mut bytes);
            match read {
                Ok(0) => {
                    self.ended = true;
                    return None;
                }
                Ok(_) if bytes.last() == Some(&b'\n') => {}
                Ok(read) if read as u64 == self.longest => {
                    self.ended = true;
                    return Some(Err(self.refused("the line is too long")));
                }
                Ok(_) if self.head.is_some() => {
                    self.ended = true;
                    return Some(Err(self.refused("the line was cut")));
                }
                Ok(_) => {}
                Err(error) => {
                    self.ended = true;
                    let refused = self.refused(error.to_string());
                    return Some(Err(ErrorRecord { reason: ReasonCode::UNREADABLE, ..refused }));
                }
            }
        }
        Some(Ok(bytes))
    }

    /// What a line is; `None` of the last line of an export.
    fn parse(&mut self, line: &[u8]) -> Result<Option<IndexedLine>, String> {
        let object = object(line)?;
        if self.head.is_some() && is_of::<ExportEndRow>(&object) {
            self.ended = true;
            let rest = self.reader.fill_buf().map_err(|error| error.to_string())?;
            self.is_whole = object.get("rows").and_then(Value::as_u64) == Some(self.rows)
                && object.get("sha256").and_then(Value::as_str) == Some(&hex(&self.digest))
                && rest.is_empty();
            return match self.is_whole {
                true => Ok(None),
                false => Err("the last line is not that of the lines before it".to_owned()),
            };
        }
        if is_of::<CaptureEntryRow>(&object) {
            let entry = parse_entry(&object)?;
            if self.head.is_some() {
                self.digest.update(line);
            }
            return Ok(Some(IndexedLine::Capture(Box::new(entry))));
        }
        let document = parse(&object)?;
        if let Some(head) = &self.head {
            if scheme_text(document.fingerprint.scheme()) != head.scheme {
                return Err(format!("the fingerprint is not of {}", head.scheme));
            }
            if document.text.is_some() && !head.texts {
                return Err(
                    "there is a text, and the first line says that there are none".to_owned()
                );
            }
            self.digest.update(line);
            self.rows += 1;
        }
        Ok(Some(IndexedLine::Document(Box::new(document))))
    }
}

impl<R: BufRead> Iterator for IndexedLines<R> {
    type Item = Result<IndexedLine, ErrorRecord>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Err(error) = self.head() {
            return Some(Err(error));
        }
        let has_ended = self.ended;
        let line = match self.first.take().map(Ok).or_else(|| self.read_line()) {
            Some(Ok(line)) => line,
            Some(Err(error)) => return Some(Err(error)),
            None if self.head.is_some() && !has_ended => {
                return Some(Err(
                    self.refused("the last line of the export is missing: it was cut")
                ));
            }
            None => return None,
        };
        match self.parse(&line) {
            Ok(found) => found.map(Ok),
            Err(detail) => Some(Err(self.refused(detail))),
        }
    }
}

fn object(line: &[u8]) -> Result<Map<String, Value>, String> {
    serde_json::from_slice(line).map_err(|error| format!("it is no JSON object: {error}"))
}

/// Whether an object has the schema of a row.
fn is_of<T: Row>(object: &Map<String, Value>) -> bool {
    object.get("schema").and_then(Value::as_str) == Some(T::SCHEMA)
}

/// The text of a field.
fn text(object: &Map<String, Value>, name: &str) -> Result<Option<String>, String> {
    match object.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(format!("the field \"{name}\" is no text")),
    }
}

/// The text of a field that must be there.
fn needed(object: &Map<String, Value>, name: &str) -> Result<String, String> {
    text(object, name)?.ok_or_else(|| format!("it has no field \"{name}\""))
}

fn parse_head(object: &Map<String, Value>) -> Result<ExportHead, String> {
    let scheme = needed(object, "scheme")?;
    let texts = object.get("texts").and_then(Value::as_bool).unwrap_or(false);
    Ok(ExportHead { scheme, features: text(object, "features")?, texts })
}

fn parse(object: &Map<String, Value>) -> Result<StoredDocument, String> {
    if !is_of::<IndexedRow>(object) {
        return Err(format!("its schema is not {}", IndexedRow::SCHEMA));
    }
    let id = DocumentId::new(needed(object, "id")?).map_err(|error| error.to_string())?;
    let print = needed(object, "fingerprint")?;
    let print: Fingerprint = print.parse().map_err(|error| format!("{error}"))?;
    let stored = StoredDocument::new(id, print);
    let time = object.get("time").and_then(Value::as_u64).unwrap_or(stored.time);
    let (capture, details) = (capture_key(object)?, details(object)?);
    let metadata = match object.get("metadata") {
        None | Some(Value::Null) => None,
        Some(metadata) => Some(metadata.to_string()),
    };
    let capture = (!capture.is_empty()).then_some(capture);
    let document = StoredDocument {
        time,
        extractor: text(object, "extractor")?,
        metadata,
        capture,
        details: (!details.is_empty()).then(|| Box::new(details)),
        features: features(object)?,
        text: stored_text(object)?,
        ..stored
    };
    document.check().map_err(|error| error.to_string())?;
    Ok(document)
}

/// What an object says of a capture beside its key.
fn details(object: &Map<String, Value>) -> Result<CaptureDetails, String> {
    let number = |name: &str| match object.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => {
            value.as_u64().map(Some).ok_or_else(|| format!("the field \"{name}\" is no number"))
        }
    };
    let status = number("status")?.map(u16::try_from).transpose();
    Ok(CaptureDetails {
        url: text(object, "url")?,
        title: text(object, "title")?,
        status: status.map_err(|_| "the field \"status\" is no status of HTTP")?,
        mime: text(object, "mime")?,
        file: text(object, "file")?,
        offset: number("offset")?,
        length: number("length")?,
        is_revisit: object.get("revisit").and_then(Value::as_bool).unwrap_or(false),
        language: text(object, "language")?,
    })
}

/// By what an object of a capture is found.
fn capture_key(object: &Map<String, Value>) -> Result<CaptureKey, String> {
    Ok(CaptureKey {
        url_key: text(object, "url_key")?.unwrap_or_default(),
        date: text(object, "date")?,
        payload_digest: text(object, "payload_digest")?,
    })
}

fn parse_entry(object: &Map<String, Value>) -> Result<CaptureEntry, String> {
    let entry = CaptureEntry { key: capture_key(object)?, details: details(object)? };
    entry.check()?;
    Ok(entry)
}

fn features(object: &Map<String, Value>) -> Result<Option<KeptFeatures>, String> {
    let Some(features) = text(object, "features")? else { return Ok(None) };
    let words = object.get("words").and_then(Value::as_u64);
    let words = words.ok_or("there are features, and no number of words")?;
    let bytes = STANDARD.decode(features).ok();
    let features = bytes.and_then(|bytes| PackedFeatures::from_bytes(&bytes));
    let features = features.ok_or("the field \"features\" is damaged")?;
    Ok(Some(KeptFeatures { words, features }))
}

fn stored_text(object: &Map<String, Value>) -> Result<Option<StoredText>, String> {
    let Some(text) = text(object, "text")? else { return Ok(None) };
    let stretches = match object.get("main_content") {
        None | Some(Value::Null) => Vec::new(),
        Some(stretches) => serde_json::from_value::<Vec<[usize; 2]>>(stretches.clone())
            .map_err(|error| format!("the field \"main_content\": {error}"))?,
    };
    let main_content = stretches.into_iter().map(|[start, end]| start..end).collect();
    Ok(Some(StoredText { text, main_content }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearprint::fingerprint::Scheme;
    use nearprint::records::{Format, RowWriter};

    fn details() -> CaptureDetails {
        CaptureDetails {
            url: Some("http://example.org/".to_owned()),
            language: Some("en".to_owned()),
            title: Some("Fog".to_owned()),
            status: Some(404),
            mime: Some("text/html".to_owned()),
            file: Some("a.warc.gz".to_owned()),
            offset: Some(7),
            length: Some(90),
            is_revisit: true,
        }
    }

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
            capture: Some(capture.clone()),
            details: Some(Box::new(details())),
            ..bare.clone()
        };
        let entry = CaptureEntry { key: capture, details: details() };
        let mut lines = RowWriter::new(Format::Jsonl, Vec::new());
        for document in [&bare, &full] {
            lines.write(&IndexedRow::from(document.clone())).unwrap();
        }
        lines.write(&CaptureEntryRow::from(entry.clone())).unwrap();
        let mut lines = lines.into_inner();
        assert!(IndexedLines::<&[u8]>::is_begun_by(&lines));
        lines.extend(b"\n{\"schema\":\"nearprint/indexed/1\",\"id\":\"d\"}\nnothing\n");
        let read: Vec<_> = IndexedLines::new("rows", lines.as_slice()).collect();
        let expected = [
            IndexedLine::Document(Box::new(bare)),
            IndexedLine::Document(Box::new(full)),
            IndexedLine::Capture(Box::new(entry)),
        ];
        assert!(read[..3].iter().flatten().eq(&expected), "{read:?}");
        let errors: Vec<_> =
            read[3..].iter().map(|error| error.as_ref().unwrap_err().to_string()).collect();
        assert!(errors[0].starts_with("rows:5: it has no field \"fingerprint\""), "{errors:?}");
        assert!(errors[1].starts_with("rows:6: it is no JSON object"), "{errors:?}");
        assert!(!IndexedLines::<&[u8]>::is_begun_by(b"{\"schema\":\"nearprint/fingerprint/1\"}"));
    }
}
