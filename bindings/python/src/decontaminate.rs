//! Items of a test in training data.

use nearprint::fingerprint::Scheme;
use nearprint::records::ContaminationRow;
use nearprint::{Decontaminate, ItemCounts};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::data::{Data, Documents};
use crate::engine::{ReadSummary, TestSources, contamination};
use crate::error::invalid;
use crate::job::{Job, run};
use crate::options::Options;
use crate::question::{question, refused_option};
use crate::summary::failures;
use crate::table::Table;

#[doc = stub!(decontaminate)]
#[pyfunction]
#[pyo3(signature = (train, test, *, question_field=None, answer_field=None, passage_field=None, progress=None, **options))]
#[expect(clippy::too_many_arguments, reason = "each is an argument in Python")]
pub(crate) fn decontaminate(
    py: Python<'_>,
    train: &Bound<'_, PyAny>,
    test: &Bound<'_, PyAny>,
    question_field: Option<String>,
    answer_field: Option<String>,
    passage_field: Option<String>,
    progress: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Table> {
    let (question, options) = question::<Decontaminate>(py, options)?;
    let question = question.resolve().map_err(|error| refused_option(&error))?;
    let mut train = documents(train)?.source(&options, None)?;
    let test = documents(test)?;
    let items = |field: Option<&String>| {
        let mut options: Options = options.clone();
        if let Some(field) = field {
            options.input.reading.fields.text = Some(field.clone());
            options.input.reading.fields.html = None;
        }
        test.source(&options, None)
    };
    let mut questions = items(question_field.as_ref())?;
    if passage_field.is_some() && !question.policy.finds_passages() {
        return Err(invalid(
            "policy=\"decon-like\" does not look for passages: leave out passage_field",
        ));
    }
    let others =
        |field: &Option<String>| field.as_ref().map(|field| items(Some(field))).transpose();
    let (mut answers, mut passages) = (others(&answer_field)?, others(&passage_field)?);
    let reading = options.reading(Scheme::SD1);
    let work = |job: &Job| {
        let mut read = ReadSummary::default();
        let sources = TestSources {
            train: &mut *train,
            questions: &mut *questions,
            answers: answers.as_deref_mut(),
            passages: passages.as_deref_mut(),
        };
        let (rows, counts) = contamination(&reading, &question, sources, &mut read, job);
        (rows, counts, read)
    };
    let (rows, counts, read): (Vec<ContaminationRow>, ItemCounts, ReadSummary) =
        run(py, progress, work)?;
    let summary = PyDict::new(py);
    for (name, count) in [
        ("items", counts.items),
        ("contaminated", counts.contaminated),
        ("undecidable", counts.undecidable),
        ("documents", read.tally.documents),
    ] {
        summary.set_item(name, count)?;
    }
    let summary = summary.into_any().unbind();
    Ok(Table::of_rows(Scheme::SD1, &rows)?.with(summary, failures(py, &read)?))
}

fn documents(data: &Bound<'_, PyAny>) -> PyResult<Documents> {
    match Data::of(Some(data), None, None, None)? {
        Data::Documents(documents) => Ok(documents),
        Data::Prints(_) => Err(invalid(
            "items are looked for in texts, and fingerprints have none: give documents",
        )),
    }
}
