//! `nearprint index query`: what in an index lies near documents or fingerprints.

use std::path::PathBuf;

use clap::Args;
use nearprint::records::MatchOfMany;
use nearprint::{Index, Tally};

use super::asking::Asking;
use super::conditions::WhereOption;
use super::for_reading;
use super::given::GivenOptions;
use crate::asking::MANY;
use crate::ending::{Ending, Failure};
use crate::options::{DistanceOptions, LIST};
use crate::outputs::Outputs;
use crate::results::{ResultOptions, Results};
use crate::searched::given_print;
use crate::talk::Talk;
use crate::verbs::conclude;

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
    /// Files, directories, quoted patterns, or - for standard input; with --prints, fingerprint files
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

impl IndexQueryArgs {
    pub(super) fn run(self) -> Result<Ending, Failure> {
        let documents: &[PathBuf] = if self.by_print { &[] } else { &self.documents };
        let inputs = self.given.inputs(documents)?;
        let file = self.output.output.as_deref();
        let outputs = Outputs::new(self.output.force).rows(file);
        outputs.check([&inputs])?;
        let talk = Talk::new(self.given.work.quiet, false);
        let index = for_reading(&self.index)?;
        let scheme = index.scheme();
        let out = Results::open::<MatchOfMany>(file, self.output.format(), scheme, MANY)?;
        let mut asking =
            Asking::new(&index, self.distance.of(scheme), out).only(self.conditions.filter());
        let tally = match (self.given.format(scheme)?, self.by_print) {
            (_, true) => {
                for given in &self.documents {
                    let (id, print) = given_print(given)?;
                    asking.push(id, print)?;
                }
                Tally::default()
            }
            (Some(format), _) => asking.prints(&inputs, format, &talk)?,
            (None, _) => {
                self.given.read(&inputs, scheme, &talk, |id, print, _| asking.push(id, print))?
            }
        };
        asking.finish()?;
        Ok(conclude(&talk, &tally))
    }
}
