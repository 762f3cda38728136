//! How long look-ups of a kind take of late: quick ones are done where they arrive, others on threads for them.

use std::time::Duration;

use crate::lane::Mean;

/// Look-ups that take longer at the mean are not done where they arrive. A processor does some thousands of these a
/// second, so that 5,000 connections wait for less than a second.
const QUICK: Duration = Duration::from_micros(200);

/// What is assumed of look-ups of which none was done yet: some sixty have to be quick before one is done where it
/// arrives.
const UNKNOWN: Duration = Duration::from_millis(10);

/// The pace of look-ups of one kind.
pub(crate) struct Pace(Mean<16>);

impl Pace {
    pub(crate) fn new() -> Self {
        Self(Mean::of(UNKNOWN))
    }

    /// Whether the next one will be quick, as far as that can be expected.
    pub(crate) fn is_quick(&self) -> bool {
        self.0.get() <= QUICK
    }

    /// Notes how long one took.
    pub(crate) fn note(&self, time: Duration) {
        self.0.note(time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn look_ups_are_quick_once_many_were_and_slow_after_one() {
        let pace = Pace::new();
        let quick_after = |most: usize| {
            (0..most).position(|_| {
                pace.note(Duration::from_micros(20));
                pace.is_quick()
            })
        };
        assert!(!pace.is_quick());
        let first = quick_after(200).unwrap();
        assert!((40..100).contains(&first), "{first}");
        pace.note(Duration::from_millis(40));
        assert!(!pace.is_quick());
        let again = quick_after(200).unwrap();
        assert!((20..first).contains(&again), "{again}");
    }
}
