//! Work that waits for a place of a lane and then begins by itself, on the thread that had the place before.
//!
//! A turn never passes through the threads that answer connections: where thousands of requests arrive, these are busy
//! for a tenth of a second at a time, and the places would be empty meanwhile.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::sync::oneshot;

use crate::lane::LaneMean;
use crate::place_turn::{NextTurn, PlaceTurn};
use crate::places::Place;
use crate::queue::QueuePlace;

/// What the request of a task hears.
pub(crate) struct TaskAnswer<T> {
    /// What the work gave.
    pub(crate) done: T,
    /// How long it waited for its place.
    pub(crate) waited: Duration,
}

/// Work, and who waits for what it gives.
pub(crate) struct LaneTask<T, W> {
    work: W,
    answer: oneshot::Sender<TaskAnswer<T>>,
    taken: Arc<LaneMean>,
    runtime: Handle,
    joined: Instant,
}

impl<T: Send + 'static, W: FnOnce() -> T + Send + 'static> LaneTask<T, W> {
    /// A task, and where its answer comes; none comes where the work panics.
    pub(crate) fn new(work: W, taken: Arc<LaneMean>) -> (Self, oneshot::Receiver<TaskAnswer<T>>) {
        let (answer, waits) = oneshot::channel();
        let (runtime, joined) = (Handle::current(), Instant::now());
        (Self { work, answer, taken, runtime, joined }, waits)
    }

    /// Does the work on a thread of its own.
    pub(crate) fn begin(self, place: Place) {
        let runtime = self.runtime.clone();
        runtime.spawn_blocking(move || {
            if let Some(next) = self.begin_here(place) {
                next.work_through();
            }
        });
    }

    /// Does the work on this thread, and returns what is next for it.
    fn begin_here(self, place: Place) -> Option<NextTurn> {
        let Self { work, answer, taken, joined, .. } = self;
        let waited = joined.elapsed();
        let begun = Instant::now();
        let done = work();
        taken.note(begun.elapsed());
        let next = place.pass_on();
        let _ = answer.send(TaskAnswer { done, waited });
        next
    }

    /// The task with a place in a queue; it does nothing once the second value was dropped before its turn came.
    pub(crate) fn queued(self, place: QueuePlace) -> (Box<dyn PlaceTurn>, QueuedTask<T, W>) {
        let shared = Arc::new(Mutex::new(Some((self, place))));
        (Box::new(TaskTurn(Arc::clone(&shared))), QueuedTask(shared))
    }
}

/// A task, until its turn comes or it is withdrawn.
type TaskCell<T, W> = Arc<Mutex<Option<(LaneTask<T, W>, QueuePlace)>>>;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The end of a queued task that the request has.
pub(crate) struct QueuedTask<T, W>(TaskCell<T, W>);

impl<T, W> QueuedTask<T, W> {
    /// Takes the task back; `false` if its turn has come already.
    pub(crate) fn withdraw(&self) -> bool {
        let task = lock(&self.0).take();
        task.is_some()
    }
}

impl<T, W> Drop for QueuedTask<T, W> {
    fn drop(&mut self) {
        self.withdraw();
    }
}

/// The end of a queued task that the queue has.
struct TaskTurn<T, W>(TaskCell<T, W>);

impl<T, W> TaskTurn<T, W> {
    fn take(&self) -> Option<LaneTask<T, W>> {
        let task = lock(&self.0).take();
        task.map(|(task, _)| task)
    }
}

impl<T: Send + 'static, W: FnOnce() -> T + Send + 'static> PlaceTurn for TaskTurn<T, W> {
    fn is_gone(&self) -> bool {
        lock(&self.0).is_none()
    }

    fn begin(self: Box<Self>, place: Place) {
        if let Some(task) = self.take() {
            task.begin(place);
        }
    }

    fn begin_here(self: Box<Self>, place: Place) -> Option<NextTurn> {
        match self.take() {
            Some(task) => task.begin_here(place),
            None => place.pass_on(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::client::Client;
    use crate::places::Places;
    use crate::queue::Queue;

    fn client() -> Client {
        Client::Token("a".into())
    }

    /// Tasks go on from one to the next without the threads of connections: this one is blocked all the time.
    #[test]
    fn the_next_task_begins_while_connections_are_busy() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let _entered = runtime.enter();
        let (places, queue) = (Places::new(2, 1), Queue::new(10));
        let (done, order) = mpsc::channel();
        let (go, gate) = mpsc::channel::<()>();
        let task = |number: usize, wait: Option<mpsc::Receiver<()>>| {
            let done = done.clone();
            let work = move || {
                wait.map(|wait| wait.recv());
                done.send((number, std::thread::current().id())).unwrap();
            };
            LaneTask::new(work, Arc::default()).0
        };
        task(0, Some(gate)).begin(places.try_take(&client(), 1).unwrap());
        let mut waiting = Vec::new();
        for number in 1..=3 {
            let place = queue.place(&client()).unwrap();
            let (turn, queued) = task(number, None).queued(place);
            places.join(&client(), 1, turn);
            waiting.push(queued);
        }
        assert_eq!(queue.length(), 3);
        // One that is withdrawn is passed over, and no longer counted.
        assert!(waiting[1].withdraw());
        assert!(!waiting[1].withdraw());
        assert_eq!(queue.length(), 2);
        go.send(()).unwrap();
        let all: Vec<_> = order.iter().take(3).collect();
        assert_eq!(all.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [0, 1, 3]);
        assert!(all.iter().all(|(_, thread)| *thread == all[0].1), "each began a thread");
        assert!(!waiting[0].withdraw() && !waiting[2].withdraw());
        assert_eq!(queue.length(), 0);
    }
}
