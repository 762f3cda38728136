//! `nearprint fingerprint`: documents to fingerprints.

use std::path::PathBuf;

use clap::Args;
use nearprint::fingerprint::Scheme;
use nearprint::records::Source;
use nearprint::{Role, TextRequest};

use super::conclude;
use crate::collection::CollectionOptions;
use crate::exit_status::{ExitStatus, Failure};
use crate::forecasts::{Writes, announce_prints};
use crate::jobs::{JobOptions, JobStop};
use crate::options::{LIST, SchemesOption, WorkOptions};
use crate::prints_output::PrintsOutputOptions;
use crate::reading_options::ReadingOptions;
use crate::report::report;
use crate::talk::Talk;
use crate::weak_bits::{WeakBitsOption, write_weak_bits};

/// Fingerprint documents
///
/// Prints one line FINGERPRINT TAB PATH for each document, in the order of the inputs; directories are walked in
/// the byte order of their paths. A document without a fingerprint has no line in the text format, and standard error
/// states the reason. In JSONL every document has a line, with "fingerprint": null and the reason if there is none.
///
/// The binary format is for many fingerprints: 8 bytes each in addition to the path, with a checksum, read by
/// nearprint prints at the speed of the disk.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint fingerprint reports > prints.txt
  nearprint fingerprint --format jsonl -g '*.pdf' reports
  nearprint fingerprint --format binary --output reports.prints reports
  nearprint fingerprint --format parquet --output prints.parquet corpus.parquet
  nearprint fingerprint --format jsonl --digests reports
  nearprint fingerprint --scheme sd1,md1 --format parquet --output 'prints.{scheme}.parquet' reports
  nearprint fingerprint --job work --output all.txt crawl
  find . -name '*.html' -print0 | nearprint fingerprint --files-from -
  nearprint fingerprint --files-from list.txt
  curl -s https://example.org/ | nearprint fingerprint -
  nearprint fingerprint --read ids=url 'crawls/2026-*/*.warc.gz'
  nearprint fingerprint --format cdxj crawl.warc.gz | LC_ALL=C sort > index.cdxj
  nearprint fingerprint --read id=url --read text=content dump.jsonl.zst
  nearprint fingerprint --read format=files table.csv")]
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
    #[command(flatten)]
    output: PrintsOutputOptions,
    #[command(flatten)]
    weak_bits: WeakBitsOption,
    /// Write a summary of the run to FILE, as one line of JSON
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
    #[command(flatten)]
    job: JobOptions,
    #[command(flatten)]
    work: WorkOptions,
}

impl FingerprintArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let inputs = self.collection.inputs(&self.paths, &self.reading)?;
        let schemes = self.schemes.or(Scheme::SD1)?;
        self.output.refuse(&schemes)?;
        self.refuse_several(&schemes)?;
        self.weak_bits.check(&schemes, self.output.named(false), self.job.is_given())?;
        let outputs = self.output.check(&schemes).counts(self.report.as_deref());
        outputs.job(self.job.folder()).check([&inputs])?;
        let talk = Talk::new(self.work.level(), self.output.is_terminal());
        let settings = self.reading.settings(schemes[0]).digests(self.output.digests);
        let engine = self.reading.engine(self.work.threads);
        let pipeline = engine.pipeline(settings);
        let kinds = (self.output.named(true), &schemes[..]);
        let (job, rows) = (self.job.is_given(), self.output.is_file());
        announce_prints(&pipeline, &inputs, kinds, &talk, &Writes { job, rows, kept: false })?;
        let mut source = inputs.source()?;
        talk.expect(&inputs, &source);
        if self.weak_bits.is_given() {
            let pipeline = engine.pipeline(pipeline.settings().clone());
            let tally = write_weak_bits(pipeline, &mut source, self.output.file(), &talk)?;
            report(self.report.as_deref(), tally.summary(schemes[0]), &talk)?;
            return Ok(conclude(&talk, &tally));
        }
        let mut out = self.output.open(&schemes)?;
        let identity = || Ok(pipeline.settings().job_identity("fingerprint", &inputs)?);
        let mut job = self.job.open(self.reading.commit(), identity, &talk)?;
        let pipeline = engine.pipeline(pipeline.settings().clone());
        let pipeline = pipeline.watched_by(|tally| talk.progress(tally));
        let tally = match schemes[..] {
            [_] => {
                let sources = &mut [(Role::Candidate, &mut source as &mut dyn Source)];
                let read =
                    pipeline.read_sources(sources, &TextRequest::default(), job.as_mut(), |done| {
                        talk.nothing(&done.record);
                        out.push(&done.record).map_err(JobStop::Here)
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
        report(self.report.as_deref(), tally.summary(schemes[0]), &talk)?;
        self.job.remove(job)?;
        Ok(conclude(&talk, &tally))
    }

    /// Refuses what there is for one scheme only.
    fn refuse_several(&self, schemes: &[Scheme]) -> Result<(), Failure> {
        let text = match schemes {
            [_] => return Ok(()),
            _ if self.job.is_given() => {
                "--job supports only one scheme; use a separate job for each"
            }
            _ if self.report.is_some() => "--report supports only one scheme",
            _ => return Ok(()),
        };
        Err(Failure::Usage(text.to_owned()))
    }
}
