//! `nearprint prints health`: what fingerprints are like as a collection.

use std::path::PathBuf;

use clap::Args;
use nearprint::records::HealthRow;
use nearprint::{CancelFlag, Inputs, health};

use super::conclude;
use crate::exit_status::{ExitStatus, Failure};
use crate::options::{OutputOptions, SchemeOption};
use crate::outputs::Outputs;
use crate::search_inputs::{PrintsOptions, SearchInputs};
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
  nearprint prints health prints.txt
  nearprint fingerprint --scheme sl1 reports | nearprint prints health -
  nearprint prints health --format jsonl all.prints")]
pub(crate) struct HealthArgs {
    /// Fingerprint files, or - for standard input
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    prints: PrintsOptions,
    #[command(flatten)]
    scheme: SchemeOption,
    #[command(flatten)]
    output: OutputOptions,
}

impl HealthArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let searched = SearchInputs::from(self.prints).with_scheme(self.scheme.given());
        let inputs = searched.inputs(&self.inputs)?;
        Inputs::check_standard_input([&inputs])?;
        let searched = searched.opened(&inputs)?;
        let talk = Talk::new(searched.work.level(), false);
        let outputs = Outputs::new(self.output.force).rows(self.output.output.as_deref());
        outputs.check([&inputs])?;
        let mut out = self.output.open::<HealthRow>(&[])?;
        let engine = searched.engine();
        let mut collection = engine.collection(searched.scheme());
        let tally = searched.read(&engine, &inputs, &mut collection, &talk)?;
        out.row(&health(collection.prints(), &CancelFlag::new())?)?;
        out.finish()?;
        Ok(conclude(&talk, &tally))
    }
}
