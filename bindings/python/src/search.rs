//! Searches that a job watches, and their results by position.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use nearprint::Search;
use pyo3::prelude::*;

use crate::capsule::unreadable;
use crate::error::invalid;
use crate::job::{Job, Progress};
use crate::table::Table;

/// A number from 0 to 1.
pub(crate) fn share(number: f64) -> PyResult<f64> {
    match number {
        number if (0.0..=1.0).contains(&number) => Ok(number),
        other => {
            Err(invalid(format_args!("a similarity or share is a number from 0 to 1, not {other}")))
        }
    }
}

/// Comparisons that a search of sketches left out.
#[derive(Debug, Default)]
pub(crate) struct LeftOut(AtomicU64);

impl LeftOut {
    pub(crate) fn count(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A search that a job watches and can cancel.
pub(crate) fn watched<'j>(search: Search<'j>, job: &'j Job, left_out: &'j LeftOut) -> Search<'j> {
    search
        .cancelled_by(&job.cancel)
        .watched_by(|progress| {
            let (done, total) = (progress.done, Some(progress.total));
            job.report(Progress { stage: "search", done, total });
        })
        .told_of_left_out(|report| {
            left_out.0.fetch_add(report.left_out, Ordering::Relaxed);
        })
}

/// Columns of numbers as a table.
pub(crate) fn numbers(names: &[&str], columns: Vec<ArrayRef>) -> PyResult<Table> {
    let fields: Vec<Field> =
        names.iter().map(|name| Field::new(*name, DataType::UInt32, false)).collect();
    let schema = Arc::new(Schema::new(fields));
    let batch = RecordBatch::try_new(schema.clone(), columns).map_err(unreadable)?;
    Ok(Table::new(schema, vec![batch]))
}
