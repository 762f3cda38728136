//! Many documents in one request: those of a list of ids, or those whose metadata fulfil a condition.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use nearprint::records::{DocumentId, IndexedRow};
use nearprint::{Documents as _, Filter, Parts};
use nearprint_index::{MetadataChange, PageRequest};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use crate::access::Access;
use crate::collection::Collection;
use crate::condition::{filter_of_field, filter_of_lines};
use crate::lines::{Lines, json_answer};
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::query_request::no_texts;
use crate::request::{Parameters, PathName, WholeBody, document_id};
use crate::schemas::{StoredDocumentRow, StoredDocumentRows};
use crate::state::SharedApp;
use crate::work::Lane;

/// Documents of a page, while those of a prefix are counted.
const COUNTED_TOGETHER: usize = 10_000;

/// Documents that are named, or that fulfil a condition: one of the two fields is needed.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SelectionBody {
    /// Ids. Those that are not in the collection are skipped.
    #[schema(max_items = 1000)]
    ids: Option<Vec<String>>,
    /// A condition on metadata, as of queries.
    #[serde(rename = "where")]
    #[schema(
        min_length = 1,
        max_length = 65536,
        example = "crawl in (2026-10, 2026-11) and not host=example.org"
    )]
    condition: Option<String>,
}

/// Which documents get other metadata, and which.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MetadataBody {
    /// Ids. Those that are not in the collection are skipped.
    #[serde(default)]
    #[schema(max_items = 1000)]
    ids: Option<Vec<String>>,
    /// Instead of ids, a condition on metadata, as of queries.
    #[serde(default, rename = "where")]
    #[schema(min_length = 1, max_length = 65536, example = "crawl=2026-11")]
    condition: Option<String>,
    /// The fields that are set; one that is null is removed, and all others stay (a JSON merge patch, RFC 7396).
    #[schema(value_type = Object)]
    metadata: Map<String, Value>,
    /// Whether these fields are all that there are afterwards.
    #[serde(default)]
    replace: bool,
}

/// Which documents are wanted.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FetchBody {
    /// Ids. Those that are not in the collection are skipped.
    #[schema(max_items = 1000)]
    ids: Vec<String>,
    /// Whether the texts are wanted, too.
    #[serde(default)]
    text: bool,
}

/// Which documents are counted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct CountParameters {
    /// Only ids that begin with this.
    #[param(max_length = 4096)]
    prefix: Option<String>,
    /// Only documents whose metadata fulfil the condition, as of queries. Can be repeated: all must hold.
    #[serde(rename = "where")]
    #[param(min_length = 1, max_length = 32768)]
    condition: Option<String>,
}

/// How many documents there are.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CountAnswer {
    count: u64,
}

/// How many documents were removed.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RemovalAnswer {
    removed: u64,
}

/// How many documents there are that have these metadata now.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MetadataAnswer {
    changed: u64,
}

/// The documents that a request is about.
enum Selection {
    Ids(Vec<DocumentId>),
    Where(Filter),
}

impl Selection {
    /// What the two fields say, of which one is needed.
    fn of(ids: Option<&[String]>, condition: Option<&str>, most: usize) -> Result<Self, Problem> {
        match (ids, condition) {
            (Some(ids), None) => Ok(Self::Ids(named(ids, most)?)),
            (None, Some(condition)) => Ok(Self::Where(filter_of_field("/where", condition)?)),
            _ => Err(Problem::invalid("", "one of ids and where is needed")),
        }
    }

    /// A condition is looked for among all documents.
    fn lane(&self) -> Lane {
        match self {
            Self::Ids(_) => Lane::Write,
            Self::Where(_) => Lane::Bulk,
        }
    }
}

/// Ids of a request, at most so many.
fn named(ids: &[String], most: usize) -> Result<Vec<DocumentId>, Problem> {
    if ids.len() > most {
        let detail = format!("{} ids were given, but the limit is {most}", ids.len());
        return Err(
            Problem::new(ProblemKind::TooLarge, detail).with_remedy("send several requests")
        );
    }
    let id = |(at, id): (usize, &String)| document_id(&format!("/ids/{at}"), id);
    ids.iter().enumerate().map(id).collect()
}

/// Remove many documents, in one change
///
/// Those of a list of ids, of which those that are not in the collection are skipped, or all whose metadata fulfil a
/// condition.
#[utoipa::path(post, path = "/v1/collections/{collection}/documents/delete", tag = "documents",
    params(("collection" = String, Path, description = "The name of the collection.")),
    request_body = SelectionBody,
    responses((status = 200, description = "How many there were.", body = RemovalAnswer)))]
pub(crate) async fn delete_many(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    request: WholeBody,
) -> Result<Response, Problem> {
    let SelectionBody { ids, condition } = request.json()?;
    let selection = Selection::of(ids.as_deref(), condition.as_deref(), app.limits.batch_items)?;
    let removed =
        app.with_collection(&access, &name, selection.lane(), move |collection| match &selection {
            Selection::Ids(ids) => collection.remove(ids),
            Selection::Where(filter) => collection.remove_where(filter),
        });
    Ok(json_answer(StatusCode::OK, &RemovalAnswer { removed: removed.await? }))
}

/// Change the metadata of documents, in one change
///
/// Texts, fingerprints and all else of the documents stay as they are.
#[utoipa::path(post, path = "/v1/collections/{collection}/documents/metadata", tag = "documents",
    params(("collection" = String, Path, description = "The name of the collection.")),
    request_body = MetadataBody,
    responses((status = 200, description = "How many there are.", body = MetadataAnswer)))]
pub(crate) async fn change_metadata(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    request: WholeBody,
) -> Result<Response, Problem> {
    let MetadataBody { ids, condition, metadata, replace } = request.json()?;
    let selection = Selection::of(ids.as_deref(), condition.as_deref(), app.limits.batch_items)?;
    let change = match replace {
        true => MetadataChange::Replace(Some(metadata)),
        false => MetadataChange::Merge(metadata),
    };
    app.check_room(&access)?;
    let changed =
        app.with_collection(&access, &name, selection.lane(), move |collection| match &selection {
            Selection::Ids(ids) => collection.change_metadata(ids, &change),
            Selection::Where(filter) => collection.change_metadata_where(filter, &change),
        });
    Ok(json_answer(StatusCode::OK, &MetadataAnswer { changed: changed.await? }))
}

/// Many documents by their ids
///
/// The answer is a line `nearprint/indexed/1` for each that is there, in the order of the ids, or with `Accept:
/// application/json` one object that has them as `items`.
#[utoipa::path(post, path = "/v1/collections/{collection}/documents/fetch", tag = "documents",
    params(("collection" = String, Path, description = "The name of the collection.")),
    request_body = FetchBody,
    responses((status = 200, description = "The documents.", content(
        (StoredDocumentRow = "application/x-ndjson"), (StoredDocumentRows = "application/json")))))]
pub(crate) async fn fetch(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    request: WholeBody,
) -> Result<Response, Problem> {
    let FetchBody { ids, text } = request.json()?;
    let ids = named(&ids, app.limits.batch_items)?;
    let (form, most) = (request.form, app.limits.body_bytes);
    let lane = if text { Lane::Bulk } else { Lane::Read };
    let lines = app.with_collection(&access, &name, lane, move |collection| {
        fetched(collection, &ids, text, most)
    });
    Ok(lines.await?.answer(form))
}

fn fetched(
    collection: &Collection,
    ids: &[DocumentId],
    text: bool,
    most: u64,
) -> Result<Lines, Problem> {
    if text && !collection.keeps_texts() {
        return Err(no_texts(&collection.description.name));
    }
    let mut lines = Lines::new();
    for id in ids {
        let document = match text {
            true => collection.index.document_with_text(id)?,
            false => collection.index.document_record(id)?,
        };
        let Some(document) = document else { continue };
        lines.push(&IndexedRow::from(document));
        lines.check(most)?;
    }
    Ok(lines)
}

/// The number of documents
///
/// All of the collection, or those whose ids begin with a prefix and whose metadata fulfil conditions. With either, all
/// documents are looked through.
#[utoipa::path(get, path = "/v1/collections/{collection}/documents/count", tag = "documents",
    params(("collection" = String, Path, description = "The name of the collection."), CountParameters),
    responses((status = 200, description = "How many there are.", body = CountAnswer)))]
pub(crate) async fn count(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    Parameters(CountParameters { prefix, condition }): Parameters<CountParameters>,
) -> Result<Response, Problem> {
    let filter = filter_of_lines(condition.as_deref())?;
    let prefix = prefix.unwrap_or_default();
    let lane = if prefix.is_empty() && filter.is_empty() { Lane::Read } else { Lane::Bulk };
    let count = app.with_collection(&access, &name, lane, move |collection| {
        counted(collection, &prefix, &filter)
    });
    Ok(json_answer(StatusCode::OK, &CountAnswer { count: count.await? }))
}

fn counted(collection: &Collection, prefix: &str, filter: &Filter) -> Result<u64, Problem> {
    let index = &collection.index;
    if prefix.is_empty() && filter.is_empty() {
        return Ok(index.len()?);
    }
    let mut count = 0;
    if prefix.is_empty() {
        let documents: &dyn nearprint::Documents = index;
        documents.for_each(&Parts::default(), filter, |_| {
            count += 1;
            Ok::<_, nearprint::Error>(())
        })?;
        return Ok(count);
    }
    let request = PageRequest { filter, looks: COUNTED_TOGETHER, ..PageRequest::default() };
    let mut after = None;
    loop {
        let page = index.page(prefix, after.as_ref(), &request)?;
        count += page.documents.len() as u64;
        after = page.next;
        if after.is_none() {
            return Ok(count);
        }
    }
}
