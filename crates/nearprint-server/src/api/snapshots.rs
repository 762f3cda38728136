//! Snapshots of a collection: create, list, download, upload, restore, delete.

use std::future::poll_fn;
use std::pin::Pin;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE, LOCATION};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::access::Access;
use crate::api::collections::{CollectionBody, body};
use crate::collection::Collection;
use crate::file_body::FileBody;
use crate::lines::{JSON_LINES, json_answer};
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::request::{Parameters, PathName, PathNames, flag};
use crate::schemas::RawBytes;
use crate::snapshots::{PartFile, SnapshotBody, SnapshotList};
use crate::state::SharedApp;
use crate::work::Lane;

/// Bytes of an upload that are written at a time.
const PIECE: usize = 1 << 20;

/// How a snapshot is restored.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(crate) struct RestoreParameters {
    /// Let it take the place of the collection that is there.
    #[serde(deserialize_with = "flag")]
    #[param(required = false)]
    replace: bool,
}

fn created(snapshot: &SnapshotBody) -> Response {
    let mut response = json_answer(StatusCode::CREATED, snapshot);
    let SnapshotBody { id, collection, .. } = snapshot;
    if let Ok(location) =
        HeaderValue::from_str(&format!("/v1/collections/{collection}/snapshots/{id}"))
    {
        response.headers_mut().insert(LOCATION, location);
    }
    response
}

/// Make a snapshot of a collection
///
/// It is the collection in one of its states, as one file on the server. Changes go on meanwhile. The answer comes when
/// it is whole.
#[utoipa::path(post, path = "/v1/collections/{collection}/snapshots", tag = "snapshots",
    params(("collection" = String, Path, description = "The name of the collection.")),
    responses((status = 201, description = "It was made.", body = SnapshotBody)))]
pub(crate) async fn create(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
) -> Result<Response, Problem> {
    let shared = app.clone();
    let made = app.with_collection(&access, &name, Lane::Bulk, move |collection| {
        shared.snapshots.create(collection)
    });
    Ok(created(&made.await?))
}

/// List the snapshots of a collection
///
/// Snapshots stay when their collection is deleted.
#[utoipa::path(get, path = "/v1/collections/{collection}/snapshots", tag = "snapshots",
    params(("collection" = String, Path, description = "The name of the collection.")),
    responses((status = 200, description = "The snapshots, the newest first, and files that are none.", body = SnapshotList)))]
pub(crate) async fn list(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
) -> Result<Response, Problem> {
    access.check_collection(&name)?;
    let shared = app.clone();
    let list = app.work.run(Lane::Read, move || shared.snapshots.list(&name)).await??;
    Ok(json_answer(StatusCode::OK, &list))
}

/// Download a snapshot
///
/// Lines of JSON: one about the snapshot, one for each document, and an end with their number and the digest of all
/// before it, without which the file was cut on its way.
#[utoipa::path(get, path = "/v1/collections/{collection}/snapshots/{snapshot}", tag = "snapshots",
    params(
        ("collection" = String, Path, description = "The name of the collection."),
        ("snapshot" = String, Path, description = "The id of the snapshot."),
    ),
    responses((status = 200, description = "The file.", content_type = "application/x-ndjson", body = Object)))]
pub(crate) async fn download(
    State(app): State<SharedApp>,
    access: Access,
    PathNames(name, id): PathNames,
) -> Result<Response, Problem> {
    access.check_collection(&name)?;
    let shared = app.clone();
    let (found, file) =
        app.work.run(Lane::Read, move || shared.snapshots.get(&name, &id)).await??;
    let mut response = Response::new(Body::new(FileBody::new(file, found.bytes)));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(JSON_LINES));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(found.bytes));
    let named = format!("attachment; filename=\"{}-{}.jsonl\"", found.collection, found.id);
    if let Ok(named) = HeaderValue::from_str(&named) {
        headers.insert(CONTENT_DISPOSITION, named);
    }
    Ok(response)
}

/// Upload a snapshot
///
/// The body is a file that was downloaded, here or from another server. The collection need not exist. It is checked
/// before it counts as a snapshot.
#[utoipa::path(put, path = "/v1/collections/{collection}/snapshots/{snapshot}", tag = "snapshots",
    params(
        ("collection" = String, Path, description = "The name of the collection."),
        ("snapshot" = String, Path, description = "The id of the snapshot: 1 to 64 of a to z, 0 to 9, - and _."),
    ),
    request_body(description = "The file.", content((RawBytes = "application/x-ndjson"), (RawBytes = "application/octet-stream"))),
    responses((status = 201, description = "It is there.", body = SnapshotBody)))]
pub(crate) async fn upload(
    State(app): State<SharedApp>,
    access: Access,
    PathNames(name, id): PathNames,
    request: Request,
) -> Result<Response, Problem> {
    access.check_collection(&name)?;
    let limit = app.limits.snapshot_bytes;
    let too_long = || {
        Problem::new(ProblemKind::TooLarge, format!("the snapshot is longer than {limit} bytes"))
    };
    let length = request.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    if length.and_then(|length| length.parse::<u64>().ok()).is_some_and(|length| length > limit) {
        return Err(too_long());
    }
    let (shared, user) = (app.clone(), access.clone());
    let (collection, snapshot) = (name.clone(), id.clone());
    let mut part = app
        .work
        .run(Lane::Write, move || {
            shared.check_room(&user)?;
            shared.snapshots.begin(&collection, &snapshot)
        })
        .await??;
    let mut body = request.into_body();
    let (mut piece, mut length) = (Vec::with_capacity(PIECE), 0_u64);
    while let Some(data) = next(&mut body, &app).await? {
        length += data.len() as u64;
        if length > limit {
            return Err(too_long());
        }
        piece.extend_from_slice(&data);
        if piece.len() >= PIECE {
            part = written(&app, part, std::mem::take(&mut piece)).await?;
        }
    }
    let part = written(&app, part, piece).await?;
    let shared = app.clone();
    let checked =
        app.work.run(Lane::Bulk, move || shared.snapshots.finish_upload(part, &name, &id));
    Ok(created(&checked.await??))
}

/// The next piece of a body, which has its time.
async fn next(body: &mut Body, app: &SharedApp) -> Result<Option<Bytes>, Problem> {
    loop {
        let frame = poll_fn(|context| Pin::new(&mut *body).poll_frame(context));
        let frame = tokio::time::timeout(app.limits.body_grace, frame).await.map_err(|_| {
            let seconds = app.limits.body_grace.as_secs();
            let detail = format!("nothing of the body arrived for {seconds} seconds");
            Problem::new(ProblemKind::RequestTimeout, detail)
        })?;
        let Some(frame) = frame else { return Ok(None) };
        let frame = frame.map_err(|error| {
            let detail = format!("the body cannot be read: {error}");
            Problem::new(ProblemKind::MalformedRequest, detail)
        })?;
        if let Ok(data) = frame.into_data() {
            return Ok(Some(data));
        }
    }
}

async fn written(app: &SharedApp, mut part: PartFile, piece: Vec<u8>) -> Result<PartFile, Problem> {
    let write = move || part.write(&piece).map(|()| part);
    app.work.run(Lane::Write, write).await?
}

/// Restore a snapshot
///
/// The collection has the documents, the scheme and the texts of the snapshot when this is answered. One that is there
/// is replaced only with `replace`; until then it answers as before.
#[utoipa::path(post, path = "/v1/collections/{collection}/snapshots/{snapshot}/restore", tag = "snapshots",
    params(
        ("collection" = String, Path, description = "The name of the collection."),
        ("snapshot" = String, Path, description = "The id of the snapshot."),
        RestoreParameters,
    ),
    responses((status = 201, description = "It is restored.", body = CollectionBody)))]
pub(crate) async fn restore(
    State(app): State<SharedApp>,
    access: Access,
    PathNames(name, id): PathNames,
    Parameters(RestoreParameters { replace }): Parameters<RestoreParameters>,
) -> Result<Response, Problem> {
    access.check_collection(&name)?;
    let shared = app.clone();
    let restored = app.work.run(Lane::Bulk, move || {
        shared.check_room(&access)?;
        let (description, scheme) = shared.snapshots.described(&name, &id)?;
        let fill = |collection: &Collection| shared.snapshots.restore(&name, &id, collection);
        let made = shared.collections.restore(&access, description, scheme, replace, fill)?;
        Ok::<_, Problem>(body(made.summary()?))
    });
    Ok(json_answer(StatusCode::CREATED, &restored.await??))
}

/// Delete a snapshot
#[utoipa::path(delete, path = "/v1/collections/{collection}/snapshots/{snapshot}", tag = "snapshots",
    params(
        ("collection" = String, Path, description = "The name of the collection."),
        ("snapshot" = String, Path, description = "The id of the snapshot."),
    ),
    responses((status = 204, description = "It is gone.")))]
pub(crate) async fn delete(
    State(app): State<SharedApp>,
    access: Access,
    PathNames(name, id): PathNames,
) -> Result<Response, Problem> {
    access.check_collection(&name)?;
    let shared = app.clone();
    app.work.run(Lane::Write, move || shared.snapshots.delete(&name, &id)).await??;
    Ok(StatusCode::NO_CONTENT.into_response())
}
