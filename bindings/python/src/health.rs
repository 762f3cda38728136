//! What fingerprints are like as a collection.

use nearprint::fingerprint::Scheme;
use nearprint::{Error, Role};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::data::Data;
use crate::engine::{ReadSummary, gather};
use crate::error::refused;
use crate::job::{Job, run};
use crate::json::to_python;
use crate::options::Options;
use crate::scheme::scheme;

#[doc = stub!(health)]
#[pyfunction]
#[pyo3(signature = (data=None, *, texts=None, ids=None, scheme=None, progress=None, **options))]
pub(crate) fn health(
    py: Python<'_>,
    data: Option<&Bound<'_, PyAny>>,
    texts: Option<&Bound<'_, PyAny>>,
    ids: Option<&Bound<'_, PyAny>>,
    scheme: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Py<PyAny>> {
    let options = Options::of(py, options)?;
    let named = scheme.map(self::scheme).transpose()?;
    let row = match Data::of(data, texts, ids, named)? {
        Data::Prints(prints) => {
            run(py, progress, |job: &Job| nearprint::health(&prints.set, &job.cancel))?
        }
        Data::Documents(documents) => {
            let mut source = documents.source(&options, None)?;
            let reading = options.reading(named.unwrap_or(Scheme::SD1));
            let work = |job: &Job| {
                let mut collection = reading.engine.collection(reading.settings.scheme);
                let mut read = ReadSummary::default();
                gather(&reading, &mut *source, &mut collection, Role::Candidate, &mut read, job)?;
                nearprint::health(collection.prints(), &job.cancel)
            };
            run(py, progress, work)?
        }
    };
    to_python(py, &row.map_err(|error: Error| refused(&error))?)
}
