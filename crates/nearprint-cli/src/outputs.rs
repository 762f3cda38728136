//! What a command writes, checked against what it reads before any work: no input is replaced, and another file only
//! with --force.

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use nearprint::Inputs;
use nearprint::records::{FileSettings, OutputCheck, OutputRefusal, escape};

use crate::exit_status::Failure;

/// Whether files are replaced.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct ForceOption {
    /// Replace existing output files (inputs are never replaced)
    #[arg(long)]
    force: bool,
}

/// The outputs of a command.
pub(crate) struct Outputs(Result<CheckedOutputs, Failure>);

struct CheckedOutputs {
    check: OutputCheck,
    /// Whether there is more than standard output.
    others: bool,
}

/// The check of this process, for inputs whose names are known only while the work is done; and the first of them that
/// was an output.
static CHECK: OnceLock<(OutputCheck, FileSettings)> = OnceLock::new();
static MET: OnceLock<OutputRefusal> = OnceLock::new();

/// Whether the work continues when the reader of standard output goes away.
static OUTLASTS_READER: AtomicBool = AtomicBool::new(false);

impl Outputs {
    /// No outputs yet.
    pub(crate) fn new(force: ForceOption) -> Self {
        Self(Ok(CheckedOutputs { check: OutputCheck::new(force.force), others: false }))
    }

    fn with(self, add: impl FnOnce(&mut CheckedOutputs) -> Result<(), Failure>) -> Self {
        Self(self.0.and_then(|mut checked| add(&mut checked).map(|()| checked)))
    }

    /// Adds the rows, which go to the file named, or to standard output.
    pub(crate) fn rows(self, file: Option<&Path>) -> Self {
        self.with(|CheckedOutputs { check, .. }| match file {
            Some(path) => add_file(check, path),
            None => {
                check.standard_output();
                Ok(())
            }
        })
    }

    /// Adds another file, where there is one, which is written even where nobody reads the rows any more.
    pub(crate) fn report(self, file: Option<&Path>) -> Self {
        let Some(path) = file else { return self };
        self.with(|CheckedOutputs { check, others }| {
            *others = true;
            add_file(check, path)
        })
    }

    /// The same of a report that is counts alone: a page is asked for by the ending of its name.
    pub(crate) fn counts(self, file: Option<&Path>) -> Self {
        let is_page = |path: &&Path| {
            path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("html"))
        };
        match file.filter(is_page) {
            Some(page) => self.with(|_| {
                Err(Failure::Usage(format!(
                    "--report {}: this verb does not write HTML pages; name a .json file",
                    escape(page.as_os_str().as_encoded_bytes())
                )))
            }),
            None => self.report(file),
        }
    }

    /// Adds a directory, which must be new or empty.
    pub(crate) fn folder(self, path: &Path) -> Self {
        self.with(|CheckedOutputs { check, others }| {
            *others = true;
            check.folder(path);
            Ok(())
        })
    }

    /// Adds the folder of a job, where there is one.
    pub(crate) fn job(self, path: Option<&Path>) -> Self {
        let Some(path) = path else { return self };
        self.with(|CheckedOutputs { check, .. }| {
            check.job(path);
            Ok(())
        })
    }

    /// Refuses what may not be written: compared are the inputs, the list of further ones, and those in it.
    pub(crate) fn check<'i>(
        self,
        inputs: impl IntoIterator<Item = &'i Inputs>,
    ) -> Result<(), Failure> {
        let CheckedOutputs { check, others } = self.0?;
        OUTLASTS_READER.store(others, Ordering::Relaxed);
        let inputs: Vec<&Inputs> = inputs.into_iter().collect();
        Inputs::check_outputs(inputs.iter().copied(), &check).map_err(worded)?;
        let settings = inputs.first().map(|inputs| inputs.settings().files.clone());
        // A process has one command line, and checks it once.
        let _ = CHECK.set((check, settings.unwrap_or_default()));
        Ok(())
    }
}

/// Refuses to write rows and the output of another option both to standard output.
pub(crate) fn one_standard_output(
    rows: Option<&Path>,
    other: Option<&Path>,
    option: &str,
) -> Result<(), Failure> {
    let is_standard = |file: &Path| file.as_os_str() == "-";
    if rows.is_none_or(is_standard) && other.is_some_and(is_standard) {
        return Err(Failure::Usage(format!(
            "--output - and {option} - both write to standard output; name a file for one of them"
        )));
    }
    Ok(())
}

/// Removes what the killed process of a job that is resumed has left of the outputs.
pub(crate) fn remove_abandoned() -> std::io::Result<()> {
    CHECK.get().map_or(Ok(()), |(check, _)| check.remove_abandoned())
}

fn add_file(check: &mut OutputCheck, path: &Path) -> Result<(), Failure> {
    let name = || escape(path.as_os_str().as_encoded_bytes());
    check.file(path).map_err(|error| Failure::Output { name: name(), error })
}

/// A refusal with the remedy of the command line.
fn worded(refusal: OutputRefusal) -> Failure {
    let remedy = match &refusal {
        OutputRefusal::IsInput { .. } => "inputs are never replaced; name another file",
        OutputRefusal::Exists { .. } => "--force replaces it",
        OutputRefusal::ReadAsInput { .. } => {
            "name a place outside of it, or leave it out (-g '!NAME')"
        }
        _ => "name another file",
    };
    Failure::Usage(format!("{refusal}; {remedy}"))
}

/// Whether a path that is met in a list leads to an output, or is a directory that holds one. The work ends with an
/// error then, before that output appears. Lists that can be read twice were compared before.
pub(crate) fn is_output(input: &Path) -> bool {
    let Some((check, settings)) = CHECK.get() else { return false };
    match check.against_input(input, settings) {
        Ok(()) => false,
        Err(refusal) => {
            let _ = MET.set(refusal);
            true
        }
    }
}

/// Refuses to finish outputs after one of them was met as an input.
pub(crate) fn none_was_read() -> Result<(), Failure> {
    MET.get().map_or(Ok(()), |refusal| Err(worded(refusal.clone())))
}

/// Whether rows that nobody reads any more are made all the same, because something else is written that depends on
/// them.
pub(crate) fn outlast_reader() -> bool {
    OUTLASTS_READER.load(Ordering::Relaxed)
}
