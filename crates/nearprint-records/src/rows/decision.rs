//! `nearprint/decision/1`: what deduplication decided about one document.

use std::fmt;
use std::io::{self, Write};

use nearprint_fingerprint::Scheme;
use serde::Serialize;

use super::Pace;
use crate::separated_writer::cell;
use crate::{Capture, DocumentId, Place, ReasonCode, Row, Sha256Digest};

/// Whether a document is kept, and why. Text form: `keep`, `drop` or `revisit`, `REASON`, `CLUSTER`, `SIMILARITY`,
/// `REPRESENTATIVE` and `ID`, separated by tabs, with `-` for what there is not; then, where there is something, what
/// differs or `contradicts ...`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DecisionRow {
    /// The document.
    pub id: DocumentId,
    /// What becomes of it.
    pub decision: Decision,
    /// Why.
    pub reason: DecisionReason,
    /// Its cluster, counted from 1 in the order of the clusters' first documents; `None` if it has no partner.
    pub cluster: Option<u64>,
    /// The document of its cluster that is kept: it itself, or another. Of a further path to a file, the first one.
    pub representative: Option<DocumentId>,
    /// The similarity of its text and the representative's, or that of the one it contradicts, 0 to 1, where that is
    /// another document.
    pub similarity: Option<f64>,
    /// The document that it contradicts, where it is kept because of that: the most similar one.
    pub nearest: Option<DocumentId>,
    /// Of texts of the same words, what differs beside them: `numbers, addresses`, or `writing` where only case,
    /// punctuation and layout can.
    pub differs: Option<String>,
    /// What of its text contradicts that of the representative, or of the nearest, in the same place, by kind: `2
    /// numbers, 1 address`.
    pub contradicts: Option<String>,
    /// By which policy it is decided.
    pub policy: &'static str,
    /// Of a document that is dropped, SHA-256 of its bytes, where they are known.
    pub sha256: Option<Sha256Digest>,
    /// The same of the representative.
    pub representative_sha256: Option<Sha256Digest>,
    /// Why it has no fingerprint, where it has none.
    pub failure: Option<ReasonCode>,
    /// Where it was found.
    pub place: Place,
    /// What its archive says about it, if it is a capture: for the line of an index of captures alone.
    #[serde(skip)]
    pub capture: Option<Box<Capture>>,
}

impl DecisionRow {
    /// A decision for which nothing more is stated.
    #[must_use]
    pub fn new(
        id: DocumentId,
        (decision, reason): (Decision, DecisionReason),
        policy: &'static str,
        place: Place,
    ) -> Self {
        Self {
            id,
            decision,
            reason,
            cluster: None,
            representative: None,
            similarity: None,
            nearest: None,
            differs: None,
            contradicts: None,
            policy,
            sha256: None,
            representative_sha256: None,
            failure: None,
            place,
            capture: None,
        }
    }
}

/// What becomes of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Decision {
    /// It is kept.
    Keep,
    /// It is dropped.
    Drop,
    /// It becomes a revisit: its record stays, without its payload.
    Revisit,
}

impl Decision {
    /// Its name, as rows have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Drop => "drop",
            Self::Revisit => "revisit",
        }
    }
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
    /// Dropped, or a capture that keeps its record: its bytes are the representative's.
    SameBytes,
    /// The same: its text is the representative's, and its bytes are others.
    Identical,
    /// The same: it is not identical, and has the representative's words in the same order.
    SameWords,
    /// The same: it is similar to the representative otherwise.
    Near,
    /// A capture that becomes a revisit of one with the same payload.
    SamePayload,
    /// Kept: it contradicts `nearest`, which is kept, and would else be dropped.
    Contradicts,
    /// Kept: it has too few words to be compared.
    TooShort,
    /// Kept: it has no fingerprint, and `failure` says why.
    NoFingerprint,
    /// Kept: it is another path to the file of the representative, which was read.
    SameFile,
}

impl DecisionReason {
    /// Its name, as rows have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unique => "unique",
            Self::Representative => "representative",
            Self::SameBytes => "same-bytes",
            Self::Identical => "identical",
            Self::SameWords => "same-words",
            Self::Near => "near",
            Self::SamePayload => "same-payload",
            Self::Contradicts => "contradicts",
            Self::TooShort => "too-short",
            Self::NoFingerprint => "no-fingerprint",
            Self::SameFile => "same-file",
        }
    }
}

impl fmt::Display for DecisionReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Row for DecisionRow {
    const SCHEMA: &'static str = "nearprint/decision/1";

    const COLUMNS: &'static [&'static str] = &[
        "id",
        "decision",
        "reason",
        "cluster",
        "representative",
        "similarity",
        "nearest",
        "differs",
        "contradicts",
        "policy",
        "sha256",
        "representative_sha256",
        "failure",
        "file",
        "offset",
        "length",
        "line",
        "row",
        "record",
        "wrapper",
        "member",
    ];

    fn write_cells(&self, line: &mut dyn FnMut(&[&str]) -> io::Result<()>) -> io::Result<()> {
        let decided = [
            self.id.to_string(),
            self.decision.name().to_owned(),
            self.reason.name().to_owned(),
            cell(self.cluster),
            cell(self.representative.as_ref()),
            cell(self.similarity),
            cell(self.nearest.as_ref()),
            cell(self.differs.as_ref()),
            cell(self.contradicts.as_ref()),
            self.policy.to_owned(),
            cell(self.sha256),
            cell(self.representative_sha256),
            cell(self.failure.as_ref()),
        ];
        let place = self.place.cells();
        let cells: Vec<&str> = decided.iter().chain(&place).map(String::as_str).collect();
        line(&cells)
    }

    fn write_cdxj(&self, out: &mut dyn Write) -> io::Result<()> {
        super::cdxj::write_decision(self, out)
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{}\t{}\t", self.decision.name(), self.reason)?;
        match self.cluster {
            Some(cluster) => write!(out, "{cluster}\t")?,
            None => out.write_all(b"-\t")?,
        }
        match self.similarity {
            Some(similarity) => write!(out, "{similarity:.4}\t")?,
            None => out.write_all(b"-\t")?,
        }
        match self.nearest.as_ref().or(self.representative.as_ref()) {
            Some(representative) => write!(out, "{representative}\t")?,
            None => out.write_all(b"-\t")?,
        }
        write!(out, "{}", self.id)?;
        match (&self.contradicts, &self.differs) {
            (Some(contradicts), _) => writeln!(out, "\tcontradicts {contradicts}"),
            (None, Some(differs)) => writeln!(out, "\t{differs}"),
            (None, None) => writeln!(out),
        }
    }
}

/// The counts of a deduplication. Text form: lines `NAME TAB VALUE`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DeduplicationRow {
    /// The digest of the question with all its defaults.
    pub question: String,
    /// The scheme of the fingerprints that proposed candidates.
    pub scheme: Scheme,
    /// Which similar documents are duplicates.
    pub policy: &'static str,
    /// The similarity from which on a document of other words repeats another.
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
    /// Those dropped whose bytes are those of one that is kept.
    pub same_bytes: u64,
    /// Those dropped of other bytes whose text is that of one that is kept.
    pub identical: u64,
    /// Those dropped that are not identical and have the words of one that is kept in the same order.
    pub same_words: u64,
    /// Those dropped that are similar to one that is kept otherwise.
    pub near: u64,
    /// The same by their similarity, in 20 steps of 0.05 from 0 on; 1 belongs to the last.
    pub near_by_similarity: [u64; 20],
    /// Those kept because they contradict one that is kept, and would else be dropped.
    pub contradicts: u64,
    /// Those kept because they have too few words.
    pub too_short: u64,
    /// Those kept because they have no fingerprint.
    pub without_fingerprint: u64,
    /// Those that are further paths to files, which are kept.
    pub same_files: u64,
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
    /// Records that become revisits, where captures of web archives keep their records: those of documents and others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revisits: Option<u64>,
    /// Bytes of their payloads, before compression.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revisit_bytes: Option<u64>,
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

impl DeduplicationRow {
    /// The counts of a question of this digest, by this scheme and policy, which decided about no document yet.
    #[must_use]
    pub fn new(question: String, scheme: Scheme, policy: &'static str) -> Self {
        Self {
            question,
            scheme,
            policy,
            at: 0.0,
            keep: String::new(),
            chains: false,
            least_words: 0,
            documents: 0,
            kept: 0,
            same_bytes: 0,
            identical: 0,
            same_words: 0,
            near: 0,
            near_by_similarity: [0; 20],
            contradicts: 0,
            too_short: 0,
            without_fingerprint: 0,
            same_files: 0,
            failed: 0,
            references: 0,
            bytes: 0,
            distinct_texts: 0,
            candidates: 0,
            revisits: None,
            revisit_bytes: None,
            clusters: 0,
            largest_cluster: 0,
            temporary_bytes: 0,
            duplicate_ids: 0,
            pace: Pace::default(),
        }
    }
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
