//! Tables of rows that Python holds as dictionaries: what a server answered, with the columns that the library itself
//! gives to such results.

use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, FixedSizeBinaryArray, Float64Array, RecordBatch, StringArray,
    StructArray, UInt32Array, UInt64Array,
};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field, SchemaRef};
use nearprint::fingerprint::Scheme;
use nearprint::records::{ClusterRow, DecisionRow, IndexedRow, MatchOfMany, PairRow};
use nearprint::tables::RowBatches;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::capsule::unreadable;
use crate::error::{Class, invalid};
use crate::scheme::scheme;
use crate::table::Table;

/// The value of a row in a column; `None` where it has none.
type Value<'py> = Option<Bound<'py, PyAny>>;

#[doc = stub!(table_of_rows)]
#[pyfunction]
#[pyo3(signature = (kind, scheme, rows, summary=None, failures=Vec::new()))]
pub(crate) fn table_of_rows(
    py: Python<'_>,
    kind: &str,
    scheme: &str,
    rows: Vec<Bound<'_, PyDict>>,
    summary: Option<Py<PyDict>>,
    failures: Vec<Py<PyAny>>,
) -> PyResult<Table> {
    let schema = schema_of(kind, self::scheme(scheme)?)?;
    let column = |field: &Arc<Field>| {
        let values: PyResult<Vec<_>> = rows.iter().map(|row| value(row, field.name())).collect();
        array(field, &values?)
    };
    let columns: PyResult<Vec<_>> = schema.fields().iter().map(column).collect();
    let batch = RecordBatch::try_new(Arc::clone(&schema), columns?).map_err(unreadable)?;
    let summary = summary.unwrap_or_else(|| PyDict::new(py).unbind());
    Ok(Table::new(schema, vec![batch]).with(summary.into_any(), failures))
}

/// The columns of the results of this name.
fn schema_of(kind: &str, scheme: Scheme) -> PyResult<SchemaRef> {
    Ok(match kind {
        "matches" => RowBatches::new::<MatchOfMany>(scheme),
        "pairs" => RowBatches::new::<PairRow>(scheme),
        "clusters" => RowBatches::new::<ClusterRow>(scheme),
        "decisions" => RowBatches::new::<DecisionRow>(scheme),
        "documents" => RowBatches::new::<IndexedRow>(scheme),
        _ => {
            return Err(invalid(format_args!(
                "kind is matches, pairs, clusters, decisions or documents, not {kind:.40}"
            )));
        }
    }
    .schema())
}

fn value<'py>(row: &Bound<'py, PyDict>, name: &str) -> PyResult<Value<'py>> {
    Ok(row.get_item(name)?.filter(|value| !value.is_none()))
}

/// The values of a column.
fn array(field: &Field, values: &[Value<'_>]) -> PyResult<ArrayRef> {
    Ok(match field.data_type() {
        DataType::UInt32 => Arc::new(UInt32Array::from(extracted::<u32>(values)?)),
        DataType::UInt64 => Arc::new(UInt64Array::from(extracted::<u64>(values)?)),
        DataType::Float64 => Arc::new(Float64Array::from(extracted::<f64>(values)?)),
        DataType::Boolean => Arc::new(BooleanArray::from(extracted::<bool>(values)?)),
        DataType::Utf8 => Arc::new(StringArray::from(extracted::<String>(values)?)),
        DataType::FixedSizeBinary(size) => {
            let bytes = extracted::<Vec<u8>>(values)?.into_iter();
            let array = FixedSizeBinaryArray::try_from_sparse_iter_with_size(bytes, *size);
            Arc::new(array.map_err(unreadable)?)
        }
        DataType::Struct(fields) => {
            let inner = |field: &Arc<Field>| array(field, &inner_values(values, field.name())?);
            let columns: PyResult<Vec<_>> = fields.iter().map(inner).collect();
            let valid: NullBuffer = values.iter().map(Option::is_some).collect::<Vec<_>>().into();
            let nulls = (valid.null_count() > 0).then_some(valid);
            let array = StructArray::try_new(fields.clone(), columns?, nulls);
            Arc::new(array.map_err(unreadable)?)
        }
        other => return Err(Class::Internal.error(format_args!("a column of {other}"))),
    })
}

/// The values of one column of a column of structures.
fn inner_values<'py>(rows: &[Value<'py>], name: &str) -> PyResult<Vec<Value<'py>>> {
    let of = |row: &Value<'py>| match row {
        Some(row) => value(row.cast::<PyDict>()?, name),
        None => Ok(None),
    };
    rows.iter().map(of).collect()
}

fn extracted<'py, T>(values: &[Value<'py>]) -> PyResult<Vec<Option<T>>>
where
    T: for<'a> FromPyObject<'a, 'py>,
    for<'a> PyErr: From<<T as FromPyObject<'a, 'py>>::Error>,
{
    let one =
        |value: &Value<'py>| value.as_ref().map(|value| Ok(value.extract::<T>()?)).transpose();
    values.iter().map(one).collect()
}
