//! `nearprint man`: manual pages.

use clap::Args;
use clap_mangen::Man;
use nearprint::records::Format;

use crate::command::definition;
use crate::exit_status::{ExitStatus, Failure};
use crate::output::Output;

/// Print the manual page of the command or of a verb
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint man | man -l -
  nearprint man pairs > nearprint-pairs.1
  nearprint man prints pairs > nearprint-prints-pairs.1")]
pub(crate) struct ManArgs {
    /// The verb, after its group if it has one [default: the whole command]
    #[arg(value_name = "VERB")]
    path: Vec<String>,
}

impl ManArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let mut command = definition();
        // Gives every verb its full name, which is its page's.
        command.build();
        for (at, name) in self.path.iter().enumerate() {
            let verb = command.find_subcommand(name).cloned();
            command = verb.ok_or_else(|| {
                let group = ["nearprint".to_owned()].into_iter().chain(self.path[..at].to_vec());
                let group = group.collect::<Vec<_>>().join(" ");
                Failure::Usage(format!("unknown verb {name}; see {group} --help"))
            })?;
        }
        if !self.path.is_empty() {
            command = command.display_name(format!("nearprint-{}", self.path.join("-")));
        }
        let mut page = Vec::new();
        Man::new(command).render(&mut page).map_err(Failure::work)?;
        let mut out = Output::open(None, Format::Text)?;
        out.text(&page)?;
        out.finish()?;
        Ok(ExitStatus::Whole)
    }
}
