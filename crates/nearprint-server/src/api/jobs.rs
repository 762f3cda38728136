//! Jobs: start, look at, cancel, delete, and fetch results.

use axum::body::Body;
use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE, LOCATION};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::access::Access;
use crate::client::Client;
use crate::file_body::FileBody;
use crate::jobs::{Job, JobFilter, JobRecord, JobRequest, JobState, JobType, Jobs};
use crate::lines::{JSON_LINES, json_answer};
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::request::{Parameters, PathName, WholeBody};
use crate::schemas::ResultRow;
use crate::state::SharedApp;
use crate::work::Lane;

/// Jobs of a page unless the request says otherwise, and at most.
const PAGE: (usize, usize) = (100, 1000);

/// The longest idempotency key, in bytes.
const LONGEST_KEY: usize = 255;

/// A job.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct JobBody {
    id: String,
    /// The name of the collection that it concerns; what was asked for may have an alias.
    collection: String,
    /// What was asked for.
    request: JobRequest,
    /// How far it is.
    state: JobState,
    /// Milliseconds since 1970-01-01 UTC.
    #[schema(minimum = 0)]
    created: u64,
    /// The same; null until its turn has come.
    #[schema(minimum = 0)]
    started: Option<u64>,
    /// The same; null until it has ended.
    #[schema(minimum = 0)]
    ended: Option<u64>,
    /// The same: when it is deleted with its result; null until it has ended.
    #[schema(minimum = 0)]
    expires: Option<u64>,
    /// How much is done.
    progress: ProgressBody,
    /// The address of the result; null until there is one.
    result: Option<String>,
    /// Rows of the result, without its last line.
    rows: Option<u64>,
    /// Of the decisions of `dedup`, how many have each reason.
    reasons: BTreeMap<String, u64>,
    /// Why it failed.
    detail: Option<String>,
}

/// How much of how much is done, in units of the search.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProgressBody {
    done: u64,
    /// 0 while it is not known.
    total: u64,
}

/// A page of jobs.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct JobList {
    items: Vec<JobBody>,
    /// The cursor of the next page; null at the end.
    next_cursor: Option<String>,
}

/// Which jobs are listed.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct JobParameters {
    /// Only jobs of this collection.
    #[param(min_length = 1, max_length = 64, pattern = "^[a-z0-9][a-z0-9_-]*$")]
    collection: Option<String>,
    /// Only jobs in this state.
    #[param(inline)]
    state: Option<JobState>,
    /// The most jobs of the page; 100 if it is not given.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// Where the list goes on: `next_cursor` of the page before.
    #[param(pattern = "^[0-9a-f]{8,16}$")]
    cursor: Option<String>,
}

/// Whether a job may have this id.
fn is_id(text: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    (8..=16).contains(&text.len()) && text.bytes().all(is_digit)
}

fn body(jobs: &Jobs, job: &Job) -> JobBody {
    let record = job.record();
    let (expires, collection) = (jobs.expires(&record), record.collection().to_owned());
    let JobRecord { id, request, state, created, started, ended, rows, reasons, detail, .. } =
        record;
    let (done, total) = job.progress();
    let result = (state == JobState::Done).then(|| format!("/v1/jobs/{id}/result"));
    let progress = ProgressBody { done, total };
    JobBody {
        id,
        collection,
        request,
        state,
        created,
        started,
        ended,
        expires,
        progress,
        result,
        rows,
        reasons,
        detail,
    }
}

/// Start a job
///
/// `pairs` and `clusters` are of all fingerprints of a collection, as `nearprint pairs` and `clusters` of an index find
/// them. `dedup` compares the texts that a collection keeps, and its rows say which documents `nearprint dedup` would
/// keep; it removes nothing. `import` adds the documents of a file or folder that lies on the server, in the directory
/// that `--import-from` names; its rows are the documents that have no fingerprint, and last what changed. With a
/// header `Idempotency-Key`, a request that is sent again gets the job of the first.
#[utoipa::path(post, path = "/v1/jobs", tag = "jobs",
    params(("Idempotency-Key" = Option<String>, Header, description = "A key of 1 to 255 characters that is new for each job.")),
    request_body = JobRequest,
    responses((status = 202, description = "It waits for its turn; Location names it.", body = JobBody)))]
pub(crate) async fn start(
    State(app): State<SharedApp>,
    access: Access,
    headers: HeaderMap,
    request: WholeBody,
) -> Result<Response, Problem> {
    let asked: JobRequest = request.json()?;
    let key = match headers.get("idempotency-key") {
        None => None,
        Some(key) => match key.to_str() {
            // Keys of two tokens are two.
            Ok(key) if (1..=LONGEST_KEY).contains(&key.len()) => Some(match access.token() {
                Some(token) => format!("{} {key}", token.id),
                None => key.to_owned(),
            }),
            _ => {
                let said = format!("a key has 1 to {LONGEST_KEY} characters of ASCII");
                return Err(Problem::invalid("Idempotency-Key", said));
            }
        },
    };
    let collection = app.collection(&access, &asked.collection).await?;
    app.jobs.check(&asked, &collection)?;
    if asked.kind == JobType::Import {
        app.check_room(&access)?;
    }
    let of = (collection.description.name.clone(), app.opening(&access, &collection));
    drop(collection);
    let (shared, client) = (app.clone(), Client::current());
    let job = app.work.run(Lane::Write, move || {
        let (job, is_new) = shared.jobs.add(asked, (client, key), of, &shared.engine)?;
        if !is_new {
            // An alias may have named another collection when the job came.
            access.check_collection(job.record().collection())?;
        }
        Ok::<_, Problem>(body(&shared.jobs, &job))
    });
    let job = job.await??;
    let mut response = json_answer(StatusCode::ACCEPTED, &job);
    if let Ok(location) = HeaderValue::from_str(&format!("/v1/jobs/{}", job.id)) {
        response.headers_mut().insert(LOCATION, location);
    }
    Ok(response)
}

/// List jobs
///
/// The newest first, a page at a time.
#[utoipa::path(get, path = "/v1/jobs", tag = "jobs", params(JobParameters),
    responses((status = 200, description = "The page.", body = JobList)))]
pub(crate) async fn list(
    State(app): State<SharedApp>,
    access: Access,
    Parameters(parameters): Parameters<JobParameters>,
) -> Result<Response, Problem> {
    let JobParameters { collection, state, limit, cursor } = parameters;
    let (usual, longest) = PAGE;
    let most = limit.unwrap_or(usual);
    if !(1..=longest).contains(&most) {
        return Err(Problem::invalid("?limit", format!("a limit is from 1 to {longest}")));
    }
    if cursor.as_deref().is_some_and(|cursor| !is_id(cursor)) {
        return Err(Problem::invalid("?cursor", "this is not a next_cursor of a page before"));
    }
    let collection = collection.map(|name| app.collections.own_name(&access, &name)).transpose()?;
    let wanted = JobFilter { collection, state };
    let (found, next_cursor) = app.jobs.page(&access, &wanted, cursor.as_deref(), most);
    let items = found.iter().map(|job| body(&app.jobs, job)).collect();
    Ok(json_answer(StatusCode::OK, &JobList { items, next_cursor }))
}

/// A job with its state and progress
#[utoipa::path(get, path = "/v1/jobs/{job}", tag = "jobs",
    params(("job" = String, Path, description = "The id of the job.")),
    responses((status = 200, description = "The job.", body = JobBody)))]
pub(crate) async fn get(
    State(app): State<SharedApp>,
    access: Access,
    PathName(id): PathName,
) -> Result<Response, Problem> {
    Ok(json_answer(StatusCode::OK, &body(&app.jobs, &*app.jobs.get(&access, &id)?)))
}

/// Cancel a job
///
/// A job that has ended stays as it is. One that runs is `cancelled` soon afterwards.
#[utoipa::path(post, path = "/v1/jobs/{job}/cancel", tag = "jobs",
    params(("job" = String, Path, description = "The id of the job.")),
    responses((status = 202, description = "The job.", body = JobBody)))]
pub(crate) async fn cancel(
    State(app): State<SharedApp>,
    access: Access,
    PathName(id): PathName,
) -> Result<Response, Problem> {
    let shared = app.clone();
    let job = app.work.run(Lane::Write, move || {
        shared.jobs.cancel(&access, &id).map(|job| body(&shared.jobs, &job))
    });
    Ok(json_answer(StatusCode::ACCEPTED, &job.await??))
}

/// Delete a job with its result
///
/// A job that has not ended is cancelled before.
#[utoipa::path(delete, path = "/v1/jobs/{job}", tag = "jobs",
    params(("job" = String, Path, description = "The id of the job.")),
    responses((status = 204, description = "It is gone.")))]
pub(crate) async fn delete(
    State(app): State<SharedApp>,
    access: Access,
    PathName(id): PathName,
) -> Result<Response, Problem> {
    let shared = app.clone();
    app.work.run(Lane::Write, move || shared.jobs.delete(&access, &id)).await??;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// The result of a job
///
/// Rows as the command writes them. The last line is `{"schema":"nearprint/end/1","rows":n}`: a result without it was
/// cut on its way.
#[utoipa::path(get, path = "/v1/jobs/{job}/result", tag = "jobs",
    params(("job" = String, Path, description = "The id of the job.")),
    responses((status = 200, description = "The rows and the end.", content_type = "application/x-ndjson", body = ResultRow)))]
pub(crate) async fn result(
    State(app): State<SharedApp>,
    access: Access,
    PathName(id): PathName,
) -> Result<Response, Problem> {
    let job = app.jobs.get(&access, &id)?;
    let state = job.record().state;
    if state != JobState::Done {
        let detail = format!("job {id} is {}", state.name());
        return Err(Problem::new(ProblemKind::NoResult, detail));
    }
    let opened = app.work.run(Lane::Read, move || {
        let file = std::fs::File::open(job.result())?;
        let length = file.metadata()?.len();
        Ok::<_, std::io::Error>((file, length))
    });
    let (file, length) = opened.await?.map_err(|error| {
        Problem::new(ProblemKind::Storage, format!("the result cannot be read: {error}"))
    })?;
    let mut response = Response::new(Body::new(FileBody::new(file, length)));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(JSON_LINES));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
    headers.insert(
        CONTENT_DISPOSITION,
        HeaderValue::from_static("attachment; filename=\"result.jsonl\""),
    );
    Ok(response)
}
