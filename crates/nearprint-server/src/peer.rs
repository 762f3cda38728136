//! The other end of a connection: whose it is, how long it may be idle, and how it bears to be refused.

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use hyper::Request;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use tokio::time::Instant;

use crate::alarm::{Alarm, AlarmTimer};

/// How long a connection rests after a request on it was refused for want of room, if the client does not wait by
/// itself as the answer asks. With the wait of a request before it, less than a second.
const REST: Duration = Duration::from_millis(200);

/// The other end of a connection.
#[derive(Debug)]
pub(crate) struct Peer {
    pub(crate) address: IpAddr,
    /// What its requests wait with.
    pub(crate) alarm: Alarm,
    state: Mutex<PeerState>,
}

#[derive(Debug, Default)]
struct PeerState {
    /// When a request was refused for want of room the last time.
    refused: Option<Instant>,
    /// Since when the head of a request is awaited; `None` while one is answered.
    idle: Option<Instant>,
}

impl Peer {
    pub(crate) fn new(address: IpAddr) -> Self {
        Self { address, alarm: Alarm::default(), state: Mutex::default() }
    }

    /// Notes that a request was refused for want of room.
    pub(crate) fn refuse(&self) {
        self.state().refused = Some(Instant::now());
    }

    /// Waits until the connection may be used again: refusals that are asked for as fast as they come would take the
    /// time of what is served.
    pub(crate) async fn rested(&self) {
        let refused = self.state().refused.take();
        if let Some(refused) = refused {
            tokio::time::sleep_until(refused + REST).await;
        }
    }

    /// Does the work of the connection until it ends, or until the head of a request takes longer than this. An idle
    /// connection waits for a head too. What the work gives is returned, where it ended.
    pub(crate) async fn serve<T>(
        &self,
        head_time: Duration,
        work: impl Future<Output = T>,
    ) -> Option<T> {
        self.state().idle = Some(Instant::now());
        let (mut work, mut timer) = (pin!(work), AlarmTimer::new());
        poll_fn(|context| {
            loop {
                if let Poll::Ready(end) = work.as_mut().poll(context) {
                    return Poll::Ready(Some(end));
                }
                let idle = self.state().idle;
                if idle.is_some_and(|idle| self.alarm.has_rung(idle + head_time)) {
                    return Poll::Ready(None);
                }
                ready!(timer.poll(&self.alarm, context));
            }
        })
        .await
    }

    fn state(&self) -> MutexGuard<'_, PeerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What answers the requests of one connection: all know where they come from.
pub(crate) fn service(
    router: TowerToHyperService<Router>,
    peer: Arc<Peer>,
) -> impl Service<
    Request<Incoming>,
    Response = Response<AnswerBody>,
    Error = Infallible,
    Future: Send + 'static,
> {
    hyper::service::service_fn(move |mut request: Request<Incoming>| {
        peer.state().idle = None;
        // The next head is awaited once this is dropped, whatever becomes of the answer.
        let answered = AnswerEnd(Arc::clone(&peer));
        request.extensions_mut().insert(Arc::clone(&peer));
        let answer = router.call(request);
        async move {
            let answer = answer.await?;
            Ok(answer.map(|body| AnswerBody { body, _end: answered }))
        }
    })
}

/// The body of an answer.
pub(crate) struct AnswerBody {
    body: Body,
    _end: AnswerEnd,
}

/// Notes that an answer has ended as it is dropped.
struct AnswerEnd(Arc<Peer>);

impl Drop for AnswerEnd {
    fn drop(&mut self) {
        self.0.state().idle = Some(Instant::now());
    }
}

impl HttpBody for AnswerBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_connection_rests_once_after_a_refusal() {
        let peer = Peer::new(IpAddr::from([127, 0, 0, 1]));
        let begun = Instant::now();
        peer.rested().await;
        assert_eq!(begun.elapsed(), Duration::ZERO);
        peer.refuse();
        // Whoever waits as the answer asks does not wait again.
        tokio::time::sleep(REST / 2).await;
        peer.rested().await;
        assert_eq!(begun.elapsed(), REST);
        peer.rested().await;
        assert_eq!(begun.elapsed(), REST);
    }
}
