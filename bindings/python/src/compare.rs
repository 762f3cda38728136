//! Two documents, two fingerprints or two texts compared.

use nearprint::extract::Extraction;
use nearprint::fingerprint::fingerprint;
use nearprint::records::{DocumentId, ErrorRecord, Place, ReasonCode};
use nearprint::search::Measure;
use nearprint::{Verification, compare_texts, explain, longest_passages, passages};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::documents::document;
use crate::engine;
use crate::error::{invalid, of_document, refused, wrong_type};
use crate::fingerprint::Fingerprint;
use crate::job::run;
use crate::json::to_python;
use crate::options::Options;
use crate::scheme::scheme;
use crate::search::{measure as measure_of, share};

#[pyfunction]
#[pyo3(signature = (a, b, *, measure="jaccard", threshold=None, scheme="sd1", explain=0, **options))]
#[expect(clippy::too_many_arguments, reason = "they are keywords of Python")]
pub(crate) fn compare(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    measure: &str,
    threshold: Option<f64>,
    scheme: &str,
    explain: usize,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Py<PyAny>> {
    match (a.cast::<Fingerprint>(), b.cast::<Fingerprint>()) {
        (Ok(a), Ok(b)) => return to_python(py, &of_prints(a.get(), b.get())?),
        (Err(_), Err(_)) => {}
        _ => {
            return Err(wrong_type(
                "a fingerprint is compared with a fingerprint, a document with a document",
            ));
        }
    }
    let (scheme, measure, options) =
        (self::scheme(scheme)?, measure_of(measure)?, Options::of(py, options)?);
    let (verification, reading) = (verification(measure, threshold)?, options.reading(scheme));
    let mut found = Vec::new();
    for source in [a, b] {
        let document = document(py, source, &options)?;
        let (id, place) = (document.id.clone(), document.place.clone());
        let extracted = run(py, None, |job| engine::extract(&reading, document, job))?;
        let text = extracted
            .map(|Extraction { text, .. }| text)
            .map_err(|error| of_document(py, &error))?;
        let print = py.detach(|| fingerprint(scheme, &text)).into_fingerprint();
        let print = print.ok_or_else(|| no_tokens(py, &id, place))?;
        found.push((id, print, text));
    }
    let made = py.detach(|| {
        let ((a, b), words) = (two(found), explain > 0);
        let mut row =
            nearprint::compare((a.0, a.1), (b.0, b.1)).map_err(|error| refused(&error))?;
        let texts = compare_texts(&a.2, &b.2, verification);
        row.text_similarity = Some(texts.similarity);
        row.measure = Some(measure.name());
        row.texts = Some(texts.grade);
        row.verified = Some(texts.verified);
        if words {
            let (shared, differs) = self::explain(scheme, &a.2, &b.2, explain);
            (row.shared, row.differs) = (Some(shared), Some(differs));
            row.passages = Some(longest_passages(passages(&a.2, &b.2), explain));
        }
        Ok::<_, PyErr>(row)
    })?;
    to_python(py, &made)
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

fn verification(measure: Measure, threshold: Option<f64>) -> PyResult<Verification> {
    let verification = Verification::new(measure);
    Ok(threshold
        .map(share)
        .transpose()?
        .map_or(verification, |threshold| verification.at(threshold)))
}

#[pyfunction(name = "compare_texts")]
#[pyo3(signature = (a, b, *, measure="jaccard", threshold=None))]
pub(crate) fn compare_two_texts(
    py: Python<'_>,
    a: &str,
    b: &str,
    measure: &str,
    threshold: Option<f64>,
) -> PyResult<Py<PyAny>> {
    let measure = measure_of(measure)?;
    let verification = verification(measure, threshold)?;
    let texts = py.detach(|| compare_texts(a, b, verification));
    let dictionary = PyDict::new(py);
    dictionary.set_item("similarity", texts.similarity)?;
    dictionary.set_item("measure", measure.name())?;
    dictionary.set_item("texts", to_python(py, &texts.grade)?)?;
    dictionary.set_item("verified", texts.verified)?;
    Ok(dictionary.into_any().unbind())
}
