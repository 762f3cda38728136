//! Which documents of a collection to keep.
//!
//! The texts that the collection keeps go the same way as documents of the command: by the scheme `md1`, and compared
//! exactly. So the decisions are those of `nearprint dedup` on the same texts in the order of insertion.

use nearprint::records::{Capture, ErrorRecord, FingerprintRecord, OrderKey, Place, ReasonCode};
use nearprint::{Dedup, DedupDocuments, Engine, Role, Settings, TextParts};
use nearprint_index::StoredDocument;
use serde_json::Value;

use super::run::{JobEnd, ResultFile};
use super::{Job, JobRequest};
use crate::collection::Collection;
use crate::document_reader::text_document;

/// Documents and bytes that are read at once.
const BATCH: usize = 1_000;
const BATCH_BYTES: usize = 16 << 20;

/// Documents on their way into a deduplication.
struct StoredTextReader<'a> {
    job: &'a Job,
    engine: &'a Engine,
    settings: &'a Dedup,
    gathered: DedupDocuments,
    batch: Vec<(StoredDocument, Option<String>)>,
    bytes: usize,
}

impl Job {
    pub(super) fn dedup(
        &self,
        request: &JobRequest,
        collection: &Collection,
        engine: &Engine,
        file: &mut ResultFile,
    ) -> Result<(), JobEnd> {
        let settings = request.dedup()?;
        let gathered = settings.gather(engine)?;
        let (job, batch) = (self, Vec::new());
        let mut reading =
            StoredTextReader { job, engine, settings: &settings, gathered, batch, bytes: 0 };
        collection.for_each_with_text(|document, text| {
            reading.push(document, text.map(|kept| kept.text))
        })?;
        reading.read()?;
        let mut gathered = reading.gathered;
        let search = settings
            .search()
            .cancelled_by(&self.cancel)
            .watched_by(|progress| self.set_progress(progress.done, progress.total));
        let search = gathered.search(search);
        let decisions = settings.decide(&mut gathered, search)?;
        decisions.for_each(&mut gathered, |row| file.push(&row).map_err(JobEnd::from))
    }
}

impl StoredTextReader<'_> {
    fn push(&mut self, document: StoredDocument, text: Option<String>) -> Result<(), JobEnd> {
        self.bytes += text.as_ref().map_or(0, String::len);
        self.batch.push((document, text));
        match self.batch.len() >= BATCH || self.bytes >= BATCH_BYTES {
            true => self.read(),
            false => Ok(()),
        }
    }

    /// Reads the documents at hand.
    fn read(&mut self) -> Result<(), JobEnd> {
        self.job.go_on()?;
        let (mut notes, mut documents) = (Vec::new(), Vec::new());
        for (document, text) in self.batch.drain(..) {
            let id = document.id.clone();
            documents.push(match text {
                Some(text) => Ok(text_document(id, text)),
                None => Err(without_text(&document)),
            });
            notes.push(document);
        }
        self.bytes = 0;
        let settings = Settings { scheme: self.settings.print_scheme(), ..Settings::default() };
        let (mut documents, mut notes) = (documents.into_iter(), notes.into_iter());
        let (gathered, keep) = (&mut self.gathered, &self.settings.keep);
        let take = |mut record: FingerprintRecord, made: Option<TextParts>, _| {
            let note = notes.next();
            record.capture = note.as_ref().and_then(capture).map(Box::new);
            let order = keep.field().zip(note).and_then(|(field, note)| order(&note, field));
            let features = made.and_then(|made| made.features);
            gathered.push(&record, features.as_ref(), Role::Candidate, order).map_err(JobEnd::from)
        };
        let pipeline = self.engine.pipeline(settings);
        pipeline.read(&mut documents, &self.settings.wanted(), take)?;
        Ok(())
    }
}

/// What there is of a document that was added as a fingerprint.
fn without_text(document: &StoredDocument) -> ErrorRecord {
    ErrorRecord {
        id: Some(document.id.clone()),
        place: Place { file: document.id.as_str().into(), ..Place::default() },
        reason: ReasonCode::NO_TOKENS,
        detail: "the collection has no text of it".into(),
    }
}

/// The capture of a document, by whose time and payload it may be ordered.
fn capture(document: &StoredDocument) -> Option<Capture> {
    let key = document.capture.as_ref()?;
    let (date, digest) = (key.date.clone(), key.payload_digest.clone());
    Some(Capture { date, digest, ..Capture::default() })
}

/// The value of a field of a document's metadata.
fn order(document: &StoredDocument, field: &str) -> Option<OrderKey> {
    let metadata: Value = serde_json::from_str(document.metadata.as_deref()?).ok()?;
    match metadata.get(field)? {
        Value::String(text) => OrderKey::of_text(text),
        Value::Number(number) => match number.as_i64() {
            Some(number) => Some(OrderKey::of_number(number.into())),
            None => OrderKey::of_real(number.as_f64()?),
        },
        _ => None,
    }
}
