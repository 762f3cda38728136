//! `nearprint query`: what is near one document.

use std::path::PathBuf;

use clap::Args;
use nearprint::Search;
use nearprint::fingerprint::Scheme;
use nearprint::records::Outcome;

use super::compare::given_print;
use super::{caution, conclude, report};
use crate::ending::{Ending, Failure};
use crate::inputs::{SearchedOptions, read_once};
use crate::options::{DistanceOptions, OutputOptions};
use crate::output::Output;
use crate::talk::Talk;

/// Find what is near one document: one line PATH TAB DISTANCE for each match
///
/// Matches come nearest first, in the order of the input where they are equally near. A document that is among the
/// inputs finds itself.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint query draft.html reports
  nearprint query --loose --prints draft.html prints.txt
  nearprint query --by-print --prints sd1:aerukz4jvpg66 prints.txt")]
pub(crate) struct QueryArgs {
    /// The document whose like is looked for, or - for standard input
    #[arg(value_name = "DOCUMENT")]
    document: PathBuf,
    /// Files, directories, or - for standard input; with --prints, files of prints
    #[arg(value_name = "INPUT", required_unless_present = "files0_from")]
    inputs: Vec<PathBuf>,
    /// DOCUMENT is a fingerprint, not a path
    #[arg(long, help_heading = "Input")]
    by_print: bool,
    #[command(flatten)]
    distance: DistanceOptions,
    #[command(flatten)]
    searched: SearchedOptions,
    #[command(flatten)]
    output: OutputOptions,
    /// Write the counts of the run to FILE, as one line of JSON
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
}

impl QueryArgs {
    pub(super) fn run(self) -> Result<Ending, Failure> {
        let talk = Talk::new(self.searched.work.quiet, false);
        read_once(self.searched.named(&self.inputs).chain([self.document.as_path()]))?;
        let scheme = self.searched.scheme_or(Scheme::SD1);
        let distance = self.distance.of(scheme);
        let (id, fingerprint) = if self.by_print {
            given_print(&self.document)?
        } else {
            let Some(document) = self.searched.document(&self.document, &talk)? else {
                return Ok(Ending::Partial);
            };
            let record = self.searched.pipeline(scheme).fingerprint_one(document);
            match record.outcome {
                Outcome::Print { fingerprint, .. } => (record.id, fingerprint),
                Outcome::Nothing { .. } => {
                    talk.nothing(&record);
                    return Ok(Ending::Partial);
                }
            }
        };
        let mut out = Output::open(self.output.output.as_deref(), self.output.format())?;
        let (set, tally) = self.searched.gather(&self.inputs, scheme, &talk)?;
        let matches = Search::within(distance).matches(&set, &id, &fingerprint)?;
        for row in &matches {
            out.row(row)?;
        }
        out.finish()?;
        if !matches.is_empty() {
            caution(&talk, scheme, distance);
        }
        report(
            self.report.as_deref(),
            &tally.search_summary(scheme, distance, matches.len() as u64),
        )?;
        Ok(conclude(&talk, &tally))
    }
}
