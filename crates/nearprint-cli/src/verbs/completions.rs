//! `nearprint completions`: what shells need to complete the command line.

use clap::Args;
use clap_complete::Shell;
use nearprint::records::Format;

use crate::command::definition;
use crate::exit_status::{ExitStatus, Failure};
use crate::output::Output;

/// Print shell completions
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint completions bash > /etc/bash_completion.d/nearprint
  nearprint completions fish > ~/.config/fish/completions/nearprint.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl CompletionsArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut definition(), "nearprint", &mut script);
        let mut out = Output::open(None, Format::Text)?;
        out.text(&script)?;
        out.finish()?;
        Ok(ExitStatus::Whole)
    }
}
