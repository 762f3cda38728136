//! The two documents of a comparison, and what their texts are to each other.

use std::path::Path;

use nearprint::fingerprint::{Fingerprint, fingerprint};
use nearprint::records::{ComparisonRow, DocumentId};
use nearprint::search::Measure;
use nearprint::{
    Inputs, Pipeline, TextMeasure, TextSimilarity, Verification, compare_texts, measure_texts,
    read_idf_table,
};

use crate::ending::Failure;
use crate::searched::{given_print, one_document};
use crate::talk::Talk;
use crate::verifying::Yardstick;

/// A document that can be compared.
pub(crate) struct Compared {
    pub(crate) id: DocumentId,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) text: String,
}

/// What measures the texts, the similarity from which they are similar enough, and the table of document frequencies.
type By<'a> = (Option<Yardstick>, Option<f64>, Option<&'a Path>);

impl Compared {
    /// The fingerprint that is named itself.
    pub(crate) fn given(named: &Inputs) -> Result<Self, Failure> {
        let (id, fingerprint) = given_print(named.only_path()?)?;
        Ok(Self { id, fingerprint, text: String::new() })
    }

    /// The document that is named; `None` once it has been said why it has no fingerprint.
    pub(crate) fn read(
        named: &Inputs,
        pipeline: &Pipeline<'_>,
        talk: &Talk,
    ) -> Result<Option<Self>, Failure> {
        let many = "use pairs, dedup or diff for many documents, and compare --prints for two \
            fingerprints";
        let Some(document) = one_document(named, many, talk)? else { return Ok(None) };
        let id = document.id.clone();
        let text = match pipeline.extract(document) {
            Ok(extraction) => extraction.text,
            Err(error) => {
                talk.error(&error);
                return Ok(None);
            }
        };
        let found = fingerprint(pipeline.settings().scheme, &text).into_fingerprint();
        let Some(fingerprint) = found else {
            talk.say(format_args!(
                "{id}: no fingerprint: no-tokens: the text has no word with a letter"
            ));
            return Ok(None);
        };
        Ok(Some(Self { id, fingerprint, text }))
    }
}

/// Adds to a row what two texts are to each other.
pub(crate) fn measure(
    row: &mut ComparisonRow,
    (a, b): (&str, &str),
    (yardstick, threshold, table): By<'_>,
    talk: &Talk,
) -> Result<(), Failure> {
    let measure = match yardstick {
        None => Measure::Jaccard,
        Some(Yardstick::Verification(name)) => name.measure(),
        Some(Yardstick::Text(measure)) => {
            return measure_by(row, (a, b), (measure, threshold, table), talk);
        }
    };
    let verification = Verification::new(measure);
    let verification = threshold.map_or(verification, |threshold| verification.at(threshold));
    let texts = compare_texts(a, b, verification);
    row.text_similarity = Some(texts.similarity);
    row.measure = Some(measure.name());
    row.texts = Some(texts.grade);
    row.verified = yardstick.map(|_| texts.verified);
    Ok(())
}

fn measure_by(
    row: &mut ComparisonRow,
    (a, b): (&str, &str),
    (measure, threshold, table): (TextMeasure, Option<f64>, Option<&Path>),
    talk: &Talk,
) -> Result<(), Failure> {
    let usage = |error: &dyn std::fmt::Display| Failure::Usage(format!("--verify: {error}"));
    let table = table.map(read_idf_table).transpose();
    let table = table.map_err(|error| usage(&error))?;
    let at_least = threshold.unwrap_or(TextMeasure::DEFAULT_THRESHOLD);
    let texts =
        measure_texts(a, b, measure, at_least, table.as_ref()).map_err(|error| usage(&error))?;
    match texts.similarity {
        TextSimilarity::Exact(similarity) => row.text_similarity = Some(similarity),
        TextSimilarity::Below(bound) => {
            row.text_similarity_below = Some(bound);
            talk.say(format_args!(
                "the texts are too long and too different for their exact edit distance; use \
                    another measure"
            ));
        }
    }
    row.measure = Some(measure.name());
    row.texts = texts.grade;
    row.verified = texts.verified;
    Ok(())
}
