//! `nearprint/calibration/1`: what a scheme and a distance find of edits planted into a user's own documents, or of
//! pairs the user labelled.

use std::io::{self, Write};

use nearprint_fingerprint::Scheme;
use serde::Serialize;

use crate::Row;

/// One way to search, and how good it is.
///
/// Text form: `SCHEME TAB K TAB MEASURE TAB RECALL TAB AT-LEAST TAB AT-MOST TAB CHANCE-PER-MILLION TAB AT-MOST TAB
/// IN-SET TAB BYTES TAB MICROSECONDS TAB recommended`, MEASURE and the last field being `-` where they do not apply.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CalibrationRow {
    /// The scheme of the fingerprints.
    pub scheme: Scheme,
    /// The distance within which pairs are looked for.
    pub distance: u32,
    /// How they are verified; `None` if they are not.
    pub measure: Option<&'static str>,
    /// The share of true pairs found.
    pub recall: f64,
    /// The lower end of its 95 % interval (Wilson).
    pub recall_at_least: f64,
    /// The upper end.
    pub recall_at_most: f64,
    /// The same for each kind of true pair.
    pub kinds: Vec<KindRow>,
    /// Of a million pairs of different documents so many lie within the distance: false pairs where nothing is
    /// verified, else comparisons in vain.
    pub chance_per_million: f64,
    /// The upper end of its 95 % interval.
    pub chance_per_million_at_most: f64,
    /// Such pairs to expect among the documents given.
    pub chance_in_set: f64,
    /// Bytes of a fingerprint.
    pub bytes: u64,
    /// Time to make the fingerprint of a document of the sample, on one thread of this machine.
    pub microseconds: f64,
    /// Whether this is what to take.
    pub recommended: bool,
}

impl CalibrationRow {
    /// A scheme and a distance of which nothing is measured yet.
    #[must_use]
    pub fn new(scheme: Scheme, distance: u32) -> Self {
        Self {
            scheme,
            distance,
            measure: None,
            recall: 0.0,
            recall_at_least: 0.0,
            recall_at_most: 0.0,
            kinds: Vec::new(),
            chance_per_million: 0.0,
            chance_per_million_at_most: 0.0,
            chance_in_set: 0.0,
            bytes: scheme.bytes() as u64,
            microseconds: 0.0,
            recommended: false,
        }
    }
}

/// The recall of one kind of true pair.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct KindRow {
    /// The edit, or `labelled`.
    pub kind: &'static str,
    /// Pairs of it.
    pub pairs: u64,
    /// The share found.
    pub recall: f64,
}

impl KindRow {
    /// A kind of which there is no pair yet.
    #[must_use]
    pub fn new(kind: &'static str) -> Self {
        Self { kind, pairs: 0, recall: 0.0 }
    }
}

impl CalibrationRow {
    /// How many true pairs all of it was measured on.
    #[must_use]
    pub fn true_pairs(&self) -> u64 {
        self.kinds.iter().map(|kind| kind.pairs).sum()
    }
}

impl Row for CalibrationRow {
    const SCHEMA: &'static str = "nearprint/calibration/1";

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let recommended = if self.recommended { "recommended" } else { "-" };
        writeln!(
            out,
            "{}\t{}\t{}\t{:.4}\t{:.4}\t{:.4}\t{:.3}\t{:.3}\t{:.0}\t{}\t{:.0}\t{recommended}",
            self.scheme,
            self.distance,
            self.measure.unwrap_or("-"),
            self.recall,
            self.recall_at_least,
            self.recall_at_most,
            self.chance_per_million,
            self.chance_per_million_at_most,
            self.chance_in_set,
            self.bytes,
            self.microseconds
        )
    }
}
