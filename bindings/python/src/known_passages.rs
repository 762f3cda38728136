//! Passages that are known, and texts without them.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use nearprint::KnownPassages as Known;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::data::strings;
use crate::error::{Class, invalid};

#[doc = stub!(KnownPassages)]
#[pyclass(frozen, module = "nearprint", name = "KnownPassages")]
#[derive(Debug)]
pub(crate) struct KnownPassages(Known);

#[pymethods]
impl KnownPassages {
    #[new]
    #[pyo3(signature = (passages, *, numbers=None))]
    fn new(passages: &Bound<'_, PyAny>, numbers: Option<bool>) -> PyResult<Self> {
        if passages.is_instance_of::<PyString>() || passages.hasattr("__fspath__")? {
            if numbers.is_some() {
                return Err(invalid(
                    "numbers is for passages that are given; the lines of a file say it themselves",
                ));
            }
            return Self::read(passages.extract()?);
        }
        let all: Vec<String> = strings(passages, "texts")?.into_iter().flatten().collect();
        let numbers = numbers.unwrap_or(false);
        Ok(Self(passages.py().detach(|| Known::with_numbers(all, numbers))))
    }

    #[doc = stub!(KnownPassages.without)]
    #[pyo3(signature = (text, /))]
    fn without(&self, py: Python<'_>, text: &str) -> String {
        self.left(py, text)
    }

    fn __len__(&self) -> usize {
        self.0.len() as usize
    }

    fn __repr__(&self) -> String {
        format!("<nearprint.KnownPassages of {} passages>", self.0.len())
    }
}

impl KnownPassages {
    /// The passages of a file.
    fn read(path: PathBuf) -> PyResult<Self> {
        let read = File::open(&path).map(BufReader::new).and_then(Known::read);
        read.map(Self).map_err(|error| match error.kind() {
            std::io::ErrorKind::InvalidData => invalid(format_args!("{}: {error}", path.display())),
            _ => Class::InputOutput.error(format_args!("{}: {error}", path.display())),
        })
    }

    /// What an argument names: passages that are known, or what they are made of.
    pub(crate) fn of<'py>(argument: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Self>> {
        match argument.cast::<Self>() {
            Ok(known) => Ok(known.clone()),
            Err(_) => Bound::new(argument.py(), Self::new(argument, None)?),
        }
    }

    /// A text without them.
    pub(crate) fn left(&self, py: Python<'_>, text: &str) -> String {
        py.detach(|| self.0.without(text).into_owned())
    }
}
