//! `nearprint extract`: a document to its text.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use nearprint::extract::Extraction;
use nearprint::fingerprint::Scheme;
use nearprint::records::{ExtractionRow, FileSettings, Format, Source, escape};
use nearprint::{InputSource, Inputs, extraction_note};

use crate::collection::ContainerOptions;
use crate::exit_status::{ExitStatus, Failure};
use crate::options::{JsonOption, ReadingOptions, WorkOptions};
use crate::output::Output;
use crate::outputs::{ForceOption, Outputs};
use crate::talk::Talk;

/// Print the text of a document, as it is fingerprinted
///
/// Warnings about the quality of the text go to standard error. The exit code is 1 if the document has no text. For a
/// file that contains many documents (WARC, JSON lines, tables), --json writes a line for each.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint extract report.pdf
  nearprint extract --json page.html.gz
  nearprint extract --json --ids url crawl.warc.gz
  nearprint extract --charset koi8-r --media-type text/plain - < letter")]
pub(crate) struct ExtractArgs {
    /// The document, or - for standard input
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// Output format: the text, or JSON with the text and the record of how it was obtained
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value = "text",
        help_heading = "Output"
    )]
    format: TextFormat,
    #[command(flatten)]
    json: JsonOption,
    #[command(flatten)]
    containers: ContainerOptions,
    #[command(flatten)]
    reading: ReadingOptions,
    /// Write to FILE, which appears only when it is complete
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOption,
    #[command(flatten)]
    work: WorkOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TextFormat {
    /// The text of one document
    Text,
    /// One JSON object per document
    Jsonl,
}

impl ExtractArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let talk = Talk::new(self.work.quiet, true);
        let outputs = Outputs::new(self.force).rows(self.output.as_deref());
        let inputs = self.inputs()?;
        outputs.check([&inputs])?;
        inputs.refuse_directories()?;
        // Whatever it looks like, its text is wanted.
        let mut source = InputSource::from_results(inputs.named()?, inputs.settings().clone());
        let (first, second) = (source.next_document(), source.next_document());
        let (is_empty, is_many) = (first.is_none(), second.is_some());
        if is_many && !self.is_json() {
            let name = escape(self.path.as_os_str().as_encoded_bytes());
            let text = format!(
                "{name} contains many documents; --json writes a line for each, --input-format \
                    files reads it as one document"
            );
            return Err(Failure::Usage(text));
        }
        let rest = std::iter::from_fn(move || source.next_document());
        let mut documents = first.into_iter().chain(second).chain(rest);
        let format = if self.is_json() { Format::Jsonl } else { Format::Text };
        let mut out = Output::open(self.output.as_deref(), format)?;
        let engine = self.reading.engine(self.work.threads, None);
        let pipeline = engine.pipeline(self.reading.settings(Scheme::SD1));
        let mut ending = ExitStatus::Whole;
        pipeline.extract_all(&mut documents, |found| {
            let (id, Extraction { text, record }) = match found {
                Ok(found) => found,
                Err(error) => {
                    talk.error(&error);
                    if !is_many || error.reason.is_failure() {
                        ending = ExitStatus::Partial;
                    }
                    return Ok::<_, Failure>(());
                }
            };
            let row = ExtractionRow { id, text, note: extraction_note(record) };
            for warning in row.note.warnings.iter().filter(|_| !is_many) {
                talk.say(format_args!("{}: {}: {}", row.id, warning.code, warning.detail));
            }
            out.row(&row)
        })?;
        // One document without a text leaves no file.
        if is_many || (ending == ExitStatus::Whole && !is_empty) {
            out.finish()?;
        }
        Ok(ending)
    }

    fn is_json(&self) -> bool {
        self.json.json || self.format == TextFormat::Jsonl
    }

    /// What is named: one document, or a container of many.
    fn inputs(&self) -> Result<Inputs, Failure> {
        let max_bytes = self.reading.max_bytes();
        let files = FileSettings { max_bytes, ..FileSettings::default() };
        let settings = self.containers.settings(files, &self.reading)?;
        Ok(Inputs::new([&self.path], settings)?)
    }
}
