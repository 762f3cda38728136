//! `nearprint passages`: every passage that documents share.

mod boilerplate;
mod decontaminate;
mod dedup;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use nearprint::fingerprint::Scheme;
use nearprint::records::{
    ErrorRecord, FingerprintRecord, Pace, PassagePlaceRow, SharedPassageRow, Source,
};
use nearprint::report::{PassageExamples, Report};
use nearprint::{FoundPassage, Inputs, Passages, Role, SeenFiles};

use super::conclude;
use crate::collection::CollectionOptions;
use crate::exit_status::{ExitStatus, Failure};
use crate::jobs::{JobOptions, JobStop};
use crate::messages;
use crate::options::{LIST, WorkOptions};
use crate::outputs::{Outputs, one_standard_output};
use crate::question::{QuestionArgs, print};
use crate::reading_options::ReadingOptions;
use crate::report::{is_page, row_or_page};
use crate::results::{ResultOptions, Results};
use crate::talk::Talk;
use crate::unexpected_input::meant;

/// Columns of a table of passages.
const HEADING: &[&str] = &["DOCUMENTS", "TOKENS", "A", "IN A", "B", "IN B", "PASSAGE"];

/// Find every passage that documents share
///
/// Prints one line DOCUMENTS TAB TOKENS TAB A TAB START-END TAB B TAB START-END TAB PASSAGE for each passage of at
/// least 50 words that two documents have in common, however long the documents are and whatever surrounds it, with the
/// places of its characters in both extracted texts. Case, layout and punctuation make no difference. None is missed,
/// and all are compared on their words. The JSON form also has places in bytes, and which document is wholly contained
/// in the other; one of fewer words than --min-tokens is found in none.
///
/// A passage at more than 1,000 places, such as a licence or the menu of a site, is one line after the others, with the
/// number of its documents and its first place; B is -. --places lists all of its places. What chance puts beside it,
/// fewer than half of --min-tokens, makes no further lines.
///
/// Texts that exceed --limit memory are in temporary files, about 1.4 times their size. docs/PASSAGES.md says what is
/// guaranteed and how it works.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Examples:
  nearprint passages reports
  nearprint passages --min-tokens 20 drafts --against archive
  nearprint passages --format jsonl --places places.jsonl crawl.warc.gz
  nearprint passages --search numbers --format csv --output shared.csv contracts
  nearprint passages --report shared.html reports
  nearprint passages --job work --output shared.txt corpus
  nearprint passages --limit memory=2G --output shared.parquet --format parquet corpus.jsonl.zst
  nearprint passages boilerplate site
  nearprint passages decontaminate train.jsonl --against test.jsonl
  nearprint passages dedup --write clean.jsonl corpus.jsonl"
)]
pub(crate) struct PassagesArgs {
    #[command(subcommand)]
    verb: Option<PassagesVerb>,
    /// Files, directories, quoted patterns such as 'crawl/*.warc.gz', or - for standard input
    #[arg(value_name = "INPUT", required_unless_present = LIST)]
    inputs: Vec<PathBuf>,
    /// Find only passages of an INPUT and one of these
    #[arg(long, value_name = "INPUT", num_args = 1.., help_heading = "Input")]
    against: Vec<PathBuf>,
    #[command(flatten)]
    question: QuestionArgs<Passages>,
    #[command(flatten)]
    output: ResultOptions,
    /// Write all places of passages that are at more than --search max-places places to FILE, in the format of the
    /// results
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    places: Option<PathBuf>,
    /// Write a summary of the run to FILE, as one line of JSON; if the name ends in .html, write a page with the
    /// passages of the documents that share most, in their places, for which these are read again
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
    #[command(flatten)]
    collection: CollectionOptions,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    job: JobOptions,
    #[command(flatten)]
    work: WorkOptions,
}

#[derive(Debug, Subcommand)]
enum PassagesVerb {
    Boilerplate(Box<boilerplate::BoilerplateArgs>),
    Decontaminate(Box<decontaminate::DecontaminateArgs>),
    Dedup(Box<dedup::PassageDedupArgs>),
}

impl PassagesArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        match self.verb {
            Some(PassagesVerb::Boilerplate(args)) => return args.run(),
            Some(PassagesVerb::Decontaminate(args)) => return args.run(),
            Some(PassagesVerb::Dedup(args)) => return args.run(),
            None => {}
        }
        let inputs = self.collection.inputs(&self.inputs, &self.reading)?;
        let against = self.collection.others(&self.against, &self.reading)?;
        Inputs::check_standard_input([&inputs, &against])?;
        let question = self.question.resolve(Passages::resolve)?;
        let file = self.output.output.as_deref();
        if self.question.dry_run {
            return print(&question.to_json(), file);
        }
        one_standard_output(file, self.places.as_deref(), "--places")?;
        let outputs = Outputs::new(self.output.force)
            .rows(file)
            .report(self.places.as_deref())
            .report(self.report.as_deref())
            .job(self.job.folder());
        outputs.check([&inputs, &against])?;
        let talk = Talk::new(self.work.level(), false);
        // A file that is reached twice shares nothing with itself.
        let mut source = meant(inputs.source())?.noting_files(&SeenFiles::default());
        let mut references = meant(against.source())?.noting_files(&SeenFiles::default());
        talk.expect(&inputs, &source);
        let format = self.output.format();
        let mut out = Results::open::<SharedPassageRow>(file, format, Scheme::SD1, HEADING)?;
        let places = self.places.as_deref().map(|file| {
            let heading = &["PASSAGE", "DOCUMENT", "PLACE"];
            Results::open::<PassagePlaceRow>(Some(file), format, Scheme::SD1, heading)
        });
        let mut places = places.transpose()?;
        let engine = self.reading.engine(self.work.threads);
        let pipeline = engine.pipeline(self.reading.settings(Scheme::SD1));
        let pipeline = pipeline.watched_by(|tally| talk.progress(tally));
        let mut gathered = question.gather(&engine)?;
        let identity = || Ok(pipeline.settings().texts_identity(&inputs, &against)?);
        let mut job = self.job.open(self.reading.commit(), identity, &talk)?;
        let sources: &mut [(Role, &mut dyn Source)] =
            &mut [(Role::Candidate, &mut source), (Role::Reference, &mut references)];
        let sources = &mut sources[..if self.against.is_empty() { 1 } else { 2 }];
        let tally = gathered
            .read_all(&pipeline, sources, job.as_mut(), |error| left_out(&talk, error))
            .map_err(|stopped: JobStop| stopped.failure(&self.job))?;
        messages::resumed_search(&talk, gathered.saved_step());
        talk.clear();
        let watch = |progress| {
            talk.finding(progress);
            true
        };
        let page = self.report.as_deref().filter(|file| is_page(file));
        let mut examples = page.map(|_| PassageExamples::new(&question, !self.against.is_empty()));
        let counts = gathered.run(watch, |found| {
            if let Some(examples) = &mut examples {
                examples.push(&found);
            }
            match (found, &mut places) {
                (FoundPassage::Passage(row), _) => out.row(&row),
                (FoundPassage::Place(row), Some(places)) => places.row(&row),
                _ => Ok(()),
            }
        })?;
        out.finish()?;
        places.map_or(Ok(()), Results::finish)?;
        let mut summary = question.summary(&tally, &counts);
        summary.pace = Pace::of(tally.documents, tally.bytes, talk.elapsed());
        messages::passages(&talk, &question, &summary);
        row_or_page(self.report.as_deref(), &summary, |file| {
            let all = [&inputs, &against];
            let found = (&question, &summary);
            Report::of_found_passages(file, &pipeline, found, examples.unwrap_or_default(), all)
        })?;
        self.job.remove(job)?;
        Ok(conclude(&talk, &tally))
    }
}

/// Says why a document is left out.
fn left_out(talk: &Talk, error: ErrorRecord) -> Result<(), JobStop> {
    talk.nothing(&FingerprintRecord::of_error(error, Scheme::SD1));
    Ok(())
}
