//! What documents have a second time, and what most of them repeat.

use nearprint::fingerprint::Scheme;
use nearprint::records::{RepeatRow, SharedPassageRow};
use nearprint::{Boilerplate, Error, PassageProgress, Repeats, SeenFiles};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::engine::{ReadSummary, gather_passages, left_out};
use crate::error::refused;
use crate::job::{Job, Progress, run};
use crate::passages::documents;
use crate::question::{question, refused_option};
use crate::summary::failures;
use crate::table::Table;

#[doc = stub!(repeats)]
#[pyfunction]
#[pyo3(signature = (data=None, *, texts=None, ids=None, against=None, progress=None, **options))]
pub(crate) fn repeats(
    py: Python<'_>,
    data: Option<&Bound<'_, PyAny>>,
    texts: Option<&Bound<'_, PyAny>>,
    ids: Option<&Bound<'_, PyAny>>,
    against: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Table> {
    let (question, options) = question::<Repeats>(py, options)?;
    let question = question.resolve().map_err(|error| refused_option(&error))?;
    // A file that is reached twice is read once, and repeats nothing of itself.
    let files = &SeenFiles::default();
    let references = match against {
        Some(against) => {
            Some(documents(Some(against), None, None)?.source_noting(&options, None, files)?)
        }
        None => None,
    };
    let mut source = documents(data, texts, ids)?.source_noting(&options, None, files)?;
    let reading = options.reading(Scheme::SD1);
    let work = |job: &Job| {
        let (mut read, pipeline) = (ReadSummary::default(), reading.pipeline(job));
        let mut gathered = question.gather(&reading.engine)?;
        if let Some(mut references) = references {
            let left_out = |error| left_out(&reading, &mut read.failures, error);
            let tally = gathered.read_references(&pipeline, &mut *references, left_out)?;
            read.tally.add(&tally);
        }
        let left_out = |error| left_out(&reading, &mut read.failures, error);
        let tally = gathered.read(&pipeline, &mut *source, left_out)?;
        read.tally.add(&tally);
        let found = gathered.find(|progress| watch(job, progress))?;
        let mut rows: Vec<RepeatRow> = Vec::new();
        let counts = found.each(|row| {
            rows.push(row);
            Ok::<_, Error>(())
        })?;
        Ok::<_, Error>((rows, counts, found.counts().tokens, read))
    };
    let (rows, (count, repeated), tokens, read) =
        run(py, progress, work)?.map_err(|error| refused(&error))?;
    let summary = PyDict::new(py);
    summary.set_item("documents", read.tally.documents)?;
    summary.set_item("tokens", tokens)?;
    summary.set_item("repeats", count)?;
    summary.set_item("repeated_tokens", repeated)?;
    Ok(Table::of_rows(Scheme::SD1, &rows)?.with(summary.into_any().unbind(), failures(py, &read)?))
}

#[doc = stub!(boilerplate)]
#[pyfunction]
#[pyo3(signature = (data=None, *, texts=None, ids=None, progress=None, **options))]
pub(crate) fn boilerplate(
    py: Python<'_>,
    data: Option<&Bound<'_, PyAny>>,
    texts: Option<&Bound<'_, PyAny>>,
    ids: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Table> {
    let (question, options) = question::<Boilerplate>(py, options)?;
    let question = question.resolve().map_err(|error| refused_option(&error))?;
    let mut source = documents(data, texts, ids)?.source(&options, None)?;
    let reading = options.reading(Scheme::SD1);
    let work = |job: &Job| {
        let mut read = ReadSummary::default();
        let mut gathered = question.gather(&reading.engine)?;
        gather_passages(&reading, &mut *source, &mut gathered, &mut read, job)?;
        let (rows, counts) = question.run(gathered, |progress| watch(job, progress))?;
        Ok::<_, Error>((rows, counts.tokens, read))
    };
    let (rows, tokens, read): (Vec<SharedPassageRow>, u64, ReadSummary) =
        run(py, progress, work)?.map_err(|error| refused(&error))?;
    let summary = PyDict::new(py);
    summary.set_item("documents", read.tally.documents)?;
    summary.set_item("tokens", tokens)?;
    Ok(Table::of_rows(Scheme::SD1, &rows)?.with(summary.into_any().unbind(), failures(py, &read)?))
}

/// Reports how far a search is; false where it is to end.
pub(crate) fn watch(job: &Job, progress: PassageProgress) -> bool {
    let (done, total) = (progress.done, Some(progress.total));
    job.report(Progress { stage: "search", done, total });
    !job.cancel.is_cancelled()
}
