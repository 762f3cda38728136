//! Which documents of many to keep.

use nearprint::fingerprint::Scheme;
use nearprint::records::{DecisionRow, Source};
use nearprint::{Dedup, DedupDocuments, Error, Filter, Role, SeenFiles, Subject};
use nearprint_index::DiskIndex;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::data::Data;
use crate::engine::{DocumentReader, ReadSummary, gather_for_decisions, gather_stored};
use crate::error::{invalid, refused};
use crate::index::Index;
use crate::index_handle::InUse;
use crate::job::{Job, run};
use crate::options::Options;
use crate::question::{question, refused_option};
use crate::search::{LeftOut, watched};
use crate::summary::{failures, summary};
use crate::table::Table;

/// What documents are compared with and nothing is decided about.
enum References {
    None,
    Documents(Box<dyn Source>),
    Index(InUse),
}

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
    let files = &SeenFiles::default();
    let references = match against.map(|against| (against, against.cast::<Index>())) {
        None => References::None,
        Some((_, Ok(index))) => References::Index(index.get().in_use()?),
        Some((against, Err(_))) => {
            let against = documents(Some(against), None, None)?;
            References::Documents(against.source_noting(&options, None, files)?)
        }
    };
    let subject = match &references {
        References::Index(held) => {
            held.disk("against")?;
            Subject::Features(held.documents().scheme())
        }
        _ => Subject::Documents,
    };
    let settings = question.resolve(subject).map_err(|error| refused_option(&error))?;
    let order = settings.keep.field();
    let mut source = documents(data, texts, ids)?.source_noting(&options, order, files)?;
    decide(py, &settings, &options, progress, |reading, gathered, read, job| {
        let mut gather = |source: &mut dyn Source, role, gathered: &mut DedupDocuments| {
            gather_for_decisions(reading, source, role, gathered, read, job)
        };
        match references {
            References::None => {}
            References::Documents(mut source) => {
                gather(&mut *source, Role::Reference, gathered)?;
            }
            References::Index(held) => {
                let index = held.disk("against").expect("looked at before");
                gather_stored(
                    reading,
                    &settings,
                    (index, Filter::all()),
                    Role::Reference,
                    gathered,
                    job,
                )?;
            }
        }
        gather(&mut *source, Role::Candidate, gathered)
    })
}

/// Which documents of an index to keep.
pub(crate) fn dedup_index(
    py: Python<'_>,
    index: &DiskIndex,
    (question, filter): (&Dedup, &Filter),
    options: &Options,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Table> {
    let settings = question.resolve(Dedup::subject(index));
    let settings = settings.map_err(|error| refused_option(&error))?;
    decide(py, &settings, options, progress, |reading, gathered, read, job| {
        let documents = (index, filter);
        read.tally = gather_stored(reading, &settings, documents, Role::Candidate, gathered, job)?;
        Ok(())
    })
}

/// The decisions about what `gather` reads.
fn decide(
    py: Python<'_>,
    settings: &Dedup,
    options: &Options,
    progress: Option<&Bound<'_, PyAny>>,
    gather: impl FnOnce(
        &DocumentReader,
        &mut DedupDocuments,
        &mut ReadSummary,
        &Job,
    ) -> Result<(), Error>
    + Send,
) -> PyResult<Table> {
    let reading = options.reading(settings.print_scheme());
    let work = |job: &Job| {
        let left_out = LeftOut::default();
        let mut gathered = settings.gather(&reading.engine)?;
        let mut read = ReadSummary::default();
        gather(&reading, &mut gathered, &mut read, job)?;
        let search = gathered.search(watched(settings.search(), job, &left_out));
        let decisions = settings.decide(&mut gathered, search)?;
        let mut rows: Vec<DecisionRow> = Vec::new();
        decisions.for_each(&mut gathered, |row| {
            rows.push(row);
            Ok::<_, Error>(())
        })?;
        let row = decisions.summary(settings, &gathered, &read.tally);
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
