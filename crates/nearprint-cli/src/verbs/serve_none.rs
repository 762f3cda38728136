//! `nearprint serve` in a build without the feature `server`: known, and refused.

use std::ffi::OsString;

use clap::Args;

use crate::exit_status::{ExitStatus, Failure};

/// Serve collections of documents over HTTP (this build has no server)
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// What the server would be told
    #[arg(value_name = "ARGUMENTS", trailing_var_arg = true, allow_hyphen_values = true)]
    _arguments: Vec<OsString>,
}

impl ServeArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let error = "this build has no server: compile it with the feature \"server\", which is on by default";
        Err(Failure::Usage(error.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        serve: ServeArgs,
    }

    /// Whatever a server would be told, the missing feature is named.
    #[test]
    fn every_line_names_the_feature() {
        for line in
            [&["serve"][..], &["serve", "c", "--listen", "x"], &["serve", "token", "create"]]
        {
            let Line { serve } = Line::parse_from(line);
            let Err(Failure::Usage(error)) = serve.run() else { panic!("{line:?}") };
            assert!(error.contains("the feature \"server\""), "{error}");
        }
    }
}
