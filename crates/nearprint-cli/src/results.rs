//! Results on their way out, as lines or as a table.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use nearprint::ResultWriter;
use nearprint::fingerprint::Scheme;
use nearprint::records::TableRow;

use crate::exit_status::Failure;
use crate::options::JsonOption;
use crate::output::{Stream, failure, is_file, is_terminal};
use crate::outputs::{self, ForceOption};
use crate::similar_rows::{RowForPeople, SimilarRow};

/// How results are written that may be very many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ResultFormat {
    /// An aligned table for people
    Table,
    /// Lines with columns separated by tabs
    Text,
    /// One JSON object per line
    Jsonl,
    /// Comma-separated values; the first line names the columns
    Csv,
    /// The same for spreadsheets: an apostrophe stands before what they would run
    Spreadsheet,
    /// A Parquet table
    Parquet,
    /// An Arrow IPC table: a file, or a stream on standard output
    Arrow,
}

/// Where such results go.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct ResultOptions {
    /// Output format; see docs/FORMAT.md [default: table on a terminal, else text]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<ResultFormat>,
    #[command(flatten)]
    json: JsonOption,
    /// Write to FILE, which appears only when it is complete (- for standard output)
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) force: ForceOption,
}

impl ResultOptions {
    /// The format that is named, or the one that suits the reader.
    pub(crate) fn format(&self) -> ResultFormat {
        ResultFormat::of(self.format, self.json, self.output.as_deref())
    }
}

impl ResultFormat {
    /// The format that is named, or the one that suits the reader: a table for people, text for programs.
    pub(crate) fn of(given: Option<Self>, json: JsonOption, file: Option<&Path>) -> Self {
        let fallback = if is_terminal(file) { Self::Table } else { Self::Text };
        if json.json { Self::Jsonl } else { given.unwrap_or(fallback) }
    }

    /// The library's name of it; tables on terminals are made of text. Arrow is a stream where it is not in a file.
    pub(crate) fn of_file(self, to_file: bool) -> nearprint::ResultFormat {
        use nearprint::ResultFormat as Named;
        match self {
            Self::Table | Self::Text => Named::Text,
            Self::Jsonl => Named::Jsonl,
            Self::Csv => Named::Csv,
            Self::Spreadsheet => Named::Spreadsheet,
            Self::Parquet => Named::Parquet,
            Self::Arrow if to_file => Named::Arrow,
            Self::Arrow => Named::ArrowStream,
        }
    }
}

/// Results of one kind on their way out.
pub(crate) struct Results {
    writer: ResultWriter<Stream>,
    name: String,
    /// Whether people read it.
    is_table: bool,
}

impl Results {
    /// Opens the output for rows of one kind, whose fingerprints are of `scheme`; `heading` names the columns of a
    /// table.
    pub(crate) fn open<R: TableRow>(
        file: Option<&Path>,
        format: ResultFormat,
        scheme: Scheme,
        heading: &'static [&'static str],
    ) -> Result<Self, Failure> {
        let named = format.of_file(is_file(file));
        if named.is_binary() {
            refuse_terminal(file)?;
        }
        let (stream, name) = Stream::open(file)?;
        let stream = match format {
            ResultFormat::Table => stream.with_heading(heading, is_terminal(file)),
            _ => stream,
        };
        let results = Self::on::<R>((stream, name), named, scheme)?;
        Ok(Self { is_table: format == ResultFormat::Table, ..results })
    }

    /// The same on a stream of this name.
    pub(crate) fn on<R: TableRow>(
        (stream, name): (Stream, String),
        format: nearprint::ResultFormat,
        scheme: Scheme,
    ) -> Result<Self, Failure> {
        match ResultWriter::new::<R>(format, scheme, stream) {
            Ok(writer) => Ok(Self { writer, name, is_table: false }),
            Err(error) => Err(failure(error, &name)),
        }
    }

    /// Writes one result.
    pub(crate) fn row<R: TableRow>(&mut self, row: &R) -> Result<(), Failure> {
        self.writer.write(row).map_err(|error| failure(error, &self.name))
    }

    /// Writes one result that two documents are similar: for people with a word on whether they are duplicates.
    pub(crate) fn similar_row<R: SimilarRow>(&mut self, row: &R) -> Result<(), Failure> {
        if self.is_table { self.row(&RowForPeople(row)) } else { self.row(row) }
    }

    /// Brings the rows so far to their reader; tables are read when they are whole.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        self.writer.flush().map_err(|error| failure(error, &self.name))
    }

    /// Ends the output. Without this a file does not appear.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        outputs::none_was_read()?;
        self.writer.finish().and_then(Stream::finish).map_err(|error| failure(error, &self.name))
    }
}

/// Refuses to write what is not text to a terminal.
pub(crate) fn refuse_terminal(file: Option<&Path>) -> Result<(), Failure> {
    if is_terminal(file) {
        let text = "binary output would garble the terminal; name a file (--output) or redirect";
        return Err(Failure::Usage(text.to_owned()));
    }
    Ok(())
}
