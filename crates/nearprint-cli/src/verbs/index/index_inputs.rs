//! What a verb of an index is given: documents, and for imports files of fingerprints.

use std::path::PathBuf;

use clap::Args;
use nearprint::fingerprint::Scheme;
use nearprint::records::{DocumentId, ErrorRecord, IndexChangeRow, MatchOfMany, PrintFormat};
use nearprint::{Documents, IndexMatch, Inputs, PrintSet, Tally};
use nearprint_index::{AddedCounts, DiskIndex, ReadStep, StoredDocument};

use crate::collection::CollectionOptions;
use crate::exit_status::Failure;
use crate::options::WorkOptions;
use crate::reading_options::ReadingOptions;
use crate::results::Results;
use crate::talk::Talk;
use crate::unexpected_input::meant;

/// Documents.
#[derive(Debug, Args)]
pub(super) struct GivenOptions {
    #[command(flatten)]
    pub(super) collection: CollectionOptions,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    pub(super) work: WorkOptions,
}

impl GivenOptions {
    /// What is named to be read.
    pub(super) fn inputs(&self, paths: &[PathBuf]) -> Result<Inputs, Failure> {
        self.collection.inputs(paths, &self.reading)
    }

    /// Gives `take` each document as the index would store it. Returns also how many documents have a payload that the
    /// index had, and were not extracted, or are revisits of them.
    pub(super) fn read(
        &self,
        inputs: &Inputs,
        index: &DiskIndex,
        talk: &Talk,
        take: impl FnMut(ReadStep) -> Result<(), Failure>,
    ) -> Result<(Tally, u64), Failure> {
        let source = inputs.source()?;
        talk.expect(inputs, &source);
        let pipeline = self
            .reading
            .engine(self.work.threads)
            .pipeline(self.reading.settings(index.scheme()))
            .watched_by(|tally| talk.progress(tally));
        let read = index.read_documents(&pipeline, source, take, |record| talk.nothing(record))?;
        talk.clear();
        Ok((read.tally, read.reused))
    }

    /// Gives `take` each fingerprint of a file.
    pub(super) fn prints(
        file: Result<PathBuf, ErrorRecord>,
        (format, scheme): (PrintFormat, Scheme),
        talk: &Talk,
        take: impl FnMut(StoredDocument) -> Result<(), Failure>,
    ) -> Result<Tally, Failure> {
        let (mut set, mut tally) = (PrintSet::new(scheme), Tally::default());
        meant(
            set.read_file(file, format, &mut tally, |tally, error| talk.read_print(tally, error)),
        )?;
        talk.clear();
        Self::each_print(&set, take)?;
        Ok(tally)
    }

    /// Gives `take` each fingerprint of a set.
    pub(super) fn each_print(
        set: &PrintSet,
        mut take: impl FnMut(StoredDocument) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        for position in 0..set.len() {
            let extractor = set.extractor(position).map(ToString::to_string);
            let stored = StoredDocument::new(set.document_id(position), set.fingerprint(position)?);
            take(StoredDocument { extractor, ..stored })?;
        }
        Ok(())
    }
}

/// Writes the matches of a document.
pub(super) fn write_matches(
    out: &mut Results,
    query: &DocumentId,
    scheme: Scheme,
    near: Vec<IndexMatch>,
) -> Result<(), Failure> {
    near.into_iter().try_for_each(|found| out.row(&MatchOfMany(found.row(query, scheme))))
}

/// The row of a change.
pub(super) fn change(index: &DiskIndex, counts: AddedCounts) -> Result<IndexChangeRow, Failure> {
    let AddedCounts { added, replaced, skipped, near } = counts;
    let mut row = IndexChangeRow::default();
    (row.added, row.replaced, row.skipped, row.near) = (added, replaced, skipped, near);
    row.documents = index.len()?;
    Ok(row)
}
