//! Documents whose payload an index has already are not extracted again.
//!
//! Archives state a digest of each payload. A document of a known digest gets the fingerprint and the features of the
//! one that is there, if today's extractors made these.

use std::collections::{HashMap, HashSet};
use std::num::NonZeroUsize;
use std::ops::Bound;
use std::sync::{Arc, Mutex, PoisonError};

use nearprint::CaptureKey;
use nearprint::extract::extractors;
use nearprint::records::{
    Batch, Content, Document, ErrorRecord, FingerprintRecord, RecordCounts, Source as Documents,
};

use crate::IndexError;
use crate::disk_index::DiskIndex;
use crate::index_state::IndexState;
use crate::store::capture_details::CaptureDetails;
use crate::store::capture_keys::payload_bounds;
use crate::store::large_parts::{LargeParts, LargeTables};
use crate::store::record::StoredDocument;
use crate::store::{DOCUMENTS, NEXT, PAYLOADS, STATE};

/// The payloads that an index had at one time.
///
/// Equal payloads that were served with different charsets get the fingerprint of the first: the digest does not tell
/// them apart.
#[derive(Clone)]
pub struct KnownPayloads(Arc<PayloadLookup>);

struct PayloadLookup {
    shared: Arc<IndexState>,
    /// The first sequence number that is not meant.
    before: u64,
    extractors: HashSet<String>,
    /// Documents that were passed over and not taken yet, by their places.
    found: Mutex<HashMap<String, StoredDocument>>,
}

impl KnownPayloads {
    /// Those that an index has now.
    ///
    /// # Errors
    /// Where the index cannot be read.
    pub fn of(index: &DiskIndex) -> Result<Self, IndexError> {
        let shared = Arc::clone(&index.shared);
        let store = &shared.source.store;
        let before = store.guarded(|| {
            let at = store.begin_read()?;
            store.state(&store.tried(at.open_table(STATE))?, NEXT)
        })?;
        let extractors = extractors().map(|(name, version)| format!("{name}/{version}")).collect();
        Ok(Self(Arc::new(PayloadLookup { shared, before, extractors, found: Mutex::default() })))
    }

    /// A source with nothing in place of the content of documents whose payload is known:
    /// [`take`](Self::take) gives what is stored about them.
    pub fn passing<S: Documents>(&self, source: S) -> impl Documents + use<S> {
        PayloadFilter { source, known: self.clone() }
    }

    /// What the index has of the payload of a record of a source that was passed; `None` if its text was extracted.
    #[must_use]
    pub fn take(&self, record: &FingerprintRecord) -> Option<StoredDocument> {
        record.capture.as_ref()?.digest.as_ref()?;
        let mut found = self.0.found.lock().unwrap_or_else(PoisonError::into_inner);
        let known = found.remove(&record.place.to_string())?;
        let capture = record.capture.as_deref().map(CaptureKey::of);
        let StoredDocument { extractor, features, text, fingerprint, details, .. } = known;
        let page = details.map(|details| *details).unwrap_or_default();
        let page = CaptureDetails::of_page(page.title.as_deref(), page.language.as_deref());
        let details = page.recorded(record).boxed();
        let stored = StoredDocument::new(record.id.clone(), fingerprint);
        Some(StoredDocument { extractor, capture, details, features, text, ..stored })
    }

    fn passed(&self, mut document: Document) -> Document {
        let digest = document.capture.as_ref().and_then(|capture| capture.digest.as_deref());
        // Where the index cannot be read, adding to it says so.
        if let Some(Ok(Some(known))) = digest.map(|digest| self.0.find(digest)) {
            let mut found = self.0.found.lock().unwrap_or_else(PoisonError::into_inner);
            found.insert(document.place.to_string(), known);
            document.content = Content::Text(String::new());
        }
        document
    }
}

impl PayloadLookup {
    /// The first document of a payload, made by today's extractors.
    fn find(&self, digest: &str) -> Result<Option<StoredDocument>, IndexError> {
        let source = &self.shared.source;
        let store = &source.store;
        store.guarded(|| {
            let at = store.begin_read()?;
            let (start, end) = payload_bounds(digest);
            let range = (Bound::Included(start.as_slice()), Bound::Excluded(end.as_slice()));
            let payloads = store.tried(at.open_table(PAYLOADS))?;
            let documents = store.tried(at.open_table(DOCUMENTS))?;
            let tables = LargeTables::open(source, &at, LargeParts::ALL)?;
            for row in store.tried(payloads.range::<&[u8]>(range))? {
                let row = store.tried(row)?.0;
                let Some(&last) = row.value().last_chunk() else { continue };
                let sequence = u64::from_be_bytes(last);
                if row.value().len() != start.len() + 8 || sequence >= self.before {
                    continue;
                }
                let record = store.tried(documents.get(sequence))?;
                let Some(record) = record else { continue };
                let document = tables.document(sequence, record.value())?;
                if document.extractor.as_ref().is_none_or(|made| !self.extractors.contains(made)) {
                    continue;
                }
                return Ok(Some(document));
            }
            Ok(None)
        })
    }
}

impl std::fmt::Debug for KnownPayloads {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KnownPayloads").field("before", &self.0.before).finish_non_exhaustive()
    }
}

/// A source of which the documents with known payloads have no content.
struct PayloadFilter<S> {
    source: S,
    known: KnownPayloads,
}

impl<S: Documents> Documents for PayloadFilter<S> {
    fn next_document(&mut self) -> Option<Result<Document, ErrorRecord>> {
        Some(self.source.next_document()?.map(|document| self.known.passed(document)))
    }

    fn next_batch(&mut self) -> Option<Batch> {
        let (batch, known) = (self.source.next_batch()?, self.known.clone());
        Some(Batch::later(batch.count(), batch.weight(), move || {
            let found = batch.into_documents().into_iter();
            found.map(|found| found.map(|document| known.passed(document))).collect()
        }))
    }

    fn expect_workers(&mut self, workers: NonZeroUsize) {
        self.source.expect_workers(workers);
    }

    fn record_counts(&self) -> RecordCounts {
        self.source.record_counts()
    }
}
