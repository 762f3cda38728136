//! `nearprint index add`: documents, or fingerprints, into an index.

use std::path::PathBuf;

use clap::Args;
use nearprint::records::MatchOfMany;
use nearprint::{Distance, Documents, OnDuplicate};
use nearprint_index::{DocumentInserter, LookFor, ReadStep, StoredDocument};

use super::for_writing;
use super::index_inputs::{GivenOptions, change, write_matches};
use crate::exit_status::{ExitStatus, Failure};
use crate::messages;
use crate::options::LIST;
use crate::outputs::Outputs;
use crate::query_run::MANY;
use crate::report::write_row;
use crate::results::{ResultOptions, Results};
use crate::talk::Talk;
use crate::verbs::conclude;

/// Add documents to an index
///
/// A document from a web archive whose payload the index has already, by the digest that the archive states, is added
/// without extracting it again; with --revisits so are revisits, which hold no payload. Documents are committed in
/// batches of 20,000. After an interruption, the same command with --on-duplicate skip adds the rest. With --if-new or
/// --matches, prints lines NEW TAB ID TAB DISTANCE for the documents within the distance of a new one.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint index add reports.index reports
  nearprint index add --on-duplicate replace crawl.index --read ids=url crawl.warc.gz
  nearprint index add --revisits crawl.index crawl-*.warc.gz
  nearprint index add --if-new -k 3 crawl.index page.html
  nearprint index add --metadata '{\"crawl\":\"2026-11\"}' crawl.index crawl.warc.gz")]
pub(super) struct AddArgs {
    /// The directory of the index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    /// Files, directories, quoted patterns, or - for standard input
    #[arg(value_name = "INPUT", required_unless_present = LIST)]
    inputs: Vec<PathBuf>,
    /// What to do with a document whose id is already in the index: error, replace or skip
    #[arg(long, value_name = "RULE", default_value = "error", help_heading = "Index")]
    on_duplicate: OnDuplicate,
    /// Add only documents without a match in the index, and print the matches of the others; if the index keeps
    /// features, matches are the duplicates by which `nearprint dedup` drops documents
    #[arg(long, help_heading = "Index")]
    if_new: bool,
    /// Add all documents, and print their earlier matches
    #[arg(long, conflicts_with = "if_new", help_heading = "Index")]
    matches: bool,
    /// Add revisits of web archives, too: unchanged captures, with the fingerprint of the document that they refer to
    #[arg(long, help_heading = "Index")]
    revisits: bool,
    /// A JSON object to store with each document
    #[arg(long, value_name = "OBJECT", help_heading = "Index")]
    metadata: Option<String>,
    /// With --if-new and --matches, the maximum Hamming distance: the number of bits (of a sketch, positions) that may
    /// differ, or close or loose [default: that of the scheme, 3 for sd1; with --if-new and features, that within which
    /// dedup compares texts]
    #[arg(short, value_name = "DISTANCE", help_heading = "Index")]
    k: Option<Distance>,
    #[command(flatten)]
    given: GivenOptions,
    #[command(flatten)]
    output: ResultOptions,
    /// Write a summary of the run to FILE, as one line of JSON
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
}

impl AddArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let mut inputs = self.given.inputs(&self.inputs)?;
        if self.revisits {
            inputs = inputs.with_revisits();
        }
        self.check()?;
        let file = self.output.output.as_deref();
        let outputs = Outputs::new(self.output.force).rows(file).counts(self.report.as_deref());
        outputs.check([&inputs])?;
        let talk = Talk::new(self.given.work.level(), false);
        let index = for_writing(&self.index)?;
        let scheme = index.scheme();
        let mut out = Results::open::<MatchOfMany>(file, self.output.format(), scheme, MANY)?;
        let usual = if self.if_new { index.new_distance() } else { scheme.default_distance() };
        let k = self.k.map_or(usual, |k| k.positions(scheme));
        let look_for = match (self.if_new, self.matches) {
            (true, _) => LookFor::New(k),
            (_, true) => LookFor::Matches(k),
            _ => LookFor::Nothing,
        };
        let mut adding = DocumentInserter::new(
            &index,
            self.on_duplicate,
            look_for,
            |document: &StoredDocument, near| write_matches(&mut out, &document.id, scheme, near),
        );
        let (tally, reused) = self.given.read(&inputs, &index, &talk, |step| match step {
            ReadStep::Document(document) => {
                adding.push(StoredDocument { metadata: self.metadata.clone(), ..*document })
            }
            ReadStep::Commit => adding.commit_now(),
        })?;
        let counts = adding.finish()?;
        out.finish()?;
        let mut change = change(&index, counts)?;
        (change.failed, change.reused) = (tally.failed, reused);
        messages::index_change(&change, &talk);
        if let Some(error) = index.statistics()?.merge_error {
            talk.say(format_args!(
                "nearprint: the documents are there, their tables were not merged: {error}"
            ));
        }
        if let Some(file) = &self.report {
            write_row(file, &change)?;
        }
        Ok(conclude(&talk, &tally))
    }

    fn check(&self) -> Result<(), Failure> {
        let text = match &self.metadata {
            _ if self.k.is_some() && !self.if_new && !self.matches => {
                "-k is for --if-new and --matches".to_owned()
            }
            Some(metadata) => match nearprint_index::check_metadata(metadata) {
                Ok(()) => return Ok(()),
                Err(error) => format!("--metadata: {error}"),
            },
            None => return Ok(()),
        };
        Err(Failure::Usage(text))
    }
}
