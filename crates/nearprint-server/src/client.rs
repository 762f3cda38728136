//! Whose share of the server a request takes.
//!
//! A token has a share of its own; without one, all requests of an address have one together. The guard names the
//! client before a handler runs, and what hands out places asks for it there, so that no handler has to pass it on.

use std::future::Future;
use std::net::IpAddr;
use std::sync::Arc;

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

/// The address at the other end of a connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PeerAddress(pub(crate) IpAddr);

tokio::task_local! {
    static CURRENT: Client;
}

impl Client {
    /// The client of the request that is being answered.
    pub(crate) fn current() -> Self {
        CURRENT.try_with(Clone::clone).unwrap_or(Self::Server)
    }

    /// Does this work for the client.
    pub(crate) async fn does<F: Future>(self, work: F) -> F::Output {
        CURRENT.scope(self, work).await
    }
}
