//! Revisits: captures whose payload an earlier capture has, so that an archive does not hold it again.
//!
//! A revisit is indexed as a document of its own, with its own address and time, and with the fingerprint of the
//! document that has the payload.

use nearprint::records::{Capture, FingerprintRecord, Outcome, ReasonCode};
use nearprint::{CaptureKey, Error};

use crate::StoredCapture;
use crate::disk_index::DiskIndex;
use crate::store::capture_details::CaptureDetails;
use crate::store::capture_keys::CaptureRange;
use crate::store::record::StoredDocument;

/// Revisits of a batch: what they refer to may be in the commit that is made meanwhile.
const BATCH: usize = 1000;

/// Bytes of their addresses from which on they are settled earlier: an address may have a megabyte.
const LARGE: usize = 4 << 20;

/// Revisits that were read, and whose targets are not looked for yet.
#[derive(Debug, Default)]
pub struct Revisits {
    waiting: Vec<FingerprintRecord>,
    /// Bytes of their addresses.
    bytes: usize,
}

impl Revisits {
    /// Takes a record if it is that of a revisit, and gives it back if it is not.
    pub fn take(&mut self, record: FingerprintRecord) -> Option<FingerprintRecord> {
        let capture = record.capture.as_ref();
        let revisited = capture.and_then(|capture| Some((capture, capture.revisited.as_ref()?)));
        let Some((capture, revisited)) = revisited else { return Some(record) };
        self.bytes += capture.url.len() + revisited.url.as_ref().map_or(0, String::len);
        self.waiting.push(record);
        None
    }

    /// Whether so many are waiting that they ought to be settled before more are read.
    #[must_use]
    pub fn are_many(&self) -> bool {
        self.waiting.len() >= BATCH || self.bytes >= LARGE
    }

    /// Looks for the targets of all that are waiting in what the index has now: `take` gets each revisit as a document
    /// with its target, or as an error record if its target is not there (`unknown-target`).
    ///
    /// # Errors
    /// Where the index cannot be read, and those of `take`.
    pub fn settle<E: From<Error>>(
        &mut self,
        index: &DiskIndex,
        mut take: impl FnMut(Result<Revisit, FingerprintRecord>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.bytes = 0;
        for mut record in std::mem::take(&mut self.waiting) {
            let capture = record.capture.as_deref().cloned().unwrap_or_default();
            match index.revisited(&capture)? {
                Some(target) => take(Ok(Revisit::of(&record, target)))?,
                None => {
                    let detail = format!(
                        "the capture that this revisit of {} refers to is not in the index: add its archive first",
                        capture.url
                    );
                    record.outcome = Outcome::nothing(ReasonCode::UNKNOWN_TARGET, detail);
                    take(Err(record))?;
                }
            }
        }
        Ok(())
    }
}

/// A revisit with the document that has its payload.
#[derive(Debug, Clone, PartialEq)]
pub struct Revisit {
    /// The revisit as a document: its id, address and time, and all else of the target.
    pub document: StoredDocument,
    /// The document that has its payload.
    pub target: StoredDocument,
}

impl Revisit {
    fn of(record: &FingerprintRecord, target: StoredDocument) -> Self {
        let mut capture = record.capture.as_deref().map(CaptureKey::of).unwrap_or_default();
        if capture.payload_digest.is_none() {
            let known = target.capture.as_ref();
            capture.payload_digest = known.and_then(|known| known.payload_digest.clone());
        }
        let known = target.details.as_deref();
        let details = CaptureDetails {
            // A revisit answers as its target did.
            status: known.and_then(|known| known.status),
            mime: known.and_then(|known| known.mime.clone()),
            ..CaptureDetails::of_page(
                known.and_then(|known| known.title.as_deref()),
                known.and_then(|known| known.language.as_deref()),
            )
            .recorded(record)
        };
        let details = CaptureDetails { is_revisit: true, ..details };
        let stored = StoredDocument::new(record.id.clone(), target.fingerprint.clone());
        let document = StoredDocument {
            extractor: target.extractor.clone(),
            features: target.features.clone(),
            text: target.text.clone(),
            capture: Some(capture),
            details: Some(Box::new(details)),
            ..stored
        };
        Self { document, target }
    }
}

impl DiskIndex {
    /// The document that has the payload of a revisit: the first one with the payload digest that the revisit states;
    /// if there is none or it states none, the capture of the address and time that it refers to, unless that states
    /// another digest. `None` if there is none.
    ///
    /// # Errors
    /// Where the index cannot be read.
    pub fn revisited(&self, revisit: &Capture) -> Result<Option<StoredDocument>, Error> {
        let digest = CaptureKey::of(revisit).payload_digest;
        let mut found = match &digest {
            Some(digest) => self.with_payload_digest(digest, 1)?,
            None => Vec::new(),
        };
        if found.is_empty() {
            let Some(target) = &revisit.revisited else { return Ok(None) };
            let Some(date) = &target.date else { return Ok(None) };
            let url = target.url.as_ref().unwrap_or(&revisit.url);
            let range = CaptureRange::of_url(url).from(date.clone()).to(date.clone());
            found = self.captures(&range, None, 1)?;
            let states_digest = |found: &StoredCapture| {
                let capture = found.document.capture.as_ref();
                capture.is_some_and(|capture| capture.payload_digest.is_some())
            };
            found.retain(|found| digest.is_none() || !states_digest(found));
        }
        // Once more by its id, for what is kept beside the record.
        let Some(found) = found.first() else { return Ok(None) };
        self.document(&found.document.id)
    }
}

#[cfg(test)]
mod tests {
    use nearprint::OnDuplicate;
    use nearprint::fingerprint::{Fingerprint, Scheme};
    use nearprint::records::{DocumentId, Place, RevisitedCapture};

    use super::*;
    use crate::Settings;

    fn capture(url: &str, date: &str, digest: Option<&str>) -> Capture {
        let (url, date) = (url.to_owned(), Some(date.to_owned()));
        Capture { url, date, digest: digest.map(str::to_owned), ..Capture::default() }
    }

    fn record(id: &str, capture: Capture) -> FingerprintRecord {
        let error = nearprint::records::ErrorRecord {
            id: DocumentId::new(id).ok(),
            place: Place::default(),
            reason: ReasonCode::NO_TOKENS,
            detail: "there is no token".into(),
        };
        let mut record = FingerprintRecord::of_error(error, Scheme::SD1);
        record.capture = Some(Box::new(capture));
        record
    }

    #[test]
    fn revisits_have_the_fingerprint_of_their_targets() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("captured.index");
        let index = DiskIndex::create(&path, Scheme::SD1, Settings::default()).unwrap();
        let print = Fingerprint::from_bytes(Scheme::SD1, &[7; 8]).unwrap();
        let page = "http://e.org/";
        let first = capture(page, "20260101000000", Some("sha1:A"));
        let first = StoredDocument {
            capture: Some(CaptureKey::of(&first)),
            ..StoredDocument::new(DocumentId::new("first").unwrap(), print.clone())
        };
        index.insert_documents(&[first], OnDuplicate::Refuse).unwrap();
        let plain = capture("http://e.org/plain", "20260101000000", None);
        let plain = StoredDocument {
            capture: Some(CaptureKey::of(&plain)),
            ..StoredDocument::new(DocumentId::new("plain").unwrap(), print.clone())
        };
        index.insert_documents(&[plain], OnDuplicate::Refuse).unwrap();
        let date = Some("20260101000000".to_owned());
        let target = |url: Option<&str>, date: &Option<String>| {
            let (url, date) = (url.map(str::to_owned), date.clone());
            Some(Box::new(RevisitedCapture { url, date }))
        };
        let revisit = |digest, revisited| Capture {
            revisited,
            ..capture("http://e.org/again", "20260301000000", digest)
        };
        let cases = [
            // A digest decides, whatever else is said.
            (revisit(Some("sha1:A"), target(None, &None)), true),
            (revisit(Some("sha1:B"), target(Some(page), &date)), false),
            (revisit(None, target(Some(page), &date)), true),
            (revisit(None, target(None, &date)), false),
            (revisit(None, target(Some(page), &None)), false),
            (revisit(None, target(Some(page), &Some("20260102000000".to_owned()))), false),
        ];
        for (at, (capture, is_known)) in cases.into_iter().enumerate() {
            let mut revisits = Revisits::default();
            assert_eq!(revisits.take(record("again", capture.clone())), None);
            let mut count = 0;
            let settled = revisits.settle(&index, |found| {
                count += 1;
                match found {
                    Ok(Revisit { document, target }) => {
                        assert!(is_known, "{at}");
                        assert_eq!((target.id.as_str(), document.id.as_str()), ("first", "again"));
                        assert_eq!(document.fingerprint, print);
                        let key = document.capture.unwrap();
                        assert_eq!(key.date.as_deref(), Some("20260301000000"));
                        assert_eq!(key.url_key, "org,e)/again");
                        assert_eq!(key.payload_digest.as_deref(), Some("sha1:A"));
                    }
                    Err(record) => {
                        assert!(!is_known, "{at}");
                        let Outcome::Nothing { reason, .. } = record.outcome else { panic!() };
                        assert_eq!(reason, ReasonCode::UNKNOWN_TARGET);
                    }
                }
                Ok::<_, Error>(())
            });
            settled.unwrap();
            assert_eq!(count, 1);
        }
        // A target that states no digest is found by its address and time, whatever the revisit states.
        let of_plain = revisit(Some("sha1:B"), target(Some("http://e.org/plain"), &date));
        let found = index.revisited(&of_plain).unwrap();
        assert_eq!(found.map(|found| found.id.to_string()).as_deref(), Some("plain"));
        let mut revisits = Revisits::default();
        let long = Capture {
            url: format!("{page}{}", "a".repeat(1 << 20)),
            ..revisit(Some("sha1:A"), target(None, &None))
        };
        for at in 1..=4 {
            assert!(!revisits.are_many(), "{at}");
            revisits.take(record("long", long.clone()));
        }
        assert!(revisits.are_many());
        let other = record("other", capture(page, "20260101000000", None));
        assert!(Revisits::default().take(other).is_some());
    }
}
