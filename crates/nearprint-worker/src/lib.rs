//! Runs extraction in separate processes, so that a hostile document costs only its own error.
//!
//! Parsers of PDF and of office packages are large, and their input is untrusted. A [`Pool`] runs them in small worker
//! processes with limits on memory and time. If a worker dies, hangs or runs out of memory, its document gets one
//! retryable error ([`nearprint_extract::Reason::WorkerFailed`]). The worker is replaced, and other documents are not
//! affected.
//!
//! - [`Pool`] sends documents to workers. Any number of threads may call it.
//! - [`Isolation`] decides which documents need a worker. [`Extractor`] applies it.
//! - [`serve`] is the worker's side. The executable `nearprint-worker` only calls it. A host with its own extractors
//!   builds its own worker in the same way, with [`ExitingAllocator`].
//!
//! ```no_run
//! use nearprint_extract::{Hints, Limits};
//! use nearprint_worker::{Extractor, Isolation, PoolOptions};
//!
//! let extractor = Extractor::new(Isolation::Heavy, PoolOptions::located());
//! let outcome = extractor.extract(b"%PDF-1.7 ...", &Hints::default(), &Limits::default())?;
//! match outcome {
//!     Ok(found) => println!("{}", found.text),
//!     Err(error) if error.is_retryable() => println!("try again: {error}"),
//!     Err(error) => println!("{error}"),
//! }
//! # Ok::<(), nearprint_worker::StartError>(())
//! ```
//!
//! There are two separate kinds of failure. A failure of one document is the inner
//! [`ExtractError`](nearprint_extract::ExtractError). If no worker can be started at all (no executable, a different
//! release), that is the outer [`StartError`]: it would affect every other document too.
//!
//! Results do not depend on this: a worker returns the same result as extraction in this process, or none. This crate
//! does not decide what a text is, and it does not retry.
//!
//! # The protocol
//!
#![doc = include_str!("protocol.md")]

mod allocator;
#[cfg(unix)]
mod confinement;
#[cfg(not(unix))]
#[path = "confinement_none.rs"]
mod confinement;
mod counts;
mod death;
mod extractor;
mod frame;
mod isolation;
mod keeper;
mod link;
mod locate;
mod options;
mod pool;
mod protection;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod sandbox;
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
#[path = "sandbox_none.rs"]
mod sandbox;
mod serve;
mod start_error;
mod stop;
mod worker;

pub use allocator::ExitingAllocator;
pub use counts::PoolCounts;
pub use extractor::Extractor;
pub use isolation::Isolation;
pub use locate::locate;
pub use options::PoolOptions;
pub use pool::Pool;
pub use protection::{Protection, Protections};
pub use serve::serve;
pub use start_error::StartError;
pub use stop::StopSignal;
