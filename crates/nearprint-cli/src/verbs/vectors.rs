//! `nearprint prints vectors`: the standard's vectors on this build.

use clap::Args;
use nearprint::fingerprint::vectors;
use nearprint::records::Format;

use crate::exit_status::{ExitStatus, Failure};
use crate::output::Output;
use crate::table::table;
use crate::talk::{Level, Talk};

/// List or run the test vectors of the standard
///
/// With --verify, every case is computed and compared. Differences are reported on standard error, and the exit code is
/// then 1. Takes some seconds and 100 MB of memory.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint prints vectors
  nearprint prints vectors --verify")]
pub(crate) struct VectorsArgs {
    /// Run the vectors
    #[arg(long)]
    verify: bool,
}

impl VectorsArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let mut out = Output::open(None, Format::Text)?;
        if !self.verify {
            for name in vectors::names() {
                out.text(format!("{name}\n").as_bytes())?;
            }
            out.finish()?;
            return Ok(ExitStatus::Whole);
        }
        let talk = Talk::new(Level::Normal, true);
        let mut rows = vec![["VECTORS", "SPEC", "CASES", "FAILED"].map(str::to_owned).to_vec()];
        let mut ending = ExitStatus::Whole;
        for report in vectors::verify() {
            for failure in report.failures() {
                talk.say(format_args!("{}: {failure}", report.name()));
                ending = ExitStatus::Partial;
            }
            rows.push(vec![
                report.name().to_owned(),
                report.version().to_owned(),
                report.cases().to_string(),
                report.failures().len().to_string(),
            ]);
        }
        out.text(table(&rows, &[2, 3]).as_bytes())?;
        out.finish()?;
        Ok(ending)
    }
}
