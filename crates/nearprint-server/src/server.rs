//! The server: a socket, connections with limits, and an end that loses nothing.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpSocket};
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio_rustls::TlsAcceptor;

use crate::connections::Connections;
use crate::metrics::GaugeGuard;
use crate::peer::{self, Peer};
use crate::problem_kind::ProblemKind;
use crate::routes;
use crate::serve_error::ServeError;
use crate::settings::ServerSettings;
use crate::state::{App, SharedApp};
use crate::stream::WatchedStream;
use crate::tls::acceptor;
use crate::tokens::Tokens;
use crate::work::Work;

/// Bytes of the head of a request: an id of 4 KiB, percent-encoded, and room for the rest.
const HEAD_BYTES: usize = 32 << 10;

/// Connections that the system accepts before the server does, as far as it allows so many. A client that finds no room
/// tries again after a second.
const BACKLOG: u32 = 4096;

/// Every second task that a thread goes on with is one that waits for any thread. Where thousands of connections have
/// something to say, most wait there, and those that a thread has just woken would go before them: the runtime's own
/// choice is 61, by which a request in a hundred took three times as long as most. With 1, those of a thread starve.
const QUEUE_INTERVAL: u32 = 2;

/// How long to wait after an error of the system, such as too many open files, before the next connection is accepted.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// How long collections that cannot be used wait until they are opened again.
const TEND_PAUSE: Duration = Duration::from_secs(2);

/// A server that listens and is ready to [`run`](Self::run).
pub struct Server {
    app: SharedApp,
    acceptor: Option<TlsAcceptor>,
    listener: TcpListener,
    address: SocketAddr,
    runtime: Runtime,
    stop: watch::Sender<bool>,
}

/// Stops a server from another thread. Clones stop the same server.
#[derive(Debug, Clone)]
pub struct Stopper(watch::Sender<bool>);

impl Stopper {
    /// Asks the server to stop: it accepts nothing more, ends the requests that are under way, and returns.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl ServerSettings {
    /// Whether a server with these settings may start, without starting it: who may reach it, and its certificate.
    ///
    /// # Errors
    /// Where other machines reach the address and there are no tokens or no encryption, and where the certificate
    /// cannot be used.
    pub fn check(&self) -> Result<(), ServeError> {
        let address = self.listen;
        if let Some(files) = &self.tls {
            acceptor(files, |_| ()).map_err(ServeError::Certificate)?;
        }
        if address.ip().is_loopback() {
            return Ok(());
        }
        if !Tokens::of(&self.directory).are_needed() {
            return Err(ServeError::NoTokens { address });
        }
        if self.tls.is_none() && !self.insecure_http {
            return Err(ServeError::NotEncrypted { address });
        }
        Ok(())
    }
}

impl Server {
    /// Opens the directory and its collections, and listens. Connections wait until [`run`](Self::run).
    ///
    /// # Errors
    /// Where other machines reach the address and there are no tokens, or it cannot be listened on, and where the
    /// directory or one of its collections cannot be opened.
    pub fn bind(settings: &ServerSettings) -> Result<Self, ServeError> {
        settings.check()?;
        let threads = settings.engine.thread_count().get();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(Work::connection_threads(threads))
            .max_blocking_threads(Work::places(threads))
            .thread_name("nearprint-server")
            .global_queue_interval(QUEUE_INTERVAL)
            .enable_io()
            .enable_time()
            .build()
            .map_err(ServeError::Threads)?;
        let address = settings.listen;
        let refused = |error| ServeError::Listen { address, error };
        let listener = {
            let _entered = runtime.enter();
            listen(address).map_err(refused)?
        };
        let address = listener.local_addr().map_err(refused)?;
        let app = App::open(settings).map_err(|problem| ServeError::Directory {
            path: settings.directory.clone(),
            detail: problem.detail,
        })?;
        let app = Arc::new(app);
        let acceptor = settings.tls.as_ref().map(|files| {
            let log = Arc::clone(&app);
            acceptor(files, move |read| match read {
                Ok(()) => log.log.event("info", "certificate-read", "the files have changed"),
                Err(detail) => log.log.event("error", "certificate-not-read", &detail),
            })
        });
        let acceptor = acceptor.transpose().map_err(ServeError::Certificate)?;
        let (stop, _) = watch::channel(false);
        Ok(Self { app, acceptor, listener, address, runtime, stop })
    }

    /// The address that it listens on, with the port that the system chose.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What stops it.
    #[must_use]
    pub fn stopper(&self) -> Stopper {
        Stopper(self.stop.clone())
    }

    /// Serves until it is stopped. Then requests that are under way are ended, up to
    /// [`stop_time`](crate::ServerLimits::stop_time), and jobs are cancelled. What was acknowledged is on the disk.
    ///
    /// # Errors
    /// Where the system does not give the socket over.
    pub fn run(self) -> Result<(), ServeError> {
        let Self { app, acceptor, listener, address, runtime, stop } = self;
        let stop_time = app.limits.stop_time;
        let router = routes::router(&app);
        app.log.event("info", "serving", &address.to_string());
        let serving = serve(Arc::clone(&app), listener, acceptor, router, stop.subscribe());
        let served = runtime.block_on(serving);
        app.jobs.stop();
        // Work that has begun is done to its end: nothing waits for it any more.
        runtime.shutdown_timeout(stop_time);
        served.map_err(|error| ServeError::Listen { address, error })
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("address", &self.address).finish_non_exhaustive()
    }
}

/// Listens, within a runtime.
fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // Elsewhere it would let two servers listen on one port.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Looks after collections that cannot be used, for as long as there is a server.
async fn tending(app: Weak<App>) {
    loop {
        tokio::time::sleep(TEND_PAUSE).await;
        let Some(app) = app.upgrade() else { return };
        // A panic is a fault of its own, which a request would meet as well.
        let _ = tokio::task::spawn_blocking(move || app.tend()).await;
    }
}

/// Accepts connections until it is told to stop, then waits for those that are answering.
async fn serve(
    app: SharedApp,
    listener: TcpListener,
    acceptor: Option<TlsAcceptor>,
    router: Router,
    mut stop: watch::Receiver<bool>,
) -> io::Result<()> {
    let mut builder = http1::Builder::new();
    // How long a head may take is seen to here.
    builder.header_read_timeout(None).max_buf_size(HEAD_BYTES);
    let graceful = GracefulShutdown::new();
    tokio::spawn(tending(Arc::downgrade(&app)));
    let connections = Connections::new(app.limits.connections, app.collections.most_open());
    app.log.event("info", "connections", &format!("{} at most", connections.most()));
    let service = TowerToHyperService::new(router);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stop.wait_for(|stop| *stop) => break,
        };
        let (stream, peer) = match accepted {
            Ok((stream, peer)) => (stream, peer.ip()),
            Err(error) => {
                app.log.overload(&format!("a connection cannot be accepted: {error}"));
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let Some(place) = connections.place(peer) else {
            app.log.overload("there are too many connections");
            app.metrics.refused_connections.fetch_add(1, Ordering::Relaxed);
            connections.refuse(stream, acceptor.is_none());
            continue;
        };
        // Answers are written at once.
        let _ = stream.set_nodelay(true);
        let stream = WatchedStream::new(stream, app.limits.write_time);
        let peer = Arc::new(Peer::new(peer));
        let service = peer::service(service.clone(), Arc::clone(&peer));
        let (builder, watcher) = (builder.clone(), graceful.watcher());
        let (app, acceptor) = (Arc::clone(&app), acceptor.clone());
        let mut stopping = stop.clone();
        tokio::spawn(async move {
            let _place = place;
            let _connected = GaugeGuard::new(&app.metrics.connections);
            let ended = match acceptor {
                None => {
                    let stream = TokioIo::new(stream);
                    let connection = watcher.watch(builder.serve_connection(stream, service));
                    peer.serve(app.limits.head_time, connection).await
                }
                Some(acceptor) => {
                    let shaken =
                        tokio::time::timeout(app.limits.head_time, acceptor.accept(stream));
                    let shaken = tokio::select! {
                        shaken = shaken => shaken,
                        _ = stopping.wait_for(|stop| *stop) => return,
                    };
                    let Ok(Ok(stream)) = shaken else { return };
                    let stream = TokioIo::new(stream);
                    let connection = watcher.watch(builder.serve_connection(stream, service));
                    peer.serve(app.limits.head_time, connection).await
                }
            };
            // A client that goes away is not an error of the server's; a head that cannot be read was answered.
            let error = ended.and_then(Result::err);
            if let Some(error) = error.filter(hyper::Error::is_parse) {
                let problem = match error.is_parse_too_large() {
                    true => "head-too-large",
                    false => ProblemKind::MalformedRequest.known().name,
                };
                app.metrics.count_problem(problem);
            }
        });
    }
    app.log.event("info", "stopping", "requests that are under way are ended");
    app.stopping.store(true, Ordering::Relaxed);
    drop(listener);
    let _ = tokio::time::timeout(app.limits.stop_time, graceful.shutdown()).await;
    Ok(())
}
