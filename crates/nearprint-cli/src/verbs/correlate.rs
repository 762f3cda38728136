//! `nearprint prints correlate`: fingerprints against exact similarity, over a sample of a collection.

use std::path::PathBuf;

use clap::Args;
use nearprint::fingerprint::Scheme;
use nearprint::records::{Outcome, PairRow};
use nearprint::report::Report;
use nearprint::{
    Correlation, CorrelationResult, TextMeasure, TextRequest, TextVerification, read_idf_table,
};

use super::conclude;
use crate::collection::CollectionOptions;
use crate::exit_status::{ExitStatus, Failure};
use crate::options::{LIST, SchemeOption, WorkOptions, share};
use crate::outputs::Outputs;
use crate::reading_options::ReadingOptions;
use crate::report::{is_page, write_page};
use crate::results::{ResultOptions, Results};
use crate::talk::{Talk, counted};

/// Show how well the distance of fingerprints tells the exact similarity of texts
///
/// Compares all pairs of a sample of the documents by their fingerprints and by a measure of their texts. Prints one
/// line A TAB B TAB DISTANCE TAB SIMILARITY for each pair, in the format of pairs; --format csv also has the similarity
/// that the fingerprints estimate. --report writes a page with a plot. Standard error states the correlation, and how
/// many of the similar pairs lie within the default distance of the scheme.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint prints correlate --report plot.html --format csv --output pairs.csv reports
  nearprint prints correlate --scheme md1 --measure jaccard-shingles-3 --threshold 0.3 reports
  nearprint prints correlate --planted --sample 100 --measure edit reports")]
pub(crate) struct CorrelateArgs {
    /// Files, directories, or - for standard input
    #[arg(value_name = "INPUT", required_unless_present = LIST)]
    inputs: Vec<PathBuf>,
    /// Measure of the texts: jaccard-F, containment-F or dice-F, with F one of words, shingles-2 to shingles-8 and
    /// chars-2 to chars-9, weighted-jaccard, cosine-tf, cosine-log, cosine-tfidf (needs --idf), or edit (edit distance;
    /// slow)
    #[arg(long, value_name = "MEASURE", default_value = "cosine-tf", help_heading = "Correlation")]
    measure: TextMeasure,
    /// Table of document frequencies of words, made by nearprint prints idf, for --measure=cosine-tfidf
    #[arg(long, value_name = "FILE", help_heading = "Correlation")]
    idf: Option<PathBuf>,
    /// Similarity of the texts, 0 to 1, from which pairs count as similar
    #[arg(long, value_name = "SIMILARITY", default_value_t = TextMeasure::DEFAULT_THRESHOLD, value_parser = share, help_heading = "Correlation")]
    threshold: f64,
    /// Number of documents in the sample; time and output grow with its square
    #[arg(long, value_name = "N", default_value = "500", help_heading = "Correlation")]
    sample: usize,
    /// Random seed for sampling and planted edits
    #[arg(long, value_name = "NUMBER", default_value = "1", help_heading = "Correlation")]
    seed: u64,
    /// Also compare each document with edited copies of it (as calibrate makes them), with ids that end in # and the
    /// name of the edit
    #[arg(long, help_heading = "Correlation")]
    planted: bool,
    #[command(flatten)]
    scheme: SchemeOption,
    #[command(flatten)]
    collection: CollectionOptions,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    output: ResultOptions,
    /// Write a page with a plot to FILE, whose name must end in .html
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
    #[command(flatten)]
    work: WorkOptions,
}

impl CorrelateArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let inputs = self.collection.inputs(&self.inputs, &self.reading)?;
        let verification = self.verification()?;
        if self.report.as_deref().is_some_and(|file| !is_page(file)) {
            let text = "the report of correlate is a page; give --report a name that ends in .html";
            return Err(Failure::Usage(text.to_owned()));
        }
        let file = self.output.output.as_deref();
        let outputs = Outputs::new(self.output.force).rows(file).report(self.report.as_deref());
        outputs.check([&inputs])?;
        let talk = Talk::new(self.work.level(), false);
        let scheme = self.scheme.or(Scheme::SD1);
        let columns = &["A", "B", "DISTANCE", "SIMILARITY"];
        let mut out = Results::open::<PairRow>(file, self.output.format(), scheme, columns)?;
        let mut source = inputs.source()?;
        talk.expect(&inputs, &source);
        let pipeline = self
            .reading
            .engine(self.work.threads)
            .pipeline(self.reading.settings(scheme))
            .watched_by(|tally| talk.progress(tally));
        let mut correlation = Correlation::new(self.seed).sample(self.sample).planted(self.planted);
        let wanted = TextRequest { text: true, ..TextRequest::default() };
        let tally = pipeline.read(&mut source, &wanted, |record, made, _| {
            match (&record.outcome, made.and_then(|made| made.text)) {
                (Outcome::Print { .. }, Some(text)) => correlation.push(record.id, text),
                _ => talk.nothing(&record),
            }
            Ok::<_, Failure>(())
        })?;
        talk.clear();
        let found = correlation.measure(scheme, verification, |row| out.row(&row))?;
        out.finish()?;
        say(&talk, &found);
        if let Some(file) = self.report.as_deref() {
            write_page(file, &Report::of_correlation(inputs.names(), &found))?;
        }
        Ok(conclude(&talk, &tally))
    }

    /// The measure with its table.
    fn verification(&self) -> Result<TextVerification, Failure> {
        if self.idf.is_some() && !self.measure.needs_table() {
            let text = "--idf is only for --measure=cosine-tfidf";
            return Err(Failure::Usage(text.to_owned()));
        }
        let table = self.idf.as_deref().map(read_idf_table).transpose();
        let table = table.map_err(|error| Failure::Usage(format!("--idf: {error}")))?;
        let verification = TextVerification::new(self.measure).at(self.threshold).by_table(table);
        verification.map_err(|error| Failure::Usage(format!("--measure: {error}")))
    }
}

/// Says what the pairs show.
fn say(talk: &Talk, found: &CorrelationResult) {
    let (scheme, verification) = (found.scheme(), found.verification());
    let (measure, at_least) = (verification.measure().name(), verification.at_least());
    let distance = scheme.default_distance();
    let (similar, near, within) = found.within(distance);
    let coefficient = found.coefficient();
    let coefficient =
        coefficient.map_or("no correlation".to_owned(), |r| format!("correlation {r:.3}"));
    talk.summary(format_args!(
        "nearprint: {} of {}: {coefficient} of {scheme} and {measure}; within distance {distance} are {near} of {} \
            with {measure} {at_least} or more, among {}",
        counted(found.pairs(), "pair"),
        counted(found.documents(), "document"),
        counted(similar, "pair"),
        counted(within, "pair")
    ));
    if found.open() > 0 {
        talk.say(format_args!(
            "nearprint: {} skipped: the texts are too long and too different for their exact edit distance",
            counted(found.open(), "pair")
        ));
    }
}
