//! Documents of a collection, one at a time, and lists of them. Ids may be addresses: they are parameters, never parts
//! of a path. Many documents in one request are in `selection`.

mod selection;

pub(crate) use selection::*;

use axum::extract::State;
use axum::http::header::ETAG;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use nearprint::records::{DocumentId, Format, IndexedRow, RowWriter};
use nearprint_index::{DocumentPage, PageRequest, StoredDocument};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use utoipa::{IntoParams, ToSchema};

use crate::access::Access;
use crate::collection::Collection;
use crate::condition::filter_of_lines;
use crate::lines::{JSON, answer, json_answer};
use crate::precondition::Precondition;
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::query_request::no_texts;
use crate::request::{Parameters, PathName, document_id, flag};
use crate::schemas::StoredDocumentRow;
use crate::state::SharedApp;
use crate::work::Lane;

/// Documents of a page unless the request says otherwise.
const USUAL_PAGE: usize = 100;

/// The most documents of a page.
const LONGEST_PAGE: usize = 1000;

/// Documents that are looked at for a page of those that fulfil conditions.
const LOOKS: usize = 20_000;

/// Bytes of texts after which a page ends.
const TEXT_BYTES: usize = 8 << 20;

/// Which document, or which list of documents.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListParameters {
    /// The id of one document. Without it, documents are listed by id.
    #[param(min_length = 1, max_length = 4096)]
    id: Option<String>,
    /// List only ids that begin with this.
    #[param(max_length = 4096)]
    prefix: Option<String>,
    /// List only documents whose metadata fulfil the condition, as of queries. Can be repeated: all must hold. A page
    /// ends where 20,000 documents were looked at, so that it may have fewer items than the limit, and none.
    #[serde(rename = "where")]
    #[param(min_length = 1, max_length = 32768)]
    condition: Option<String>,
    /// Give the texts, too. A page ends where they have 8 MiB.
    #[serde(default, deserialize_with = "flag")]
    #[param(required = false)]
    text: bool,
    /// The most documents of the list; 100 if it is not given.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// Where the list goes on: `next_cursor` of the page before.
    #[param(max_length = 5462)]
    cursor: Option<String>,
}

/// The id of a document.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct IdParameter {
    /// The id of the document.
    #[param(min_length = 1, max_length = 4096)]
    id: String,
}

/// A page of a list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DocumentList {
    /// The documents.
    #[schema(value_type = Vec<StoredDocumentRow>)]
    items: Vec<Value>,
    /// The cursor of the next page; null at the end.
    next_cursor: Option<String>,
}

/// A document, or a page of them.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) enum DocumentOrList {
    /// With `id`.
    Document(Box<StoredDocumentRow>),
    /// Without it.
    List(DocumentList),
}

/// The line of a document, as the command writes it.
pub(crate) fn line(document: StoredDocument) -> Vec<u8> {
    let mut writer = RowWriter::new(Format::Jsonl, Vec::new());
    // Writing to memory does not fail.
    let _ = writer.write(&IndexedRow::from(document));
    writer.into_inner()
}

/// A page of documents, and the id after which the next one begins.
pub(crate) fn page(
    collection: &Collection,
    prefix: &str,
    after: Option<&DocumentId>,
    request: &PageRequest<'_>,
) -> Result<DocumentPage, Problem> {
    if request.texts && !collection.keeps_texts() {
        return Err(no_texts(&collection.description.name));
    }
    Ok(collection.index.page(prefix, after, request)?)
}

pub(crate) fn cursor(id: &DocumentId) -> String {
    URL_SAFE_NO_PAD.encode(id.as_str())
}

pub(crate) fn after(cursor: &str) -> Result<DocumentId, Problem> {
    let bytes = URL_SAFE_NO_PAD.decode(cursor).ok();
    let id = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    let id = id.and_then(|id| DocumentId::new(id).ok());
    id.ok_or_else(|| Problem::invalid("?cursor", "this is not a next_cursor of a page before"))
}

/// Refuses to change a document that is not as the request wants it.
pub(crate) fn checked(
    condition: &Precondition,
    there: Option<StoredDocument>,
) -> Result<(), Problem> {
    condition.check(there.map(|document| tag_of(&line(document))).as_deref())
}

/// The tag of a document, of its line.
fn tag_of(line: &[u8]) -> String {
    format!("\"{}\"", URL_SAFE_NO_PAD.encode(&Sha256::digest(line)[..16]))
}

/// A document, or a list of documents
///
/// With `id`, the document as the row `nearprint/indexed/1`, with an ETag. Without it, a page of the list by id. Either
/// has the texts if they are asked for and kept.
#[utoipa::path(get, path = "/v1/collections/{collection}/documents", tag = "documents",
    params(("collection" = String, Path, description = "The name of the collection."), ListParameters),
    responses(
        (status = 200, description = "The document or the page.", body = DocumentOrList),
        (status = 304, description = "The document is that of If-None-Match."),
    ))]
pub(crate) async fn get(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    Parameters(parameters): Parameters<ListParameters>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let ListParameters { id, prefix, condition, text, limit, cursor: at } = parameters;
    if let Some(id) = id {
        if prefix.is_some() || condition.is_some() || limit.is_some() || at.is_some() {
            return Err(Problem::invalid("?id", "prefix, where, limit and cursor are for lists"));
        }
        let id = document_id("?id", &id)?;
        let lines = app.with_collection(&access, &name, Lane::Read, move |found| {
            let tag = tag_of(&line(found.document(&id)?));
            Ok((line(found.document_with(&id, text)?), tag))
        });
        // The tag is that of the document, with or without its text.
        let (line, tag) = lines.await?;
        let mut response = match Precondition::of(&headers).check_read(&tag)? {
            true => StatusCode::NOT_MODIFIED.into_response(),
            false => answer(StatusCode::OK, JSON, line),
        };
        if let Ok(tag) = HeaderValue::from_str(&tag) {
            response.headers_mut().insert(ETAG, tag);
        }
        return Ok(response);
    }
    let most = limit.unwrap_or(USUAL_PAGE);
    if !(1..=LONGEST_PAGE).contains(&most) {
        return Err(Problem::invalid("?limit", format!("a limit is from 1 to {LONGEST_PAGE}")));
    }
    let from = at.as_deref().map(after).transpose()?;
    let filter = filter_of_lines(condition.as_deref())?;
    let lane = if text || !filter.is_empty() { Lane::Bulk } else { Lane::Read };
    let listed = app.with_collection(&access, &name, lane, move |collection| {
        let (looks, text_bytes) = (LOOKS, TEXT_BYTES);
        let (features, texts) = (false, text);
        let request = PageRequest { filter: &filter, most, looks, features, texts, text_bytes };
        let found = page(collection, prefix.as_deref().unwrap_or(""), from.as_ref(), &request)?;
        let value = |document| serde_json::from_slice(&line(document)).unwrap_or_default();
        let items = found.documents.into_iter().map(value).collect();
        Ok(DocumentList { items, next_cursor: found.next.as_ref().map(cursor) })
    });
    Ok(json_answer(StatusCode::OK, &listed.await?))
}

/// The text of a document
///
/// Only of collections that keep texts, and of documents that were not added as fingerprints.
#[utoipa::path(get, path = "/v1/collections/{collection}/documents/text", tag = "documents",
    params(("collection" = String, Path, description = "The name of the collection."), IdParameter),
    responses((status = 200, description = "The text.", content_type = "text/plain", body = String)))]
pub(crate) async fn text(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    Parameters(IdParameter { id }): Parameters<IdParameter>,
) -> Result<Response, Problem> {
    let id = document_id("?id", &id)?;
    let text = app.with_collection(&access, &name, Lane::Read, move |collection| {
        if !collection.keeps_texts() {
            return Err(no_texts(&collection.description.name));
        }
        collection.text(&collection.document(&id)?)?.ok_or_else(|| {
            Problem::new(ProblemKind::NoTexts, format!("{id} was added as a fingerprint"))
        })
    });
    Ok(answer(StatusCode::OK, "text/plain; charset=utf-8", text.await?.into_bytes()))
}

/// Remove a document
///
/// With If-Match, only a document of one of these tags.
#[utoipa::path(delete, path = "/v1/collections/{collection}/documents", tag = "documents",
    params(("collection" = String, Path, description = "The name of the collection."), IdParameter),
    responses((status = 204, description = "It is gone.")))]
pub(crate) async fn delete(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    Parameters(IdParameter { id }): Parameters<IdParameter>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let id = document_id("?id", &id)?;
    let condition = Precondition::of(&headers);
    app.with_collection(&access, &name, Lane::Write, move |collection| {
        let ids = std::slice::from_ref(&id);
        let removed = match condition.is_empty() {
            true => collection.remove(ids)?,
            false => {
                let check = |there| checked(&condition, there);
                collection.changed_if(&id, check, |index| index.remove_batch(ids))?
            }
        };
        match removed {
            0 => collection.document(&id).map(drop),
            _ => Ok(()),
        }
    })
    .await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
