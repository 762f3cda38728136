//! `nearprint serve backup` and `nearprint serve restore`: all of a server in another directory, and back.

use std::path::PathBuf;

use clap::Args;
use nearprint_server::{Backup, BackupError};

use crate::exit_status::{ExitStatus, Failure};
use crate::options::WorkOptions;
use crate::talk::{Talk, counted};

/// Copy all collections of a server to a new directory, with aliases, tokens and snapshots; it may run meanwhile
///
/// Each collection is copied as it is at one moment, and every record is checked. A collection that cannot be read is
/// named and left out, and the exit status is 1. Jobs and their results are not copied.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint serve backup collections /backups/2026-11-26
  nearprint serve restore /backups/2026-11-26 collections-again")]
pub(super) struct BackupArgs {
    /// The directory of the server
    #[arg(value_name = "DIRECTORY")]
    directory: PathBuf,
    /// The directory of the backup, which must be new or empty
    #[arg(value_name = "BACKUP")]
    backup: PathBuf,
    #[command(flatten)]
    work: WorkOptions,
}

/// Make the directory of a server from a backup
///
/// The directory must be new or empty. Every record is checked on the way, and the backup stays as it is.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint serve restore /backups/2026-11-26 collections
  nearprint serve collections")]
pub(super) struct RestoreArgs {
    /// The directory of the backup
    #[arg(value_name = "BACKUP")]
    backup: PathBuf,
    /// The directory of the server, which must be new or empty
    #[arg(value_name = "DIRECTORY")]
    directory: PathBuf,
    #[command(flatten)]
    work: WorkOptions,
}

impl BackupArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let talk = Talk::new(self.work.level(), false);
        let made = Backup::make(&self.directory, &self.backup, |name| say(&talk, name));
        Ok(concluded(&talk, "copied", &made.map_err(failure)?))
    }
}

impl RestoreArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let talk = Talk::new(self.work.level(), false);
        let made = Backup::restore(&self.backup, &self.directory, |name| say(&talk, name));
        Ok(concluded(&talk, "restored", &made.map_err(failure)?))
    }
}

fn say(talk: &Talk, name: &str) {
    talk.say(format_args!("nearprint: collection {name}"));
}

fn concluded(talk: &Talk, done: &str, backup: &Backup) -> ExitStatus {
    for (name, why) in &backup.left_out {
        // Other things are named by their paths.
        let what = if name.contains('.') { "" } else { "the collection " };
        talk.summary(format_args!("nearprint: {what}{name} is missing or damaged: {why}"));
    }
    let documents = counted(backup.collections.values().sum(), "document");
    let collections = counted(backup.collections.len() as u64, "collection");
    talk.summary(format_args!("nearprint: {documents} of {collections} {done}"));
    if backup.left_out.is_empty() { ExitStatus::Whole } else { ExitStatus::Partial }
}

fn failure(error: BackupError) -> Failure {
    match &error {
        BackupError::NotABackup { .. } => Failure::Usage(error.to_string()),
        _ => Failure::work(error),
    }
}
