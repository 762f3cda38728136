//! What lies near one another in an index, near documents and near fingerprints; and its documents.

use nearprint::records::{DocumentId, IndexedRow, MatchOfMany, PairRow};
use nearprint::{
    Clusters, Condition, Documents, Error, Filter, Matches, PairConditions, Pairs, Subject,
    TextFeatures, VerifiedQuery,
};
use nearprint_index::{DiskIndex, ReadStep, StoredDocument, until_cancelled};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::engine::ReadSummary;
use crate::error::{invalid, refused};
use crate::index_additions::IndexInput;
use crate::index_handle::InUse;
use crate::job::{Job, Progress, run};
use crate::options::Options;
use crate::question::refused_option;
use crate::search::{LeftOut, watched};
use crate::summary::{failures, summary};
use crate::table::Table;

/// Queries that are answered together.
const BATCH: usize = 1024;

/// Documents that are read from an index at a time.
const PAGE: usize = 1000;

/// Conditions on metadata: one text or many.
pub(crate) fn filter(conditions: Option<&Bound<'_, PyAny>>) -> PyResult<Filter> {
    let Some(conditions) = conditions else { return Ok(Filter::default()) };
    let texts: Vec<String> = match conditions.cast::<PyString>() {
        Ok(text) => vec![text.extract()?],
        Err(_) => conditions.extract()?,
    };
    let condition = |text: String| {
        let named = |error| invalid(format_args!("{text:.80}: {error}"));
        text.parse::<Condition>().map_err(named)
    };
    texts.into_iter().map(condition).collect()
}

/// The matches of documents and fingerprints, of those documents of the index that fulfil conditions.
pub(crate) fn matches(
    py: Python<'_>,
    held: &InUse,
    given: IndexInput,
    (question, filter): (&Matches, &Filter),
    options: &Options,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Table> {
    let scheme = held.index().scheme();
    let source = given.source(options)?;
    let subject = match source {
        Some(_) => Subject::of(held.documents()),
        // Fingerprints have no texts to compare.
        None => Subject::Fingerprints(scheme),
    };
    let question = question.resolve(subject).map_err(|error| refused_option(&error))?;
    if !filter.is_empty() {
        held.disk("where")?;
    }
    let work = |job: &Job| {
        let (mut read, mut rows) = (ReadSummary::default(), Vec::new());
        let mut queries: Vec<VerifiedQuery> = Vec::new();
        let search = question.method().search();
        let mut answer = |queries: &mut Vec<VerifiedQuery>| {
            let queries = std::mem::take(queries);
            question.run(held.documents(), queries.as_slice(), &search, filter, |_, row| {
                rows.push(MatchOfMany(row));
                Ok::<_, Error>(())
            })?;
            Ok::<_, Error>(())
        };
        let mut push = |query: VerifiedQuery| {
            queries.push(query);
            if queries.len() < BATCH { Ok(()) } else { answer(&mut queries) }
        };
        match held.on_disk() {
            Some(disk) => given.each((disk, options), source, &mut read, job, |step| match step {
                ReadStep::Document(document) => push(document.into_query()),
                ReadStep::Commit => Ok(()),
            }),
            None => {
                given.each_fingerprint((scheme, options), source, &mut read, job, |id, print| {
                    push(VerifiedQuery::new(id, print, TextFeatures::default()))
                })
            }
        }?;
        answer(&mut queries)?;
        Ok::<_, Error>((rows, read))
    };
    let (rows, read) = run(py, progress, work)?.map_err(|error| refused(&error))?;
    let row = read.tally.search_summary(&question, rows.len() as u64);
    let summary = summary(py, &row, None, 0)?;
    Ok(Table::of_rows(scheme, &rows)?.with(summary, failures(py, &read)?))
}

/// Ends the reading of an index.
enum QueryEnd {
    Cancelled,
    Error(Error),
}

impl From<Error> for QueryEnd {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

/// Visits the documents that a filter allows, until the job is cancelled.
fn each(
    index: &DiskIndex,
    filter: &Filter,
    job: &Job,
    mut visit: impl FnMut(StoredDocument) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut done = 0;
    let visited = index.for_each_where(filter, |document| {
        if job.cancel.is_cancelled() {
            return Err(QueryEnd::Cancelled);
        }
        done += 1;
        job.report(Progress { stage: "documents", done, total: None });
        Ok(visit(document)?)
    });
    match visited {
        Err(QueryEnd::Error(error)) => Err(error),
        _ => Ok(()),
    }
}

/// All pairs, but for those whose documents have the same value of a field.
pub(crate) fn pairs(
    py: Python<'_>,
    index: &DiskIndex,
    (question, filter, not_same): (&Pairs, &Filter, Option<&str>),
    options: &Options,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Table> {
    let question = question.resolve(Subject::of(index)).map_err(|error| refused_option(&error))?;
    let engine = options.engine();
    let work = |job: &Job| {
        let left_out = LeftOut::default();
        let mut rows: Vec<PairRow> = Vec::new();
        let watch = |search| watched(search, job, &left_out);
        let among = PairConditions { filter, not_same };
        until_cancelled(&job.cancel, || {
            question.run_on(index, &engine, among, watch, |row| {
                rows.push(row);
                Ok::<_, Error>(())
            })
        })?;
        Ok::<_, Error>(rows)
    };
    let rows = run(py, progress, work)?.map_err(|error| refused(&error))?;
    Table::of_rows(question.scheme(), &rows)
}

/// The clusters, numbered by their earliest document.
pub(crate) fn clusters(
    py: Python<'_>,
    index: &DiskIndex,
    (question, filter): (&Clusters, &Filter),
    options: &Options,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Table> {
    let question = question.resolve(Subject::of(index)).map_err(|error| refused_option(&error))?;
    let engine = options.engine();
    let work = |job: &Job| {
        let left_out = LeftOut::default();
        let watch = |search| watched(search, job, &left_out);
        let found =
            until_cancelled(&job.cancel, || question.run_on(index, &engine, filter, watch))?;
        Ok::<_, Error>(found.rows)
    };
    let rows = run(py, progress, work)?.map_err(|error| refused(&error))?;
    Table::of_rows(question.scheme(), &rows)
}

/// The documents that a filter allows, in the order of addition.
pub(crate) fn export(
    py: Python<'_>,
    index: &DiskIndex,
    filter: &Filter,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Table> {
    let work = |job: &Job| {
        let mut rows = Vec::new();
        each(index, filter, job, |document| {
            rows.push(row(document));
            Ok(())
        })?;
        Ok::<_, Error>(rows)
    };
    let rows = run(py, progress, work)?.map_err(|error| refused(&error))?;
    Table::of_rows(index.scheme(), &rows)
}

/// Documents in the order of their ids.
pub(crate) fn list(
    py: Python<'_>,
    index: &DiskIndex,
    prefix: &str,
    mut after: Option<DocumentId>,
    limit: Option<usize>,
) -> PyResult<Table> {
    let work = |job: &Job| {
        let (mut rows, mut left) = (Vec::new(), limit.unwrap_or(usize::MAX));
        while !job.cancel.is_cancelled() {
            let page = index.list(prefix, after.as_ref(), left.min(PAGE))?;
            left -= page.len();
            let Some(last) = page.last() else { break };
            after = Some(last.id.clone());
            rows.extend(page.into_iter().map(row));
        }
        Ok::<_, Error>(rows)
    };
    let rows = run(py, None, work)?.map_err(|error| refused(&error))?;
    Table::of_rows(index.scheme(), &rows)
}

/// The row of a document.
pub(crate) fn row(found: StoredDocument) -> IndexedRow {
    IndexedRow::from(found)
}
