//! `nearprint decisions`: files of decisions, checked and compared.

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use nearprint::fingerprint::Scheme;
use nearprint::records::{Format, StatedDecisionError};
use nearprint::{DecisionChanges, DecisionCheck};

use crate::collection::CollectionOptions;
use crate::exit_status::{ExitStatus, Failure};
use crate::options::WorkOptions;
use crate::output::Output;
use crate::reading_options::ReadingOptions;
use crate::talk::{Talk, counted};

/// Check decisions of dedup, or compare two files of them
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint dedup --format jsonl --output decisions.jsonl reports
  nearprint decisions check --sample 300 decisions.jsonl
  nearprint decisions changes earlier.jsonl decisions.jsonl")]
pub(crate) struct DecisionsArgs {
    #[command(subcommand)]
    verb: DecisionsVerb,
}

#[derive(Debug, Subcommand)]
enum DecisionsVerb {
    Check(DecisionCheckArgs),
    Changes(DecisionChangesArgs),
}

impl DecisionsArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        match self.verb {
            DecisionsVerb::Check(args) => args.run(),
            DecisionsVerb::Changes(args) => args.run(),
        }
    }
}

/// Read dropped documents and those kept in their stead again, and confirm each drop
///
/// Both documents are compared with each other, without the search that proposed them. Prints the drops that do not
/// hold, as lines VERDICT TAB REASON TAB SIMILARITY TAB REPRESENTATIVE TAB ID TAB FOUND, and exits with 1 if there are
/// any. Paths in DECISIONS are those that dedup was given, so run it in the same directory.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint decisions check decisions.jsonl
  nearprint decisions check --sample 300 decisions.jsonl
  nearprint decisions check --against test.jsonl -- decisions.jsonl")]
struct DecisionCheckArgs {
    /// What dedup --format jsonl wrote
    #[arg(value_name = "DECISIONS")]
    file: PathBuf,
    /// Check N drops, the same whenever they are drawn [default: all]
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// The inputs that dedup was given as --against, to check drops for documents of these; indexes cannot be read
    /// again
    #[arg(long, value_name = "INPUT", num_args = 1.., help_heading = "Input")]
    against: Vec<PathBuf>,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    work: WorkOptions,
}

impl DecisionCheckArgs {
    fn run(&self) -> Result<ExitStatus, Failure> {
        let check = DecisionCheck::of_file(&self.file, self.sample);
        let mut check = check.map_err(|error| refused(&self.file, &error))?;
        let engine = self.reading.engine(self.work.threads);
        let settings = self.reading.settings(Scheme::MD1);
        // What is gone is counted as such; the other drops can still be checked.
        let files: Vec<PathBuf> =
            check.files().iter().filter(|file| file.exists()).cloned().collect();
        if !files.is_empty() {
            let inputs = CollectionOptions::default().others(&files, &self.reading)?;
            check.read(&engine.pipeline(settings.clone()), &mut inputs.source()?);
        }
        if !self.against.is_empty() {
            let inputs = CollectionOptions::default().others(&self.against, &self.reading)?;
            check.read_references(&engine.pipeline(settings), &mut inputs.source()?);
        }
        let (mut held, mut wrong, mut unread) = (0, 0, 0);
        let mut out = Output::open(None, Format::Text)?;
        check.rows(|row| {
            let counted = match row.holds {
                Some(true) => &mut held,
                Some(false) => &mut wrong,
                None => &mut unread,
            };
            *counted += 1;
            if row.holds == Some(true) { Ok(()) } else { out.row(&row) }
        })?;
        out.finish()?;
        let (stated, checked) = check.counts();
        let talk = Talk::new(self.work.level(), false);
        let references = check.of_unread_references();
        if references > 0 && self.against.is_empty() {
            talk.say(format_args!(
                "nearprint: {} dropped for documents that DECISIONS has no rows of: name the inputs that dedup was \
                    given as --against",
                counted(references, "document")
            ));
        }
        talk.summary(format_args!(
            "nearprint: {checked} of {} checked: {held} hold, {wrong} do not, {unread} could not be read \
                again",
            counted(stated, "drop")
        ));
        Ok(if wrong + unread == 0 { ExitStatus::Whole } else { ExitStatus::Partial })
    }
}

/// Count what is decided otherwise in NEW than in OLD, by what was decided then and now
///
/// Prints a line for each kind of change: how many documents, what was decided then and now, and the first of them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint decisions changes earlier.jsonl decisions.jsonl")]
struct DecisionChangesArgs {
    /// What dedup --format jsonl wrote earlier
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// What it wrote now
    #[arg(value_name = "NEW")]
    new: PathBuf,
}

impl DecisionChangesArgs {
    fn run(&self) -> Result<ExitStatus, Failure> {
        let changes = DecisionChanges::of_file(&self.old);
        let mut changes = changes.map_err(|error| refused(&self.old, &error))?;
        changes.compare(&self.new).map_err(|error| refused(&self.new, &error))?;
        let mut out = Output::open(None, Format::Text)?;
        out.text(changes.to_string().as_bytes())?;
        out.finish()?;
        Ok(ExitStatus::Whole)
    }
}

fn refused(file: &Path, error: &StatedDecisionError) -> Failure {
    let text = format!("{}: {error}", file.display());
    match error {
        StatedDecisionError::Io(error) if error.kind() != io::ErrorKind::NotFound => {
            Failure::Work(text)
        }
        _ => Failure::Usage(text),
    }
}
