//! When clients that were refused for want of room are asked to come back: the later, the more of them there are, and
//! not all at the same time. So refusals never take the time of what is served.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Refusals a second for each of which another second is added.
const EACH_SECOND: u64 = 400;

/// The most seconds after which a client is asked to come back.
const MOST_SECONDS: u64 = 8;

/// Counts refusals.
pub(crate) struct Refusals {
    count: Mutex<Count>,
}

struct Count {
    begun: Instant,
    /// In the second that runs, and in the one before.
    now: u64,
    before: u64,
}

impl Refusals {
    pub(crate) fn new() -> Self {
        Self { count: Mutex::new(Count { begun: Instant::now(), now: 0, before: 0 }) }
    }

    /// Counts a refusal; the seconds after which its client may come back.
    pub(crate) fn seconds(&self, time: Instant) -> u64 {
        let mut count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = time.saturating_duration_since(count.begun);
        if passed >= Duration::from_secs(1) {
            // After a second without any, the one before had none.
            count.before = if passed < Duration::from_secs(2) { count.now } else { 0 };
            (count.begun, count.now) = (time, 0);
        }
        count.now += 1;
        let most = (1 + count.now.max(count.before) / EACH_SECOND).min(MOST_SECONDS);
        1 + count.now % most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_come_back_later_and_few_after_a_second() {
        let refusals = Refusals::new();
        let begun = Instant::now();
        assert!((0..300).all(|_| refusals.seconds(begun) == 1));
        let later: Vec<u64> = (0..4000).map(|_| refusals.seconds(begun)).collect();
        for seconds in 1..=MOST_SECONDS {
            assert!(later.iter().filter(|&&one| one == seconds).count() >= 150, "{seconds}");
        }
        // The second after is as full, and the one after a pause is not.
        let next = begun + Duration::from_secs(1);
        assert!((0..8).map(|_| refusals.seconds(next)).any(|seconds| seconds > 4));
        assert_eq!(refusals.seconds(next + Duration::from_secs(5)), 1);
    }
}
