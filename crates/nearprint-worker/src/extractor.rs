//! Extraction that follows an [`Isolation`]: here or in a worker, one call for both.

use std::sync::{Mutex, OnceLock, PoisonError};

use nearprint_extract::{ExtractError, Extraction, Hints, Limits, extract};

use crate::counts::PoolCounts;
use crate::isolation::Isolation;
use crate::options::PoolOptions;
use crate::pool::Pool;
use crate::start_error::StartError;
use crate::stop::StopSignal;

/// Extracts documents, those that call for it in workers.
///
/// The pool is made when the first document needs it, so a job without heavy documents needs no worker
/// executable. Any number of threads may call.
#[derive(Debug)]
pub struct Extractor {
    isolation: Isolation,
    options: PoolOptions,
    pool: OnceLock<Pool>,
    making: Mutex<()>,
}

impl Extractor {
    /// An extractor; nothing starts yet.
    #[must_use]
    pub fn new(isolation: Isolation, options: PoolOptions) -> Self {
        Self { isolation, options, pool: OnceLock::new(), making: Mutex::new(()) }
    }

    /// The text of a document and how it was obtained, or why there is none.
    ///
    /// ```
    /// use nearprint_extract::{Hints, Limits};
    /// use nearprint_worker::{Extractor, Isolation, PoolOptions};
    ///
    /// let extractor = Extractor::new(Isolation::Heavy, PoolOptions::new("/no/such/worker"));
    /// let page = extractor.extract(b"<p>light", &Hints::default(), &Limits::default())?;
    /// assert_eq!(page.unwrap().text, "light\n");
    /// let heavy = extractor.extract(b"%PDF-1.7", &Hints::default(), &Limits::default());
    /// assert!(heavy.unwrap_err().to_string().contains("/no/such/worker"));
    /// # Ok::<(), nearprint_worker::StartError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Why there can be no worker for a document that calls for one: see [`Pool::extract`].
    pub fn extract(
        &self,
        bytes: &[u8],
        hints: &Hints,
        limits: &Limits,
    ) -> Result<Result<Extraction, ExtractError>, StartError> {
        self.extract_until(bytes, hints, limits, None)
    }

    /// Extracts as [`extract`](Self::extract) does, until `stop` is given: a worker then ends within a second, and the
    /// document's error is that of a time limit. What is extracted in this process is done with.
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
        if self.isolation.isolates(bytes, hints) {
            self.pool()?.extract_until(bytes, hints, limits, stop)
        } else {
            Ok(extract(bytes, hints, limits))
        }
    }

    /// What the pool has done so far: nothing while there is none.
    #[must_use]
    pub fn counts(&self) -> PoolCounts {
        self.pool.get().map(Pool::counts).unwrap_or_default()
    }

    fn pool(&self) -> Result<&Pool, StartError> {
        if let Some(pool) = self.pool.get() {
            return Ok(pool);
        }
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pool) = self.pool.get() {
            return Ok(pool);
        }
        let pool = Pool::new(self.options.clone())?;
        Ok(self.pool.get_or_init(|| pool))
    }
}
