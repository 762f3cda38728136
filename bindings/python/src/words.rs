//! Copies of the numbers of a NumPy array, which other threads may change once Python runs again.

use std::num::NonZeroUsize;

use nearprint::search::copied_on_large_pages;
use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;

/// The numbers of a buffer of one dimension, copied: by several threads, because those that search it wait.
///
/// # Errors
///
/// What Python raises where they lie with gaps and cannot be read.
#[expect(unsafe_code, reason = "threads read what the interpreter guards")]
pub(crate) fn copied(py: Python<'_>, words: &PyBuffer<u64>) -> PyResult<Vec<u64>> {
    let Some(given) = words.as_slice_ptr() else {
        // Every n-th of a larger array.
        return words.to_vec(py);
    };
    let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    // SAFETY: the buffer holds so many numbers at their alignment until it is dropped. Who may change them holds the
    // interpreter, which this thread does until the copy is made.
    Ok(copied_on_large_pages(unsafe { given.as_ref() }, threads))
}
