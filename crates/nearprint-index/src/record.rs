//! A document as the store keeps it: its bytes and their checksum.
//!
//! ```text
//! 4 bytes  checksum: the low half of XXH3-64 of the sequence number (8 bytes) and all that follows
//! n bytes  fingerprint, as many bytes as the scheme says, most significant first
//! 8 bytes  time of insertion, in milliseconds since 1970
//! 2 bytes  length of the id, then the id
//! 2 bytes  length of the extractor's name and version, then these; 0 where it is not known
//! 4 bytes  length of the metadata, then these, a JSON object; 0 where there are none
//! and of a capture:
//! 2 bytes  length of the key of its address, then the key
//! 1 byte   length of its time, 14 or 0, then its digits
//! 1 byte   length of the digest of its payload, then the digest
//! ```
//! Numbers are little-endian. The store does not check what it reads, so every record checks itself.

use nearprint::fingerprint::{Fingerprint, Scheme};
use nearprint::records::{DocumentId, FingerprintRecord, IndexedRow, Outcome};
use nearprint::{Made, VerifiedQuery};
use twox_hash::XxHash3_64;

use crate::IndexError;
use crate::captures::CaptureKey;
use crate::kept::KeptFeatures;

/// The longest metadata of a document, in bytes.
pub const LONGEST_METADATA: usize = 64 << 10;

/// A document of an index with everything that is stored about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDocument {
    /// Its id, unique in the index.
    pub id: DocumentId,
    /// Its fingerprint.
    pub fingerprint: Fingerprint,
    /// When it was inserted, in milliseconds since 1970-01-01 UTC.
    pub time: u64,
    /// The extractor of its text with its version, such as `html/7`; `None` where it is not known.
    pub extractor: Option<String>,
    /// A JSON object of at most [`LONGEST_METADATA`] bytes; `None` where there is none.
    pub metadata: Option<String>,
    /// By what it is found as a capture of the Web; `None` if it is none.
    pub capture: Option<CaptureKey>,
    /// What verification compares. An index that keeps features wants it of every document, and any other leaves it
    /// out. [`DiskIndex::document`](crate::DiskIndex::document) and
    /// [`for_each_whole`](crate::DiskIndex::for_each_whole) give it back; other reads give `None`.
    pub features: Option<KeptFeatures>,
}

impl StoredDocument {
    /// A document without further data, inserted now.
    #[must_use]
    pub fn new(id: DocumentId, fingerprint: Fingerprint) -> Self {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let time = now.map_or(0, |since| since.as_millis() as u64);
        Self {
            id,
            fingerprint,
            time,
            extractor: None,
            metadata: None,
            capture: None,
            features: None,
        }
    }

    /// A document as a pipeline read it, with what it made of the text; `None` if it has no fingerprint.
    #[must_use]
    pub fn of_record(record: &FingerprintRecord, made: Option<Made>) -> Option<Self> {
        let Outcome::Print { fingerprint, tokens, .. } = &record.outcome else { return None };
        let note = record.extraction.as_ref();
        let extractor = note.map(|note| format!("{}/{}", note.extractor, note.extractor_version));
        let features = made.and_then(|made| made.features);
        let features = features.map(|features| KeptFeatures { words: *tokens, features });
        let stored = Self::new(record.id.clone(), fingerprint.clone());
        let capture = record.capture.as_deref().map(CaptureKey::of);
        let capture = capture.filter(|capture| !capture.is_empty());
        Some(Self { extractor, capture, features, ..stored })
    }

    /// The document as a query, with its features if it has them.
    #[must_use]
    pub fn into_query(self) -> VerifiedQuery {
        let features = self.features.map(|kept| kept.features.unpack()).unwrap_or_default();
        VerifiedQuery::new(self.id, self.fingerprint, features)
    }

    /// Refuses what a record cannot hold.
    pub(crate) fn check(&self) -> Result<(), IndexError> {
        if let Some(metadata) = &self.metadata {
            check_metadata(metadata)?;
        }
        if let Some(capture) = &self.capture {
            capture.check()?;
        }
        match &self.extractor {
            Some(extractor) if extractor.len() > usize::from(u16::MAX) => {
                let bytes = extractor.len();
                let detail = format!("the extractor of {} has a name of {bytes} bytes", self.id);
                Err(IndexError::Metadata { detail })
            }
            _ => Ok(()),
        }
    }

    /// Whether another document, without features, says the same: all but the time and the extractor.
    pub(crate) fn has_content_of(&self, other: &Self) -> bool {
        self.id == other.id
            && self.fingerprint == other.fingerprint
            && self.metadata == other.metadata
            && self.capture == other.capture
    }

    /// The record of the document, without its checksum.
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        let text = |text: &Option<String>| text.as_deref().unwrap_or_default().to_owned();
        let (extractor, metadata) = (text(&self.extractor), text(&self.metadata));
        let id = self.id.as_str();
        out.extend(self.fingerprint.to_bytes());
        out.extend(self.time.to_le_bytes());
        out.extend((id.len() as u16).to_le_bytes());
        out.extend(id.as_bytes());
        out.extend((extractor.len() as u16).to_le_bytes());
        out.extend(extractor.as_bytes());
        out.extend((metadata.len() as u32).to_le_bytes());
        out.extend(metadata.as_bytes());
        if let Some(CaptureKey { url_key, date, payload_digest }) = &self.capture {
            out.extend((url_key.len() as u16).to_le_bytes());
            out.extend(url_key.as_bytes());
            for text in [date, payload_digest] {
                let text = text.as_deref().unwrap_or_default();
                out.push(text.len() as u8);
                out.extend(text.as_bytes());
            }
        }
    }
}

impl From<StoredDocument> for IndexedRow {
    fn from(document: StoredDocument) -> Self {
        let StoredDocument { id, fingerprint, time, extractor, metadata, capture, .. } = document;
        let CaptureKey { url_key, date, payload_digest } = capture.unwrap_or_default();
        let url_key = Some(url_key).filter(|key| !key.is_empty());
        Self { id, fingerprint, time, extractor, url_key, date, payload_digest, metadata }
    }
}

/// Refuses metadata that are too long, or no JSON object.
///
/// # Errors
/// Where they are.
pub fn check_metadata(metadata: &str) -> Result<(), IndexError> {
    let refused = |detail: String| Err(IndexError::Metadata { detail });
    if metadata.len() > LONGEST_METADATA {
        let bytes = metadata.len();
        return refused(format!("the metadata have {bytes} bytes, {LONGEST_METADATA} are allowed"));
    }
    match serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(metadata) {
        Ok(_) => Ok(()),
        Err(error) => refused(format!("the metadata are no JSON object: {error}")),
    }
}

pub(crate) fn checksum(sequence: u64, bytes: &[u8]) -> u32 {
    XxHash3_64::oneshot_with_seed(sequence, bytes) as u32
}

/// A record as it lies in the store, of which the checksum was compared.
#[derive(Clone, Copy)]
pub(crate) struct RecordView<'r> {
    scheme: Scheme,
    fingerprint: &'r [u8],
    rest: &'r [u8],
}

/// What is wrong with a record that cannot be read.
pub(crate) fn damaged(sequence: u64) -> String {
    format!("the record of document number {sequence} is damaged")
}

impl<'r> RecordView<'r> {
    /// The record of a sequence number; `None` where it is damaged.
    pub(crate) fn of(scheme: Scheme, sequence: u64, bytes: &'r [u8]) -> Option<Self> {
        let (stored, content) = bytes.split_first_chunk::<4>()?;
        if checksum(sequence, content) != u32::from_le_bytes(*stored) {
            return None;
        }
        Self::of_content(scheme, content)
    }

    /// The record without its checksum.
    pub(crate) fn of_content(scheme: Scheme, content: &'r [u8]) -> Option<Self> {
        let (fingerprint, rest) = content.split_at_checked(scheme.bytes())?;
        Some(Self { scheme, fingerprint, rest })
    }

    /// The fingerprint as a number; meaningful for simhashes only.
    pub(crate) fn word(&self) -> u128 {
        self.fingerprint.iter().fold(0, |value, &byte| value << 8 | u128::from(byte))
    }

    pub(crate) fn fingerprint(&self) -> Option<Fingerprint> {
        Fingerprint::from_bytes(self.scheme, self.fingerprint)
    }

    pub(crate) fn id(&self) -> Option<&'r str> {
        let (_, rest) = self.rest.split_at_checked(8)?;
        std::str::from_utf8(sized::<2>(rest)?.0).ok()
    }

    pub(crate) fn document(&self) -> Option<StoredDocument> {
        let (time, rest) = self.rest.split_first_chunk::<8>()?;
        let (id, rest) = sized::<2>(rest)?;
        let (extractor, rest) = sized::<2>(rest)?;
        let (metadata, rest) = sized::<4>(rest)?;
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
        let given = |bytes: &[u8]| match bytes {
            [] => Some(None),
            bytes => text(bytes).map(Some),
        };
        let document = StoredDocument {
            id: DocumentId::new(text(id)?).ok()?,
            fingerprint: self.fingerprint()?,
            time: u64::from_le_bytes(*time),
            extractor: given(extractor)?,
            metadata: given(metadata)?,
            capture: None,
            features: None,
        };
        if rest.is_empty() {
            return Some(document);
        }
        let (url_key, rest) = sized::<2>(rest)?;
        let (date, rest) = sized::<1>(rest)?;
        let (payload_digest, rest) = sized::<1>(rest)?;
        let (date, payload_digest) = (given(date)?, given(payload_digest)?);
        let capture = Some(CaptureKey { url_key: text(url_key)?, date, payload_digest });
        rest.is_empty().then_some(StoredDocument { capture, ..document })
    }
}

/// Bytes that follow their length, which is a number of `N` bytes, and what follows them.
fn sized<const N: usize>(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<N>()?;
    let length = length.iter().rev().fold(0usize, |value, &byte| value << 8 | usize::from(byte));
    rest.split_at_checked(length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prepared::PreparedDocument;
    use nearprint::index::conformance;

    fn documents() -> Vec<StoredDocument> {
        let full = |scheme: Scheme| {
            let bytes: Vec<u8> = (1..=scheme.bytes() as u32).map(|n| n as u8).collect();
            StoredDocument {
                extractor: Some("html/7".to_owned()),
                metadata: Some(r#"{"host":"example.org"}"#.to_owned()),
                capture: Some(CaptureKey {
                    url_key: "org,example)/1".to_owned(),
                    date: Some("20261123070000".to_owned()),
                    payload_digest: Some("sha1:ABC".to_owned()),
                }),
                ..StoredDocument::new(
                    DocumentId::new("köln/1").expect("an id"),
                    Fingerprint::from_bytes(scheme, &bytes).expect("as many bytes"),
                )
            }
        };
        let full: Vec<_> = conformance::schemes().into_iter().map(full).collect();
        let bare =
            full.iter().map(|full| StoredDocument::new(full.id.clone(), full.fingerprint.clone()));
        full.iter().cloned().chain(bare).collect()
    }

    fn sealed(document: &StoredDocument) -> Vec<u8> {
        PreparedDocument::of(document, false).record.sealed(7).to_vec()
    }

    #[test]
    fn records_give_back_their_documents() {
        for document in documents() {
            let scheme = document.fingerprint.scheme();
            let bytes = sealed(&document);
            let view = RecordView::of(scheme, 7, &bytes).expect("a whole record");
            assert_eq!(view.id(), Some(document.id.as_str()));
            assert_eq!(view.fingerprint().as_ref(), Some(&document.fingerprint));
            assert_eq!(view.document(), Some(document));
            assert!(RecordView::of(scheme, 8, &bytes).is_none(), "a record of another document");
        }
    }

    #[test]
    fn every_flipped_bit_and_every_truncation_is_found() {
        for document in documents() {
            let scheme = document.fingerprint.scheme();
            let bytes = sealed(&document);
            for bit in 0..bytes.len() * 8 {
                let mut hurt = bytes.clone();
                hurt[bit / 8] ^= 1 << (bit % 8);
                assert!(RecordView::of(scheme, 7, &hurt).is_none(), "bit {bit}");
            }
            for length in 0..bytes.len() {
                assert!(RecordView::of(scheme, 7, &bytes[..length]).is_none(), "{length} bytes");
            }
        }
    }
}
