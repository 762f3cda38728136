//! A copy of an index in one of its states, while it is in use.

use std::path::Path;

use crate::IndexError;
use crate::disk_index::DiskIndex;
use crate::disk_index::open::Settings;
use crate::inserter::{DocumentInserter, LookFor};
use crate::lock::WriterLock;
use crate::store::record::StoredDocument;
use nearprint::records::durability;
use nearprint::{Error, OnDuplicate};

/// Documents of a copy that are written in one commit.
const BATCH: usize = 100_000;

impl DiskIndex {
    /// Copies the index as it is now to a new directory, which appears when the copy is whole. Every record is checked
    /// on the way, and the copy has no space that removed documents took. Until then it is beside it, in the directory
    /// `NAME.PROCESS.part`; such ones that a process left when it was killed are removed first.
    ///
    /// # Errors
    /// Where there is something at `to`, it cannot be written, or a record is damaged.
    pub fn snapshot(&self, to: &Path) -> Result<u64, Error> {
        if to.exists() {
            return Err(IndexError::Exists { path: to.to_owned() }.into());
        }
        remove_leavings(to);
        let mut name = to.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.part", std::process::id()));
        let part = to.with_file_name(name);
        let copied = self.copy(&part);
        let renamed = copied.and_then(|count| {
            durability::rename(&part, to).map_err(IndexError::io(to))?;
            Ok(count)
        });
        if renamed.is_err() {
            // What is left of it has a name that says what it is.
            let _ = std::fs::remove_dir_all(&part);
        }
        renamed
    }

    fn copy(&self, part: &Path) -> Result<u64, Error> {
        let settings = Settings::default().background(false);
        let copy = Self::create_with(part, self.header(), settings)?;
        let nothing = |_: &StoredDocument, _| Ok::<_, Error>(());
        let mut adding =
            DocumentInserter::new(&copy, OnDuplicate::Refuse, LookFor::Nothing, nothing);
        adding = adding.commit(BATCH);
        self.for_each_whole(|document| adding.push(document))?;
        Ok(adding.finish()?.added)
    }
}

/// Removes what processes that were killed left of copies to the same place: those that nobody writes to.
fn remove_leavings(to: &Path) {
    let parent = to.parent().filter(|parent| !parent.as_os_str().is_empty());
    let (Some(name), Ok(entries)) =
        (to.file_name(), std::fs::read_dir(parent.unwrap_or(Path::new("."))))
    else {
        return;
    };
    for entry in entries.flatten() {
        let found = entry.file_name();
        let found = found.as_encoded_bytes().strip_prefix(name.as_encoded_bytes());
        let process = found.and_then(|rest| rest.strip_prefix(b".")?.strip_suffix(b".part"));
        let is_part = process
            .is_some_and(|process| !process.is_empty() && process.iter().all(u8::is_ascii_digit));
        // Whoever copies holds the right to write; the system takes it back when the process ends.
        if is_part && WriterLock::take(&entry.path()).is_ok() {
            // What cannot be removed is in nobody's way.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}
