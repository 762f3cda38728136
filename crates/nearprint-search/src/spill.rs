//! Where a join puts what does not fit in memory: one small trait, implemented by the caller.
//!
//! The engine does no I/O of its own. A store holds numbered runs of bytes that are written once
//! by appending, then read once from the start; it may be a directory, an object store, or (in
//! tests) a map that fails on demand.

use std::error::Error;

/// What a store reports when it fails; carried unchanged in
/// [`SearchError::Spill`](crate::SearchError::Spill).
pub type SpillError = Box<dyn Error + Send + Sync>;

/// A place for runs of bytes.
///
/// Runs are named by small consecutive numbers. All appends to a run come before its first read;
/// after [`remove`](Spill::remove) its number may be used again, as an empty run.
pub trait Spill {
    /// Appends `bytes` to run `run`, creating it if it does not exist.
    ///
    /// # Errors
    ///
    /// When the bytes could not be stored; the join stops and reports it.
    fn append(&mut self, run: u32, bytes: &[u8]) -> Result<(), SpillError>;

    /// Fills `into` with the bytes of `run` that start at `offset`.
    ///
    /// # Errors
    ///
    /// When the run is shorter than `offset + into.len()` or could not be read.
    fn read(&mut self, run: u32, offset: u64, into: &mut [u8]) -> Result<(), SpillError>;

    /// Forgets run `run`; one that does not exist is not an error.
    ///
    /// # Errors
    ///
    /// When the store could not free it.
    fn remove(&mut self, run: u32) -> Result<(), SpillError>;
}
