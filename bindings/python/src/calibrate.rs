//! What each scheme finds in a user's own documents.

use std::path::PathBuf;

use nearprint::fingerprint::Scheme;
use nearprint::{Calibration, Error, LabelledPairs};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::data::Data;
use crate::engine::{ReadSummary, calibrated};
use crate::error::{invalid, refused, wrong_type};
use crate::job::{Job, run};
use crate::options::Options;
use crate::search::share;
use crate::summary::{failures, summary};
use crate::table::Table;

#[doc = stub!(calibrate)]
#[pyfunction]
#[pyo3(signature = (data=None, *, texts=None, ids=None, labels=None, recall=0.95, sample=500, seed=1, progress=None, **options))]
#[expect(clippy::too_many_arguments, reason = "they are keywords of Python")]
pub(crate) fn calibrate(
    py: Python<'_>,
    data: Option<&Bound<'_, PyAny>>,
    texts: Option<&Bound<'_, PyAny>>,
    ids: Option<&Bound<'_, PyAny>>,
    labels: Option<&Bound<'_, PyAny>>,
    recall: f64,
    sample: usize,
    seed: u64,
    progress: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Table> {
    let options = Options::of(py, options)?;
    let (recall, labels) = (share(recall)?, labels.map(labelled).transpose()?);
    let mut source = match Data::of(data, texts, ids, Some(Scheme::SD1))? {
        Data::Documents(documents) => documents.source(&options, None)?,
        Data::Prints(_) => {
            return Err(invalid(
                "calibrate edits texts, and fingerprints have none: give documents",
            ));
        }
    };
    let reading = options.reading(Scheme::SD1);
    let work = |job: &Job| {
        let mut read = ReadSummary::default();
        let mut calibration = Calibration::new(seed).sample(sample).cancelled_by(&job.cancel);
        let labels = labels.as_ref();
        let left_out = calibrated(&reading, &mut *source, labels, &mut calibration, &mut read, job);
        let documents = read.tally.fingerprints;
        let rows = reading.engine.install(|| calibration.measure(recall, documents))?;
        Ok::<_, Error>((rows, read, left_out))
    };
    let (rows, read, left_out) = run(py, progress, work)?.map_err(|error| refused(&error))?;
    let summary = summary(py, &read.tally.summary(Scheme::SD1), None, 0)?;
    summary.bind(py).set_item("labels_left_out", left_out)?;
    Ok(Table::of_rows(Scheme::SD1, &rows)?.with(summary, failures(py, &read)?))
}

/// Labelled pairs: a file of them, or triples of two ids and whether they are the same.
fn labelled(labels: &Bound<'_, PyAny>) -> PyResult<LabelledPairs> {
    if labels.is_instance_of::<PyString>() || labels.hasattr("__fspath__")? {
        return LabelledPairs::read(&labels.extract::<PathBuf>()?).map_err(invalid);
    }
    let wanted = |_| wrong_type("labels are a path, or triples (id, id, True or False)");
    let mut pairs = Vec::new();
    for label in labels.try_iter().map_err(wanted)? {
        pairs.push(label?.extract::<(String, String, bool)>().map_err(wanted)?);
    }
    let nothing = || invalid("no pair is labelled True, so there is nothing to find");
    LabelledPairs::new(pairs).ok_or_else(nothing)
}
