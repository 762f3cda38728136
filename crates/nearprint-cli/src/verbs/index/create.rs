//! `nearprint index create`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use nearprint_index::{DiskIndex, default_parts};

use super::{failure, settings};
use crate::exit_status::{ExitStatus, Failure};
use crate::options::SchemeOption;

/// Create an empty index in a new directory
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint index create crawl.index
  nearprint index create --keep texts pages.index
  nearprint index create --keep fingerprints small.index
  nearprint index create --scheme sl1 reports.index")]
pub(super) struct CreateArgs {
    /// The directory of the index, which must be new or empty
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    /// Keep this of each document: `fingerprints` alone (8 bytes with sd1), or also the `features` that verification
    /// compares (about 7 bytes per word), so that `query`, `pairs`, `clusters`, `diff` and `dedup --against
    /// index:INDEX` compare texts without reading the documents again; or also the `texts`. Several are separated by
    /// commas [default: features with md1, else fingerprints]
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',')]
    keep: Vec<KeptPart>,
    #[command(flatten)]
    scheme: SchemeOption,
}

/// What an index keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum KeptPart {
    /// Fingerprints, without features
    Fingerprints,
    /// Hashes of word 3-shingles and numbers
    Features,
    /// The texts, compressed
    Texts,
}

impl CreateArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let keeps = |kept| self.keep.contains(&kept);
        let features = match (keeps(KeptPart::Features), keeps(KeptPart::Fingerprints)) {
            (true, true) => {
                return Err(Failure::Usage(
                    "`--keep fingerprints` leaves out the features that `--keep features` asks for; name one of them"
                        .to_owned(),
                ));
            }
            (false, false) => None,
            (features, _) => Some(features),
        };
        let (scheme, features) = default_parts(self.scheme.given(), features);
        let settings = settings().features(features).texts(keeps(KeptPart::Texts));
        DiskIndex::create(&self.index, scheme, settings).map_err(failure)?;
        Ok(ExitStatus::Whole)
    }
}
