//! A document as it is written: encoded and compressed before its change waits for its turn, by the thread that makes
//! the change.

use std::sync::Arc;

use nearprint::CaptureKey;
use nearprint::fingerprint::{Fingerprint, Scheme};
use nearprint::records::DocumentId;

use crate::changes::capture_words::TextWords;
use crate::store::capture_details::CaptureDetails;
use crate::store::kept_features::KeptFeatures;
use crate::store::parts::PreparedValue;
use crate::store::record::{RecordView, StoredDocument};
use crate::store::source::Source;
use crate::store::texts::StoredText;

/// A document of which only the sequence number is not known yet.
pub(crate) struct PreparedDocument {
    pub(crate) id: DocumentId,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) capture: Option<CaptureKey>,
    pub(crate) details: Option<Box<CaptureDetails>>,
    pub(crate) record: PreparedValue,
    /// Its features, if the index keeps them.
    pub(crate) features: Option<PreparedValue>,
    /// Its text, if there is one and the index keeps texts.
    pub(crate) text: Option<PreparedValue>,
    /// The words of its text, if they were counted.
    pub(crate) words: Option<Arc<TextWords>>,
}

impl PreparedDocument {
    /// Encodes a document with what an index keeps of it.
    pub(crate) fn of(document: &StoredDocument, source: &Source) -> Self {
        let features = document.features.as_ref().filter(|_| source.keeps_features);
        let text = document.text.as_ref().filter(|_| source.keeps_texts);
        Self {
            id: document.id.clone(),
            fingerprint: document.fingerprint.clone(),
            capture: document.capture.clone(),
            details: document.details.clone(),
            record: document.prepare(source.keeps_texts),
            features: features.map(KeptFeatures::prepare),
            text: text.map(StoredText::prepare),
            words: None,
        }
    }

    /// Bytes that it takes.
    pub(crate) fn bytes(&self) -> usize {
        let large = [&self.features, &self.text];
        self.record.len() + large.into_iter().flatten().map(PreparedValue::len).sum::<usize>()
    }

    /// Its features, if the index keeps them.
    pub(crate) fn kept_features(&self) -> Option<KeptFeatures> {
        self.features.as_ref().and_then(|features| KeptFeatures::of_parts(features.parts()))
    }

    /// Gives it other metadata; `None` where its record is not whole.
    pub(crate) fn set_metadata(&mut self, scheme: Scheme, metadata: Option<String>) -> Option<()> {
        let view = RecordView::of_parts(scheme, self.record.parts())?;
        self.record = view.with_metadata(metadata.as_deref())?;
        Some(())
    }

    /// The document, without its features.
    pub(crate) fn document(&self, scheme: Scheme) -> Option<StoredDocument> {
        let document = RecordView::of_parts(scheme, self.record.parts())?.document()?;
        let text = self.text.as_ref().map(|text| StoredText::of_parts(text.parts()));
        Some(StoredDocument { text: text.flatten(), ..document })
    }
}
