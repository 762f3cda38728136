//! One timer for each connection, for everything that its requests wait for.
//!
//! A timer of the runtime is entered into one list of all timers and taken out of it again, between those of other
//! connections and under a lock. Where thousands of connections have something to say, four of these for each request
//! take more time than its look-up. So a connection has one timer that is armed once and left alone: it goes off long
//! before most of what waits is late, and then everything that waits is polled, says whether it is late now, and asks
//! for the next time.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use tokio::time::{Instant, Sleep, sleep_until};

/// What a connection and its requests know of its timer.
#[derive(Debug, Default)]
pub(crate) struct Alarm {
    times: Mutex<AlarmTimes>,
}

#[derive(Debug, Default)]
struct AlarmTimes {
    /// The next time that somebody asked for since the timer was armed.
    wanted: Option<Instant>,
    /// When the timer went off the last time.
    rang: Option<Instant>,
}

/// It took too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IsLate;

impl Alarm {
    /// Whether the timer went off at this time or later; if not, it will.
    pub(crate) fn has_rung(&self, at: Instant) -> bool {
        let mut times = self.lock();
        if times.rang.is_some_and(|rang| rang >= at) {
            return true;
        }
        if times.wanted.is_none_or(|wanted| at < wanted) {
            times.wanted = Some(at);
        }
        false
    }

    fn lock(&self) -> MutexGuard<'_, AlarmTimes> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Does work within a time, which ends where a connection's alarm says so, or by a timer of its own without one.
pub(crate) async fn until<F: Future>(
    alarm: Option<&Alarm>,
    late: Instant,
    work: F,
) -> Result<F::Output, IsLate> {
    let Some(alarm) = alarm else {
        return tokio::time::timeout_at(late, work).await.map_err(|_| IsLate);
    };
    let mut work = pin!(work);
    poll_fn(|context| match work.as_mut().poll(context) {
        Poll::Ready(done) => Poll::Ready(Ok(done)),
        Poll::Pending if alarm.has_rung(late) => Poll::Ready(Err(IsLate)),
        Poll::Pending => Poll::Pending,
    })
    .await
}

/// The timer behind an alarm.
pub(crate) struct AlarmTimer {
    sleep: Pin<Box<Sleep>>,
    /// When it goes off; `None` where nothing was asked for since it did.
    armed: Option<Instant>,
}

impl AlarmTimer {
    pub(crate) fn new() -> Self {
        Self { sleep: Box::pin(sleep_until(Instant::now())), armed: None }
    }

    /// Waits for the next time that was asked for. Whatever waits is to be polled again then.
    pub(crate) fn poll(&mut self, alarm: &Alarm, context: &mut Context<'_>) -> Poll<()> {
        let wanted = alarm.lock().wanted.take();
        if let Some(wanted) = wanted
            && self.armed.is_none_or(|armed| wanted < armed)
        {
            self.sleep.as_mut().reset(wanted);
            self.armed = Some(wanted);
        }
        if self.armed.is_none() {
            return Poll::Pending;
        }
        ready!(self.sleep.as_mut().poll(context));
        self.armed = None;
        alarm.lock().rang = Some(Instant::now());
        Poll::Ready(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Does the work of a connection with a timer.
    async fn connection<F: Future>(alarm: &Alarm, work: F) -> (F::Output, usize) {
        let (mut work, mut timer, mut rung) = (pin!(work), AlarmTimer::new(), 0);
        poll_fn(|context| {
            loop {
                if let Poll::Ready(done) = work.as_mut().poll(context) {
                    return Poll::Ready((done, rung));
                }
                ready!(timer.poll(alarm, context));
                rung += 1;
            }
        })
        .await
    }

    #[tokio::test(start_paused = true)]
    async fn work_ends_at_its_time_and_not_before() {
        for own in [false, true] {
            let alarm = Alarm::default();
            let begun = Instant::now();
            let seconds = |seconds| begun + Duration::from_secs(seconds);
            let used = own.then_some(&alarm);
            let work = async {
                // Each of these asks for an earlier time than the timer is armed for, or a later one.
                let inner = until(used, seconds(10), tokio::time::sleep_until(seconds(20)));
                let inner = until(used, seconds(30), inner).await;
                assert_eq!((inner, begun.elapsed().as_secs()), (Ok(Err(IsLate)), 10));
                let quick = until(used, seconds(15), tokio::time::sleep_until(seconds(14))).await;
                assert_eq!((quick, begun.elapsed().as_secs()), (Ok(()), 14));
                let never = until(used, seconds(40), std::future::pending::<()>()).await;
                assert_eq!((never, begun.elapsed().as_secs()), (Err(IsLate), 40));
            };
            connection(&alarm, work).await;
        }
    }

    /// The timer is not touched by work that ends in time.
    #[tokio::test(start_paused = true)]
    async fn many_requests_share_one_timer() {
        let alarm = Alarm::default();
        let work = async {
            for _ in 0..1000 {
                let late = Instant::now() + Duration::from_secs(10);
                let answer = tokio::time::sleep(Duration::from_millis(10));
                until(Some(&alarm), late, answer).await.unwrap();
            }
        };
        // Ten seconds of requests that may take as long: it was armed by the first one, and hardly ever again.
        let ((), rung) = connection(&alarm, work).await;
        assert!(rung <= 1, "{rung}");
    }
}
