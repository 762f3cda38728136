//! Schemes as people name them.

use nearprint::fingerprint::Scheme;
use nearprint::named_scheme;
use pyo3::PyResult;

use crate::error::invalid;

/// The scheme of an id, a declaration, or a file that holds one.
pub(crate) fn scheme(name: &str) -> PyResult<Scheme> {
    named_scheme(name).map_err(invalid)
}

/// The name by which another process knows the scheme: of a declared one its declaration.
pub(crate) fn scheme_name(scheme: Scheme) -> String {
    match scheme.as_custom() {
        Some(_) => scheme.name().to_owned(),
        None => scheme.id().to_owned(),
    }
}
