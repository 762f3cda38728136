//! Distances of fingerprints beside exact similarities of texts.

use std::path::PathBuf;

use nearprint::records::PairRow;
use nearprint::{Correlation, Error, TextMeasure, TextVerification, read_idf_table};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::data::Data;
use crate::engine::{self, ReadSummary};
use crate::error::{invalid, refused};
use crate::job::{Job, run};
use crate::options::Options;
use crate::scheme::scheme;
use crate::search::share;
use crate::summary::{failures, summary};
use crate::table::Table;

#[doc = stub!(correlate)]
#[pyfunction]
#[pyo3(signature = (data=None, *, texts=None, ids=None, measure="cosine-tf", threshold=None, idf=None, sample=500, seed=1,
    planted=false, scheme="sd1", progress=None, **options))]
#[expect(clippy::too_many_arguments, reason = "they are keywords of Python")]
pub(crate) fn correlate(
    py: Python<'_>,
    data: Option<&Bound<'_, PyAny>>,
    texts: Option<&Bound<'_, PyAny>>,
    ids: Option<&Bound<'_, PyAny>>,
    measure: &str,
    threshold: Option<f64>,
    idf: Option<PathBuf>,
    sample: usize,
    seed: u64,
    planted: bool,
    scheme: &str,
    progress: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Table> {
    let options = Options::of(py, options)?;
    let scheme = self::scheme(scheme)?;
    let measure: TextMeasure = measure.parse().map_err(invalid)?;
    if idf.is_some() && !measure.needs_table() {
        return Err(invalid("idf is only for measure=\"cosine-tfidf\""));
    }
    let threshold = threshold.unwrap_or(TextMeasure::DEFAULT_THRESHOLD);
    let table = idf.map(|file| read_idf_table(&file)).transpose().map_err(invalid)?;
    let verification = TextVerification::new(measure).by_table(table).map_err(invalid)?;
    let verification = verification.at(share(threshold)?);
    let mut source = match Data::of(data, texts, ids, Some(scheme))? {
        Data::Documents(documents) => documents.source(&options, None)?,
        Data::Prints(_) => {
            return Err(invalid(
                "correlate compares texts, and fingerprints have none: give documents",
            ));
        }
    };
    let reading = options.reading(scheme);
    let work = |job: &Job| {
        let mut read = ReadSummary::default();
        let mut correlation = Correlation::new(seed).sample(sample).planted(planted);
        engine::texts(&reading, &mut *source, &mut read, job, |id, text| {
            correlation.push(id, text);
        });
        let mut rows: Vec<PairRow> = Vec::new();
        let take = |row| match job.cancel.is_cancelled() {
            true => Err(CorrelationEnd::Cancelled),
            false => {
                rows.push(row);
                Ok(())
            }
        };
        let measured =
            reading.engine.install(|| correlation.measure(scheme, verification, take))?;
        let found = match measured {
            Ok(found) => Some(found),
            Err(CorrelationEnd::Cancelled) => None,
            Err(CorrelationEnd::Error(error)) => return Err(error),
        };
        Ok((rows, read, found))
    };
    let (rows, read, found) = run(py, progress, work)?.map_err(|error| refused(&error))?;
    let summary = summary(py, &read.tally.summary(scheme), None, 0)?;
    // What was cancelled has raised before.
    if let Some(found) = found {
        let (similar, found_of_similar, within) = found.within(scheme.default_distance());
        let counts = PyDict::new(py);
        counts.set_item("documents", found.documents())?;
        counts.set_item("pairs", found.pairs())?;
        counts.set_item("open", found.open())?;
        counts.set_item("coefficient", found.coefficient())?;
        counts.set_item("distance", scheme.default_distance())?;
        counts.set_item("threshold", threshold)?;
        counts.set_item("similar", similar)?;
        counts.set_item("similar_within", found_of_similar)?;
        counts.set_item("within", within)?;
        summary.bind(py).set_item("correlation", counts)?;
    }
    Ok(Table::of_rows(scheme, &rows)?.with(summary, failures(py, &read)?))
}

/// Why a measurement ended early.
enum CorrelationEnd {
    Cancelled,
    Error(Error),
}

impl From<Error> for CorrelationEnd {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}
