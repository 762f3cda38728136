//! Upkeep of an index: merging its segments, making its tables again, and verifying it.

use std::path::Path;

use crate::IndexError;
use crate::disk_index::DiskIndex;
use crate::disk_index::open::Settings;
use crate::maintenance;
use crate::store::Store;
use crate::store::description::Description;
use crate::store::header::Header;
use crate::store::source::Source;
use crate::tables;
use crate::verify::{self, VerifyReport};

impl DiskIndex {
    /// Merges segments until all are as the policy wants them.
    ///
    /// # Errors
    /// Where the index cannot be read or written.
    pub fn merge_segments(&self) -> Result<(), IndexError> {
        self.shared.check_writable()?;
        maintenance::merge_all(&self.shared, &|| false)
    }

    /// Makes all tables of an index again from its documents, whatever their files are like: those of fingerprints, and
    /// those of addresses and payloads.
    ///
    /// # Errors
    /// Where there is no index, another process writes to it, or its store is damaged.
    pub fn rebuild(path: &Path, settings: Settings) -> Result<(), IndexError> {
        let (store, header, _lock) = Self::opened(path, &settings)?;
        let directory = Description::directory(path);
        std::fs::create_dir_all(&directory).map_err(IndexError::io(&directory))?;
        let tables = tables::of_scheme(header.scheme);
        let source = Source::new(path.to_owned(), store, &header);
        maintenance::rebuild(&source, &*tables)
    }

    /// Makes all tables again and gives unused space of the store back to the file system.
    ///
    /// # Errors
    /// As for [`rebuild`](Self::rebuild).
    pub fn compact(path: &Path, settings: Settings) -> Result<(), IndexError> {
        Self::rebuild(path, settings.clone())?;
        let (mut store, _, _lock) = Self::opened(path, &settings)?;
        store.compact()
    }

    /// Verifies an index that may be damaged, without changing it.
    ///
    /// # Errors
    /// Where there is no index that can be opened at all.
    pub fn verify(path: &Path, settings: Settings) -> Result<VerifyReport, IndexError> {
        let store = Store::open_read_only(path, settings.cache)?;
        let header = store.guarded(|| Header::read(&store, &store.begin_read()?, path))?;
        let tables = tables::of_scheme(header.scheme);
        let source = Source::new(path.to_owned(), store, &header);
        verify::all(&source, &*tables)
    }
}
