//! `nearprint fingerprint`: documents to fingerprints.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use nearprint::fingerprint::{Family, Scheme};
use nearprint::records::{FingerprintRecord, Format, JobIdentity, PrintFileWriter};
use nearprint::{Pipeline, Role, Settings, Tally};

use super::{conclude, report};
use crate::collection::CollectionOptions;
use crate::ending::{Ending, Failure};
use crate::jobs::{JobOptions, Stopped};
use crate::options::{ReadingOptions, SchemeOption, WorkOptions};
use crate::output::{Output, is_terminal};
use crate::results::{ResultFormat, Results};
use crate::talk::Talk;

/// Fingerprint documents: one line FINGERPRINT TAB PATH for each
///
/// Lines are in the order of the inputs; directories are walked in the byte order of their paths. A document without
/// a fingerprint has no line in the text format: standard error says why. As JSONL every document has a line, with
/// "fingerprint": null and the reason where there is none. The binary format is for many prints: 8 bytes each beside
/// the path, with a checksum, read by --prints at the speed of the disk.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint fingerprint reports > prints.txt
  nearprint fingerprint --format jsonl --include '*.pdf' reports
  nearprint fingerprint --format binary --output reports.prints reports
  nearprint fingerprint --format parquet --output prints.parquet corpus.parquet
  nearprint fingerprint --job work --output all.txt crawl
  find . -name '*.html' -print0 | nearprint fingerprint --files0-from -
  curl -s https://example.org/ | nearprint fingerprint -
  nearprint fingerprint --ids url crawl.warc.gz
  nearprint fingerprint --format cdxj crawl.warc.gz | LC_ALL=C sort > index.cdxj
  nearprint fingerprint --id url --text content dump.jsonl.zst
  nearprint fingerprint --input-format files table.csv")]
pub(crate) struct FingerprintArgs {
    /// Files, directories, or - for standard input
    #[arg(value_name = "PATH", required_unless_present = "files0_from")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    collection: CollectionOptions,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    scheme: SchemeOption,
    /// How results are written; docs/FORMAT.md states all forms
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value = "text",
        help_heading = "Output"
    )]
    format: PrintsFormat,
    /// Write to FILE, which appears only when it is whole; - is standard output
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// In the binary format, leave the ids out: prints are then called by their numbers
    #[arg(long, help_heading = "Output")]
    no_ids: bool,
    /// In JSONL and tables, add the 16 least certain bits of each print, for `pairs --plan probabilistic`
    #[arg(long, help_heading = "Output")]
    weak_bits: bool,
    /// Write the counts of the run to FILE, as one line of JSON
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
    #[command(flatten)]
    job: JobOptions,
    #[command(flatten)]
    work: WorkOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PrintsFormat {
    /// Lines FINGERPRINT TAB PATH
    Text,
    /// One JSON object for each document, naming its schema
    Jsonl,
    /// Separated values, a line for each document, the first line naming the columns
    Csv,
    /// Lines of an index of web archives, as pywb reads them, with the print; sort them before use
    Cdxj,
    /// Prints as numbers, then their paths, then a checksum
    Binary,
    /// A Parquet table with a row for each document
    Parquet,
    /// The same as Arrow IPC: a file, or on standard output a stream
    Arrow,
}

/// Where prints go.
#[expect(clippy::large_enum_variant, reason = "there is one in a run")]
enum Out {
    Rows(Results),
    Binary { prints: PrintFileWriter, out: Output },
}

impl Out {
    fn open(
        file: Option<&Path>,
        format: PrintsFormat,
        ids: bool,
        scheme: Scheme,
    ) -> Result<Self, Failure> {
        let rows = match format {
            PrintsFormat::Text => ResultFormat::Text,
            PrintsFormat::Jsonl => ResultFormat::Jsonl,
            PrintsFormat::Csv => ResultFormat::Csv,
            PrintsFormat::Cdxj => {
                return Output::open(file, Format::Cdxj).map(Results::Lines).map(Self::Rows);
            }
            PrintsFormat::Parquet => ResultFormat::Parquet,
            PrintsFormat::Arrow => ResultFormat::Arrow,
            PrintsFormat::Binary if is_terminal(file) => {
                let text =
                    "binary prints would garble the terminal: name a file (--output), or redirect";
                return Err(Failure::Usage(text.to_owned()));
            }
            PrintsFormat::Binary => {
                let out = Output::open(file, Format::Text)?;
                return Ok(Self::Binary { prints: PrintFileWriter::new(scheme, ids), out });
            }
        };
        Results::open::<FingerprintRecord>(file, rows, scheme).map(Self::Rows)
    }

    fn push(&mut self, record: &FingerprintRecord) -> Result<(), Failure> {
        match self {
            Self::Rows(out) => out.row(record),
            Self::Binary { prints, .. } => match record.outcome.fingerprint() {
                Some(print) => prints.push(&record.id, print).map_err(Failure::work),
                None => Ok(()),
            },
        }
    }

    fn finish(self) -> Result<(), Failure> {
        match self {
            Self::Rows(out) => out.finish(),
            Self::Binary { prints, mut out } => {
                out.whole(|stream| prints.finish(stream))?;
                out.finish()
            }
        }
    }
}

impl FingerprintArgs {
    pub(super) fn run(self) -> Result<Ending, Failure> {
        let scheme = self.scheme.or(Scheme::SD1);
        self.check(scheme)?;
        let file = self.output.as_deref();
        let talk = Talk::new(self.work.quiet, is_terminal(file));
        let mut source = self.collection.source(&self.paths, &self.reading, &talk)?;
        let mut out = Out::open(file, self.format, !self.no_ids, scheme)?;
        let settings = Settings {
            weak_bits: self.weak_bits,
            ..self.reading.settings(scheme, self.work.threads)
        };
        let pipeline = Pipeline::new(settings).watched_by(|tally| talk.progress(tally));
        let mut write = |record: &FingerprintRecord| {
            talk.nothing(record);
            out.push(record)
        };
        let job = self.job.open(|| self.identity(scheme), &talk)?;
        let (tally, job) = match job {
            None => (pipeline.fingerprint(&mut source, |record| write(&record))?, None),
            Some(mut job) => {
                let failure = |error| self.job.failure(error);
                job.read(&pipeline, &mut source, Role::Candidate, None).map_err(failure)?;
                job.finish().map_err(failure)?;
                let mut tally = Tally::default();
                job.for_each(|done| {
                    tally.count(&done.record, done.octets);
                    write(&done.record).map_err(Stopped::Here)
                })
                .map_err(|stopped| stopped.failure(&self.job))?;
                (tally, Some(job))
            }
        };
        out.finish()?;
        report(self.report.as_deref(), &tally.summary(scheme))?;
        self.job.remove(job)?;
        Ok(conclude(&talk, &tally))
    }

    /// All that decides the records.
    fn identity(&self, scheme: Scheme) -> Result<JobIdentity, Failure> {
        let identity = JobIdentity::new("fingerprint")
            .with("version", env!("CARGO_PKG_VERSION"))
            .with("scheme", scheme)
            .with("weak-bits", self.weak_bits);
        self.collection.identify(self.reading.identify(identity), &self.paths, &self.reading)
    }

    fn check(&self, scheme: Scheme) -> Result<(), Failure> {
        let text = match (self.format, self.no_ids, self.weak_bits) {
            (format, true, _) if format != PrintsFormat::Binary => {
                "--no-ids is for --format binary"
            }
            (
                PrintsFormat::Text | PrintsFormat::Csv | PrintsFormat::Cdxj | PrintsFormat::Binary,
                _,
                true,
            ) => "--weak-bits is for --format jsonl, parquet and arrow",
            (_, _, true) if scheme.family() == Family::Sketch => {
                "--weak-bits is for simhashes (sd1, sl1): sketches have no uncertain bits"
            }
            _ => return Ok(()),
        };
        Err(Failure::Usage(text.to_owned()))
    }
}
