//! Clusters, of documents or of fingerprints.

use std::sync::Arc;

use arrow_array::{ArrayRef, UInt32Array};
use nearprint::search::Linkage;
use nearprint::{Error, Role, SearchMethod};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::data::{Data, Documents};
use crate::display::examples;
use crate::engine::{Read, gather};
use crate::error::{invalid, refused};
use crate::job::{Job, run};
use crate::options::Options;
use crate::search::{Asked, LeftOut, numbers, watched};
use crate::summary::{failures, summary};
use crate::table::Table;

#[doc = stub!(clusters)]
#[pyfunction]
#[pyo3(signature = (data=None, *, texts=None, ids=None, linkage="components", verify=None, measure=None, threshold=None, scheme=None, k=None,
    similarity=None, bands=None, recall=None, progress=None, **options))]
#[expect(clippy::too_many_arguments, reason = "they are keywords of Python")]
pub(crate) fn clusters(
    py: Python<'_>,
    data: Option<&Bound<'_, PyAny>>,
    texts: Option<&Bound<'_, PyAny>>,
    ids: Option<&Bound<'_, PyAny>>,
    linkage: &str,
    verify: Option<bool>,
    measure: Option<&str>,
    threshold: Option<f64>,
    scheme: Option<&str>,
    k: Option<u32>,
    similarity: Option<f64>,
    bands: Option<&str>,
    recall: Option<f64>,
    progress: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Table> {
    let asked = Asked {
        verify,
        measure,
        threshold,
        scheme,
        k,
        similarity,
        bands,
        recall,
        ..Asked::default()
    };
    let options = Options::of(py, options)?;
    let named = asked.scheme()?;
    let linkage = match linkage {
        "components" => Linkage::Components,
        "star" => Linkage::Star,
        "bounded" => Linkage::Bounded,
        _ => return Err(invalid("linkage is components, star or bounded")),
    };
    match Data::of(data, texts, ids, named)? {
        Data::Documents(documents) => {
            let method = asked.method(named, true, true)?;
            if method.candidates().is_none() && linkage != Linkage::Components {
                return Err(invalid("linkage is about verified pairs: give verify=True too"));
            }
            clusters_of_documents(py, &documents, &method, &options, linkage, progress)
        }
        Data::Prints(prints) => {
            if linkage != Linkage::Components {
                return Err(invalid(
                    "linkage is about verified pairs, and fingerprints have no texts",
                ));
            }
            let method = asked.method(Some(prints.set.scheme()), false, true)?;
            let engine = options.engine();
            let work = |job: &Job| {
                let left_out = LeftOut::default();
                watched(method.search(), job, &left_out).on(&engine).numbered_clusters(&prints.set)
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
    method: &SearchMethod,
    options: &Options,
    linkage: Linkage,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Table> {
    let mut source = documents.source(options, None)?;
    let reading = options.reading(method.scheme());
    let work = |job: &Job| {
        let (left_out, mut read) = (LeftOut::default(), Read::default());
        let mut collection = reading.engine.collection(method.collection());
        gather(&reading, &mut *source, &mut collection, Role::Candidate, &mut read, job)?;
        let search = collection.search(watched(method.search(), job, &left_out));
        let found = collection.clusters(&search, linkage)?;
        let candidates = found.verified.map(|(candidates, _)| candidates);
        Ok::<_, Error>((found.rows, read, candidates, left_out.count()))
    };
    let (rows, read, candidates, left_out) =
        run(py, progress, work)?.map_err(|error| refused(&error))?;
    let row = read.tally.cluster_summary(method.scheme(), method.distance(), &rows);
    let summary = summary(py, &row, candidates, left_out)?;
    let table = Table::of_rows(method.scheme(), &rows)?.with(summary, failures(py, &read)?);
    Ok(table.showing(examples(documents, options, &rows)?))
}
