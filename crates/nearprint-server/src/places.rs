//! Places that clients share fairly: none can have all of them, and the next free one goes to who has the fewest.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::client::Client;
use crate::place_turn::{NextTurn, PlaceTurn};

/// A number of places, of which each client may have most but not all.
pub(crate) struct Places {
    state: Mutex<State>,
    /// The most that one client has at a time.
    most_each: u64,
}

#[derive(Default)]
struct State {
    free: u64,
    clients: HashMap<Client, Share>,
    /// Requests that wait, of all clients.
    waiting: usize,
    arrivals: u64,
}

/// What a client has, and what it waits for, in the order of arrival.
#[derive(Default)]
struct Share {
    taken: u64,
    waiters: VecDeque<Waiter>,
}

struct Waiter {
    wanted: u64,
    arrival: u64,
    turn: Box<dyn PlaceTurn>,
}

/// Some places, until this is dropped.
pub(crate) struct Place {
    places: Arc<Places>,
    client: Client,
    taken: u64,
}

/// How many wait before a new request of a client, and how many places it shares with the other clients.
pub(crate) struct Turn {
    pub(crate) before: usize,
    pub(crate) places: u64,
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
        let taken = state.clients.get(client).map_or(0, |share| share.taken);
        let is_free = state.waiting == 0 && self.fits(state.free, taken, wanted);
        is_free.then(|| self.give(&mut state, client, wanted))
    }

    /// Takes some as soon as they are free and this client's turn comes: whoever has the fewest is next, and of several
    /// the one that waits longest. Dropping the future gives up the wait.
    pub(crate) async fn take(self: &Arc<Self>, client: &Client, wanted: u64) -> Place {
        let (place, waits) = oneshot::channel();
        self.join(client, wanted, Box::new(place));
        match waits.await {
            Ok(place) => place,
            // The sender lives in the queue for as long as the places do.
            Err(_) => std::future::pending().await,
        }
    }

    /// Joins the queue: what waits begins as soon as so many places are free and this client's turn comes.
    pub(crate) fn join(self: &Arc<Self>, client: &Client, wanted: u64, turn: Box<dyn PlaceTurn>) {
        let mut state = self.lock();
        state.arrivals += 1;
        state.waiting += 1;
        let arrival = state.arrivals;
        let share = state.clients.entry(client.clone()).or_default();
        share.waiters.push_back(Waiter { wanted, arrival, turn });
        state.forget_gone(client);
        let next = self.hand_out(&mut state);
        drop(state);
        next.into_iter().for_each(NextTurn::begin);
    }

    /// The turn of a request that joins the queue now.
    pub(crate) fn turn(&self, client: &Client) -> Turn {
        let mut state = self.lock();
        state.forget_gone(client);
        let before = state.clients.get(client).map_or(0, |share| share.waiters.len());
        let others = state.clients.keys().filter(|other| *other != client).count() as u64;
        Turn { before, places: (self.most_each / (others + 1)).max(1) }
    }

    /// How many are taken.
    pub(crate) fn taken(&self) -> u64 {
        self.lock().clients.values().map(|share| share.taken).sum()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fits(&self, free: u64, taken: u64, wanted: u64) -> bool {
        // Who wants more than its share alone gets it when it has nothing else.
        wanted <= free && (taken + wanted <= self.most_each || taken == 0)
    }

    fn give(self: &Arc<Self>, state: &mut State, client: &Client, wanted: u64) -> Place {
        state.free -= wanted;
        state.clients.entry(client.clone()).or_default().taken += wanted;
        Place { places: Arc::clone(self), client: client.clone(), taken: wanted }
    }

    /// The first of a client that can have what it waits for.
    fn able(&self, free: u64, share: &Share) -> Option<usize> {
        // Most often there is nothing for any of them, of whom there may be a thousand.
        if free == 0 || share.taken > 0 && share.taken >= self.most_each {
            return None;
        }
        share.waiters.iter().position(|waiter| self.fits(free, share.taken, waiter.wanted))
    }

    /// Gives what is free to those that wait; they begin when nothing is locked.
    #[must_use]
    fn hand_out(self: &Arc<Self>, state: &mut State) -> Vec<NextTurn> {
        let mut begin = Vec::new();
        while state.waiting > 0 {
            let able = state.clients.iter().filter_map(|(client, share)| {
                let at = self.able(state.free, share)?;
                Some((share.taken, share.waiters[at].arrival, at, client))
            });
            let next = able.min_by_key(|(taken, arrival, ..)| (*taken, *arrival));
            let Some((_, _, at, client)) = next else { break };
            let client = client.clone();
            let share = state.clients.get_mut(&client);
            let Some(Waiter { wanted, turn, .. }) =
                share.and_then(|share| share.waiters.remove(at))
            else {
                break;
            };
            state.waiting -= 1;
            if turn.is_gone() {
                state.forget(&client);
                continue;
            }
            let place = self.give(state, &client, wanted);
            begin.push(NextTurn { turn, place });
        }
        begin
    }
}

impl State {
    fn take_back(&mut self, client: &Client, taken: u64) {
        self.free += taken;
        if let Some(share) = self.clients.get_mut(client) {
            share.taken -= taken;
        }
        self.forget(client);
    }

    /// Takes the longest waiters of a client that gave up out of its queue.
    fn forget_gone(&mut self, client: &Client) {
        let Some(share) = self.clients.get_mut(client) else { return };
        while share.waiters.front().is_some_and(|first| first.turn.is_gone()) {
            share.waiters.pop_front();
            self.waiting -= 1;
        }
        self.forget(client);
    }

    /// Forgets a client that has nothing and waits for nothing.
    fn forget(&mut self, client: &Client) {
        let is_idle = |share: &Share| share.taken == 0 && share.waiters.is_empty();
        if self.clients.get(client).is_some_and(is_idle) {
            self.clients.remove(client);
        }
    }
}

impl Place {
    /// These and others of the same client as one.
    pub(crate) fn with(mut self, mut other: Self) -> Self {
        self.taken += std::mem::take(&mut other.taken);
        self
    }

    /// Gives the places back. What begins with them is returned instead of begun, at most one.
    pub(crate) fn pass_on(mut self) -> Option<NextTurn> {
        let mut next = self.give_back().into_iter();
        let first = next.next();
        next.for_each(NextTurn::begin);
        first
    }

    fn give_back(&mut self) -> Vec<NextTurn> {
        let taken = std::mem::take(&mut self.taken);
        if taken == 0 {
            return Vec::new();
        }
        let mut state = self.places.lock();
        state.take_back(&self.client, taken);
        self.places.hand_out(&mut state)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.give_back().into_iter().for_each(NextTurn::begin);
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
        assert!(places.lock().clients.is_empty());
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
            while places.lock().waiting <= number {
                tokio::task::yield_now().await;
            }
        }
        // Whoever gives up is passed over.
        waits.push(wait("gone", client("d")));
        while places.lock().waiting < 4 {
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
        assert!(places.lock().clients.is_empty() && places.lock().free == 3);
    }

    #[tokio::test]
    async fn who_gave_up_takes_no_turn() {
        let places = Places::new(2, 1);
        let (a, b) = (client("a"), client("b"));
        let held = places.try_take(&a, 1).unwrap();
        for _ in 0..3 {
            let waits = places.take(&a, 1);
            assert!(tokio::time::timeout(std::time::Duration::ZERO, waits).await.is_err());
        }
        assert_eq!(places.turn(&a).before, 0);
        // One of another client shares the places.
        let other = places.try_take(&b, 1).unwrap();
        assert_eq!((places.turn(&b).before, places.turn(&b).places), (0, 1));
        drop((held, other));
        assert!(places.lock().clients.is_empty() && places.lock().waiting == 0);
    }
}
