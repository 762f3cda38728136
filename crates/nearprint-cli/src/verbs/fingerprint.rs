//! `nearprint fingerprint`: documents to fingerprints.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clap::{Args, ValueEnum};
use nearprint::fingerprint::{Family, Scheme};
use nearprint::records::{FingerprintRecord, Source};
use nearprint::{Inputs, PrintsFormat, PrintsWriter, ResultFormat, Role, Settings};

use super::{conclude, report};
use crate::collection::CollectionOptions;
use crate::disk::{self, megabytes};
use crate::ending::{Ending, Failure};
use crate::jobs::{JobOptions, Stopped};
use crate::options::{JsonOption, LIST, ReadingOptions, SchemesOption, WorkOptions};
use crate::output::{Stream, failure, is_file, is_terminal};
use crate::outputs::{self, ForceOption, Outputs};
use crate::results::refuse_terminal;
use crate::talk::Talk;

/// Fingerprint documents
///
/// Prints one line FINGERPRINT TAB PATH for each document, in the order of the inputs; directories are walked in
/// the byte order of their paths. A document without a fingerprint has no line in the text format, and standard error
/// states the reason. In JSONL every document has a line, with "fingerprint": null and the reason if there is none.
///
/// The binary format is for many fingerprints: 8 bytes each in addition to the path, with a checksum, read by --prints
/// at the speed of the disk.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint fingerprint reports > prints.txt
  nearprint fingerprint --format jsonl --include '*.pdf' reports
  nearprint fingerprint --format binary --output reports.prints reports
  nearprint fingerprint --format parquet --output prints.parquet corpus.parquet
  nearprint fingerprint --format jsonl --digests reports
  nearprint fingerprint --scheme sd1,md1 --format parquet --output 'prints.{scheme}.parquet' reports
  nearprint fingerprint --job work --output all.txt crawl
  find . -name '*.html' -print0 | nearprint fingerprint --files0-from -
  nearprint fingerprint --files-from list.txt
  curl -s https://example.org/ | nearprint fingerprint -
  nearprint fingerprint --ids url 'crawls/2026-*/*.warc.gz'
  nearprint fingerprint --format cdxj crawl.warc.gz | LC_ALL=C sort > index.cdxj
  nearprint fingerprint --id url --text content dump.jsonl.zst
  nearprint fingerprint --input-format files table.csv")]
pub(crate) struct FingerprintArgs {
    /// Files, directories, quoted patterns such as 'crawl/*.warc.gz', or - for standard input
    #[arg(value_name = "PATH", required_unless_present = LIST)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    collection: CollectionOptions,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    schemes: SchemesOption,
    /// Output format; see docs/FORMAT.md
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value = "text",
        help_heading = "Output"
    )]
    format: FingerprintFormat,
    #[command(flatten)]
    json: JsonOption,
    /// Write to FILE, which appears only when it is complete (- for standard output). {scheme} in its name is replaced
    /// by the id of the scheme, so that each of several schemes gets its own file
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOption,
    /// Omit the ids in the binary format; fingerprints are then identified by their numbers
    #[arg(long, help_heading = "Output")]
    no_ids: bool,
    /// Add the 16 least certain bits of each fingerprint to JSONL and tables, for `pairs --plan probabilistic`
    #[arg(long, help_heading = "Output")]
    weak_bits: bool,
    /// Add SHA-256 digests of each document (content_sha256) and of its extracted text (text_sha256) to JSONL and
    /// tables
    #[arg(long, help_heading = "Output")]
    digests: bool,
    /// Write a summary of the run to FILE, as one line of JSON
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
    #[command(flatten)]
    job: JobOptions,
    #[command(flatten)]
    work: WorkOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FingerprintFormat {
    /// Lines FINGERPRINT TAB PATH
    Text,
    /// One JSON object per document
    Jsonl,
    /// Comma-separated values, a line for each document; the first line names the columns
    Csv,
    /// An index of web archives with fingerprints, as pywb reads it; sort it before use
    Cdxj,
    /// Fingerprints as numbers, then their paths, then a checksum
    Binary,
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
            Self::Text => ResultFormat::Text,
            Self::Jsonl => ResultFormat::Jsonl,
            Self::Csv => ResultFormat::Csv,
            Self::Cdxj => ResultFormat::Cdxj,
            Self::Parquet => ResultFormat::Parquet,
            Self::Arrow if to_file => ResultFormat::Arrow,
            Self::Arrow => ResultFormat::ArrowStream,
        };
        PrintsFormat::Rows(rows)
    }
}

/// Where fingerprints go.
struct Out {
    writer: PrintsWriter<Stream>,
    name: String,
}

impl Out {
    /// On a stream of this name.
    fn on(
        (stream, name): (Stream, String),
        format: PrintsFormat,
        scheme: Scheme,
    ) -> Result<Self, Failure> {
        match PrintsWriter::new(format, scheme, stream) {
            Ok(writer) => Ok(Self { writer, name }),
            Err(error) => Err(failure(error, &name)),
        }
    }

    fn push(&mut self, record: &FingerprintRecord) -> Result<(), Failure> {
        self.writer.write(record).map_err(|error| failure(error, &self.name))
    }

    fn finish(self) -> Result<(), Failure> {
        outputs::none_was_read()?;
        self.writer.finish().and_then(Stream::finish).map_err(|error| failure(error, &self.name))
    }
}

/// What stands for the scheme in the name of an output.
const SCHEME: &str = "{scheme}";

/// Where the fingerprints of several schemes go: all to one place, or those of each scheme to one of their own.
struct Outs {
    schemes: Vec<Scheme>,
    outs: Vec<Out>,
}

impl Outs {
    fn push(&mut self, record: &FingerprintRecord) -> Result<(), Failure> {
        let at = match self.outs.len() {
            1 => 0,
            _ => self.schemes.iter().position(|&scheme| scheme == record.scheme).unwrap_or(0),
        };
        self.outs[at].push(record)
    }

    fn finish(self) -> Result<(), Failure> {
        self.outs.into_iter().try_for_each(Out::finish)
    }
}

impl FingerprintArgs {
    pub(super) fn run(mut self) -> Result<Ending, Failure> {
        let inputs = self.collection.inputs(&self.paths, &self.reading)?;
        if self.json.json {
            self.format = FingerprintFormat::Jsonl;
        }
        let schemes = self.schemes.or(Scheme::SD1)?;
        let scheme = schemes[0];
        schemes.iter().try_for_each(|&scheme| self.check(scheme))?;
        self.check_several(&schemes)?;
        self.check_outputs(&schemes, &inputs)?;
        let file = self.output.as_deref();
        let talk = Talk::new(self.work.quiet, is_terminal(file));
        self.announce(scheme, schemes.len(), &inputs, &talk)?;
        let mut source = inputs.source()?;
        talk.expect(&inputs, &source);
        let mut out = self.open(&schemes)?;
        let settings = self.settings(scheme);
        let mut job =
            self.job.open(|| Ok(settings.job_identity("fingerprint", &inputs)?), &talk)?;
        let pipeline = self
            .reading
            .engine(self.work.threads, None)
            .pipeline(settings)
            .watched_by(|tally| talk.progress(tally));
        let tally = match schemes[..] {
            [_] => {
                let sources = &mut [(Role::Candidate, &mut source as &mut dyn Source)];
                let read = pipeline.read_sources(sources, None, job.as_mut(), |done| {
                    talk.nothing(&done.record);
                    out.push(&done.record).map_err(Stopped::Here)
                });
                read.map_err(|stopped| stopped.failure(&self.job))?
            }
            _ => pipeline.fingerprint_by(&mut source, &schemes, |mut records| {
                if let Some(first) = records.as_slice().first() {
                    talk.nothing(first);
                }
                records.try_for_each(|record| out.push(&record))
            })?,
        };
        out.finish()?;
        report(self.report.as_deref(), tally.summary(scheme), &talk)?;
        self.job.remove(job)?;
        Ok(conclude(&talk, &tally))
    }

    /// Says before large work what of the disk it takes: a job's folder, and an output in a file.
    fn announce(
        &self,
        scheme: Scheme,
        schemes: usize,
        inputs: &Inputs,
        talk: &Talk,
    ) -> Result<(), Failure> {
        let to_file = is_file(self.output.as_deref());
        let writes = to_file || self.job.is_given();
        let Some(size) = inputs.size().filter(|size| writes && !self.work.quiet && size.is_large())
        else {
            return Ok(());
        };
        let (stream, bytes) = Stream::counted();
        let mut out = Out::on(stream, self.named(true), scheme)?;
        let settings = self.settings(scheme);
        let mut source = inputs.source()?;
        let found = self.reading.engine(self.work.threads, None).pipeline(settings).forecast(
            &mut source,
            &size,
            |record| out.push(record),
        )?;
        out.finish()?;
        let times = found.documents as f64 / found.sample.max(1) as f64 * schemes as f64;
        let output = megabytes((bytes.load(Ordering::Relaxed) as f64 * times) as u64);
        let mut said = Vec::new();
        if to_file {
            said.push(format!("the output needs about {output} MB"));
        }
        if self.job.is_given() {
            said.push(format!("the job folder about {} MB", megabytes(found.job)));
        }
        disk::say(talk, &size, found.documents, &said);
        Ok(())
    }

    /// The files of the schemes, each with one of its own, where the name of the output says so.
    fn files_by_scheme(&self, schemes: &[Scheme]) -> Option<Vec<PathBuf>> {
        let name = self.output.as_deref()?.to_str().filter(|name| name.contains(SCHEME))?;
        let file = |scheme: &Scheme| PathBuf::from(name.replace(SCHEME, scheme.id()));
        Some(schemes.iter().map(file).collect())
    }

    fn check_outputs(&self, schemes: &[Scheme], inputs: &Inputs) -> Result<(), Failure> {
        let outputs = Outputs::new(self.force).counts(self.report.as_deref());
        let outputs = outputs.job(self.job.folder());
        let outputs = match self.files_by_scheme(schemes) {
            Some(files) => files.iter().fold(outputs, |outputs, file| outputs.rows(Some(file))),
            None => outputs.rows(self.output.as_deref()),
        };
        outputs.check([inputs])
    }

    fn named(&self, to_file: bool) -> PrintsFormat {
        self.format.named(!self.no_ids, to_file)
    }

    /// The output of each scheme, or the one of all.
    fn open(&self, schemes: &[Scheme]) -> Result<Outs, Failure> {
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

    /// Refuses what there is for one scheme only.
    fn check_several(&self, schemes: &[Scheme]) -> Result<(), Failure> {
        use FingerprintFormat::{Arrow, Binary, Parquet};
        let by_scheme =
            self.output.as_deref().and_then(Path::to_str).is_some_and(|n| n.contains(SCHEME));
        let text = match schemes {
            [_] => return Ok(()),
            _ if self.job.is_given() => {
                "--job supports only one scheme; use a separate job for each"
            }
            _ if self.report.is_some() => "--report supports only one scheme",
            _ if matches!(self.format, Binary | Parquet | Arrow) && !by_scheme => {
                "a file of this format contains fingerprints of one scheme; name one for each, \
                    such as --output 'prints.{scheme}.parquet'"
            }
            _ => return Ok(()),
        };
        Err(Failure::Usage(text.to_owned()))
    }

    /// What is made of documents.
    fn settings(&self, scheme: Scheme) -> Settings {
        Settings {
            weak_bits: self.weak_bits,
            digests: self.digests,
            ..self.reading.settings(scheme)
        }
    }

    fn check(&self, scheme: Scheme) -> Result<(), Failure> {
        let text = match (self.format, self.no_ids, self.weak_bits) {
            (format, true, _) if format != FingerprintFormat::Binary => {
                "--no-ids is only for --format binary"
            }
            (
                FingerprintFormat::Text
                | FingerprintFormat::Csv
                | FingerprintFormat::Cdxj
                | FingerprintFormat::Binary,
                _,
                true,
            ) => "--weak-bits is only for --format jsonl, parquet and arrow",
            (
                FingerprintFormat::Text
                | FingerprintFormat::Csv
                | FingerprintFormat::Cdxj
                | FingerprintFormat::Binary,
                ..,
            ) if self.digests => "--digests is only for --format jsonl, parquet and arrow",
            (_, _, true) if scheme.family() == Family::Sketch => {
                "--weak-bits is only for simhashes (sd1, sl1); sketches have no uncertain bits"
            }
            _ => return Ok(()),
        };
        Err(Failure::Usage(text.to_owned()))
    }
}
