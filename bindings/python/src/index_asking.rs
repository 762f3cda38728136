//! What lies near one another in an index, near documents and near fingerprints; and its documents.

use std::collections::HashMap;

use nearprint::fingerprint::Family;
use nearprint::records::{ClusterRow, DocumentId, IndexedRow, MatchOfMany, PairRow};
use nearprint::search::MAX_JOIN_DISTANCE;
use nearprint::{Error, IndexMatch, PrintSet};
use nearprint_index::{Condition, DiskIndex, Filter, StoredDocument};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::engine::Read;
use crate::error::{invalid, refused};
use crate::held::InUse;
use crate::index_adding::Given;
use crate::job::{Job, Progress, run};
use crate::options::Options;
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

/// What is within `k` of documents and fingerprints, and fulfils conditions.
pub(crate) fn matches(
    py: Python<'_>,
    held: &InUse,
    given: Given,
    (k, filter): (u32, &Filter),
    options: &Options,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Table> {
    let scheme = held.index().scheme();
    let source = given.source(options)?;
    if !filter.is_empty() {
        held.disk("where")?;
    }
    let work = |job: &Job| {
        let (mut read, mut rows) = (Read::default(), Vec::new());
        let (mut ids, mut prints): (Vec<DocumentId>, Vec<_>) = (Vec::new(), Vec::new());
        let mut answer = |ids: &mut Vec<DocumentId>, prints: &mut Vec<_>| {
            let answers: Vec<Vec<IndexMatch>> = match held.on_disk() {
                Some(disk) => disk.query_batch_where(prints, k, filter)?,
                None => held.index().query_batch(prints, k)?,
            };
            for (id, near) in ids.drain(..).zip(answers) {
                rows.extend(near.into_iter().map(|near| MatchOfMany(near.row(&id, scheme))));
            }
            prints.clear();
            Ok::<_, Error>(())
        };
        given.each((scheme, options), source, &mut read, job, |id, print, _| {
            ids.push(id);
            prints.push(print);
            if ids.len() < BATCH { Ok(()) } else { answer(&mut ids, &mut prints) }
        })?;
        answer(&mut ids, &mut prints)?;
        Ok::<_, Error>((rows, read))
    };
    let (rows, read) = run(py, progress, work)?.map_err(|error| refused(&error))?;
    let row = read.tally.search_summary(scheme, k, rows.len() as u64);
    let summary = summary(py, &row, None, 0)?;
    Ok(Table::of_rows(scheme, &rows)?.with(summary, failures(py, &read)?))
}

/// Refuses distances that no join serves.
fn of_join(index: &DiskIndex, k: u32) -> PyResult<u32> {
    let scheme = nearprint::Index::scheme(index);
    match scheme.family() {
        Family::Sketch => Ok(k.min(scheme.positions())),
        _ if k <= MAX_JOIN_DISTANCE => Ok(k),
        _ => Err(invalid(format_args!(
            "pairs are searched within {MAX_JOIN_DISTANCE} bits at most, not {k}"
        ))),
    }
}

/// Ends the reading of an index.
enum Ended {
    Cancelled,
    Error(Error),
}

impl From<Error> for Ended {
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
            return Err(Ended::Cancelled);
        }
        done += 1;
        job.report(Progress { stage: "documents", done, total: None });
        Ok(visit(document)?)
    });
    match visited {
        Err(Ended::Error(error)) => Err(error),
        _ => Ok(()),
    }
}

/// All pairs within `k`, but for those whose documents have the same value of a field.
pub(crate) fn pairs(
    py: Python<'_>,
    index: &DiskIndex,
    (k, filter, not_same): (u32, &Filter, Option<&str>),
    options: &Options,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Table> {
    let (k, scheme) = (of_join(index, k)?, nearprint::Index::scheme(index));
    let engine = options.engine();
    let work = |job: &Job| {
        let mut values: HashMap<DocumentId, String> = HashMap::new();
        let (mut set, left_out) = (PrintSet::new(scheme), LeftOut::default());
        each(index, filter, job, |document| {
            let value = not_same.and_then(|field| document.metadata_field(field));
            values.extend(value.map(|value| (document.id.clone(), value)));
            set.push(&document.id, &document.fingerprint)
        })?;
        let differ = |row: &PairRow| match (values.get(&row.a), values.get(&row.b)) {
            (Some(a), Some(b)) => a != b,
            _ => true,
        };
        let mut rows: Vec<PairRow> = Vec::new();
        let search = watched(engine.search(k), job, &left_out).sorted_up_to(Some(usize::MAX));
        search.pairs(&set, |row| {
            rows.extend(differ(&row).then_some(row));
            Ok::<_, Error>(())
        })?;
        Ok::<_, Error>(rows)
    };
    let rows = run(py, progress, work)?.map_err(|error| refused(&error))?;
    Table::of_rows(scheme, &rows)
}

/// The clusters by `k`, numbered by their earliest document.
pub(crate) fn clusters(
    py: Python<'_>,
    index: &DiskIndex,
    (k, filter): (u32, &Filter),
    options: &Options,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Table> {
    let (k, scheme) = (of_join(index, k)?, nearprint::Index::scheme(index));
    let engine = options.engine();
    let work = |job: &Job| {
        let (mut set, left_out) = (PrintSet::new(scheme), LeftOut::default());
        each(index, filter, job, |document| set.push(&document.id, &document.fingerprint))?;
        let mut rows: Vec<ClusterRow> = watched(engine.search(k), job, &left_out).clusters(&set)?;
        for row in &mut rows {
            // Removed since the documents were read, it has no number any more.
            row.cluster = index.number(&row.representative)?.unwrap_or(row.cluster);
        }
        Ok::<_, Error>(rows)
    };
    let rows = run(py, progress, work)?.map_err(|error| refused(&error))?;
    Table::of_rows(scheme, &rows)
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
    Table::of_rows(nearprint::Index::scheme(index), &rows)
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
    Table::of_rows(nearprint::Index::scheme(index), &rows)
}

/// The row of a document.
pub(crate) fn row(found: StoredDocument) -> IndexedRow {
    IndexedRow::from(found)
}
