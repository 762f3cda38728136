//! Captures of the Web in an index, by address and time or by the digest of their payload.

use std::ops::Bound;

use nearprint::Error;

use crate::IndexError;
use crate::disk_index::DiskIndex;
use crate::store::capture_keys::{CaptureRange, capture_row, payload_bounds};
use crate::store::record::{RecordView, StoredDocument, damaged};
use crate::store::source::Source;
use crate::store::{CAPTURES, DOCUMENTS, PAYLOADS};

/// A capture of an index with its number in the order of insertion, after which a list goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredCapture {
    /// The number of the document ([`DiskIndex::number`]).
    pub number: u64,
    /// The document, without features.
    pub document: StoredDocument,
}

impl DiskIndex {
    /// Up to `most` captures, by the keys of their addresses and then by time, of equal ones in the order of insertion:
    /// those after `after`, or from the first. All captures of one address are one read, O(log n) for n documents and
    /// O(1) for each that is returned. Of a range of addresses, captures at other times are passed over, O(1) each.
    ///
    /// # Errors
    /// Where the index cannot be read.
    pub fn captures(
        &self,
        range: &CaptureRange,
        after: Option<&StoredCapture>,
        most: usize,
    ) -> Result<Vec<StoredCapture>, Error> {
        let (start, end) = range.bounds();
        let after = after.and_then(|after| {
            capture_row(after.number.wrapping_sub(1), after.document.capture.as_ref()?)
        });
        let start = match &after {
            Some(after) if *after >= start => Bound::Excluded(after.as_slice()),
            _ => Bound::Included(start.as_slice()),
        };
        let is_wanted = |row: &[u8]| {
            // The last space but for those in the sequence number.
            let key = &row[..row.len().saturating_sub(8)];
            let space = key.iter().rposition(|&byte| byte == b' ');
            space.is_some_and(|space| range.allows(&key[space + 1..]))
        };
        self.keyed(CAPTURES, (start, Bound::Excluded(&end)), is_wanted, most)
    }

    /// Up to `most` documents whose payload has this digest, as their archives state it, in the order of insertion.
    ///
    /// # Errors
    /// Where the index cannot be read.
    pub fn with_payload_digest(
        &self,
        digest: &str,
        most: usize,
    ) -> Result<Vec<StoredCapture>, Error> {
        let (start, end) = payload_bounds(digest);
        let range = (Bound::Included(start.as_slice()), Bound::Excluded(end.as_slice()));
        let is_wanted = |row: &[u8]| row.len() == start.len() + 8;
        self.keyed(PAYLOADS, range, is_wanted, most)
    }

    /// The documents of rows of a table of keys, in one state of the index.
    fn keyed(
        &self,
        table: redb::TableDefinition<'static, &'static [u8], ()>,
        range: (Bound<&[u8]>, Bound<&[u8]>),
        is_wanted: impl Fn(&[u8]) -> bool,
        most: usize,
    ) -> Result<Vec<StoredCapture>, Error> {
        let Source { store, scheme, .. } = &self.shared.source;
        let found = store.guarded(|| {
            let at = store.begin_read()?;
            let documents = store.tried(at.open_table(DOCUMENTS))?;
            let keys = store.tried(at.open_table(table))?;
            let mut found = Vec::new();
            for row in store.tried(keys.range::<&[u8]>(range))? {
                if found.len() == most {
                    break;
                }
                let (key, ()) = {
                    let (key, value) = store.tried(row)?;
                    (key, value.value())
                };
                let key = key.value();
                if !is_wanted(key) {
                    continue;
                }
                let sequence = key.last_chunk().map_or(u64::MAX, |last| u64::from_be_bytes(*last));
                let record = store.tried(documents.get(sequence))?;
                let view = record
                    .as_ref()
                    .and_then(|record| RecordView::of(*scheme, sequence, record.value()));
                let document = view.and_then(|view| view.document());
                let document = document.ok_or_else(|| store.damaged(damaged(sequence)))?;
                found.push(StoredCapture { number: sequence + 1, document });
            }
            Ok::<_, IndexError>(found)
        });
        Ok(found?)
    }
}

#[cfg(test)]
mod tests {
    use nearprint::fingerprint::{Fingerprint, Scheme};
    use nearprint::records::{Capture, DocumentId};
    use nearprint::{CaptureKey, Index, OnDuplicate};

    use super::*;
    use crate::Settings;

    fn document(number: u64, url: &str, date: &str, digest: &str) -> StoredDocument {
        let id = DocumentId::new(format!("{number}")).unwrap();
        let print = Fingerprint::from_bytes(Scheme::SD1, &number.to_be_bytes()).unwrap();
        let capture = Capture {
            url: url.to_owned(),
            date: Some(date.to_owned()),
            digest: Some(digest.to_owned()),
            ..Capture::default()
        };
        StoredDocument { capture: Some(CaptureKey::of(&capture)), ..StoredDocument::new(id, print) }
    }

    #[test]
    fn captures_are_in_the_order_of_address_and_time() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("captured.index");
        let index = DiskIndex::create(&path, Scheme::SD1, Settings::default()).unwrap();
        let all = [
            document(1, "https://example.org/a", "20261101000000", "sha1:A"),
            document(2, "http://www.example.org/a/", "20260901000000", "sha1:B"),
            document(3, "https://example.org/a", "20261101000000", "sha1:AB"),
            document(4, "https://example.org/ab", "20260801000000", "sha1:A"),
            document(5, "https://sub.example.org/", "20260701000000", "sha1:C"),
            document(6, "https://example.net/", "no date", "sha1:A"),
            document(7, "https://example.org/a", "20261001000000", "sha1:D"),
        ];
        index.insert_documents(&all, OnDuplicate::Refuse).unwrap();
        let bare = StoredDocument { capture: None, ..all[0].clone() };
        let bare = StoredDocument { id: DocumentId::new("bare").unwrap(), ..bare };
        index.insert_documents(&[bare], OnDuplicate::Refuse).unwrap();
        let listed = |range: &CaptureRange, most: usize| {
            let mut ids = Vec::new();
            let mut after = None;
            loop {
                let page = index.captures(range, after.as_ref(), most).unwrap();
                ids.extend(page.iter().map(|found| found.document.id.to_string()));
                let Some(last) = page.last() else { break };
                assert_eq!(index.number(&last.document.id).unwrap(), Some(last.number));
                after = Some(last.clone());
            }
            ids.join(" ")
        };
        let page = CaptureRange::of_url("http://EXAMPLE.org:80/a");
        for most in [1, 2, 9] {
            assert_eq!(listed(&page, most), "2 7 1 3");
            assert_eq!(listed(&page.clone().from("202610"), most), "7 1 3");
            assert_eq!(listed(&page.clone().to("2026"), most), "2 7 1 3");
            assert_eq!(listed(&page.clone().from("20260902").to("202610"), most), "7");
            assert_eq!(listed(&page.clone().to("20261101000000"), most), "2 7 1 3");
            let below = CaptureRange::of_prefix("https://example.org/");
            assert_eq!(listed(&below, most), "2 7 1 3 4");
            assert_eq!(listed(&below.clone().from("202608").to("202609"), most), "2 4");
            assert_eq!(listed(&CaptureRange::of_prefix("https://example.org/a/"), most), "");
            assert_eq!(listed(&CaptureRange::of_key_prefix("org,example"), most), "2 7 1 3 4 5");
            assert_eq!(listed(&CaptureRange::of_key_prefix(""), most), "6 2 7 1 3 4 5");
        }
        let with = |digest: &str| {
            let found = index.with_payload_digest(digest, 9).unwrap();
            found.iter().map(|found| found.number).collect::<Vec<_>>()
        };
        assert_eq!(
            (with("sha1:A"), with("sha1:AB"), with("sha1")),
            (vec![1, 4, 6], vec![3], vec![])
        );
        // Keys go with their documents, and replaced ones are others.
        index.remove(&all[3].id).unwrap();
        let moved = StoredDocument { id: all[0].id.clone(), ..all[4].clone() };
        index.insert_documents(&[moved], OnDuplicate::Replace).unwrap();
        assert_eq!((listed(&page, 9), with("sha1:A")), ("2 7 3".to_owned(), vec![6]));
        assert_eq!(listed(&CaptureRange::of_url("https://sub.example.org"), 9), "5 1");
        drop(index);
        DiskIndex::rebuild(&path, Settings::default()).unwrap();
        let verified = DiskIndex::verify(&path, Settings::default()).unwrap();
        assert!(verified.problems.is_empty(), "{:?}", verified.problems);
    }

    #[test]
    fn what_cannot_be_a_key_is_left_out_or_refused() {
        let long =
            Capture { url: format!("https://a.b/{}", "x".repeat(5000)), ..Capture::default() };
        assert!(CaptureKey::of(&long).is_empty());
        let dated = Capture { date: Some("2026".to_owned()), ..Capture::default() };
        assert!(CaptureKey::of(&dated).is_empty());
        for wrong in [
            CaptureKey { url_key: "a b".to_owned(), ..CaptureKey::default() },
            CaptureKey { date: Some("2026".to_owned()), ..CaptureKey::default() },
            CaptureKey { payload_digest: Some(String::new()), ..CaptureKey::default() },
        ] {
            assert!(wrong.check().is_err(), "{wrong:?}");
        }
    }
}
