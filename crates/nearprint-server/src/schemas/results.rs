//! Shapes of the rows of results of jobs.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::End;

/// Two documents near each other: the row `nearprint/pair/1`.
#[derive(Serialize, ToSchema)]
pub(crate) struct Pair {
    /// Always `nearprint/pair/1`.
    schema: String,
    /// The one that comes first in the collection.
    a: String,
    /// The other.
    b: String,
    /// Bits (of sketches, positions) in which their fingerprints differ.
    distance: u32,
    /// What the fingerprints say of the similarity: 1 - distance / width.
    estimate: f64,
    /// By which measure the texts were compared; null if they were not.
    measure: Option<String>,
    /// The exact similarity of the texts, 0 to 1; null if they were not compared.
    similarity: Option<f64>,
    /// Whether the texts share more than a phrase of 8 words; null if they were not compared.
    evidence: Option<bool>,
    /// Whether one is a duplicate of the other by the default rule of `dedup`; null if that is not known.
    duplicate: Option<bool>,
    /// Why not, as of a match.
    distinct: Option<String>,
    /// Always null: jobs do not give passages.
    #[schema(value_type = Option<Vec<Object>>)]
    passages: Option<Value>,
}

/// Documents that pairs connect: the row `nearprint/cluster/1`.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClusterOfDocuments {
    /// Always `nearprint/cluster/1`.
    schema: String,
    /// Counted from 1, in the order of the clusters' first documents.
    #[schema(minimum = 1)]
    cluster: u64,
    /// The number of documents.
    #[schema(minimum = 2)]
    size: u64,
    /// The document that stands for all: the first.
    representative: String,
    /// All documents, the representative included.
    members: Vec<String>,
    /// Bits in which each member's fingerprint differs from the representative's, in the order of the members.
    distances: Vec<u32>,
    /// The exact similarity of each member's text to the representative's, 0 to 1; null if pairs were not verified.
    similarities: Option<Vec<f64>>,
    /// Whether each member is a duplicate of the representative by the default rule of `dedup`; null if that is not
    /// known.
    duplicates: Option<Vec<bool>>,
    /// Why not, as of a match, for each member.
    distinct: Option<Vec<Option<String>>>,
    /// Verified pairs among the members; null if pairs were not verified.
    #[schema(minimum = 0)]
    pairs: Option<u64>,
    /// The most pairs from the representative to a member; null if it was not measured.
    chain: Option<u32>,
}

/// What becomes of a document: the row `nearprint/decision/1`.
#[derive(Serialize, ToSchema)]
pub(crate) struct DocumentDecision {
    /// Always `nearprint/decision/1`.
    schema: String,
    /// The document.
    id: String,
    /// `keep` or `drop`.
    decision: String,
    /// Why: `unique`, `representative`, `contradicts`, `too-short` or `no-fingerprint` of a document that is kept,
    /// `identical`, `same-words` or `near` of one that is dropped.
    reason: String,
    /// The cluster, from 1; null if it has no partner.
    #[schema(minimum = 1)]
    cluster: Option<u64>,
    /// The document of the cluster that is kept.
    representative: Option<String>,
    /// The similarity to the representative, or to `nearest`.
    similarity: Option<f64>,
    /// The kept document that it contradicts.
    nearest: Option<String>,
    /// Of `same-words`, the kinds of what differs.
    differs: Option<String>,
    /// What contradicts the text of the representative or of `nearest`, by kind.
    contradicts: Option<String>,
    /// The policy by which it is decided.
    policy: String,
    /// Always null: documents of a collection have no bytes.
    sha256: Option<String>,
    /// The same.
    representative_sha256: Option<String>,
    /// Why there is no fingerprint.
    failure: Option<String>,
    /// Where the document is in the collection.
    #[schema(value_type = Object)]
    place: Value,
}

/// A document of an import that has no fingerprint: some fields of the row `nearprint/fingerprint/1`.
#[derive(Serialize, ToSchema)]
pub(crate) struct DocumentWithoutFingerprint {
    /// Always `nearprint/fingerprint/1`.
    schema: String,
    /// The document.
    id: String,
    /// The scheme of the collection.
    scheme: String,
    /// Why it has none.
    reason: String,
    /// The same in words.
    detail: String,
    /// Where it is in the directory of imports.
    #[schema(value_type = Object)]
    place: Value,
}

/// What an import changed, after the documents without a fingerprint: the row `nearprint/index-change/1`.
#[derive(Serialize, ToSchema)]
pub(crate) struct CollectionChange {
    /// Always `nearprint/index-change/1`.
    schema: String,
    /// Documents added.
    added: u64,
    /// Documents that took the place of another of their id.
    replaced: u64,
    /// Documents left out because their id was there.
    skipped: u64,
    /// Documents left out because a similar one was there.
    near: u64,
    /// Documents whose payload the collection had already, so that it was not read again.
    reused: u64,
    /// Captures that were added without a document: redirects, errors, lines of an index of captures.
    captures: u64,
    /// Documents removed.
    removed: u64,
    /// Documents that failed.
    failed: u64,
    /// Documents in the collection afterwards.
    documents: u64,
}

/// A row of the result of a job, by its type: of `pairs`, `clusters`, `dedup` or `import`; the last one of each is the
/// end.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) enum ResultRow {
    Pair(Pair),
    Cluster(ClusterOfDocuments),
    Decision(DocumentDecision),
    Failure(DocumentWithoutFingerprint),
    Change(CollectionChange),
    End(End),
}
