//! Threads for the work of the engine, so that the threads that answer connections never wait for a disk or a document.
//!
//! There are lanes, so that slow work of one kind does not hold up the quick work of another. Each has a few more
//! places than one client may have; a bounded number of requests waits, for a bounded time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::alarm::IsLate;
use crate::body_room::BodyRoom;
use crate::client::Client;
pub(crate) use crate::lane::Lane;
use crate::lane::{ExpectedWait, LanePlaces};
use crate::lane_task::{LaneTask, TaskAnswer};
use crate::metrics::GaugeGuard;
use crate::pace::Pace;
use crate::places::{Place, Places};
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::queue::Queue;
use crate::refusals::Refusals;
use crate::settings::ServerLimits;

/// The lanes, and room for bodies.
pub(crate) struct Work {
    read: LanePlaces,
    write: LanePlaces,
    document: LanePlaces,
    bulk: LanePlaces,
    bodies: Arc<Places>,
    queue: Arc<Queue>,
    wait: Duration,
    bodies_bytes: u64,
    refusals: Refusals,
    /// Look-ups that are done where they arrived at the moment, and the most of them.
    look_ups: AtomicU64,
    most_look_ups: u64,
}

/// Changes that wait for the disk at once. They take a thread each, and hardly any of its time.
const WRITERS: usize = 64;

/// Places of a lane beyond those that one client may have.
const RESERVED: usize = 1;

/// How long a request waits for threads, as far as that can be expected; one that would wait longer is refused at once.
const LONGEST_WAIT: Duration = Duration::from_millis(750);

/// Longer than anything waits.
const FOREVER: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// Requests of one client that may wait however long the work of a lane takes.
const PATIENT: usize = 64;

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
            queue: Queue::new(limits.waiting),
            wait: limits.wait,
            bodies_bytes,
            refusals: Refusals::new(),
            look_ups: AtomicU64::new(0),
            most_look_ups: threads as u64,
        }
    }

    /// Threads that answer connections: one more than look-ups may take.
    pub(crate) fn connection_threads(threads: usize) -> usize {
        threads.max(1) + 1
    }

    /// Threads that work may need at once.
    pub(crate) fn places(threads: usize) -> usize {
        let threads = threads.max(1);
        (threads + 1) + threads + threads.div_ceil(2) + 3 * RESERVED + WRITERS
    }

    /// Does `work` on a thread for it, after a wait that is not too long. Work that has begun is done to its end even
    /// if the request is gone.
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
        let client = Client::current();
        let (task, mut answer) = LaneTask::new(work, lane.taken());
        if let Some(place) = lane.places.try_take(&client, 1) {
            task.begin(place);
            return answer.await.map(|answer| answer.done).map_err(|_| panicked());
        }
        let crowded = "too many requests wait for a thread";
        let ExpectedWait { before, time } = lane.expected_wait(&client);
        if before >= PATIENT && Client::waited() + time > LONGEST_WAIT {
            return Err(self.refused(crowded));
        }
        let place = self.queue.place(&client).ok_or_else(|| self.refused(crowded))?;
        let (turn, queued) = task.queued(place);
        lane.places.join(&client, 1, turn);
        let answer = match Client::within(self.late(), &mut answer).await {
            Ok(answer) => answer,
            Err(IsLate) if queued.withdraw() => {
                return Err(self.refused("no thread became free in time"));
            }
            Err(IsLate) => answer.await,
        };
        let TaskAnswer { done, waited } = answer.map_err(|_| panicked())?;
        lane.note_wait(waited, before);
        Client::add_waited(waited);
        Ok(done)
    }

    /// Does a look-up: on this thread if such are quick, else on one of the lane.
    ///
    /// A quick look-up takes less time than handing it to another thread and waking that. And where thousands of
    /// connections ask, a request that waited for its turn in between would have to come into the caches again.
    pub(crate) async fn look_up<T: Send + 'static>(
        &self,
        pace: Arc<Pace>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let is_quick = pace.is_quick();
        let timed = move || {
            let begun = Instant::now();
            let done = work();
            pace.note(begun.elapsed());
            done
        };
        if is_quick {
            let _here = GaugeGuard::new(&self.look_ups);
            if self.look_ups.load(Ordering::Relaxed) <= self.most_look_ups {
                return catch_unwind(AssertUnwindSafe(timed)).map_err(|_| panicked());
            }
        }
        self.run(Lane::Read, timed).await
    }

    /// Waits for room for a body of which so many bytes have arrived.
    pub(crate) async fn grow(&self, room: &mut BodyRoom, bytes: u64) -> Result<(), Problem> {
        let Some(wanted) = room.missing(bytes) else { return Ok(()) };
        let client = Client::current();
        let more = match self.bodies.try_take(&client, wanted) {
            Some(more) => more,
            None => self.body_place(&client, wanted).await?,
        };
        room.add(wanted, more);
        Ok(())
    }

    async fn body_place(&self, client: &Client, wanted: u64) -> Result<Place, Problem> {
        let refused = |detail| {
            self.refused(detail).with_remedy(format!(
                "send it again later; bodies that are not answered yet take at most {} bytes together",
                self.bodies_bytes
            ))
        };
        let queued = self.queue.place(client);
        let _queued = queued.ok_or_else(|| refused("too many requests wait for a thread"))?;
        let place = Client::within(self.late(), self.bodies.take(client, wanted)).await;
        place.map_err(|IsLate| refused("other bodies leave no room for this one"))
    }

    /// When a request that begins to wait now has waited too long.
    fn late(&self) -> tokio::time::Instant {
        let now = tokio::time::Instant::now();
        now.checked_add(self.wait).unwrap_or(now + FOREVER)
    }

    /// Says that there is no room, and when there may be.
    fn refused(&self, detail: &str) -> Problem {
        let retry = Some(self.refusals.seconds(Instant::now()));
        Problem { retry, ..Problem::overloaded(detail) }
    }

    /// Bytes that bodies take at the moment, in steps of 64 KiB.
    pub(crate) fn body_bytes(&self) -> u64 {
        self.bodies.taken()
    }

    /// Requests that wait at the moment.
    pub(crate) fn waiting(&self) -> usize {
        self.queue.length()
    }
}

fn panicked() -> Problem {
    Problem::new(ProblemKind::Internal, "the work on this request ended unexpectedly")
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::body_room::{FREE_BYTES, STEP_BYTES};

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
            let busy = tokio::spawn(client("a").does(None, {
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
            let refused = client("a").does(None, work.run(lane, || ())).await.unwrap_err();
            assert_eq!(refused.kind, ProblemKind::Overloaded);
            assert_eq!(client("b").does(None, work.run(lane, || 7)).await.unwrap(), 7);
            // Other lanes go on meanwhile.
            assert_eq!(client("a").does(None, work.run(Lane::Read, || 7)).await.unwrap(), 7);
            go.send(()).unwrap();
            assert!(busy.await.unwrap().unwrap());
            client("a").does(None, work.run(lane, || ())).await.unwrap();
        }
        assert_eq!(work.waiting(), 0);
    }

    #[tokio::test]
    async fn bodies_take_room_as_they_arrive() {
        let work = Work::new(&limits(), 1);
        let grown = |name: &str, bytes: u64| {
            let client = client(name);
            let work = &work;
            async move {
                let mut room = BodyRoom::new();
                client.does(None, work.grow(&mut room, bytes)).await.map(|()| room)
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
            client("c").does(None, work.grow(&mut room, bytes)).await.unwrap();
            assert!(
                room.missing(bytes).is_none()
                    && room.missing(bytes + FREE_BYTES + STEP_BYTES).is_some()
            );
        }
        drop((room, small));
        assert!(grown("d", 1 << 20).await.is_ok());
    }

    #[tokio::test]
    async fn quick_look_ups_are_done_where_they_arrive_and_never_by_all_threads() {
        let work = Work::new(&limits(), 1);
        let here = std::thread::current().id();
        let on = || std::thread::current().id();
        let pace = Arc::new(Pace::new());
        assert_ne!(work.look_up(Arc::clone(&pace), on).await.unwrap(), here, "not known as quick");
        let quick = || {
            let pace = Arc::new(Pace::new());
            (0..200).for_each(|_| pace.note(Duration::ZERO));
            pace
        };
        assert_eq!(work.look_up(quick(), on).await.unwrap(), here);
        // One is under way already.
        let held = GaugeGuard::new(&work.look_ups);
        assert_ne!(work.look_up(quick(), on).await.unwrap(), here);
        drop(held);
        let refused = work.look_up(quick(), || panic!("odd")).await.map(|(): ()| ()).unwrap_err();
        assert_eq!(refused.kind, ProblemKind::Internal);
        assert_eq!(work.look_up(quick(), on).await.unwrap(), here);
        // One slow look-up is enough to have the next ones done elsewhere.
        let pace = quick();
        let slow = || std::thread::sleep(Duration::from_millis(20));
        work.look_up(Arc::clone(&pace), slow).await.unwrap();
        assert_ne!(work.look_up(pace, on).await.unwrap(), here);
    }

    #[tokio::test]
    async fn a_panic_is_a_problem_of_its_request() {
        let work = Work::new(&limits(), 1);
        let refused = work.run(Lane::Read, || panic!("odd")).await.map(|(): ()| ()).unwrap_err();
        assert_eq!(refused.kind, ProblemKind::Internal);
        work.run(Lane::Read, || ()).await.unwrap();
    }
}
