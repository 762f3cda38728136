//! Collections: create, list, look at, delete.

use axum::extract::State;
use axum::http::header::LOCATION;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use nearprint::records::{Format, RowWriter};
use nearprint_index::default_parts;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::access::Access;
use crate::api::health::{Damage, damaged};
use crate::collection::{Collection, CollectionSummary, Description};
use crate::lines::json_answer;
use crate::problem::Problem;
use crate::question::scheme;
use crate::request::{PathName, WholeBody};
use crate::state::SharedApp;
use crate::work::Lane;

/// Bytes of a template of addresses (<=).
const LONGEST_TEMPLATE: usize = 2048;

/// How a collection is created.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreateBody {
    /// The scheme of all fingerprints, by its id: md1 if it is not given, and sd1 without features.
    #[serde(default)]
    #[schema(example = "md1")]
    scheme: Option<String>,
    /// Whether the texts of documents are kept, so that they can be shown, compared and verified.
    #[serde(default)]
    texts: bool,
    /// Whether the features of texts are kept, so that matches, pairs and clusters are verified. Documents are added
    /// then, and no fingerprints alone. With md1 they are, with another scheme they are not, if it is not given.
    #[serde(default)]
    features: Option<bool>,
    /// Where captures are replayed: a template of addresses with `{timestamp}` and `{url}`. With it there are TimeMaps
    /// and a TimeGate, and pages have links.
    #[serde(default)]
    #[schema(example = "https://web.example.org/crawl/{timestamp}/{url}", max_length = 2048)]
    replay: Option<String>,
}

/// What can be changed of a collection.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChangeBody {
    /// Where captures are replayed: a template of addresses with `{timestamp}` and `{url}`; null for nowhere.
    #[schema(max_length = 2048)]
    replay: Option<String>,
}

/// A collection.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CollectionBody {
    /// Its name.
    name: String,
    /// Whether the texts of documents are kept.
    texts: bool,
    /// Whether the features of texts are kept.
    features: bool,
    /// The scheme of all fingerprints.
    scheme: String,
    /// `open`, or `read-only` where it cannot be written to; `/healthz` says why.
    state: &'static str,
    /// The number of documents.
    documents: u64,
    /// The number of captures of the Web, with documents or without.
    captures: u64,
    /// Where captures are replayed: a template of addresses; null where that is not set.
    replay: Option<String>,
    /// The row `nearprint/index/1`, as `nearprint index stats` writes it.
    #[schema(value_type = Object)]
    statistics: Value,
    /// Why the tables of the index could not be merged the last time; queries still find every document.
    #[serde(skip_serializing_if = "Option::is_none")]
    merge_error: Option<String>,
}

/// All collections.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CollectionList {
    /// Those that can be read.
    items: Vec<CollectionBody>,
    /// Those that cannot be opened.
    damaged: Vec<Damage>,
}

pub(crate) fn body(summary: CollectionSummary) -> CollectionBody {
    let CollectionSummary { description, features, captures, is_read_only, row, merge_error } =
        summary;
    let mut line = RowWriter::new(Format::Jsonl, Vec::new());
    // Writing to memory does not fail.
    let _ = line.write(&row);
    let statistics = serde_json::from_slice(&line.into_inner()).unwrap_or_default();
    let Description { name, texts, replay } = description;
    let (scheme, documents) = (row.scheme, row.documents);
    let state = if is_read_only { "read-only" } else { "open" };
    CollectionBody {
        name,
        texts,
        features,
        scheme,
        state,
        documents,
        captures,
        replay,
        statistics,
        merge_error,
    }
}

/// List all collections
#[utoipa::path(get, path = "/v1/collections", tag = "collections",
    responses((status = 200, description = "The collections, by name.", body = CollectionList)))]
pub(crate) async fn list(
    State(app): State<SharedApp>,
    access: Access,
) -> Result<Response, Problem> {
    let shared = app.clone();
    let list = app.work.run(Lane::Read, move || {
        let items = shared.collections.summaries(&access).into_iter().map(body).collect();
        CollectionList { items, damaged: damaged(&shared, &access) }
    });
    Ok(json_answer(StatusCode::OK, &list.await?))
}

/// Create a collection
///
/// A name has 1 to 64 of the characters a to z, 0 to 9, - and _, and begins with a letter or digit. Without a body, the
/// scheme is md1, and features are kept, by which queries and jobs are verified; without features it is sd1.
/// Creating a collection again with the same settings changes nothing.
#[utoipa::path(put, path = "/v1/collections/{collection}", tag = "collections",
    params(("collection" = String, Path, description = "The name of the collection.")),
    request_body(content = Option<CreateBody>, description = "The settings; may be empty."),
    responses(
        (status = 201, description = "It was created.", body = CollectionBody),
        (status = 200, description = "It was there with the same settings.", body = CollectionBody),
    ))]
pub(crate) async fn create(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    request: WholeBody,
) -> Result<Response, Problem> {
    let settings: CreateBody = if request.bytes.trim_ascii().is_empty() {
        CreateBody::default()
    } else {
        request.json()?
    };
    let scheme = settings.scheme.as_deref().map(|name| scheme("/scheme", name)).transpose()?;
    let (scheme, features) = default_parts(scheme, settings.features);
    let location = format!("/v1/collections/{name}");
    let shared = app.clone();
    let done = app.work.run(Lane::Write, move || {
        let replay = checked_template(settings.replay)?;
        let description = Description { name, texts: settings.texts, replay };
        let (collection, is_new) =
            shared.collections.create(&access, description, (scheme, features))?;
        Ok::<_, Problem>((body(collection.summary()?), is_new))
    });
    let (body, is_new) = done.await??;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    let mut response = json_answer(status, &body);
    if let Ok(location) = HeaderValue::from_str(&location) {
        response.headers_mut().insert(LOCATION, location);
    }
    Ok(response)
}

/// A template of addresses, if it is one.
fn checked_template(template: Option<String>) -> Result<Option<String>, Problem> {
    let is_template = |template: &String| {
        let has_scheme = template.starts_with("https://") || template.starts_with("http://");
        let is_plain = template.bytes().all(|byte| (b'!'..=b'~').contains(&byte) && byte != b'"');
        template.len() <= LONGEST_TEMPLATE
            && has_scheme
            && is_plain
            && template.contains("{timestamp}")
            && template.contains("{url}")
    };
    match template {
        Some(template) if !is_template(&template) => {
            let detail = "a template of addresses begins with https:// or http://, and has {timestamp} and {url}";
            Err(Problem::invalid("/replay", detail))
        }
        template => Ok(template),
    }
}

/// Change where captures of a collection are replayed
#[utoipa::path(patch, path = "/v1/collections/{collection}", tag = "collections",
    params(("collection" = String, Path, description = "The name of the collection.")),
    request_body(content = ChangeBody, description = "What changes."),
    responses((status = 200, description = "The collection.", body = CollectionBody)))]
pub(crate) async fn change(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    request: WholeBody,
) -> Result<Response, Problem> {
    let change: ChangeBody = request.json()?;
    let replay = checked_template(change.replay)?;
    let found = app.with_collection(&access, &name, Lane::Write, move |collection| {
        collection.set_replay(replay)?;
        collection.summary()
    });
    Ok(json_answer(StatusCode::OK, &body(found.await?)))
}

/// A collection with its statistics
#[utoipa::path(get, path = "/v1/collections/{collection}", tag = "collections",
    params(("collection" = String, Path, description = "The name of the collection.")),
    responses((status = 200, description = "The collection.", body = CollectionBody)))]
pub(crate) async fn get(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
) -> Result<Response, Problem> {
    let found = app.with_collection(&access, &name, Lane::Read, Collection::summary).await?;
    Ok(json_answer(StatusCode::OK, &body(found)))
}

/// Delete a collection with all its documents
#[utoipa::path(delete, path = "/v1/collections/{collection}", tag = "collections",
    params(("collection" = String, Path, description = "The name of the collection.")),
    responses((status = 204, description = "It is gone.")))]
pub(crate) async fn delete(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
) -> Result<Response, Problem> {
    let shared = app.clone();
    app.work.run(Lane::Write, move || shared.collections.delete(&access, &name)).await??;
    Ok(StatusCode::NO_CONTENT.into_response())
}
