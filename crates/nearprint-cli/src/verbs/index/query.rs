//! `nearprint index query`: what in an index lies near documents or fingerprints.

use std::path::PathBuf;

use clap::Args;
use nearprint::fingerprint::Fingerprint;
use nearprint::records::{DocumentId, InputFile, MatchOfMany, PrintFormat, PrintReader};
use nearprint::{Index, Inputs, Tally};
use nearprint_index::{DiskIndex, Filter};

use super::add::rows;
use super::conditions::WhereOption;
use super::for_reading;
use super::given::GivenOptions;
use crate::ending::{Ending, Failure};
use crate::options::{DistanceOptions, LIST};
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
  nearprint index query --where crawl=2026-11 crawl.index draft.html
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
    #[command(flatten)]
    conditions: WhereOption,
    #[command(flatten)]
    distance: DistanceOptions,
    #[command(flatten)]
    given: GivenOptions,
    #[command(flatten)]
    output: ResultOptions,
}

/// Queries on their way to their answers.
struct Asking<'a> {
    index: &'a DiskIndex,
    k: u32,
    filter: Filter,
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
        let answers = self.index.query_batch_where(&self.prints, self.k, &self.filter)?;
        for (id, near) in self.ids.drain(..).zip(answers) {
            rows(&mut self.out, &id, self.index.scheme(), near)?;
        }
        self.prints.clear();
        Ok(())
    }
}

impl IndexQueryArgs {
    pub(super) fn run(self) -> Result<Ending, Failure> {
        let documents: &[PathBuf] = if self.by_print { &[] } else { &self.documents };
        let inputs = self.given.inputs(documents)?;
        let file = self.output.output.as_deref();
        let outputs = Outputs::new(self.output.force).rows(file);
        outputs.check([&inputs])?;
        let talk = Talk::new(self.given.work.quiet, false);
        let index = for_reading(&self.index)?;
        let mut asking = Asking {
            index: &index,
            k: self.distance.of(index.scheme()),
            filter: self.conditions.filter(),
            ids: Vec::new(),
            prints: Vec::new(),
            out: Results::open::<MatchOfMany>(file, self.output.format(), index.scheme(), MANY)?,
        };
        let scheme = index.scheme();
        let tally = match (self.given.format(scheme)?, self.by_print) {
            (_, true) => {
                for given in &self.documents {
                    let (id, print) = given_print(given)?;
                    asking.push(id, print)?;
                }
                Tally::default()
            }
            (Some(format), _) => self.ask_prints(&inputs, format, &mut asking, &talk)?,
            (None, _) => self
                .given
                .documents(&inputs, scheme, &talk, |id, print, _| asking.push(id, print))?,
        };
        asking.answer()?;
        asking.out.finish()?;
        Ok(conclude(&talk, &tally))
    }

    fn ask_prints(
        &self,
        inputs: &Inputs,
        format: PrintFormat,
        asking: &mut Asking<'_>,
        talk: &Talk,
    ) -> Result<Tally, Failure> {
        let as_named = (format, asking.index.scheme());
        let mut tally = Tally::default();
        for file in inputs.named()? {
            let read = match &file {
                Ok(path) if path.as_os_str() == "-" => answer_lines(format, asking, talk)?,
                _ => GivenOptions::prints(file, as_named, talk, |id, print, _| {
                    asking.push(id, print)
                })?,
            };
            tally.add(&read);
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
