//! `nearprint extract`: documents to their texts.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use nearprint::extract::Extraction;
use nearprint::fingerprint::Scheme;
use nearprint::records::{ExtractionRow, Format, Source, escape};
use nearprint::{
    InputSettings, InputSource, Inputs, InputsError, KnownPassages, UnexpectedInput,
    extraction_note,
};

use crate::collection::CollectionOptions;
use crate::exit_status::{ExitStatus, Failure};
use crate::options::{JsonOption, LIST, WorkOptions};
use crate::output::Output;
use crate::outputs::{ForceOption, Outputs};
use crate::reading_options::ReadingOptions;
use crate::talk::Talk;

/// Print the text of a document, as it is fingerprinted
///
/// Warnings about the quality of the text go to standard error. The exit code is 1 if the document has no text. For
/// several files, directories, and files that contain many documents (WARC, JSON lines, tables), --json writes a line
/// for each document; one without text has the reason instead, and is a failure only if it could not be read.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint extract report.pdf
  nearprint extract --json page.html.gz
  nearprint extract --json --read ids=url crawl.warc.gz
  nearprint extract --json -g '*.pdf' reports letters
  nearprint extract --json --without boilerplate.jsonl site
  nearprint extract --read charset=koi8-r --read media-type=text/plain - < letter")]
pub(crate) struct ExtractArgs {
    /// Files, directories, quoted patterns such as 'crawl/*.warc.gz', or - for standard input
    #[arg(value_name = "PATH", required_unless_present = LIST)]
    paths: Vec<PathBuf>,
    /// Output format: the text of one document, or JSON with the text and the record of how it was obtained
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
    /// Leave out the passages of FILE, which has a JSON object with a text on each line, as `passages boilerplate
    /// --json` writes it: runs of at least 50 words of them, or all of a shorter one; numbers count where they did
    /// there
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    without: Option<PathBuf>,
    #[command(flatten)]
    collection: CollectionOptions,
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
        let talk = Talk::new(self.work.level(), true);
        let outputs = Outputs::new(self.force).rows(self.output.as_deref());
        let inputs = self.collection.inputs(&self.paths, &self.reading)?;
        let known = self.without.as_deref().map(known_passages).transpose()?;
        let lists: Vec<PathBuf> = self.without.iter().cloned().collect();
        outputs.check([&inputs, &Inputs::new(&lists, InputSettings::default())?])?;
        // Whatever else it looks like, its text is wanted.
        if let Err(error @ InputsError::Unexpected(UnexpectedInput::Prints { .. })) =
            inputs.expect_documents()
        {
            return Err(error.into());
        }
        let mut source = InputSource::from_results(inputs.named()?, inputs.settings().clone());
        let (first, second) = (source.next_document(), source.next_document());
        let is_many = second.is_some();
        if is_many && !self.is_json() {
            let one_file = matches!(inputs.paths(), [path] if !path.is_dir()) && !inputs.has_list();
            let as_one =
                if one_file { ", --read format=files reads the file as one document" } else { "" };
            let names = inputs.names();
            let text =
                format!("{names} contains many documents; --json writes a line for each{as_one}");
            return Err(Failure::Usage(text));
        }
        let rest = std::iter::from_fn(move || source.next_document());
        let mut documents = first.into_iter().chain(second).chain(rest);
        let format = if self.is_json() { Format::Jsonl } else { Format::Text };
        let mut out = Output::open(self.output.as_deref(), format)?;
        let engine = self.reading.engine(self.work.threads);
        let pipeline = engine.pipeline(self.reading.settings(Scheme::SD1).with_furniture());
        let (mut ending, mut is_empty) = (ExitStatus::Whole, true);
        pipeline.extract_all(&mut documents, |found| {
            let row = match found {
                Ok((id, Extraction { text, record })) => {
                    let note = extraction_note(record);
                    for warning in note.warnings.iter().filter(|_| !is_many) {
                        talk.say(format_args!("{id}: {}: {}", warning.code, warning.detail));
                    }
                    let text = match &known {
                        Some(known) => known.without(&text).into_owned(),
                        None => text,
                    };
                    ExtractionRow::of_text(id, text, note)
                }
                Err(error) => {
                    talk.error(&error);
                    if !is_many || error.reason.is_failure() {
                        ending = ExitStatus::Partial;
                    }
                    if !self.is_json() {
                        return Ok::<_, Failure>(());
                    }
                    ExtractionRow::of_error(&error)
                }
            };
            is_empty = false;
            out.row(&row)
        })?;
        // A document without a text leaves no file of text.
        if self.is_json() || !is_empty {
            out.finish()?;
        }
        Ok(ending)
    }

    fn is_json(&self) -> bool {
        self.json.json || self.format == TextFormat::Jsonl
    }
}

/// The passages of a file.
fn known_passages(file: &Path) -> Result<KnownPassages, Failure> {
    let read = File::open(file).and_then(|file| KnownPassages::read(BufReader::new(file)));
    read.map_err(|error| {
        let name = escape(file.as_os_str().as_encoded_bytes());
        Failure::Usage(format!("--without {name}: {error}"))
    })
}
