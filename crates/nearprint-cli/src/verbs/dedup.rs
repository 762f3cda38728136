//! `nearprint dedup`: which documents to keep.

use std::path::PathBuf;

use clap::Args;
use nearprint::records::{DecisionRow, Pace, Source};
use nearprint::report::Report;
use nearprint::{Dedup, Inputs, Role, SeenFiles, Subject};

use super::conclude;
use crate::collection::CollectionOptions;
use crate::exit_status::{ExitStatus, Failure};
use crate::forecasts::{OfDeduplication, Writes};
use crate::jobs::{JobOptions, JobStop};
use crate::kept_documents::{KeptDocuments, KeptOption, write_decisions};
use crate::messages;
use crate::options::{JsonOption, LIST, WorkOptions};
use crate::outputs::{self, ForceOption};
use crate::question::QuestionArgs;
use crate::reading_options::ReadingOptions;
use crate::report::row_or_page;
use crate::results::{ResultFormat, Results};
use crate::search_options::say_left_out;
use crate::talk::Talk;

/// The heading of a table of decisions.
const HEADING: &[&str] =
    &["DECISION", "REASON", "CLUSTER", "SIMILARITY", "REPRESENTATIVE", "DOCUMENT"];

/// Decide which documents to keep, or write the kept ones
///
/// Fingerprints (md1) propose candidates, and their texts are compared. Of similar documents, one is kept: each cluster
/// has one kept document, and every other member is similar to it. Documents that cannot be compared (no text, too few
/// words, damaged) are kept. Nothing is deleted.
///
/// Without --write, prints a line DECISION TAB REASON TAB CLUSTER TAB SIMILARITY TAB REPRESENTATIVE TAB ID for
/// every document. With --write, copies the kept documents in their original form: files; from containers of many
/// documents everything except the dropped ones, byte for byte; from Parquet and Arrow the kept rows, with the schema
/// and metadata of the table. With --revisits as well, web archives keep all their records, and WARC responses with the
/// payload of an earlier one become revisits of it; near-duplicates cannot, because WARC allows revisits only for
/// identical payloads.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint dedup reports
  nearprint dedup --format jsonl --report summary.json --output decisions.jsonl reports
  nearprint dedup --write unique --report report.html reports
  nearprint dedup --write clean.parquet corpus.parquet
  nearprint dedup --keep longest --threshold 0.8 --write unique reports
  nearprint dedup --keep field:score:max --write best.jsonl rows.jsonl
  nearprint dedup --keep field:date:max --write newest 'crawls/*.warc.gz'
  nearprint dedup --revisits --write smaller --cdxj decided.cdxj 'crawls/*.warc.gz'
  nearprint dedup --job work --write unique crawl
  nearprint dedup --dry-run --limit memory=2G crawl
  nearprint dedup train --against test --write clean-train
  nearprint dedup november --against index:crawls.index")]
pub(crate) struct DedupArgs {
    /// Files, directories, quoted patterns such as 'crawl/*.warc.gz', or - for standard input
    #[arg(value_name = "INPUT", required_unless_present = LIST)]
    inputs: Vec<PathBuf>,
    /// Also drop documents that duplicate one of these reference inputs (references are not reported). index:PATH is an
    /// index made with --keep features or --keep texts, of which no document is read again
    #[arg(long, value_name = "INPUT", num_args = 1.., help_heading = "Input")]
    against: Vec<PathBuf>,
    #[command(flatten)]
    question: QuestionArgs<Dedup>,
    #[command(flatten)]
    kept: KeptOption,
    /// Output format of the decisions; see docs/FORMAT.md [default: table on a terminal, else text]
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Output")]
    format: Option<ResultFormat>,
    #[command(flatten)]
    json: JsonOption,
    /// Write the decisions to FILE, which appears only when it is complete [default: standard output, or with --write
    /// nowhere]
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOption,
    /// Write a summary of the run to FILE, as one line of JSON; if the name ends in .html, write a page with plots and
    /// with the largest clusters side by side, for which their documents are read again
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

impl DedupArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let inputs = self.collection.inputs(&self.inputs, &self.reading)?;
        let inputs = inputs.ordered_by(self.question.question.keep.field());
        let (indexes, against) = self.collection.against(&self.against, &self.reading)?;
        Inputs::check_standard_input([&inputs, &against])?;
        let subject = match indexes.scheme() {
            Some(scheme) => Subject::Features(scheme),
            None => Subject::Documents,
        };
        let (settings, talk) = (
            self.question.resolve(|question| question.resolve(subject))?,
            Talk::new(self.work.level(), false),
        );
        let engine = self.reading.engine(self.work.threads);
        let pipeline = engine.pipeline(self.reading.settings(settings.print_scheme()));
        let file = self.output.as_deref();
        let format = ResultFormat::of(self.format, self.json, file);
        let all = against.and(&inputs);
        let expected =
            OfDeduplication { settings: &settings, pipeline: &pipeline, inputs: all, format };
        if self.question.dry_run {
            return expected.print();
        }
        let annotates = !self.kept.is_given() || file.is_some();
        let outputs = self.kept.outputs(self.force, annotates.then_some(file), &inputs)?;
        let outputs = outputs.report(self.report.as_deref()).job(self.job.folder());
        outputs.check([&inputs, &against])?;
        // Inputs that are not documents are refused before any output is begun.
        let files = SeenFiles::default();
        let mut references = against.source()?.noting_files(&files);
        let mut documents = inputs.source()?.noting_files(&files);
        let (job, kept) = (self.job.is_given(), self.kept.is_given());
        expected.announce(&talk, &Writes { job, rows: file.is_some(), kept })?;
        let open = || Results::open::<DecisionRow>(file, format, settings.print_scheme(), HEADING);
        let out = annotates.then(open).transpose()?;
        let kept = self.kept.begin(&inputs)?;
        let mut gathered = settings.gather(&engine)?;
        indexes.gather_into(&settings, &pipeline, &mut gathered)?;
        let identity =
            || indexes.identify(settings.job_identity(pipeline.settings(), &inputs, &against)?);
        let mut job = self.job.open(self.reading.commit(), identity, &talk)?;
        talk.expect(&inputs, &documents);
        let sources: &mut [(Role, &mut dyn Source)] =
            &mut [(Role::Reference, &mut references), (Role::Candidate, &mut documents)];
        let watched = engine.pipeline(pipeline.settings().clone());
        let watched = watched.watched_by(|tally| talk.progress(tally));
        let tally = settings
            .read(&watched, sources, job.as_mut(), &mut gathered, |record| talk.nothing(record))
            .map_err(|stopped: JobStop| stopped.failure(&self.job))?;
        talk.clear();
        let search = settings
            .search()
            .watched_by(|progress| talk.searching(progress))
            .told_of_left_out(|report| say_left_out(&talk, report));
        let search = gathered.search(search);
        let decisions = settings.decide(&mut gathered, search)?;
        let all = [&against, &inputs];
        let decisions = self.kept.with_revisits(decisions, &mut gathered, all, &engine)?;
        talk.clear();
        let out = out.into_iter().chain(self.kept.captures(settings.print_scheme())?);
        write_decisions(out.collect(), &decisions, &mut gathered)?;
        let mut summary = decisions.summary(&settings, &gathered, &tally);
        summary.pace = Pace::of(tally.documents, tally.bytes, talk.elapsed());
        messages::decisions(&talk, &summary, decisions.left_out());
        outputs::none_was_read()?;
        KeptDocuments::write(kept, &decisions, &mut gathered, &inputs, &talk)?;
        row_or_page(self.report.as_deref(), &summary, |file| {
            let results = (&decisions, &mut gathered);
            Report::of_decisions(file, &pipeline, results, &summary, [&inputs, &against])
        })?;
        self.job.remove(job)?;
        Ok(conclude(&talk, &tally))
    }
}
