//! The addresses of captures, and their hosts: where somebody begins who knows no address.
//!
//! Rows are in the order of the keys of addresses, so all of one address lie together, and all addresses of one host.
//! A list goes from each to the next by one look into the table.

use std::ops::Bound;

use nearprint::Error;

use crate::IndexError;
use crate::cancellation::check;
use crate::disk_index::DiskIndex;
use crate::disk_index::capture_list::{CaptureRow, CaptureRows};
use crate::store::capture_keys::CaptureRange;

/// Rows that are counted for one page (<=): a page of addresses with very many captures is short.
const MOST_ROWS: u64 = 200_000;

/// Captures of a host that are counted (<=).
const MOST_OF_HOST: u64 = 1_000;

/// An address with its captures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedAddress {
    /// The key of the address (SURT).
    pub url_key: String,
    /// The address, as its last capture has it; made of the key where that is not known.
    pub url: String,
    /// The title of its last capture with a document; without one, that of its last.
    pub title: Option<String>,
    /// Captures.
    pub captures: u64,
    /// The time of the first capture, 14 digits, if it is known.
    pub first: Option<String>,
    /// The same of the last.
    pub last: Option<String>,
    /// The status of the last capture.
    pub status: Option<u16>,
}

/// Addresses, and the key after which there may be more.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AddressPage {
    /// The addresses.
    pub addresses: Vec<ListedAddress>,
    /// The key after which the next page begins; `None` at the end.
    pub next: Option<String>,
}

/// A host with its captures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedHost {
    /// What the keys of its addresses begin with, such as `org,example)`; of addresses without a host, the scheme.
    pub key: String,
    /// The host, such as `example.org`, with its port if that is not the usual one.
    pub host: String,
    /// Captures of its addresses; at most 1,000 are counted.
    pub captures: u64,
    /// Whether there are more.
    pub has_more: bool,
}

/// Hosts, and the key after which there may be more.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HostPage {
    /// The hosts.
    pub hosts: Vec<ListedHost>,
    /// The key after which the next page begins; `None` at the end.
    pub next: Option<String>,
}

/// The key of the address of a row.
fn url_key(row: &[u8]) -> &[u8] {
    row.split(|&byte| byte == b' ').next().unwrap_or_default()
}

/// The time of a row, if it is known.
fn date(row: &[u8]) -> Option<String> {
    let key = &row[..row.len().saturating_sub(8)];
    let date = key.get(url_key(row).len() + 1..).filter(|date| !date.is_empty())?;
    Some(String::from_utf8_lossy(date).into_owned())
}

/// What the keys of all addresses of a host begin with: up to the bracket behind it, or the colon behind a scheme.
fn host_key(url_key: &[u8]) -> &[u8] {
    let end = url_key.iter().position(|&byte| byte == b')');
    let end = end.or_else(|| url_key.iter().position(|&byte| byte == b':'));
    &url_key[..end.map_or(url_key.len(), |end| end + 1)]
}

/// A host as people write it: `example.org:8080` of `org,example:8080)`.
fn host_of(key: &str) -> String {
    let Some(host) = key.strip_suffix(')') else { return key.to_owned() };
    let (labels, port) =
        host.split_once(':').map_or((host, None), |(host, port)| (host, Some(port)));
    let mut labels: Vec<&str> = labels.split(',').collect();
    labels.reverse();
    let name = labels.join(".");
    port.map_or(name.clone(), |port| format!("{name}:{port}"))
}

/// The address of a key, as well as that says.
fn address_of(url_key: &str) -> String {
    match url_key.split_once(')') {
        Some((host, path)) => format!("{}{path}", host_of(&format!("{host})"))),
        None => url_key.to_owned(),
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl CaptureRows<'_> {
    /// The first row at or after a key, and before `end`.
    fn first(&self, from: &[u8], end: &[u8]) -> Result<Option<CaptureRow>, IndexError> {
        if from >= end {
            return Ok(None);
        }
        self.between((Bound::Included(from), Bound::Excluded(end)))?.next()
    }

    /// The address of a key, with all of its captures, and how many there are.
    fn address(&self, key: &[u8]) -> Result<ListedAddress, IndexError> {
        let (start, end) = ([key, b" "].concat(), [key, b"!"].concat());
        let mut rows = self.between((Bound::Included(&start), Bound::Excluded(&end)))?;
        let (mut captures, mut first, mut last, mut titled) = (0, None, None, None);
        while let Some(row) = rows.next()? {
            if captures == 0 {
                first = date(row.bytes());
            }
            captures += 1;
            let before = last.replace(row);
            titled = before.filter(|row| !matches!(row, CaptureRow::Entry(..))).or(titled);
        }
        let is_entry = matches!(last, Some(CaptureRow::Entry(..)));
        let last_date = last.as_ref().and_then(|row| date(row.bytes()));
        let capture = last.map(|row| self.capture(row)).transpose()?;
        let details = capture.map(|capture| capture.details).unwrap_or_default();
        // A page that is gone is called what it was called, and not "Not found".
        let title = match titled.filter(|_| is_entry) {
            Some(row) => self.capture(row)?.details.title.or(details.title),
            None => details.title,
        };
        let url_key = text(key);
        Ok(ListedAddress {
            url: details.url.unwrap_or_else(|| address_of(&url_key)),
            title,
            captures,
            first,
            last: last_date,
            status: details.status,
            url_key,
        })
    }
}

impl DiskIndex {
    /// Up to `most` addresses that have captures in a range (whose times do not count), in the order of their keys:
    /// those after the key `after`, or from the first. A page may have fewer. O(log n) for each address, and O(1) for
    /// each of their captures.
    ///
    /// # Errors
    /// Where the index cannot be read.
    pub fn addresses(
        &self,
        range: &CaptureRange,
        after: Option<&str>,
        most: usize,
    ) -> Result<AddressPage, Error> {
        let source = &self.shared.source;
        let (start, end) = range.bounds();
        let after = after.map(|after| [after.as_bytes(), b"!"].concat());
        let mut from = after.map_or(start.clone(), |after| after.max(start));
        let page = source.store.guarded(|| {
            let at = source.store.begin_read()?;
            let tables = CaptureRows::open(source, &at)?;
            let (mut page, mut rows) = (AddressPage::default(), 0);
            while let Some(row) = tables.first(&from, &end)? {
                check()?;
                if page.addresses.len() == most || rows > MOST_ROWS {
                    page.next = page.addresses.last().map(|last| last.url_key.clone());
                    break;
                }
                let key = url_key(row.bytes());
                let address = tables.address(key)?;
                rows += address.captures;
                page.addresses.push(address);
                from = [key, b"!"].concat();
            }
            Ok::<_, IndexError>(page)
        })?;
        Ok(page)
    }

    /// Up to `most` hosts of captures whose keys begin with `prefix`, in the order of their keys: those after the key
    /// `after`, or from the first. O(log n) for each.
    ///
    /// # Errors
    /// Where the index cannot be read.
    pub fn hosts(&self, prefix: &str, after: Option<&str>, most: usize) -> Result<HostPage, Error> {
        let source = &self.shared.source;
        // No byte of UTF-8 is 255.
        let end = [prefix.as_bytes(), &[0xff]].concat();
        let after = after.map(|after| [after.as_bytes(), &[0xff]].concat());
        let mut from = after.map_or_else(
            || prefix.as_bytes().to_vec(),
            |after| after.max(prefix.as_bytes().to_vec()),
        );
        let page = source.store.guarded(|| {
            let at = source.store.begin_read()?;
            let tables = CaptureRows::open(source, &at)?;
            let mut page = HostPage::default();
            while let Some(row) = tables.first(&from, &end)? {
                check()?;
                if page.hosts.len() == most {
                    page.next = page.hosts.last().map(|last| last.key.clone());
                    break;
                }
                let key = host_key(url_key(row.bytes()));
                let beyond = [key, &[0xff]].concat();
                let mut rows =
                    tables.between((Bound::Included(key), Bound::Excluded(beyond.as_slice())))?;
                let (mut captures, mut has_more) = (0, false);
                while rows.next()?.is_some() {
                    has_more = captures == MOST_OF_HOST;
                    if has_more {
                        break;
                    }
                    captures += 1;
                }
                let key = text(key);
                page.hosts.push(ListedHost { host: host_of(&key), key, captures, has_more });
                from = beyond;
            }
            Ok::<_, IndexError>(page)
        })?;
        Ok(page)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_shown_as_people_write_addresses() {
        for (key, host, address) in [
            ("org,example)/a", "example.org", "example.org/a"),
            ("org,example,sub:8080)/", "sub.example.org:8080", "sub.example.org:8080/"),
            ("urn:x:y", "urn:", "urn:x:y"),
            ("odd", "odd", "odd"),
        ] {
            assert_eq!(host_of(&text(host_key(key.as_bytes()))), host);
            assert_eq!(address_of(key), address);
        }
        let row = [b"org,example)/a 20260101000000".as_slice(), &7u64.to_be_bytes()].concat();
        assert_eq!(date(&row).as_deref(), Some("20260101000000"));
        let undated = [b"org,example)/a ".as_slice(), &7u64.to_be_bytes()].concat();
        assert_eq!((date(&undated), date(b"")), (None, None));
    }
}
