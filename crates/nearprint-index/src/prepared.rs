//! A document as it is written: encoded before its change waits for its turn, by the thread that makes the change.

use nearprint::fingerprint::{Fingerprint, Scheme};
use nearprint::records::DocumentId;

use crate::captures::CaptureKey;
use crate::record::{RecordView, StoredDocument, checksum};

/// A document of which only the sequence number is not known yet.
pub(crate) struct PreparedDocument {
    pub(crate) id: DocumentId,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) capture: Option<CaptureKey>,
    pub(crate) record: PreparedValue,
    /// Its features, if the index keeps them.
    pub(crate) features: Option<PreparedValue>,
}

/// The value of a row, without its checksum.
pub(crate) struct PreparedValue(Vec<u8>);

impl PreparedValue {
    /// The bytes after the checksum.
    pub(crate) fn of(content: impl FnOnce(&mut Vec<u8>)) -> Self {
        let mut bytes = vec![0; 4];
        content(&mut bytes);
        Self(bytes)
    }

    /// The value under a sequence number.
    pub(crate) fn sealed(&mut self, sequence: u64) -> &[u8] {
        let checksum = checksum(sequence, &self.0[4..]);
        self.0[..4].copy_from_slice(&checksum.to_le_bytes());
        &self.0
    }

    pub(crate) fn content(&self) -> &[u8] {
        &self.0[4..]
    }
}

impl PreparedDocument {
    /// Encodes a document, with its features if `keeps_features`.
    pub(crate) fn of(document: &StoredDocument, keeps_features: bool) -> Self {
        let features = document.features.as_ref().filter(|_| keeps_features);
        Self {
            id: document.id.clone(),
            fingerprint: document.fingerprint.clone(),
            capture: document.capture.clone(),
            record: PreparedValue::of(|out| document.encode(out)),
            features: features.map(|kept| PreparedValue::of(|out| kept.encode(out))),
        }
    }

    /// Bytes that it takes.
    pub(crate) fn bytes(&self) -> usize {
        let features = self.features.as_ref().map_or(0, |features| features.content().len());
        self.record.content().len() + features
    }

    /// The document, without its features.
    pub(crate) fn document(&self, scheme: Scheme) -> Option<StoredDocument> {
        RecordView::of_content(scheme, self.record.content())?.document()
    }
}
