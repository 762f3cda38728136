//! `nearprint index create`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use nearprint_index::{DiskIndex, default_scheme};

use super::{failure, settings};
use crate::exit_status::{ExitStatus, Failure};
use crate::options::SchemeOption;

/// Create an empty index in a new directory
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint index create crawl.index
  nearprint index create --scheme sl1 reports.index
  nearprint index create --keep features crawls.index
  nearprint index create --keep features,texts pages.index")]
pub(super) struct CreateArgs {
    /// The directory of the index, which must be new or empty
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    /// Keep more than fingerprints of each document: what verification compares (features, about 7 bytes per word), so
    /// that `query`, `pairs`, `clusters`, `diff` and `dedup --against index:INDEX` compare texts without
    /// reading the documents again; or the texts themselves. Several are separated by commas
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',')]
    keep: Vec<KeptPart>,
    #[command(flatten)]
    scheme: SchemeOption,
}

/// What an index keeps beside fingerprints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum KeptPart {
    /// Hashes of word 3-shingles and numbers
    Features,
    /// The texts, compressed
    Texts,
}

impl CreateArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let keeps = |kept| self.keep.contains(&kept);
        let scheme = self.scheme.or(default_scheme(keeps(KeptPart::Features)));
        let settings = settings().features(keeps(KeptPart::Features)).texts(keeps(KeptPart::Texts));
        DiskIndex::create(&self.index, scheme, settings).map_err(failure)?;
        Ok(ExitStatus::Whole)
    }
}
