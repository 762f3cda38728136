//! One fingerprint, and the fingerprint of one text.

use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};

use nearprint::fingerprint::{Fingerprint as Value, FingerprintOutcome, Fingerprinter, Scheme};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyBytes, PyString, PyType};

use crate::error::{invalid, wrong_type};
use crate::scheme::{scheme, scheme_name};

/// Bytes of a text that are fingerprinted between two looks at signals: a tenth of a second or less.
const PIECE: usize = 8 << 20;

/// Bytes of a text below which releasing the interpreter costs more than it gives.
const SHORT: usize = 4096;

#[doc = stub!(Fingerprint)]
#[pyclass(frozen, module = "nearprint", name = "Fingerprint")]
#[derive(Debug, Clone)]
pub(crate) struct Fingerprint(pub(crate) Value);

/// What makes a fingerprint again, with its arguments.
type ReducedState<'py> = (Bound<'py, PyAny>, (Bound<'py, PyBytes>, String));

#[pymethods]
impl Fingerprint {
    #[new]
    #[pyo3(signature = (text, /))]
    fn parse(text: &str) -> PyResult<Self> {
        text.parse().map(Self).map_err(|error| invalid(format_args!("{text:.80}: {error}")))
    }

    #[doc = stub!(Fingerprint.from_int)]
    #[classmethod]
    #[pyo3(signature = (value, scheme="sd1"))]
    fn from_int(_: &Bound<'_, PyType>, value: &Bound<'_, PyAny>, scheme: &str) -> PyResult<Self> {
        let scheme = self::scheme(scheme)?;
        if !value.is_instance_of::<pyo3::types::PyInt>() {
            return Err(wrong_type("a fingerprint's value is an int"));
        }
        let beyond = |_| {
            invalid(format_args!("{scheme} has values of {} bits, from 0 on", 8 * scheme.bytes()))
        };
        let bytes: Bound<'_, PyBytes> =
            value.call_method1("to_bytes", (scheme.bytes(), "big")).map_err(beyond)?.cast_into()?;
        Self::of_bytes(bytes.as_bytes(), scheme)
    }

    #[doc = stub!(Fingerprint.from_bytes)]
    #[classmethod]
    #[pyo3(signature = (value, scheme="sd1"))]
    fn from_bytes(_: &Bound<'_, PyType>, value: &[u8], scheme: &str) -> PyResult<Self> {
        Self::of_bytes(value, self::scheme(scheme)?)
    }

    #[doc = stub!(Fingerprint.scheme)]
    #[getter]
    fn scheme(&self) -> String {
        scheme_name(self.0.scheme())
    }

    #[doc = stub!(Fingerprint.positions)]
    #[getter]
    fn positions(&self) -> u32 {
        self.0.scheme().positions()
    }

    #[doc = stub!(Fingerprint.distance)]
    #[pyo3(signature = (other, /))]
    fn distance(&self, other: &Self) -> PyResult<u32> {
        self.0.distance(&other.0).map_err(invalid)
    }

    #[doc = stub!(Fingerprint.similarity)]
    #[pyo3(signature = (other, /))]
    fn similarity(&self, other: &Self) -> PyResult<f64> {
        self.0.similarity(&other.0).map_err(invalid)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Fingerprint('{}')", self.0)
    }

    fn __int__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.0.as_u128() {
            Some(value) => Ok(value.into_pyobject(py)?.into_any()),
            None => py
                .get_type::<pyo3::types::PyInt>()
                .call_method1("from_bytes", (PyBytes::new(py, &self.0.to_bytes()), "big")),
        }
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_bytes())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }

    fn __richcmp__(&self, other: &Self, operator: pyo3::basic::CompareOp) -> bool {
        operator.matches(self.order(other))
    }

    /// Schemes that were declared go by their declaration, which another process understands too.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<ReducedState<'py>> {
        let make = py.get_type::<Self>().getattr("from_bytes")?;
        Ok((make, (self.__bytes__(py), self.scheme())))
    }
}

impl Fingerprint {
    fn of_bytes(value: &[u8], scheme: Scheme) -> PyResult<Self> {
        Value::from_bytes(scheme, value).map(Self).ok_or_else(|| {
            let (wanted, found) = (scheme.bytes(), value.len());
            invalid(format_args!("a fingerprint of {scheme} has {wanted} bytes, not {found}"))
        })
    }

    /// By scheme, then as numbers.
    fn order(&self, other: &Self) -> Ordering {
        if self.0.scheme() != other.0.scheme() {
            return self.0.scheme().id().cmp(other.0.scheme().id());
        }
        self.0.to_bytes().cmp(&other.0.to_bytes())
    }
}

/// The text of a string of Python.
pub(crate) fn text_of(text: &Bound<'_, PyString>) -> PyResult<PyBackedStr> {
    PyBackedStr::try_from(text.clone()).map_err(|_| {
        invalid("the text has lone surrogates, which are no characters: decode it with errors='replace'")
    })
}

#[doc = stub!(fingerprint)]
#[pyfunction]
#[pyo3(signature = (text, scheme="sd1"))]
pub(crate) fn fingerprint(
    py: Python<'_>,
    text: &Bound<'_, PyString>,
    scheme: &str,
) -> PyResult<Option<Fingerprint>> {
    let scheme = self::scheme(scheme)?;
    let text = text_of(text)?;
    let made = fingerprinted(py, scheme, &text)?;
    Ok(made.into_fingerprint().map(Fingerprint))
}

/// The fingerprint of a text, however long: signals are looked at meanwhile.
pub(crate) fn fingerprinted(
    py: Python<'_>,
    scheme: Scheme,
    text: &str,
) -> PyResult<FingerprintOutcome> {
    let mut fingerprinter = Fingerprinter::new(scheme);
    if text.len() < SHORT {
        fingerprinter.update(text);
        return Ok(fingerprinter.finish());
    }
    py.detach(|| {
        for piece in text.as_bytes().chunks(PIECE) {
            fingerprinter.update_bytes(piece);
            if text.len() > PIECE {
                Python::attach(look_at_signals)?;
            }
        }
        Ok(fingerprinter.finish())
    })
}

pub(crate) fn look_at_signals(py: Python<'_>) -> PyResult<()> {
    py.check_signals()
}
