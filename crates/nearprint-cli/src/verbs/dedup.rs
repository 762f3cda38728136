//! `nearprint dedup`: which documents to keep.

mod expectations;
mod said;

use std::path::{Path, PathBuf};

use clap::Args;
use nearprint::fingerprint::Scheme;
use nearprint::records::{DecisionRow, DeduplicationRow, Format, Pace, Source, escape};
use nearprint::report::{ExampleReader, Report};
use nearprint::search::Linkage;
use nearprint::{
    CancelFlag, Decisions, Deduplication, Engine, Gathered, Inputs, Keep, KeptLayout, KeptOutput,
    Role,
};

use super::{conclude, is_page, title, write_page};
use crate::collection::CollectionOptions;
use crate::ending::{Ending, Failure};
use crate::interrupt;
use crate::jobs::{JobOptions, Stopped};
use crate::memory::MemoryOptions;
use crate::options::{JsonOption, LIST, ReadingOptions, SchemeOption, WorkOptions};
use crate::output::Output;
use crate::outputs::{self, ForceOption, Outputs};
use crate::results::{ResultFormat, Results};
use crate::searching::say_left_out;
use crate::talk::Talk;
use crate::verifying::share;

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
/// and metadata of the table.
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
  nearprint dedup --job work --write unique crawl
  nearprint dedup --dry-run --memory 2G crawl
  nearprint dedup train --against test --write clean-train")]
pub(crate) struct DedupArgs {
    /// Files, directories, quoted patterns such as 'crawl/*.warc.gz', or - for standard input
    #[arg(value_name = "INPUT", required_unless_present = LIST)]
    inputs: Vec<PathBuf>,
    /// Also drop documents that duplicate one of these reference inputs (references are not reported)
    #[arg(long, value_name = "INPUT", num_args = 1.., help_heading = "Input")]
    against: Vec<PathBuf>,
    /// Minimum Jaccard similarity of word 3-shingles and numbers for two documents to count as duplicates, 0 to 1
    #[arg(long, value_name = "SIMILARITY", default_value = "0.7", value_parser = share, help_heading = "Decision")]
    threshold: f64,
    /// Which document of a cluster to keep, the first of equal ones: first (in the order of the inputs), longest,
    /// oldest, field:NAME (the smallest value of that field of JSON lines, CSV, Parquet or Arrow; of captures url,
    /// date, status, mime or digest) or field:NAME:max (the greatest). Numbers are compared by value, other text byte
    /// by byte; missing values come last
    #[arg(long, value_name = "ORDER", default_value = "first", help_heading = "Decision")]
    keep: Keep,
    /// Also drop documents that are connected to the kept one only through a chain of similar pairs
    #[arg(long, help_heading = "Decision")]
    chains: bool,
    /// Keep documents with fewer than N words without comparing them
    #[arg(long, value_name = "N", default_value = "5", help_heading = "Decision")]
    least_words: u64,
    /// Write the kept documents to PATH: a file if one file is named (- for standard output), else a directory, which
    /// must be new or empty
    #[arg(long, value_name = "PATH", help_heading = "Output")]
    write: Option<PathBuf>,
    /// Print the decision for every document; the default without --write
    #[arg(long, help_heading = "Output")]
    annotate: bool,
    /// Output format of the decisions; see docs/FORMAT.md [default: table on a terminal, else text]
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Output")]
    format: Option<ResultFormat>,
    #[command(flatten)]
    json: JsonOption,
    /// Write the decisions to FILE, which appears only when it is complete (- for standard output)
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOption,
    /// Write a summary of the run to FILE, as one line of JSON; if the name ends in .html, write a page with plots and
    /// with the largest clusters side by side, for which their documents are read again
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
    /// Read a sample, print the estimated documents, time, memory and disk space, and exit
    #[arg(long, help_heading = "Work", conflicts_with_all = ["write", "annotate", "output", "report"])]
    dry_run: bool,
    #[command(flatten)]
    memory: MemoryOptions,
    #[command(flatten)]
    collection: CollectionOptions,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    scheme: SchemeOption,
    #[command(flatten)]
    job: JobOptions,
    #[command(flatten)]
    work: WorkOptions,
}

impl DedupArgs {
    pub(super) fn run(self) -> Result<Ending, Failure> {
        let inputs = self.collection.inputs(&self.inputs, &self.reading)?;
        let work = Work {
            settings: self.settings(),
            inputs: inputs.ordered_by(self.keep.field()),
            against: self.collection.others(&self.against, &self.reading)?,
            engine: self.reading.engine(self.work.threads, Some(&self.memory)),
            talk: Talk::new(self.work.quiet, false),
            args: &self,
        };
        Inputs::check_standard_input([&work.inputs, &work.against])?;
        if self.dry_run {
            return work.forecast();
        }
        work.check_outputs()?;
        work.against.expect_documents()?;
        work.inputs.expect_documents()?;
        work.announce()?;
        work.run()
    }

    /// Whether the decisions are written.
    fn annotates(&self) -> bool {
        self.annotate || self.write.is_none() || self.output.is_some()
    }

    fn format(&self) -> ResultFormat {
        ResultFormat::of(self.format, self.json, self.output.as_deref())
    }

    fn settings(&self) -> Deduplication {
        Deduplication {
            scheme: self.scheme.or(Scheme::MD1),
            at: self.threshold,
            keep: self.keep.clone(),
            linkage: if self.chains { Linkage::Components } else { Linkage::Star },
            least_words: self.least_words,
        }
    }
}

/// What all steps share.
struct Work<'a> {
    args: &'a DedupArgs,
    settings: Deduplication,
    inputs: Inputs,
    against: Inputs,
    engine: Engine,
    talk: Talk,
}

impl Work<'_> {
    fn run(&self) -> Result<Ending, Failure> {
        let (args, settings, talk) = (self.args, &self.settings, &self.talk);
        let open = || {
            let file = args.output.as_deref();
            Results::open::<DecisionRow>(file, args.format(), settings.scheme, HEADING)
        };
        let out = args.annotates().then(open).transpose()?;
        let kept = self.begin_writing()?;
        let mut gathered = settings.gather(&self.engine)?;
        let reading = args.reading.settings(settings.scheme);
        let identity = || Ok(settings.job_identity(&reading, &self.inputs, &self.against)?);
        let mut job = args.job.open(identity, talk)?;
        let pipeline =
            self.engine.pipeline(reading.clone()).watched_by(|tally| talk.progress(tally));
        let (mut references, mut documents) = (self.against.source()?, self.inputs.source()?);
        talk.expect(&self.inputs, &documents);
        let sources = &mut [
            (Role::Reference, &mut references as &mut dyn Source),
            (Role::Candidate, &mut documents as &mut dyn Source),
        ];
        let verification = Some(settings.verification());
        let read = pipeline.read_sources(sources, verification, job.as_mut(), |done| {
            talk.nothing(&done.record);
            let (role, order) = (done.role, done.arrival.order);
            let pushed = gathered.push(&done.record, done.features.as_ref(), role, order);
            pushed.map_err(|error| Stopped::Here(error.into()))
        });
        let tally = read.map_err(|stopped| stopped.failure(&args.job))?;
        talk.clear();
        let search = settings
            .search()
            .watched_by(|progress| talk.searching(progress))
            .told_of_left_out(|report| say_left_out(talk, report));
        let search = gathered.search(search);
        let decisions = settings.decide(&mut gathered, search)?;
        talk.clear();
        if let Some(mut out) = out {
            decisions.for_each(&mut gathered, |row| out.row(&row))?;
            out.finish()?;
        }
        let pace = Pace::of(tally.documents, tally.bytes, talk.elapsed());
        let summary = DeduplicationRow { pace, ..decisions.summary(settings, &gathered, &tally) };
        said::summary(talk, &summary);
        outputs::none_was_read()?;
        said::left_out(talk, decisions.left_out());
        if let Some((layout, output)) = kept {
            let written = decisions
                .write_kept(
                    &mut gathered,
                    &layout,
                    output,
                    self.inputs.files()?,
                    &CancelFlag::new(),
                )
                .map_err(Failure::work)?;
            said::written(talk, &written);
        }
        self.report((&decisions, &mut gathered), &summary)?;
        args.job.remove(job)?;
        Ok(conclude(talk, &tally))
    }

    /// Writes the report, where one is asked for.
    fn report(
        &self,
        results: (&Decisions, &mut Gathered),
        summary: &DeduplicationRow,
    ) -> Result<(), Failure> {
        match self.args.report.as_deref() {
            Some(file) if is_page(file) => write_page(file, &self.page(file, results, summary)?),
            Some(file) => {
                let mut out = Output::open(Some(file), Format::Jsonl)?;
                out.row(summary)?;
                out.finish()
            }
            None => Ok(()),
        }
    }

    /// The report as a page.
    fn page(
        &self,
        file: &Path,
        (decisions, gathered): (&Decisions, &mut Gathered),
        summary: &DeduplicationRow,
    ) -> Result<Report, Failure> {
        let mut groups = decisions.examples(gathered)?;
        // Standard input cannot be read again; the page says so.
        let is_once = self.inputs.read_standard_input() || self.against.read_standard_input();
        if !is_once && !groups.is_empty() {
            let pipeline = self.engine.pipeline(self.args.reading.settings(summary.scheme));
            let mut reader = ExampleReader::new(&mut groups, file);
            reader.read(&pipeline, &mut self.against.source()?, 1);
            reader.read(&pipeline, &mut self.inputs.source()?, 0);
        }
        let distributions = decisions.distributions(gathered);
        Ok(Report::of_deduplication(title(&self.inputs), summary, &distributions, groups))
    }

    /// Where the kept documents go, begun before anything is read: what cannot be written is told at once.
    fn begin_writing(&self) -> Result<Option<(KeptLayout, KeptOutput)>, Failure> {
        let Some(out) = &self.args.write else { return Ok(None) };
        if self.inputs.paths().iter().any(|path| path.as_os_str() == "-") {
            let text = "--write copies the inputs, and standard input cannot be read a second time: put it into a file";
            return Err(Failure::Usage(text.to_owned()));
        }
        let layout = self.layout(out);
        if layout.is_standard_output() && !layout.is_file() {
            let text = "--write - is only for one input file; name a directory for several";
            return Err(Failure::Usage(text.to_owned()));
        }
        let begun = layout
            .place()
            .and_then(|place| interrupt::unfinished(&place, || layout.begin(), KeptOutput::part));
        let name = || escape(out.as_os_str().as_encoded_bytes());
        let output = begun.map_err(|error| Failure::Output { name: name(), error })?;
        Ok(Some((layout, output)))
    }

    fn layout(&self, out: &Path) -> KeptLayout {
        KeptLayout::new(self.inputs.paths(), self.inputs.has_list(), out)
    }

    fn check_outputs(&self) -> Result<(), Failure> {
        let (args, rows) = (self.args, self.args.output.as_deref());
        let outputs = Outputs::new(args.force).report(args.report.as_deref());
        let outputs = outputs.job(args.job.folder());
        let outputs = if args.annotates() { outputs.rows(rows) } else { outputs };
        let outputs = match &args.write {
            Some(kept) if self.layout(kept).is_file() => outputs.report(Some(kept)),
            Some(kept) => outputs.folder(kept),
            None => outputs,
        };
        let to_standard_output = args.write.as_deref().is_some_and(|path| path.as_os_str() == "-");
        if args.annotates() && rows.is_none() && to_standard_output {
            let text = "--annotate and --write - both write to standard output; name a file with \
                --output";
            return Err(Failure::Usage(text.to_owned()));
        }
        outputs.check([&self.inputs, &self.against])
    }
}
