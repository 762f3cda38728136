//! How much of the server one token may use: requests a second, and requests at the same time. Without tokens, all
//! users of the machine share what one may use.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::problem::Problem;
use crate::settings::TokenLimits;

/// Users that are remembered; beyond it, those that wait for nothing are forgotten.
const MOST_USERS: usize = 10_000;

/// What every token has used lately.
#[derive(Default)]
pub(crate) struct Throttle {
    users: Mutex<HashMap<String, User>>,
}

struct User {
    /// When so much would have been used that nothing is left of the last second (the generic cell rate algorithm).
    due: Instant,
    under_way: Arc<()>,
}

/// A request that is under way, until it is dropped.
pub(crate) struct UnderWay(#[expect(dead_code, reason = "held for its count")] Arc<()>);

impl Throttle {
    /// Lets a request of a token through, or refuses it with the time after which it may come again.
    pub(crate) fn enter(
        &self,
        token: Option<&str>,
        limits: &TokenLimits,
        now: Instant,
    ) -> Result<UnderWay, Problem> {
        let mut users = self.users.lock().unwrap_or_else(PoisonError::into_inner);
        if users.len() >= MOST_USERS {
            users.retain(|_, user| user.due > now || Arc::strong_count(&user.under_way) > 1);
        }
        let new = || User { due: now, under_way: Arc::default() };
        let user = users.entry(token.unwrap_or("").to_owned()).or_insert_with(new);
        if let Some(most) = limits.concurrent
            && Arc::strong_count(&user.under_way) > most as usize
        {
            let detail = format!("{most} requests of this token are under way, which is the limit");
            return Err(Problem::too_many(detail, Duration::from_secs(1)));
        }
        if let Some(rate) = limits.rate {
            let each = Duration::from_secs(1) / rate.max(1);
            let due = user.due.max(now);
            // As many as a second allows may come at once.
            let ahead = due + each - now;
            if ahead > Duration::from_secs(1) {
                let detail = format!("{rate} requests a second are the limit of this token");
                return Err(Problem::too_many(detail, ahead - Duration::from_secs(1)));
            }
            user.due = due + each;
        }
        Ok(UnderWay(Arc::clone(&user.under_way)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_allows_its_requests_and_no_more() {
        let throttle = Throttle::default();
        let limits = TokenLimits { rate: Some(4), ..TokenLimits::default() };
        let begun = Instant::now();
        let at = |millis| begun + Duration::from_millis(millis);
        let enter = |token, millis| throttle.enter(Some(token), &limits, at(millis)).is_ok();
        assert_eq!(
            [0, 0, 0, 0, 0].map(|millis| enter("a", millis)),
            [true, true, true, true, false]
        );
        // Another token has its own.
        assert!(enter("b", 0));
        assert_eq!(
            [249, 250, 251, 499, 500].map(|millis| enter("a", millis)),
            [false, true, false, false, true]
        );
        assert_eq!([10_000; 5].map(|millis| enter("a", millis)), [true, true, true, true, false]);
        let refused = throttle.enter(Some("a"), &limits, at(10_000)).map(|_| ()).unwrap_err();
        assert_eq!((refused.status().as_u16(), refused.retry), (429, Some(1)));
    }

    #[test]
    fn requests_at_the_same_time_are_counted_until_they_end() {
        let throttle = Throttle::default();
        let limits = TokenLimits { concurrent: Some(2), ..TokenLimits::default() };
        let enter = |token| throttle.enter(token, &limits, Instant::now());
        let first = enter(None).unwrap();
        let second = enter(None).unwrap();
        assert!(enter(None).is_err());
        assert!(enter(Some("a")).is_ok());
        drop(first);
        let third = enter(None).unwrap();
        assert!(enter(None).is_err());
        drop((second, third));
    }
}
