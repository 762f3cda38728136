//! Bytes that are gathered before they are written: in memory, and beyond that in a file without a name.

pub(super) use tempfile::SpooledTempFile as Spool;

/// Bytes that are gathered in memory; more go to the file.
const IN_MEMORY: usize = 32 << 20;

/// An empty spool.
pub(super) fn spool() -> Spool {
    Spool::new(IN_MEMORY)
}
