//! A table of results.

use std::sync::Arc;

use arrow_array::{Array, RecordBatch};
use arrow_schema::SchemaRef;
use nearprint::fingerprint::Scheme;
use nearprint::records::TableRow;
use nearprint::tables::RowBatches;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use crate::capsule::{export_batches, export_schema, unreadable};
use crate::cell::cell;
use crate::column::{Column, arrow_to_pandas};
use crate::display::Example;
use crate::error::Class;

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

    #[doc = stub!(Table.__getitem__)]
    fn __getitem__(&self, name: &str) -> PyResult<Column> {
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
        slf.py().import("pyarrow")?.call_method1("table", (slf,))
    }

    #[doc = stub!(Table.to_polars)]
    fn to_polars<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("polars")?.call_method1("DataFrame", (slf,))
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

    fn rows(&self, py: Python<'_>, most: usize) -> PyResult<Vec<Py<PyAny>>> {
        let places =
            self.batches.iter().flat_map(|batch| (0..batch.num_rows()).map(move |at| (batch, at)));
        let row = |(batch, at): (&RecordBatch, usize)| {
            let dictionary = PyDict::new(py);
            for (field, column) in self.schema.fields().iter().zip(batch.columns()) {
                dictionary.set_item(field.name(), cell(py, column, at)?)?;
            }
            Ok(dictionary.into_any().unbind())
        };
        places.take(most).map(row).collect()
    }
}

fn fault(error: std::io::Error) -> PyErr {
    Class::Internal.error(error)
}
