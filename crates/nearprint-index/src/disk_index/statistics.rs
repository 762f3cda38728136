//! What an index is like: how many documents it has, and what they take on disk and in memory.

use nearprint::records::IndexRow;
use nearprint::{Documents, Error};

use crate::IndexError;
use crate::disk_index::DiskIndex;
use crate::format::FORMAT_VERSION;
use crate::store::header::Header;
use crate::store::source::Source;
use crate::store::{SEGMENTS, Store};

/// What an index is like.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// Documents.
    pub documents: u64,
    /// Documents that are in no segment yet.
    pub fresh: u64,
    /// Files of tables.
    pub segments: u64,
    /// Documents in them, removed ones included.
    pub entries: u64,
    /// Removed documents in them.
    pub removed: u64,
    /// Bytes of the store on disk.
    pub store_bytes: u64,
    /// Bytes of the files of tables.
    pub table_bytes: u64,
    /// Bytes of memory that tables take at the moment.
    pub memory: u64,
    /// Why the last merge failed; `None` where it did not.
    pub merge_error: Option<String>,
}

impl Statistics {
    /// The row that describes an index with this header.
    #[must_use]
    pub fn row(&self, header: &Header) -> IndexRow {
        let mut row = IndexRow::default();
        row.scheme = header.scheme.to_string();
        row.format = FORMAT_VERSION;
        row.created_by.clone_from(&header.created_by);
        (row.documents, row.fresh) = (self.documents, self.fresh);
        (row.segments, row.entries, row.removed) = (self.segments, self.entries, self.removed);
        (row.store_bytes, row.table_bytes) = (self.store_bytes, self.table_bytes);
        row
    }
}

impl DiskIndex {
    /// What the index is like at the moment.
    ///
    /// # Errors
    /// Where the index cannot be read.
    pub fn statistics(&self) -> Result<Statistics, Error> {
        let Source { store, path, .. } = &self.shared.source;
        let segments = store.guarded(|| {
            let at = store.begin_read()?;
            store.segments(&store.tried(at.open_table(SEGMENTS))?)
        })?;
        let documents = self.len()?;
        let (entries, removed) = segments.iter().fold((0, 0), |(entries, removed), segment| {
            (entries + segment.entries, removed + segment.removed)
        });
        let file = Store::file(path);
        let length = std::fs::metadata(&file).map_err(IndexError::io(&file))?.len();
        Ok(Statistics {
            documents,
            fresh: documents.saturating_sub(entries - removed),
            segments: segments.len() as u64,
            entries,
            removed,
            store_bytes: length,
            table_bytes: segments.iter().map(|segment| segment.length).sum(),
            memory: self.shared.tables.memory(),
            merge_error: self.shared.merge_error(),
        })
    }

    /// Reads all tables into memory, so that the first queries are as quick as later ones.
    ///
    /// # Errors
    /// Where a file of tables cannot be read or is damaged.
    pub fn read_all(&self) -> Result<(), Error> {
        Ok(self.shared.tables.read_all()?)
    }
}
