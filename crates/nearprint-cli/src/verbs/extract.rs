//! `nearprint extract`: a document to its text.

use std::path::PathBuf;

use clap::Args;
use nearprint::fingerprint::Scheme;
use nearprint::records::{ExtractionRow, Format};
use nearprint::{Pipeline, extraction_note};

use crate::ending::{Ending, Failure};
use crate::inputs::one_document;
use crate::options::{ReadingOptions, WorkOptions};
use crate::output::Output;
use crate::talk::Talk;

/// Take the text out of a document, as fingerprinting sees it
///
/// Text goes to standard output, warnings about its quality to standard error. A document that gives no text ends the
/// command with 1.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint extract report.pdf
  nearprint extract --json page.html.gz
  nearprint extract --charset koi8-r --media-type text/plain - < letter")]
pub(crate) struct ExtractArgs {
    /// The document, or - for standard input
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// One JSON object with the text and the record of how it was obtained
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    reading: ReadingOptions,
    /// Write to FILE, which appears only when it is whole
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    work: WorkOptions,
}

impl ExtractArgs {
    pub(super) fn run(self) -> Result<Ending, Failure> {
        let talk = Talk::new(self.work.quiet, true);
        let Some(document) = one_document(&self.path, self.reading.max_bytes(), &talk)? else {
            return Ok(Ending::Partial);
        };
        let id = document.id.clone();
        let pipeline = Pipeline::new(self.reading.settings(Scheme::SD1, self.work.threads));
        let extraction = match pipeline.extract(document) {
            Ok(extraction) => extraction,
            Err(error) => {
                talk.error(&error);
                return Ok(Ending::Partial);
            }
        };
        let row =
            ExtractionRow { id, text: extraction.text, note: extraction_note(extraction.record) };
        for warning in &row.note.warnings {
            talk.say(format_args!("{}: {}: {}", row.id, warning.code, warning.detail));
        }
        let format = if self.json { Format::Jsonl } else { Format::Text };
        let mut out = Output::open(self.output.as_deref(), format)?;
        out.row(&row)?;
        out.finish()?;
        Ok(Ending::Whole)
    }
}
