//! Between the engine and the receiver of pairs: progress told, cancelling heard.

use std::ops::ControlFlow;

use nearprint_search::{Pair, PairSink, Progress};

use super::Watch;
use crate::CancelFlag;

/// Takes batches of pairs, tells how far the search is, and ends it where it is cancelled.
pub(super) struct WatchedSink<'s, 'w, F> {
    pub(super) take: F,
    pub(super) cancel: &'s CancelFlag,
    pub(super) watch: Option<&'s Watch<'w>>,
}

impl<F: FnMut(&[Pair]) -> ControlFlow<()> + Send> PairSink for WatchedSink<'_, '_, F> {
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
