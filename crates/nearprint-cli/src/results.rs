//! Results on their way out, as lines or as a table.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use nearprint::fingerprint::Scheme;
use nearprint::records::{Format, TableRow};
use nearprint::tables::{TableFormat, TableWriter};

use crate::ending::Failure;
use crate::options::JsonOption;
use crate::output::{Output, Stream, failure, is_file, is_terminal};
use crate::outputs::{self, ForceOption};

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
}

/// Results of one kind on their way out.
pub(crate) enum Results {
    Lines(Output),
    Table { writer: Box<TableWriter<Stream>>, name: String },
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
        let to_file = is_file(file);
        if matches!(format, ResultFormat::Parquet | ResultFormat::Arrow) && is_terminal(file) {
            let text = "a binary table would garble the terminal; name a file (--output) or \
                redirect";
            return Err(Failure::Usage(text.to_owned()));
        }
        if format == ResultFormat::Csv {
            return Output::of_rows::<R>(file, Format::Csv, None).map(Self::Lines);
        }
        if format == ResultFormat::Table {
            return Output::of_rows::<R>(file, Format::Text, Some(heading)).map(Self::Lines);
        }
        Self::on::<R>(Stream::open(file)?, to_file, format, scheme)
    }

    /// The same on a stream of this name, which may be one of a file.
    pub(crate) fn on<R: TableRow>(
        (stream, name): (Stream, String),
        to_file: bool,
        format: ResultFormat,
        scheme: Scheme,
    ) -> Result<Self, Failure> {
        let lines = |format, stream, name| Ok(Self::Lines(Output::on((stream, name), format)));
        let format = match format {
            ResultFormat::Table | ResultFormat::Text => return lines(Format::Text, stream, name),
            ResultFormat::Jsonl => return lines(Format::Jsonl, stream, name),
            ResultFormat::Csv => return lines(Format::Csv, stream, name),
            ResultFormat::Parquet => TableFormat::Parquet,
            ResultFormat::Arrow if to_file => TableFormat::ArrowFile,
            ResultFormat::Arrow => TableFormat::ArrowStream,
        };
        let writer = TableWriter::new::<R>(format, scheme, stream);
        let writer = Box::new(writer.map_err(|error| failure(error, &name))?);
        Ok(Self::Table { writer, name })
    }

    /// Writes one result.
    pub(crate) fn row<R: TableRow>(&mut self, row: &R) -> Result<(), Failure> {
        match self {
            Self::Lines(out) => out.row(row),
            Self::Table { writer, name } => writer.write(row).map_err(|error| failure(error, name)),
        }
    }

    /// Brings the rows so far to their reader; tables are read when they are whole.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        match self {
            Self::Lines(out) => out.flush(),
            Self::Table { .. } => Ok(()),
        }
    }

    /// Ends the output. Without this a file does not appear.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        match self {
            Self::Lines(out) => out.finish(),
            Self::Table { writer, name } => {
                outputs::none_was_read()?;
                writer.finish().and_then(Stream::finish).map_err(|error| failure(error, &name))
            }
        }
    }
}
