//! The other end of a connection: whose it is, and how it bears to be refused.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use hyper::body::Incoming;
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use tokio::time::Instant;

/// How long a connection rests after a request on it was refused for want of room, if the client does not wait by
/// itself as the answer asks. With the wait of a request before it, less than a second.
const REST: Duration = Duration::from_millis(400);

/// The other end of a connection.
#[derive(Debug)]
pub(crate) struct Peer {
    pub(crate) address: IpAddr,
    /// When a request was refused for want of room the last time.
    refused: Mutex<Option<Instant>>,
}

impl Peer {
    pub(crate) fn new(address: IpAddr) -> Self {
        Self { address, refused: Mutex::default() }
    }

    /// Notes that a request was refused for want of room.
    pub(crate) fn refuse(&self) {
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// Waits until the connection may be used again: refusals that are asked for as fast as they come would take the
    /// time of what is served.
    pub(crate) async fn rested(&self) {
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(refused) = refused {
            tokio::time::sleep_until(refused + REST).await;
        }
    }
}

/// What answers the requests of one connection: all know where they come from.
pub(crate) struct PeerService {
    pub(crate) router: TowerToHyperService<Router>,
    pub(crate) peer: Arc<Peer>,
}

impl Service<hyper::Request<Incoming>> for PeerService {
    type Response = <TowerToHyperService<Router> as Service<hyper::Request<Incoming>>>::Response;
    type Error = <TowerToHyperService<Router> as Service<hyper::Request<Incoming>>>::Error;
    type Future = <TowerToHyperService<Router> as Service<hyper::Request<Incoming>>>::Future;

    fn call(&self, mut request: hyper::Request<Incoming>) -> Self::Future {
        request.extensions_mut().insert(Arc::clone(&self.peer));
        self.router.call(request)
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
