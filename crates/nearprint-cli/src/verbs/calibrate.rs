//! `nearprint prints calibrate`: which scheme, distance and verification suit the user's documents.

use std::path::PathBuf;

use clap::Args;
use nearprint::fingerprint::Scheme;
use nearprint::records::CalibrationRow;
use nearprint::{Calibration, InputSettings, Inputs, LabelledPairs};

use super::conclude;
use crate::collection::CollectionOptions;
use crate::exit_status::{ExitStatus, Failure};
use crate::messages;
use crate::options::{LIST, OutputOptions, WorkOptions, share};
use crate::outputs::Outputs;
use crate::reading_options::ReadingOptions;
use crate::talk::Talk;

/// Measure what each scheme finds in your documents, and recommend scheme, distance and verification
///
/// Plants edits in copies of a sample of the documents: words are replaced, the end is removed, halves are swapped,
/// words of another document are inserted at the beginning. With --labels, listed pairs are used instead.
///
/// Prints a line for each scheme and distance, unverified and verified: the share of edited copies found (with
/// its 95 % interval), how many of a million pairs of different documents match (and at most), how many of those to
/// expect among all given documents, and bytes and microseconds per fingerprint.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint prints calibrate reports
  nearprint prints calibrate --recall 0.99 --seed 7 --format jsonl reports
  nearprint prints calibrate --labels pairs.tsv reports")]
pub(crate) struct CalibrateArgs {
    /// Files, directories, quoted patterns, or - for standard input
    #[arg(value_name = "INPUT", required_unless_present = LIST)]
    inputs: Vec<PathBuf>,
    /// Labelled pairs of documents: lines A TAB B TAB same, or different, with ids A and B
    #[arg(long, value_name = "FILE", help_heading = "Calibration")]
    labels: Option<PathBuf>,
    /// Minimum share of true pairs that must be found
    #[arg(long, value_name = "SHARE", default_value = "0.95", value_parser = share, help_heading = "Calibration")]
    recall: f64,
    /// Number of documents in the sample; time grows with its square
    #[arg(long, value_name = "N", default_value = "500", help_heading = "Calibration")]
    sample: usize,
    /// Random seed for sampling and planted edits
    #[arg(long, value_name = "NUMBER", default_value = "1", help_heading = "Calibration")]
    seed: u64,
    #[command(flatten)]
    collection: CollectionOptions,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    output: OutputOptions,
    #[command(flatten)]
    work: WorkOptions,
}

/// The heading of a table.
const HEADING: &[&str] = &[
    "SCHEME",
    "DISTANCE",
    "MEASURE",
    "RECALL",
    "AT LEAST",
    "AT MOST",
    "CHANCE",
    "AT MOST",
    "IN SET",
    "BYTES",
    "MICROSECONDS",
    "RECOMMENDED",
];

impl CalibrateArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let inputs = self.collection.inputs(&self.inputs, &self.reading)?;
        let labels = Inputs::new(&self.labels, InputSettings::default())?;
        let outputs = Outputs::new(self.output.force).rows(self.output.output.as_deref());
        outputs.check([&inputs, &labels])?;
        let talk = Talk::new(self.work.level(), false);
        let labels = self.labels.as_deref().map(LabelledPairs::read).transpose();
        let labels = labels.map_err(|error| Failure::Usage(error.to_string()))?;
        let mut out = self.output.open::<CalibrationRow>(HEADING)?;
        let mut source = inputs.source()?;
        talk.expect(&inputs, &source);
        let engine = self.reading.engine(self.work.threads);
        let pipeline = engine.pipeline(self.reading.settings(Scheme::SD1));
        let pipeline = pipeline.watched_by(|tally| talk.progress(tally));
        let mut calibration = Calibration::new(self.seed).sample(self.sample);
        let (tally, left_out) =
            calibration
                .read(&pipeline, &mut source, labels.as_ref(), |record| talk.nothing(record));
        talk.clear();
        messages::labels_left_out(&talk, left_out);
        let rows = calibration.measure(self.recall, tally.fingerprints);
        for row in &rows {
            out.row(row)?;
        }
        out.finish()?;
        messages::recommended(&talk, &rows, labels.as_ref());
        Ok(conclude(&talk, &tally))
    }
}
