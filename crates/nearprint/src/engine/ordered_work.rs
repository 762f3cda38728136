//! Work on many items by several threads, the results in the items' order, in bounded memory.
//!
//! Each thread takes the next item itself and waits, before it begins, until there is room for it; so nothing is
//! queued ahead of the workers and a slow receiver slows the source down. The oldest item was let in first and always
//! finishes, so the order cannot block.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Address space for each thread's stack. Parsers here do not recurse on their input, but libraries below them may by
/// some hundred levels; memory is only taken where it is touched.
pub(crate) const STACK: usize = 64 << 20;

/// Items in work or waiting for their turn, for each thread: enough to pass over one slow document. Small documents
/// come some in an item.
const ITEMS_A_THREAD: usize = 32;

/// What may be under way at once.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) threads: NonZeroUsize,
    /// Sum of the items' weights. One item alone may weigh more.
    pub(crate) weight: u64,
}

/// Calls `work` on every item of `source`, and `take` on this thread with the results in the source's order. Ends early
/// where `take` fails or `stop` says so; gives whether it did the latter.
///
/// `work` must not unwind: a panic there, or in `source`, comes out of this function as a panic.
pub(crate) fn in_order<T: Send, R: Send, E>(
    bounds: Bounds,
    source: impl FnMut() -> Option<T> + Send,
    weigh: impl Fn(&T) -> u64 + Sync,
    work: impl Fn(T) -> R + Sync,
    stop: impl Fn() -> bool,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<bool, E> {
    let desk = Desk::new(bounds);
    let source = Mutex::new(source);
    thread::scope(|scope| {
        // However this thread leaves, the others must not wait for it.
        let closing = CloseOnDrop(&desk);
        let mut spawned = 0;
        for _ in 0..bounds.threads.get() {
            let worker = || {
                let _leaving = LeaveOnDrop(&desk);
                while let Some((number, weight, item)) = desk.next(&source, &weigh) {
                    desk.hand_in(number, weight, work(item));
                }
            };
            let thread = thread::Builder::new()
                .name("nearprint".to_owned())
                .stack_size(STACK)
                .spawn_scoped(scope, worker);
            match thread {
                Ok(_) => spawned += 1,
                // Out of threads: those there are do the work.
                Err(_) => desk.lock().workers -= 1,
            }
        }
        // With none at all nothing would ever come. (Workers that are done have left the desk, so it cannot tell.)
        assert!(spawned > 0, "the system gives no thread to work with");
        let stopped = loop {
            if stop() {
                break true;
            }
            match desk.collect() {
                Some(result) => take(result)?,
                None => break false,
            }
        };
        drop(closing);
        Ok(stopped)
    })
}

/// Runs `work` on a thread with the same stack as the workers'.
pub(crate) fn on_worker_stack<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    thread::scope(|scope| {
        let worker = thread::Builder::new().name("nearprint".to_owned()).stack_size(STACK);
        let handle = worker.spawn_scoped(scope, work).expect("the system gives one thread");
        handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Where workers meet the receiver.
struct Desk<R> {
    state: Mutex<State<R>>,
    /// Told when an item has left.
    room: Condvar,
    /// Told when a result has come or a worker has gone.
    news: Condvar,
    most_items: usize,
    most_weight: u64,
}

struct State<R> {
    /// Results that wait for their turn, with their weights.
    ready: BTreeMap<u64, (u64, R)>,
    /// Items let in so far; the next one's number.
    entered: u64,
    /// Results taken so far; the next one's number.
    left: u64,
    weight: u64,
    workers: usize,
    closed: bool,
}

impl<R> Desk<R> {
    fn new(bounds: Bounds) -> Self {
        let threads = bounds.threads.get();
        let state = State {
            ready: BTreeMap::new(),
            entered: 0,
            left: 0,
            weight: 0,
            workers: threads,
            closed: false,
        };
        Self {
            state: Mutex::new(state),
            room: Condvar::new(),
            news: Condvar::new(),
            most_items: threads.saturating_mul(ITEMS_A_THREAD),
            most_weight: bounds.weight,
        }
    }

    /// No code of others runs under this lock, so what it guards is whole even after a panic.
    fn lock(&self) -> MutexGuard<'_, State<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the next item from the source and waits for room; `None` at the end.
    fn next<T>(
        &self,
        source: &Mutex<impl FnMut() -> Option<T>>,
        weigh: impl Fn(&T) -> u64,
    ) -> Option<(u64, u64, T)> {
        // A source that panicked is at its end.
        let mut source = source.lock().ok()?;
        if self.lock().closed {
            return None;
        }
        let item = source()?;
        let weight = weigh(&item);
        let mut state = self.lock();
        loop {
            let items = state.entered - state.left;
            let fits = items < self.most_items as u64
                && state.weight.saturating_add(weight) <= self.most_weight;
            if state.closed {
                return None;
            }
            if fits || items == 0 {
                break;
            }
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let number = state.entered;
        state.entered += 1;
        state.weight += weight;
        Some((number, weight, item))
    }

    fn hand_in(&self, number: u64, weight: u64, result: R) {
        self.lock().ready.insert(number, (weight, result));
        self.news.notify_one();
    }

    /// The next result in order; `None` when there will be no more.
    fn collect(&self) -> Option<R> {
        let mut state = self.lock();
        loop {
            let next = state.left;
            if let Some((weight, result)) = state.ready.remove(&next) {
                state.left += 1;
                state.weight -= weight;
                self.room.notify_all();
                return Some(result);
            }
            if state.workers == 0 {
                return None;
            }
            state = self.news.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Tells the receiver that a worker has gone, by whatever way.
struct LeaveOnDrop<'a, R>(&'a Desk<R>);

impl<R> Drop for LeaveOnDrop<'_, R> {
    fn drop(&mut self) {
        self.0.lock().workers -= 1;
        self.0.news.notify_one();
    }
}

/// Tells the workers that nobody waits for results any more.
struct CloseOnDrop<'a, R>(&'a Desk<R>);

impl<R> Drop for CloseOnDrop<'_, R> {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.room.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    fn bounds(threads: usize, weight: u64) -> Bounds {
        Bounds { threads: NonZeroUsize::new(threads).unwrap(), weight }
    }

    /// Work of very uneven length that cannot be optimised away.
    fn uneven(item: u64) -> u64 {
        (0..(item * 7919) % 5000)
            .fold(item, |sum, n| sum.wrapping_mul(31) ^ std::hint::black_box(n))
    }

    #[test]
    fn results_come_in_order_for_any_number_of_threads() {
        let expected: Vec<u64> = (0..2000).map(uneven).collect();
        for threads in [1, 2, 7] {
            for weight in [0, 10, 1 << 40] {
                let (mut items, mut found) = (0..2000u64, Vec::new());
                let stopped = in_order(
                    bounds(threads, weight),
                    || items.next(),
                    |&item| item % 9,
                    uneven,
                    || false,
                    |r| {
                        found.push(r);
                        Ok::<_, ()>(())
                    },
                );
                assert_eq!(stopped, Ok(false));
                assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn no_more_is_under_way_than_allowed() {
        let (under_way, most) = (AtomicU64::new(0), AtomicU64::new(0));
        let mut items = 0..3000u64;
        let weigh = |&item: &u64| item % 40;
        let work = |item: u64| {
            let now = under_way.fetch_add(item % 40, Ordering::SeqCst) + item % 40;
            most.fetch_max(now, Ordering::SeqCst);
            uneven(item);
            item
        };
        let done = in_order(
            bounds(4, 100),
            || items.next(),
            weigh,
            work,
            || false,
            |item| {
                under_way.fetch_sub(item % 40, Ordering::SeqCst);
                Ok::<_, ()>(())
            },
        );
        assert_eq!(done, Ok(false));
        // What was taken leaves the count a moment after its room is given to the next: one item more at most.
        assert!(most.load(Ordering::SeqCst) <= 100 + 39, "{most:?}");
        assert_eq!(under_way.load(Ordering::SeqCst), 0);
    }

    #[test]
    fn a_failing_receiver_and_a_stop_end_the_work() {
        let mut items = 0..u64::MAX;
        let mut count = 0;
        let result = in_order(
            bounds(3, 1000),
            || items.next(),
            |_| 1,
            uneven,
            || false,
            |_| {
                count += 1;
                if count == 10 { Err("full") } else { Ok(()) }
            },
        );
        assert_eq!((result, count), (Err("full"), 10));

        let seen = AtomicU64::new(0);
        let mut items = 0..u64::MAX;
        let stop = || seen.load(Ordering::SeqCst) == 5;
        let result = in_order(
            bounds(3, 1000),
            || items.next(),
            |_| 1,
            uneven,
            stop,
            |_| {
                seen.fetch_add(1, Ordering::SeqCst);
                Ok::<_, ()>(())
            },
        );
        assert_eq!((result, seen.load(Ordering::SeqCst)), (Ok(true), 5));
    }

    #[test]
    fn a_source_that_panics_does_not_leave_anybody_waiting() {
        let mut items = 0..10u64;
        let source = || Some(items.next().expect("the end is a panic"));
        let mut found = Vec::new();
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            in_order(
                bounds(2, 1000),
                source,
                |_| 1,
                uneven,
                || false,
                |r| {
                    found.push(r);
                    Ok::<_, ()>(())
                },
            )
        }));
        assert!(outcome.is_err());
        assert_eq!(found.len(), 10);
    }
}
