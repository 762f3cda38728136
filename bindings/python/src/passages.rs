//! Passages that documents share.

use nearprint::fingerprint::Scheme;
use nearprint::records::{PassagePlaceRow, SharedPassageRow};
use nearprint::{Error, FoundPassage, Passages};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::data::{Data, Documents};
use crate::engine::{ReadSummary, gather_passages};
use crate::error::{invalid, refused};
use crate::job::{Job, run};
use crate::question::{question, refused_option};
use crate::repeats::watch;
use crate::summary::{failures, summary};
use crate::table::Table;

/// Passages, and with them the places of frequent ones if they are wanted.
#[derive(IntoPyObject)]
pub(crate) enum FoundTables {
    #[pyo3(transparent)]
    Passages(Table),
    WithPlaces(Table, Table),
}

#[doc = stub!(passages)]
#[pyfunction]
#[pyo3(signature = (data=None, *, texts=None, ids=None, against=None, places=false, progress=None, **options))]
#[expect(clippy::too_many_arguments, reason = "each is an argument in Python")]
pub(crate) fn passages(
    py: Python<'_>,
    data: Option<&Bound<'_, PyAny>>,
    texts: Option<&Bound<'_, PyAny>>,
    ids: Option<&Bound<'_, PyAny>>,
    against: Option<&Bound<'_, PyAny>>,
    places: bool,
    progress: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<FoundTables> {
    let (question, options) = question::<Passages>(py, options)?;
    let question = question.resolve().map_err(|error| refused_option(&error))?;
    let mut source = documents(data, texts, ids)?.source(&options, None)?;
    let references = match against {
        Some(against) => Some(documents(Some(against), None, None)?.source(&options, None)?),
        None => None,
    };
    let reading = options.reading(Scheme::SD1);
    let work = |job: &Job| {
        let mut read = ReadSummary::default();
        let mut gathered = question.gather(&reading.engine)?;
        gather_passages(&reading, &mut *source, &mut gathered, &mut read, job)?;
        if let Some(mut references) = references {
            gathered.begin_references();
            gather_passages(&reading, &mut *references, &mut gathered, &mut read, job)?;
        }
        let (mut rows, mut all_places): (Vec<SharedPassageRow>, Vec<PassagePlaceRow>) =
            Default::default();
        let counts = gathered.run(
            |progress| watch(job, progress),
            |found| {
                match found {
                    FoundPassage::Passage(row) => rows.push(row),
                    FoundPassage::Place(row) if places => all_places.push(row),
                    _ => {}
                }
                Ok::<_, Error>(())
            },
        )?;
        Ok::<_, Error>((rows, all_places, question.summary(&read.tally, &counts), read))
    };
    let (rows, all_places, row, read) =
        run(py, progress, work)?.map_err(|error| refused(&error))?;
    let summary = summary(py, &row, None, 0)?;
    let found = Table::of_rows(Scheme::SD1, &rows)?.with(summary, failures(py, &read)?);
    Ok(match places {
        true => FoundTables::WithPlaces(found, Table::of_rows(Scheme::SD1, &all_places)?),
        false => FoundTables::Passages(found),
    })
}

pub(crate) fn documents(
    data: Option<&Bound<'_, PyAny>>,
    texts: Option<&Bound<'_, PyAny>>,
    ids: Option<&Bound<'_, PyAny>>,
) -> PyResult<Documents> {
    match Data::of(data, texts, ids, None)? {
        Data::Documents(documents) => Ok(documents),
        Data::Prints(_) => {
            Err(invalid("passages are of texts, and fingerprints have none: give documents"))
        }
    }
}
