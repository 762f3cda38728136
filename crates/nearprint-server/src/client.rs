//! Whose share of the server a request takes.
//!
//! A token has a share of its own; without one, all requests of an address have one together. The guard names the
//! client before a handler runs, and what hands out places asks for it there, so that no handler has to pass it on.

use std::cell::Cell;
use std::future::Future;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

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

    /// Does this work for the client.
    pub(crate) async fn does<F: Future>(self, work: F) -> F::Output {
        CURRENT.scope(CurrentRequest { client: self, waited: Cell::default() }, work).await
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
