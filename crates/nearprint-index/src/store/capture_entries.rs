//! Captures without a document: an index of captures (CDX) has them, or an archive that holds a redirect or an error.
//!
//! | tag | part of a value of [`parts`](crate::store::parts) |
//! |---|---|
//! | 8 | the digest of the payload |
//! | 128 to 135 | the [details](crate::store::capture_details) |
//!
//! The key is that of a capture with a document, with a digest of the entry in place of the sequence number. Its first
//! bit is set, so in one second entries come after captures with documents, and the same entry has the same key.

use nearprint::CaptureKey;
use nearprint::records::CaptureEntryRow;
use redb::{ReadOnlyTable, ReadTransaction, ReadableTable, Table, TableError, WriteTransaction};
use twox_hash::XxHash3_64;

use crate::IndexError;
use crate::cancellation::check;
use crate::store::capture_details::{CaptureDetails, DETAIL_TAGS};
use crate::store::capture_keys::{capture_row, sequence_of};
use crate::store::parts::{Parts, PreparedValue};
use crate::store::record::{RecordView, damaged};
use crate::store::source::Source;
use crate::store::{CAPTURES, ENTRIES};

const PAYLOAD_DIGEST: u8 = 8;

/// The tags of all parts.
const TAGS: [u8; 10] = {
    let mut tags = [PAYLOAD_DIGEST; 10];
    let mut at = 0;
    while at < 9 {
        tags[at + 1] = DETAIL_TAGS[at];
        at += 1;
    }
    tags
};

/// A capture of which the index has no document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CaptureEntry {
    /// By what it is found: with an address and a time.
    pub key: CaptureKey,
    /// What it is called, and where it lies.
    pub details: CaptureDetails,
}

impl CaptureEntry {
    /// Refuses what an index cannot hold.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub fn check(&self) -> Result<(), &'static str> {
        if self.key.url_key.is_empty() || self.key.date.is_none() {
            return Err("a capture without a document needs an address and a time");
        }
        self.key.check().and_then(|()| self.details.check())
    }

    /// The key of the entry in the table; `None` without an address.
    fn row(&self) -> Option<Vec<u8>> {
        let CaptureDetails { url, status, mime, .. } = &self.details;
        let digest = &self.key.payload_digest;
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let status = status.unwrap_or_default();
        let all = format!("{}\n{status}\n{}\n{}", text(url), text(mime), text(digest));
        // Its first byte is 128 to 191: bounds of rows are beyond.
        let number = XxHash3_64::oneshot(all.as_bytes()) >> 2 | 1 << 63;
        capture_row(number, &self.key)
    }

    fn prepare(&self) -> PreparedValue {
        let mut value = PreparedValue::new();
        value.put_some(PAYLOAD_DIGEST, self.key.payload_digest.as_deref());
        self.details.put(&mut value);
        value
    }

    /// The entry of a row and its value; `None` where it is damaged.
    pub(crate) fn of_row(row: &[u8], value: &[u8]) -> Option<Self> {
        let [digest, details @ ..] = Parts::of(sequence_of(row), value)?.tagged(TAGS)?;
        let details = CaptureDetails::of_parts(details)?;
        let (key, _) = row.split_last_chunk::<8>()?;
        let (url_key, date) = std::str::from_utf8(key).ok()?.split_once(' ')?;
        let digest = digest.map(|digest| String::from_utf8(digest.to_vec())).transpose().ok()?;
        let key = CaptureKey {
            url_key: url_key.to_owned(),
            date: Some(date.to_owned()),
            payload_digest: digest,
        };
        (key.check().is_ok()).then_some(Self { key, details })
    }

    /// Whether it is the capture of a document with the same address and time.
    fn is_of(&self, key: &CaptureKey, details: Option<&CaptureDetails>) -> bool {
        let status = details.and_then(|details| details.status);
        let same_payload =
            self.key.payload_digest.is_some() && self.key.payload_digest == key.payload_digest;
        same_payload
            || status.is_none()
            || self.details.status.is_none_or(|own| Some(own) == status)
    }
}

impl From<CaptureEntry> for CaptureEntryRow {
    fn from(entry: CaptureEntry) -> Self {
        let CaptureKey { url_key, date, payload_digest } = entry.key;
        let CaptureDetails { url, title, status, mime, file, offset, length, is_revisit, language } =
            entry.details;
        let mut row = Self::default();
        (row.url_key, row.date, row.payload_digest) =
            (url_key, date.unwrap_or_default(), payload_digest);
        (row.url, row.title, row.status, row.mime) = (url, title, status, mime);
        (row.file, row.offset, row.length, row.is_revisit) = (file, offset, length, is_revisit);
        row.language = language;
        row
    }
}

/// The table of entries in a transaction that changes it, with what it is compared with.
pub(crate) struct EntryTable<'t> {
    source: &'t Source,
    entries: Table<'t, &'static [u8], &'static [u8]>,
    captures: Table<'t, &'static [u8], ()>,
}

impl<'t> EntryTable<'t> {
    pub(crate) fn open(source: &'t Source, to: &'t WriteTransaction) -> Result<Self, IndexError> {
        let store = &source.store;
        let entries = store.tried(to.open_table(ENTRIES))?;
        let captures = store.tried(to.open_table(CAPTURES))?;
        Ok(Self { source, entries, captures })
    }

    /// Whether an entry is there, or a document that is the same capture.
    pub(crate) fn has(
        &self,
        entry: &CaptureEntry,
        documents: &impl ReadableTable<u64, &'static [u8]>,
    ) -> Result<bool, IndexError> {
        let Source { store, scheme, .. } = self.source;
        let Some(row) = entry.row() else { return Ok(true) };
        if store.tried(self.entries.get(row.as_slice()))?.is_some() {
            return Ok(true);
        }
        let (start, end) = second(&row);
        let rows = self.captures.range(start.as_slice()..=end.as_slice());
        for captured in store.tried(rows)? {
            let sequence = sequence_of(store.tried(captured)?.0.value());
            let record = store.tried(documents.get(sequence))?;
            // A change before this one in the same commit takes it out.
            let Some(record) = record else { continue };
            let view = RecordView::of(*scheme, sequence, record.value());
            let document = view.and_then(|view| view.document());
            let document = document.ok_or_else(|| store.damaged(damaged(sequence)))?;
            let key = document.capture.unwrap_or_default();
            if entry.is_of(&key, document.details.as_deref()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Adds entries that are not there.
    pub(crate) fn insert(&mut self, entries: &[CaptureEntry]) -> Result<(), IndexError> {
        let store = &self.source.store;
        let mut rows: Vec<_> =
            entries.iter().filter_map(|entry| Some((entry.row()?, entry.prepare()))).collect();
        rows.sort_by(|a, b| a.0.cmp(&b.0));
        for (row, mut value) in rows {
            let value = value.sealed(sequence_of(&row));
            store.tried(self.entries.insert(row.as_slice(), value).map(drop))?;
        }
        Ok(())
    }

    /// Removes the entries that are the captures of a document.
    pub(crate) fn remove_of(
        &mut self,
        row: &[u8],
        key: &CaptureKey,
        details: Option<&CaptureDetails>,
    ) -> Result<(), IndexError> {
        let store = &self.source.store;
        let mut same = Vec::new();
        let (start, end) = second(row);
        let rows = self.entries.range(start.as_slice()..=end.as_slice());
        for found in store.tried(rows)? {
            let (row, value) = store.tried(found)?;
            let entry = CaptureEntry::of_row(row.value(), value.value());
            let entry = entry.ok_or_else(|| store.damaged(DAMAGED))?;
            if entry.is_of(key, details) {
                same.push(row.value().to_vec());
            }
        }
        for row in same {
            store.tried(self.entries.remove(row.as_slice()).map(drop))?;
        }
        Ok(())
    }
}

/// The table of entries in one state of the store.
pub(crate) type StoredEntries = ReadOnlyTable<&'static [u8], &'static [u8]>;

/// The entries of a state of the store; `None` in a store that an earlier version made.
pub(crate) fn open_entries(
    source: &Source,
    at: &ReadTransaction,
) -> Result<Option<StoredEntries>, IndexError> {
    match at.open_table(ENTRIES) {
        Err(TableError::TableDoesNotExist(_)) => Ok(None),
        opened => source.store.tried(opened).map(Some),
    }
}

/// How many entries of a state of the store cannot be read.
pub(crate) fn damaged_entries(source: &Source, at: &ReadTransaction) -> Result<u64, IndexError> {
    let store = &source.store;
    let Some(entries) = open_entries(source, at)? else { return Ok(0) };
    let mut damaged = 0;
    for row in store.tried(entries.range::<&[u8]>(..))? {
        check()?;
        let (row, value) = store.tried(row)?;
        damaged += u64::from(CaptureEntry::of_row(row.value(), value.value()).is_none());
    }
    Ok(damaged)
}

/// What is wrong with an entry that cannot be read.
pub(crate) const DAMAGED: &str = "a capture without a document is damaged";

/// The bounds of the rows of the same address and time, both included.
fn second(row: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let key = &row[..row.len().saturating_sub(8)];
    (key.to_vec(), [key, &[0xff; 8]].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(status: Option<u16>, digest: Option<&str>) -> CaptureEntry {
        CaptureEntry {
            key: CaptureKey {
                url_key: "org,example)/a".to_owned(),
                date: Some("20260101000000".to_owned()),
                payload_digest: digest.map(str::to_owned),
            },
            details: CaptureDetails {
                url: Some("http://example.org/a".to_owned()),
                status,
                ..CaptureDetails::default()
            },
        }
    }

    #[test]
    fn entries_come_back_from_their_rows() {
        for entry in [entry(Some(404), Some("sha1:A")), entry(None, None)] {
            let row = entry.row().expect("an address");
            assert!(sequence_of(&row) >= 1 << 63);
            let mut value = entry.prepare();
            let bytes = value.sealed(sequence_of(&row)).to_vec();
            assert_eq!(CaptureEntry::of_row(&row, &bytes), Some(entry));
            for bit in 0..bytes.len() * 8 {
                let mut hurt = bytes.clone();
                hurt[bit / 8] ^= 1 << (bit % 8);
                assert_eq!(CaptureEntry::of_row(&row, &hurt), None, "bit {bit}");
            }
        }
        assert!(entry(None, None).check().is_ok());
        let undated = CaptureKey { date: None, ..entry(None, None).key };
        assert!(CaptureEntry { key: undated, ..entry(None, None) }.check().is_err());
    }

    #[test]
    fn an_entry_is_the_capture_of_a_document_by_status_or_payload() {
        let key = entry(None, Some("sha1:A")).key;
        let details = |status| CaptureDetails { status, ..CaptureDetails::default() };
        for (own, digest, of, is_same) in [
            (Some(200), None, Some(200), true),
            (Some(404), None, Some(200), false),
            (Some(404), Some("sha1:A"), Some(200), true),
            (None, None, Some(200), true),
            (Some(404), None, None, true),
        ] {
            let found = entry(own, digest).is_of(&key, Some(&details(of)));
            assert_eq!(found, is_same, "{own:?} {digest:?} {of:?}");
        }
        assert!(entry(Some(200), None).is_of(&key, None));
    }
}
