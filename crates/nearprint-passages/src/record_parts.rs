//! Parts of sorted runs, made by threads ahead of whoever reads them.

use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use crate::sorted_runs::{Part, PartBounds, RecordChoice, SortedRuns};

/// Parts of a thread that wait to be read, at most.
const AHEAD: usize = 1;

/// Records in their order, of which each of some threads makes a part while others are read.
pub(crate) struct RecordParts<const N: usize> {
    /// Where the parts of each thread come: the first thread makes the first part, the next one the second.
    threads: Vec<Receiver<io::Result<Part<N>>>>,
    /// The number of parts, and of those that were taken.
    parts: usize,
    taken: usize,
    part: std::vec::IntoIter<[u64; N]>,
    /// Records that were left out of the parts that were taken.
    left_out: u64,
}

impl<const N: usize> RecordParts<N> {
    /// Begins to read some runs by so many threads.
    pub(crate) fn start(
        runs: &Arc<SortedRuns<N>>,
        numbers: Range<usize>,
        choice: RecordChoice,
        threads: usize,
    ) -> io::Result<Self> {
        let bounds: Arc<[PartBounds<N>]> = runs.bounds(numbers.clone()).into();
        let parts = bounds.len();
        let thread = |first: usize| {
            let (sender, receiver) = sync_channel(AHEAD);
            let (runs, bounds) = (Arc::clone(runs), Arc::clone(&bounds));
            let (numbers, step) = (numbers.clone(), threads.min(parts));
            let make = move || {
                let bounds = bounds.iter().skip(first).step_by(step);
                send(&runs, &numbers, choice, bounds, &sender);
            };
            std::thread::Builder::new().name("merge".to_owned()).spawn(make)?;
            Ok(receiver)
        };
        let threads = (0..threads.min(parts)).map(thread).collect::<io::Result<_>>()?;
        Ok(Self { threads, parts, taken: 0, part: Vec::new().into_iter(), left_out: 0 })
    }

    /// The next part, `None` after the last one.
    pub(crate) fn next_part(&mut self) -> io::Result<Option<Part<N>>> {
        if self.taken == self.parts {
            return Ok(None);
        }
        let part =
            self.threads[self.taken % self.threads.len()].recv().map_err(io::Error::other)?;
        self.taken += 1;
        part.map(Some)
    }

    /// How many records were left out since this was asked the last time.
    pub(crate) fn left_out(&mut self) -> u64 {
        std::mem::take(&mut self.left_out)
    }

    #[inline]
    pub(crate) fn next(&mut self) -> io::Result<Option<[u64; N]>> {
        loop {
            let next = self.part.next();
            if next.is_some() {
                return Ok(next);
            }
            match self.next_part()? {
                Some(part) => {
                    self.left_out += part.left_out;
                    self.part = part.records.into_iter();
                }
                None => return Ok(None),
            }
        }
    }
}

fn send<'b, const N: usize>(
    runs: &SortedRuns<N>,
    numbers: &Range<usize>,
    choice: RecordChoice,
    bounds: impl Iterator<Item = &'b PartBounds<N>>,
    parts: &SyncSender<io::Result<Part<N>>>,
) {
    for bounds in bounds {
        let part = runs.part(numbers.clone(), bounds, choice);
        let is_error = part.is_err();
        // Whoever read them may have ended.
        if parts.send(part).is_err() || is_error {
            return;
        }
    }
}
