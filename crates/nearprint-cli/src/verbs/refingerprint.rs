//! `nearprint prints refingerprint`: a collection of one scheme brought to another.

use std::path::PathBuf;

use clap::Args;
use nearprint::fingerprint::Scheme;
use nearprint::named_scheme;
use nearprint::records::{FingerprintRecord, Outcome};

use super::conclude;
use crate::collection::CollectionOptions;
use crate::exit_status::{ExitStatus, Failure};
use crate::options::{LIST, OutputOptions, WorkOptions};
use crate::output::is_terminal;
use crate::outputs::Outputs;
use crate::reading_options::ReadingOptions;
use crate::search_inputs::gather_prints;
use crate::talk::{Talk, counted};

/// Fingerprint a collection again, with another scheme or with the current extractors
///
/// Fingerprints of one scheme cannot be converted to another. The documents are read once and fingerprinted by both
/// schemes. The new fingerprints are written in the order of the documents, and standard error reports how many of the
/// old ones are unchanged, how many have changed (the document or its extracted text), how many have no document any
/// more, and how many documents are new. If the old fingerprints are JSON lines, which name the extractor of each text
/// and its version, it also reports how many texts now have a different one.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint prints refingerprint --from old.prints --to md1 reports > new.prints
  nearprint prints refingerprint --from old.jsonl --format jsonl --output new.jsonl reports
  nearprint prints refingerprint --from old.prints --to sd1 --format jsonl --output new.jsonl reports")]
pub(crate) struct RefingerprintArgs {
    /// The documents: files, directories, or - for standard input
    #[arg(value_name = "INPUT", required_unless_present = LIST)]
    inputs: Vec<PathBuf>,
    /// The collection's fingerprint files; their ids are those of the documents. `nearprint prints convert` writes such
    /// files from lines of numbers
    #[arg(long, value_name = "FILE", required = true, help_heading = "Input")]
    from: Vec<PathBuf>,
    /// Scheme of the new fingerprints [default: that of the old ones]
    #[arg(long, value_name = "ID", value_parser = named_scheme, help_heading = "Fingerprints")]
    to: Option<Scheme>,
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
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let inputs = self.collection.inputs(&self.inputs, &self.reading)?;
        let from = self.collection.others(&self.from, &self.reading)?;
        let file = self.output.output.as_deref();
        let outputs = Outputs::new(self.output.force).rows(file);
        outputs.check([&inputs, &from])?;
        let talk = Talk::new(self.work.level(), is_terminal(file));
        let mut out = self.output.open::<FingerprintRecord>(&["FINGERPRINT", "DOCUMENT"])?;
        let (old, read) = gather_prints(&from, &[], None, &talk)?;
        let mut source = inputs.source()?;
        talk.expect(&inputs, &source);
        let to = self.to.unwrap_or(old.scheme());
        let settings = self.reading.settings(to);
        let pipeline = self
            .reading
            .engine(self.work.threads)
            .pipeline(settings)
            .watched_by(|tally| talk.progress(tally));
        let (mut tally, told) = pipeline.refingerprint(&mut source, &old, |record| {
            if matches!(record.outcome, Outcome::Nothing { .. }) {
                talk.nothing(&record);
            }
            out.row(&record)
        })?;
        out.finish()?;
        tally.failed += read.failed;
        talk.summary(format_args!(
            "nearprint: {} from {} to {to}: {} unchanged, {} changed, {} without a document; {}",
            counted(old.len() as u64, "fingerprint"),
            old.scheme(),
            told.same,
            told.changed,
            told.missing,
            counted(told.new, "new document"),
        ));
        for ((then, now), documents) in &told.extractors {
            let documents = counted(*documents, "document");
            talk.say(format_args!(
                "nearprint: the text of {documents} was extracted by {then} then and by {now} now"
            ));
        }
        Ok(conclude(&talk, &tally))
    }
}
