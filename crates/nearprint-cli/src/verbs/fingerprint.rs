//! `nearprint fingerprint`: documents to fingerprints.

use std::path::PathBuf;

use clap::Args;
use nearprint::Pipeline;
use nearprint::fingerprint::Scheme;
use nearprint::records::Outcome;

use super::{conclude, report};
use crate::ending::{Ending, Failure};
use crate::inputs::source;
use crate::options::{FileOptions, OutputOptions, ReadingOptions, SchemeOption, WorkOptions};
use crate::output::{Output, is_terminal};
use crate::talk::Talk;

/// Fingerprint documents: one line FINGERPRINT TAB PATH for each
///
/// Lines are in the order of the inputs; directories are walked in the byte order of their paths. A document without
/// a fingerprint has no line in the text format: standard error says why. As JSONL every document has a line, with
/// "fingerprint": null and the reason where there is none.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint fingerprint reports > prints.txt
  nearprint fingerprint --format jsonl --include '*.pdf' reports
  find . -name '*.html' -print0 | nearprint fingerprint --files0-from -
  curl -s https://example.org/ | nearprint fingerprint -")]
pub(crate) struct FingerprintArgs {
    /// Files, directories, or - for standard input
    #[arg(value_name = "PATH", required_unless_present = "files0_from")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    files: FileOptions,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    scheme: SchemeOption,
    #[command(flatten)]
    output: OutputOptions,
    /// Write the counts of the run to FILE, as one line of JSON
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
    #[command(flatten)]
    work: WorkOptions,
}

impl FingerprintArgs {
    pub(super) fn run(self) -> Result<Ending, Failure> {
        let scheme = self.scheme.or(Scheme::SD1);
        let mut source = source(&self.paths, &self.files, &self.reading)?;
        let file = self.output.output.as_deref();
        let talk = Talk::new(self.work.quiet, is_terminal(file));
        let mut out = Output::open(file, self.output.format())?;
        let pipeline = Pipeline::new(self.reading.settings(scheme, self.work.threads));
        let pipeline = pipeline.watched_by(|tally| talk.progress(tally));
        let tally = pipeline.fingerprint(&mut source, |record| {
            if matches!(record.outcome, Outcome::Nothing { .. }) {
                talk.nothing(&record);
            }
            out.row(&record)
        })?;
        out.finish()?;
        report(self.report.as_deref(), &tally.summary(scheme))?;
        Ok(conclude(&talk, &tally))
    }
}
