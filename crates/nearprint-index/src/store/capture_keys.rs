//! Captures of the Web by address and time, and documents by the digest of their payload: ordered keys beside the ids.
//!
//! | table | key |
//! |---|---|
//! | `captures` | the key of the address (SURT), a space, the time in 14 digits or nothing, the sequence number |
//! | `payloads` | the digest, the sequence number |
//!
//! Sequence numbers have 8 bytes, the most significant first. A space comes before all that the key of an address can
//! contain, so the order is that of an index of captures (CDX): by address, then by time.

use nearprint::CaptureKey;
use nearprint::records::url_key;
use redb::{ReadOnlyTable, ReadTransaction, ReadableTableMetadata, Table, WriteTransaction};

use crate::IndexError;
use crate::store::record::StoredDocument;
use crate::store::source::Source;
use crate::store::{CAPTURES, PAYLOADS};

/// Which captures are wanted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CaptureRange {
    /// What their address keys begin with, or are.
    key: String,
    exact: bool,
    from: String,
    to: Option<String>,
}

impl CaptureRange {
    /// The captures of one address, however it is written: `http` or `https`, with `www.` or without.
    #[must_use]
    pub fn of_url(url: &str) -> Self {
        Self { key: url_key(url), exact: true, ..Self::default() }
    }

    /// The captures of all addresses that begin with this one, such as `https://example.org/a/`.
    #[must_use]
    pub fn of_prefix(url: &str) -> Self {
        let mut key = url_key(url);
        if url.ends_with('/') && !key.ends_with('/') {
            key.push('/');
        }
        Self { key, ..Self::default() }
    }

    /// The captures whose address keys begin with a text, such as `org,example,` for all hosts below `example.org`.
    #[must_use]
    pub fn of_key_prefix(key: impl Into<String>) -> Self {
        Self { key: key.into(), ..Self::default() }
    }

    /// Only captures at this time or later: 14 digits, or the first ones of them (`2026`, `202611`).
    #[must_use]
    pub fn from(self, date: impl Into<String>) -> Self {
        Self { from: date.into(), ..self }
    }

    /// Only captures at this time or earlier: 14 digits, or the first ones of them, of which all times are meant.
    #[must_use]
    pub fn to(self, date: impl Into<String>) -> Self {
        Self { to: Some(date.into()), ..self }
    }

    /// Whether the time of a key is one of those that are wanted.
    pub(crate) fn allows(&self, date: &[u8]) -> bool {
        let beyond = |to: &String| date.get(..to.len()).unwrap_or(date) > to.as_bytes();
        date >= self.from.as_bytes() && !self.to.as_ref().is_some_and(beyond)
    }

    /// The keys of the table between which all of them are.
    pub(crate) fn bounds(&self) -> (Vec<u8>, Vec<u8>) {
        let key = self.key.as_bytes();
        let mut end = key.to_vec();
        if self.exact {
            end.push(b' ');
            let start = [&end[..], self.from.as_bytes()].concat();
            end.extend(self.to.as_deref().unwrap_or_default().as_bytes());
            // Digits and numbers of what `to` begins: no digit is this byte, and no number begins with it.
            end.push(0xff);
            return (start, end);
        }
        // No byte of UTF-8 is 255.
        end.push(0xff);
        (key.to_vec(), end)
    }
}

/// The key of a capture in the table; `None` without an address.
pub(crate) fn capture_row(sequence: u64, capture: &CaptureKey) -> Option<Vec<u8>> {
    let date = capture.date.as_deref().unwrap_or_default();
    let key = &capture.url_key;
    (!key.is_empty())
        .then(|| [key.as_bytes(), b" ", date.as_bytes(), &sequence.to_be_bytes()].concat())
}

/// The sequence number of a row.
pub(crate) fn sequence_of(row: &[u8]) -> u64 {
    row.last_chunk().map_or(u64::MAX, |last| u64::from_be_bytes(*last))
}

/// The bytes between which all rows of the address of a row are, the end excluded.
pub(crate) fn address_bounds(row: &[u8]) -> (Vec<u8>, Vec<u8>) {
    // The keys of addresses have no spaces.
    let key = row.split(|&byte| byte == b' ').next().unwrap_or_default();
    ([key, b" "].concat(), [key, b"!"].concat())
}

/// The key of a payload in the table; `None` without a digest.
fn payload_row(sequence: u64, capture: &CaptureKey) -> Option<Vec<u8>> {
    let digest = capture.payload_digest.as_deref()?;
    Some([digest.as_bytes(), b" ", &sequence.to_be_bytes()].concat())
}

/// Between which keys those of a payload are; keys of longer digests may be, too.
pub(crate) fn payload_bounds(digest: &str) -> (Vec<u8>, Vec<u8>) {
    ([digest.as_bytes(), b" "].concat(), [digest.as_bytes(), b"!"].concat())
}

/// The tables of keys in a transaction that changes them.
pub(crate) struct CaptureTables<'t> {
    captures: Table<'t, &'static [u8], ()>,
    payloads: Table<'t, &'static [u8], ()>,
}

impl<'t> CaptureTables<'t> {
    pub(crate) fn open(source: &Source, to: &'t WriteTransaction) -> Result<Self, IndexError> {
        let store = &source.store;
        let captures = store.tried(to.open_table(CAPTURES))?;
        Ok(Self { captures, payloads: store.tried(to.open_table(PAYLOADS))? })
    }

    /// Adds the keys of documents, in their order: each page of the tables is touched once.
    pub(crate) fn insert<'d>(
        &mut self,
        source: &Source,
        documents: impl Iterator<Item = (u64, &'d CaptureKey)> + Clone,
    ) -> Result<(), IndexError> {
        let store = &source.store;
        let sorted = |row: fn(u64, &CaptureKey) -> Option<Vec<u8>>| {
            let rows = documents.clone().filter_map(|(sequence, capture)| row(sequence, capture));
            let mut rows: Vec<_> = rows.collect();
            rows.sort_unstable();
            rows
        };
        for row in sorted(capture_row) {
            store.tried(self.captures.insert(row.as_slice(), ()).map(drop))?;
        }
        for row in sorted(payload_row) {
            store.tried(self.payloads.insert(row.as_slice(), ()).map(drop))?;
        }
        Ok(())
    }

    /// Removes the keys of a document.
    pub(crate) fn remove(
        &mut self,
        source: &Source,
        sequence: u64,
        capture: &CaptureKey,
    ) -> Result<(), IndexError> {
        let store = &source.store;
        if let Some(row) = capture_row(sequence, capture) {
            store.tried(self.captures.remove(row.as_slice()).map(drop))?;
        }
        if let Some(row) = payload_row(sequence, capture) {
            store.tried(self.payloads.remove(row.as_slice()).map(drop))?;
        }
        Ok(())
    }

    /// Removes all keys.
    pub(crate) fn clear(&mut self, source: &Source) -> Result<(), IndexError> {
        let store = &source.store;
        store.tried(self.captures.retain(|_, ()| false))?;
        store.tried(self.payloads.retain(|_, ()| false))
    }
}

/// Compares the keys of a state of the store with its documents.
pub(crate) struct CheckedCaptures<'s> {
    source: &'s Source,
    tables: [ReadOnlyTable<&'static [u8], ()>; 2],
    expected: [u64; 2],
}

impl<'s> CheckedCaptures<'s> {
    pub(crate) fn open(source: &'s Source, at: &ReadTransaction) -> Result<Self, IndexError> {
        let store = &source.store;
        let tables = [store.tried(at.open_table(CAPTURES))?, store.tried(at.open_table(PAYLOADS))?];
        Ok(Self { source, tables, expected: [0; 2] })
    }

    /// Whether the keys of a document are there.
    pub(crate) fn has(
        &mut self,
        sequence: u64,
        document: &StoredDocument,
    ) -> Result<bool, IndexError> {
        let Some(capture) = &document.capture else { return Ok(true) };
        let rows = [capture_row(sequence, capture), payload_row(sequence, capture)];
        let mut all = true;
        for ((table, row), expected) in self.tables.iter().zip(rows).zip(&mut self.expected) {
            let Some(row) = row else { continue };
            *expected += 1;
            all &= self.source.store.tried(table.get(row.as_slice()))?.is_some();
        }
        Ok(all)
    }

    /// Whether there are no other keys than those of the documents that were asked about.
    pub(crate) fn are_all(&self) -> Result<bool, IndexError> {
        for (table, &expected) in self.tables.iter().zip(&self.expected) {
            if self.source.store.tried(table.len())? != expected {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
