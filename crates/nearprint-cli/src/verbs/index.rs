//! `nearprint index`: an index on disk, by verbs of its own.

mod add;
mod copies;
mod create;
mod documents;
mod import_source;
mod index_inputs;
mod list;
mod upkeep;

use std::path::Path;

use clap::{Args, Subcommand};
use nearprint_index::{DiskIndex, Settings};

use crate::exit_status::{ExitStatus, Failure};
use crate::indexes::failure;

/// The heading of documents with their fingerprints.
const PRINTS: &[&str] = &["FINGERPRINT", "DOCUMENT"];

/// Keep fingerprints in an index on disk: add, list and remove documents
///
/// An index contains documents of one scheme with unique ids. Added documents are on disk when the command ends,
/// survive a crash, and are found by the next `nearprint query` or
/// `nearprint prints query`. One process writes at a time, while any number may
/// read. docs/INDEX.md specifies the layout and the guarantees.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint index create crawl.index
  nearprint index add crawl.index 'crawls/2026-11/*.warc.gz' --read ids=url
  nearprint index add --if-new crawl.index page.html
  nearprint prints query draft.html index:crawl.index
  nearprint index remove crawl.index https://example.org/old
  nearprint index verify crawl.index")]
pub(crate) struct IndexArgs {
    #[command(subcommand)]
    verb: IndexVerb,
}

#[derive(Debug, Subcommand)]
enum IndexVerb {
    Create(create::CreateArgs),
    Add(Box<add::AddArgs>),
    Get(documents::GetArgs),
    List(list::ListArgs),
    #[command(alias = "delete")]
    Remove(documents::RemoveArgs),
    Export(documents::ExportArgs),
    Import(copies::ImportArgs),
    Merge(copies::MergeArgs),
    Snapshot(copies::SnapshotArgs),
    Stats(upkeep::StatsArgs),
    Verify(upkeep::VerifyArgs),
    Rebuild(upkeep::RebuildArgs),
    Compact(upkeep::CompactArgs),
    Upgrade(upkeep::UpgradeArgs),
}

impl IndexArgs {
    pub(super) fn run(self) -> Result<ExitStatus, Failure> {
        match self.verb {
            IndexVerb::Create(args) => args.run(),
            IndexVerb::Add(args) => args.run(),
            IndexVerb::Get(args) => args.run(),
            IndexVerb::List(args) => args.run(),
            IndexVerb::Remove(args) => args.run(),
            IndexVerb::Export(args) => args.run(),
            IndexVerb::Import(args) => args.run(),
            IndexVerb::Merge(args) => args.run(),
            IndexVerb::Snapshot(args) => args.run(),
            IndexVerb::Stats(args) => args.run(),
            IndexVerb::Verify(args) => args.run(),
            IndexVerb::Rebuild(args) => args.run(),
            IndexVerb::Compact(args) => args.run(),
            IndexVerb::Upgrade(args) => args.run(),
        }
    }
}

/// A command of the index is short: merges are done when it ends, not beside it.
fn settings() -> Settings {
    Settings::default().background(false)
}

fn for_writing(path: &Path) -> Result<DiskIndex, Failure> {
    DiskIndex::open(path, settings()).map_err(failure)
}

fn for_reading(path: &Path) -> Result<DiskIndex, Failure> {
    DiskIndex::open_read_only(path, settings()).map_err(failure)
}
