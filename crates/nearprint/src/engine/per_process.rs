//! A value that a process makes for itself, and makes again after a fork.

use std::fmt;
use std::sync::Arc;

use arc_swap::ArcSwapOption;

/// Holds what threads, child processes and pipes of one process belong to. A fork copies the memory but none of the
/// threads, so the child must not use the parent's value, nor drop it: dropping would end the parent's workers.
pub(super) struct PerProcess<T> {
    made: ArcSwapOption<ProcessValue<T>>,
}

struct ProcessValue<T> {
    process: u32,
    value: Arc<T>,
}

impl<T> PerProcess<T> {
    /// The value of this process, made where there is none. Takes no lock that a thread lost in a fork could hold.
    pub(super) fn get(&self, make: impl Fn() -> T) -> Arc<T> {
        let process = std::process::id();
        loop {
            let current = self.made.load();
            if let Some(made) = current.as_deref().filter(|made| made.process == process) {
                return made.value.clone();
            }
            let new = Arc::new(ProcessValue { process, value: Arc::new(make()) });
            let before = self.made.compare_and_swap(&current, Some(new));
            let same = match (&*before, &*current) {
                (Some(before), Some(current)) => Arc::ptr_eq(before, current),
                (None, None) => true,
                _ => false,
            };
            if let Some(parents) = before.as_ref().filter(|_| same) {
                // One count more, for ever: the parent's value is never dropped here.
                std::mem::forget(parents.clone());
            }
        }
    }
}

impl<T> Default for PerProcess<T> {
    fn default() -> Self {
        Self { made: ArcSwapOption::empty() }
    }
}

impl<T> Drop for PerProcess<T> {
    fn drop(&mut self) {
        let made = self.made.swap(None);
        if made.as_ref().is_some_and(|made| made.process != std::process::id()) {
            std::mem::forget(made);
        }
    }
}

impl<T> fmt::Debug for PerProcess<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PerProcess").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn threads_of_one_process_get_one_value() {
        let (held, made) = (PerProcess::default(), AtomicUsize::new(0));
        let values: Vec<Arc<usize>> = std::thread::scope(|scope| {
            let get = || held.get(|| made.fetch_add(1, Ordering::SeqCst));
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(get)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(values.iter().all(|value| Arc::ptr_eq(value, &values[0])));
    }

    #[test]
    fn a_value_of_another_process_is_neither_used_nor_dropped() {
        let held = PerProcess::default();
        let parents = Arc::new(7);
        let of_parent = ProcessValue { process: std::process::id() + 1, value: parents.clone() };
        held.made.store(Some(Arc::new(of_parent)));
        assert_eq!(*held.get(|| 8), 8);
        drop(held);
        assert_eq!(Arc::strong_count(&parents), 2);
    }
}
