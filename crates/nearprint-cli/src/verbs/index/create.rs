//! `nearprint index create`.

use std::path::PathBuf;

use clap::Args;
use nearprint::fingerprint::Scheme;
use nearprint_index::DiskIndex;

use super::{failure, settings};
use crate::ending::{Ending, Failure};
use crate::options::SchemeOption;

/// Create an empty index in a new directory
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint index create crawl.index
  nearprint index create --scheme sl1 reports.index")]
pub(super) struct CreateArgs {
    /// The directory of the index, which must be new or empty
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    #[command(flatten)]
    scheme: SchemeOption,
}

impl CreateArgs {
    pub(super) fn run(self) -> Result<Ending, Failure> {
        let scheme = self.scheme.or(Scheme::SD1);
        DiskIndex::create(&self.index, scheme, settings()).map_err(failure)?;
        Ok(Ending::Whole)
    }
}
