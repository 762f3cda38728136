//! What a verb of an index is given: documents, or files of fingerprints.

use std::path::PathBuf;

use clap::Args;
use nearprint::fingerprint::{Fingerprint, Scheme};
use nearprint::records::{DocumentId, ErrorRecord, Outcome, PrintFormat};
use nearprint::{PrintSet, Tally};

use crate::collection::CollectionOptions;
use crate::ending::Failure;
use crate::inputs::read_prints;
use crate::options::{ReadingOptions, WorkOptions};
use crate::talk::Talk;

/// Documents, or files of fingerprints.
#[derive(Debug, Args)]
pub(super) struct GivenOptions {
    /// Read the inputs as fingerprint files: in nearprint's formats (text, JSONL or binary), or as decimal or hex
    /// numbers
    #[arg(
        long,
        value_name = "FORMAT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "nearprint",
        value_parser = PrintFormat::NAMES,
        help_heading = "Input"
    )]
    prints: Option<String>,
    #[command(flatten)]
    pub(super) collection: CollectionOptions,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    pub(super) work: WorkOptions,
}

impl GivenOptions {
    /// The format of fingerprint files; `None` for documents.
    pub(super) fn format(&self, scheme: Scheme) -> Result<Option<PrintFormat>, Failure> {
        let format = self.prints.as_deref().map(|name| PrintFormat::named(name, scheme));
        format.transpose().map_err(|error| Failure::Usage(error.to_string()))
    }

    /// Gives `take` the id, the fingerprint and the extractor of each document.
    pub(super) fn documents(
        &self,
        inputs: &[PathBuf],
        scheme: Scheme,
        talk: &Talk,
        mut take: impl FnMut(DocumentId, Fingerprint, Option<String>) -> Result<(), Failure>,
    ) -> Result<Tally, Failure> {
        let mut source = self.collection.source(inputs, &self.reading, talk)?;
        let pipeline = self
            .reading
            .engine(self.work.threads, None)
            .pipeline(self.reading.settings(scheme))
            .watched_by(|tally| talk.progress(tally));
        let tally = pipeline.fingerprint(&mut source, |record| match &record.outcome {
            Outcome::Print { fingerprint, .. } => {
                let note = record.extraction.as_ref();
                let extractor =
                    note.map(|note| format!("{}/{}", note.extractor, note.extractor_version));
                take(record.id.clone(), fingerprint.clone(), extractor)
            }
            Outcome::Nothing { .. } => {
                talk.nothing(&record);
                Ok(())
            }
        })?;
        talk.clear();
        Ok(tally)
    }

    /// Gives `take` the same of each fingerprint of a file.
    pub(super) fn prints(
        file: Result<PathBuf, ErrorRecord>,
        (format, scheme): (PrintFormat, Scheme),
        talk: &Talk,
        mut take: impl FnMut(DocumentId, Fingerprint, Option<String>) -> Result<(), Failure>,
    ) -> Result<Tally, Failure> {
        let mut set = PrintSet::new(scheme);
        let tally = read_prints(std::iter::once(file), format, &mut set, talk)?;
        for position in 0..set.len() {
            let extractor = set.extractor(position).map(ToString::to_string);
            take(set.document_id(position), set.fingerprint(position)?, extractor)?;
        }
        Ok(tally)
    }
}
