//! The next batch of a table, decoded by one thread while others work on the rows of the present one.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::decoding::Batches;
use crate::rows::Rows;

/// Batches in their order, of which one at most is decoded before it is asked for. Clones are one.
#[derive(Clone)]
pub(crate) struct Ahead(Arc<Mutex<Decoding>>);

struct Decoding {
    batches: Batches,
    /// What comes next, where it is decoded already.
    next: Option<Option<Result<Rows, String>>>,
}

impl Ahead {
    pub(crate) fn of(batches: Batches) -> Self {
        Self(Arc::new(Mutex::new(Decoding { batches, next: None })))
    }

    /// Decodes the next batch, unless that is done. Whoever asks for it meanwhile waits.
    pub(crate) fn decode(&self) {
        let Decoding { batches, next } = &mut *self.lock();
        next.get_or_insert_with(|| batches.next());
    }

    /// The next batch; an error is the last.
    pub(crate) fn next(&self) -> Option<Result<Rows, String>> {
        let Decoding { batches, next } = &mut *self.lock();
        next.take().unwrap_or_else(|| batches.next())
    }

    /// Batches are decoded on a thread of their own, whose panics are errors: none is met here.
    fn lock(&self) -> MutexGuard<'_, Decoding> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
