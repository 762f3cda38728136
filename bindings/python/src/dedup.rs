//! Which documents of many to keep.

use nearprint::fingerprint::Scheme;
use nearprint::records::DecisionRow;
use nearprint::{Dedup, Error, Role, Subject};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::data::Data;
use crate::engine::{ReadSummary, gather_for_decisions};
use crate::error::{invalid, refused};
use crate::job::{Job, run};
use crate::question::{question, refused_option};
use crate::search::{LeftOut, watched};
use crate::summary::{failures, summary};
use crate::table::Table;

#[doc = stub!(dedup)]
#[pyfunction]
#[pyo3(signature = (data=None, *, texts=None, ids=None, against=None, progress=None, **options))]
pub(crate) fn dedup(
    py: Python<'_>,
    data: Option<&Bound<'_, PyAny>>,
    texts: Option<&Bound<'_, PyAny>>,
    ids: Option<&Bound<'_, PyAny>>,
    against: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Table> {
    let (question, options) = question::<Dedup>(py, options)?;
    let settings = question.resolve(Subject::Documents).map_err(|error| refused_option(&error))?;
    let mut sources = Vec::new();
    if let Some(against) = against {
        let source = documents(Some(against), None, None)?.source(&options, None)?;
        sources.push((Role::Reference, source));
    }
    let source = documents(data, texts, ids)?.source(&options, settings.keep.field())?;
    sources.push((Role::Candidate, source));
    let reading = options.reading(settings.print_scheme());
    let work = |job: &Job| {
        let left_out = LeftOut::default();
        let mut gathered = settings.gather(&reading.engine)?;
        let mut read = ReadSummary::default();
        for (role, mut source) in sources {
            let source = &mut *source;
            gather_for_decisions(&reading, &settings, source, role, &mut gathered, &mut read, job)?;
        }
        let search = gathered.search(watched(settings.search(), job, &left_out));
        let decisions = settings.decide(&mut gathered, search)?;
        let mut rows: Vec<DecisionRow> = Vec::new();
        decisions.for_each(&mut gathered, |row| {
            rows.push(row);
            Ok::<_, Error>(())
        })?;
        let row = decisions.summary(&settings, &gathered, &read.tally);
        Ok::<_, Error>((rows, row, read, left_out.count() + decisions.left_out()))
    };
    let (rows, row, read, left_out) = run(py, progress, work)?.map_err(|error| refused(&error))?;
    let summary = summary(py, &row, None, left_out)?;
    Ok(Table::of_rows(settings.print_scheme(), &rows)?.with(summary, failures(py, &read)?))
}

fn documents(
    data: Option<&Bound<'_, PyAny>>,
    texts: Option<&Bound<'_, PyAny>>,
    ids: Option<&Bound<'_, PyAny>>,
) -> PyResult<crate::data::Documents> {
    match Data::of(data, texts, ids, Some(Scheme::MD1))? {
        Data::Documents(documents) => Ok(documents),
        Data::Prints(_) => {
            Err(invalid("dedup compares texts, and fingerprints have none: give documents"))
        }
    }
}
