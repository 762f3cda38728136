//! Threads for the work of the engine, so that the threads that answer connections never wait for a disk or a document.
//!
//! There are lanes, so that slow work of one kind does not hold up the quick work of another. Each has a few more
//! places than one client may have; a bounded number of requests waits, for a bounded time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::client::Client;
pub(crate) use crate::lane::Lane;
use crate::lane::{ExpectedWait, LanePlaces};
use crate::places::{Place, Places};
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::refusals::Refusals;
use crate::settings::ServerLimits;

/// The lanes, and room for bodies.
pub(crate) struct Work {
    read: LanePlaces,
    write: LanePlaces,
    document: LanePlaces,
    bulk: LanePlaces,
    bodies: Arc<Places>,
    waiting: Mutex<HashMap<Client, usize>>,
    most_waiting: usize,
    wait: Duration,
    bodies_bytes: u64,
    refusals: Refusals,
}

/// Changes that wait for the disk at once. They take a thread each, and hardly any of its time.
const WRITERS: usize = 64;

/// Places of a lane beyond those that one client may have.
const RESERVED: usize = 1;

/// How long a request waits for threads, as far as that can be expected; one that would wait longer is refused at once.
const LONGEST_WAIT: Duration = Duration::from_millis(700);

/// Requests of one client that may wait however long the work of a lane takes.
const PATIENT: usize = 64;

/// Bytes of a body that need no room: so many at most are taken by each connection, and small requests never wait for
/// large ones.
const FREE_BYTES: u64 = 16 << 10;

/// Bytes by which the room of a body grows.
const STEP_BYTES: u64 = 64 << 10;

/// Room for what has arrived of a body, until it is dropped.
pub(crate) struct BodyRoom {
    bytes: u64,
    place: Option<Place>,
}

impl BodyRoom {
    /// Room for a body of which nothing has arrived.
    pub(crate) fn new() -> Self {
        Self { bytes: FREE_BYTES, place: None }
    }
}

impl Work {
    pub(crate) fn new(limits: &ServerLimits, threads: usize) -> Self {
        let lane = |each: usize| LanePlaces::new(each + RESERVED, each);
        let threads = threads.max(1);
        // Two bodies of the greatest length, so that one client cannot have all of it.
        let bodies_bytes = limits.bodies_bytes.max(limits.body_bytes.saturating_mul(2));
        Self {
            read: lane(threads + 1),
            write: LanePlaces::new(WRITERS, WRITERS - WRITERS / 4),
            document: lane(threads),
            bulk: lane(threads.div_ceil(2)),
            bodies: Places::new(bodies_bytes, bodies_bytes / 2),
            waiting: Mutex::default(),
            most_waiting: limits.waiting,
            wait: limits.wait,
            bodies_bytes,
            refusals: Refusals::new(),
        }
    }

    /// Threads that work may need at once.
    pub(crate) fn places(threads: usize) -> usize {
        let threads = threads.max(1);
        (threads + 1) + threads + threads.div_ceil(2) + 3 * RESERVED + WRITERS
    }

    /// Does `work` on a thread for it. It is done to its end even if the request is gone.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        lane: Lane,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let lane = match lane {
            Lane::Read => &self.read,
            Lane::Write => &self.write,
            Lane::Document => &self.document,
            Lane::Bulk => &self.bulk,
        };
        let place = self.lane_place(lane).await?;
        let taken = lane.taken();
        let done = tokio::task::spawn_blocking(move || {
            let (_place, begun) = (place, Instant::now());
            let done = work();
            taken.note(begun.elapsed());
            done
        });
        done.await.map_err(|_| {
            Problem::new(ProblemKind::Internal, "the work on this request ended unexpectedly")
        })
    }

    /// Waits for room for a body of which so many bytes have arrived.
    pub(crate) async fn grow(&self, room: &mut BodyRoom, bytes: u64) -> Result<(), Problem> {
        if bytes <= room.bytes {
            return Ok(());
        }
        let wanted = (bytes - room.bytes).next_multiple_of(STEP_BYTES);
        let late = "other bodies leave no room for this one";
        let client = Client::current();
        let more = match self.bodies.try_take(&client, wanted) {
            Some(more) => more,
            None => self.queued(&self.bodies, &client, wanted, late).await.map_err(|problem| {
                problem.with_remedy(format!(
                    "send it again later; bodies that are not answered yet take at most {} bytes together",
                    self.bodies_bytes
                ))
            })?,
        };
        room.bytes += wanted;
        room.place = Some(match room.place.take() {
            Some(place) => place.with(more),
            None => more,
        });
        Ok(())
    }

    /// A place in a lane, after a wait that is not too long.
    async fn lane_place(&self, lane: &LanePlaces) -> Result<Place, Problem> {
        let client = Client::current();
        if let Some(place) = lane.places.try_take(&client, 1) {
            return Ok(place);
        }
        let ExpectedWait { before, time } = lane.expected_wait(&client);
        if before >= PATIENT && Client::waited() + time > LONGEST_WAIT {
            return Err(self.refused("too many requests wait for a thread"));
        }
        let begun = Instant::now();
        let late = "no thread became free in time";
        let place = self.queued(&lane.places, &client, 1, late).await?;
        let waited = begun.elapsed();
        lane.note_wait(waited, before);
        Client::add_waited(waited);
        Ok(place)
    }

    async fn queued(
        &self,
        places: &Arc<Places>,
        client: &Client,
        wanted: u64,
        late: &str,
    ) -> Result<Place, Problem> {
        let _waiting = QueuePlace::new(self, client)
            .ok_or_else(|| self.refused("too many requests wait for a thread"))?;
        let place = tokio::time::timeout(self.wait, places.take(client, wanted)).await;
        place.map_err(|_| self.refused(late))
    }

    /// Says that there is no room, and when there may be.
    fn refused(&self, detail: &str) -> Problem {
        let retry = Some(self.refusals.seconds(Instant::now()));
        Problem { retry, ..Problem::overloaded(detail) }
    }

    /// Bytes that bodies take at the moment, in steps of [`STEP_BYTES`].
    pub(crate) fn body_bytes(&self) -> u64 {
        self.bodies.taken()
    }

    /// Requests that wait at the moment.
    pub(crate) fn waiting(&self) -> usize {
        self.counts().values().sum()
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<Client, usize>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request that waits is counted until it is dropped.
struct QueuePlace<'a> {
    work: &'a Work,
    client: &'a Client,
}

impl<'a> QueuePlace<'a> {
    /// A place, if there is one; a client may have three quarters of them.
    fn new(work: &'a Work, client: &'a Client) -> Option<Self> {
        let mut counts = work.counts();
        let all: usize = counts.values().sum();
        let own = counts.get(client).copied().unwrap_or_default();
        let most_each = (work.most_waiting - work.most_waiting / 4).max(1);
        if all >= work.most_waiting || own >= most_each {
            return None;
        }
        *counts.entry(client.clone()).or_default() += 1;
        Some(Self { work, client })
    }
}

impl Drop for QueuePlace<'_> {
    fn drop(&mut self) {
        let mut counts = self.work.counts();
        if let Some(count) = counts.get_mut(self.client) {
            *count -= 1;
            if *count == 0 {
                counts.remove(self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    fn limits() -> ServerLimits {
        ServerLimits {
            waiting: 4,
            wait: Duration::from_millis(10),
            body_bytes: 1 << 20,
            bodies_bytes: 1 << 20,
            ..ServerLimits::default()
        }
    }

    fn client(name: &str) -> Client {
        Client::Token(name.into())
    }

    #[tokio::test]
    async fn a_client_that_holds_a_lane_does_not_hold_up_others() {
        let work = Arc::new(Work::new(&limits(), 1));
        for lane in [Lane::Document, Lane::Bulk] {
            let (go, gate) = mpsc::channel::<()>();
            let (begun, started) = mpsc::channel::<()>();
            let busy = tokio::spawn(client("a").does({
                let work = Arc::clone(&work);
                async move {
                    let wait = move || {
                        let _ = begun.send(());
                        gate.recv().is_ok()
                    };
                    work.run(lane, wait).await
                }
            }));
            while started.try_recv().is_err() {
                tokio::task::yield_now().await;
            }
            let refused = client("a").does(work.run(lane, || ())).await.unwrap_err();
            assert_eq!(refused.kind, ProblemKind::Overloaded);
            assert_eq!(client("b").does(work.run(lane, || 7)).await.unwrap(), 7);
            // Other lanes go on meanwhile.
            assert_eq!(client("a").does(work.run(Lane::Read, || 7)).await.unwrap(), 7);
            go.send(()).unwrap();
            assert!(busy.await.unwrap().unwrap());
            client("a").does(work.run(lane, || ())).await.unwrap();
        }
        assert_eq!(work.waiting(), 0);
    }

    #[tokio::test]
    async fn who_waits_is_counted_and_no_client_takes_all_places_of_the_queue() {
        let work = Work::new(&limits(), 1);
        let (a, b) = (client("a"), client("b"));
        let held: Vec<_> = (0..3).map(|_| QueuePlace::new(&work, &a).unwrap()).collect();
        assert!(QueuePlace::new(&work, &a).is_none());
        let other = QueuePlace::new(&work, &b).unwrap();
        assert_eq!(work.waiting(), 4);
        assert!(QueuePlace::new(&work, &client("c")).is_none());
        drop((held, other));
        assert!(work.counts().is_empty());
    }

    #[tokio::test]
    async fn bodies_take_room_as_they_arrive() {
        let work = Work::new(&limits(), 1);
        let grown = |name: &str, bytes: u64| {
            let client = client(name);
            let work = &work;
            async move {
                let mut room = BodyRoom::new();
                client.does(work.grow(&mut room, bytes)).await.map(|()| room)
            }
        };
        // Two MiB in all, one for each client.
        let held = grown("a", 1 << 20).await.unwrap();
        assert!(grown("a", 1 << 20).await.is_err());
        let small = grown("a", FREE_BYTES).await.unwrap();
        let other = grown("b", 1 << 20).await.unwrap();
        let refused = grown("c", FREE_BYTES + 1).await.map(|_| ()).unwrap_err();
        assert!(refused.detail.contains("bodies"), "{}", refused.detail);
        drop((held, other));
        let mut room = grown("c", 1).await.unwrap();
        for bytes in [1, FREE_BYTES + 1, FREE_BYTES + STEP_BYTES, 500_000] {
            client("c").does(work.grow(&mut room, bytes)).await.unwrap();
            assert!(room.bytes >= bytes && room.bytes < bytes + FREE_BYTES + STEP_BYTES);
        }
        drop((room, small));
        assert!(grown("d", 1 << 20).await.is_ok());
    }

    #[tokio::test]
    async fn a_panic_is_a_problem_of_its_request() {
        let work = Work::new(&limits(), 1);
        let refused = work.run(Lane::Read, || panic!("odd")).await.map(|(): ()| ()).unwrap_err();
        assert_eq!(refused.kind, ProblemKind::Internal);
        work.run(Lane::Read, || ()).await.unwrap();
    }
}
