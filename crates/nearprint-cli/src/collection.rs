//! Options of collections: which files are read.

use std::path::PathBuf;

use clap::Args;
use nearprint::Inputs;
use nearprint::records::Selection;

use crate::exit_status::Failure;
use crate::indexes::{self, Indexes};
use crate::outputs;
use crate::reading_options::ReadingOptions;

/// Documents, wherever they are.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct CollectionOptions {
    /// Read more paths from FILE (- for standard input), one per line, or separated by NUL as from `find -print0`
    #[arg(long, value_name = "FILE")]
    files_from: Option<PathBuf>,
    /// In directories, read only files that match GLOB, or with ! before it skip files and directories that match; a
    /// glob without / is compared with names, one with / with the path below the directory
    #[arg(long, short, value_name = "GLOB")]
    glob: Vec<String>,
}

impl CollectionOptions {
    /// What is named to be read, with the list of further paths.
    pub(crate) fn inputs(
        &self,
        paths: &[PathBuf],
        reading: &ReadingOptions,
    ) -> Result<Inputs, Failure> {
        let inputs = self.others(paths, reading)?;
        Ok(match &self.files_from {
            Some(list) => inputs.with_list(list.clone()).skipping_outputs(outputs::is_output),
            None => inputs,
        })
    }

    /// The same of inputs that are named beside those that the work is about: the list has none of them.
    pub(crate) fn others(
        &self,
        paths: &[PathBuf],
        reading: &ReadingOptions,
    ) -> Result<Inputs, Failure> {
        let skipped: Vec<&str> =
            self.glob.iter().filter_map(|glob| glob.strip_prefix('!')).collect();
        let wanted = self.glob.iter().map(String::as_str).filter(|glob| !glob.starts_with('!'));
        let wanted: Vec<&str> = wanted.collect();
        let selection = Selection::new()
            .include(&wanted)
            .and_then(|selection| selection.exclude(&skipped))
            .map_err(|error| Failure::Usage(error.to_string()))?;
        indexes::refuse_indexes(paths)?;
        Ok(Inputs::new(paths, reading.inputs(selection)?)?)
    }

    /// The same where indexes may be among them.
    pub(crate) fn against(
        &self,
        paths: &[PathBuf],
        reading: &ReadingOptions,
    ) -> Result<(Indexes, Inputs), Failure> {
        let (indexes, others) = Indexes::among(paths)?;
        Ok((indexes, self.others(&others, reading)?))
    }

    /// Whether there is a list of further inputs.
    pub(crate) fn has_list(&self) -> bool {
        self.files_from.is_some()
    }
}
