//! `nearprint/decision/1`: what deduplication decided about one document.

use std::fmt;
use std::io::{self, Write};

use nearprint_fingerprint::Scheme;
use serde::{Serialize, Serializer};

use super::Pace;
use crate::{DocumentId, Place, ReasonCode, Row};

/// Whether a document is kept, and why. Text form: `keep` or `drop`, `REASON`, `CLUSTER`, `SIMILARITY`,
/// `REPRESENTATIVE` and `ID`, separated by tabs, with `-` for what there is not.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DecisionRow {
    /// The document.
    pub id: DocumentId,
    /// Whether it is kept.
    #[serde(rename = "decision", serialize_with = "decision")]
    pub keep: bool,
    /// Why.
    pub reason: DecisionReason,
    /// Its cluster, counted from 1 in the order of the clusters' first documents; `None` if it has no partner.
    pub cluster: Option<u64>,
    /// The document of its cluster that is kept: it itself, or another.
    pub representative: Option<DocumentId>,
    /// The similarity of its text and the representative's, 0 to 1, where that is another document.
    pub similarity: Option<f64>,
    /// Why it has no fingerprint, where it has none.
    pub failure: Option<ReasonCode>,
    /// Where it was found.
    pub place: Place,
}

/// Why a document is kept or dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum DecisionReason {
    /// Kept: nothing is similar to it.
    Unique,
    /// Kept: it stands for its cluster.
    Representative,
    /// Dropped: its normalised text is the representative's, but for white space.
    Identical,
    /// Dropped: it is not identical, and has the representative's words in the same order.
    SameWords,
    /// Dropped: it is similar to the representative otherwise.
    Near,
    /// Kept: it has too few words to be compared.
    TooShort,
    /// Kept: it has no fingerprint, and `failure` says why.
    NoFingerprint,
}

impl DecisionReason {
    /// Its name, as rows have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unique => "unique",
            Self::Representative => "representative",
            Self::Identical => "identical",
            Self::SameWords => "same-words",
            Self::Near => "near",
            Self::TooShort => "too-short",
            Self::NoFingerprint => "no-fingerprint",
        }
    }
}

impl fmt::Display for DecisionReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

pub(crate) fn named(keep: bool) -> &'static str {
    if keep { "keep" } else { "drop" }
}

fn decision<S: Serializer>(keep: &bool, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(named(*keep))
}

impl Row for DecisionRow {
    const SCHEMA: &'static str = "nearprint/decision/1";

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{}\t{}\t", named(self.keep), self.reason)?;
        match self.cluster {
            Some(cluster) => write!(out, "{cluster}\t")?,
            None => out.write_all(b"-\t")?,
        }
        match self.similarity {
            Some(similarity) => write!(out, "{similarity:.4}\t")?,
            None => out.write_all(b"-\t")?,
        }
        match &self.representative {
            Some(representative) => write!(out, "{representative}\t")?,
            None => out.write_all(b"-\t")?,
        }
        writeln!(out, "{}", self.id)
    }
}

/// The counts of a deduplication. Text form: lines `NAME TAB VALUE`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DeduplicationRow {
    /// The scheme of the fingerprints that proposed candidates.
    pub scheme: Scheme,
    /// The similarity from which on a document repeats another.
    #[serde(rename = "threshold")]
    pub at: f64,
    /// The order in which documents were wanted.
    pub keep: String,
    /// Whether clusters may chain.
    pub chains: bool,
    /// Documents of fewer words were not compared.
    pub least_words: u64,
    /// Documents decided about.
    pub documents: u64,
    /// Those that are kept.
    pub kept: u64,
    /// Those dropped whose normalised text is that of one that is kept, but for white space.
    pub identical: u64,
    /// Those dropped that are not identical and have the words of one that is kept in the same order.
    pub same_words: u64,
    /// Those dropped that are similar to one that is kept otherwise.
    pub near: u64,
    /// Those kept because they have too few words.
    pub too_short: u64,
    /// Those kept because they have no fingerprint.
    pub without_fingerprint: u64,
    /// Those of all documents read that failed.
    pub failed: u64,
    /// Documents that were only compared with.
    pub references: u64,
    /// Bytes of all documents read.
    pub bytes: u64,
    /// Distinct texts among them, by their words and numbers.
    pub distinct_texts: u64,
    /// Pairs of word sets that were proposed by fingerprints.
    pub candidates: u64,
    /// Clusters of two documents or more.
    pub clusters: u64,
    /// Documents of the largest.
    pub largest_cluster: u64,
    /// Bytes in temporary files.
    pub temporary_bytes: u64,
    /// Documents decided about whose id an earlier one of these has: they are distinguished by their places.
    pub duplicate_ids: u64,
    /// How long it took.
    #[serde(flatten)]
    pub pace: Pace,
}

impl Row for DeduplicationRow {
    const SCHEMA: &'static str = "nearprint/deduplication/1";

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let serde_json::Value::Object(fields) = serde_json::to_value(self)? else {
            return Err(io::ErrorKind::InvalidData.into());
        };
        fields.iter().try_for_each(|(name, value)| writeln!(out, "{name}\t{value}"))
    }
}
