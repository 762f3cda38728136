//! A document as the store keeps it: a value of [`parts`](crate::store::parts).
//!
//! | tag | part |
//! |---|---|
//! | 1 | fingerprint, as many bytes as the scheme says, most significant first |
//! | 2 | time of insertion: 8 bytes, milliseconds since 1970, little-endian |
//! | 3 | id |
//! | 4 | the extractor's name and version; absent where it is not known |
//! | 5 | metadata, a JSON object; absent where there are none |
//! | 6 | of a capture, the key of its address |
//! | 7 | of a capture, its time, 14 digits |
//! | 8 | of a capture, the digest of its payload |
//! | 9 | nothing; there if its text is kept |
//! | 128 to 137 | its [details](crate::store::capture_details), and of a capture its change |
//!
//! The store does not check what it reads, so every record checks itself.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use nearprint::fingerprint::{Fingerprint, Scheme};
use nearprint::records::{DocumentId, FingerprintRecord, IndexedRow, Outcome};
use nearprint::{CaptureKey, TextParts, VerifiedQuery};

use crate::IndexError;
use crate::store::capture_details::{CHANGE, CaptureChange, CaptureDetails, DETAIL_TAGS};
use crate::store::kept_features::KeptFeatures;
use crate::store::parts::{Parts, PreparedValue};
use crate::store::texts::StoredText;

const FINGERPRINT: u8 = 1;
const TIME: u8 = 2;
const ID: u8 = 3;
const EXTRACTOR: u8 = 4;
const METADATA: u8 = 5;
const URL_KEY: u8 = 6;
const DATE: u8 = 7;
const PAYLOAD_DIGEST: u8 = 8;
const HAS_TEXT: u8 = 9;

/// The tags of all parts but the fingerprint and the change.
const TAGS: [u8; 17] = {
    let mut tags = [0; 17];
    let own = [TIME, ID, EXTRACTOR, METADATA, URL_KEY, DATE, PAYLOAD_DIGEST, HAS_TEXT];
    let mut at = 0;
    while at < 8 {
        (tags[at], tags[at + 8]) = (own[at], DETAIL_TAGS[at]);
        at += 1;
    }
    tags[16] = DETAIL_TAGS[8];
    tags
};

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
    /// What it is called as a capture, and where it lies; `None` if nothing is known.
    pub details: Option<Box<CaptureDetails>>,
    /// What verification compares. An index that keeps features wants it of every document, and any other leaves it
    /// out. [`DiskIndex::document`](crate::DiskIndex::document) and
    /// [`for_each_whole`](crate::DiskIndex::for_each_whole) give it back; other reads give `None`.
    pub features: Option<KeptFeatures>,
    /// Its text. An index that keeps texts keeps it if there is one, and any other leaves it out. The same reads as of
    /// features give it back, and [`DiskIndex::text`](crate::DiskIndex::text).
    pub text: Option<StoredText>,
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
            details: None,
            features: None,
            text: None,
        }
    }

    /// A document as a pipeline read it, with what it made of the text; `None` if it has no fingerprint.
    #[must_use]
    pub fn of_record(record: &FingerprintRecord, made: Option<TextParts>) -> Option<Self> {
        let Outcome::Print { fingerprint, tokens, .. } = &record.outcome else { return None };
        let note = record.extraction.as_ref();
        let extractor = note.map(|note| format!("{}/{}", note.extractor, note.extractor_version));
        let mut made = made.unwrap_or_default();
        let features = made.features.take();
        let features = features.map(|features| KeptFeatures { words: *tokens, features });
        let page = CaptureDetails::of_page(made.title.as_deref(), made.language.as_deref());
        let details = page.recorded(record).boxed();
        let text = StoredText::of_made(made);
        let stored = Self::new(record.id.clone(), fingerprint.clone());
        let capture = record.capture.as_deref().map(CaptureKey::of);
        let capture = capture.filter(|capture| !capture.is_empty());
        Some(Self { extractor, capture, details, features, text, ..stored })
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
            let checked = capture.check();
            checked.map_err(|detail| IndexError::Metadata { detail: detail.to_owned() })?;
        }
        if let Some(details) = &self.details {
            let checked = details.check();
            checked.map_err(|detail| IndexError::Metadata { detail: detail.to_owned() })?;
        }
        if let Some(text) = &self.text {
            text.check()?;
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

    /// Whether another document says the same: all but the time, the extractor and the features.
    pub(crate) fn has_content_of(&self, other: &Self) -> bool {
        self.id == other.id
            && self.fingerprint == other.fingerprint
            && self.metadata == other.metadata
            && self.capture == other.capture
            && self.details == other.details
            && self.text == other.text
    }

    /// The record of the document, with its text if `keeps_text`.
    pub(crate) fn prepare(&self, keeps_text: bool) -> PreparedValue {
        let mut record = PreparedValue::new();
        record.put(FINGERPRINT, &self.fingerprint.to_bytes());
        record.put(TIME, &self.time.to_le_bytes());
        record.put(ID, self.id.as_str().as_bytes());
        record.put_some(EXTRACTOR, self.extractor.as_deref());
        record.put_some(METADATA, self.metadata.as_deref());
        if let Some(CaptureKey { url_key, date, payload_digest }) = &self.capture {
            record.put_some(URL_KEY, Some(url_key));
            record.put_some(DATE, date.as_deref());
            record.put_some(PAYLOAD_DIGEST, payload_digest.as_deref());
        }
        if keeps_text && self.text.is_some() {
            record.put(HAS_TEXT, &[]);
        }
        if let Some(details) = &self.details {
            details.put(&mut record);
        }
        record
    }
}

impl From<StoredDocument> for IndexedRow {
    fn from(document: StoredDocument) -> Self {
        let StoredDocument { id, fingerprint, time, extractor, metadata, .. } = document;
        let CaptureKey { url_key, date, payload_digest } = document.capture.unwrap_or_default();
        let url_key = Some(url_key).filter(|key| !key.is_empty());
        let (words, features) = document.features.map(|kept| (kept.words, kept.features)).unzip();
        let features = features.map(|features| STANDARD.encode(features.to_bytes()));
        let (text, main_content) = document.text.map(|kept| (kept.text, kept.main_content)).unzip();
        let stretches = main_content.unwrap_or_default().into_iter();
        let main_content = stretches.map(|stretch| [stretch.start, stretch.end]).collect();
        let CaptureDetails { url, title, status, mime, file, offset, length, is_revisit, language } =
            document.details.map(|details| *details).unwrap_or_default();
        let mut row = Self::new(id, fingerprint, time);
        (row.extractor, row.metadata) = (extractor, metadata);
        (row.url_key, row.date, row.payload_digest) = (url_key, date, payload_digest);
        (row.url, row.title, row.status, row.mime) = (url, title, status, mime);
        (row.file, row.offset, row.length, row.is_revisit) = (file, offset, length, is_revisit);
        row.language = language;
        (row.words, row.features) = (words, features);
        (row.text, row.main_content) = (text, main_content);
        row
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

/// A record as it lies in the store, of which the checksum was compared.
#[derive(Clone, Copy)]
pub(crate) struct RecordView<'r> {
    scheme: Scheme,
    fingerprint: &'r [u8],
    rest: Parts<'r>,
}

/// What is wrong with a record that cannot be read.
pub(crate) fn damaged(sequence: u64) -> String {
    format!("the record of document number {sequence} is damaged")
}

impl<'r> RecordView<'r> {
    /// The record of a sequence number; `None` where it is damaged.
    pub(crate) fn of(scheme: Scheme, sequence: u64, bytes: &'r [u8]) -> Option<Self> {
        Self::of_parts(scheme, Parts::of(sequence, bytes)?)
    }

    /// The record of these parts.
    pub(crate) fn of_parts(scheme: Scheme, parts: Parts<'r>) -> Option<Self> {
        let mut rest = parts;
        let (_, fingerprint) = rest.next().filter(|(tag, _)| *tag == FINGERPRINT)?;
        (fingerprint.len() == scheme.bytes()).then_some(Self { scheme, fingerprint, rest })
    }

    /// The bytes of the fingerprint, the most significant first.
    pub(crate) fn fingerprint_bytes(&self) -> &'r [u8] {
        self.fingerprint
    }

    pub(crate) fn fingerprint(&self) -> Option<Fingerprint> {
        Fingerprint::from_bytes(self.scheme, self.fingerprint)
    }

    /// The part of a tag.
    fn part(&self, wanted: u8) -> Option<&'r [u8]> {
        let mut rest = self.rest;
        loop {
            match rest.next()? {
                (tag, part) if tag == wanted => return Some(part),
                _ => {}
            }
        }
    }

    pub(crate) fn id(&self) -> Option<&'r str> {
        std::str::from_utf8(self.part(ID)?).ok()
    }

    /// Whether the text of the document is kept.
    pub(crate) fn has_text(&self) -> bool {
        self.part(HAS_TEXT).is_some()
    }

    /// The change of a capture since the one before; `None` where it was not compared.
    pub(crate) fn change(&self) -> Option<CaptureChange> {
        CaptureChange::of_part(self.part(CHANGE)?)
    }

    /// The record with other metadata, and all else as it is; `None` where it is not whole.
    pub(crate) fn with_metadata(&self, metadata: Option<&str>) -> Option<PreparedValue> {
        let metadata = metadata.map(str::as_bytes).filter(|metadata| !metadata.is_empty());
        self.with_part(METADATA, metadata)
    }

    /// The record with another change, and all else as it is; `None` where it is not whole.
    pub(crate) fn with_change(&self, change: Option<CaptureChange>) -> Option<PreparedValue> {
        self.with_part(CHANGE, change.map(|change| change.part()).as_deref())
    }

    /// The record with another part of a tag.
    fn with_part(&self, wanted: u8, part: Option<&[u8]>) -> Option<PreparedValue> {
        self.document()?;
        let mut record = PreparedValue::new();
        record.put(FINGERPRINT, self.fingerprint);
        let mut rest = self.rest;
        let mut parts: Vec<_> = std::iter::from_fn(|| rest.next()).collect();
        parts.retain(|(tag, _)| *tag != wanted);
        let at = parts.partition_point(|(tag, _)| *tag < wanted);
        parts[..at].iter().for_each(|(tag, part)| record.put(*tag, part));
        if let Some(part) = part {
            record.put(wanted, part);
        }
        parts[at..].iter().for_each(|(tag, part)| record.put(*tag, part));
        Some(record)
    }

    /// The document, without large parts.
    pub(crate) fn document(&self) -> Option<StoredDocument> {
        let [time, id, extractor, metadata, url_key, date, payload_digest, _, details @ ..] =
            self.rest.tagged(TAGS)?;
        let text = |bytes: Option<&[u8]>| {
            let text = bytes.map(|bytes| String::from_utf8(bytes.to_vec()));
            text.transpose().ok()
        };
        let capture = CaptureKey {
            url_key: text(url_key)?.unwrap_or_default(),
            date: text(date)?,
            payload_digest: text(payload_digest)?,
        };
        let details = CaptureDetails::of_parts(details)?;
        Some(StoredDocument {
            id: DocumentId::new(text(id)??).ok()?,
            fingerprint: self.fingerprint()?,
            time: u64::from_le_bytes(time?.try_into().ok()?),
            extractor: text(extractor)?,
            metadata: text(metadata)?,
            capture: (!capture.is_empty()).then_some(capture),
            details: (!details.is_empty()).then(|| Box::new(details)),
            features: None,
            text: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
                details: Some(Box::new(CaptureDetails {
                    title: Some("Fog".to_owned()),
                    status: Some(200),
                    ..CaptureDetails::default()
                })),
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
        document.prepare(false).sealed(7).to_vec()
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
    fn other_metadata_leave_all_else() {
        for document in documents() {
            let scheme = document.fingerprint.scheme();
            let mut value = document.prepare(true);
            value.put(200, b"of a later version");
            let bytes = value.sealed(7).to_vec();
            let view = RecordView::of(scheme, 7, &bytes).expect("a whole record");
            for metadata in [None, Some(r#"{"a":1}"#)] {
                let mut changed = view.with_metadata(metadata).expect("a whole record");
                let bytes = changed.sealed(7).to_vec();
                let changed = RecordView::of(scheme, 7, &bytes).expect("a whole record");
                assert_eq!(changed.part(200), Some(&b"of a later version"[..]));
                let metadata = metadata.map(str::to_owned);
                let expected = StoredDocument { metadata, ..document.clone() };
                assert_eq!(changed.document(), Some(expected));
            }
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
