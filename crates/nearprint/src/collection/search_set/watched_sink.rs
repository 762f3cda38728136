//! Between the engine and the receiver of pairs: progress told, cancelling heard.

use std::ops::ControlFlow;

use nearprint_search::{Pair, PairSink, Progress};

use super::Watch;
use crate::CancelFlag;

/// Takes batches of pairs until it breaks. A pointer, because a join is compiled with the type of what receives its
/// pairs.
pub(super) type BatchReceiver<'r> = dyn FnMut(&[Pair]) -> ControlFlow<()> + Send + 'r;

/// Takes batches of pairs, tells how far the search is, and ends it where it is cancelled.
pub(super) struct WatchedSink<'s, 'w> {
    pub(super) take: &'s mut BatchReceiver<'s>,
    pub(super) cancel: &'s CancelFlag,
    pub(super) watch: Option<&'s Watch<'w>>,
}

impl PairSink for WatchedSink<'_, '_> {
    fn pairs(&mut self, batch: &[Pair]) -> ControlFlow<()> {
        if self.cancel.is_cancelled() { ControlFlow::Break(()) } else { (self.take)(batch) }
    }

    fn progress(&mut self, progress: Progress) -> ControlFlow<()> {
        if let Some(watch) = self.watch {
            watch(progress);
        }
        if self.cancel.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
