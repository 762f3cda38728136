//! `nearprint calibrate`: which scheme, distance and verification suit the user's documents.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use clap::Args;
use nearprint::fingerprint::Scheme;
use nearprint::records::{CalibrationRow, Outcome};
use nearprint::{Calibration, InputSettings, Inputs, Wanted};

use super::conclude;
use crate::collection::CollectionOptions;
use crate::ending::{Ending, Failure};
use crate::options::{LIST, OutputOptions, ReadingOptions, WorkOptions};
use crate::outputs::Outputs;
use crate::talk::{Talk, counted};
use crate::verifying::share;

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
  nearprint calibrate reports
  nearprint calibrate --recall 0.99 --seed 7 --format jsonl reports
  nearprint calibrate --labels pairs.tsv reports")]
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
    pub(super) fn run(self) -> Result<Ending, Failure> {
        let inputs = self.collection.inputs(&self.inputs, &self.reading)?;
        let labels = Inputs::new(&self.labels, InputSettings::default())?;
        let outputs = Outputs::new(self.output.force).rows(self.output.output.as_deref());
        outputs.check([&inputs, &labels])?;
        let talk = Talk::new(self.work.quiet, false);
        let labels = self.labels.as_deref().map(read_labels).transpose()?;
        let mut out = self.output.open::<CalibrationRow>(HEADING)?;
        let mut source = inputs.source()?;
        talk.expect(&inputs, &source);
        let settings = self.reading.settings(Scheme::SD1);
        let pipeline = self
            .reading
            .engine(self.work.threads, None)
            .pipeline(settings)
            .watched_by(|tally| talk.progress(tally));
        // Of labelled documents all are wanted.
        let mut wanted: HashMap<&str, Option<usize>> = HashMap::new();
        for (a, b, _) in labels.iter().flatten() {
            wanted.insert(a, None);
            wanted.insert(b, None);
        }
        let most = if labels.is_some() { wanted.len() } else { self.sample };
        let mut calibration = Calibration::new(self.seed).sample(most);
        let text = Wanted { text: true, ..Wanted::default() };
        let tally = pipeline.read(&mut source, &text, |record, made, _| {
            match (&record.outcome, made.and_then(|made| made.text)) {
                (Outcome::Print { short, .. }, Some(text)) => {
                    match wanted.get_mut(record.id.as_str()) {
                        Some(place) => *place = Some(calibration.push(text)),
                        None if labels.is_none() && !short => drop(calibration.push(text)),
                        None => {}
                    }
                }
                _ => talk.nothing(&record),
            }
            Ok::<_, Failure>(())
        })?;
        talk.clear();
        let mut left_out = 0;
        for (a, b, same) in labels.iter().flatten() {
            match (wanted[a.as_str()], wanted[b.as_str()]) {
                (Some(a), Some(b)) => calibration.label(a, b, *same),
                _ => left_out += 1,
            }
        }
        if left_out > 0 {
            talk.say(format_args!(
                "nearprint: {} skipped: a document was not found or has no fingerprint",
                counted(left_out, "labelled pair")
            ));
        }
        let rows = calibration.measure(self.recall, tally.fingerprints);
        for row in &rows {
            out.row(row)?;
        }
        out.finish()?;
        if let Some(row) = rows.iter().find(|row| row.recommended) {
            let verify = row.measure.map(|name| format!(" --verify={name}")).unwrap_or_default();
            talk.say(format_args!(
                "nearprint: recommended: --scheme {} -k {}{verify}: finds {:.3} of the true pairs ({:.3} to {:.3})",
                row.scheme, row.distance, row.recall, row.recall_at_least, row.recall_at_most
            ));
            let unlike = labels.iter().flatten().filter(|label| !label.2).count() as u64;
            let thin = [
                (row.true_pairs(), "true pair"),
                (if labels.is_some() { unlike } else { u64::MAX }, "different pair"),
            ];
            for (pairs, what) in thin.into_iter().filter(|&(pairs, _)| pairs < Calibration::ENOUGH)
            {
                talk.say(format_args!(
                    "nearprint: this is based on {} only and uncertain; give {} or more",
                    counted(pairs, what),
                    Calibration::ENOUGH
                ));
            }
        }
        Ok(conclude(&talk, &tally))
    }
}

/// Pairs of ids and whether they are one document.
fn read_labels(file: &Path) -> Result<Vec<(String, String, bool)>, Failure> {
    let shown = file.display();
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::Usage(format!("cannot read {shown}: {error}")))?;
    let mut labels = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty()) {
        let fields: Vec<&str> = line.split('\t').collect();
        let same = match fields[..] {
            [_, _, "same"] => true,
            [_, _, "different"] => false,
            _ => {
                let text = format!(
                    "{shown}:{number}: expected two ids and same or different, separated by tabs"
                );
                return Err(Failure::Usage(text));
            }
        };
        labels.push((fields[0].to_owned(), fields[1].to_owned(), same));
    }
    if labels.iter().all(|label| !label.2) {
        return Err(Failure::Usage(format!(
            "{shown}: no pair is labelled same, so there is nothing to find"
        )));
    }
    Ok(labels)
}
