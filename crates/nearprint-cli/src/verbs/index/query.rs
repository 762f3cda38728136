//! `nearprint index query`: what in an index lies near documents or fingerprints.

use std::path::PathBuf;

use clap::Args;
use nearprint::records::MatchOfMany;
use nearprint::{Documents, Matches, Subject, Tally};
use nearprint_index::{ReadStep, StoredDocument};

use super::asking::Asking;
use super::conditions::WhereOption;
use super::for_reading;
use super::given::GivenOptions;
use crate::asking::MANY;
use crate::ending::{Ending, Failure};
use crate::indexes::failure_of;
use crate::options::LIST;
use crate::outputs::Outputs;
use crate::question::{QuestionArgs, print};
use crate::results::{ResultOptions, Results};
use crate::searched::given_print;
use crate::talk::Talk;
use crate::verbs::conclude;

/// Find the documents of an index within a distance of others, as lines QUERY TAB ID TAB DISTANCE, nearest first
///
/// Where the index keeps features and no distance is given, texts are compared too: lines have a SIMILARITY, the most
/// similar first; sketches are then proposed by bands, as in pairs. Otherwise answers are exact for any distance. Up to
/// 12 bits, or 63 positions of sketches, tables are looked up; beyond that every fingerprint of the index is compared.
/// Fingerprints on standard input (--prints -) are answered line by line.
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
    question: QuestionArgs<Matches>,
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
        let are_prints = self.by_print || self.given.format(scheme)?.is_some();
        // Fingerprints have no texts to compare.
        let subject = if are_prints { Subject::Fingerprints(scheme) } else { Subject::of(&index) };
        let question = self.question.question.resolve(subject)?;
        if self.question.dry_run {
            return print(&question.to_json(), file);
        }
        index.check(&question.parts()).map_err(failure_of)?;
        let out = Results::open::<MatchOfMany>(file, self.output.format(), scheme, MANY)?;
        let mut asking = Asking::new(&index, question, out).only(self.conditions.filter());
        let tally = match (self.given.format(scheme)?, self.by_print) {
            (_, true) => {
                for given in &self.documents {
                    let (id, print) = given_print(given)?;
                    asking.push(StoredDocument::new(id, print))?;
                }
                Tally::default()
            }
            (Some(format), _) => asking.prints(&inputs, format, &talk)?,
            (None, _) => {
                self.given
                    .read(&inputs, &index, &talk, |step| match step {
                        ReadStep::Document(document) => asking.push(*document),
                        ReadStep::Commit => Ok(()),
                    })?
                    .0
            }
        };
        asking.finish()?;
        Ok(conclude(&talk, &tally))
    }
}
