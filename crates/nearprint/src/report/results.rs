//! Results on their way out, by the name of a format: lines and tables, joined in one place for all doors.

mod prints;

pub use prints::{PrintFileForm, PrintsFormat, PrintsWriter};

use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;

use nearprint_fingerprint::Scheme;
use nearprint_records::{Format, RowWriter, TableRow};

use crate::table_files::{TableFormat, TableWriter};

/// How results are written; docs/FORMAT.md specifies each form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ResultFormat {
    /// Lines with columns separated by tabs.
    Text,
    /// One JSON object per line.
    Jsonl,
    /// Comma-separated values; the first line names the columns.
    Csv,
    /// The same for spreadsheets: an apostrophe stands before what they would run.
    Spreadsheet,
    /// An index of web archives; only captures have lines.
    Cdxj,
    /// A Parquet table.
    Parquet,
    /// An Arrow IPC file.
    Arrow,
    /// An Arrow IPC stream, which can be read while it is written.
    ArrowStream,
}

impl ResultFormat {
    /// The names by which formats are parsed.
    pub const NAMES: [&'static str; 8] =
        ["text", "jsonl", "csv", "spreadsheet", "cdxj", "parquet", "arrow", "arrow-stream"];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Whether it is not text for people or line-based programs.
    #[must_use]
    pub fn is_binary(self) -> bool {
        matches!(self.form(), Form::Table(_))
    }

    fn form(self) -> Form {
        match self {
            Self::Text => Form::Lines(Format::Text),
            Self::Jsonl => Form::Lines(Format::Jsonl),
            Self::Csv => Form::Lines(Format::Csv),
            Self::Spreadsheet => Form::Lines(Format::Spreadsheet),
            Self::Cdxj => Form::Lines(Format::Cdxj),
            Self::Parquet => Form::Table(TableFormat::Parquet),
            Self::Arrow => Form::Table(TableFormat::ArrowFile),
            Self::ArrowStream => Form::Table(TableFormat::ArrowStream),
        }
    }
}

/// What writes a format.
enum Form {
    Lines(Format),
    Table(TableFormat),
}

impl FromStr for ResultFormat {
    type Err = UnknownResultFormat;

    fn from_str(name: &str) -> Result<Self, UnknownResultFormat> {
        use ResultFormat::{Arrow, ArrowStream, Cdxj, Csv, Jsonl, Parquet, Spreadsheet, Text};
        let mut all =
            [Text, Jsonl, Csv, Spreadsheet, Cdxj, Parquet, Arrow, ArrowStream].into_iter();
        all.find(|format| format.name() == name)
            .ok_or_else(|| UnknownResultFormat { name: name.to_owned() })
    }
}

/// A name that is no [`ResultFormat`]'s.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownResultFormat {
    name: String,
}

impl fmt::Display for UnknownResultFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, names) = (self.name.escape_debug(), ResultFormat::NAMES.join(", "));
        write!(f, "unknown format \"{name}\"; use one of {names}")
    }
}

impl std::error::Error for UnknownResultFormat {}

/// Writes results of one kind to a stream. Does not buffer: give it a writer that does.
///
/// ```
/// use nearprint::fingerprint::Scheme;
/// use nearprint::records::PairRow;
/// use nearprint::{ResultFormat, ResultWriter};
///
/// let format: ResultFormat = "csv".parse()?;
/// let out = ResultWriter::new::<PairRow>(format, Scheme::SD1, Vec::new())?;
/// let heading = "a,b,distance,similarity,estimate,measure,evidence,duplicate,distinct\r\n";
/// assert_eq!(out.finish()?, heading.as_bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Memory: of lines none, of tables a row group. Tables need the feature `tables`.
pub struct ResultWriter<W: Write + Send>(Writer<W>);

enum Writer<W: Write + Send> {
    Lines(RowWriter<W>),
    Table(Box<TableWriter<W>>),
}

impl<W: Write + Send> ResultWriter<W> {
    /// Results of the kind `R` to `out`. `scheme` is that of their fingerprints, which tables name. Lines begin with
    /// the first result, or at the end: nothing is written where the work is refused.
    ///
    /// # Errors
    /// Those of `out`; where it is a table and this build writes none; where such results have no columns.
    pub fn new<R: TableRow>(format: ResultFormat, scheme: Scheme, out: W) -> io::Result<Self> {
        let is_separated = matches!(format, ResultFormat::Csv | ResultFormat::Spreadsheet);
        if is_separated && R::COLUMNS.is_empty() {
            let (name, form) = (format.name(), R::SCHEMA);
            let text = format!("{form} has no form as {name}; use text, jsonl or parquet");
            return Err(io::Error::new(io::ErrorKind::Unsupported, text));
        }
        Ok(Self(match format.form() {
            Form::Lines(format) => Writer::Lines(RowWriter::of::<R>(format, out)),
            Form::Table(format) => {
                Writer::Table(Box::new(TableWriter::new::<R>(format, scheme, out)?))
            }
        }))
    }

    /// Writes one result.
    ///
    /// # Errors
    /// Those of the stream; a result of another kind than the table's.
    pub fn write<R: TableRow>(&mut self, row: &R) -> io::Result<()> {
        match &mut self.0 {
            Writer::Lines(out) => out.write(row),
            Writer::Table(out) => out.write(row),
        }
    }

    /// Brings the lines so far to their reader; tables can be read when they are complete.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Writer::Lines(out) => out.get_mut().flush(),
            Writer::Table(_) => Ok(()),
        }
    }

    /// Ends the results and gives the stream back.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn finish(self) -> io::Result<W> {
        match self.0 {
            Writer::Lines(out) => out.finish(),
            Writer::Table(out) => out.finish(),
        }
    }
}

impl<W: Write + Send> fmt::Debug for ResultWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResultWriter").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_known_by_its_name() {
        for name in ResultFormat::NAMES {
            assert_eq!(name.parse::<ResultFormat>().unwrap().name(), name);
        }
        assert!("table".parse::<ResultFormat>().unwrap_err().to_string().contains("arrow-stream"));
    }
}
