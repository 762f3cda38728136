//! Records that serialise, as dictionaries of Python: with the names of their JSON form.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde::Serialize;
use serde_json::Value;

use crate::error::Class;

/// A record as Python sees it.
pub(crate) fn to_python(py: Python<'_>, record: &impl Serialize) -> PyResult<Py<PyAny>> {
    let value = serde_json::to_value(record).map_err(|error| Class::Internal.error(error))?;
    of_value(py, &value)
}

fn of_value(py: Python<'_>, value: &Value) -> PyResult<Py<PyAny>> {
    Ok(match value {
        Value::Null => py.None(),
        Value::Bool(flag) => flag.into_pyobject(py)?.to_owned().into_any().unbind(),
        Value::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
            (Some(whole), ..) => whole.into_pyobject(py)?.into_any().unbind(),
            (_, Some(whole), _) => whole.into_pyobject(py)?.into_any().unbind(),
            (_, _, number) => number.into_pyobject(py)?.into_any().unbind(),
        },
        Value::String(text) => text.into_pyobject(py)?.into_any().unbind(),
        Value::Array(values) => {
            let values: PyResult<Vec<_>> = values.iter().map(|value| of_value(py, value)).collect();
            PyList::new(py, values?)?.into_any().unbind()
        }
        Value::Object(fields) => {
            let dictionary = PyDict::new(py);
            for (name, value) in fields {
                dictionary.set_item(name, of_value(py, value)?)?;
            }
            dictionary.into_any().unbind()
        }
    })
}
