//! A value that a process makes for itself, and makes again after a fork.
#![expect(
    unsafe_code,
    reason = "values are found through a pointer: a lock might be held for ever by a thread lost in a fork"
)]

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};

/// Holds what threads, child processes and pipes of one process belong to. A fork copies the memory but none of the
/// threads, so the child must not use the parent's value, nor drop it: dropping would end the parent's workers.
///
/// The values of one process after another are a chain, which only grows: each fork of a fork that asks adds one.
pub(super) struct PerProcess<T> {
    /// The value made last, or null. It is of this process or of one before it.
    newest: AtomicPtr<ProcessValue<T>>,
    /// The pointer says nothing of threads; what is shared with them are these.
    owned: PhantomData<Arc<T>>,
}

struct ProcessValue<T> {
    process: u32,
    value: Arc<T>,
    /// That of the process before.
    older: *mut Self,
}

impl<T> PerProcess<T> {
    /// The value of this process, made where there is none. Takes no lock that a thread lost in a fork could hold.
    pub(super) fn get(&self, make: impl Fn() -> T) -> Arc<T> {
        self.get_in(std::process::id(), make)
    }

    fn get_in(&self, process: u32, make: impl Fn() -> T) -> Arc<T> {
        loop {
            let older = self.newest.load(Ordering::Acquire);
            // SAFETY: `newest` is null or from `Box::into_raw` below, after the value was written whole. Nothing
            // changes or frees it before `drop`, which has `self` alone.
            let made = unsafe { older.as_ref() };
            if let Some(made) = made.filter(|made| made.process == process) {
                return made.value.clone();
            }
            let value = Arc::new(make());
            let new =
                Box::into_raw(Box::new(ProcessValue { process, value: value.clone(), older }));
            match self.newest.compare_exchange(older, new, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return value,
                // SAFETY: it is from `Box::into_raw`, and nobody else was given it.
                Err(_) => drop(unsafe { Box::from_raw(new) }),
            }
        }
    }
}

impl<T> Default for PerProcess<T> {
    fn default() -> Self {
        Self { newest: AtomicPtr::default(), owned: PhantomData }
    }
}

impl<T> Drop for PerProcess<T> {
    fn drop(&mut self) {
        let mut next = *self.newest.get_mut();
        while !next.is_null() {
            // SAFETY: all of the chain are from `Box::into_raw`, each is in it once, and nobody else has `self` any
            // more.
            let made = unsafe { Box::from_raw(next) };
            next = made.older;
            if made.process != std::process::id() {
                std::mem::forget(made);
            }
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
    use std::sync::atomic::AtomicUsize;

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
        let (parents, own) = (Arc::new(7), Arc::new(8));
        assert_eq!(**held.get_in(std::process::id() + 1, || parents.clone()), 7);
        for _ in 0..2 {
            assert_eq!(**held.get(|| own.clone()), 8);
        }
        drop(held);
        assert_eq!((Arc::strong_count(&parents), Arc::strong_count(&own)), (2, 1));
    }
}
