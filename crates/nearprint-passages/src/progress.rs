//! How far a search is, and how it is ended.

use crate::error::PassageError;

/// Steps between two looks at whoever watches.
const LOOK: u64 = 4096;

/// How far a search is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PassageProgress {
    /// Steps that are done, about.
    pub done: u64,
    /// All steps of the part of the search that is going on and of those before it.
    pub total: u64,
    /// Passages that were given.
    pub passages: u64,
}

/// Counts the steps of a search for whoever watches it.
pub(crate) struct Watch<'w> {
    watch: &'w mut dyn FnMut(PassageProgress) -> bool,
    progress: PassageProgress,
}

impl<'w> Watch<'w> {
    /// `watch` ends the search by returning false.
    pub(crate) fn new(watch: &'w mut dyn FnMut(PassageProgress) -> bool) -> Self {
        Self { watch, progress: PassageProgress::default() }
    }

    /// Takes note of further steps that there will be.
    pub(crate) fn expect(&mut self, steps: u64) {
        self.progress.total += steps;
    }

    /// Counts a step.
    pub(crate) fn step(&mut self) -> Result<(), PassageError> {
        self.progress.done += 1;
        if self.progress.done.is_multiple_of(LOOK) { self.look() } else { Ok(()) }
    }

    /// Counts many steps.
    pub(crate) fn steps(&mut self, steps: u64) -> Result<(), PassageError> {
        self.progress.done += steps;
        self.look()
    }

    /// Counts steps that were left out, if there are any.
    pub(crate) fn skip(&mut self, steps: u64) -> Result<(), PassageError> {
        if steps > 0 { self.steps(steps) } else { Ok(()) }
    }

    /// Counts passages that were given.
    pub(crate) fn given(&mut self, passages: u64) {
        self.progress.passages += passages;
    }

    fn look(&mut self) -> Result<(), PassageError> {
        let progress =
            PassageProgress { total: self.progress.total.max(self.progress.done), ..self.progress };
        if (self.watch)(progress) { Ok(()) } else { Err(PassageError::Cancelled) }
    }
}
