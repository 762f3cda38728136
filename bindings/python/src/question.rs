//! Keyword arguments that are options of a question: interpreted by the library's list, whichever question it is.

use nearprint::{
    Boilerplate, Clusters, Compare, Decontaminate, Dedup, Diff, Matches, OptionDescription,
    Options as Question, Pairs, Passages, QuestionError, Repeats, Subject, ValueKind,
};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyDictMethods, PyFloat, PyInt, PyString};
use serde_json::{Number, Value, json};

use crate::error::{invalid, wrong_type};
use crate::json::to_python;
use crate::options::Options;

/// The question that keyword arguments state, and those that are about reading and working.
pub(crate) fn question<Q: Question>(
    py: Python<'_>,
    keywords: Option<&Bound<'_, PyDict>>,
) -> PyResult<(Q, Options)> {
    let mut question = Q::default();
    let others = PyDict::new(py);
    for (name, value) in keywords.into_iter().flat_map(PyDictMethods::iter) {
        let text: String = name.extract()?;
        if Q::OPTIONS.iter().any(|option| option.name == text) {
            let value = json_of(&text, &value)?;
            question.set(&text, &value).map_err(|error| refused_option(&error))?;
        } else {
            others.set_item(name, value)?;
        }
    }
    Ok((question, Options::of(py, Some(&others))?))
}

/// An option that has no such value, or does not go together with another.
pub(crate) fn refused_option(error: &QuestionError) -> PyErr {
    invalid(error)
}

/// A value of Python as options take it.
fn json_of(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if value.is_none() {
        return Ok(Value::Null);
    }
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(Value::Bool(flag.is_true()));
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Value::String(text.extract()?));
    }
    if value.hasattr("__fspath__")? {
        return Ok(Value::String(value.call_method0("__fspath__")?.extract()?));
    }
    if value.is_instance_of::<PyInt>() || value.hasattr("__index__")? {
        let whole = value.extract::<u64>().map(Number::from);
        let whole = whole.or_else(|_| value.extract::<i64>().map(Number::from));
        return whole
            .map(Value::Number)
            .map_err(|_| invalid(format_args!("{name}: the number is too large")));
    }
    if value.is_instance_of::<PyFloat>() || value.hasattr("__float__")? {
        let number: f64 = value.extract()?;
        // What is not a number of JSON is refused as a text, by its name.
        return Ok(Number::from_f64(number)
            .map_or_else(|| Value::String(number.to_string()), Value::Number));
    }
    let kind = value.get_type().name()?;
    Err(wrong_type(format_args!("argument '{name}': {kind} is not a number, a text or a flag")))
}

#[doc = stub!(resolved)]
#[pyfunction]
#[pyo3(signature = (name, **options))]
pub(crate) fn resolved(
    py: Python<'_>,
    name: &str,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Py<PyAny>> {
    let (json, candidates) = match name {
        Pairs::NAME => {
            let found = question::<Pairs>(py, options)?.0.resolve(Subject::Documents);
            let found = found.map_err(|error| refused_option(&error))?;
            (found.to_json(), found.method().candidates())
        }
        Dedup::NAME => {
            let found = question::<Dedup>(py, options)?.0.resolve(Subject::Documents);
            let found = found.map_err(|error| refused_option(&error))?;
            (found.to_json(), Some(found.candidates()))
        }
        _ => return Err(invalid(format_args!("{name:.40} is not a question with candidates"))),
    };
    let question: Value = serde_json::from_str(&json).map_err(invalid)?;
    let candidates = candidates.map(|candidates| {
        json!({
            "scheme": candidates.scheme().to_string(),
            "distance": candidates.distance(),
            "bands": candidates.used_bands().map(|bands| bands.to_string()),
        })
    });
    to_python(py, &json!({"question": question[name], "candidates": candidates}))
}

#[doc = stub!(question_options)]
#[pyfunction]
pub(crate) fn question_options(py: Python<'_>) -> PyResult<Py<PyAny>> {
    let all = json!({
        Pairs::NAME: described::<Pairs>(),
        Clusters::NAME: described::<Clusters>(),
        Matches::NAME: described::<Matches>(),
        Dedup::NAME: described::<Dedup>(),
        Diff::NAME: described::<Diff>(),
        Compare::NAME: described::<Compare>(),
        Passages::NAME: described::<Passages>(),
        Decontaminate::NAME: described::<Decontaminate>(),
        Boilerplate::NAME: described::<Boilerplate>(),
        Repeats::NAME: described::<Repeats>(),
    });
    to_python(py, &all)
}

fn described<Q: Question>() -> Value {
    let usual = Q::default();
    let described = |option: &OptionDescription| {
        let (kind, choices) = match option.kind {
            ValueKind::Flag => ("flag", Value::Null),
            ValueKind::Share => ("share", Value::Null),
            ValueKind::Whole { .. } => ("whole", Value::Null),
            ValueKind::Bound => ("bound", Value::Null),
            ValueKind::Choice(names) => ("choice", json!(names)),
            _ => ("text", Value::Null),
        };
        json!({
            "name": option.name,
            "kind": kind,
            "choices": choices,
            "default": usual.value(option.name),
            "help": option.sentence(),
        })
    };
    Q::OPTIONS.iter().map(described).collect()
}
