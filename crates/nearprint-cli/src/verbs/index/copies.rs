//! `nearprint index import`, `merge` and `snapshot`: what goes from one place to another as it is.

use std::path::PathBuf;

use clap::{ArgAction, Args};
use nearprint::{Documents, IndexMatch, InputSettings, Inputs, OnDuplicate, Tally};
use nearprint_index::{DiskIndex, DocumentInserter, LookFor, StoredDocument};

use super::import_source::imported;
use super::index_inputs::change;
use super::{for_reading, for_writing};
use crate::exit_status::{ExitStatus, Failure};
use crate::keys::Setting;
use crate::messages;
use crate::search_inputs::{format_key, print_format};
use crate::talk::{Level, Talk, counted};
use crate::verbs::conclude;

/// Documents that are inserted in one commit.
const COMMIT: usize = 100_000;

/// Add fingerprint files, tables of fingerprints, or the documents of another index to an index, in commits of 100,000
///
/// A FILE is a fingerprint file (text, JSONL or binary, held in memory), a Parquet, Arrow, CSV or TSV file with a
/// column "fingerprint" and if it has ids a column "id", or JSON lines of `index export`, `index list` and `index get`
/// and snapshots of a server (schema nearprint/indexed/1), which keep times, extractors, metadata and captures, and
/// features and texts if they have them and the index keeps them. Use `index add` for documents.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint index import crawl.index crawl.prints
  nearprint index import crawl.index crawl.parquet
  nearprint index export --format jsonl old.index | nearprint index import new.index -
  nearprint index import --read format=decimal hashes.index hashes.txt")]
pub(super) struct ImportArgs {
    /// The directory of the index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    /// Fingerprint files, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Set how the FILEs are read
    #[arg(long, value_name = "KEY=VALUE", value_parser = format_key())]
    read: Vec<Setting>,
    /// What to do with a document whose id is already in the index: error, replace or skip
    #[arg(long, value_name = "RULE", default_value = "error")]
    on_duplicate: OnDuplicate,
    /// Print only the summary, or with -qq only fatal errors; the exit code still reports failures
    #[arg(long, short, action = ArgAction::Count)]
    quiet: u8,
}

/// What adds documents without looking for others near them.
fn adding(
    index: &DiskIndex,
    on_duplicate: OnDuplicate,
) -> DocumentInserter<'_, impl FnMut(&StoredDocument, Vec<IndexMatch>) -> Result<(), Failure>> {
    DocumentInserter::new(index, on_duplicate, LookFor::Nothing, |_: &_, _| Ok(())).commit(COMMIT)
}

impl ImportArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let inputs = Inputs::new(&self.files, InputSettings::default())?;
        let talk = Talk::new(Level::quieted(self.quiet), false);
        let index = for_writing(&self.index)?;
        let scheme = index.scheme();
        let format = print_format(&self.read, scheme)?;
        let mut adding = adding(&index, self.on_duplicate);
        let mut tally = Tally::default();
        for file in inputs.named()? {
            tally.add(&imported(file, (format, scheme), &talk, |line| adding.push_line(line))?);
        }
        messages::index_change(&change(&index, adding.finish()?)?, &talk);
        Ok(conclude(&talk, &tally))
    }
}

/// Add all documents of another index of the same scheme, with all stored data
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint index merge --on-duplicate skip all.index november.index")]
pub(super) struct MergeArgs {
    /// The directory of the index to add to
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    /// The directory of the index whose documents are added; it is not changed
    #[arg(value_name = "OTHER")]
    other: PathBuf,
    /// What to do with a document whose id is already in the index: error, replace or skip
    #[arg(long, value_name = "RULE", default_value = "error")]
    on_duplicate: OnDuplicate,
    /// Print only the summary, or with -qq only fatal errors; the exit code still reports failures
    #[arg(long, short, action = ArgAction::Count)]
    quiet: u8,
}

impl MergeArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let talk = Talk::new(Level::quieted(self.quiet), false);
        let index = for_writing(&self.index)?;
        let other = for_reading(&self.other)?;
        let counts = index.merge_whole(&other, self.on_duplicate)?;
        messages::index_change(&change(&index, counts)?, &talk);
        Ok(ExitStatus::Whole)
    }
}

/// Copy an index, even while another process writes to it
///
/// Every record is checked. The copy appears when it is complete.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint index snapshot crawl.index /backup/crawl-2026-11.index")]
pub(super) struct SnapshotArgs {
    /// The directory of the index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    /// The directory of the copy, which must not exist
    #[arg(value_name = "COPY")]
    copy: PathBuf,
    /// Print only the summary, or with -qq only fatal errors; the exit code still reports failures
    #[arg(long, short, action = ArgAction::Count)]
    quiet: u8,
}

impl SnapshotArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        let talk = Talk::new(Level::quieted(self.quiet), false);
        let count = for_reading(&self.index)?.snapshot(&self.copy)?;
        talk.summary(format_args!("nearprint: {} copied", counted(count, "document")));
        Ok(ExitStatus::Whole)
    }
}
