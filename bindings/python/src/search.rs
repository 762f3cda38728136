//! What searches have in common here: which one the arguments mean, its bounds, and the documents it is about.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use nearprint::fingerprint::{Family, Scheme};
use nearprint::search::{Bands, MAX_JOIN_DISTANCE, Measure};
use nearprint::{
    Search, SearchChoices, SearchMethod, TextMeasure, TextVerification, read_idf_table,
};
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
    pub(crate) similarity: Option<f64>,
    pub(crate) bands: Option<&'a str>,
    pub(crate) recall: Option<f64>,
    /// Whether whole texts can be measured, and the table for that.
    pub(crate) whole_texts: bool,
    pub(crate) idf: Option<PathBuf>,
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
        let yardstick = self.measure.map(yardstick).transpose()?;
        let choices = SearchChoices {
            has_texts,
            // Whoever names a measure or a similarity wants texts compared.
            verify: self
                .verify
                .or((self.measure.is_some() || self.threshold.is_some()).then_some(true)),
            measure: match yardstick {
                Some(Yardstick::Verification(measure)) => measure,
                _ => Measure::Jaccard,
            },
            texts: self.whole_texts(yardstick)?,
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
        let method = self.within(choices)?.method();
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

impl Asked<'_> {
    /// The choices with the distance that the similarity of fingerprints is another form of.
    fn within(&self, choices: SearchChoices) -> PyResult<SearchChoices> {
        let Some(similarity) = self.similarity else { return Ok(choices) };
        if self.k.is_some() {
            return Err(invalid("similarity is another form of k: give one of them"));
        }
        let choices = SearchChoices { by_fingerprints: true, ..choices };
        let distance = choices.scheme().distance_at(share(similarity)?);
        Ok(SearchChoices { distance: Some(distance), ..choices })
    }

    /// The measure of whole texts, if one is named.
    fn whole_texts(&self, yardstick: Option<Yardstick>) -> PyResult<Option<TextVerification>> {
        match yardstick {
            Some(Yardstick::Text(measure)) if self.whole_texts => {
                text_verification(measure, self.idf.as_deref()).map(Some)
            }
            Some(Yardstick::Text(measure)) => Err(invalid(format_args!(
                "{} is only for pairs and compare; here measure is jaccard, containment or cosine",
                measure.name()
            ))),
            _ if self.idf.is_some() => Err(invalid("idf is only for measure=\"cosine-tfidf\"")),
            _ => Ok(None),
        }
    }
}

/// What measures two texts.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Yardstick {
    /// Features that also see numbers.
    Verification(Measure),
    /// Words or characters of whole texts.
    Text(TextMeasure),
}

pub(crate) fn yardstick(name: &str) -> PyResult<Yardstick> {
    measure(name).map(Yardstick::Verification).or_else(|_| {
        let text = |error| invalid(format_args!("{error}; and jaccard, containment and cosine"));
        name.parse().map(Yardstick::Text).map_err(text)
    })
}

/// A measure of whole texts with its table, from the default threshold on.
pub(crate) fn text_verification(
    measure: TextMeasure,
    idf: Option<&Path>,
) -> PyResult<TextVerification> {
    let table = idf.map(read_idf_table).transpose().map_err(invalid)?;
    TextVerification::new(measure).by_table(table).map_err(invalid)
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
