//! Shapes of the command's rows, for the OpenAPI document. The rows themselves are written by the command's serialiser;
//! a test compares both.

mod results;

pub(crate) use self::results::ResultRow;

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::problem::ProblemBody;

/// A document that matches a query: the row `nearprint/match/1`.
#[derive(Serialize, ToSchema)]
pub(crate) struct Match {
    /// Always `nearprint/match/1`.
    schema: String,
    /// What was looked for.
    query: String,
    /// What was found.
    id: String,
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
    /// Why not: `similarity`, which is below 0.7, `too-short`, where one has fewer than 5 words, or what contradicts,
    /// as `contradicts 2 numbers`.
    distinct: Option<String>,
    /// With `metadata`, the metadata of the match; null if it has none.
    #[schema(value_type = Option<Object>, required = false)]
    metadata: Option<Value>,
    /// With `text`, the text of the match; null if it was added as a fingerprint.
    #[schema(required = false)]
    text: Option<String>,
}

/// A document of a collection: the row `nearprint/indexed/1`, as `nearprint index export` writes it.
#[derive(Serialize, ToSchema)]
pub(crate) struct StoredDocumentRow {
    /// Always `nearprint/indexed/1`.
    schema: String,
    /// The document.
    id: String,
    /// Its fingerprint.
    fingerprint: String,
    /// When it was added, in milliseconds since 1970-01-01 UTC.
    #[schema(minimum = 0)]
    time: u64,
    /// The extractor of its text and the version, such as `html/7`, where they are known.
    extractor: Option<String>,
    /// Its metadata.
    #[schema(value_type = Option<Object>)]
    metadata: Option<Value>,
    /// Of a capture the key of its address (SURT).
    #[schema(required = false)]
    url_key: Option<String>,
    /// Of a capture its time, 14 digits.
    #[schema(required = false)]
    date: Option<String>,
    /// Of a capture the digest of its payload, as its archive states it.
    #[schema(required = false)]
    payload_digest: Option<String>,
    /// Of a capture its address as it was captured.
    #[schema(required = false)]
    url: Option<String>,
    /// Of a capture the title of the page.
    #[schema(required = false)]
    title: Option<String>,
    /// Of a capture the status of the HTTP response.
    #[schema(required = false)]
    status: Option<u16>,
    /// Of a capture the media type it was served as.
    #[schema(required = false)]
    mime: Option<String>,
    /// Of a capture the file of its archive.
    #[schema(required = false)]
    file: Option<String>,
    /// Of a capture where its record begins in that file, in bytes.
    #[schema(required = false)]
    offset: Option<u64>,
    /// Of a capture the bytes of its record in that file.
    #[schema(required = false)]
    length: Option<u64>,
    /// Of a revisit true: the archive has the payload in the record of an earlier capture.
    #[schema(required = false)]
    revisit: bool,
    /// With `text`, its text.
    #[schema(required = false)]
    text: Option<String>,
    /// With `text`, the bytes of the text that are the main content of a page: the first and the end of each stretch.
    #[schema(required = false)]
    main_content: Vec<Vec<u64>>,
}

/// Documents as one object, for clients that ask for `application/json`.
#[derive(Serialize, ToSchema)]
pub(crate) struct StoredDocumentRows {
    /// The rows that are lines otherwise.
    items: Vec<StoredDocumentRow>,
}

/// How two documents compare: the row `nearprint/comparison/1`.
#[derive(Serialize, ToSchema)]
pub(crate) struct Comparison {
    /// Always `nearprint/comparison/1`.
    schema: String,
    /// One document.
    a: String,
    /// The other.
    b: String,
    /// The first one's fingerprint.
    fingerprint_a: String,
    /// The other's.
    fingerprint_b: String,
    /// Bits (of sketches, positions) in which their fingerprints differ.
    distance: u32,
    /// 1 - distance / width.
    fingerprint_similarity: f64,
    /// What that amounts to, in a word.
    r#match: String,
    /// The similarity of the texts, 0 to 1.
    text_similarity: Option<f64>,
    /// What the similarity is less than, where a bound on work ended the measure before it was known.
    #[schema(required = false)]
    text_similarity_below: Option<f64>,
    /// The measure of that.
    measure: Option<String>,
    /// What the texts are to each other, in a word.
    texts: Option<String>,
    /// What differs beside the words, where texts are of the same words.
    #[schema(required = false)]
    differences: Option<String>,
    /// Where the texts contradict one another, by kind: `2 numbers, 1 address`.
    #[schema(required = false)]
    contradicts: Option<String>,
    /// Whether verification confirms the pair.
    verified: Option<bool>,
    /// The most frequent words that both have.
    #[schema(value_type = Option<Vec<Object>>)]
    shared: Option<Value>,
    /// The words whose numbers of occurrences differ most.
    #[schema(value_type = Option<Vec<Object>>)]
    differs: Option<Value>,
    /// The longest passages that both have or only one, in their order.
    #[schema(value_type = Option<Vec<Object>>)]
    passages: Option<Value>,
}

/// A query of a batch that was not answered.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct QueryProblem {
    /// Always `nearprint/query-problem/1`.
    pub(crate) schema: &'static str,
    pub(crate) query: String,
    pub(crate) problem: ProblemBody,
}

/// A row of an answer to queries: a match, with `explain` how it compares, or a query of a batch that has a problem.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) enum QueryRow {
    Match(Match),
    Comparison(Comparison),
    Problem(QueryProblem),
}

/// Matches as one object, for clients that ask for `application/json`.
#[derive(Serialize, ToSchema)]
pub(crate) struct MatchList {
    /// The rows that are lines otherwise.
    items: Vec<QueryRow>,
}

/// The last line of a result: without it, the result was cut.
#[derive(Serialize, ToSchema)]
pub(crate) struct End {
    /// Always `nearprint/end/1`.
    schema: &'static str,
    /// Lines before this one.
    rows: u64,
}

impl End {
    pub(crate) fn new(rows: u64) -> Self {
        Self { schema: "nearprint/end/1", rows }
    }
}

/// Bytes as they are: a document, or a file.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct RawBytes(Vec<u8>);

/// A form with files.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct UploadedFiles {
    /// The files, whose names are the ids of documents.
    file: Vec<RawBytes>,
}
