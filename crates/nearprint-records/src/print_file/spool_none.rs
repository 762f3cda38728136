//! Bytes that are gathered before they are written, in a build without the feature `spill`: all in memory.

use std::io::Cursor;

pub(super) type Spool = Cursor<Vec<u8>>;

/// An empty spool.
pub(super) fn spool() -> Spool {
    Spool::default()
}
