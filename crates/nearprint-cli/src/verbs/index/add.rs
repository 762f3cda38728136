//! `nearprint index add`: documents, or fingerprints, into an index.

use std::path::PathBuf;

use clap::Args;
use nearprint::fingerprint::Fingerprint;
use nearprint::records::{DocumentId, Format, IndexChangeRow, MatchOfMany, MatchRow, TableRow};
use nearprint::{Index, IndexMatch, OnDuplicate, Tally};
use nearprint_index::{DiskIndex, NewInserted, StoredDocument};

use super::for_writing;
use super::given::GivenOptions;
use crate::ending::{Ending, Failure};
use crate::options::{DistanceOptions, LIST};
use crate::output::Output;
use crate::outputs::Outputs;
use crate::results::{ResultOptions, Results};
use crate::talk::{Talk, counted};
use crate::verbs::conclude;
use crate::verbs::query::MANY;

/// Documents that are inserted in one commit.
const BATCH: usize = 20_000;

/// Add documents to an index
///
/// Documents are committed in batches of 20,000. After an interruption, the same command with --on-duplicate skip adds
/// the rest. With --if-new or --matches, prints lines NEW TAB ID TAB DISTANCE for the documents within the distance of
/// a new one.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nearprint index add reports.index reports
  nearprint index add --on-duplicate replace crawl.index --ids url crawl.warc.gz
  nearprint index add --if-new -k 3 crawl.index page.html
  nearprint index add --prints crawl.index crawl.prints
  nearprint index add --metadata '{\"crawl\":\"2026-11\"}' crawl.index crawl.warc.gz")]
pub(super) struct AddArgs {
    /// The directory of the index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    /// Files, directories, or - for standard input; with --prints, fingerprint files
    #[arg(value_name = "INPUT", required_unless_present = LIST)]
    inputs: Vec<PathBuf>,
    /// What to do with a document whose id is already in the index: error, replace or skip
    #[arg(long, value_name = "RULE", default_value = "error", help_heading = "Index")]
    on_duplicate: OnDuplicate,
    /// Add only documents without a match in the index, and print the matches of the others
    #[arg(long, help_heading = "Index")]
    if_new: bool,
    /// Add all documents, and print their earlier matches
    #[arg(long, conflicts_with = "if_new", help_heading = "Index")]
    matches: bool,
    /// A JSON object to store with each document
    #[arg(long, value_name = "OBJECT", help_heading = "Index")]
    metadata: Option<String>,
    #[command(flatten)]
    distance: DistanceOptions,
    #[command(flatten)]
    given: GivenOptions,
    #[command(flatten)]
    output: ResultOptions,
    /// Write a summary of the run to FILE, as one line of JSON
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
}

impl AddArgs {
    pub(super) fn run(self) -> Result<Ending, Failure> {
        let inputs = self.given.inputs(&self.inputs)?;
        self.check()?;
        let file = self.output.output.as_deref();
        let outputs = Outputs::new(self.output.force).rows(file).counts(self.report.as_deref());
        outputs.check([&inputs])?;
        let talk = Talk::new(self.given.work.quiet, false);
        let index = for_writing(&self.index)?;
        let out = Results::open::<MatchOfMany>(file, self.output.format(), index.scheme(), MANY)?;
        let k = self.distance.of(index.scheme());
        let mut adding = Adding {
            index: &index,
            on_duplicate: self.on_duplicate,
            looks: match (self.if_new, self.matches) {
                (true, _) => Looks::IfNew(k),
                (_, true) => Looks::Matches(k),
                _ => Looks::No,
            },
            batch: Vec::new(),
            out,
            change: IndexChangeRow::default(),
        };
        let scheme = index.scheme();
        let mut take = |id, print, extractor| adding.push(self.document(id, print, extractor));
        let tally = match self.given.format(scheme)? {
            Some(format) => {
                let mut tally = Tally::default();
                for file in inputs.named()? {
                    let as_named = (format, scheme);
                    tally.add(&GivenOptions::prints(file, as_named, &talk, &mut take)?);
                }
                tally
            }
            None => self.given.documents(&inputs, scheme, &talk, take)?,
        };
        adding.insert()?;
        let Adding { out, mut change, .. } = adding;
        out.finish()?;
        change.failed = tally.failed;
        change.documents = index.len()?;
        say(&change, &talk);
        if let Some(error) = index.statistics()?.merge_error {
            talk.say(format_args!(
                "nearprint: the documents are there, their tables were not merged: {error}"
            ));
        }
        if let Some(file) = &self.report {
            let mut out = Output::open(Some(file), Format::Jsonl)?;
            out.row(&change)?;
            out.finish()?;
        }
        Ok(conclude(&talk, &tally))
    }

    fn check(&self) -> Result<(), Failure> {
        let text = match &self.metadata {
            _ if self.distance.is_given() && !self.if_new && !self.matches => {
                "-k, --close and --loose are for --if-new and --matches".to_owned()
            }
            Some(metadata) => match nearprint_index::check_metadata(metadata) {
                Ok(()) => return Ok(()),
                Err(error) => format!("--metadata: {error}"),
            },
            None => return Ok(()),
        };
        Err(Failure::Usage(text))
    }

    fn document(
        &self,
        id: DocumentId,
        print: Fingerprint,
        extractor: Option<String>,
    ) -> StoredDocument {
        let metadata = self.metadata.clone();
        StoredDocument { extractor, metadata, ..StoredDocument::new(id, print) }
    }
}

/// Says what became of the documents.
pub(super) fn say(change: &IndexChangeRow, talk: &Talk) {
    let mut said = vec![format!("{} added", counted(change.added, "document"))];
    for (count, what) in [
        (change.replaced, "replaced"),
        (change.skipped, "skipped"),
        (change.near, "near others not added"),
        (change.removed, "removed"),
    ] {
        if count > 0 {
            said.push(format!("{count} {what}"));
        }
    }
    talk.say(format_args!(
        "nearprint: {}; the index contains {}",
        said.join(", "),
        counted(change.documents, "document")
    ));
}

/// Whether documents are looked for that lie near new ones, and within which distance.
enum Looks {
    No,
    IfNew(u32),
    Matches(u32),
}

/// Documents on their way into an index.
struct Adding<'a> {
    index: &'a DiskIndex,
    on_duplicate: OnDuplicate,
    looks: Looks,
    batch: Vec<StoredDocument>,
    out: Results,
    change: IndexChangeRow,
}

impl Adding<'_> {
    fn push(&mut self, document: StoredDocument) -> Result<(), Failure> {
        self.batch.push(document);
        if self.batch.len() < BATCH { Ok(()) } else { self.insert() }
    }

    /// Inserts what has gathered, in one commit.
    fn insert(&mut self) -> Result<(), Failure> {
        let batch = std::mem::take(&mut self.batch);
        if batch.is_empty() {
            return Ok(());
        }
        let counts = match self.looks {
            Looks::No => self.index.insert_documents(&batch, self.on_duplicate)?,
            Looks::IfNew(k) => {
                let NewInserted { counts, known } =
                    self.index.insert_new(&batch, k, self.on_duplicate)?;
                self.change.near += known.len() as u64;
                for (at, near) in known {
                    self.rows(&batch[at], near)?;
                }
                counts
            }
            Looks::Matches(k) => {
                let prints: Vec<_> =
                    batch.iter().map(|document| document.fingerprint.clone()).collect();
                let near = self.index.query_batch(&prints, k)?;
                let counts = self.index.insert_documents(&batch, self.on_duplicate)?;
                for (document, near) in batch.iter().zip(near) {
                    self.rows(document, near)?;
                }
                counts
            }
        };
        self.change.added += counts.added;
        self.change.replaced += counts.replaced;
        self.change.skipped += counts.skipped;
        Ok(())
    }

    fn rows(&mut self, document: &StoredDocument, near: Vec<IndexMatch>) -> Result<(), Failure> {
        rows(&mut self.out, &document.id, self.index.scheme(), near)
    }
}

/// Writes what lies near a document.
pub(super) fn rows(
    out: &mut Results,
    query: &DocumentId,
    scheme: nearprint::fingerprint::Scheme,
    near: Vec<IndexMatch>,
) -> Result<(), Failure> {
    for IndexMatch { id, distance } in near {
        let estimate = 1.0 - f64::from(distance) / f64::from(scheme.positions());
        let row = MatchRow {
            query: query.clone(),
            id,
            distance,
            estimate,
            measure: None,
            similarity: None,
        };
        write(out, &MatchOfMany(row))?;
    }
    Ok(())
}

fn write<R: TableRow>(out: &mut Results, row: &R) -> Result<(), Failure> {
    out.row(row)
}
