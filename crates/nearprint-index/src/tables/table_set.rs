//! What an index asks of its tables, whatever its fingerprints are.

use nearprint::IndexMatch;
use nearprint::fingerprint::Fingerprint;
use redb::ReadTransaction;

use crate::IndexError;
use crate::store::description::Description;
use crate::store::rows::Rows;
use crate::store::source::{Source, View};
use crate::tables::table_print::Reach;

/// A document whose text is to be compared with that of a query; the nearest is the least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Candidate {
    pub(crate) distance: u32,
    pub(crate) sequence: u64,
}

/// The tables of an index, whatever its fingerprints are.
pub(crate) trait TableSet: Send + Sync {
    /// Brings the copy to the state of a transaction, unless it is newer.
    fn refresh(&self, source: &Source, at: &ReadTransaction) -> Result<(), IndexError>;

    /// The documents within reach of each fingerprint, nearest first, then in the order of addition; the first `most`
    /// of them. `None` where this state can no longer be read.
    fn near(
        &self,
        view: &View<'_>,
        asked: &[Fingerprint],
        reach: Reach,
        most: usize,
    ) -> Result<Option<Vec<Vec<IndexMatch>>>, IndexError>;

    /// The documents within reach of a fingerprint, in no order. `None` where this state can no longer be read.
    fn candidates(
        &self,
        view: &View<'_>,
        asked: &Fingerprint,
        reach: Reach,
    ) -> Result<Option<Vec<Candidate>>, IndexError>;

    /// Writes a segment.
    fn write(
        &self,
        source: &Source,
        file: u64,
        range: (u64, u64),
        rows: &dyn Rows,
    ) -> Result<Description, IndexError>;

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
