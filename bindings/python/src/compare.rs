//! Two documents, two fingerprints or two texts compared.

use std::path::PathBuf;

use nearprint::extract::Extraction;
use nearprint::fingerprint::IdfTable;
use nearprint::records::TextGrade;
use nearprint::records::{DocumentId, ErrorRecord, Place, ReasonCode};
use nearprint::{
    TextMeasure, TextSimilarity, Verification, compare_features, explain, longest_passages,
    measure_texts, passages, read_idf_table,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::documents::document;
use crate::engine;
use crate::error::{invalid, of_document, refused, wrong_type};
use crate::fingerprint::{Fingerprint, fingerprinted, look_at_signals};
use crate::job::run;
use crate::json::to_python;
use crate::options::Options;
use crate::scheme::scheme;
use crate::search::{Yardstick, share, yardstick};

#[doc = stub!(compare)]
#[pyfunction]
#[pyo3(signature = (a, b, *, measure="jaccard", threshold=None, idf=None, scheme="sd1", explain=0, **options))]
#[expect(clippy::too_many_arguments, reason = "they are keywords of Python")]
pub(crate) fn compare(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    measure: &str,
    threshold: Option<f64>,
    idf: Option<PathBuf>,
    scheme: &str,
    explain: usize,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Py<PyAny>> {
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
    let (scheme, options) = (self::scheme(scheme)?, Options::of(py, options)?);
    let (by, reading) = (Judge::of(measure, threshold, idf)?, options.reading(scheme));
    let mut found = Vec::new();
    for source in [a, b] {
        let document = document(py, source, &options)?;
        let (id, place) = (document.id.clone(), document.place.clone());
        let extracted = run(py, None, |job| engine::extract(&reading, document, job))?;
        let text = extracted
            .map(|Extraction { text, .. }| text)
            .map_err(|error| of_document(py, &error))?;
        let print = fingerprinted(py, scheme, &text)?.into_fingerprint();
        let print = print.ok_or_else(|| no_tokens(py, &id, place))?;
        found.push((id, print, text));
    }
    let (made, texts) = py.detach(|| {
        let ((a, b), words) = (two(found), explain > 0);
        let mut row =
            nearprint::compare((a.0, a.1), (b.0, b.1)).map_err(|error| refused(&error))?;
        let texts = by.compare(&a.2, &b.2)?;
        row.text_similarity = texts.similarity;
        row.text_similarity_below = texts.below;
        row.measure = Some(by.name());
        row.texts = texts.grade;
        row.verified = texts.verified;
        if words {
            let (shared, differs) = self::explain(scheme, &a.2, &b.2, explain);
            (row.shared, row.differs) = (Some(shared), Some(differs));
            row.passages = Some(longest_passages(passages(&a.2, &b.2), explain));
        }
        Ok::<_, PyErr>((row, (a.2, b.2)))
    })?;
    shown(to_python(py, &made)?.bind(py), Some((&texts.0, &texts.1)))
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

/// What two texts are compared by.
struct Judge {
    yardstick: Yardstick,
    threshold: Option<f64>,
    table: Option<IdfTable>,
}

/// What it says of them.
struct Compared {
    similarity: Option<f64>,
    /// What the similarity is less than, where the bound on work left it open.
    below: Option<f64>,
    grade: Option<TextGrade>,
    verified: Option<bool>,
}

impl Judge {
    fn of(measure: &str, threshold: Option<f64>, idf: Option<PathBuf>) -> PyResult<Self> {
        let yardstick = yardstick(measure)?;
        let takes_table = matches!(yardstick, Yardstick::Text(measure) if measure.needs_table());
        if idf.is_some() && !takes_table {
            return Err(invalid("idf is only for measure=\"cosine-tfidf\""));
        }
        let table = idf.map(|file| read_idf_table(&file)).transpose().map_err(invalid)?;
        Ok(Self { yardstick, threshold: threshold.map(share).transpose()?, table })
    }

    fn name(&self) -> &'static str {
        match self.yardstick {
            Yardstick::Verification(measure) => measure.name(),
            Yardstick::Text(measure) => measure.name(),
        }
    }

    fn compare(&self, a: &str, b: &str) -> PyResult<Compared> {
        let measure = match self.yardstick {
            Yardstick::Text(measure) => measure,
            Yardstick::Verification(measure) => {
                let verification = Verification::new(measure);
                let verification =
                    self.threshold.map_or(verification, |threshold| verification.at(threshold));
                // Long texts take a second for each step.
                let a = verification.features(a);
                Python::attach(look_at_signals)?;
                let b = verification.features(b);
                Python::attach(look_at_signals)?;
                let texts = compare_features(&a, &b, verification);
                return Ok(Compared {
                    similarity: Some(texts.similarity),
                    below: None,
                    grade: Some(texts.grade),
                    verified: Some(texts.verified),
                });
            }
        };
        let at_least = self.threshold.unwrap_or(TextMeasure::DEFAULT_THRESHOLD);
        let texts = measure_texts(a, b, measure, at_least, self.table.as_ref()).map_err(invalid)?;
        let (similarity, below) = match texts.similarity {
            TextSimilarity::Exact(similarity) => (Some(similarity), None),
            TextSimilarity::Below(bound) => (None, Some(bound)),
        };
        Ok(Compared { similarity, below, grade: texts.grade, verified: texts.verified })
    }
}

#[doc = stub!(compare_texts)]
#[pyfunction(name = "compare_texts")]
#[pyo3(signature = (a, b, *, measure="jaccard", threshold=None, idf=None))]
pub(crate) fn compare_two_texts(
    py: Python<'_>,
    a: &str,
    b: &str,
    measure: &str,
    threshold: Option<f64>,
    idf: Option<PathBuf>,
) -> PyResult<Py<PyAny>> {
    let judge = Judge::of(measure, threshold, idf)?;
    let texts = py.detach(|| judge.compare(a, b))?;
    let dictionary = PyDict::new(py);
    dictionary.set_item("similarity", texts.similarity)?;
    if let Some(bound) = texts.below {
        dictionary.set_item("similarity_below", bound)?;
    }
    dictionary.set_item("measure", judge.name())?;
    dictionary.set_item("texts", texts.grade.map(|grade| to_python(py, &grade)).transpose()?)?;
    dictionary.set_item("verified", texts.verified)?;
    shown(dictionary.as_any(), Some((a, b)))
}
