//! Documents of a collection, one at a time, and lists of them. Ids may be addresses: they are parameters, never parts
//! of a path.

use axum::extract::State;
use axum::http::header::{ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use nearprint::records::{DocumentId, Format, IndexedRow, RowWriter};
use nearprint_index::StoredDocument;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use utoipa::{IntoParams, ToSchema};

use crate::access::Access;
use crate::collection::Collection;
use crate::lines::{JSON, answer, json_answer};
use crate::precondition::Precondition;
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::query_request::no_texts;
use crate::request::{Parameters, PathName, WholeBody, document_id};
use crate::state::SharedApp;
use crate::work::Lane;

/// Documents of a page unless the request says otherwise.
const USUAL_PAGE: usize = 100;

/// The most documents of a page.
const LONGEST_PAGE: usize = 1000;

/// Which document, or which list of documents.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListParameters {
    /// The id of one document. Without it, documents are listed by id.
    id: Option<String>,
    /// List only ids that begin with this.
    prefix: Option<String>,
    /// The most documents of the list, 1 to 1,000; 100 if it is not given.
    limit: Option<usize>,
    /// Where the list goes on: `next_cursor` of the page before.
    cursor: Option<String>,
}

/// The id of a document.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct IdParameter {
    /// The id of the document.
    id: String,
}

/// A page of a list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DocumentList {
    /// Rows `nearprint/indexed/1`, as `nearprint index export` writes them.
    #[schema(value_type = Vec<Object>)]
    items: Vec<Value>,
    /// The cursor of the next page; null at the end.
    next_cursor: Option<String>,
}

/// Ids of documents.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct IdsBody {
    ids: Vec<String>,
}

/// How many documents were removed.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RemovalAnswer {
    removed: u64,
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
    most: usize,
) -> Result<(Vec<StoredDocument>, Option<DocumentId>), Problem> {
    let mut found = collection.index.list(prefix, after, most + 1)?;
    let more = found.len() > most;
    found.truncate(most);
    let next = found.last().filter(|_| more).map(|last| last.id.clone());
    Ok((found, next))
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
/// With `id`, the document as the row `nearprint/indexed/1`, with an ETag. Without it, a page of the list by id.
#[utoipa::path(get, path = "/v1/collections/{collection}/documents", tag = "documents",
    params(("collection" = String, Path, description = "The name of the collection."), ListParameters),
    responses(
        (status = 200, description = "The document or the page.", body = DocumentList),
        (status = 304, description = "The document is that of If-None-Match."),
    ))]
pub(crate) async fn get(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    Parameters(parameters): Parameters<ListParameters>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let ListParameters { id, prefix, limit, cursor: at } = parameters;
    if let Some(id) = id {
        if prefix.is_some() || limit.is_some() || at.is_some() {
            return Err(Problem::invalid("?id", "prefix, limit and cursor are for lists"));
        }
        let id = document_id("?id", &id)?;
        let document = app
            .with_collection(&access, &name, Lane::Read, move |found| found.document(&id))
            .await?;
        let line = line(document);
        let tag = tag_of(&line);
        let known = headers.get(IF_NONE_MATCH).and_then(|value| value.to_str().ok());
        let is_known = known.is_some_and(|known| known.split(',').any(|known| known.trim() == tag));
        let mut response = match is_known {
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
    let listed = app.with_collection(&access, &name, Lane::Read, move |collection| {
        let (found, next) = page(collection, prefix.as_deref().unwrap_or(""), from.as_ref(), most)?;
        let value = |document| serde_json::from_slice(&line(document)).unwrap_or_default();
        let items = found.into_iter().map(value).collect();
        Ok(DocumentList { items, next_cursor: next.as_ref().map(cursor) })
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

/// Remove many documents, in one change
///
/// Ids that are not in the collection are skipped.
#[utoipa::path(post, path = "/v1/collections/{collection}/documents/delete", tag = "documents",
    params(("collection" = String, Path, description = "The name of the collection.")),
    request_body = IdsBody,
    responses((status = 200, description = "How many there were.", body = RemovalAnswer)))]
pub(crate) async fn delete_many(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    request: WholeBody,
) -> Result<Response, Problem> {
    let IdsBody { ids } = request.json()?;
    let most = app.limits.batch_items;
    if ids.len() > most {
        let detail = format!("{} ids were given, but the limit is {most}", ids.len());
        return Err(Problem::new(ProblemKind::TooLarge, detail));
    }
    let id = |(at, id): (usize, &String)| document_id(&format!("/ids/{at}"), id);
    let ids = ids.iter().enumerate().map(id).collect::<Result<Vec<_>, _>>()?;
    let removed =
        app.with_collection(&access, &name, Lane::Write, move |found| found.remove(&ids)).await?;
    Ok(json_answer(StatusCode::OK, &RemovalAnswer { removed }))
}
