//! Pairs, of documents or of fingerprints.

use std::sync::Arc;

use arrow_array::{ArrayRef, UInt32Array};
use nearprint::records::PairRow;
use nearprint::search::Pair;
use nearprint::{Error, Pairs, ResolvedQuestion, Role, Sets, Subject};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::data::{Data, Documents, Prints, prints};
use crate::engine::{ReadSummary, gather};
use crate::error::{invalid, refused};
use crate::job::{Job, run};
use crate::options::Options;
use crate::question::{question, refused_option};
use crate::search::{LeftOut, numbers, watched};
use crate::summary::{failures, summary};
use crate::table::Table;

#[doc = stub!(pairs)]
#[pyfunction]
#[pyo3(signature = (data=None, *, texts=None, ids=None, against=None, progress=None, **options))]
pub(crate) fn pairs(
    py: Python<'_>,
    data: Option<&Bound<'_, PyAny>>,
    texts: Option<&Bound<'_, PyAny>>,
    ids: Option<&Bound<'_, PyAny>>,
    against: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Table> {
    let (question, options) = question::<Pairs>(py, options)?;
    let named = question.scheme;
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
            let question =
                question.resolve(Subject::Documents).map_err(|error| refused_option(&error))?;
            pairs_of_documents(py, (&documents, against.as_ref()), &question, &options, progress)
        }
        Data::Prints(searched) => {
            let scheme = searched.set.scheme();
            let question = question
                .resolve(Subject::Fingerprints(scheme))
                .map_err(|error| refused_option(&error))?;
            let other = against.map(|against| prints(against, Some(scheme))).transpose()?;
            let engine = options.engine();
            let work = |job: &Job| {
                let left_out = LeftOut::default();
                let search = watched(question.bounded(question.method().search()), job, &left_out)
                    .on(&engine)
                    .sorted_up_to(Some(usize::MAX));
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
    question: &ResolvedQuestion<Pairs>,
    options: &Options,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Table> {
    let mut sources = vec![(Role::Candidate, documents.source(options, None)?)];
    if let Some(against) = against {
        sources.push((Role::Reference, against.source(options, None)?));
    }
    let reading = options.reading(question.scheme());
    let mut kept = question.settings();
    kept.references = against.is_some();
    let work = |job: &Job| {
        let (left_out, mut read) = (LeftOut::default(), ReadSummary::default());
        let mut collection = reading.engine.collection(kept);
        for (role, mut source) in sources {
            gather(&reading, &mut *source, &mut collection, role, &mut read, job)?;
        }
        let search = watched(question.search(&collection), job, &left_out);
        let search = search.sorted_up_to(Some(usize::MAX));
        let mut rows: Vec<PairRow> = Vec::new();
        let found = question.run(&collection, &search, |row| {
            rows.push(row);
            Ok::<_, Error>(())
        })?;
        Ok::<_, Error>((rows, read, found, left_out.count()))
    };
    let (rows, read, found, left_out) =
        run(py, progress, work)?.map_err(|error| refused(&error))?;
    let row = read.tally.search_summary(question, rows.len() as u64);
    let summary = summary(py, &row, found.candidates, left_out)?;
    if found.candidates.is_some() {
        summary.bind(py).set_item("without_evidence", found.without_evidence)?;
    }
    if question.settings().measured.is_some() {
        summary.bind(py).set_item("open", found.open)?;
    }
    Ok(Table::of_rows(question.scheme(), &rows)?.with(summary, failures(py, &read)?))
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
