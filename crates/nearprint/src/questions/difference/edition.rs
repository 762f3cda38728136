//! One edition of a collection, as much of it as comparing takes.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use nearprint_fingerprint::{Fingerprint, Scheme};
use nearprint_records::{
    Batch, Document, DocumentId, ErrorRecord, FingerprintRecord, RecordCounts, RevisitedCapture,
    Sha256Digest, Source, escape,
};

use crate::{
    CaptureKey, Engine, Error, FeatureStore, PackedFeatures, PrintSet, Sameness, TextDigests,
    TextFeatures,
};

/// A text of an edition.
#[derive(Debug, Clone, Copy)]
pub(super) struct Text {
    number: u32,
    /// As bytes, which need no alignment.
    digests: [u8; TextDigests::BYTES],
}

impl Text {
    /// In what sense two texts are the same.
    pub(super) fn sameness(&self, other: &Self) -> Sameness {
        let of = |text: &Self| TextDigests::from_bytes(&text.digests);
        of(self).sameness(&of(other))
    }
}

/// When a page was captured, and the digest of its payload as the archive states it.
#[derive(Debug, Clone, Default)]
pub(super) struct PageCapture {
    pub(super) date: Option<Box<str>>,
    pub(super) payload: Option<Box<str>>,
}

/// Documents of one edition, revisits of archives among them, which have no content of their own. In memory: their
/// ids, 104 bytes beside, and 264 for the print of each, some 100 for the time and the payload digest of a capture;
/// features are in memory up to a bound and then in a temporary file.
#[derive(Debug)]
pub struct Edition {
    pub(super) engine: Engine,
    ids: Vec<DocumentId>,
    texts: Vec<Option<Text>>,
    /// Of each document the SHA-256 of its bytes; zeros where it is not known.
    bytes: Vec<[u8; 32]>,
    set: PrintSet,
    store: FeatureStore,
    captures: Vec<Option<Box<PageCapture>>>,
    /// Of each revisit what it refers to.
    revisits: HashMap<u32, RevisitedCapture>,
}

impl Edition {
    pub(super) fn new(scheme: Scheme, engine: &Engine) -> Self {
        let store = FeatureStore::new(engine.settings().memory / 8)
            .in_directory(engine.temporary_directory());
        Self {
            engine: engine.clone(),
            ids: Vec::new(),
            texts: Vec::new(),
            bytes: Vec::new(),
            set: PrintSet::new(scheme),
            store,
            captures: Vec::new(),
            revisits: HashMap::new(),
        }
    }

    /// Adds a document with what [`Diff::wanted`](super::Diff::wanted) makes of its text, and with the digest of its
    /// bytes. A revisit has the content of the capture that it refers to, in this edition or the other one.
    ///
    /// # Errors
    /// Where the print is of another scheme, there are more than 2^32 - 1 documents, or the temporary file cannot be
    /// written.
    pub fn push(
        &mut self,
        record: FingerprintRecord,
        features: Option<PackedFeatures>,
        digest: Option<Sha256Digest>,
    ) -> Result<(), Error> {
        let number = u32::try_from(self.ids.len()).map_err(|_| Error::TooManyDocuments)?;
        let text = match (record.outcome.fingerprint(), features) {
            (Some(print), Some(features)) if number < u32::MAX => {
                self.set.push_numbered(print)?;
                self.store.push_packed(&features).map_err(Error::TemporaryFile)?;
                let digests = features.digests().to_bytes();
                Some(Text { number: self.set.len() as u32 - 1, digests })
            }
            _ => None,
        };
        let mut digest = digest;
        let capture = record.capture.map(|mut capture| {
            if let Some(revisited) = capture.revisited.take() {
                // The digest is that of nothing.
                digest = None;
                self.revisits.insert(number, *revisited);
            }
            let CaptureKey { date, payload_digest, .. } = CaptureKey::of(&capture);
            let (date, payload) = (date.map(Into::into), payload_digest.map(Into::into));
            Box::new(PageCapture { date, payload })
        });
        self.captures.push(capture);
        self.texts.push(text);
        self.bytes.push(digest.map(|digest| digest.0).unwrap_or_default());
        self.ids.push(record.id);
        Ok(())
    }

    /// What each revisit refers to.
    pub(super) fn revisits(&self) -> &HashMap<u32, RevisitedCapture> {
        &self.revisits
    }

    pub(super) fn capture(&self, number: usize) -> Option<&PageCapture> {
        self.captures[number].as_deref()
    }

    /// Number of documents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    pub(super) fn id(&self, number: usize) -> DocumentId {
        self.ids[number].clone()
    }

    pub(super) fn id_text(&self, number: usize) -> &str {
        self.ids[number].as_str()
    }

    pub(super) fn text(&self, number: usize) -> Option<Text> {
        self.texts[number]
    }

    /// The digest of a document's bytes, where it is known.
    pub(super) fn bytes(&self, number: usize) -> Option<&[u8; 32]> {
        Some(&self.bytes[number]).filter(|digest| **digest != [0; 32])
    }

    pub(super) fn print(&self, text: Text) -> Result<Fingerprint, Error> {
        self.set.fingerprint(text.number as usize)
    }

    pub(super) fn features(&self, text: Text) -> Result<TextFeatures, Error> {
        self.store.get(text.number as usize).map_err(Error::TemporaryFile)
    }
}

/// Documents called by what is the same in every edition: captures of the Web by their address, files by their path
/// below the directory that was named.
pub struct AddressedSource<S> {
    source: S,
    /// The directory, escaped, with a slash.
    root: Arc<str>,
}

impl<S: Source> AddressedSource<S> {
    /// The documents of `source`, which is what `root` names.
    pub fn new(source: S, root: &Path) -> Self {
        let mut root = escape(root.as_os_str().as_encoded_bytes());
        if !root.ends_with('/') {
            root.push('/');
        }
        Self { source, root: root.into() }
    }
}

/// The document under its address, or its path below `root`.
fn addressed(mut document: Document, root: &str) -> Document {
    let address = document.capture.as_ref().map(|capture| capture.url.clone());
    let address =
        address.or_else(|| document.id.as_str().strip_prefix(root).map(ToOwned::to_owned));
    // An address that cannot be an id leaves the document the one it has.
    if let Some(id) = address.and_then(|address| DocumentId::new(address).ok()) {
        document.id = id;
    }
    document
}

impl<S: Source> Source for AddressedSource<S> {
    fn next_document(&mut self) -> Option<Result<Document, ErrorRecord>> {
        let found = self.source.next_document()?;
        Some(found.map(|document| addressed(document, &self.root)))
    }

    fn next_batch(&mut self) -> Option<Batch> {
        let (batch, root) = (self.source.next_batch()?, Arc::clone(&self.root));
        Some(Batch::later(batch.count(), batch.weight(), move || {
            let found = batch.into_documents().into_iter();
            found.map(|found| found.map(|document| addressed(document, &root))).collect()
        }))
    }

    fn expect_workers(&mut self, workers: NonZeroUsize) {
        self.source.expect_workers(workers);
    }

    fn record_counts(&self) -> RecordCounts {
        self.source.record_counts()
    }
}
