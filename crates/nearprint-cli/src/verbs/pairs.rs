//! `nearprint pairs`: all pairs of documents within a distance.

use std::path::PathBuf;

use clap::Args;
use nearprint::Search;

use super::{caution, conclude, report};
use crate::ending::{Ending, Failure};
use crate::inputs::SearchedOptions;
use crate::options::{DistanceOptions, OutputOptions};
use crate::output::Output;
use crate::talk::{Talk, counted};
use crate::verifying::VerifyOptions;

/// Find all pairs of near-duplicates: one line A TAB B TAB DISTANCE for each
///
/// Each pair comes once, in the order of the input. The search is exact; whether two documents whose prints are near
/// are duplicates is another question, and standard error says how many false pairs to expect. With --verify their texts
/// are compared: the lines have the similarity as a fourth column, and only what is similar is given out.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint pairs reports
  nearprint pairs --verify reports
  nearprint pairs --verify=containment --at 0.9 reports
  nearprint pairs --close --format jsonl reports archive
  nearprint pairs --prints -k 6 prints.txt
  nearprint pairs --prints=decimal numbers.txt")]
pub(crate) struct PairsArgs {
    /// Files, directories, or - for standard input; with --prints, files of prints
    #[arg(value_name = "INPUT", required_unless_present = "files0_from")]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    distance: DistanceOptions,
    /// Write pairs as they are found, in any order, without holding them; needed above 100 million
    #[arg(long, conflicts_with = "verify", help_heading = "Search")]
    unsorted: bool,
    /// Say on standard error how the search is done and how many pairs to expect
    #[arg(long, help_heading = "Search")]
    explain: bool,
    #[command(flatten)]
    verify: VerifyOptions,
    #[command(flatten)]
    searched: SearchedOptions,
    #[command(flatten)]
    output: OutputOptions,
    /// Write the counts of the run to FILE, as one line of JSON
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
}

impl PairsArgs {
    pub(super) fn run(self) -> Result<Ending, Failure> {
        let talk = Talk::new(self.searched.work.quiet, false);
        let scheme = self.searched.scheme_or(self.verify.scheme());
        let distance = match self.verify.candidates_within(scheme) {
            Some(distance) if !self.distance.is_given() => distance,
            _ => self.distance.of_join(scheme)?,
        };
        let mut out = Output::open(self.output.output.as_deref(), self.output.format())?;
        let bands = self.verify.bands(scheme)?;
        let verification = self.verify.verification();
        let (set, store, tally) = match verification {
            Some(verification) => {
                let store = self.verify.store();
                self.searched.gather_features(&self.inputs, scheme, verification, store, &talk)?
            }
            None => {
                let (set, tally) = self.searched.gather(&self.inputs, scheme, &talk)?;
                (set, self.verify.store(), tally)
            }
        };
        let mut search = Search::within(distance)
            .bands(bands)
            .threads(self.searched.work.threads)
            .watched_by(|progress| talk.searching(progress));
        if self.unsorted {
            search = search.sorted_up_to(None);
        }
        if self.explain {
            talk.say(search.explain(&set)?.trim_end());
        }
        let found = match verification {
            Some(verification) => {
                let (candidates, found) =
                    search.verified_pairs(&set, &store, verification, |pair| out.row(&pair))?;
                let candidates = counted(candidates, "candidate");
                talk.say(format_args!("nearprint: {found} of {candidates} of {scheme} verified"));
                found
            }
            None => search.pairs(&set, |pair| out.row(&pair))?,
        };
        out.finish()?;
        talk.clear();
        if found > 0 && verification.is_none() {
            caution(&talk, scheme, distance);
        }
        report(self.report.as_deref(), &tally.search_summary(scheme, distance, found))?;
        Ok(conclude(&talk, &tally))
    }
}
