//! A table of results.

use std::sync::Arc;

use arrow_array::{Array, RecordBatch};
use arrow_schema::SchemaRef;
use nearprint::fingerprint::Scheme;
use nearprint::records::TableRow;
use nearprint::tables::RowBatches;
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict, PySlice, PyString};

use crate::capsule::{export_batches, export_schema, unreadable};
use crate::cell::cell;
use crate::column::{Column, arrow_to_pandas};
use crate::display::Example;
use crate::error::{Class, invalid, wrong_type};
use crate::extras::library;
use crate::pickle::{from_stream, to_stream};

/// Rows shown by `repr`.
const SHOWN: usize = 8;

/// Rows shown by notebooks.
const SHOWN_IN_NOTEBOOKS: usize = 20;

#[doc = stub!(Table)]
#[pyclass(frozen, module = "nearprint", name = "Table")]
#[derive(Debug)]
pub(crate) struct Table {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
    summary: Option<Py<PyAny>>,
    failures: Vec<Py<PyAny>>,
    examples: Vec<Example>,
}

#[pymethods]
impl Table {
    #[doc = stub!(Table.column_names)]
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    #[doc = stub!(Table.summary)]
    #[getter]
    fn summary(&self, py: Python<'_>) -> Py<PyAny> {
        self.summary
            .as_ref()
            .map_or_else(|| PyDict::new(py).into_any().unbind(), |summary| summary.clone_ref(py))
    }

    #[doc = stub!(Table.failures)]
    #[getter]
    fn failures(&self, py: Python<'_>) -> Vec<Py<PyAny>> {
        self.failures.iter().map(|failure| failure.clone_ref(py)).collect()
    }

    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    #[doc = stub!(Table.num_rows)]
    #[getter]
    fn num_rows(&self) -> usize {
        self.__len__()
    }

    #[doc = stub!(Table.num_columns)]
    #[getter]
    fn num_columns(&self) -> usize {
        self.schema.fields().len()
    }

    #[doc = stub!(Table.schema)]
    #[getter]
    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let types = PyDict::new(py);
        for field in self.schema.fields() {
            types.set_item(field.name(), field.data_type().to_string())?;
        }
        Ok(types)
    }

    #[doc = stub!(Table.__getitem__)]
    fn __getitem__(&self, py: Python<'_>, place: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        if let Ok(name) = place.cast::<PyString>() {
            return Ok(self.column(name.to_str()?)?.into_pyobject(py)?.into_any().unbind());
        }
        let length = self.__len__();
        if let Ok(slice) = place.cast::<PySlice>() {
            let found = slice.indices(length.cast_signed())?;
            if found.step != 1 {
                return Err(invalid("tables have no slices with steps"));
            }
            let part = self.slice(found.start.unsigned_abs(), found.slicelength);
            return Ok(part.into_pyobject(py)?.into_any().unbind());
        }
        let Ok(at) = place.extract::<isize>() else {
            let kind = place.get_type().name()?;
            return Err(wrong_type(format_args!(
                "a table has columns by name, and rows by number or slice, not by {kind}"
            )));
        };
        let at = if at < 0 { at.checked_add_unsigned(length).unwrap_or(-1) } else { at };
        let row = usize::try_from(at).ok().and_then(|at| self.place(at));
        let (batch, at) = row.ok_or_else(|| PyIndexError::new_err("table index out of range"))?;
        self.row(py, batch, at)
    }

    fn __iter__(slf: Py<Self>) -> RowIterator {
        RowIterator { table: slf, batch: 0, row: 0 }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<ReducedTable<'py>> {
        let (py, table) = (slf.py(), slf.get());
        let stream = PyBytes::new(py, &to_stream(&table.schema, &table.batches)?);
        let state = (stream, table.summary(py), table.failures(py));
        Ok((slf.get_type().getattr("_of_stream")?, state))
    }

    #[staticmethod]
    fn _of_stream(stream: &[u8], summary: Py<PyAny>, failures: Vec<Py<PyAny>>) -> PyResult<Self> {
        let (schema, batches) = from_stream(stream)?;
        Ok(Self::new(schema, batches).with(summary, failures))
    }

    #[doc = stub!(Table.to_pylist)]
    fn to_pylist(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        self.rows(py, usize::MAX)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (rows, names) = (self.__len__(), self.column_names().join(", "));
        let mut text = format!("<nearprint.Table of {rows} rows: {names}>");
        for row in self.rows(py, SHOWN)? {
            text.push_str("\n  ");
            text.push_str(&row.bind(py).repr()?.to_string());
        }
        if rows > SHOWN {
            text.push_str("\n  ...");
        }
        Ok(text)
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let page = py.import("nearprint._display")?.getattr("table")?;
        let rows = self.rows(py, SHOWN_IN_NOTEBOOKS)?;
        page.call1((self.column_names(), rows, self.__len__(), self.examples.clone()))?.extract()
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface lets the producer ignore it.
        drop(requested_schema);
        export_batches(py, self.schema.clone(), self.batches.clone())
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        export_schema(py, &self.schema)
    }

    #[doc = stub!(Table.to_arrow)]
    fn to_arrow<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        library(slf.py(), "pyarrow")?.call_method1("table", (slf,))
    }

    #[doc = stub!(Table.to_polars)]
    fn to_polars<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        library(slf.py(), "polars")?.call_method1("DataFrame", (slf,))
    }

    #[doc = stub!(Table.to_pandas)]
    fn to_pandas<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        arrow_to_pandas(&Self::to_arrow(slf)?)
    }
}

impl Table {
    pub(crate) fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> Self {
        Self { schema, batches, summary: None, failures: Vec::new(), examples: Vec::new() }
    }

    /// The table of the library's rows.
    pub(crate) fn of_rows<R: TableRow>(scheme: Scheme, rows: &[R]) -> PyResult<Self> {
        let mut batches = RowBatches::new::<R>(scheme);
        let mut made = Vec::new();
        for row in rows {
            made.extend(batches.push(row).map_err(fault)?);
        }
        made.extend(batches.finish().map_err(fault)?);
        Ok(Self::new(batches.schema(), made))
    }

    /// With what the job came to, and the documents of it that failed.
    pub(crate) fn with(mut self, summary: Py<PyAny>, failures: Vec<Py<PyAny>>) -> Self {
        self.summary = Some(summary);
        self.failures = failures;
        self
    }

    /// With what notebooks show below the rows.
    pub(crate) fn showing(self, examples: Vec<Example>) -> Self {
        Self { examples, ..self }
    }

    fn column(&self, name: &str) -> PyResult<Column> {
        let missing = |_| PyKeyError::new_err(name.to_owned());
        let at = self.schema.index_of(name).map_err(missing)?;
        let field = Arc::new(self.schema.field(at).clone());
        let parts: Vec<&dyn Array> = self.batches.iter().map(|batch| &**batch.column(at)).collect();
        let array = match parts.as_slice() {
            [] => arrow_array::new_empty_array(field.data_type()),
            [_] => self.batches[0].column(at).clone(),
            parts => arrow_select::concat::concat(parts).map_err(unreadable)?,
        };
        Ok(Column { field, array })
    }

    /// So many rows from a row on, which share the memory of this table.
    fn slice(&self, mut start: usize, mut length: usize) -> Self {
        let mut batches = Vec::new();
        for batch in &self.batches {
            let (skipped, rows) = (start.min(batch.num_rows()), batch.num_rows());
            let taken = length.min(rows - skipped);
            if taken > 0 {
                batches.push(batch.slice(skipped, taken));
            }
            start -= skipped;
            length -= taken;
        }
        Self::new(self.schema.clone(), batches)
    }

    /// The batch of a row, and its place there. `None` beyond the last row.
    fn place(&self, mut at: usize) -> Option<(&RecordBatch, usize)> {
        for batch in &self.batches {
            if at < batch.num_rows() {
                return Some((batch, at));
            }
            at -= batch.num_rows();
        }
        None
    }

    fn row(&self, py: Python<'_>, batch: &RecordBatch, at: usize) -> PyResult<Py<PyAny>> {
        let dictionary = PyDict::new(py);
        for (field, column) in self.schema.fields().iter().zip(batch.columns()) {
            dictionary.set_item(field.name(), cell(py, column, at)?)?;
        }
        Ok(dictionary.into_any().unbind())
    }

    fn rows(&self, py: Python<'_>, most: usize) -> PyResult<Vec<Py<PyAny>>> {
        let places =
            self.batches.iter().flat_map(|batch| (0..batch.num_rows()).map(move |at| (batch, at)));
        places.take(most).map(|(batch, at)| self.row(py, batch, at)).collect()
    }
}

/// What makes a table again, with its arguments.
type ReducedTable<'py> = (Bound<'py, PyAny>, (Bound<'py, PyBytes>, Py<PyAny>, Vec<Py<PyAny>>));

/// The rows of a table one after the other.
#[pyclass(module = "nearprint", name = "_RowIterator")]
struct RowIterator {
    table: Py<Table>,
    batch: usize,
    row: usize,
}

#[pymethods]
impl RowIterator {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let table = self.table.get();
        while let Some(batch) = table.batches.get(self.batch) {
            if self.row < batch.num_rows() {
                self.row += 1;
                return table.row(py, batch, self.row - 1).map(Some);
            }
            (self.batch, self.row) = (self.batch + 1, 0);
        }
        Ok(None)
    }
}

fn fault(error: std::io::Error) -> PyErr {
    Class::Internal.error(error)
}
