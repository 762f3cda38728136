//! What a server may use and whom it serves.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use nearprint::{Engine, EngineSettings};
use serde::{Deserialize, Serialize};

use crate::log::LogSettings;
use crate::tls::TlsFiles;

/// How a server runs. None of it changes an answer; it decides what is refused.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ServerSettings {
    /// The directory of the collections. It is created if there is none, and only one server at a time uses it.
    pub directory: PathBuf,
    /// The address to listen on; port 0 is any free one. Addresses that other machines reach need
    /// [`Tokens`](crate::Tokens), and [`tls`](Self::tls) or [`insecure_http`](Self::insecure_http). Default
    /// `127.0.0.1:7117`.
    pub listen: SocketAddr,
    /// Whether tokens and documents may go over the network unencrypted, as from a proxy that speaks TLS. Default no.
    pub insecure_http: bool,
    /// Names, without ports, that requests may have in `Host` besides those of this machine itself. Default none.
    pub allowed_hosts: Vec<String>,
    /// Origins, such as `https://tools.example.org`, whose pages may use the API in browsers, with tokens of their own.
    /// Default none.
    pub allowed_origins: Vec<String>,
    /// The certificate for encrypted connections; none are accepted otherwise. Default none: HTTP without encryption.
    pub tls: Option<TlsFiles>,
    /// What is logged, and where. Default nothing.
    pub log: Option<LogSettings>,
    /// The collection from which the endpoints of wayback-discover-diff are answered (`/simhash`, `/calculate-simhash`
    /// and `/job`). Default none: there are no such endpoints.
    pub wayback: Option<String>,
    /// Where captures are replayed: a template of addresses with `{timestamp}` and `{url}`. Default unknown.
    pub replay: Option<String>,
    /// The directory whose files jobs of the type `import` may read. Default none: there are no such jobs.
    pub import_from: Option<PathBuf>,
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
    /// Bytes of all bodies that are in memory at the same time, counted as they arrive; what does not fit waits, then
    /// gets 503. One client has half of it at most. Default 512 MiB, and at least twice
    /// [`body_bytes`](Self::body_bytes).
    pub bodies_bytes: u64,
    /// Connections at the same time, of which one address has three quarters at most; further ones get 503. Fewer if
    /// the process may not open as many files. Default 16,384.
    pub connections: usize,
    /// Requests that wait for a thread at the same time; further ones get 503 at once, as do
    /// those of a client of which so many wait that one more would take 0.75 seconds. Default 8,192.
    pub waiting: usize,
    /// How long a request waits for a thread, or for room for its body, until it gets 503. Default 10 seconds.
    pub wait: Duration,
    /// How long the head of a request may take, and how long a connection may be idle. Default 30 seconds.
    pub head_time: Duration,
    /// Bytes of a body that have to arrive in a second, on average after [`body_grace`](Self::body_grace); what is
    /// slower is refused with 408. Default 1,024.
    pub body_rate: u64,
    /// How long a body may take whatever its length, and how long nothing of an uploaded snapshot may arrive. Default
    /// 30 seconds.
    pub body_grace: Duration,
    /// How long a connection may accept nothing of an answer before it is closed. Default 30 seconds.
    pub write_time: Duration,
    /// How long requests that are under way may take after the server was told to stop. Default 30 seconds.
    pub stop_time: Duration,
    /// Documents or queries in one batch; more is refused with 413. Default 1,000.
    pub batch_items: usize,
    /// Jobs that wait or run; further ones get 503. Default 64.
    pub jobs: usize,
    /// Collections that are open at the same time; others are opened when they are used. Fewer if the process may not
    /// open as many files. Default 128.
    pub open_collections: usize,
    /// How long a job and its result are kept after its end. Default 30 days.
    pub job_time: Duration,
    /// How long a request may take until it gets 503; work on it that has begun is done to its end. Default 5 minutes.
    pub request_time: Duration,
    /// Bytes of an uploaded snapshot; more is refused with 413. Default 64 GiB.
    pub snapshot_bytes: u64,
    /// What each token may use, unless the token says otherwise. Without tokens, all users share it. Default no limits.
    pub token: TokenLimits,
}

/// What one token may use of a server; `None` for no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TokenLimits {
    /// Requests a second, of which as many may come at once; more get 429. A batch is one request.
    pub rate: Option<u32>,
    /// Requests at the same time; more get 429.
    pub concurrent: Option<u32>,
    /// Bytes on the disk of all collections that the token is for. Where they take as many, additions get 413.
    pub stored_bytes: Option<u64>,
}

impl TokenLimits {
    /// These limits, and the others where there are none.
    pub(crate) fn or(self, others: Self) -> Self {
        Self {
            rate: self.rate.or(others.rate),
            concurrent: self.concurrent.or(others.concurrent),
            stored_bytes: self.stored_bytes.or(others.stored_bytes),
        }
    }

    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
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
            allowed_origins: Vec::new(),
            tls: None,
            log: None,
            wayback: None,
            replay: None,
            import_from: None,
            // Not the engine's own default: documents from the network are never read here for want of a worker.
            engine: Engine::new(EngineSettings::default()),
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
            waiting: 8192,
            wait: Duration::from_secs(10),
            head_time: Duration::from_secs(30),
            body_rate: 1024,
            body_grace: Duration::from_secs(30),
            write_time: Duration::from_secs(30),
            stop_time: Duration::from_secs(30),
            batch_items: 1000,
            jobs: 64,
            open_collections: 128,
            job_time: Duration::from_secs(30 * 24 * 60 * 60),
            request_time: Duration::from_secs(300),
            snapshot_bytes: 64 << 30,
            token: TokenLimits::default(),
        }
    }
}
