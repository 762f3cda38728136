//! What an index asks of its tables, whatever its fingerprints are.

use std::path::Path;

use nearprint::IndexMatch;
use nearprint::fingerprint::{Family, Fingerprint, Scheme};
use redb::ReadTransaction;

use crate::IndexError;
use crate::description::Description;
use crate::no_tables::NoTables;
use crate::rows::Rows;
use crate::source::{Source, View};
use crate::word_tables::Tables;

/// The tables of an index, whatever the width of its fingerprints.
pub(crate) trait TableSet: Send + Sync {
    /// Brings the copy to the state of a transaction, unless it is newer.
    fn refresh(&self, source: &Source, at: &ReadTransaction) -> Result<(), IndexError>;

    /// All documents within `k` of each fingerprint, in no order. `None` where this state can no longer be read.
    fn near(
        &self,
        view: &View<'_>,
        asked: &[Fingerprint],
        k: u32,
    ) -> Result<Option<Vec<Vec<IndexMatch>>>, IndexError>;

    /// Writes a segment; `None` where the scheme has no tables.
    fn write(
        &self,
        source: &Source,
        file: u64,
        range: (u64, u64),
        rows: &dyn Rows,
    ) -> Result<Option<Description>, IndexError>;

    /// Compares a file of tables with the documents it is made of.
    fn verify(
        &self,
        source: &Source,
        described: Description,
        rows: &dyn Rows,
    ) -> Result<(), IndexError>;

    /// Bytes of memory the tables take.
    fn memory(&self) -> u64;

    /// Reads all segments into memory.
    fn read_all(&self) -> Result<(), IndexError>;
}

/// The tables for a scheme.
pub(crate) fn of_scheme(scheme: Scheme) -> Box<dyn TableSet> {
    match (scheme.family(), scheme.positions()) {
        (Family::Sketch, _) => Box::new(NoTables),
        (_, 32) => Box::new(Tables::<u32>::new()),
        (_, 128) => Box::new(Tables::<u128>::new()),
        _ => Box::new(Tables::<u64>::new()),
    }
}

/// The files of tables in a directory that the store does not name: left by a process that was ended.
pub(crate) fn remove_leavings(index: &Path, named: &[Description]) -> Result<(), IndexError> {
    let directory = Description::directory(index);
    for entry in std::fs::read_dir(&directory).map_err(IndexError::io(&directory))? {
        let path = entry.map_err(IndexError::io(&directory))?.path();
        let is_tables = path.extension().is_some_and(|ending| ending == "tables");
        if is_tables && named.iter().all(|named| named.path(index) != path) {
            std::fs::remove_file(&path).map_err(IndexError::io(&path))?;
        }
    }
    Ok(())
}
