//! Two documents, two fingerprints or two texts compared.

use nearprint::records::{DocumentId, ErrorRecord, Place, ReasonCode};
use nearprint::{Compare, ComparedDocument, Error, TextSimilarity};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::documents::document;
use crate::engine;
use crate::error::{invalid, of_document, refused, wrong_type};
use crate::fingerprint::{Fingerprint, fingerprinted, look_at_signals};
use crate::job::run;
use crate::json::to_python;
use crate::question::{question, refused_option};

#[doc = stub!(compare)]
#[pyfunction]
#[pyo3(signature = (a, b, **options))]
pub(crate) fn compare(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Py<PyAny>> {
    let (question, options) = question::<Compare>(py, options)?;
    let question = question.resolve().map_err(|error| refused_option(&error))?;
    match (a.cast::<Fingerprint>(), b.cast::<Fingerprint>()) {
        (Ok(a), Ok(b)) => {
            let row = to_python(py, &of_prints(a.get(), b.get())?)?;
            return shown(row.bind(py), None);
        }
        (Err(_), Err(_)) => {}
        _ => {
            return Err(wrong_type(
                "a fingerprint is compared with a fingerprint, a document with a document",
            ));
        }
    }
    let scheme = question.question().scheme;
    let reading = options.reading(scheme);
    let mut found = Vec::new();
    for source in [a, b] {
        let document = document(py, source, &options)?;
        let (id, place) = (document.id.clone(), document.place.clone());
        let extracted = run(py, None, |job| engine::extract(&reading, document, job))?;
        let extraction = extracted.map_err(|error| of_document(py, &error))?;
        let print = fingerprinted(py, scheme, &extraction.text)?.into_fingerprint();
        let print = print.ok_or_else(|| no_tokens(py, &id, place))?;
        found.push(ComparedDocument::of_extraction(id, print, extraction));
    }
    let (a, b) = two(found);
    let row = py.detach(|| question.run(&a, &b, pause)).map_err(PyErr::from)?;
    shown(to_python(py, &row)?.bind(py), Some((&a.text, &b.text)))
}

/// Why a comparison stopped.
enum CompareStop {
    Error(Error),
    Interrupted(PyErr),
}

impl From<Error> for CompareStop {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

impl From<CompareStop> for PyErr {
    fn from(stopped: CompareStop) -> Self {
        match stopped {
            CompareStop::Error(error) => refused(&error),
            CompareStop::Interrupted(error) => error,
        }
    }
}

/// Looks at signals between steps, each of which may take a second for long texts.
fn pause() -> Result<(), CompareStop> {
    Python::attach(look_at_signals).map_err(CompareStop::Interrupted)
}

/// What was found as a dictionary that notebooks show.
fn shown(found: &Bound<'_, PyAny>, texts: Option<(&str, &str)>) -> PyResult<Py<PyAny>> {
    let class = found.py().import("nearprint._display")?.getattr("Comparison")?;
    class.call1((found, texts)).map(Bound::unbind)
}

fn two<T>(mut found: Vec<T>) -> (T, T) {
    let second = found.pop().expect("there are two");
    (found.pop().expect("there are two"), second)
}

fn of_prints(a: &Fingerprint, b: &Fingerprint) -> PyResult<nearprint::records::ComparisonRow> {
    let named = |print: &Fingerprint| {
        let id = DocumentId::new(print.0.to_string()).map_err(invalid)?;
        Ok::<_, PyErr>((id, print.0.clone()))
    };
    nearprint::compare(named(a)?, named(b)?).map_err(|error| refused(&error))
}

fn no_tokens(py: Python<'_>, id: &DocumentId, place: Place) -> PyErr {
    let detail = "the text has no word with a letter in it".into();
    of_document(
        py,
        &ErrorRecord { id: Some(id.clone()), place, reason: ReasonCode::NO_TOKENS, detail },
    )
}

#[doc = stub!(compare_texts)]
#[pyfunction(name = "compare_texts")]
#[pyo3(signature = (a, b, **options))]
pub(crate) fn compare_two_texts(
    py: Python<'_>,
    a: &str,
    b: &str,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Py<PyAny>> {
    let (question, _) = question::<Compare>(py, options)?;
    let question = question.resolve().map_err(|error| refused_option(&error))?;
    let texts = py.detach(|| question.texts(a, b, pause)).map_err(PyErr::from)?;
    let dictionary = PyDict::new(py);
    match texts.similarity {
        TextSimilarity::Exact(similarity) => dictionary.set_item("similarity", similarity)?,
        TextSimilarity::Below(bound) => {
            dictionary.set_item("similarity", py.None())?;
            dictionary.set_item("similarity_below", bound)?;
        }
    }
    dictionary.set_item("measure", question.question().measure.name())?;
    dictionary.set_item("texts", texts.grade.map(|grade| to_python(py, &grade)).transpose()?)?;
    dictionary.set_item("verified", texts.verified)?;
    shown(dictionary.as_any(), Some((a, b)))
}
