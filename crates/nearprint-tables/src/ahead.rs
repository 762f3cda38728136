//! The batches of a table in their order, some stretches of them decoded before they are asked for: by whoever has rows
//! of the present one to work on.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::vec;

use crate::rows::Rows;
use crate::stretches::{DamagedRows, DecodedStretch, End, LONG_STRETCH, Stretch, Stretches};

/// Bytes of memory, about, up to which stretches are decoded ahead, the present one included: Arrow's are as large as
/// the writer made them.
const DECODED_AHEAD: usize = 256 << 20;

/// Stretches that are decoded at once (<=), however many threads there are: decoding is the smaller part of the work.
const MOST_DECODERS: usize = 8;

/// How many threads decode at once, of so many.
fn decoders(threads: NonZeroUsize) -> usize {
    threads.get().min(MOST_DECODERS)
}

/// Batches in their order. Clones are one.
#[derive(Clone)]
pub(crate) struct Ahead(Arc<Desk>);

struct Desk {
    state: Mutex<State>,
    /// Told when a stretch is decoded.
    done: Condvar,
}

struct State {
    stretches: Box<dyn Stretches>,
    /// How many are decoded at once.
    decoders: usize,
    /// Those that were begun and not taken, in their order.
    begun: VecDeque<StretchSlot>,
    /// Number of the first of these.
    first: usize,
    /// What is left of the stretch that was taken last.
    batches: vec::IntoIter<Rows>,
    end: End,
    /// The unit of the table that it is of.
    unit: usize,
    /// Bytes of it.
    taken: usize,
    /// Whether there are no further stretches.
    ended: bool,
}

/// Slot of a stretch that is being decoded, or was decoded.
struct StretchSlot {
    bytes: usize,
    unit: usize,
    /// Nothing while it is waited for.
    decoded: Option<DecodedStretch>,
}

/// What cannot be read.
pub(crate) struct Unreadable {
    /// How many rows, where others follow; nothing if it is all that is left.
    pub(crate) rows: Option<usize>,
    pub(crate) error: String,
}

impl Ahead {
    /// The batches of a table that so many threads work on.
    pub(crate) fn of(stretches: Box<dyn Stretches>, threads: NonZeroUsize) -> Self {
        let decoders = decoders(threads).min(stretches.most_decoders());
        let state = State {
            stretches,
            decoders,
            begun: VecDeque::new(),
            first: 0,
            batches: Vec::new().into_iter(),
            end: End::Next,
            unit: 0,
            taken: 0,
            ended: false,
        };
        Self(Arc::new(Desk { state: Mutex::new(state), done: Condvar::new() }))
    }

    /// Has so many threads work on it from now on.
    pub(crate) fn expect(&self, threads: NonZeroUsize) {
        let mut state = self.0.lock();
        state.decoders = decoders(threads).min(state.stretches.most_decoders());
    }

    /// Decodes a stretch ahead of those who work on rows, where there is room for one and nobody else is about to.
    pub(crate) fn decode(&self) {
        let Ok(mut state) = self.0.state.try_lock() else { return };
        if let Some((number, stretch)) = state.room().then(|| state.begin()).flatten() {
            drop(state);
            self.0.hand_in(number, stretch.decode());
        }
    }

    /// The next batch, or what cannot be read in its place. One caller at a time.
    pub(crate) fn next(&self) -> Option<Result<Rows, Unreadable>> {
        let mut state = self.0.lock();
        loop {
            if let Some(rows) = state.batches.next() {
                return Some(Ok(rows));
            }
            match std::mem::take(&mut state.end) {
                End::Next => {}
                End::Error(error) => {
                    state.ended = true;
                    state.begun.clear();
                    return Some(Err(Unreadable { rows: None, error }));
                }
                End::Damaged(DamagedRows { rows, error, rest }) => {
                    match rest {
                        Some(rest) => state.end = End::Rest(rest),
                        None => state.leave_unit(),
                    }
                    return Some(Err(Unreadable { rows: Some(rows), error }));
                }
                End::Rest(rest) => {
                    // Those before it are not held any more.
                    state.batches = Vec::new().into_iter();
                    drop(state);
                    let decoded = rest.decode();
                    state = self.0.lock();
                    state.take(decoded);
                    continue;
                }
            }
            match state.begun.pop_front() {
                Some(StretchSlot { decoded: Some(decoded), unit, .. }) => {
                    state.first += 1;
                    state.unit = unit;
                    state.take(decoded);
                }
                Some(waiting) => {
                    state.begun.push_front(waiting);
                    state = self.0.done.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
                None => {
                    let (number, stretch) = state.begin()?;
                    drop(state);
                    self.0.hand_in(number, stretch.decode());
                    state = self.0.lock();
                }
            }
        }
    }
}

impl Desk {
    /// Stretches are found and decoded where panics are errors: none is met here.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hand_in(&self, number: usize, decoded: DecodedStretch) {
        let mut state = self.lock();
        // After an error, what lies after it is of no use.
        let place = number.checked_sub(state.first);
        if let Some(begun) = place.and_then(|place| state.begun.get_mut(place)) {
            begun.bytes = decoded.bytes();
            begun.decoded = Some(decoded);
        }
        drop(state);
        self.done.notify_all();
    }
}

impl State {
    /// Whether one more may be decoded ahead.
    fn room(&self) -> bool {
        let decoders = self.decoders();
        let likely = self.begun.iter().map(|begun| begun.bytes).max().unwrap_or(0).max(self.taken);
        let held =
            self.begun.iter().map(|begun| begun.bytes).fold(self.taken, usize::saturating_add);
        self.decoders > 1
            && self.begun.len() < decoders
            && held.saturating_add(likely) <= DECODED_AHEAD
    }

    /// Long ones are decoded one by one.
    fn decoders(&self) -> usize {
        if self.taken >= LONG_STRETCH { 1 } else { self.decoders }
    }

    /// The next stretch, which the caller decodes and hands in.
    fn begin(&mut self) -> Option<(usize, Stretch)> {
        if self.ended {
            return None;
        }
        let decoders = self.decoders();
        let stretch = match self.stretches.next(decoders) {
            Some(Ok(stretch)) => stretch,
            found => {
                self.ended = true;
                // An error takes its turn after the stretches before it.
                let Some(Err(error)) = found else { return None };
                Stretch::new(0, usize::MAX, || Err(error))
            }
        };
        let Stretch { bytes, unit, .. } = stretch;
        self.begun.push_back(StretchSlot { bytes, unit, decoded: None });
        Some((self.first + self.begun.len() - 1, stretch))
    }

    /// Continues after the unit of the table that the stretch taken last is of, whatever was decoded of it beyond: so
    /// the same rows are lost however many decode.
    fn leave_unit(&mut self) {
        while self.begun.front().is_some_and(|begun| begun.unit == self.unit) {
            self.begun.pop_front();
            self.first += 1;
        }
        self.stretches.leave(self.unit);
    }

    fn take(&mut self, decoded: DecodedStretch) {
        self.taken = decoded.bytes();
        (self.batches, self.end) = (decoded.batches.into_iter(), decoded.end);
    }
}
