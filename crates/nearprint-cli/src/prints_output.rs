//! How fingerprints are written: in one of their formats, those of several schemes together or to a file each.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use nearprint::fingerprint::Scheme;
use nearprint::records::FingerprintRecord;
use nearprint::{PrintsFormat, PrintsWriter, ResultFormat};

use crate::exit_status::Failure;
use crate::options::JsonOption;
use crate::output::{Stream, failure, is_file, is_terminal};
use crate::outputs::{self, ForceOption, Outputs};
use crate::results::refuse_terminal;

/// Where fingerprints go, and in which format.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct PrintsOutputOptions {
    /// Output format; see docs/FORMAT.md
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    format: FingerprintFormat,
    #[command(flatten)]
    json: JsonOption,
    /// Write to FILE, which appears only when it is complete (- for standard output). {scheme} in its name is replaced
    /// by the id of the scheme, so that each of several schemes gets its own file
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOption,
    /// Omit the ids in the formats binary and interchange; fingerprints are then identified by their numbers
    #[arg(long)]
    no_ids: bool,
    /// Add SHA-256 digests of each document (content_sha256) and of its extracted text (text_sha256) to JSONL and
    /// tables
    #[arg(long)]
    pub(crate) digests: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FingerprintFormat {
    /// Lines FINGERPRINT TAB PATH
    Text,
    /// One JSON object per document
    Jsonl,
    /// Comma-separated values, a line for each document; the first line names the columns
    Csv,
    /// The same for spreadsheets: an apostrophe stands before what they would run
    Spreadsheet,
    /// An index of web archives with fingerprints, as pywb reads it; sort it before use
    Cdxj,
    /// Fingerprints as numbers, then their paths, then a checksum
    Binary,
    /// Lines for other parties, with a header and a digest at the end (spec/INTERCHANGE.md)
    Interchange,
    /// A Parquet table, a row for each document
    Parquet,
    /// The same as Arrow IPC: a file, or a stream on standard output
    Arrow,
}

impl FingerprintFormat {
    /// The library's name of it; Arrow is a stream where it is not in a file.
    fn named(self, ids: bool, to_file: bool) -> PrintsFormat {
        let rows = match self {
            Self::Binary => return PrintsFormat::Binary { ids },
            Self::Interchange => return PrintsFormat::Interchange { ids },
            Self::Text => ResultFormat::Text,
            Self::Jsonl => ResultFormat::Jsonl,
            Self::Csv => ResultFormat::Csv,
            Self::Spreadsheet => ResultFormat::Spreadsheet,
            Self::Cdxj => ResultFormat::Cdxj,
            Self::Parquet => ResultFormat::Parquet,
            Self::Arrow if to_file => ResultFormat::Arrow,
            Self::Arrow => ResultFormat::ArrowStream,
        };
        PrintsFormat::Rows(rows)
    }
}

/// Where fingerprints go.
pub(crate) struct Out {
    writer: PrintsWriter<Stream>,
    name: String,
}

impl Out {
    /// On a stream of this name.
    pub(crate) fn on(
        (stream, name): (Stream, String),
        format: PrintsFormat,
        scheme: Scheme,
    ) -> Result<Self, Failure> {
        match PrintsWriter::new(format, scheme, stream) {
            Ok(writer) => Ok(Self { writer, name }),
            Err(error) => Err(failure(error, &name)),
        }
    }

    pub(crate) fn push(&mut self, record: &FingerprintRecord) -> Result<(), Failure> {
        self.writer.write(record).map_err(|error| failure(error, &self.name))
    }

    pub(crate) fn finish(self) -> Result<(), Failure> {
        outputs::none_was_read()?;
        self.writer.finish().and_then(Stream::finish).map_err(|error| failure(error, &self.name))
    }
}

/// What stands for the scheme in the name of an output.
const SCHEME: &str = "{scheme}";

/// Where the fingerprints of several schemes go: all to one place, or those of each scheme to one of their own.
pub(crate) struct Outs {
    schemes: Vec<Scheme>,
    outs: Vec<Out>,
}

impl Outs {
    pub(crate) fn push(&mut self, record: &FingerprintRecord) -> Result<(), Failure> {
        let at = match self.outs.len() {
            1 => 0,
            _ => self.schemes.iter().position(|&scheme| scheme == record.scheme).unwrap_or(0),
        };
        self.outs[at].push(record)
    }

    pub(crate) fn finish(self) -> Result<(), Failure> {
        self.outs.into_iter().try_for_each(Out::finish)
    }
}

impl PrintsOutputOptions {
    /// Whether fingerprints go to a file.
    pub(crate) fn is_file(&self) -> bool {
        is_file(self.output.as_deref())
    }

    /// The file that is named.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.output.as_deref()
    }

    /// Whether they appear before somebody's eyes.
    pub(crate) fn is_terminal(&self) -> bool {
        is_terminal(self.output.as_deref())
    }

    /// The library's name of the format.
    pub(crate) fn named(&self, to_file: bool) -> PrintsFormat {
        self.format().named(!self.no_ids, to_file)
    }

    /// Adds the files to the outputs that are checked.
    pub(crate) fn check(&self, schemes: &[Scheme]) -> Outputs {
        let outputs = Outputs::new(self.force);
        match self.files_by_scheme(schemes) {
            Some(files) => files.iter().fold(outputs, |outputs, file| outputs.rows(Some(file))),
            None => outputs.rows(self.output.as_deref()),
        }
    }

    /// The output of each scheme, or the one of all.
    pub(crate) fn open(&self, schemes: &[Scheme]) -> Result<Outs, Failure> {
        let open = |(file, &scheme): (Option<&Path>, _)| {
            let format = self.named(is_file(file));
            if format.is_binary() {
                refuse_terminal(file)?;
            }
            Out::on(Stream::open(file)?, format, scheme)
        };
        let files = self.files_by_scheme(schemes);
        let outs = match &files {
            Some(files) => {
                let files = files.iter().map(|file| Some(file.as_path()));
                files.zip(schemes).map(open).collect::<Result<_, _>>()?
            }
            None => vec![open((self.output.as_deref(), &schemes[0]))?],
        };
        Ok(Outs { schemes: schemes.to_vec(), outs })
    }

    /// Refuses what the format does not have, or has for one scheme only.
    pub(crate) fn refuse(&self, schemes: &[Scheme]) -> Result<(), Failure> {
        use FingerprintFormat::{Arrow, Binary, Interchange, Jsonl, Parquet};
        let format = self.format();
        let has_fields = matches!(format, Jsonl | Parquet | Arrow);
        let text = if self.no_ids && !matches!(format, Binary | Interchange) {
            "--no-ids is only for --format binary and interchange"
        } else if self.digests && !has_fields {
            "--digests is only for --format jsonl, parquet and arrow"
        } else if schemes.len() > 1
            && matches!(format, Binary | Interchange | Parquet | Arrow)
            && self.files_by_scheme(schemes).is_none()
        {
            "a file of this format contains fingerprints of one scheme; name one for each, \
                such as --output 'prints.{scheme}.parquet'"
        } else {
            return Ok(());
        };
        Err(Failure::Usage(text.to_owned()))
    }

    fn format(&self) -> FingerprintFormat {
        if self.json.json { FingerprintFormat::Jsonl } else { self.format }
    }

    /// The files of the schemes, each with one of its own, where the name of the output says so.
    fn files_by_scheme(&self, schemes: &[Scheme]) -> Option<Vec<PathBuf>> {
        let name = self.output.as_deref()?.to_str().filter(|name| name.contains(SCHEME))?;
        let file = |scheme: &Scheme| PathBuf::from(name.replace(SCHEME, scheme.id()));
        Some(schemes.iter().map(file).collect())
    }
}
