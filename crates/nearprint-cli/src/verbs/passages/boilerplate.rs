//! `nearprint passages boilerplate`: the most repeated passages of a collection.

use std::path::PathBuf;

use clap::Args;
use nearprint::fingerprint::Scheme;
use nearprint::records::{SharedPassageRow, Source};
use nearprint::{Boilerplate, Inputs, Role, SeenFiles};

use super::{HEADING, left_out};
use crate::collection::CollectionOptions;
use crate::exit_status::{ExitStatus, Failure};
use crate::jobs::{JobOptions, JobStop};
use crate::messages;
use crate::options::{LIST, WorkOptions};
use crate::outputs::Outputs;
use crate::question::{QuestionArgs, print};
use crate::reading_options::ReadingOptions;
use crate::results::{ResultOptions, Results};
use crate::talk::{Talk, counted};
use crate::unexpected_input::meant;
use crate::verbs::conclude;

/// List the passages that most documents repeat: licences, menus, notices
///
/// Prints one line DOCUMENTS TAB TOKENS TAB A TAB START-END TAB - TAB - TAB PASSAGE for each, those of the most
/// documents first: A is the first document that has it, START and END its characters in the extracted text. A passage
/// that is only a listed one and fewer than half of --min-tokens more is left out.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint passages boilerplate site
  nearprint passages boilerplate --min-tokens 20 --least 100 --most 20 crawl.warc.gz
  nearprint passages boilerplate --json corpus.jsonl.zst")]
pub(crate) struct BoilerplateArgs {
    /// Files, directories, quoted patterns such as 'crawl/*.warc.gz', or - for standard input
    #[arg(value_name = "INPUT", required_unless_present = LIST)]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    question: QuestionArgs<Boilerplate>,
    #[command(flatten)]
    output: ResultOptions,
    #[command(flatten)]
    collection: CollectionOptions,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    job: JobOptions,
    #[command(flatten)]
    work: WorkOptions,
}

impl BoilerplateArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let inputs = self.collection.inputs(&self.inputs, &self.reading)?;
        let question = self.question.resolve(Boilerplate::resolve)?;
        let file = self.output.output.as_deref();
        if self.question.dry_run {
            return print(&question.to_json(), file);
        }
        let outputs = Outputs::new(self.output.force).rows(file).job(self.job.folder());
        outputs.check([&inputs])?;
        let talk = Talk::new(self.work.level(), false);
        let mut source = meant(inputs.source())?.noting_files(&SeenFiles::default());
        talk.expect(&inputs, &source);
        let format = self.output.format();
        let mut out = Results::open::<SharedPassageRow>(file, format, Scheme::SD1, HEADING)?;
        let engine = self.reading.engine(self.work.threads);
        let pipeline = engine.pipeline(self.reading.settings(Scheme::SD1));
        let pipeline = pipeline.watched_by(|tally| talk.progress(tally));
        let mut gathered = question.gather(&engine)?;
        let nothing = Inputs::default();
        let identity = || Ok(pipeline.settings().texts_identity(&inputs, &nothing)?);
        let mut job = self.job.open(self.reading.commit(), identity, &talk)?;
        let sources: &mut [(Role, &mut dyn Source)] = &mut [(Role::Candidate, &mut source)];
        let tally = gathered
            .read_all(&pipeline, sources, job.as_mut(), |error| left_out(&talk, error))
            .map_err(|stopped: JobStop| stopped.failure(&self.job))?;
        messages::resumed_search(&talk, gathered.saved_step());
        talk.clear();
        let watch = |progress| {
            talk.finding(progress);
            true
        };
        let (rows, _) = question.run(gathered, watch)?;
        rows.iter().try_for_each(|row| out.row(row))?;
        out.finish()?;
        talk.summary(format_args!(
            "nearprint: {} of {} or more; {}",
            counted(rows.len() as u64, "passage"),
            counted(question.least, "document"),
            counted(tally.documents, "document")
        ));
        self.job.remove(job)?;
        Ok(conclude(&talk, &tally))
    }
}
