//! How a worker ended, in words: the one place that turns exit codes, signals and broken streams into an error.

use std::process::ExitStatus;
use std::time::Duration;

use nearprint_extract::{ExtractError, Reason};

use crate::allocator::EXIT_MEMORY;
use crate::options::PoolOptions;

/// What was seen when a worker was ended.
#[derive(Debug)]
pub(crate) struct Death {
    /// How the process ended; none if the system would not say.
    pub(crate) status: Option<ExitStatus>,
    /// The limit by the clock that it had reached.
    pub(crate) overdue: Option<Duration>,
    /// What it sent that is not of the protocol.
    pub(crate) foreign: Option<String>,
    /// The beginning of what it wrote to standard error.
    pub(crate) last_words: String,
}

impl Death {
    /// Whether a limit of the pool ended it.
    pub(crate) fn by_limit(&self) -> bool {
        self.overdue.is_some() || self.by_memory() || self.status.is_some_and(cpu_signal)
    }

    /// Whether it had too little memory.
    pub(crate) fn by_memory(&self) -> bool {
        self.overdue.is_none()
            && self.foreign.is_none()
            && self.status.is_some_and(|status| status.code() == Some(EXIT_MEMORY))
    }

    /// What happened: `code: sentence`.
    pub(crate) fn describe(&self, options: &PoolOptions) -> String {
        if let Some(limit) = self.overdue {
            return format!(
                "time-limit: the worker did not finish within {} s by the clock \
                    (PoolOptions::wall)",
                limit.as_secs_f64()
            );
        }
        let spoken = if self.last_words.is_empty() {
            String::new()
        } else {
            format!("; its last message: {}", self.last_words)
        };
        if let Some(what) = &self.foreign {
            return format!("worker-answer: the worker sent {what}{spoken}");
        }
        let Some(status) = self.status else {
            return format!("worker-died: the worker disappeared{spoken}");
        };
        if cpu_signal(status) {
            return format!(
                "time-limit: the worker used {} s of CPU time (PoolOptions::cpu_seconds)",
                options.cpu_seconds
            );
        }
        match status.code() {
            Some(EXIT_MEMORY) => format!(
                "memory-limit: the worker needed more than {} bytes (PoolOptions::memory_bytes)",
                options.memory_bytes
            ),
            Some(code) => format!("worker-died: the worker exited with code {code}{spoken}"),
            None => format!("worker-died: the worker was killed by {}{spoken}", signal(status)),
        }
    }

    /// The error of the document it had.
    pub(crate) fn into_error(self, options: &PoolOptions) -> ExtractError {
        ExtractError::new(Reason::WorkerFailed, self.describe(options))
    }
}

#[cfg(unix)]
fn cpu_signal(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    status.signal() == Some(rustix::process::Signal::XCPU.as_raw())
}

#[cfg(not(unix))]
fn cpu_signal(_: ExitStatus) -> bool {
    false
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> String {
    use rustix::process::Signal;
    use std::os::unix::process::ExitStatusExt;
    let Some(number) = status.signal() else { return status.to_string() };
    let names = [
        (Signal::ABORT, "SIGABRT, an abort or a stack overflow"),
        (Signal::SEGV, "SIGSEGV, a stack overflow or bad memory access"),
        (Signal::BUS, "SIGBUS, a bad memory access"),
        (Signal::ILL, "SIGILL, an illegal instruction"),
        (Signal::FPE, "SIGFPE, a division"),
        (Signal::KILL, "SIGKILL, sent by nearprint, by someone, or by the system out of memory"),
        (Signal::TERM, "SIGTERM, sent by someone"),
        (Signal::SYS, "SIGSYS, a system call that reading a document does not need"),
    ];
    match names.iter().find(|(signal, _)| signal.as_raw() == number) {
        Some((_, name)) => format!("signal {number} ({name})"),
        None => format!("signal {number}"),
    }
}

#[cfg(not(unix))]
fn signal(status: ExitStatus) -> String {
    status.to_string()
}
