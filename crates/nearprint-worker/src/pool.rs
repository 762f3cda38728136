//! The pool: which worker takes which document, and what happens to both.

use std::path::PathBuf;
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

use nearprint_extract::{ExtractError, Extraction, Hints, Limits, extract};

use crate::counts::{Counters, PoolCounts};
use crate::death::Death;
use crate::frame;
use crate::keeper::Keeper;
use crate::options::PoolOptions;
use crate::protection::Protections;
use crate::start_error::StartError;
use crate::stop::StopSignal;
use crate::worker::{Fault, START_LIMIT, Worker};

/// Number of workers that a document is sent to before a failed delivery counts as its own fault.
const DELIVERIES: u32 = 3;

/// A document of so large a part of a worker's memory is not given to one of many.
const USUAL_SHARE: u64 = 8;

/// What became of one document.
type Outcome = Result<Extraction, ExtractError>;

/// Worker processes for extraction.
///
/// A call uses a free worker, starts one if there are fewer than [`PoolOptions::workers`], or waits. Any number of
/// threads may call. Dropping the pool ends its workers; they also end if the host dies.
///
/// # Cost
///
/// A worker starts as fast as any small program and then serves thousands of documents. The bytes of a document are
/// sent to the worker once without copying, and its text is sent back once.
#[derive(Debug)]
pub struct Pool {
    options: PoolOptions,
    executable: OnceLock<PathBuf>,
    // Declared before the keeper: workers end before the thread that started them does.
    crew: Mutex<Crew>,
    free: Condvar,
    /// Held by whoever has the one worker with all of the memory.
    large: Mutex<()>,
    keeper: Keeper,
    counters: Counters,
    process: u32,
}

#[derive(Debug, Default)]
struct Crew {
    idle: Vec<Worker>,
    /// Workers that are idle, busy or starting.
    alive: usize,
}

impl Pool {
    /// Makes a pool. No worker starts yet.
    ///
    /// # Errors
    ///
    /// [`StartError::NoThread`] if no thread can be started.
    pub fn new(options: PoolOptions) -> Result<Self, StartError> {
        let keeper = Keeper::start(options.wall.min(START_LIMIT)).map_err(StartError::NoThread)?;
        Ok(Self {
            options,
            executable: OnceLock::new(),
            crew: Mutex::default(),
            free: Condvar::new(),
            large: Mutex::default(),
            keeper,
            counters: Counters::default(),
            process: std::process::id(),
        })
    }

    /// Starts at least one worker, so that a missing or wrong executable is detected before a long job begins.
    ///
    /// # Errors
    ///
    /// Why there can be no worker.
    pub fn check(&self) -> Result<(), StartError> {
        self.lease()?.give_back();
        Ok(())
    }

    /// Starts at least one worker and returns what confines it besides its limits.
    ///
    /// # Errors
    ///
    /// Why there can be no worker.
    pub fn protections(&self) -> Result<Protections, StartError> {
        let mut lease = self.lease()?;
        let held = lease.worker().protections();
        lease.give_back();
        Ok(held)
    }

    /// Extracts a document in a worker, with the result of [`nearprint_extract::extract`] for the same arguments.
    ///
    /// The inner result is about this document alone. If the worker dies, hangs, runs out of memory or sends an invalid
    /// answer, it is [`Reason::WorkerFailed`](nearprint_extract::Reason::WorkerFailed), whose detail begins with
    /// `worker-died`, `time-limit`, `memory-limit` or `worker-answer`. The document is not retried, unless its worker
    /// died before it had received all of it, or had less memory than one may have
    /// ([`PoolOptions::usual_memory_bytes`]).
    ///
    /// # Errors
    ///
    /// If no worker can be started; this does not depend on the document.
    pub fn extract(
        &self,
        bytes: &[u8],
        hints: &Hints,
        limits: &Limits,
    ) -> Result<Result<Extraction, ExtractError>, StartError> {
        self.extract_until(bytes, hints, limits, None)
    }

    /// Extracts as [`extract`](Self::extract) does, until `stop` is given: then within a second, and the document's
    /// error is that of a time limit.
    ///
    /// # Errors
    ///
    /// As of [`extract`](Self::extract).
    pub fn extract_until(
        &self,
        bytes: &[u8],
        hints: &Hints,
        limits: &Limits,
        stop: Option<&StopSignal>,
    ) -> Result<Result<Extraction, ExtractError>, StartError> {
        if bytes.len() as u64 > limits.max_input_bytes {
            // Refused by its length before anything is read: the same words, and nothing to isolate.
            return Ok(extract(bytes, hints, limits));
        }
        let head = match frame::request_head(hints, limits) {
            Ok(head) => head,
            Err(error) => return Ok(Err(error)),
        };
        let usual = self.options.usual_memory();
        let has_more = usual < self.options.memory_bytes;
        if !has_more || bytes.len() as u64 <= usual / USUAL_SHARE {
            let outcome = self.extract_among_others(bytes, &head, limits, stop)?;
            let death = match outcome {
                Ok(outcome) => return Ok(outcome),
                Err(death) => death,
            };
            if !has_more || !death.by_memory() {
                return Ok(Err(death.into_error(&self.options)));
            }
        }
        self.extract_alone(bytes, &head, limits, stop)
    }

    /// Extracts a document in one of the workers, each of which has its share of the memory.
    fn extract_among_others(
        &self,
        bytes: &[u8],
        head: &[u8],
        limits: &Limits,
        stop: Option<&StopSignal>,
    ) -> Result<Result<Outcome, Death>, StartError> {
        let mut deliveries = 0;
        loop {
            let mut lease = self.lease()?;
            deliveries += 1;
            let fault = match lease.worker().ask(bytes, head, limits, self.options.wall, stop) {
                Ok(answer) => {
                    lease.give_back();
                    return Ok(Ok(answer.outcome));
                }
                Err(fault) => fault,
            };
            let undelivered = matches!(fault, Fault::Undelivered);
            let death = lease.bury(fault.foreign());
            if undelivered && !death.by_limit() && deliveries < DELIVERIES {
                continue;
            }
            return Ok(Err(death));
        }
    }

    /// Extracts a document in a worker of its own that has all of the memory. There is one at a time, so what takes all
    /// of it is never taken twice.
    fn extract_alone(
        &self,
        bytes: &[u8],
        head: &[u8],
        limits: &Limits,
        stop: Option<&StopSignal>,
    ) -> Result<Outcome, StartError> {
        if self.process != std::process::id() {
            return Err(StartError::Forked);
        }
        // Nothing is kept under it.
        let _turn = self.large.lock().unwrap_or_else(PoisonError::into_inner);
        Counters::add(&self.counters.large);
        let mut deliveries = 0;
        loop {
            let mut worker = self.start(self.options.memory_bytes)?;
            deliveries += 1;
            let fault = match worker.ask(bytes, head, limits, self.options.wall, stop) {
                Ok(answer) => {
                    Counters::add(&self.counters.retired);
                    return Ok(answer.outcome);
                }
                Err(fault) => fault,
            };
            let undelivered = matches!(fault, Fault::Undelivered);
            Counters::add(&self.counters.died);
            let death = worker.end(fault.foreign());
            if undelivered && !death.by_limit() && deliveries < DELIVERIES {
                continue;
            }
            return Ok(Err(death.into_error(&self.options)));
        }
    }

    fn start(&self, memory: u64) -> Result<Worker, StartError> {
        let executable = match self.executable.get() {
            Some(executable) => executable,
            None => {
                let found = self.options.executable()?;
                self.executable.get_or_init(|| found)
            }
        };
        let worker = Worker::start(&self.keeper, executable, &self.options, memory)?;
        Counters::add(&self.counters.started);
        Ok(worker)
    }

    /// What the pool has done so far.
    #[must_use]
    pub fn counts(&self) -> PoolCounts {
        self.counters.read()
    }

    fn crew(&self) -> MutexGuard<'_, Crew> {
        // Whole between any two statements, so a panic elsewhere does not matter.
        self.crew.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A worker of one's own, for one document.
    fn lease(&self) -> Result<Lease<'_>, StartError> {
        if self.process != std::process::id() {
            return Err(StartError::Forked);
        }
        loop {
            let mut crew = self.crew();
            let idle = loop {
                if let Some(worker) = crew.idle.pop() {
                    break Some(worker);
                }
                if crew.alive < self.options.workers.get() {
                    crew.alive += 1;
                    break None;
                }
                crew = self.free.wait(crew).unwrap_or_else(PoisonError::into_inner);
            };
            drop(crew);
            // Made first: whatever happens below, the place in the crew is given up with it.
            let mut lease = Lease { pool: self, worker: idle };
            match &lease.worker {
                Some(worker) if worker.is_alive() => return Ok(lease),
                // Killed by someone while it had nothing to do.
                Some(_) => drop(lease),
                None => {
                    lease.worker = Some(self.start(self.options.usual_memory())?);
                    return Ok(lease);
                }
            }
        }
    }
}

/// A place in the crew, and the worker that fills it.
struct Lease<'a> {
    pool: &'a Pool,
    worker: Option<Worker>,
}

impl Lease<'_> {
    fn worker(&mut self) -> &mut Worker {
        self.worker.as_mut().expect("`lease` returns filled places only")
    }

    /// Returns a worker that has answered, unless it has done enough.
    fn give_back(mut self) {
        let Some(worker) = self.worker.take() else { return };
        if worker.is_spent(&self.pool.options) {
            Counters::add(&self.pool.counters.retired);
            drop(worker);
            return;
        }
        self.pool.crew().idle.push(worker);
        self.pool.free.notify_one();
        // The place stays taken, by an idle worker.
        std::mem::forget(self);
    }

    /// Ends a worker that has failed; its place is free again.
    fn bury(mut self, foreign: Option<String>) -> Death {
        let worker = self.worker.take().expect("`lease` returns filled places only");
        Counters::add(&self.pool.counters.died);
        worker.end(foreign)
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        // First the process, then its place: there are never more processes than places.
        drop(self.worker.take());
        self.pool.crew().alive -= 1;
        self.pool.free.notify_one();
    }
}
