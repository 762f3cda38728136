//! Which files hold many documents, detected from their content.

use std::fmt;

use crate::{TableFields, archive, json_lines, separated_values};

/// A form of file that holds many documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Container {
    /// Captures of the Web by ISO 28500, WARC 0.17 to 1.1, in any compression.
    Warc,
    /// The Internet Archive's captures before WARC, versions 1 and 2.
    Arc,
    /// One JSON object a line.
    JsonLines,
    /// Values separated by commas, by RFC 4180, the first line naming the columns.
    Csv,
    /// The same separated by tabs.
    Tsv,
    /// Apache Parquet.
    Parquet,
    /// Arrow IPC, a file or a stream.
    Arrow,
}

impl Container {
    /// What a file is that begins with these bytes, any compression undone; `None` if it is one document.
    ///
    /// Archives, Parquet and Arrow have marks of their own. JSON lines and separated values are detected from the
    /// fields that are looked for: the first object, or the first line, must have the one with the text. Of the first
    /// line of separated values one more column is asked for, so that a text whose first word is `text` stays one.
    ///
    /// ```
    /// use nearprint_records::{Container, TableFields};
    ///
    /// let fields = TableFields::default();
    /// assert_eq!(Container::sniff(b"WARC/1.0\r\n", &fields), Some(Container::Warc));
    /// assert_eq!(Container::sniff(b"id,text\n1,Fog\n", &fields), Some(Container::Csv));
    /// assert_eq!(Container::sniff(b"text\nFog came in.\n", &fields), None);
    /// ```
    #[must_use]
    pub fn sniff(head: &[u8], fields: &TableFields) -> Option<Self> {
        if let Some(archive) = archive::sniff(head) {
            Some(archive)
        } else if head.starts_with(b"PAR1") || head.starts_with(b"PARE") {
            // The second is Parquet whose footer is encrypted, which its reader refuses by that name.
            Some(Self::Parquet)
        } else if head.starts_with(b"ARROW1\0\0") || begins_arrow_stream(head) {
            Some(Self::Arrow)
        } else if json_lines::begins(head, fields) {
            Some(Self::JsonLines)
        } else {
            let delimiter = separated_values::begins(head, fields)?;
            Some(if delimiter == b'\t' { Self::Tsv } else { Self::Csv })
        }
    }
}

/// Whether a stream of Arrow begins: the mark of a message, then the length of a small schema in little-endian.
fn begins_arrow_stream(head: &[u8]) -> bool {
    matches!(head, [0xFF, 0xFF, 0xFF, 0xFF, low, _, _, 0, ..] if *low % 8 == 0)
}

impl fmt::Display for Container {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Warc => "WARC",
            Self::Arc => "ARC",
            Self::JsonLines => "JSON lines",
            Self::Csv => "CSV",
            Self::Tsv => "TSV",
            Self::Parquet => "Parquet",
            Self::Arrow => "Arrow",
        })
    }
}
