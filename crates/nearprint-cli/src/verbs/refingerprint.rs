//! `nearprint refingerprint`: a collection of one scheme brought to another.

use std::path::PathBuf;

use clap::Args;
use nearprint::fingerprint::Scheme;
use nearprint::records::{FingerprintRecord, Outcome, PrintFormat};
use nearprint::{Pipeline, named_scheme};

use super::conclude;
use crate::collection::CollectionOptions;
use crate::ending::{Ending, Failure};
use crate::inputs::gather_prints;
use crate::options::{OutputOptions, ReadingOptions, WorkOptions};
use crate::output::{Output, is_terminal};
use crate::talk::{Talk, counted};

/// Bring a collection of prints to another scheme: its documents are read anew
///
/// A print of one scheme cannot be turned into one of another. The documents are read once and fingerprinted by both schemes: the
/// new prints are written, in the order of the documents, and standard error tells how many of the old ones still hold, how many have changed (the
/// document, or what is taken as its text), how many documents are new, and how many prints have no document any more.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint refingerprint --from old.prints --to md1 reports > new.prints
  nearprint refingerprint --from hashes.txt --from-format decimal --from-scheme seomoz-legacy --to sd1 crawl.warc.gz
  nearprint refingerprint --from old.prints --from-scheme sl1 --to sd1 --format jsonl --output new.jsonl reports")]
pub(crate) struct RefingerprintArgs {
    /// The documents: files, directories, or - for standard input
    #[arg(value_name = "INPUT", required_unless_present = "files0_from")]
    inputs: Vec<PathBuf>,
    /// The collection's files of prints, whose ids are those of the documents
    #[arg(long, value_name = "FILE", required = true, help_heading = "Input")]
    from: Vec<PathBuf>,
    /// What these files are: nearprint's own (text, JSONL or binary), or decimal or hex numbers of --from-scheme
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "nearprint",
        value_parser = PrintFormat::NAMES,
        help_heading = "Input"
    )]
    from_format: String,
    /// The scheme of these prints
    #[arg(long, value_name = "ID", default_value = "sd1", value_parser = named_scheme, help_heading = "Fingerprints")]
    from_scheme: Scheme,
    /// The scheme of the new prints
    #[arg(long, value_name = "ID", value_parser = named_scheme, help_heading = "Fingerprints")]
    to: Scheme,
    #[command(flatten)]
    collection: CollectionOptions,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    output: OutputOptions,
    #[command(flatten)]
    work: WorkOptions,
}

impl RefingerprintArgs {
    pub(super) fn run(self) -> Result<Ending, Failure> {
        let file = self.output.output.as_deref();
        let talk = Talk::new(self.work.quiet, is_terminal(file));
        let mut out = Output::of_rows::<FingerprintRecord>(file, self.output.format())?;
        let (old, read) = gather_prints(&self.from, &self.from_format, self.from_scheme, &talk)?;
        let mut source = self.collection.source(&self.inputs, &self.reading, &talk)?;
        let settings = self.reading.settings(self.to, self.work.threads);
        let pipeline = Pipeline::new(settings).watched_by(|tally| talk.progress(tally));
        let (mut tally, told) = pipeline.refingerprint(&mut source, &old, |record| {
            if matches!(record.outcome, Outcome::Nothing { .. }) {
                talk.nothing(&record);
            }
            out.row(&record)
        })?;
        out.finish()?;
        tally.failed += read.failed;
        talk.say(format_args!(
            "nearprint: {} of {} to {}: {} still hold, {} have changed; {} are new; {} of the collection were not met",
            counted(old.len() as u64, "print"),
            self.from_scheme,
            self.to,
            told.same,
            told.changed,
            counted(told.new, "document"),
            told.missing
        ));
        Ok(conclude(&talk, &tally))
    }
}
