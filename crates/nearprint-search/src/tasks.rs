//! Work shared out among the threads of the current rayon pool.
//!
//! A parallel iterator is compiled with all that divides it, steals it and waits for it: some 3,000 lines of LLVM's
//! language for every closure, three times where words have three widths. That was a quarter of what is compiled for a
//! program that searches. Here it is compiled once, and a task is called through a pointer; so a task should be some
//! thousand items, not one.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

/// Calls `task` with every number below `count`, each once, in any order.
pub fn for_each(count: usize, task: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().with_max_len(1).for_each(task);
}

/// Calls `task` with every item, in any order, and gives the results in the order of the items.
///
/// ```
/// use nearprint_search::tasks;
///
/// let sums = tasks::map(tasks::ranges(10, 4), |range| range.sum::<usize>());
/// assert_eq!(sums, [0 + 1 + 2 + 3, 4 + 5 + 6 + 7, 8 + 9]);
/// ```
///
/// # Panics
/// Where a task does.
pub fn map<T: Send, R: Send>(items: Vec<T>, task: impl Fn(T) -> R + Sync) -> Vec<R> {
    let count = items.len();
    let mut results: Vec<Option<R>> = Vec::with_capacity(count);
    for _ in 0..count {
        results.push(None);
    }
    let results = Mutex::new(results);
    let items = Mutex::new((0, items.into_iter()));
    for_each(count, &|_| {
        let (number, item) = {
            let mut items = whole(&items);
            items.0 += 1;
            (items.0 - 1, items.1.next())
        };
        if let Some(item) = item {
            let result = task(item);
            whole(&results)[number] = Some(result);
        }
    });
    let mut all = Vec::with_capacity(count);
    // A loop, and no chain of iterators: of that, each pair of types would have its own.
    for result in results.into_inner().unwrap_or_else(PoisonError::into_inner) {
        all.push(result.expect("every task was done"));
    }
    all
}

/// What is under the lock: no task runs while it is held, so that it is whole even where one panicked.
fn whole<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The numbers below `count` in ranges of `length`, at least one, of which the last may be shorter.
#[must_use]
pub fn ranges(count: usize, length: usize) -> Vec<Range<usize>> {
    let length = length.max(1);
    (0..count).step_by(length).map(|from| from..count.min(from + length)).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn every_item_is_taken_once_and_results_keep_their_places() {
        for (count, length) in [(0, 1), (1, 1), (7, 3), (1000, 1), (4096, 100)] {
            let taken = AtomicUsize::new(0);
            let found = map(ranges(count, length), |range| {
                taken.fetch_add(range.len(), Ordering::Relaxed);
                range.collect::<Vec<usize>>()
            });
            assert_eq!(found.concat(), (0..count).collect::<Vec<_>>());
            assert_eq!(taken.into_inner(), count);
        }
    }

    #[test]
    fn a_task_that_panics_ends_the_caller() {
        let outcome = std::panic::catch_unwind(|| {
            map(ranges(100, 1), |range| assert!(range.start != 50, "the fiftieth"));
        });
        assert!(outcome.is_err());
    }
}
