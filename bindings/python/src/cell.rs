//! Cells of Arrow arrays as Python objects, for those who read a few rows without another library.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::error::Class;

/// The cell at a position below the array's length: None where there is nothing.
pub(crate) fn cell(py: Python<'_>, array: &dyn Array, at: usize) -> PyResult<Py<PyAny>> {
    if array.is_null(at) {
        return Ok(py.None());
    }
    Ok(match array.data_type() {
        DataType::UInt32 => object(py, array.as_primitive::<UInt32Type>().value(at))?,
        DataType::UInt64 => object(py, array.as_primitive::<UInt64Type>().value(at))?,
        DataType::Float64 => object(py, array.as_primitive::<Float64Type>().value(at))?,
        DataType::Boolean => {
            array.as_boolean().value(at).into_pyobject(py)?.to_owned().into_any().unbind()
        }
        DataType::Utf8 => object(py, array.as_string::<i32>().value(at))?,
        DataType::LargeUtf8 => object(py, array.as_string::<i64>().value(at))?,
        DataType::FixedSizeBinary(_) => {
            PyBytes::new(py, array.as_fixed_size_binary().value(at)).into_any().unbind()
        }
        DataType::List(_) => {
            let items = array.as_list::<i32>().value(at);
            PyList::new(py, cells(py, &items)?)?.into_any().unbind()
        }
        DataType::Struct(fields) => {
            let (columns, dictionary) = (array.as_struct().columns(), PyDict::new(py));
            for (field, column) in fields.iter().zip(columns) {
                dictionary.set_item(field.name(), cell(py, column, at)?)?;
            }
            dictionary.into_any().unbind()
        }
        other => return Err(Class::Internal.error(format_args!("a column of {other}"))),
    })
}

/// All cells of an array.
pub(crate) fn cells(py: Python<'_>, array: &ArrayRef) -> PyResult<Vec<Py<PyAny>>> {
    (0..array.len()).map(|at| cell(py, array, at)).collect()
}

fn object<'py, T: IntoPyObject<'py>>(py: Python<'py>, value: T) -> PyResult<Py<PyAny>> {
    use pyo3::BoundObject;
    value
        .into_pyobject(py)
        .map(|object| object.into_bound().into_any().unbind())
        .map_err(Into::into)
}
