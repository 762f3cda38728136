//! Which files hold many documents, detected from their content.

use std::fmt;

use crate::appearance::Beginning;
use crate::input_file::mbox;
use crate::{ReadSettings, archive, json_lines, separated_values};

/// A form of file that holds many documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Container {
    /// Captures of the Web by ISO 28500, WARC 0.17 to 1.1, in any compression.
    Warc,
    /// The Internet Archive's captures before WARC, versions 1 and 2.
    Arc,
    /// One JSON object a line.
    JsonLines,
    /// One JSON array of objects.
    JsonArray,
    /// Values separated by commas, semicolons or vertical bars, by RFC 4180, the first line naming the columns.
    Csv,
    /// The same separated by tabs.
    Tsv,
    /// A mailbox: messages that each begin with a line `From `.
    Mbox,
    /// Apache Parquet.
    Parquet,
    /// Arrow IPC, a file or a stream.
    Arrow,
}

impl Container {
    /// What a file is that begins with these bytes, any compression undone; `None` if it is one document.
    ///
    /// Archives, Parquet, Arrow and mailboxes have marks of their own. JSON and separated values are detected from the
    /// fields that are looked for: the first object, or the first line, must have the one with the text. Of the first
    /// line of separated values one more column is asked for, so that a text whose first word is `text` stays one.
    ///
    /// ```
    /// use nearprint_records::{Container, ReadSettings};
    ///
    /// let settings = ReadSettings::default();
    /// assert_eq!(Container::sniff(b"WARC/1.0\r\n", &settings), Some(Container::Warc));
    /// assert_eq!(Container::sniff(b"id;text\n1;Fog\n", &settings), Some(Container::Csv));
    /// assert_eq!(Container::sniff(b"text\nFog came in.\n", &settings), None);
    /// ```
    #[must_use]
    pub fn sniff(head: &[u8], settings: &ReadSettings) -> Option<Self> {
        Self::of(&Beginning::of_head(head, settings), settings)
    }

    /// What a file is by its beginning.
    pub(crate) fn of(beginning: &Beginning, settings: &ReadSettings) -> Option<Self> {
        let head = &beginning.bytes[..];
        if let Some(archive) = archive::sniff(head) {
            Some(archive)
        } else if head.starts_with(b"PAR1") || head.starts_with(b"PARE") {
            // The second is Parquet whose footer is encrypted, which its reader refuses by that name.
            Some(Self::Parquet)
        } else if head.starts_with(b"ARROW1\0\0") || begins_arrow_stream(head) {
            Some(Self::Arrow)
        } else if json_lines::begins(beginning.text(), &settings.fields) {
            Some(Self::JsonLines)
        } else if json_lines::array::begins(beginning, settings) {
            Some(Self::JsonArray)
        } else if mbox::begins(beginning) {
            Some(Self::Mbox)
        } else {
            separated_values::sniff(beginning, settings)
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
            Self::JsonArray => "JSON array",
            Self::Csv => "CSV",
            Self::Tsv => "TSV",
            Self::Mbox => "mbox",
            Self::Parquet => "Parquet",
            Self::Arrow => "Arrow",
        })
    }
}
