//! Places that clients share fairly: none can have all of them, and the next free one goes to who has the fewest.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::client::Client;

/// A number of places, of which each client may have most but not all.
pub(crate) struct Places {
    state: Mutex<State>,
    /// The most that one client has at a time.
    most_each: u64,
}

#[derive(Default)]
struct State {
    free: u64,
    taken: HashMap<Client, u64>,
    queue: VecDeque<Waiter>,
}

struct Waiter {
    client: Client,
    wanted: u64,
    place: oneshot::Sender<Place>,
}

/// Some places, until this is dropped.
pub(crate) struct Place {
    places: Arc<Places>,
    client: Client,
    taken: u64,
}

impl Places {
    /// So many places, of which one client has `most_each` at most.
    pub(crate) fn new(number: u64, most_each: u64) -> Arc<Self> {
        let state = Mutex::new(State { free: number, ..State::default() });
        Arc::new(Self { state, most_each: most_each.clamp(1, number.max(1)) })
    }

    /// Takes some for a client, if there are as many and nobody waits before it.
    pub(crate) fn try_take(self: &Arc<Self>, client: &Client, wanted: u64) -> Option<Place> {
        let mut state = self.lock();
        let is_free = state.queue.is_empty() && self.fits(&state, client, wanted);
        is_free.then(|| self.give(&mut state, client, wanted))
    }

    /// Takes some as soon as they are free and this client's turn comes: whoever has the fewest is next, and of several
    /// the one that waits longest. Dropping the future gives up the wait.
    pub(crate) async fn take(self: &Arc<Self>, client: &Client, wanted: u64) -> Place {
        let (place, waits) = oneshot::channel();
        {
            let mut state = self.lock();
            state.queue.push_back(Waiter { client: client.clone(), wanted, place });
            self.hand_out(&mut state);
        }
        match waits.await {
            Ok(place) => place,
            // The sender lives in the queue for as long as the places do.
            Err(_) => std::future::pending().await,
        }
    }

    /// How many are taken.
    pub(crate) fn taken(&self) -> u64 {
        self.lock().taken.values().sum()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fits(&self, state: &State, client: &Client, wanted: u64) -> bool {
        let taken = state.taken.get(client).copied().unwrap_or_default();
        // Who wants more than its share alone gets it when it has nothing else.
        wanted <= state.free && (taken + wanted <= self.most_each || taken == 0)
    }

    fn give(self: &Arc<Self>, state: &mut State, client: &Client, wanted: u64) -> Place {
        state.free -= wanted;
        *state.taken.entry(client.clone()).or_default() += wanted;
        Place { places: Arc::clone(self), client: client.clone(), taken: wanted }
    }

    /// Gives what is free to those that wait.
    fn hand_out(self: &Arc<Self>, state: &mut State) {
        state.queue.retain(|waiter| !waiter.place.is_closed());
        loop {
            let taken = |client: &Client| state.taken.get(client).copied().unwrap_or_default();
            let waiters = state.queue.iter().enumerate();
            let able =
                waiters.filter(|(_, waiter)| self.fits(state, &waiter.client, waiter.wanted));
            let next = able.min_by_key(|(at, waiter)| (taken(&waiter.client), *at));
            let Some((at, _)) = next else { return };
            let Some(Waiter { client, wanted, place }) = state.queue.remove(at) else { return };
            let given = self.give(state, &client, wanted);
            if let Err(mut unwanted) = place.send(given) {
                // Nobody waits for it any more; dropping it here would lock what is locked.
                self.take_back(state, &client, std::mem::take(&mut unwanted.taken));
            }
        }
    }

    fn take_back(&self, state: &mut State, client: &Client, taken: u64) {
        state.free += taken;
        if let Some(left) = state.taken.get_mut(client) {
            *left -= taken;
            if *left == 0 {
                state.taken.remove(client);
            }
        }
    }
}

impl Place {
    /// These and others of the same client as one.
    pub(crate) fn with(mut self, mut other: Self) -> Self {
        self.taken += std::mem::take(&mut other.taken);
        self
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if self.taken > 0 {
            let places = Arc::clone(&self.places);
            let mut state = places.lock();
            places.take_back(&mut state, &self.client, self.taken);
            places.hand_out(&mut state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(name: &str) -> Client {
        Client::Token(name.into())
    }

    #[tokio::test]
    async fn one_client_never_has_all_places() {
        let places = Places::new(4, 3);
        let (a, b) = (client("a"), client("b"));
        let held: Vec<Place> = (0..3).map(|_| places.try_take(&a, 1).unwrap()).collect();
        assert!(places.try_take(&a, 1).is_none());
        let other = places.try_take(&b, 1).unwrap();
        assert!(places.try_take(&b, 1).is_none(), "none is free");
        drop((held, other));
        assert!(places.lock().taken.is_empty());
        // More than a share, for who has nothing.
        let all = places.try_take(&a, 4).unwrap();
        assert!(places.try_take(&b, 1).is_none());
        drop(all);
    }

    #[tokio::test]
    async fn the_next_place_goes_to_who_has_the_fewest() {
        let places = Places::new(3, 2);
        let (a, b) = (client("a"), client("b"));
        let first = places.take(&a, 1).await;
        let second = places.take(&a, 1).await;
        let third = places.take(&b, 1).await;
        let order = Arc::new(Mutex::new(Vec::new()));
        let wait = |name: &'static str, client: Client| {
            let (places, order) = (Arc::clone(&places), Arc::clone(&order));
            tokio::spawn(async move {
                let place = places.take(&client, 1).await;
                order.lock().unwrap().push(name);
                drop(place);
            })
        };
        let mut waits = Vec::new();
        for (number, (name, client)) in
            [("a", a.clone()), ("c", client("c")), ("b", b.clone())].into_iter().enumerate()
        {
            waits.push(wait(name, client));
            while places.lock().queue.len() <= number {
                tokio::task::yield_now().await;
            }
        }
        // Whoever gives up is passed over.
        waits.push(wait("gone", client("d")));
        while places.lock().queue.len() < 4 {
            tokio::task::yield_now().await;
        }
        waits.pop().unwrap().abort();
        drop(third);
        let [of_a, of_c, of_b] = waits.try_into().unwrap();
        of_c.await.unwrap();
        of_b.await.unwrap();
        // What it has already is all that one client may have.
        assert_eq!(*order.lock().unwrap(), ["c", "b"]);
        drop(first);
        of_a.await.unwrap();
        assert_eq!(*order.lock().unwrap(), ["c", "b", "a"]);
        drop(second);
        assert!(places.lock().taken.is_empty() && places.lock().free == 3);
    }
}
