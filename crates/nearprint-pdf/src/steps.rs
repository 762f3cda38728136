//! What reading a document takes, in steps: glyphs, lines, bytes and entries that a stage looks at.
//!
//! Limits bound the parts that a document may blow up; what comes after them (lines, columns, heads, hyphens) is
//! written to take linear time, and this count shows whether it does: `tests/complexity.rs` compares the counts of
//! documents of two lengths. Nothing depends on it otherwise. A stage counts what it looks at where it looks, so a loop
//! within a loop shows.
//!
//! A document is read by one thread, and the stages have no other value in common: the count is one for each thread.

use std::cell::Cell;

thread_local! {
    static TAKEN: Cell<u64> = const { Cell::new(0) };
}

/// Counts so many steps.
pub(crate) fn count(steps: usize) {
    TAKEN.with(|taken| taken.set(taken.get().saturating_add(steps as u64)));
}

/// Does some work; also returns the steps that it took.
pub(crate) fn counted<R>(work: impl FnOnce() -> R) -> (R, u64) {
    let before = TAKEN.with(|taken| taken.replace(0));
    let result = work();
    let steps = TAKEN.with(|taken| taken.replace(before));
    (result, steps)
}
