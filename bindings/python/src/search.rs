//! What searches have in common here: which one the arguments mean, its bounds, and the documents it is about.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use nearprint::fingerprint::{Family, Scheme};
use nearprint::search::{Bands, MAX_JOIN_DISTANCE, Measure};
use nearprint::{Search, SearchChoices, SearchMethod};
use pyo3::prelude::*;

use crate::capsule::unreadable;
use crate::error::invalid;
use crate::job::{Job, Progress};
use crate::scheme::scheme;
use crate::table::Table;

/// The arguments by which a search is chosen.
#[derive(Debug, Default)]
pub(crate) struct Asked<'a> {
    pub(crate) verify: Option<bool>,
    pub(crate) measure: Option<&'a str>,
    pub(crate) threshold: Option<f64>,
    pub(crate) scheme: Option<&'a str>,
    pub(crate) k: Option<u32>,
    pub(crate) bands: Option<&'a str>,
    pub(crate) recall: Option<f64>,
}

impl Asked<'_> {
    /// The scheme that is named.
    pub(crate) fn scheme(&self) -> PyResult<Option<Scheme>> {
        self.scheme.map(scheme).transpose()
    }

    /// The search that they mean, of documents or of fingerprints.
    pub(crate) fn method(
        &self,
        scheme: Option<Scheme>,
        has_texts: bool,
        joins: bool,
    ) -> PyResult<SearchMethod> {
        let about_texts =
            self.verify == Some(true) || self.threshold.is_some() || self.measure.is_some();
        if !has_texts && about_texts {
            return Err(invalid(
                "verify, measure and threshold compare texts, and fingerprints have none: give documents",
            ));
        }
        let choices = SearchChoices {
            has_texts,
            // Whoever names a measure or a similarity wants texts compared.
            verify: self
                .verify
                .or((self.measure.is_some() || self.threshold.is_some()).then_some(true)),
            measure: self.measure.map_or(Ok(Measure::Jaccard), measure)?,
            texts: None,
            at: self.threshold.map(share).transpose()?,
            scheme,
            distance: self.k,
            bands: self.bands.map(str::parse::<Bands>).transpose().map_err(invalid)?,
            recall: self.recall.map(share).transpose()?,
            by_fingerprints: false,
        };
        if self.verify == Some(false) && about_texts {
            return Err(invalid("measure and threshold compare texts, and verify=False does not"));
        }
        let method = choices.method();
        let is_simhash = method.scheme().family() == Family::Simhash;
        if joins && is_simhash && method.distance() > MAX_JOIN_DISTANCE {
            let k = method.distance();
            return Err(invalid(format_args!(
                "pairs are searched within {MAX_JOIN_DISTANCE} bits at most, not {k}"
            )));
        }
        Ok(method)
    }
}

pub(crate) fn measure(name: &str) -> PyResult<Measure> {
    match name {
        "jaccard" => Ok(Measure::Jaccard),
        "containment" => Ok(Measure::Containment),
        "cosine" => Ok(Measure::Cosine),
        _ => {
            Err(invalid(format_args!("measure is jaccard, containment or cosine, not {name:.40}")))
        }
    }
}

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
