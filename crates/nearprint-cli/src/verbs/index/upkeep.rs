//! `nearprint index stats`, `verify`, `rebuild`, `compact` and `upgrade`.

use std::path::PathBuf;

use clap::{ArgAction, Args, ValueEnum};
use nearprint::records::Format;
use nearprint_index::{DiskIndex, FORMAT_VERSION};

use super::{failure, for_reading, settings};
use crate::exit_status::{ExitStatus, Failure};
use crate::output::Output;
use crate::talk::{Level, Talk, counted};

/// Print statistics of an index, as lines NAME TAB VALUE
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint index stats crawl.index")]
pub(super) struct StatsArgs {
    /// The directory of the index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    format: StatsFormat,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum StatsFormat {
    /// Lines NAME TAB VALUE
    Text,
    /// One JSON object
    Jsonl,
}

impl StatsArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let index = for_reading(&self.index)?;
        let found = index.statistics()?;
        let format = match self.format {
            StatsFormat::Text => Format::Text,
            StatsFormat::Jsonl => Format::Jsonl,
        };
        let mut out = Output::open(None, format)?;
        out.row(&found.row(index.header()))?;
        out.finish()?;
        Ok(ExitStatus::Whole)
    }
}

/// Check every byte of an index, and report damage
///
/// The exit code is 0 if there is no damage; otherwise it is 1, with a line for each finding. Nothing is changed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint index verify crawl.index")]
pub(super) struct VerifyArgs {
    /// The directory of the index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    /// Print nothing on standard error; the exit code reports damage
    #[arg(long, short, action = ArgAction::Count)]
    quiet: u8,
}

impl VerifyArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let talk = Talk::new(Level::quieted(self.quiet), false);
        let verified = DiskIndex::verify(&self.index, settings()).map_err(failure)?;
        for problem in &verified.problems {
            talk.summary(format_args!("nearprint: {problem}"));
        }
        if !verified.problems.is_empty() {
            return Ok(ExitStatus::Partial);
        }
        talk.summary(format_args!(
            "nearprint: {} and {} are intact",
            counted(verified.documents, "document"),
            counted(verified.segments, "segment")
        ));
        Ok(ExitStatus::Whole)
    }
}

/// Rebuild the tables of an index from its store
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint index rebuild crawl.index")]
pub(super) struct RebuildArgs {
    /// The directory of the index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
}

impl RebuildArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        DiskIndex::rebuild(&self.index, settings()).map_err(failure)?;
        Ok(ExitStatus::Whole)
    }
}

/// Rebuild the tables of an index and free the space of removed documents
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint index compact crawl.index")]
pub(super) struct CompactArgs {
    /// The directory of the index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
}

impl CompactArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        DiskIndex::compact(&self.index, settings()).map_err(failure)?;
        Ok(ExitStatus::Whole)
    }
}

/// Upgrade an index to the current format
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint index upgrade crawl.index")]
pub(super) struct UpgradeArgs {
    /// The directory of the index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
}

impl UpgradeArgs {
    /// There is only one version so far.
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        for_reading(&self.index)?;
        let talk = Talk::new(Level::Normal, false);
        talk.summary(format_args!(
            "nearprint: the index has format version {FORMAT_VERSION}, the newest"
        ));
        Ok(ExitStatus::Whole)
    }
}
