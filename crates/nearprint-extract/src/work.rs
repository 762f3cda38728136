//! What reading a document costs, counted in bytes looked at: no document costs more than a multiple of its length.
//!
//! Every parser charges the bytes of a piece before it reads the piece, and those that a search for an end passes over.
//! Bytes that are looked at twice are charged twice, so a parser whose time grows with the square of its input is seen
//! in a count, on any machine, before a clock shows it. The limit is the last resort: parsers are written to take
//! linear time, and `tests/complexity.rs` compares the counts of every medium at two lengths.

use std::cell::Cell;

use crate::error::{ExtractError, Reason};
use crate::limits::Limits;

/// Work that every document may take, whatever its length: what is short is never refused. To this is added twice what
/// may be abbreviated, which has a limit of its own and is to meet that one first.
const FLOOR: u64 = 16 << 20;

/// The work that one document has taken and may take. It is shared by everything that reads the document.
#[derive(Debug)]
pub(crate) struct Work {
    spent: Cell<u64>,
    allowed: Cell<u64>,
    per_byte: u64,
}

impl Work {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            spent: Cell::new(0),
            allowed: Cell::new(FLOOR.saturating_add(limits.max_entity_bytes.saturating_mul(2))),
            per_byte: limits.max_work_per_byte,
        }
    }

    /// Allows the work of a text of this many bytes: the document, or a part of it that was expanded.
    pub(crate) fn admit(&self, length: usize) {
        let more = self.per_byte.saturating_mul(length as u64);
        self.allowed.set(self.allowed.get().saturating_add(more));
    }

    /// Bytes looked at so far.
    pub(crate) fn spent(&self) -> u64 {
        self.spent.get()
    }

    /// Whether there was more work than there may be. The next [`Self::check`] ends the extraction.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.spent.get() > self.allowed.get()
    }

    /// Records that this many bytes are looked at, where an error can be reported only later.
    pub(crate) fn count(&self, length: usize) {
        self.spent.set(self.spent.get().saturating_add(length as u64));
    }

    /// Like [`Self::count`], and refuses what is beyond the limit.
    pub(crate) fn charge(&self, length: usize) -> Result<(), ExtractError> {
        self.count(length);
        self.check()
    }

    /// Refuses a document that has taken more work than it may.
    pub(crate) fn check(&self) -> Result<(), ExtractError> {
        if self.is_exhausted() {
            return Err(ExtractError::new(
                Reason::WorkLimit,
                format!(
                    "reading the document takes more than max_work_per_byte = {} steps for each of its bytes",
                    self.per_byte
                ),
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(per_byte: u64, length: usize) -> Work {
        let limits = Limits { max_work_per_byte: per_byte, ..Limits::default() };
        let work = Work::new(&limits);
        work.allowed.set(0);
        work.admit(length);
        work
    }

    #[test]
    fn the_limit_is_inclusive_and_the_error_names_it() {
        let work = work(2, 5);
        work.charge(10).unwrap();
        let error = work.charge(1).unwrap_err();
        assert_eq!(error.reason(), Reason::WorkLimit);
        assert!(error.detail().contains("max_work_per_byte = 2"), "{error}");
    }

    /// Short documents are never refused, whatever the limit.
    #[test]
    fn a_floor_is_allowed() {
        let limits = Limits { max_work_per_byte: 0, max_entity_bytes: 0, ..Limits::default() };
        Work::new(&limits).charge(FLOOR as usize).unwrap();
        Work::new(&limits).charge(FLOOR as usize + 1).unwrap_err();
    }
}
