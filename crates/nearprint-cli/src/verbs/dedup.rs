//! `nearprint dedup`: which documents to keep.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clap::Args;
use nearprint::fingerprint::Scheme;
use nearprint::records::{DecisionRow, DeduplicationRow, Folder, Format, Pace, escape};
use nearprint::report::{ExampleReader, Report};
use nearprint::search::Linkage;
use nearprint::{
    Arrival, CancelFlag, Decisions, Deduplication, DeduplicationForecast, Engine, Gathered,
    InputSize, Inputs, Keep, KeptLayout, KeptOutput, ResumableJob, Role, Tally,
};

use super::{conclude, is_page, title, write_page};
use crate::collection::CollectionOptions;
use crate::disk::{self, megabytes};
use crate::ending::{Ending, Failure};
use crate::interrupt;
use crate::jobs::{JobOptions, Stopped};
use crate::memory::MemoryOptions;
use crate::options::{JsonOption, LIST, ReadingOptions, SchemeOption, WorkOptions};
use crate::output::{Output, Stream};
use crate::outputs::{self, ForceOption, Outputs};
use crate::results::{ResultFormat, Results};
use crate::searching::say_left_out;
use crate::talk::{Talk, counted};
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
        let settings = self.settings();
        let inputs = self.collection.inputs(&self.inputs, &self.reading)?;
        let inputs = inputs.ordered_by(self.keep.field());
        let against = self.collection.others(&self.against, &self.reading)?;
        Inputs::check_standard_input([&inputs, &against])?;
        let all = against.and(&inputs);
        if self.dry_run {
            return self.forecast(&settings, &all);
        }
        let rows_to = self.output.as_deref();
        let annotates = self.annotate || self.write.is_none() || rows_to.is_some();
        self.check_outputs(annotates, [&inputs, &against])?;
        against.expect_documents()?;
        inputs.expect_documents()?;
        let talk = Talk::new(self.work.quiet, false);
        let engine = self.reading.engine(self.work.threads, Some(&self.memory));
        self.announce(&engine, &settings, &all, &talk)?;
        let mut out = match annotates {
            true => Some(Results::open::<DecisionRow>(
                rows_to,
                self.format(),
                settings.scheme,
                HEADING,
            )?),
            false => None,
        };
        let kept = self.begin_writing(&inputs)?;
        let mut gathered = settings.gather(&engine)?;
        let reading = self.reading.settings(settings.scheme);
        let job =
            self.job.open(|| Ok(settings.job_identity(&reading, &inputs, &against)?), &talk)?;
        let (tally, job) =
            self.read(&engine, &settings, (&inputs, &against), job, &mut gathered, &talk)?;
        let search = settings
            .search()
            .watched_by(|progress| talk.searching(progress))
            .told_of_left_out(|report| say_left_out(&talk, report));
        let search = gathered.search(search);
        let decisions = settings.decide(&mut gathered, search)?;
        talk.clear();
        if let Some(mut out) = out.take() {
            decisions.for_each(&mut gathered, |row| out.row(&row))?;
            out.finish()?;
        }
        let pace = Pace::of(tally.documents, tally.bytes, talk.elapsed());
        let summary = DeduplicationRow { pace, ..decisions.summary(&settings, &gathered, &tally) };
        say(&talk, &summary);
        outputs::none_was_read()?;
        if decisions.left_out() > 0 {
            talk.say(format_args!(
                "nearprint: very many texts have the same words with different numbers; {} of \
                    them skipped, so more documents are kept",
                counted(decisions.left_out(), "pair")
            ));
        }
        if let Some((layout, output)) = kept {
            let files = inputs.files()?;
            let written = decisions
                .write_kept(&mut gathered, &layout, output, files, &CancelFlag::new())
                .map_err(Failure::work)?;
            let files = counted(written.files, "file");
            talk.say(format_args!("nearprint: wrote {files}, {} bytes", written.bytes));
            if written.unreadable > 0 {
                talk.say(format_args!(
                    "nearprint: not written because unreadable: {}",
                    counted(written.unreadable, "file")
                ));
            }
            for (file, rows) in &written.unreadable_rows {
                let (first, last) = (rows.start(), rows.end());
                talk.say(format_args!(
                    "nearprint: {file}: rows {first} to {last} not written because they cannot \
                        be read"
                ));
            }
        }
        match self.report.as_deref() {
            Some(file) if is_page(file) => {
                let results = (&decisions, &mut gathered);
                write_page(
                    file,
                    &self.page(&engine, file, results, &summary, (&inputs, &against))?,
                )?;
            }
            Some(file) => {
                let mut out = Output::open(Some(file), Format::Jsonl)?;
                out.row(&summary)?;
                out.finish()?;
            }
            None => {}
        }
        self.job.remove(job)?;
        Ok(conclude(&talk, &tally))
    }

    /// Says what the work would take.
    fn forecast(&self, settings: &Deduplication, inputs: &Inputs) -> Result<Ending, Failure> {
        let Some(size) = inputs.size() else {
            let text = "--dry-run works only with named files, not with standard input or a list \
                of paths";
            return Err(Failure::Usage(text.to_owned()));
        };
        let engine = self.reading.engine(self.work.threads, Some(&self.memory));
        let (found, output) = self.expected(&engine, settings, inputs, &size)?;
        let mut out = Output::open(None, Format::Text)?;
        let held = found.memory + found.features_in_memory;
        let is_all = found.sample == found.documents;
        let text = format!(
            "documents\t{}{}\nreading\t{:.0} s\nmemory\t{} MB of {} MB\ntemporary files\t{} MB\nfolder of a job (--job)\t{} MB\n\
             decisions\t{} MB\n",
            found.documents,
            if is_all { String::new() } else { format!(", estimated from {}", found.sample) },
            found.seconds.ceil(),
            megabytes(held),
            megabytes(engine.settings().memory),
            megabytes(found.temporary),
            megabytes(found.job),
            megabytes(output)
        );
        out.text(text.as_bytes())?;
        out.finish()?;
        Ok(Ending::Whole)
    }

    /// Says before large work what of the disk it takes.
    fn announce(
        &self,
        engine: &Engine,
        settings: &Deduplication,
        inputs: &Inputs,
        talk: &Talk,
    ) -> Result<(), Failure> {
        let Some(size) = inputs.size().filter(InputSize::is_large) else { return Ok(()) };
        let (found, output) = self.expected(engine, settings, inputs, &size)?;
        let directory = engine.temporary_directory();
        let mut said = vec![format!(
            "temporary files need about {} MB in {}",
            megabytes(found.temporary),
            escape(directory.as_os_str().as_encoded_bytes())
        )];
        if self.job.is_given() {
            said.push(format!("the job folder about {} MB", megabytes(found.job)));
        }
        if self.output.is_some() {
            said.push(format!("the decisions about {} MB", megabytes(output)));
        }
        if self.write.is_some() {
            said.push(format!("the kept documents up to {} MB", megabytes(size.bytes())));
        }
        disk::say(talk, &size, found.documents, &said);
        Ok(found.check_room(&directory)?)
    }

    /// What inputs of this size would take, by a sample, and what their decisions would.
    fn expected(
        &self,
        engine: &Engine,
        settings: &Deduplication,
        inputs: &Inputs,
        size: &InputSize,
    ) -> Result<(DeduplicationForecast, u64), Failure> {
        let (stream, bytes) = Stream::counted();
        let mut out =
            Results::on::<DecisionRow>(stream, self.format().of_file(true), settings.scheme)?;
        let pipeline = engine.pipeline(self.reading.settings(settings.scheme));
        let mut source = inputs.source()?;
        let found = settings.forecast(&pipeline, &mut source, size, |row| out.row(&row))?;
        out.finish()?;
        let times = found.documents as f64 / found.sample.max(1) as f64;
        Ok((found, (bytes.load(Ordering::Relaxed) as f64 * times) as u64))
    }

    /// Reads all documents.
    fn read(
        &self,
        engine: &Engine,
        settings: &Deduplication,
        (inputs, against): (&Inputs, &Inputs),
        mut job: Option<ResumableJob<Folder>>,
        gathered: &mut Gathered,
        talk: &Talk,
    ) -> Result<(Tally, Option<ResumableJob<Folder>>), Failure> {
        let pipeline = engine
            .pipeline(self.reading.settings(settings.scheme))
            .watched_by(|tally| talk.progress(tally));
        let wanted = settings.wanted();
        let mut tally = Tally::default();
        for role in [Role::Reference, Role::Candidate] {
            let mut documents = match role {
                Role::Reference => against.source()?,
                Role::Candidate => {
                    let source = inputs.source()?;
                    talk.expect(inputs, &source);
                    source
                }
            };
            match &mut job {
                Some(job) => job
                    .read(&pipeline, &mut documents, role, Some(settings.verification()))
                    .map_err(|error| self.job.failure(error))?,
                None => {
                    let read = pipeline.read(
                        &mut documents,
                        &wanted,
                        |record, made, Arrival { order, .. }| {
                            talk.nothing(&record);
                            let features = made.and_then(|made| made.features);
                            gathered
                                .push(&record, features.as_ref(), role, order)
                                .map_err(Failure::from)
                        },
                    )?;
                    tally.add(&read);
                }
            }
        }
        if let Some(job) = &mut job {
            job.finish().map_err(|error| self.job.failure(error))?;
            job.for_each(|done| {
                talk.nothing(&done.record);
                tally.count(&done.record, done.arrival.bytes);
                gathered
                    .push(&done.record, done.features.as_ref(), done.role, done.arrival.order)
                    .map_err(|error| Stopped::Here(error.into()))
            })
            .map_err(|stopped| stopped.failure(&self.job))?;
            tally.records = job.record_counts();
        }
        talk.clear();
        Ok((tally, job))
    }

    /// The report as a page.
    fn page(
        &self,
        engine: &Engine,
        file: &Path,
        (decisions, gathered): (&Decisions, &mut Gathered),
        summary: &DeduplicationRow,
        (inputs, against): (&Inputs, &Inputs),
    ) -> Result<Report, Failure> {
        let mut groups = decisions.examples(gathered)?;
        // Standard input cannot be read again; the page says so.
        let is_once = inputs.read_standard_input() || against.read_standard_input();
        if !is_once && !groups.is_empty() {
            let pipeline = engine.pipeline(self.reading.settings(summary.scheme));
            let mut reader = ExampleReader::new(&mut groups, file);
            reader.read(&pipeline, &mut against.source()?, 1);
            reader.read(&pipeline, &mut inputs.source()?, 0);
        }
        let distributions = decisions.distributions(gathered);
        Ok(Report::of_deduplication(title(inputs), summary, &distributions, groups))
    }

    /// Where the kept documents go, begun before anything is read: what cannot be written is told at once.
    fn begin_writing(&self, inputs: &Inputs) -> Result<Option<(KeptLayout, KeptOutput)>, Failure> {
        let Some(out) = &self.write else { return Ok(None) };
        if inputs.paths().iter().any(|path| path.as_os_str() == "-") {
            let text = "--write copies the inputs, and standard input cannot be read a second time: put it into a file";
            return Err(Failure::Usage(text.to_owned()));
        }
        let layout = layout(inputs, out);
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

    fn check_outputs(
        &self,
        annotates: bool,
        [inputs, against]: [&Inputs; 2],
    ) -> Result<(), Failure> {
        let outputs = Outputs::new(self.force).report(self.report.as_deref());
        let outputs = outputs.job(self.job.folder());
        let outputs = if annotates { outputs.rows(self.output.as_deref()) } else { outputs };
        let outputs = match &self.write {
            Some(kept) if layout(inputs, kept).is_file() => outputs.report(Some(kept)),
            Some(kept) => outputs.folder(kept),
            None => outputs,
        };
        let both = annotates
            && self.output.is_none()
            && self.write.as_deref().is_some_and(|path| path.as_os_str() == "-");
        if both {
            let text = "--annotate and --write - both write to standard output; name a file with \
                --output";
            return Err(Failure::Usage(text.to_owned()));
        }
        outputs.check([inputs, against])
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

fn layout(inputs: &Inputs, out: &Path) -> KeptLayout {
    KeptLayout::new(inputs.paths(), inputs.has_list(), out)
}

/// Says what it came to.
fn say(talk: &Talk, summary: &DeduplicationRow) {
    let clusters = counted(summary.clusters, "cluster");
    talk.say(format_args!(
        "nearprint: {} of {} kept, {} dropped ({} identical, {} same words, {} near); {clusters}",
        summary.kept,
        counted(summary.documents, "document"),
        summary.identical + summary.same_words + summary.near,
        summary.identical,
        summary.same_words,
        summary.near,
    ));
    if summary.duplicate_ids > 0 {
        talk.say(format_args!(
            "nearprint: {} with the id of an earlier document; use the place to distinguish them",
            counted(summary.duplicate_ids, "document")
        ));
    }
    if summary.too_short + summary.without_fingerprint > 0 {
        talk.say(format_args!(
            "nearprint: kept without comparison: {} with too few words, {} without a fingerprint",
            summary.too_short, summary.without_fingerprint
        ));
    }
}
