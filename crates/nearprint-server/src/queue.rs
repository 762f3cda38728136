//! How many requests wait for something at once, of all clients and of each.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::client::Client;

/// Requests that wait, by client.
pub(crate) struct Queue {
    counts: Mutex<HashMap<Client, usize>>,
    most: usize,
}

/// A request that waits is counted until this is dropped.
pub(crate) struct QueuePlace {
    queue: Arc<Queue>,
    client: Client,
}

impl Queue {
    /// At most so many wait at once.
    pub(crate) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { counts: Mutex::default(), most })
    }

    /// A place, if there is one; a client may have three quarters of them.
    pub(crate) fn place(self: &Arc<Self>, client: &Client) -> Option<QueuePlace> {
        let mut counts = self.counts();
        let all: usize = counts.values().sum();
        let own = counts.get(client).copied().unwrap_or_default();
        let most_each = (self.most - self.most / 4).max(1);
        if all >= self.most || own >= most_each {
            return None;
        }
        *counts.entry(client.clone()).or_default() += 1;
        Some(QueuePlace { queue: Arc::clone(self), client: client.clone() })
    }

    /// Requests that wait at the moment.
    pub(crate) fn length(&self) -> usize {
        self.counts().values().sum()
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<Client, usize>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for QueuePlace {
    fn drop(&mut self) {
        let mut counts = self.queue.counts();
        if let Some(count) = counts.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_client_takes_all_places() {
        let queue = Queue::new(4);
        let [a, b, c] = ["a", "b", "c"].map(|name| Client::Token(name.into()));
        let held: Vec<_> = (0..3).map(|_| queue.place(&a).unwrap()).collect();
        assert!(queue.place(&a).is_none());
        let other = queue.place(&b).unwrap();
        assert_eq!(queue.length(), 4);
        assert!(queue.place(&c).is_none());
        drop((held, other));
        assert!(queue.counts().is_empty());
    }
}
