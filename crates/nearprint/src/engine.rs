//! What callers share: extraction workers, threads, memory, and where temporary files go.

#[cfg(feature = "worker")]
pub(crate) mod extraction;
#[cfg(not(feature = "worker"))]
#[path = "engine/extraction_none.rs"]
pub(crate) mod extraction;
pub(crate) mod job;
pub(crate) mod machine;
pub(crate) mod memory_shares;
pub(crate) mod ordered_work;
mod per_process;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use nearprint_extract::{ExtractError, Extraction, Hints, Limits};
#[cfg(feature = "worker")]
use nearprint_worker::{Isolation, PoolCounts, PoolOptions};
use rayon::{ThreadPool, ThreadPoolBuilder};

use self::extraction::{Extractor, StartError, StopSignal};
use self::per_process::PerProcess;
use crate::engine::ordered_work::{STACK, on_worker_stack};
use crate::{CancelFlag, Error, MemoryShares, default_memory};

/// What an [`Engine`] may use. None of it changes a result; a document that exceeds what a worker may use is an error.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct EngineSettings {
    /// Threads that extract, fingerprint and search; `None` (the default) is one for each processor.
    pub threads: Option<NonZeroUsize>,
    /// Bytes of memory for fingerprints, texts and searches of one call; what needs more uses a temporary file. Default
    /// [`default_memory`]: half of the machine's.
    pub memory: u64,
    /// Directory of temporary files; `None` (the default) is the system's. They have no names and are gone when the
    /// process is, however it ends.
    pub temp: Option<PathBuf>,
    /// Bytes of documents in work at once, as they lie in their files; one longer document is worked on alone.
    /// Memory grows to some multiple of it, by what documents expand to. Default 256 MiB.
    pub bytes_in_flight: u64,
    /// Which documents are extracted in a worker process. Default [`Isolation::Heavy`].
    #[cfg(feature = "worker")]
    pub isolation: Isolation,
    /// The executable of workers and their limits on memory and time; there are never more workers than threads that
    /// ask for one. Default [`PoolOptions::located`], looked for when the first document needs it.
    #[cfg(feature = "worker")]
    pub workers: PoolOptions,
}

impl EngineSettings {
    /// The most threads that an engine starts, however many are asked for: systems refuse more in the midst of the
    /// work.
    pub const MAX_THREADS: NonZeroUsize = NonZeroUsize::new(1024).expect("it is not zero");

    /// Sets the number of threads, of which there are at most [`MAX_THREADS`](Self::MAX_THREADS); `None` is one for
    /// each processor.
    #[must_use]
    pub fn threads(mut self, threads: impl Into<Option<NonZeroUsize>>) -> Self {
        self.threads = threads.into();
        self
    }

    /// Sets the bytes of memory.
    #[must_use]
    pub fn memory(mut self, bytes: u64) -> Self {
        self.memory = bytes;
        self
    }

    /// Sets the directory of temporary files; `None` is the system's.
    #[must_use]
    pub fn temp(mut self, directory: impl Into<Option<PathBuf>>) -> Self {
        self.temp = directory.into();
        self
    }

    /// Sets the bytes of documents in work at once.
    #[must_use]
    pub fn bytes_in_flight(mut self, bytes: u64) -> Self {
        self.bytes_in_flight = bytes;
        self
    }

    /// Sets which documents are extracted in a worker process.
    #[cfg(feature = "worker")]
    #[must_use]
    pub fn isolation(mut self, isolation: Isolation) -> Self {
        self.isolation = isolation;
        self
    }

    /// Sets the executable of workers and their limits.
    #[cfg(feature = "worker")]
    #[must_use]
    pub fn workers(mut self, workers: PoolOptions) -> Self {
        self.workers = workers;
        self
    }
}

impl Default for EngineSettings {
    fn default() -> Self {
        Self {
            threads: None,
            memory: default_memory(),
            temp: None,
            bytes_in_flight: 256 << 20,
            #[cfg(feature = "worker")]
            isolation: Isolation::default(),
            #[cfg(feature = "worker")]
            workers: PoolOptions::located(),
        }
    }
}

/// The engine that all callers of a process share: its extraction workers, its threads, its memory budget.
///
/// Clones are one engine and cost a counter. Any number of threads may call it at the same time. What belongs to one
/// call (settings of documents, cancelling, progress) is in the [`Pipeline`](crate::Pipeline) or
/// [`Search`](crate::Search) that the call makes from it:
///
/// ```
/// use nearprint::records::{Document, DocumentId};
/// use nearprint::{CancelFlag, Engine, Settings};
///
/// let engine = Engine::default();
/// let threads = [1, 2, 3].map(|number| {
///     let engine = engine.clone();
///     std::thread::spawn(move || {
///         let flag = CancelFlag::new(); // another thread may set it
///         let pipeline = engine.pipeline(Settings::default()).cancelled_by(&flag);
///         let id = DocumentId::new(format!("page-{number}")).expect("short and plain");
///         pipeline.fingerprint_one(Document::from_bytes(id, "<p>Fog came in at noon."))
///     })
/// });
/// let prints = threads.map(|thread| thread.join().unwrap().outcome.fingerprint().cloned());
/// assert!(prints[0].is_some() && prints[0] == prints[1] && prints[1] == prints[2]);
/// ```
///
/// No worker and no thread starts before something needs it. They live as long as the last clone. After a `fork` the
/// child's copy makes workers and threads of its own; those of the parent stay the parent's.
///
/// [`Engine::default`] reads every medium in any program: where no executable of workers is found, or the build has no
/// feature `worker`, it reads PDF and other heavy media **in this process**, and
/// [`in_process_note`](Self::in_process_note) says so. An engine of [`Engine::new`] follows its settings: without an
/// executable, each heavy document is an error.
#[derive(Debug, Clone)]
pub struct Engine {
    shared: Arc<EngineState>,
}

#[derive(Debug)]
struct EngineState {
    settings: EngineSettings,
    running: PerProcess<ProcessState>,
    /// Why nothing is isolated although that is the default.
    no_worker: Option<String>,
}

impl Default for Engine {
    /// An engine of the default settings, which reads in this process if no executable of workers is found.
    fn default() -> Self {
        let (settings, no_worker) = extraction::default_settings();
        Self::of(settings, no_worker)
    }
}

/// What belongs to one process.
#[derive(Debug)]
struct ProcessState {
    extractor: Extractor,
    /// Threads of searches.
    pool: OnceLock<ThreadPool>,
    /// Threads of documents that come one by one.
    documents: OnceLock<ThreadPool>,
}

/// The extractor of an engine, which stays while it is used, for one call.
pub(crate) struct EngineExtractor {
    running: Arc<ProcessState>,
    stop: StopSignal,
}

/// The pool of an engine, which stays while it is used.
pub(crate) struct EnginePool(Arc<ProcessState>);

impl Engine {
    /// An engine with these settings.
    #[must_use]
    pub fn new(settings: EngineSettings) -> Self {
        Self::of(settings, None)
    }

    fn of(settings: EngineSettings, no_worker: Option<String>) -> Self {
        Self {
            shared: Arc::new(EngineState { settings, running: PerProcess::default(), no_worker }),
        }
    }

    /// The note of an [`Engine::default`] that found no executable of workers: heavy documents are read in this
    /// process, where a hostile one may take memory and time that a worker would be refused. `None` for every other
    /// engine.
    #[must_use]
    pub fn in_process_note(&self) -> Option<String> {
        let error = self.shared.no_worker.as_ref()?;
        Some(format!(
            "documents are read in this process, without limits on its memory and time: {error}"
        ))
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &EngineSettings {
        &self.shared.settings
    }

    /// The number of threads meant.
    #[must_use]
    pub fn thread_count(&self) -> NonZeroUsize {
        self.settings()
            .threads
            .or_else(|| std::thread::available_parallelism().ok())
            .unwrap_or(NonZeroUsize::MIN)
            .min(EngineSettings::MAX_THREADS)
    }

    /// How the memory of a call is divided.
    #[must_use]
    pub fn memory_shares(&self) -> MemoryShares {
        MemoryShares::of(self.settings().memory)
    }

    /// The directory of temporary files.
    #[must_use]
    pub fn temporary_directory(&self) -> PathBuf {
        self.settings().temp.clone().unwrap_or_else(std::env::temp_dir)
    }

    /// How many worker processes were started, died and were replaced so far.
    #[cfg(feature = "worker")]
    #[must_use]
    pub fn worker_counts(&self) -> PoolCounts {
        self.running().extractor.counts()
    }

    /// The engine's extractor, for one call, which `cancel` ends within a document that a worker has.
    pub(crate) fn extractor(&self, cancel: &CancelFlag) -> EngineExtractor {
        let cancel = cancel.clone();
        let stop = StopSignal::new(move || cancel.is_cancelled());
        EngineExtractor { running: self.running(), stop }
    }

    /// Does `work` on the engine's threads for searches: for what states that it runs in the current rayon pool, such
    /// as [`Calibration::measure`](crate::Calibration::measure).
    ///
    /// # Errors
    /// Where the system gives no threads.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> Result<R, Error> {
        Ok(self.pool()?.install(work))
    }

    /// The engine's threads for searches, made when they are first needed.
    pub(crate) fn pool(&self) -> Result<EnginePool, Error> {
        let running = self.running();
        if running.pool.get().is_none() {
            let pool = pool_of(self.settings().threads)?;
            // Another thread may have made one meanwhile: that one stays.
            let _ = running.pool.set(pool);
        }
        Ok(EnginePool(running))
    }

    /// Does `work` on one document on a thread of the engine, whose stack suits parsers. There are as many as
    /// [`thread_count`](Self::thread_count), so that a server's requests wait instead of starting a thread each. They
    /// are not those of searches, which must not wait for a document.
    pub(crate) fn on_document_thread<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        let running = self.running();
        if running.documents.get().is_none() {
            let pool = ThreadPoolBuilder::new()
                .num_threads(self.thread_count().get())
                .stack_size(STACK)
                .thread_name(|_| "nearprint".to_owned())
                .build();
            // Out of threads: one may still be had.
            let Ok(pool) = pool else { return on_worker_stack(work) };
            // Another thread may have made one meanwhile: that one stays.
            let _ = running.documents.set(pool);
        }
        on_pool(running.documents.get().expect("a pool was made"), work)
    }

    fn running(&self) -> Arc<ProcessState> {
        self.shared.running.get(|| ProcessState {
            extractor: extraction::extractor(self.settings()),
            pool: OnceLock::new(),
            documents: OnceLock::new(),
        })
    }
}

impl EngineExtractor {
    /// The text of a document, or why there is none.
    pub(crate) fn extract(
        &self,
        bytes: &[u8],
        hints: &Hints,
        limits: &Limits,
    ) -> Result<Result<Extraction, ExtractError>, StartError> {
        self.running.extractor.extract_until(bytes, hints, limits, Some(&self.stop))
    }
}

impl EnginePool {
    /// Does `work` on the pool's threads.
    pub(crate) fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        on_pool(self.0.pool.get().expect("a pool was made for it"), work)
    }
}

/// Does `work` on the pool's threads. One function crosses over for all: rayon's code that does so would else be
/// compiled with each kind of work, of which there are a hundred.
pub(crate) fn on_pool<R: Send>(pool: &ThreadPool, work: impl FnOnce() -> R + Send) -> R {
    fn cross(pool: &ThreadPool, work: &mut (dyn FnMut() + Send)) {
        pool.install(work);
    }
    let (mut work, mut result) = (Some(work), None);
    cross(pool, &mut || result = work.take().map(|work| work()));
    result.expect("the pool did the work")
}

/// So many threads, at most [`EngineSettings::MAX_THREADS`]; `None` is one for each processor.
pub(crate) fn pool_of(threads: Option<NonZeroUsize>) -> Result<ThreadPool, Error> {
    let threads = threads.map_or(0, |threads| threads.min(EngineSettings::MAX_THREADS).get());
    ThreadPoolBuilder::new().num_threads(threads).build().map_err(Error::Threads)
}

/// Fails to compile where threads could not share it.
const _: () = {
    const fn shared<T: Send + Sync + Clone + 'static>() {}
    shared::<Engine>();
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_that_come_one_by_one_share_the_engines_threads() {
        let threads = NonZeroUsize::new(1);
        let engine = Engine::new(EngineSettings { threads, ..EngineSettings::default() });
        let on = || engine.on_document_thread(|| std::thread::current().id());
        let first = on();
        assert_ne!(first, std::thread::current().id());
        // A thread for each call would have an id of its own.
        assert!((0..10).all(|_| on() == first));
    }

    #[test]
    fn threads_are_bounded_however_many_are_asked_for() {
        let engine = Engine::new(EngineSettings::default().threads(NonZeroUsize::MAX));
        assert_eq!(engine.thread_count(), EngineSettings::MAX_THREADS);
        assert_eq!(engine.install(rayon::current_num_threads).unwrap(), 1024);
    }

    #[cfg(all(feature = "worker", feature = "pdf"))]
    #[test]
    fn without_a_worker_the_default_reads_a_pdf_here_and_says_so() {
        let pdf = include_bytes!("../../../samples/documents/lighthouse/en.pdf");
        let missing = StartError::NotFound { looked_at: vec!["/nowhere/nearprint-worker".into()] };
        let of = |located| {
            let (settings, note) = extraction::with_worker_or_without(located);
            Engine::of(settings, note)
        };
        let engine = of(Err(missing));
        let read = engine.extractor(&CancelFlag::new()).extract(
            pdf,
            &Hints::default(),
            &Limits::default(),
        );
        assert!(read.unwrap().unwrap().text.contains("Harrow Skerry"));
        assert_eq!(engine.worker_counts().started, 0);
        let note = engine.in_process_note().unwrap();
        assert!(note.contains("in this process") && note.contains("NEARPRINT_WORKER"), "{note}");

        let located = of(Ok(()));
        assert_eq!(located.settings().isolation, Isolation::Heavy);
        assert_eq!(located.in_process_note(), None);
    }
}
