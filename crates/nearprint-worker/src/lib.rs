//! Extraction in processes of their own, so that a hostile document costs its own error and nothing else.
//!
//! Parsers of PDF and of office packages are large, and their input is untrusted. A [`Pool`]
//! runs them in small worker processes with limits on memory and time. A worker that dies, hangs or runs out
//! of memory costs its document one retryable error ([`nearprint_extract::Reason::WorkerFailed`]); it is
//! reaped and replaced, and no other document notices.
//!
//! - [`Pool`] sends documents to workers: any number of threads may call it.
//! - [`Isolation`] says which documents are worth a worker and why; [`Extractor`] follows it.
//! - [`serve`] is the worker's side. The executable `nearprint-worker` is little more than a call of it; a
//!   host with extractors of its own builds its own worker the same way, with [`ExitingAllocator`].
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
//! There are two kinds of failure and they never mix. What concerns one document is an
//! [`ExtractError`](nearprint_extract::ExtractError), inside. That workers cannot be had at all (no
//! executable, another release) is a [`StartError`], outside: every other document would meet it too.
//!
//! Results do not depend on any of this: a worker gives the answer that extraction in this process gives, or
//! none. This crate does not decide what a text is, and it does not retry.
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
mod serve;
mod start_error;
mod worker;

pub use allocator::ExitingAllocator;
pub use counts::PoolCounts;
pub use extractor::Extractor;
pub use isolation::Isolation;
pub use locate::locate;
pub use options::PoolOptions;
pub use pool::Pool;
pub use serve::serve;
pub use start_error::StartError;
