//! `nearprint man`: manual pages.

use clap::Args;
use clap_mangen::Man;
use nearprint::records::Format;

use crate::command::definition;
use crate::exit_status::{ExitStatus, Failure};
use crate::output::Output;

/// Print the manual page of the command or of one verb
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint man | man -l -
  nearprint man pairs > nearprint-pairs.1")]
pub(crate) struct ManArgs {
    /// The verb [default: the whole command]
    verb: Option<String>,
}

impl ManArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let mut command = definition();
        // Gives every verb its full name, which is its page's.
        command.build();
        if let Some(name) = &self.verb {
            let verb = command.find_subcommand(name).cloned();
            command = verb.ok_or_else(|| {
                Failure::Usage(format!("unknown verb {name}; see nearprint --help"))
            })?;
            command = command.display_name(format!("nearprint-{name}"));
        }
        let mut page = Vec::new();
        Man::new(command).render(&mut page).map_err(Failure::work)?;
        let mut out = Output::open(None, Format::Text)?;
        out.text(&page)?;
        out.finish()?;
        Ok(ExitStatus::Whole)
    }
}
