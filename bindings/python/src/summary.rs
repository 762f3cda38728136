//! What a job came to, as dictionaries.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyDictMethods};
use serde::Serialize;

use crate::engine::ReadSummary;
use crate::json::to_python;

/// The counts of a run, with how many candidates were verified and comparisons left out.
pub(crate) fn summary(
    py: Python<'_>,
    row: &impl Serialize,
    candidates: Option<u64>,
    left_out: u64,
) -> PyResult<Py<PyAny>> {
    let made = to_python(py, row)?;
    let dictionary = made.bind(py).cast::<PyDict>()?;
    if let Some(candidates) = candidates {
        dictionary.set_item("candidates", candidates)?;
    }
    dictionary.set_item("left_out", left_out)?;
    // Times are the caller's to take.
    for name in ["seconds", "documents_per_second", "bytes_per_second"] {
        if dictionary.contains(name)? {
            dictionary.del_item(name)?;
        }
    }
    Ok(made)
}

/// The documents without a fingerprint.
pub(crate) fn failures(py: Python<'_>, read: &ReadSummary) -> PyResult<Vec<Py<PyAny>>> {
    let failure = |failure: &crate::engine::Failure| {
        let dictionary = PyDict::new(py);
        dictionary.set_item("id", &failure.id)?;
        dictionary.set_item("place", to_python(py, &failure.place)?)?;
        dictionary.set_item("reason", &failure.reason)?;
        dictionary.set_item("detail", &failure.detail)?;
        Ok(dictionary.into_any().unbind())
    };
    read.failures.iter().map(failure).collect()
}
