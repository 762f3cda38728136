//! Lanes: kinds of work, each with places of its own and a mean of how long one is taken.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::client::Client;
use crate::places::{Places, Turn};

/// What kind of work it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Look-ups and queries: microseconds to milliseconds.
    Read,
    /// Changes, which wait for the disk: those that wait at once go into one commit.
    Write,
    /// Extraction and comparison of one document: up to minutes.
    Document,
    /// Work on very many documents: captures, snapshots, batches.
    Bulk,
}

/// Documents of one request that are read as quickly as one, more or less.
const FEW: usize = 8;

impl Lane {
    /// The lane of a request for which so many documents are extracted or compared.
    pub(crate) fn of_documents(documents: usize) -> Self {
        match documents {
            0 => Self::Read,
            1..=FEW => Self::Document,
            _ => Self::Bulk,
        }
    }
}

/// The places of a lane, and how long they are taken and waited for of late.
pub(crate) struct LanePlaces {
    pub(crate) places: Arc<Places>,
    taken: Arc<LaneMean>,
    turn: LaneMean,
    /// Requests that have waited so far.
    turns: AtomicU64,
}

/// Requests that have waited from which their turns alone tell what is expected: how long places are taken says too
/// much where a change waits for two commits.
const KNOWN_TURNS: u64 = 512;

/// What a request that joins the queue of a lane now has before it.
pub(crate) struct ExpectedWait {
    /// Requests of the same client that wait.
    pub(crate) before: usize,
    /// How long it will wait.
    pub(crate) time: Duration,
}

impl LanePlaces {
    /// So many places, of which one client has `most_each` at most.
    pub(crate) fn new(number: usize, most_each: usize) -> Self {
        let places = Places::new(number as u64, most_each as u64);
        let turns = AtomicU64::new(0);
        Self { places, taken: Arc::default(), turn: Mean::default(), turns }
    }

    /// What a request of a client that joins the queue now has before it: by the turns of those before it, and where
    /// few of these have waited yet by how long places are taken.
    pub(crate) fn expected_wait(&self, client: &Client) -> ExpectedWait {
        let Turn { before, places } = self.places.turn(client);
        let turns = u32::try_from(before).unwrap_or(u32::MAX);
        let of_places = u32::try_from(before as u64 / places).unwrap_or(u32::MAX);
        let by_turns = self.turn.get().saturating_mul(turns);
        let by_places = self.taken.get().saturating_mul(of_places);
        let is_known = self.turns.load(Ordering::Relaxed) >= KNOWN_TURNS;
        ExpectedWait { before, time: if is_known { by_turns } else { by_turns.max(by_places) } }
    }

    /// Notes how long a request waited that had so many before it.
    pub(crate) fn note_wait(&self, time: Duration, before: usize) {
        self.turn.note(time / u32::try_from(before + 1).unwrap_or(u32::MAX));
        self.turns.fetch_add(1, Ordering::Relaxed);
    }

    /// Where it is noted how long a place was taken.
    pub(crate) fn taken(&self) -> Arc<LaneMean> {
        Arc::clone(&self.taken)
    }
}

/// The mean of a lane. A commit ends dozens of changes at once, and one that waits long for the disk says little of the
/// next: a mean of several commits does not refuse hundreds of requests for it.
pub(crate) type LaneMean = Mean<256>;

/// A mean of times, of which the last so many count the most.
#[derive(Default)]
pub(crate) struct Mean<const LAST: u64> {
    nanoseconds: AtomicU64,
}

impl<const LAST: u64> Mean<LAST> {
    /// A mean that was this until now.
    pub(crate) fn of(time: Duration) -> Self {
        Self {
            nanoseconds: AtomicU64::new(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX / LAST)),
        }
    }

    pub(crate) fn get(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed))
    }

    pub(crate) fn note(&self, time: Duration) {
        let new = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX / LAST);
        let old = self.nanoseconds.load(Ordering::Relaxed);
        // Several at once may overwrite one another, and the mean stays one.
        self.nanoseconds.store(old - old / LAST + new / LAST, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn waits_are_expected_from_those_before() {
        let lane = LanePlaces::new(3, 2);
        let [a, b] = ["a", "b"].map(|name| Client::Token(name.into()));
        let held: Vec<_> = (0..2).map(|_| lane.places.try_take(&a, 1).unwrap()).collect();
        let mut waits: Vec<_> = (0..40).map(|_| Box::pin(lane.places.take(&a, 1))).collect();
        for wait in &mut waits {
            let polled = tokio::time::timeout(Duration::ZERO, wait.as_mut()).await;
            assert!(polled.is_err());
        }
        assert_eq!(lane.expected_wait(&a).before, 40);
        assert_eq!(lane.expected_wait(&a).time, Duration::ZERO);
        for _ in 0..3200 {
            lane.taken().note(Duration::from_millis(16));
        }
        // Twenty times what a place takes, on two places.
        let time = lane.expected_wait(&a).time.as_millis();
        assert!((300..=320).contains(&time), "{time}");
        for _ in 0..3200 {
            lane.note_wait(Duration::from_secs(2), 39);
        }
        let time = lane.expected_wait(&a).time.as_millis();
        assert!((1900..=2000).contains(&time), "{time}");
        // Turns are believed, not how long a place takes, once many have waited.
        for _ in 0..3200 {
            lane.note_wait(Duration::from_millis(40), 39);
        }
        let time = lane.expected_wait(&a).time.as_millis();
        assert!((39..=42).contains(&time), "{time}");
        // Another client waits for none of these.
        assert_eq!(lane.expected_wait(&b).time, Duration::ZERO);
        drop((waits, held));
        assert_eq!(lane.expected_wait(&a).before, 0);
    }
}
