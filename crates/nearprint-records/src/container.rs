//! The forms of files that hold many documents.

use std::fmt;

/// A form of file that holds many documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Container {
    /// Captures of the Web by ISO 28500, WARC 0.17 to 1.1, in any compression.
    Warc,
    /// The Internet Archive's captures before WARC, versions 1 and 2.
    Arc,
    /// Web archives in a package, WACZ 1.1.1.
    Wacz,
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

impl fmt::Display for Container {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Warc => "WARC",
            Self::Arc => "ARC",
            Self::Wacz => "WACZ",
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
