//! Threads for the work of the engine, so that the threads that answer connections never wait for a disk or a document.
//!
//! There are lanes, so that slow work of one kind does not hold up the quick work of another. Each has as many places
//! as can make progress at once; a bounded number of requests waits, for a bounded time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::settings::ServerLimits;

/// What kind of work it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Look-ups and queries: microseconds to milliseconds.
    Read,
    /// Changes, which wait for the disk: those that wait at once go into one commit.
    Write,
    /// Extraction and comparison of documents: up to minutes.
    Document,
}

/// The lanes, and room for bodies.
pub(crate) struct Work {
    read: Arc<Semaphore>,
    write: Arc<Semaphore>,
    document: Arc<Semaphore>,
    bodies: Arc<Semaphore>,
    waiting: AtomicUsize,
    most_waiting: usize,
    wait: Duration,
    body_bytes: u64,
}

/// Changes that wait for the disk at once. They take a thread each, and hardly any of its time.
const WRITERS: usize = 64;

/// Bytes of a permit for bodies.
const PERMIT_BYTES: u64 = 1024;

/// Room for a body, until it is dropped.
pub(crate) struct BodyRoom(#[expect(dead_code, reason = "held for its room")] OwnedSemaphorePermit);

impl Work {
    pub(crate) fn new(limits: &ServerLimits, threads: usize) -> Self {
        let lane = |places: usize| Arc::new(Semaphore::new(places.max(1)));
        let bodies = limits.bodies_bytes.max(limits.body_bytes).div_ceil(PERMIT_BYTES);
        Self {
            read: lane(threads + 1),
            write: lane(WRITERS),
            document: lane(threads),
            bodies: lane(usize::try_from(bodies).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS)),
            waiting: AtomicUsize::new(0),
            most_waiting: limits.waiting,
            wait: limits.wait,
            body_bytes: limits.body_bytes,
        }
    }

    /// Threads that work may need at once.
    pub(crate) fn places(threads: usize) -> usize {
        2 * threads + 1 + WRITERS
    }

    /// Does `work` on a thread for it. It is done to its end even if the request is gone.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        lane: Lane,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let places = match lane {
            Lane::Read => &self.read,
            Lane::Write => &self.write,
            Lane::Document => &self.document,
        };
        let permit = self.permit(places, 1).await?;
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        done.await.map_err(|_| {
            Problem::new(ProblemKind::Internal, "the work on this request ended unexpectedly")
        })
    }

    /// Waits for room for a body of this many bytes; of an unknown length, for the longest allowed.
    pub(crate) async fn room(&self, bytes: Option<u64>) -> Result<BodyRoom, Problem> {
        let bytes = bytes.unwrap_or(self.body_bytes).min(self.body_bytes);
        let permits = u32::try_from(bytes.div_ceil(PERMIT_BYTES).max(1)).unwrap_or(u32::MAX);
        self.permit(&self.bodies, permits).await.map(BodyRoom)
    }

    async fn permit(
        &self,
        places: &Arc<Semaphore>,
        permits: u32,
    ) -> Result<OwnedSemaphorePermit, Problem> {
        if let Ok(permit) = Arc::clone(places).try_acquire_many_owned(permits) {
            return Ok(permit);
        }
        let _waiting = QueuePlace::new(&self.waiting, self.most_waiting)
            .ok_or_else(|| Problem::overloaded("too many requests wait for a thread"))?;
        let permit = Arc::clone(places).acquire_many_owned(permits);
        match tokio::time::timeout(self.wait, permit).await {
            Ok(Ok(permit)) => Ok(permit),
            Ok(Err(_)) => Err(Problem::overloaded("the server is stopping")),
            Err(_) => Err(Problem::overloaded("no thread became free in time")),
        }
    }

    /// Requests that wait at the moment.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }
}

/// A request that waits is counted until it is dropped.
struct QueuePlace<'a>(&'a AtomicUsize);

impl<'a> QueuePlace<'a> {
    fn new(count: &'a AtomicUsize, most: usize) -> Option<Self> {
        let waiting = Self(count);
        (count.fetch_add(1, Ordering::Relaxed) < most).then_some(waiting)
    }
}

impl Drop for QueuePlace<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    fn limits() -> ServerLimits {
        ServerLimits {
            waiting: 1,
            wait: Duration::from_millis(10),
            body_bytes: 4096,
            bodies_bytes: 8192,
            ..ServerLimits::default()
        }
    }

    #[tokio::test]
    async fn who_waits_too_long_or_is_one_too_many_is_refused() {
        let work = Arc::new(Work::new(&limits(), 1));
        let (go, gate) = mpsc::channel::<()>();
        let busy = tokio::spawn({
            let work = Arc::clone(&work);
            async move { work.run(Lane::Document, move || gate.recv().is_ok()).await }
        });
        while work.document.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let refused = work.run(Lane::Document, || ()).await.unwrap_err();
        assert_eq!(refused.kind, ProblemKind::Overloaded);
        // Other lanes go on meanwhile.
        assert_eq!(work.run(Lane::Read, || 7).await.unwrap(), 7);
        let counted = QueuePlace::new(&work.waiting, 1);
        let refused = work.run(Lane::Document, || ()).await.unwrap_err();
        assert!(refused.detail.contains("too many"), "{}", refused.detail);
        drop(counted);
        go.send(()).unwrap();
        assert!(busy.await.unwrap().unwrap());
        work.run(Lane::Document, || ()).await.unwrap();
        assert_eq!(work.waiting(), 0);
    }

    #[tokio::test]
    async fn bodies_share_their_room() {
        let work = Work::new(&limits(), 1);
        let first = work.room(Some(1)).await.unwrap();
        let second = work.room(None).await.unwrap();
        assert!(work.room(Some(4096)).await.is_err());
        drop((first, second));
        // Longer ones are refused elsewhere.
        work.room(Some(u64::MAX)).await.unwrap();
    }

    #[tokio::test]
    async fn a_panic_is_a_problem_of_its_request() {
        let work = Work::new(&limits(), 1);
        let refused = work.run(Lane::Read, || panic!("odd")).await.map(|(): ()| ()).unwrap_err();
        assert_eq!(refused.kind, ProblemKind::Internal);
        work.run(Lane::Read, || ()).await.unwrap();
    }
}
