//! How a pool is set up.

use std::env;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::locate::{locate, named};
use crate::start_error::StartError;

/// The executable and the limits of a [`Pool`](crate::Pool).
///
/// The limits here are the last resort, for what the counted limits
/// ([`nearprint_extract::Limits`]) have not caught: they depend on the machine, so reaching one is a retryable
/// error and never a shorter text. Keep them well above what the counted limits allow.
///
/// ```
/// use std::num::NonZeroUsize;
/// use nearprint_worker::PoolOptions;
///
/// let options = PoolOptions { workers: NonZeroUsize::MIN, ..PoolOptions::new("/opt/nearprint-worker") };
/// assert_eq!(options.memory_bytes, 4 << 30);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PoolOptions {
    /// The worker executable, of the same release as this library. None: the one that
    /// [`locate`] finds, looked for when the first worker starts.
    pub executable: Option<PathBuf>,
    /// What the executable is started with. Default nothing; see [`Self::this_program`].
    pub arguments: Vec<OsString>,
    /// Processes at a time (<=). They start when documents need them. Default: the CPUs available.
    pub workers: NonZeroUsize,
    /// Bytes of address space for one document (<=), with the document, its text and 64 MiB of stack in it.
    /// Default 4 GiB, above what the default counted limits can ask for. Linux and most Unix systems; macOS
    /// and Windows do not enforce it.
    pub memory_bytes: u64,
    /// Bytes of address space of each of the [`workers`](Self::workers) (<=; at most `memory_bytes`). Default 512 MiB,
    /// enough for all but a few documents. A document that needs more, or is longer than an eighth of it, is read by a
    /// worker that has all of `memory_bytes`, of which there is one at a time. So all workers together have at most
    /// `workers` times this, and `memory_bytes`.
    pub usual_memory_bytes: u64,
    /// Seconds of CPU time for one document (<=, and less than two more). Default 120. Unix only.
    pub cpu_seconds: u32,
    /// Time for one document by the clock (<=), a machine that is busy or asleep included. Default 10 minutes.
    pub wall: Duration,
    /// Documents after which a worker is replaced. Default 10,000.
    pub retire_after_documents: u64,
    /// Bytes by which a worker's resident memory may have grown after a document (<=) before it is replaced.
    /// Default 256 MiB. Linux only.
    pub retire_after_growth: u64,
}

impl PoolOptions {
    /// The defaults, with the executable that [`locate`] finds.
    #[must_use]
    pub fn located() -> Self {
        Self {
            executable: None,
            arguments: Vec::new(),
            workers: thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            memory_bytes: 4 << 30,
            usual_memory_bytes: 512 << 20,
            cpu_seconds: 120,
            wall: Duration::from_secs(600),
            retire_after_documents: 10_000,
            retire_after_growth: 256 << 20,
        }
    }

    /// The defaults, with the executable at `executable`.
    #[must_use]
    pub fn new(executable: impl Into<PathBuf>) -> Self {
        Self { executable: Some(executable.into()), ..Self::located() }
    }

    /// The defaults, for a program that is its own worker: it calls [`serve`](crate::serve) first thing in `main`
    /// where its one argument is `argument`. The variable `NEARPRINT_WORKER`, where set, names another executable, and
    /// where the system does not say which program is running, it is as for [`Self::located`].
    #[must_use]
    pub fn this_program(argument: impl Into<OsString>) -> Self {
        if let Some(executable) = named() {
            return Self::new(executable);
        }
        // The file that is running, even where an update has put another one in its place since.
        let running = Path::new("/proc/self/exe");
        let executable = if cfg!(target_os = "linux") && running.exists() {
            Some(running.to_owned())
        } else {
            env::current_exe().ok()
        };
        match executable {
            Some(executable) => Self { arguments: vec![argument.into()], ..Self::new(executable) },
            None => Self::located(),
        }
    }

    /// Bytes of address space of a worker that is one of many.
    pub(crate) fn usual_memory(&self) -> u64 {
        self.usual_memory_bytes.min(self.memory_bytes)
    }

    /// The executable's path, the same whatever the working folder becomes.
    pub(crate) fn executable(&self) -> Result<PathBuf, StartError> {
        let executable = self.executable.clone().map_or_else(locate, Ok)?;
        std::path::absolute(&executable)
            .map_err(|error| StartError::NotRunnable { executable, error })
    }
}

impl Default for PoolOptions {
    fn default() -> Self {
        Self::located()
    }
}
