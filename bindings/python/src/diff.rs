//! What became of a collection between two editions.

use std::collections::BTreeMap;
use std::path::PathBuf;

use nearprint::records::{DifferenceRow, DocumentId, Source};
use nearprint::{Diff, Edition, Error, Inputs};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyString};

use crate::capsule::import;
use crate::data::{of_texts, paths};
use crate::engine::{DocumentReader, ReadSummary, UnreadInput, edition_at, edition_of};
use crate::error::{invalid, refused, wrong_type};
use crate::fingerprint::text_of;
use crate::frame::Frame;
use crate::job::{Job, run};
use crate::options::Options;
use crate::question::{question, refused_option};
use crate::search::{LeftOut, watched};
use crate::summary::{failures, summary};
use crate::table::Table;

#[doc = stub!(diff)]
#[pyfunction]
#[pyo3(signature = (old, new, *, progress=None, **options))]
pub(crate) fn diff(
    py: Python<'_>,
    old: &Bound<'_, PyAny>,
    new: &Bound<'_, PyAny>,
    progress: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Table> {
    let (question, options) = question::<Diff>(py, options)?;
    let difference = question.resolve().map_err(|error| refused_option(&error))?;
    let (old, new) = (Side::of(old, &options)?, Side::of(new, &options)?);
    let reading = options.reading(difference.scheme());
    let work = |job: &Job| {
        let (left_out, mut read) = (LeftOut::default(), ReadSummary::default());
        let before = old.edition(&reading, &difference, &mut read, job)?;
        let now = new.edition(&reading, &difference, &mut read, job)?;
        let mut rows: Vec<DifferenceRow> = Vec::new();
        let take = |row| {
            rows.push(row);
            Ok::<_, Error>(())
        };
        let watch = |search| watched(search, job, &left_out);
        let counts = difference.compare(&before, &now, watch, take)?;
        let counts: BTreeMap<String, u64> =
            counts.iter().map(|(kind, count)| (kind.to_string(), count)).collect();
        Ok::<_, UnreadInput>((rows, counts, read, left_out.count()))
    };
    let (rows, counts, read, left_out) = run(py, progress, work)?.map_err(|error| match error {
        UnreadInput::Inputs(error) => invalid(error),
        UnreadInput::Error(error) => refused(&error),
    })?;
    let summary = summary(py, &read.tally.summary(difference.scheme()), None, left_out)?;
    summary.bind(py).set_item("differences", counts)?;
    Ok(Table::of_rows(difference.scheme(), &rows)?.with(summary, failures(py, &read)?))
}

/// One of two editions.
enum Side {
    /// A file or directory, of which ids are addresses or paths below it.
    Path(Box<Inputs>),
    /// Texts by their ids, or a table.
    Documents(Box<dyn Source>),
}

impl Side {
    fn of(given: &Bound<'_, PyAny>, options: &Options) -> PyResult<Self> {
        if let Ok(texts) = given.cast::<PyMapping>() {
            let mut documents = Vec::new();
            for item in texts.items()?.iter() {
                let (id, text): (Bound<'_, PyAny>, Option<Bound<'_, PyString>>) = item.extract()?;
                let id = id.cast::<PyString>().map_err(|_| wrong_type("ids of texts are str"))?;
                let id = DocumentId::new(&*text_of(id)?).map_err(invalid)?;
                let text = text.map(|text| text_of(&text).map(|text| text.to_string()));
                documents.push((id, text.transpose()?));
            }
            return Ok(Self::Documents(of_texts(documents.into_iter())));
        }
        if let Some((field, mut arrays)) = import(given)?
            && let Some(frame) = Frame::of(&field, &mut arrays)?
        {
            return frame.source(&options.input.reading.fields).map(Self::Documents);
        }
        let named: Vec<PathBuf> = match paths(given)? {
            Some(named) if named.len() == 1 => named,
            _ => {
                return Err(wrong_type(
                    "an edition is one path of a file or directory, a table, or a dictionary of texts by their ids",
                ));
            }
        };
        Inputs::new(&named, options.input.clone())
            .map(|inputs| Self::Path(Box::new(inputs)))
            .map_err(invalid)
    }

    fn edition(
        self,
        reading: &DocumentReader,
        difference: &Diff,
        read: &mut ReadSummary,
        job: &Job,
    ) -> Result<Edition, UnreadInput> {
        match self {
            Self::Path(inputs) => edition_at(reading, difference, &inputs, read, job),
            Self::Documents(mut source) => edition_of(reading, difference, &mut *source, read, job),
        }
    }
}
