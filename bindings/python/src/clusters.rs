//! Clusters, of documents or of fingerprints.

use std::sync::Arc;

use arrow_array::{ArrayRef, UInt32Array};
use nearprint::{Clusters, Error, ResolvedQuestion, Role, Subject};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::data::{Data, Documents};
use crate::display::examples;
use crate::engine::{ReadSummary, gather};
use crate::error::refused;
use crate::job::{Job, run};
use crate::options::Options;
use crate::question::{question, refused_option};
use crate::search::{LeftOut, numbers, watched};
use crate::summary::{failures, summary};
use crate::table::Table;

#[doc = stub!(clusters)]
#[pyfunction]
#[pyo3(signature = (data=None, *, texts=None, ids=None, progress=None, **options))]
pub(crate) fn clusters(
    py: Python<'_>,
    data: Option<&Bound<'_, PyAny>>,
    texts: Option<&Bound<'_, PyAny>>,
    ids: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Table> {
    let (question, options) = question::<Clusters>(py, options)?;
    match Data::of(data, texts, ids, question.scheme)? {
        Data::Documents(documents) => {
            let question =
                question.resolve(Subject::Documents).map_err(|error| refused_option(&error))?;
            clusters_of_documents(py, &documents, &question, &options, progress)
        }
        Data::Prints(prints) => {
            let question = question
                .resolve(Subject::Fingerprints(prints.set.scheme()))
                .map_err(|error| refused_option(&error))?;
            let engine = options.engine();
            let work = |job: &Job| {
                let left_out = LeftOut::default();
                let search = watched(question.method().search(), job, &left_out);
                search.on(&engine).numbered_clusters(&prints.set)
            };
            let found = run(py, progress, work)?.map_err(|error| refused(&error))?;
            let (mut number, mut first, mut members) = (Vec::new(), Vec::new(), Vec::new());
            for (cluster, at) in found.iter().zip(1u32..) {
                for &member in cluster.members {
                    number.push(at);
                    first.push(prints.position(cluster.representative));
                    members.push(prints.position(member));
                }
            }
            let column = |numbers: Vec<u32>| -> ArrayRef { Arc::new(UInt32Array::from(numbers)) };
            numbers(
                &["cluster", "representative", "id"],
                vec![column(number), column(first), column(members)],
            )
        }
    }
}

fn clusters_of_documents(
    py: Python<'_>,
    documents: &Documents,
    question: &ResolvedQuestion<Clusters>,
    options: &Options,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Table> {
    let mut source = documents.source(options, None)?;
    let reading = options.reading(question.scheme());
    let work = |job: &Job| {
        let (left_out, mut read) = (LeftOut::default(), ReadSummary::default());
        let mut collection = reading.engine.collection(question.collection());
        gather(&reading, &mut *source, &mut collection, Role::Candidate, &mut read, job)?;
        let search = watched(question.search(&collection), job, &left_out);
        let found = question.run(&collection, &search)?;
        let candidates = found.verified.map(|(candidates, _)| candidates);
        Ok::<_, Error>((found.rows, read, (candidates, found.without_evidence), left_out.count()))
    };
    let (rows, read, (candidates, without_evidence), left_out) =
        run(py, progress, work)?.map_err(|error| refused(&error))?;
    let row = read.tally.cluster_summary(question, &rows);
    let summary = summary(py, &row, candidates, left_out)?;
    if candidates.is_some() {
        summary.bind(py).set_item("without_evidence", without_evidence)?;
    }
    let table = Table::of_rows(question.scheme(), &rows)?.with(summary, failures(py, &read)?);
    Ok(table.showing(examples(documents, options, &rows)?))
}
