//! What a server may use and whom it serves.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use nearprint::Engine;

/// How a server runs. None of it changes an answer; it decides what is refused.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ServerSettings {
    /// The directory of the collections. It is created if there is none, and only one server at a time uses it.
    pub directory: PathBuf,
    /// The address to listen on; port 0 is any free one. Addresses that other machines reach need
    /// [`Tokens`](crate::Tokens) and [`insecure_http`](Self::insecure_http). Default `127.0.0.1:7117`.
    pub listen: SocketAddr,
    /// Whether tokens and documents may go over the network unencrypted, as from a proxy that speaks TLS. Default no.
    pub insecure_http: bool,
    /// Names, without ports, that requests may have in `Host` besides those of this machine itself. Default none.
    pub allowed_hosts: Vec<String>,
    /// What extracts documents and searches.
    pub engine: Engine,
    /// What clients may use.
    pub limits: ServerLimits,
}

/// What clients may use of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerLimits {
    /// Bytes of the body of one request; more is refused with 413. Default 64 MiB.
    pub body_bytes: u64,
    /// Bytes of all bodies that are in memory at the same time; requests beyond it wait, then get 503. Default 512 MiB,
    /// and at least [`body_bytes`](Self::body_bytes).
    pub bodies_bytes: u64,
    /// Connections at the same time; further ones wait until one is closed. Default 16,384.
    pub connections: usize,
    /// Requests that wait for a thread at the same time; further ones get 503 at once. Default 1,024.
    pub waiting: usize,
    /// How long a request waits for a thread, or for room for its body, until it gets 503. Default 10 seconds.
    pub wait: Duration,
    /// How long the head of a request may take, and how long a connection may be idle. Default 30 seconds.
    pub head_time: Duration,
    /// How long the body of a request may take; more is refused with 408. Default 60 seconds.
    pub body_time: Duration,
    /// How long a connection may accept nothing of an answer before it is closed. Default 30 seconds.
    pub write_time: Duration,
    /// How long requests that are under way may take after the server was told to stop. Default 30 seconds.
    pub stop_time: Duration,
    /// Documents or queries in one batch; more is refused with 413. Default 1,000.
    pub batch_items: usize,
    /// Jobs that wait or run; further ones get 503. Default 64.
    pub jobs: usize,
}

impl ServerSettings {
    /// A server of the collections in `directory`, on the default address.
    #[must_use]
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self {
            directory: directory.into(),
            listen: SocketAddr::from(([127, 0, 0, 1], 7117)),
            insecure_http: false,
            allowed_hosts: Vec::new(),
            engine: Engine::default(),
            limits: ServerLimits::default(),
        }
    }
}

impl Default for ServerLimits {
    fn default() -> Self {
        Self {
            body_bytes: 64 << 20,
            bodies_bytes: 512 << 20,
            connections: 16_384,
            waiting: 1024,
            wait: Duration::from_secs(10),
            head_time: Duration::from_secs(30),
            body_time: Duration::from_secs(60),
            write_time: Duration::from_secs(30),
            stop_time: Duration::from_secs(30),
            batch_items: 1000,
            jobs: 64,
        }
    }
}
