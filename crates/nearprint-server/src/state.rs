//! What all requests share.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::SystemTime;

use nearprint::Engine;

use crate::access::Access;
use crate::clock::now;
use crate::collection::Collection;
use crate::collections::Collections;
use crate::descriptors;
use crate::gate::Gate;
use crate::jobs::Jobs;
use crate::log::Log;
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::quarantine::Quarantine;
use crate::settings::{ServerLimits, ServerSettings};
use crate::snapshots::Snapshots;
use crate::throttle::Throttle;
use crate::tokens::Tokens;
use crate::work::{Lane, Work};

/// The server as its handlers see it.
pub(crate) struct App {
    pub(crate) engine: Engine,
    pub(crate) limits: ServerLimits,
    pub(crate) allowed_hosts: Vec<String>,
    pub(crate) allowed_origins: Vec<String>,
    /// Whether connections are encrypted here.
    pub(crate) speaks_tls: bool,
    pub(crate) gate: Gate,
    pub(crate) throttle: Throttle,
    pub(crate) log: Log,
    pub(crate) wayback: Option<String>,
    pub(crate) replay: Option<String>,
    pub(crate) collections: Collections,
    pub(crate) snapshots: Snapshots,
    pub(crate) jobs: Jobs,
    pub(crate) work: Work,
    pub(crate) metrics: Metrics,
    pub(crate) stopping: AtomicBool,
    started: u64,
    requests: AtomicU64,
    /// Held for its lock.
    _lock: File,
}

pub(crate) type SharedApp = Arc<App>;

/// Makes the directory of a server, for its owner alone. One that is there keeps its permissions.
fn private_directory(directory: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)
}

impl App {
    /// Opens the directory of a server, which no other server may use.
    pub(crate) fn open(settings: &ServerSettings) -> Result<Self, Problem> {
        let directory = &settings.directory;
        let failed = |error: io::Error| {
            let detail = format!("{}: {error}", directory.display());
            Problem::new(ProblemKind::Storage, detail)
        };
        private_directory(directory).map_err(failed)?;
        let lock = File::create(directory.join("server.lock")).map_err(failed)?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => failed(io::Error::other("another server uses it")),
            TryLockError::Error(error) => failed(error),
        })?;
        let threads = settings.engine.thread_count().get();
        let quarantine = Arc::new(Quarantine::new(directory.join("quarantine")));
        let started = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let app = Self {
            engine: settings.engine.clone(),
            limits: settings.limits.clone(),
            allowed_hosts: settings.allowed_hosts.clone(),
            allowed_origins: settings.allowed_origins.clone(),
            speaks_tls: settings.tls.is_some(),
            throttle: Throttle::default(),
            log: Log::open(settings.log.as_ref()),
            wayback: settings.wayback.clone(),
            replay: settings.replay.clone(),
            gate: Gate::open(Tokens::of(directory))?,
            collections: Collections::open(
                directory.join("collections"),
                Arc::clone(&quarantine),
                (
                    descriptors::for_collections(settings.limits.open_collections),
                    settings.limits.wait,
                ),
            )?,
            snapshots: Snapshots::open(directory.join("snapshots"), settings.limits.body_bytes)?,
            jobs: Jobs::open(
                directory.join("jobs"),
                &settings.limits,
                settings.import_from.clone(),
                &quarantine,
            )?,
            work: Work::new(&settings.limits, threads),
            metrics: Metrics::default(),
            stopping: AtomicBool::new(false),
            started: started.as_millis() as u64,
            requests: AtomicU64::new(0),
            _lock: lock,
        };
        for note in quarantine.notes() {
            app.log.event("warning", "quarantine", &note);
        }
        for (name, detail) in app.collections.damaged(&Access::Machine) {
            let detail = format!("the collection {name} cannot be opened: {detail}");
            app.log.event("error", "damaged-collection", &detail);
        }
        for (name, detail) in app.collections.read_only(&Access::Machine) {
            let detail = format!("the collection {name} can only be read: {detail}");
            app.log.event("error", "read-only-collection", &detail);
        }
        Ok(app)
    }

    /// Opens again what could not be opened, or whose disk failed, and deletes jobs whose time is over.
    pub(crate) fn tend(&self) {
        self.jobs.expire(now());
        self.collections.tend(&|note| self.log.event("warning", "collections", note));
    }

    /// An id for the next request: the start of the server and a number.
    pub(crate) fn next_request_id(&self) -> String {
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        format!("{:011x}-{number:x}", self.started)
    }

    /// Refuses to add anything where the collections of a token take all the bytes that it may use.
    pub(crate) fn check_room(&self, access: &Access) -> Result<(), Problem> {
        let Some(most) = access.limits(self.limits.token).stored_bytes else { return Ok(()) };
        let mut bytes = 0;
        for summary in self.collections.summaries(access) {
            bytes += summary.bytes();
        }
        if bytes < most {
            return Ok(());
        }
        let detail =
            format!("the collections of this token take {bytes} bytes of {most} that it may use");
        Err(Problem::new(ProblemKind::StorageLimit, detail))
    }

    /// Does work with a collection on a thread for it.
    pub(crate) async fn with_collection<T: Send + 'static>(
        self: &Arc<Self>,
        access: &Access,
        name: &str,
        lane: Lane,
        work: impl FnOnce(&Collection) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let collection = self.collection(access, name).await?;
        self.work.run(lane, move || work(&collection)).await?
    }

    /// Opens a collection again, later. What is an alias now may then be another's.
    pub(crate) fn opening(
        self: &Arc<Self>,
        access: &Access,
        collection: &Collection,
    ) -> impl FnOnce() -> Result<Arc<Collection>, Problem> + Send + 'static {
        let (app, access) = (Arc::clone(self), access.clone());
        let name = collection.description.name.clone();
        move || app.collections.get(&access, &name)
    }

    /// A collection, which is opened on a thread for it where it is not open.
    pub(crate) async fn collection(
        self: &Arc<Self>,
        access: &Access,
        name: &str,
    ) -> Result<Arc<Collection>, Problem> {
        if let Some(open) = self.collections.get_open(access, name)? {
            return Ok(open);
        }
        let (app, access, name) = (Arc::clone(self), access.clone(), name.to_owned());
        self.work.run(Lane::Document, move || app.collections.get(&access, &name)).await?
    }
}
