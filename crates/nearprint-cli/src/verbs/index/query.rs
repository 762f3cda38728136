//! `nearprint index query`: what in an index lies near documents or fingerprints.

use std::path::PathBuf;

use clap::Args;
use nearprint::fingerprint::Fingerprint;
use nearprint::records::{DocumentId, InputFile, MatchOfMany, Outcome, PrintFormat, PrintReader};
use nearprint::{Index, PrintSet, Tally};
use nearprint_index::DiskIndex;

use super::add::rows;
use super::for_reading;
use crate::collection::CollectionOptions;
use crate::ending::{Ending, Failure};
use crate::inputs::{expanded, is_stdin, named, read_prints};
use crate::options::{DistanceOptions, LIST, ReadingOptions, WorkOptions};
use crate::outputs::Outputs;
use crate::results::{ResultOptions, Results};
use crate::talk::Talk;
use crate::verbs::compare::given_print;
use crate::verbs::conclude;
use crate::verbs::query::MANY;

/// Queries that are answered together.
const BATCH: usize = 1024;

/// Find the documents of an index within a distance of others, as lines QUERY TAB ID TAB DISTANCE, nearest first
///
/// Answers are exact for any distance. Up to 12 bits, tables are looked up; beyond that, and for sketches, every
/// document of the index is compared. Fingerprints on standard input (--prints -) are answered line by line.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint index query reports.index draft.html
  nearprint index query -k 6 crawl.index new/*.html
  nearprint index query --by-print crawl.index sd1:aerukz4jvpg66
  nearprint index query --prints crawl.index new.prints")]
pub(super) struct IndexQueryArgs {
    /// The directory of the index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    /// Files, directories, or - for standard input; with --prints, fingerprint files
    #[arg(value_name = "DOCUMENT", required_unless_present = LIST)]
    documents: Vec<PathBuf>,
    /// The DOCUMENTs are fingerprints, not paths
    #[arg(long, conflicts_with = "prints", help_heading = "Input")]
    by_print: bool,
    /// Read the DOCUMENTs as fingerprint files: in nearprint's formats (text, JSONL or binary), or as decimal or hex
    /// numbers
    #[arg(
        long,
        value_name = "FORMAT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "nearprint",
        value_parser = PrintFormat::NAMES,
        help_heading = "Input"
    )]
    prints: Option<String>,
    #[command(flatten)]
    distance: DistanceOptions,
    #[command(flatten)]
    collection: CollectionOptions,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    output: ResultOptions,
    #[command(flatten)]
    work: WorkOptions,
}

/// Queries on their way to their answers.
struct Asking<'a> {
    index: &'a DiskIndex,
    k: u32,
    ids: Vec<DocumentId>,
    prints: Vec<Fingerprint>,
    out: Results,
}

impl Asking<'_> {
    fn push(&mut self, id: DocumentId, print: Fingerprint) -> Result<(), Failure> {
        self.ids.push(id);
        self.prints.push(print);
        if self.ids.len() < BATCH { Ok(()) } else { self.answer() }
    }

    fn answer(&mut self) -> Result<(), Failure> {
        let answers = self.index.query_batch(&self.prints, self.k)?;
        for (id, near) in self.ids.drain(..).zip(answers) {
            rows(&mut self.out, &id, self.index.scheme(), near)?;
        }
        self.prints.clear();
        Ok(())
    }
}

impl IndexQueryArgs {
    pub(super) fn run(mut self) -> Result<Ending, Failure> {
        if !self.by_print {
            expanded(&mut self.documents)?;
        }
        let file = self.output.output.as_deref();
        let inputs = self.documents.iter().map(PathBuf::as_path).filter(|_| !self.by_print);
        let outputs = Outputs::new(self.output.force).rows(file);
        outputs.check(inputs, Some(&self.collection.files))?;
        let talk = Talk::new(self.work.quiet, false);
        let index = for_reading(&self.index)?;
        let mut asking = Asking {
            index: &index,
            k: self.distance.of(index.scheme()),
            ids: Vec::new(),
            prints: Vec::new(),
            out: Results::open::<MatchOfMany>(file, self.output.format(), index.scheme(), MANY)?,
        };
        let tally = match (&self.prints, self.by_print) {
            (_, true) => {
                for given in &self.documents {
                    let (id, print) = given_print(given)?;
                    asking.push(id, print)?;
                }
                Tally::default()
            }
            (Some(name), _) => self.ask_prints(name, &mut asking, &talk)?,
            (None, _) => self.ask_documents(&mut asking, &talk)?,
        };
        asking.answer()?;
        asking.out.finish()?;
        Ok(conclude(&talk, &tally))
    }

    fn ask_documents(&self, asking: &mut Asking<'_>, talk: &Talk) -> Result<Tally, Failure> {
        let settings = self.reading.settings(asking.index.scheme());
        let mut source = self.collection.source(&self.documents, &self.reading, talk)?;
        let pipeline = self
            .reading
            .engine(self.work.threads, None)
            .pipeline(settings)
            .watched_by(|tally| talk.progress(tally));
        let tally = pipeline.fingerprint(&mut source, |record| match &record.outcome {
            Outcome::Print { fingerprint, .. } => asking.push(record.id, fingerprint.clone()),
            Outcome::Nothing { .. } => {
                talk.nothing(&record);
                Ok(())
            }
        })?;
        talk.clear();
        Ok(tally)
    }

    fn ask_prints(
        &self,
        name: &str,
        asking: &mut Asking<'_>,
        talk: &Talk,
    ) -> Result<Tally, Failure> {
        let scheme = asking.index.scheme();
        let format =
            PrintFormat::named(name, scheme).map_err(|error| Failure::Usage(error.to_string()))?;
        let mut tally = Tally::default();
        for file in named(&self.documents, &self.collection.files)? {
            if file.as_ref().is_ok_and(|path| is_stdin(path)) {
                tally.add(&answer_lines(format, asking, talk)?);
                continue;
            }
            let mut set = PrintSet::new(scheme);
            tally.add(&read_prints(std::iter::once(file), format, &mut set, talk)?);
            for position in 0..set.len() {
                asking.push(set.document_id(position), set.fingerprint(position)?)?;
            }
        }
        Ok(tally)
    }
}

/// Answers each line of standard input before the next is read.
fn answer_lines(
    format: PrintFormat,
    asking: &mut Asking<'_>,
    talk: &Talk,
) -> Result<Tally, Failure> {
    let mut tally = Tally::default();
    for line in PrintReader::new("-", InputFile::standard_input().into_stored(), format) {
        match line {
            Ok(record) => {
                tally.count_prints(1);
                asking.push(record.id, record.fingerprint)?;
                asking.answer()?;
                asking.out.flush()?;
            }
            Err(error) => {
                talk.error(&error);
                tally.count_nothing(error.reason.is_failure());
            }
        }
    }
    Ok(tally)
}
