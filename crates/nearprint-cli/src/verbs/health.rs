//! `nearprint health`: what fingerprints are like as a collection.

use std::path::PathBuf;

use clap::Args;
use nearprint::fingerprint::Scheme;
use nearprint::records::HealthRow;
use nearprint::{CancelFlag, health};

use super::conclude;
use crate::exit_status::{ExitStatus, Failure};
use crate::options::{LIST, OutputOptions, SchemeOption};
use crate::outputs::Outputs;
use crate::search_inputs::SearchInputOptions;
use crate::talk::Talk;

/// Report how well the fingerprints of a collection discriminate
///
/// Prints the balance and correlation of the bits, the fullest bucket of a block, the number of documents with
/// the same fingerprint, and, from random pairs, how many pairs match by chance within the scheme's distances, in this
/// collection and among 10^6, 10^7 and 10^8 documents. docs/FORMAT.md explains each line. Needs twice the memory of the
/// fingerprints.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint health reports
  nearprint health --scheme sl1 reports
  nearprint health --prints --format jsonl all.prints")]
pub(crate) struct HealthArgs {
    /// Files, directories, quoted patterns, or - for standard input; with --prints, fingerprint files
    #[arg(value_name = "INPUT", required_unless_present = LIST)]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    searched: SearchInputOptions,
    #[command(flatten)]
    scheme: SchemeOption,
    #[command(flatten)]
    output: OutputOptions,
}

impl HealthArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let searched = self.searched.with_scheme(self.scheme.given());
        let inputs = searched.inputs(&self.inputs)?;
        let talk = Talk::new(searched.work.quiet, false);
        let scheme = self.scheme.or(Scheme::SD1);
        let outputs = Outputs::new(self.output.force).rows(self.output.output.as_deref());
        outputs.check([&inputs])?;
        searched.expect([&inputs])?;
        let mut out = self.output.open::<HealthRow>(&[])?;
        let engine = searched.engine(None);
        let mut collection = engine.collection(scheme);
        let tally = searched.read(&engine, &inputs, &mut collection, &talk)?;
        out.row(&health(collection.prints(), &CancelFlag::new())?)?;
        out.finish()?;
        Ok(conclude(&talk, &tally))
    }
}
