//! An index as one file of lines that is whole or is refused: what `index export --format jsonl` and snapshots of the
//! server write, and `index import` and a server read.
//!
//! ```text
//! {"schema":"nearprint/export/1","scheme":"sd1","features":null,"texts":true}
//! {"schema":"nearprint/indexed/1","id":"en.txt","fingerprint":"sd1:…","time":1767225600000,…,"text":"Fog …"}
//! {"schema":"nearprint/capture-entry/1","url_key":"org,example)/old","date":"20260115000000","status":404}
//! {"schema":"nearprint/export-end/1","rows":1,"sha256":"…"}
//! ```

use std::fmt;
use std::io::{self, Write};

use nearprint::records::{
    CaptureEntryRow, ExportEndRow, ExportHeadRow, Format, IndexedRow, RowWriter,
};
use nearprint::{Error, Filter};
use sha2::{Digest, Sha256};

use crate::disk_index::DiskIndex;

use crate::store::header::scheme_text;
use crate::store::record::StoredDocument;

/// Why an index could not be exported.
#[derive(Debug)]
#[non_exhaustive]
pub enum ExportError {
    /// The index could not be read.
    Index(Error),
    /// The lines could not be written.
    Output(io::Error),
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(error) => error.fmt(f),
            Self::Output(error) => write!(f, "the lines could not be written: {error}"),
        }
    }
}

impl std::error::Error for ExportError {}

impl From<Error> for ExportError {
    fn from(error: Error) -> Self {
        Self::Index(error)
    }
}

impl From<io::Error> for ExportError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Digests what is written.
struct DigestWriter<W> {
    out: W,
    digest: Sha256,
}

impl<W: Write> Write for DigestWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.digest.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A digest in hexadecimal.
pub(crate) fn hex(digest: &Sha256) -> String {
    digest.clone().finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

impl DiskIndex {
    /// Writes all documents that a filter allows, in the order of insertion and in one state of the index, with
    /// everything that is stored about them, and returns how many there are. Without conditions, also the captures
    /// that have no document.
    ///
    /// # Errors
    /// Where the index cannot be read, or `out` cannot be written to.
    pub fn export(&self, filter: &Filter, out: impl Write) -> Result<u64, ExportError> {
        let out = DigestWriter { out, digest: Sha256::new() };
        let mut lines = RowWriter::new(Format::Jsonl, out);
        let header = self.header();
        let mut head = ExportHeadRow::default();
        head.scheme = scheme_text(header.scheme);
        head.features.clone_from(&header.features);
        head.texts = header.texts;
        lines.write(&head)?;
        let mut rows = 0;
        self.for_each_whole(|document: StoredDocument| {
            if filter.allows(document.metadata.as_deref()) {
                rows += 1;
                lines.write(&IndexedRow::from(document))?;
            }
            Ok::<_, ExportError>(())
        })?;
        if *filter == Filter::default() {
            // Only documents have what a filter asks about.
            self.visit_entries(|entry| {
                lines.write(&CaptureEntryRow::from(entry)).map_err(ExportError::from)
            })?;
        }
        let DigestWriter { out, digest } = lines.into_inner();
        let mut lines = RowWriter::new(Format::Jsonl, out);
        let mut end = ExportEndRow::default();
        (end.rows, end.sha256) = (rows, hex(&digest));
        lines.write(&end)?;
        lines.into_inner().flush()?;
        Ok(rows)
    }
}
