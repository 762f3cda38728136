//! Results as lines: text for people and pipes, JSON for programs.

use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;

use crate::json_row::{self, JsonRow};
use crate::separated_writer::{write_line, write_shown_line};

/// How results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// Columns separated by tabs.
    #[default]
    Text,
    /// One JSON object a line, naming its schema.
    Jsonl,
    /// Separated values by RFC 4180, the first line naming the columns.
    Csv,
    /// The same for spreadsheets, which would run some values of ids and names: these begin with an apostrophe.
    Spreadsheet,
    /// An index of captures: only of documents from web archives, only of what became of each.
    Cdxj,
}

impl Format {
    /// Whether it is separated values.
    #[must_use]
    pub fn is_separated(self) -> bool {
        matches!(self, Self::Csv | Self::Spreadsheet)
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        match name {
            "text" => Ok(Self::Text),
            "jsonl" => Ok(Self::Jsonl),
            "csv" => Ok(Self::Csv),
            "spreadsheet" => Ok(Self::Spreadsheet),
            "cdxj" => Ok(Self::Cdxj),
            _ => Err(UnknownFormat { name: name.to_owned() }),
        }
    }
}

/// A name that is no [`Format`]'s.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownFormat {
    name: String,
}

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = "text, jsonl, csv, spreadsheet or cdxj";
        write!(f, "unknown format \"{}\"; use {names}", self.name.escape_debug())
    }
}

impl std::error::Error for UnknownFormat {}

/// One result that has a line in every format.
pub trait Row: JsonRow {
    /// The name of its JSON form: `nearprint/`, what it is, and a version that grows when a field changes its sense or
    /// goes. Fields may be added within a version.
    const SCHEMA: &'static str;

    /// The columns of its form as separated values; none if it has no such form.
    const COLUMNS: &'static [&'static str] = &[];

    /// Gives the cells of each of its lines of separated values to `line`, in the order of the columns.
    ///
    /// # Errors
    /// Those of `line`.
    fn write_cells(&self, line: &mut dyn FnMut(&[&str]) -> io::Result<()>) -> io::Result<()> {
        let _ = line;
        Ok(())
    }

    /// Writes its line of an index of captures; nothing if it is not a capture.
    ///
    /// # Errors
    /// Those of `out`.
    fn write_cdxj(&self, out: &mut dyn Write) -> io::Result<()> {
        let _ = out;
        Ok(())
    }

    /// Writes its text form, with line ends; nothing if it has none.
    ///
    /// # Errors
    /// Those of `out`.
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()>;
}

/// Bytes that a writer keeps for the next row; after a longer one its memory is given back.
const KEPT: usize = 64 << 10;

/// Writes rows to a stream in one format, each at once. Does not gather rows: give it a writer that does.
#[derive(Debug)]
pub struct RowWriter<W> {
    format: Format,
    out: W,
    /// The row that is written: a stream is called once for it, not for each of its fields.
    row: Vec<u8>,
    /// The names of the columns, until they are written.
    heading: Option<&'static [&'static str]>,
}

impl<W: Write> RowWriter<W> {
    /// Rows of `format` to `out`.
    pub fn new(format: Format, out: W) -> Self {
        Self { format, out, row: Vec::new(), heading: None }
    }

    /// Rows of one kind, and before the first, or at the end, what precedes them: of separated values the names of the
    /// columns.
    pub fn of<R: Row>(format: Format, out: W) -> Self {
        let heading = format.is_separated().then_some(R::COLUMNS);
        Self { heading, ..Self::new(format, out) }
    }

    fn begin(&mut self) -> io::Result<()> {
        self.heading.take().map_or(Ok(()), |columns| write_line(&mut self.out, columns))
    }

    /// Writes one row.
    ///
    /// # Errors
    /// Those of the stream; in a build without the feature `json`, of a format that is JSON, one that names it.
    pub fn write<R: Row>(&mut self, row: &R) -> io::Result<()> {
        self.begin()?;
        self.row.clear();
        let to = &mut self.row;
        match self.format {
            Format::Text => row.write_text(to)?,
            Format::Jsonl => json_row::write(R::SCHEMA, row, to)?,
            Format::Csv => row.write_cells(&mut |cells| write_line(&mut *to, cells))?,
            Format::Spreadsheet => {
                row.write_cells(&mut |cells| write_shown_line(&mut *to, cells))?;
            }
            Format::Cdxj => row.write_cdxj(to)?,
        }
        let written = self.out.write_all(&self.row);
        self.row.shrink_to(KEPT);
        written
    }

    /// The stream, for what is not a row.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }

    /// Ends the rows and gives the stream back.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn finish(mut self) -> io::Result<W> {
        self.begin()?;
        Ok(self.out)
    }

    /// The stream, as it is.
    pub fn into_inner(self) -> W {
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_named() {
        assert_eq!("text".parse(), Ok(Format::Text));
        assert_eq!("jsonl".parse(), Ok(Format::Jsonl));
        let error = "json".parse::<Format>().unwrap_err().to_string();
        assert!(error.contains("\"json\"") && error.contains("jsonl"), "{error}");
    }
}
