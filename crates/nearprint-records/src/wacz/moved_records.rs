//! Where the records of WARC files are after these were written again.

use std::collections::{HashMap, HashSet};
use std::io;
use std::ops::Range;
use std::path::Path;

use crate::ReadSettings;
use crate::archive::{StoredKind, StoredRecords};

/// Records of the WARC files of a package that changed, by the last parts of the files' names and their old places.
#[derive(Debug, Default)]
pub(super) struct MovedRecords {
    /// Those of each file, by their old offsets.
    files: HashMap<String, Vec<(u64, Option<NewPlace>)>>,
    /// The addresses and the digits of the dates of captures that are gone.
    gone: HashSet<(String, String)>,
}

/// Where a record is now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NewPlace {
    pub(super) offset: u64,
    pub(super) length: u64,
    /// Whether a response became a revisit.
    pub(super) is_revisit: bool,
}

impl MovedRecords {
    /// Takes a WARC file that was written again, by its old path and its new one, without the records at some places.
    pub(super) fn take(
        &mut self,
        name: &str,
        [old, new]: [&Path; 2],
        dropped: &[Range<u64>],
        settings: &ReadSettings,
    ) -> io::Result<()> {
        let changed = || io::Error::other("a WARC file was not written as it was to be");
        let open = |path| StoredRecords::open(path, settings)?.ok_or_else(changed);
        let mut new = match std::fs::metadata(new)?.len() {
            0 => None,
            _ => Some(open(new)?),
        };
        let (mut records, mut dropped) = (Vec::new(), dropped.iter().peekable());
        for record in open(old)? {
            if record.place.wrapper.is_some() {
                let text = "a WARC file of the package is compressed as a whole, so none of its records can change";
                return Err(io::Error::new(io::ErrorKind::Unsupported, text));
            }
            let offset = record.place.offset.ok_or_else(changed)?;
            if dropped.next_if(|stretch| stretch.start == offset).is_some() {
                if let Some(date) = &record.capture.date {
                    self.gone.insert((record.capture.url.clone(), digits(date)));
                }
                records.push((offset, None));
                continue;
            }
            let next = new.as_mut().and_then(Iterator::next).ok_or_else(changed)?;
            let (Some(at), Some(length)) = (next.place.offset, next.place.length) else {
                return Err(changed());
            };
            let is_revisit =
                record.kind == StoredKind::Response && next.kind == StoredKind::Revisit;
            records.push((offset, Some(NewPlace { offset: at, length, is_revisit })));
        }
        if new.as_mut().and_then(Iterator::next).is_some() || dropped.next().is_some() {
            return Err(changed());
        }
        self.files.insert(last_part(name).to_owned(), records);
        Ok(())
    }

    /// Where the record of a file that began at an offset is now: `None` if it did not move, `Some(None)` if it is
    /// gone.
    pub(super) fn place(&self, file: &str, offset: u64) -> Option<Option<NewPlace>> {
        let records = self.files.get(last_part(file))?;
        let at = records.binary_search_by_key(&offset, |(old, _)| *old).ok()?;
        Some(records[at].1)
    }

    /// Whether a capture of an address at a time is gone.
    pub(super) fn is_gone(&self, url: &str, date: &str) -> bool {
        !self.gone.is_empty() && self.gone.contains(&(url.to_owned(), digits(date)))
    }
}

/// Indexes name files with their folder or without it.
pub(super) fn last_part(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// The second of a date, as 14 digits.
fn digits(date: &str) -> String {
    date.chars().filter(char::is_ascii_digit).take(14).collect()
}
