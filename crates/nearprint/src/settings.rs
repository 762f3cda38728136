//! How documents are worked on: the choices every operation shares.

use std::num::NonZeroUsize;

use nearprint_extract::{Hints, Limits};
use nearprint_fingerprint::Scheme;
use nearprint_worker::{Isolation, PoolOptions};

/// What a [`Pipeline`](crate::Pipeline) does to its documents, and at what cost. None of it changes the result of a
/// document but the scheme, the hints and the limits; none of these limits is a clock. (What a worker may use is one, and
/// the last resort: a document that reaches it has an error that may be gone another time, never a shorter text.)
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// By which rules fingerprints are made. Default `sd1`.
    pub scheme: Scheme,
    /// What the caller knows of all documents; overrules what comes with a single one. Default nothing.
    pub hints: Hints,
    /// What one document may cost. Default [`Limits::default`].
    pub limits: Limits,
    /// Threads that extract and fingerprint, and that search; `None` (the default) is one for each processor.
    pub threads: Option<NonZeroUsize>,
    /// Whether the least certain bits of simhashes are noted too. Default no.
    pub weak_bits: bool,
    /// Bytes of documents in work at once, as they lie in their files; one longer document is worked on alone.
    /// Memory grows to some multiple of it, by what documents expand to. Default 256 MiB.
    pub bytes_in_flight: u64,
    /// Which documents are extracted in a worker process. Default [`Isolation::Heavy`].
    pub isolation: Isolation,
    /// The executable of workers and their limits on memory and time; there are never more workers than threads that ask
    /// for one. Default [`PoolOptions::located`], looked for when the first document needs it.
    pub workers: PoolOptions,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            scheme: Scheme::SD1,
            hints: Hints::default(),
            limits: Limits::default(),
            threads: None,
            weak_bits: false,
            bytes_in_flight: 256 << 20,
            isolation: Isolation::default(),
            workers: PoolOptions::located(),
        }
    }
}

impl Settings {
    /// The number of threads meant.
    #[must_use]
    pub fn thread_count(&self) -> NonZeroUsize {
        self.threads
            .or_else(|| std::thread::available_parallelism().ok())
            .unwrap_or(NonZeroUsize::MIN)
    }
}
