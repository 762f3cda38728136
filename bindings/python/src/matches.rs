//! What matches one document or many, or one fingerprint or many.

use nearprint::records::{Document, MatchRow, Source};
use nearprint::{Error, Filter, Matches, NearCounts, ResolvedQuestion, Role, Subject};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::capsule::is_arrow;
use crate::data::{Data, Documents, Prints, paths, prints};
use crate::documents::document;
use crate::engine::{self, ReadSummary, gather};
use crate::error::{of_document, refused, wrong_type};
use crate::fingerprint::Fingerprint;
use crate::job::{Job, run};
use crate::options::Options;
use crate::pairs::numbered;
use crate::question::{question, refused_option};
use crate::search::{LeftOut, watched};
use crate::summary::{failures, summary};
use crate::table::Table;

#[doc = stub!(matches)]
#[pyfunction]
#[pyo3(signature = (query, data=None, *, texts=None, ids=None, progress=None, **options))]
pub(crate) fn matches(
    py: Python<'_>,
    query: &Bound<'_, PyAny>,
    data: Option<&Bound<'_, PyAny>>,
    texts: Option<&Bound<'_, PyAny>>,
    ids: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Table> {
    let (question, options) = question::<Matches>(py, options)?;
    let named = question.scheme;
    let resolve = |subject| question.resolve(subject).map_err(|error| refused_option(&error));
    match Data::of(data, texts, ids, named)? {
        Data::Prints(searched) => {
            let question = resolve(Subject::Fingerprints(searched.set.scheme()))?;
            of_prints(py, query, &searched, &question, &options, progress)
        }
        Data::Documents(documents) => {
            let question = resolve(Subject::Documents)?;
            let one = query.is_instance_of::<PyString>() || query.hasattr("__fspath__")?;
            match paths(query)? {
                Some(queries) if !one => {
                    let queries = Documents::Paths(queries);
                    of_many(py, &queries, &documents, &question, &options, progress)
                }
                _ if is_arrow(query)? => match Data::of_object(query, None)? {
                    Data::Documents(queries) => {
                        of_many(py, &queries, &documents, &question, &options, progress)
                    }
                    Data::Prints(_) => Err(wrong_type(
                        "documents are searched: a query is a path, bytes, a file or a table of documents",
                    )),
                },
                _ => {
                    let query = document(py, query, &options)?;
                    of_one(py, query, &documents, &question, &options, progress)
                }
            }
        }
    }
}

fn of_prints(
    py: Python<'_>,
    query: &Bound<'_, PyAny>,
    searched: &Prints,
    question: &ResolvedQuestion<Matches>,
    options: &Options,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Table> {
    let scheme = searched.set.scheme();
    let queries = match query.cast::<Fingerprint>() {
        Ok(_) => prints(pyo3::types::PyList::new(py, [query])?.as_any(), Some(scheme))?,
        Err(_) => prints(query, Some(scheme))?,
    };
    let engine = options.engine();
    let work = |job: &Job| {
        let left_out = LeftOut::default();
        let search = watched(question.method().search(), job, &left_out).on(&engine);
        search.numbered_matches(&searched.set, &queries.set)
    };
    let found = run(py, progress, work)?.map_err(|error| refused(&error))?;
    numbered(["query", "id"], found, &queries, searched)
}

/// Answers one query: every document is read, compared and let go.
fn of_one(
    py: Python<'_>,
    query: Document,
    documents: &Documents,
    question: &ResolvedQuestion<Matches>,
    options: &Options,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Table> {
    let mut source = documents.source(options, None)?;
    let reading = options.reading(question.scheme());
    let work = |job: &Job| {
        let left_out = LeftOut::default();
        let search = watched(question.method().search_of_one(), job, &left_out).on(&reading.engine);
        let query = match engine::query(&reading, query, question, job) {
            Ok(Some(query)) => query,
            Ok(None) => {
                return Ok(Ok((Vec::new(), NearCounts::none(), ReadSummary::default())));
            }
            Err(error) => return Ok(Err(error)),
        };
        let found = engine::matches_among(&reading, &search, &mut *source, &query, question, job)?;
        Ok::<_, Error>(Ok(found))
    };
    let found = run(py, progress, work)?.map_err(|error| refused(&error))?;
    let (rows, counts, read) = found.map_err(|error| of_document(py, &error))?;
    table(py, question, &rows, &read, (None, counts.without_evidence))
}

/// Answers many queries.
fn of_many(
    py: Python<'_>,
    queries: &Documents,
    documents: &Documents,
    question: &ResolvedQuestion<Matches>,
    options: &Options,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Table> {
    let sources = [documents.source(options, None)?, queries.source(options, None)?];
    let reading = options.reading(question.scheme());
    let work = |job: &Job| {
        let (left_out, mut read) = (LeftOut::default(), ReadSummary::default());
        let mut gathered = |mut source: Box<dyn Source>| {
            let mut collection = reading.engine.collection(question.settings());
            gather(&reading, &mut *source, &mut collection, Role::Candidate, &mut read, job)?;
            Ok::<_, Error>(collection)
        };
        let [searched, queries] = sources;
        let (searched, queries) = (gathered(searched)?, gathered(queries)?);
        let search = watched(question.search(&searched), job, &left_out);
        let mut rows: Vec<MatchRow> = Vec::new();
        let found = question.run(&searched, &queries, &search, Filter::all(), |_, row| {
            rows.push(row);
            Ok::<_, Error>(())
        })?;
        Ok::<_, Error>((rows, read, (found.candidates, found.without_evidence)))
    };
    let (rows, read, compared) = run(py, progress, work)?.map_err(|error| refused(&error))?;
    table(py, question, &rows, &read, compared)
}

fn table(
    py: Python<'_>,
    question: &ResolvedQuestion<Matches>,
    rows: &[MatchRow],
    read: &ReadSummary,
    (candidates, without_evidence): (Option<u64>, u64),
) -> PyResult<Table> {
    let row = read.tally.search_summary(question, rows.len() as u64);
    let summary = summary(py, &row, candidates, 0)?;
    if question.method().verification().is_some() {
        summary.bind(py).set_item("without_evidence", without_evidence)?;
    }
    Ok(Table::of_rows(question.scheme(), rows)?.with(summary, failures(py, read)?))
}
