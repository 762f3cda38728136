//! Pairs, of documents or of fingerprints.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::{ArrayRef, UInt32Array};
use nearprint::records::PairRow;
use nearprint::search::Pair;
use nearprint::{CollectionSettings, Error, Role, SearchMethod, Sets};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::data::{Data, Documents, Prints, prints};
use crate::engine::{Read, gather};
use crate::error::{invalid, refused};
use crate::job::{Job, run};
use crate::options::Options;
use crate::search::{Asked, LeftOut, numbers, watched};
use crate::summary::{failures, summary};
use crate::table::Table;

#[doc = stub!(pairs)]
#[pyfunction]
#[pyo3(signature = (data=None, *, texts=None, ids=None, against=None, verify=None, measure=None, threshold=None, scheme=None, k=None,
    similarity=None, bands=None, recall=None, idf=None, max_pairs=Some(100_000_000), progress=None, **options))]
#[expect(clippy::too_many_arguments, reason = "they are keywords of Python")]
pub(crate) fn pairs(
    py: Python<'_>,
    data: Option<&Bound<'_, PyAny>>,
    texts: Option<&Bound<'_, PyAny>>,
    ids: Option<&Bound<'_, PyAny>>,
    against: Option<&Bound<'_, PyAny>>,
    verify: Option<bool>,
    measure: Option<&str>,
    threshold: Option<f64>,
    scheme: Option<&str>,
    k: Option<u32>,
    similarity: Option<f64>,
    bands: Option<&str>,
    recall: Option<f64>,
    idf: Option<PathBuf>,
    max_pairs: Option<u64>,
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
        whole_texts: true,
        idf,
    };
    let options = Options::of(py, options)?;
    let named = asked.scheme()?;
    match Data::of(data, texts, ids, named)? {
        Data::Documents(documents) => {
            let against = match against {
                None => None,
                Some(against) => match Data::of(Some(against), None, None, named)? {
                    Data::Documents(against) => Some(against),
                    Data::Prints(_) => {
                        return Err(invalid("against names documents too: paths or a table"));
                    }
                },
            };
            let method = asked.method(named, true, true)?;
            pairs_of_documents(
                py,
                (&documents, against.as_ref()),
                &method,
                &options,
                max_pairs,
                progress,
            )
        }
        Data::Prints(searched) => {
            let scheme = searched.set.scheme();
            let method = asked.method(Some(scheme), false, true)?;
            let other = against.map(|against| prints(against, Some(scheme))).transpose()?;
            let engine = options.engine();
            let work = |job: &Job| {
                let left_out = LeftOut::default();
                let search = watched(method.search(), job, &left_out)
                    .on(&engine)
                    .sorted_up_to(Some(usize::MAX))
                    .at_most_pairs(max_pairs);
                let other = other.as_ref().map(|other| &other.set);
                search.numbered_pairs(Sets::new(&searched.set, other))
            };
            let found = run(py, progress, work)?.map_err(|error| refused(&error))?;
            numbered(["a", "b"], found, &searched, other.as_ref().unwrap_or(&searched))
        }
    }
}

fn pairs_of_documents(
    py: Python<'_>,
    (documents, against): (&Documents, Option<&Documents>),
    method: &SearchMethod,
    options: &Options,
    max_pairs: Option<u64>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Table> {
    let mut sources = vec![(Role::Candidate, documents.source(options, None)?)];
    if let Some(against) = against {
        sources.push((Role::Reference, against.source(options, None)?));
    }
    let reading = options.reading(method.scheme());
    let references = against.is_some();
    let kept = CollectionSettings { references, ..method.collection() };
    let work = |job: &Job| {
        let (left_out, mut read) = (LeftOut::default(), Read::default());
        let mut collection = reading.engine.collection(kept);
        for (role, mut source) in sources {
            gather(&reading, &mut *source, &mut collection, role, &mut read, job)?;
        }
        let search = collection
            .search(watched(method.search(), job, &left_out))
            .sorted_up_to(Some(usize::MAX))
            .at_most_pairs(max_pairs);
        let mut rows: Vec<PairRow> = Vec::new();
        let found = collection.pairs(&search, None, |row| {
            rows.push(row);
            Ok::<_, Error>(())
        })?;
        Ok::<_, Error>((rows, read, found, left_out.count()))
    };
    let (rows, read, found, left_out) =
        run(py, progress, work)?.map_err(|error| refused(&error))?;
    let row = read.tally.search_summary(method.scheme(), method.distance(), rows.len() as u64);
    let summary = summary(py, &row, found.candidates, left_out)?;
    if method.collection().measured.is_some() {
        summary.bind(py).set_item("open", found.open)?;
    }
    Ok(Table::of_rows(method.scheme(), &rows)?.with(summary, failures(py, &read)?))
}

/// Pairs of positions as a table.
pub(crate) fn numbered(
    names: [&str; 2],
    found: Vec<Pair>,
    first: &Prints,
    second: &Prints,
) -> PyResult<Table> {
    let column = |of: &dyn Fn(&Pair) -> u32| -> ArrayRef {
        Arc::new(UInt32Array::from_iter_values(found.iter().map(of)))
    };
    let columns = vec![
        column(&|pair| first.position(pair.a)),
        column(&|pair| second.position(pair.b)),
        column(&|pair| pair.distance),
    ];
    numbers(&[names[0], names[1], "distance"], columns)
}
