//! Which fingerprints a verification compares, for programs that divide a search among machines.

use nearprint::{Candidates, Verification};
use pyo3::prelude::*;

use crate::scheme::scheme;
use crate::search::{measure as measure_of, share};

#[doc = stub!(candidates)]
#[pyfunction]
#[pyo3(signature = (threshold, *, measure="jaccard", scheme="md1"))]
pub(crate) fn candidates(
    threshold: f64,
    measure: &str,
    scheme: &str,
) -> PyResult<(u32, Option<String>)> {
    let verification = Verification::new(measure_of(measure)?).at(share(threshold)?);
    let candidates = Candidates::by(self::scheme(scheme)?, verification);
    Ok((candidates.distance(), candidates.used_bands().map(|bands| bands.to_string())))
}
