//! `nearprint passages dedup`: what a collection repeats, listed or cut out.

use std::path::PathBuf;

use clap::Args;
use nearprint::fingerprint::Scheme;
use nearprint::records::{RepeatRow, Source};
use nearprint::{Inputs, Repeats, Role, SeenFiles};

use super::left_out;
use crate::collection::CollectionOptions;
use crate::exit_status::{ExitStatus, Failure};
use crate::jobs::{JobOptions, JobStop};
use crate::kept_documents::CopyOption;
use crate::messages;
use crate::options::{JsonOption, LIST, WorkOptions};
use crate::outputs::{self, ForceOption};
use crate::question::{QuestionArgs, print};
use crate::reading_options::ReadingOptions;
use crate::results::{ResultFormat, Results};
use crate::talk::Talk;
use crate::unexpected_input::meant;
use crate::verbs::conclude;

/// Columns of a table of repeats.
const HEADING: &[&str] = &["DOCUMENT", "PLACE", "TOKENS", "FIRST", "IN FIRST", "REPEAT"];

/// List the text that a collection repeats, or write the collection without it
///
/// A run of at least 50 words and numbers is a repeat if the collection has it before: in an earlier document, or
/// earlier in the same one. Prints one line ID TAB START-END TAB TOKENS TAB FIRST TAB START-END TAB TEXT for each, with
/// the places of its characters in the extracted text, and where the collection has its beginning first. Repeats that
/// overlap are one.
///
/// With --write, copies the inputs without these runs: out of the text of rows (JSON, Parquet, Arrow) and of plain text
/// in UTF-8; every other byte stays. A word that is cut stays once in what is written. Documents in other forms are
/// copied as they are, and counted. Nothing of the inputs is changed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint passages dedup corpus.jsonl.zst
  nearprint passages dedup --write clean.jsonl corpus.jsonl
  nearprint passages dedup --min-tokens 100 --write clean 'shards/*.jsonl.gz'
  nearprint passages dedup --job work --write clean corpus
  nearprint passages dedup --search all-places --write clean.jsonl --output cut.jsonl corpus.jsonl
  nearprint passages dedup --write new new.jsonl --against published")]
pub(crate) struct PassageDedupArgs {
    /// Files, directories, quoted patterns such as 'crawl/*.warc.gz', or - for standard input
    #[arg(value_name = "INPUT", required_unless_present = LIST)]
    inputs: Vec<PathBuf>,
    /// Also what one of these has is a repeat; they are not written
    #[arg(long, value_name = "INPUT", num_args = 1.., help_heading = "Input")]
    against: Vec<PathBuf>,
    #[command(flatten)]
    question: QuestionArgs<Repeats>,
    #[command(flatten)]
    cut: CopyOption,
    /// Output format of the repeats; see docs/FORMAT.md [default: table on a terminal, else text]
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Output")]
    format: Option<ResultFormat>,
    #[command(flatten)]
    json: JsonOption,
    /// Write the repeats to FILE, which appears only when it is complete [default: standard output, or with --write
    /// nowhere]
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOption,
    #[command(flatten)]
    collection: CollectionOptions,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    job: JobOptions,
    #[command(flatten)]
    work: WorkOptions,
}

impl PassageDedupArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let inputs = self.collection.inputs(&self.inputs, &self.reading)?;
        let against = self.collection.others(&self.against, &self.reading)?;
        Inputs::check_standard_input([&inputs, &against])?;
        let question = self.question.resolve(Repeats::resolve)?;
        let file = self.output.as_deref();
        if self.question.dry_run {
            return print(&question.to_json(), file);
        }
        let lists = !self.cut.is_given() || file.is_some();
        let outputs = self.cut.outputs(self.force, lists.then_some(file), &inputs)?;
        let outputs = outputs.job(self.job.folder());
        outputs.check([&inputs, &against])?;
        let talk = Talk::new(self.work.level(), false);
        // A file that is reached twice is read once, and repeats nothing of itself.
        let files = SeenFiles::default();
        let mut references = meant(against.source())?.noting_files(&files);
        let mut source = meant(inputs.source())?.noting_files(&files);
        talk.expect(&inputs, &source);
        let format = ResultFormat::of(self.format, self.json, file);
        let open = || Results::open::<RepeatRow>(file, format, Scheme::SD1, HEADING);
        let mut out = lists.then(open).transpose()?;
        let cut = self.cut.begin(&inputs)?;
        let engine = self.reading.engine(self.work.threads);
        let pipeline = engine.pipeline(self.reading.settings(Scheme::SD1));
        let pipeline = pipeline.watched_by(|tally| talk.progress(tally));
        let mut gathered = question.gather(&engine)?;
        let identity = || Ok(pipeline.settings().texts_identity(&inputs, &against)?);
        let mut job = self.job.open(self.reading.commit(), identity, &talk)?;
        let sources: &mut [(Role, &mut dyn Source)] =
            &mut [(Role::Reference, &mut references), (Role::Candidate, &mut source)];
        let tally = gathered
            .read_all(&pipeline, sources, job.as_mut(), |error| left_out(&talk, error))
            .map_err(|stopped: JobStop| stopped.failure(&self.job))?;
        messages::resumed_search(&talk, gathered.saved_step());
        talk.clear();
        let found = gathered.find(|progress| {
            talk.finding(progress);
            true
        })?;
        talk.clear();
        let counts = found.each(|row| out.as_mut().map_or(Ok(()), |out| out.row(&row)))?;
        out.map_or(Ok(()), Results::finish)?;
        let documents = (tally.documents, found.references());
        messages::repeats(&talk, counts, documents, found.counts().tokens);
        if let Some(cut) = cut {
            outputs::none_was_read()?;
            let files = inputs.files()?;
            let written =
                cut.with(&talk, |writer| found.write_cut(writer, files, inputs.settings()));
            let written = written.map_err(Failure::work)?;
            messages::cut(&talk, &written);
        }
        self.job.remove(job)?;
        Ok(conclude(&talk, &tally))
    }
}
