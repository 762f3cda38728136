//! Which files were read, by device and inode: a file that is reached twice is read once.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use nearprint_records::{Content, Document, DocumentId, ErrorRecord, FileIdentity, SameFile};

use crate::store::byte_store::ByteStore;

/// Bytes of names of files that are held in memory; those beyond are in a temporary file.
const NAMES: u64 = 16 << 20;

/// The files that sources have met: copies share what they know. Takes some 40 bytes of memory for each.
#[derive(Debug, Clone)]
pub struct SeenFiles(Arc<Mutex<Files>>);

#[derive(Debug)]
struct Files {
    numbers: HashMap<FileIdentity, u32>,
    ids: ByteStore,
}

impl Default for SeenFiles {
    fn default() -> Self {
        let ids = ByteStore::new("names of files", NAMES, 8, std::env::temp_dir());
        Self(Arc::new(Mutex::new(Files { numbers: HashMap::new(), ids })))
    }
}

impl SeenFiles {
    /// Takes note of the file that a document is; the record of it where it was met before.
    pub(super) fn meet(&self, document: &Document) -> Option<ErrorRecord> {
        let Content::File { path, .. } = &document.content else { return None };
        let first = self.first(path, &document.id)?;
        Some(SameFile { first }.record(document.id.clone(), document.place.clone()))
    }

    /// The id of the file under which it was met first; `None` now if that is now. A file that cannot be examined, or
    /// whose name cannot be written down, is read like any other.
    fn first(&self, path: &Path, id: &DocumentId) -> Option<DocumentId> {
        let identity = FileIdentity::of(path).ok()?;
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Files { numbers, ids } = &mut *files;
        let next = u32::try_from(ids.len()).ok()?;
        match numbers.entry(identity) {
            Entry::Occupied(number) => {
                let first = ids.get(*number.get() as usize).ok()?;
                DocumentId::new(std::str::from_utf8(&first).ok()?).ok()
            }
            Entry::Vacant(free) => {
                ids.push(id.as_str().as_bytes()).ok()?;
                free.insert(next);
                None
            }
        }
    }
}
