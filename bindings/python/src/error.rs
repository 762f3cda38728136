//! The library's errors as Python exceptions, whose classes are in `nearprint/errors.py`.

use std::fmt::Display;

use nearprint::records::ErrorRecord;
use nearprint::{Error, ErrorKind, Setting};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::json::to_python;

/// A class of `nearprint.errors`.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Class {
    InvalidInput,
    Limit,
    Resource,
    InputOutput,
    Internal,
}

impl Class {
    fn name(self) -> &'static str {
        match self {
            Self::InvalidInput => "InvalidInputError",
            Self::Limit => "LimitError",
            Self::Resource => "ResourceError",
            Self::InputOutput => "InputOutputError",
            Self::Internal => "InternalError",
        }
    }

    /// The exception of this class with a message.
    pub(crate) fn error(self, message: impl Display) -> PyErr {
        Python::attach(|py| made(py, self.name(), (message.to_string(),)))
    }
}

fn made<'py>(py: Python<'py>, class: &str, arguments: impl pyo3::call::PyCallArgs<'py>) -> PyErr {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let module = MODULE.get_or_try_init(py, || py.import("nearprint.errors").map(Bound::unbind));
    let exception = module
        .and_then(|module| module.bind(py).getattr(class))
        .and_then(|class| class.call1(arguments));
    exception.map_or_else(|error| error, PyErr::from_value)
}

/// An argument that makes no sense.
pub(crate) fn invalid(message: impl Display) -> PyErr {
    Class::InvalidInput.error(message)
}

/// An argument of a wrong type.
pub(crate) fn wrong_type(message: impl Display) -> PyErr {
    PyTypeError::new_err(message.to_string())
}

/// The exception for an operation that was refused or given up.
pub(crate) fn refused(error: &Error) -> PyErr {
    let class = match error.kind() {
        ErrorKind::Limit => Class::Limit,
        ErrorKind::Resource => Class::Resource,
        ErrorKind::Io => Class::InputOutput,
        // What is cancelled raises what cancelled it; other kinds are the caller's to correct.
        _ => Class::InvalidInput,
    };
    match error.setting().and_then(argument) {
        Some(argument) => class.error(format_args!("{error} (argument {argument})")),
        None => class.error(error),
    }
}

/// The argument that changes a setting.
fn argument(setting: Setting) -> Option<&'static str> {
    match setting {
        Setting::Scheme => Some("scheme"),
        Setting::Distance => Some("k"),
        Setting::Memory => Some("memory"),
        Setting::TemporaryDirectory => Some("temp"),
        Setting::Threads => Some("threads"),
        Setting::MostPairs => Some("max_pairs"),
        Setting::Threshold => Some("threshold"),
        Setting::References => Some("against"),
        _ => None,
    }
}

/// The exception for a document that gave no text.
pub(crate) fn of_document(py: Python<'_>, error: &ErrorRecord) -> PyErr {
    let place = match to_python(py, &error.place) {
        Ok(place) => place,
        Err(error) => return error,
    };
    let id = error.id.as_ref().map(nearprint::records::DocumentId::as_str);
    let arguments = (error.reason.as_str(), &*error.detail, id, place, error.reason.is_failure());
    made(py, "DocumentError", arguments)
}
