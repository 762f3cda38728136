//! A column of results: fingerprints of many texts, or one column of a table.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, FieldRef};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict, PySlice};

use crate::capsule::{export_array, export_arrays, export_field};
use crate::cell::{cell, cells};
use crate::error::invalid;
use crate::extras::library;
use crate::pickle::{column_from_stream, column_to_stream};

/// The key under which the metadata of a column says by what scheme its fingerprints were made.
pub(crate) const SCHEME_KEY: &str = "nearprint.scheme";

/// Values shown by `repr`.
const SHOWN: usize = 8;

#[doc = stub!(Column)]
#[pyclass(frozen, module = "nearprint", name = "Column")]
#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) field: FieldRef,
    pub(crate) array: ArrayRef,
}

#[derive(FromPyObject)]
enum Place<'py> {
    #[pyo3(transparent)]
    Index(isize),
    #[pyo3(transparent)]
    Slice(Bound<'py, PySlice>),
}

#[pymethods]
impl Column {
    #[doc = stub!(Column.name)]
    #[getter]
    fn name(&self) -> &str {
        self.field.name()
    }

    #[doc = stub!(Column.scheme)]
    #[getter]
    fn scheme(&self) -> Option<&str> {
        self.field.metadata().get(SCHEME_KEY).map(String::as_str)
    }

    #[doc = stub!(Column.null_count)]
    #[getter]
    fn null_count(&self) -> usize {
        self.array.null_count()
    }

    #[doc = stub!(Column.type)]
    #[getter]
    fn r#type(&self) -> String {
        self.array.data_type().to_string()
    }

    fn __len__(&self) -> usize {
        self.array.len()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<ReducedColumn<'py>> {
        let stream = column_to_stream(&slf.get().field, &slf.get().array)?;
        Ok((slf.get_type().getattr("_of_stream")?, (PyBytes::new(slf.py(), &stream),)))
    }

    #[staticmethod]
    fn _of_stream(stream: &[u8]) -> PyResult<Self> {
        let (field, array) = column_from_stream(stream)?;
        Ok(Self { field, array })
    }

    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(invalid("NumPy copies a column: to_arrow() shares its memory"));
        }
        let array = match self.has_numbers() {
            true => self.to_numpy(py)?,
            false => {
                let values = self.to_pylist(py)?;
                library(py, "numpy")?.call_method1("array", (values, "object"))?
            }
        };
        match dtype {
            Some(dtype) => array.call_method1("astype", (dtype,)),
            None => Ok(array),
        }
    }

    fn __getitem__(&self, py: Python<'_>, place: Place<'_>) -> PyResult<Py<PyAny>> {
        let length = self.array.len();
        match place {
            Place::Index(at) => {
                let at = if at < 0 { at.checked_add_unsigned(length).unwrap_or(-1) } else { at };
                match usize::try_from(at) {
                    Ok(at) if at < length => cell(py, &self.array, at),
                    _ => Err(PyIndexError::new_err("column index out of range")),
                }
            }
            Place::Slice(slice) => {
                let found = slice.indices(length.cast_signed())?;
                if found.step != 1 {
                    return Err(invalid("columns have no slices with steps"));
                }
                let array = self.array.slice(found.start.unsigned_abs(), found.slicelength);
                Ok(Self { field: self.field.clone(), array }.into_pyobject(py)?.into_any().unbind())
            }
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let shown = self.array.slice(0, self.array.len().min(SHOWN));
        let values: PyResult<Vec<String>> =
            cells(py, &shown)?.iter().map(|value| Ok(value.bind(py).repr()?.to_string())).collect();
        let more = if self.array.len() > SHOWN { ", ..." } else { "" };
        let kind = self.array.data_type();
        let number = self.array.len();
        Ok(format!("<nearprint.Column of {number} {kind}: [{}{more}]>", values?.join(", ")))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // The interface lets the producer ignore it.
        drop(requested_schema);
        Ok((export_field(py, &self.field)?, export_array(py, &self.array)?))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        export_arrays(py, &self.field, vec![self.array.clone()])
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        export_field(py, &self.field)
    }

    #[doc = stub!(Column.to_arrow)]
    fn to_arrow<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        library(slf.py(), "pyarrow")?.call_method1("array", (slf,))
    }

    #[doc = stub!(Column.to_polars)]
    fn to_polars<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let name = slf.get().field.name().clone();
        library(slf.py(), "polars")?.call_method1("Series", (name, slf))
    }

    #[doc = stub!(Column.to_pandas)]
    fn to_pandas<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let name = slf.get().field.name().clone();
        arrow_to_pandas(&Self::to_arrow(slf)?)?.call_method1("rename", (name,))
    }

    #[doc = stub!(Column.to_numpy)]
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (kind, bytes): (String, &[u8]) = match self.array.data_type() {
            _ if self.array.null_count() > 0 => {
                let nulls = self.array.null_count();
                return Err(invalid(format_args!(
                    "{nulls} values are null, which NumPy has no word for: drop them, or use to_arrow()"
                )));
            }
            DataType::UInt64 => {
                let values = self.array.as_primitive::<UInt64Type>().values();
                ("uint64".to_owned(), values.inner().as_slice())
            }
            DataType::UInt32 => {
                let values = self.array.as_primitive::<UInt32Type>().values();
                ("uint32".to_owned(), values.inner().as_slice())
            }
            DataType::Float64 => {
                let values = self.array.as_primitive::<Float64Type>().values();
                ("float64".to_owned(), values.inner().as_slice())
            }
            DataType::FixedSizeBinary(size) => {
                (format!("V{size}"), self.array.as_fixed_size_binary().value_data())
            }
            other => {
                return Err(invalid(format_args!(
                    "NumPy has no {other}: use to_arrow() or to_pylist()"
                )));
            }
        };
        library(py, "numpy")?.call_method1("frombuffer", (PyBytes::new(py, bytes), kind))
    }

    #[doc = stub!(Column.to_pylist)]
    fn to_pylist(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        cells(py, &self.array)
    }
}

impl Column {
    /// Whether NumPy holds the values as they are.
    fn has_numbers(&self) -> bool {
        let kind = self.array.data_type();
        let held = matches!(kind, DataType::UInt32 | DataType::UInt64 | DataType::Float64);
        (held || matches!(kind, DataType::FixedSizeBinary(_))) && self.array.null_count() == 0
    }
}

/// What makes a column again, with its arguments.
type ReducedColumn<'py> = (Bound<'py, PyAny>, (Bound<'py, PyBytes>,));

/// Columns of pyarrow as pandas holds them without loss: NumPy would make floating-point numbers of integers with
/// nulls.
pub(crate) fn arrow_to_pandas<'py>(arrow: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let (py, arguments) = (arrow.py(), PyDict::new(arrow.py()));
    arguments.set_item("types_mapper", library(py, "pandas")?.getattr("ArrowDtype")?)?;
    arrow.call_method("to_pandas", (), Some(&arguments))
}
