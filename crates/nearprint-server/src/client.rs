//! Whose share of the server a request takes.
//!
//! A token has a share of its own; without one, all requests of an address have one together. The guard names the
//! client before a handler runs, and what hands out places asks for it there, so that no handler has to pass it on.

use std::cell::Cell;
use std::future::Future;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::alarm::{IsLate, until};
use crate::peer::Peer;

/// Who a request is accounted to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Client {
    /// The owner of a token, by its id.
    Token(Arc<str>),
    /// Everybody at an address.
    Address(IpAddr),
    /// The server's own work.
    Server,
}

/// The request that is being answered.
struct CurrentRequest {
    client: Client,
    /// Where it comes from.
    peer: Option<Arc<Peer>>,
    waited: Cell<Duration>,
}

tokio::task_local! {
    static CURRENT: CurrentRequest;
}

impl Client {
    /// The client of the request that is being answered.
    pub(crate) fn current() -> Self {
        CURRENT.try_with(|current| current.client.clone()).unwrap_or(Self::Server)
    }

    /// Does this work for the client, whose request came from there.
    pub(crate) async fn does<F: Future>(self, peer: Option<Arc<Peer>>, work: F) -> F::Output {
        let current = CurrentRequest { client: self, peer, waited: Cell::default() };
        CURRENT.scope(current, work).await
    }

    /// Does a part of the work for the request that is being answered, within a time.
    pub(crate) async fn within<F: Future>(late: Instant, work: F) -> Result<F::Output, IsLate> {
        let peer = CURRENT.try_with(|current| current.peer.clone()).unwrap_or_default();
        until(peer.as_deref().map(|peer| &peer.alarm), late, work).await
    }

    /// How long the request that is being answered has waited for places.
    pub(crate) fn waited() -> Duration {
        CURRENT.try_with(|current| current.waited.get()).unwrap_or_default()
    }

    /// Notes that it has waited longer.
    pub(crate) fn add_waited(more: Duration) {
        let _ = CURRENT.try_with(|current| current.waited.set(current.waited.get() + more));
    }
}
