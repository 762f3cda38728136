//! Libraries of Python that few functions need, imported when one of them is called.

use pyo3::prelude::*;

/// The library of this name. Where it is missing, the error names the extra of the package that brings it.
pub(crate) fn library<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("nearprint._extras")?.call_method1("library", (name,))
}
