//! What ends a document before its time: the host's wish.

use std::fmt;
use std::sync::Arc;

/// Whether the host still wants the document that a worker has. It is asked ten times a second while the worker is
/// busy; once it says no, the worker is killed, and the document's error is that of a time limit.
#[derive(Clone)]
pub struct StopSignal(Arc<dyn Fn() -> bool + Send + Sync>);

impl StopSignal {
    /// A signal that is given once `is_given` says so.
    pub fn new(is_given: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(is_given))
    }

    pub(crate) fn is_given(&self) -> bool {
        (self.0)()
    }
}

impl fmt::Debug for StopSignal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StopSignal").field(&self.is_given()).finish()
    }
}
