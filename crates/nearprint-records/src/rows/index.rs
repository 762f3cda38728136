//! An index on disk and its documents: `nearprint/index/1`, `nearprint/index-change/1`, `nearprint/indexed/1`,
//! `nearprint/capture-entry/1`.

use std::io::{self, Write};

use nearprint_fingerprint::Fingerprint;
use serde::{Serialize, Serializer};

use crate::{DocumentId, Row};

/// What an index is like. Text form: a line `NAME TAB VALUE` for each field.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct IndexRow {
    /// The scheme of its fingerprints.
    pub scheme: String,
    /// The version of its format.
    pub format: u32,
    /// The version of the program that created it.
    pub created_by: String,
    /// Documents.
    pub documents: u64,
    /// Documents that are in no file of tables yet.
    pub fresh: u64,
    /// Files of tables.
    pub segments: u64,
    /// Documents in files of tables, removed ones included.
    pub entries: u64,
    /// Removed documents in files of tables.
    pub removed: u64,
    /// Bytes of the store.
    pub store_bytes: u64,
    /// Bytes of the files of tables.
    pub table_bytes: u64,
}

impl Row for IndexRow {
    const SCHEMA: &'static str = "nearprint/index/1";

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "scheme\t{}", self.scheme)?;
        writeln!(out, "format\t{}", self.format)?;
        writeln!(out, "created_by\t{}", self.created_by)?;
        for (name, value) in [
            ("documents", self.documents),
            ("fresh", self.fresh),
            ("segments", self.segments),
            ("entries", self.entries),
            ("removed", self.removed),
            ("store_bytes", self.store_bytes),
            ("table_bytes", self.table_bytes),
        ] {
            writeln!(out, "{name}\t{value}")?;
        }
        Ok(())
    }
}

/// What a command changed in an index. It has no text form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct IndexChangeRow {
    /// Documents added.
    pub added: u64,
    /// Documents that took the place of another of their id.
    pub replaced: u64,
    /// Documents left out because their id was there.
    pub skipped: u64,
    /// Documents left out because a similar one was there.
    pub near: u64,
    /// Documents whose payload the index had already, so that it was not extracted.
    pub reused: u64,
    /// Captures of the Web that were added without a document: redirects, errors, lines of an index of captures.
    pub captures: u64,
    /// Documents removed.
    pub removed: u64,
    /// Documents that failed.
    pub failed: u64,
    /// Documents in the index afterwards.
    pub documents: u64,
}

impl Row for IndexChangeRow {
    const SCHEMA: &'static str = "nearprint/index-change/1";

    fn write_text(&self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

/// A document of an index with everything that is stored about it. Text form: `FINGERPRINT TAB ID`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct IndexedRow {
    /// The document.
    pub id: DocumentId,
    /// Its fingerprint.
    pub fingerprint: Fingerprint,
    /// When it was inserted, in milliseconds since 1970-01-01 UTC.
    pub time: u64,
    /// The extractor of its text and the version, such as `html/7`, where they are known.
    pub extractor: Option<String>,
    /// Of a capture the key of its address (SURT).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url_key: Option<String>,
    /// Of a capture its time, 14 digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Of a capture the digest of its payload, as its archive states it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload_digest: Option<String>,
    /// Of a capture its address as it was captured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The title of a page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The language that a page states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Of a capture the status of the HTTP response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Of a capture the media type it was served as.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime: Option<String>,
    /// Of a capture the file of its archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Of a capture where its record begins in that file, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// Of a capture the bytes of its record in that file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<u64>,
    /// Whether it is a revisit: the archive has the payload in the record of an earlier capture.
    #[serde(rename = "revisit", skip_serializing_if = "std::ops::Not::not")]
    pub is_revisit: bool,
    /// The metadata it was inserted with, a JSON object, where there are any.
    #[serde(serialize_with = "object")]
    pub metadata: Option<String>,
    /// Words of its text, where features are given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<u64>,
    /// What verification compares of its text, in base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub features: Option<String>,
    /// Its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The bytes of the text that are the main content of a page: the first and the end of each stretch.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub main_content: Vec<[usize; 2]>,
}

impl IndexedRow {
    /// A document of which nothing else is kept.
    #[must_use]
    pub fn new(id: DocumentId, fingerprint: Fingerprint, time: u64) -> Self {
        Self {
            id,
            fingerprint,
            time,
            extractor: None,
            url_key: None,
            date: None,
            payload_digest: None,
            url: None,
            title: None,
            language: None,
            status: None,
            mime: None,
            file: None,
            offset: None,
            length: None,
            is_revisit: false,
            metadata: None,
            words: None,
            features: None,
            text: None,
            main_content: Vec::new(),
        }
    }
}

/// A capture of an index that has no document of it. It has no text form.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CaptureEntryRow {
    /// The key of its address (SURT).
    pub url_key: String,
    /// Its time, 14 digits.
    pub date: String,
    /// The digest of its payload, as its archive states it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload_digest: Option<String>,
    /// Its address as it was captured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The title of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The language that it states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The status of the HTTP response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The media type it was served as.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime: Option<String>,
    /// The file of its archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Where its record begins in that file, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// The bytes of its record in that file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<u64>,
    /// Whether it is a revisit.
    #[serde(rename = "revisit", skip_serializing_if = "std::ops::Not::not")]
    pub is_revisit: bool,
}

impl Row for CaptureEntryRow {
    const SCHEMA: &'static str = "nearprint/capture-entry/1";

    fn write_text(&self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

/// The first line of an export: what its documents have. It has no text form.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ExportHeadRow {
    /// The scheme of all fingerprints.
    pub scheme: String,
    /// The name of the features that each document has; `None` where there are none.
    pub features: Option<String>,
    /// Whether there are texts.
    pub texts: bool,
}

impl Row for ExportHeadRow {
    const SCHEMA: &'static str = "nearprint/export/1";

    fn write_text(&self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

/// The last line of an export, without which it was cut. It has no text form.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ExportEndRow {
    /// Documents before it; captures without documents do not count.
    pub rows: u64,
    /// The digest of all bytes before it, in hexadecimal.
    pub sha256: String,
}

impl Row for ExportEndRow {
    const SCHEMA: &'static str = "nearprint/export-end/1";

    fn write_text(&self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

/// Metadata as the object they are, not as its text.
fn object<S: Serializer>(metadata: &Option<String>, to: S) -> Result<S::Ok, S::Error> {
    let parsed = metadata.as_deref().map(serde_json::from_str::<serde_json::Value>).transpose();
    parsed.map_err(serde::ser::Error::custom)?.serialize(to)
}

impl Row for IndexedRow {
    const SCHEMA: &'static str = "nearprint/indexed/1";

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}\t{}", self.fingerprint, self.id)
    }
}
