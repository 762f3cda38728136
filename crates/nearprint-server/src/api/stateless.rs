//! Documents fingerprinted, extracted and compared without being stored.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use nearprint::fingerprint::Scheme;
use nearprint::records::{DocumentId, ErrorRecord, ExtractionRow, Outcome};
use nearprint::{Compare, ComparedDocument, Engine, TextRequest, Verification, extraction_note};
use serde::Deserialize;
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::access::Access;
use crate::collections::Collections;
use crate::document_form::DocumentFields;
use crate::document_reader::{DocumentReader, byte_document};
use crate::lines::row_answer;
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::query_request::{compared_text, no_texts};
use crate::question::{OptionPlace, of_fields, scheme};
use crate::request::{Parameters, WholeBody, document_id, flag};
use crate::schemas::{Comparison, RawBytes};
use crate::state::SharedApp;
use crate::work::Lane;

/// The most words and passages of a comparison.
const MOST_DETAILS: u64 = 1000;

/// How a document is read.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(crate) struct ReadParameters {
    /// What the row calls the document, instead of `document`.
    id: Option<String>,
    /// The scheme of the fingerprint, by its id; sd1 if it is not given.
    scheme: Option<String>,
    /// Add SHA-256 digests of the document and of its text.
    #[serde(deserialize_with = "flag")]
    #[param(required = false)]
    digests: bool,
    /// Read only the main content of HTML pages.
    #[serde(deserialize_with = "flag")]
    #[param(required = false)]
    main_content: bool,
}

/// How a text is extracted.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(crate) struct ExtractParameters {
    /// What the row calls the document, instead of `document`.
    id: Option<String>,
    /// Read only the main content of HTML pages.
    #[serde(deserialize_with = "flag")]
    #[param(required = false)]
    main_content: bool,
}

fn named(id: Option<&str>) -> Result<DocumentId, Problem> {
    document_id("?id", id.unwrap_or("document"))
}

/// Fingerprint a document
///
/// The body is the document, of any medium that nearprint reads. The row is that of `nearprint fingerprint --json`: a
/// document without a fingerprint has one, too, and it says why.
#[utoipa::path(post, path = "/v1/fingerprint", tag = "documents that are not stored",
    params(ReadParameters),
    request_body(content = RawBytes, content_type = "application/octet-stream", description = "The document."),
    responses((status = 200, description = "The row `nearprint/fingerprint/1`.", body = Object)))]
pub(crate) async fn fingerprint(
    State(app): State<SharedApp>,
    Parameters(parameters): Parameters<ReadParameters>,
    request: WholeBody,
) -> Result<Response, Problem> {
    let id = named(parameters.id.as_deref())?;
    let scheme =
        parameters.scheme.as_deref().map_or(Ok(Scheme::SD1), |name| scheme("?scheme", name))?;
    let ReadParameters { digests, main_content, .. } = parameters;
    let max_bytes = app.limits.body_bytes;
    let reading =
        DocumentReader { scheme, main_content, kept: TextRequest::default(), digests, max_bytes };
    let media = request.media.of_document()?;
    let engine = app.engine.clone();
    let read = app.work.run(Lane::Document, move || {
        let charset = request.media.charset.clone();
        reading.read_one(&engine, byte_document(id, request.bytes.to_vec(), media, charset))
    });
    Ok(row_answer(StatusCode::OK, &read.await?.record))
}

/// Extract the text of a document
///
/// The body is the document, of any medium that nearprint reads. The row is that of `nearprint extract --json`.
#[utoipa::path(post, path = "/v1/extract", tag = "documents that are not stored",
    params(ExtractParameters),
    request_body(content = RawBytes, content_type = "application/octet-stream", description = "The document."),
    responses((status = 200, description = "The row `nearprint/extraction/1`.", body = Object)))]
pub(crate) async fn extract(
    State(app): State<SharedApp>,
    Parameters(parameters): Parameters<ExtractParameters>,
    request: WholeBody,
) -> Result<Response, Problem> {
    let id = named(parameters.id.as_deref())?;
    let reading = DocumentReader {
        scheme: Scheme::SD1,
        main_content: parameters.main_content,
        kept: TextRequest::default(),
        digests: false,
        max_bytes: app.limits.body_bytes,
    };
    let media = request.media.of_document()?;
    let engine = app.engine.clone();
    let extracted = app.work.run(Lane::Document, move || {
        let charset = request.media.charset.clone();
        let document = byte_document(id.clone(), request.bytes.to_vec(), media, charset);
        let extraction = reading.extract(&engine, document)?;
        let note = extraction_note(extraction.record);
        Ok::<_, ErrorRecord>(ExtractionRow::of_text(id, extraction.text, note))
    });
    Ok(row_answer(StatusCode::OK, &extracted.await??))
}

/// A document to be compared.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Side {
    /// What the row calls it; else its id, or `a` and `b`.
    name: Option<String>,
    /// A text, of which nothing is extracted.
    text: Option<String>,
    /// An HTML page.
    html: Option<String>,
    /// A document of any medium, in base64.
    document: Option<String>,
    /// The media type of the document, if it is not to be detected.
    media_type: Option<String>,
    /// The charset that the document came with.
    charset: Option<String>,
    /// A collection that keeps texts, for `id`.
    collection: Option<String>,
    /// The id of a document of that collection.
    id: Option<String>,
}

/// Two documents to be compared.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct CompareBody {
    a: Side,
    b: Side,
    /// Options of the question `compare`, each a field of this object: measure, threshold, scheme, details.
    #[serde(flatten)]
    options: BTreeMap<String, Value>,
}

impl Side {
    fn read(
        self,
        at: &str,
        reading: &DocumentReader,
        engine: &Engine,
        collections: &Collections,
        access: &Access,
    ) -> Result<ComparedDocument, Problem> {
        let Self { name, text, html, document, media_type, charset, collection, id } = self;
        let fields =
            DocumentFields { text, html, document, media_type, charset, fingerprint: None };
        let usual = id.as_deref().unwrap_or(at.trim_start_matches('/'));
        let named = document_id(&format!("{at}/name"), name.as_deref().unwrap_or(usual))?;
        match (fields.one(at)?, collection, id) {
            (Some(given), None, None) => {
                let document = given.document(named.clone());
                let document =
                    document.map_err(|_| Problem::invalid(at, "no document is given"))?;
                let read = reading.read_one(engine, document).printed()?;
                let digest = read.digest();
                match (read.record.outcome, read.text) {
                    (Outcome::Print { fingerprint, .. }, Some(text)) => {
                        Ok(ComparedDocument { id: named, text, fingerprint, digest })
                    }
                    _ => Err(Problem::new(ProblemKind::Internal, "the document was not read")),
                }
            }
            (None, Some(collection), Some(id)) => {
                let collection = collections.get(access, &collection)?;
                let id = document_id(&format!("{at}/id"), &id)?;
                let text = collection.compared(&collection.document(&id)?)?;
                let text = text.ok_or_else(|| no_texts(&collection.description.name))?;
                compared_text(named, text, reading.scheme)
            }
            _ => Err(Problem::invalid(
                at,
                "one of text, html and document is needed, or collection and id",
            )),
        }
    }
}

/// Compare two documents
///
/// The row is that of `nearprint compare --json`: the distance of the fingerprints, the similarity of the texts, and
/// with `details` the passages that both share or that only one has.
#[utoipa::path(post, path = "/v1/compare", tag = "documents that are not stored",
    request_body = CompareBody,
    responses((status = 200, description = "The row `nearprint/comparison/1`.", body = Comparison)))]
pub(crate) async fn compare_two(
    State(app): State<SharedApp>,
    access: Access,
    request: WholeBody,
) -> Result<Response, Problem> {
    let CompareBody { a, b, options } = request.json()?;
    let question: Compare = of_fields(&options)?;
    if question.details.is_some_and(|details| details > MOST_DETAILS) {
        return Err(Problem::invalid("/details", format!("at most {MOST_DETAILS}")));
    }
    let question = question.resolve().map_err(|error| OptionPlace::Body.refused(&error))?;
    let scheme = question.question().scheme;
    let reading = DocumentReader {
        scheme,
        main_content: false,
        kept: Verification::default().into(),
        digests: false,
        max_bytes: app.limits.body_bytes,
    };
    let shared = app.clone();
    let row = app.work.run(Lane::Document, move || {
        let (engine, collections) = (&shared.engine, &shared.collections);
        let a = a.read("/a", &reading, engine, collections, &access)?;
        let b = b.read("/b", &reading, engine, collections, &access)?;
        question.run(&a, &b, || Ok::<_, Problem>(()))
    });
    Ok(row_answer(StatusCode::OK, &row.await??))
}
