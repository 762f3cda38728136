//! Why no worker can be started. The document is not the cause, and every other document would be affected too.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::frame;

/// No worker could be started. A job stops, or continues in its own process.
#[derive(Debug)]
#[non_exhaustive]
pub enum StartError {
    /// The executable was not found.
    NotFound {
        /// The files that were tried, in order.
        looked_at: Vec<PathBuf>,
    },
    /// The executable is not there or cannot be run.
    NotRunnable {
        /// The executable.
        executable: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The executable is of another release, or speaks another version of the protocol.
    OtherRelease {
        /// The executable.
        executable: PathBuf,
        /// Its version of the protocol.
        protocol: u32,
        /// Its release; empty if its version of the protocol is another.
        release: String,
    },
    /// The executable started and is not a worker, or ended before it took a document.
    Failed {
        /// The executable.
        executable: PathBuf,
        /// What it did.
        how: String,
    },
    /// The pool belongs to the process that made it, and this one is a fork of that.
    Forked,
    /// The system gave no thread to watch the workers.
    NoThread(io::Error),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const REMEDY: &str = "set NEARPRINT_WORKER or PoolOptions::executable to the executable \
            of this release, or extract in this process (--read isolate=never, Isolation::Never)";
        match self {
            Self::NotFound { looked_at } => {
                f.write_str("no nearprint-worker was found (")?;
                for (index, file) in looked_at.iter().enumerate() {
                    let comma = if index == 0 { "" } else { ", " };
                    write!(f, "{comma}{}", file.display())?;
                }
                write!(f, "); {REMEDY}")
            }
            Self::NotRunnable { executable, error } => {
                write!(f, "cannot run the worker {}: {error}; {REMEDY}", executable.display())
            }
            Self::OtherRelease { executable, protocol, release } => write!(
                f,
                "the worker {} is release {} (protocol {protocol}), but this library is {} \
                    (protocol {}), and two releases may extract differently; {REMEDY}",
                executable.display(),
                if release.is_empty() { "unknown" } else { release },
                frame::RELEASE,
                frame::VERSION,
            ),
            Self::Failed { executable, how } => {
                write!(f, "the worker {} does not start: {how}; {REMEDY}", executable.display())
            }
            Self::Forked => f.write_str(
                "the pool of workers was created before this process forked; create it afterwards",
            ),
            Self::NoThread(error) => {
                write!(f, "cannot start a thread to watch the workers: {error}")
            }
        }
    }
}

impl std::error::Error for StartError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NotRunnable { error, .. } | Self::NoThread(error) => Some(error),
            _ => None,
        }
    }
}
