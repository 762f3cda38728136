//! Whether the server lives and is ready, and its numbers.

use std::sync::atomic::Ordering;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::access::{Access, Need};
use crate::lines::{answer, json_answer};
use crate::metrics::Gauge;
use crate::problem::Problem;
use crate::state::SharedApp;
use crate::work::Lane;

const TEXT: &str = "text/plain; charset=utf-8";

/// Whether the process answers.
#[utoipa::path(get, path = "/livez", tag = "operation",
    responses((status = 200, description = "It does.", content_type = "text/plain", body = String)))]
pub(crate) async fn livez() -> Response {
    answer(StatusCode::OK, TEXT, b"ok\n".to_vec())
}

/// Whether the server takes requests: not any more when it is stopping.
#[utoipa::path(get, path = "/readyz", tag = "operation",
    responses((status = 200, description = "It does.", content_type = "text/plain", body = String)))]
pub(crate) async fn readyz(State(app): State<SharedApp>) -> Result<Response, Problem> {
    match app.stopping.load(Ordering::Relaxed) {
        false => Ok(answer(StatusCode::OK, TEXT, b"ok\n".to_vec())),
        true => Err(Problem::overloaded("the server is stopping")),
    }
}

/// The state of the server.
#[derive(Serialize, ToSchema)]
pub(crate) struct Health {
    /// `ok`; `degraded` if a collection cannot be opened, or not be written to; or `stopping`.
    status: &'static str,
    /// The version of the program.
    version: &'static str,
    /// The number of collections.
    collections: usize,
    /// Collections that cannot be opened, or not be written to; of those that the token is for.
    damaged: Vec<Damage>,
    /// Jobs that wait or run.
    jobs: usize,
    /// Requests that wait for a thread.
    waiting: usize,
}

/// What is wrong with a collection.
#[derive(Serialize, ToSchema)]
struct Damage {
    /// The name of the collection.
    collection: String,
    /// `damaged`, or `read-only`.
    state: &'static str,
    /// Why, for those who may administer the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
}

/// The state of the server, in a few numbers.
#[utoipa::path(get, path = "/healthz", tag = "operation",
    responses((status = 200, description = "The state.", body = Health)))]
pub(crate) async fn healthz(State(app): State<SharedApp>, access: Access) -> Response {
    let stopping = app.stopping.load(Ordering::Relaxed);
    let is_owner = access.may(Need::ADMIN);
    let damage = |collection: &str, state, detail: &str| Damage {
        collection: collection.to_owned(),
        state,
        detail: is_owner.then(|| detail.to_owned()),
    };
    let all = app.collections.damaged(&access);
    let closed = all.iter().map(|(name, found)| damage(name, "damaged", &found.detail));
    let readable = app.collections.read_only(&access);
    let read_only = readable.iter().map(|(name, detail)| damage(name, "read-only", detail));
    let damaged: Vec<Damage> = closed.chain(read_only).collect();
    json_answer(
        StatusCode::OK,
        &Health {
            status: match (stopping, app.collections.is_damaged()) {
                (true, _) => "stopping",
                (false, true) => "degraded",
                (false, false) => "ok",
            },
            version: env!("CARGO_PKG_VERSION"),
            collections: app.collections.count(),
            damaged,
            jobs: app.jobs.under_way(),
            waiting: app.work.waiting(),
        },
    )
}

/// Numbers about requests, connections, collections, jobs and worker processes, in the text format of Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "operation",
    responses((status = 200, description = "The numbers.", content_type = "text/plain", body = String)))]
pub(crate) async fn metrics(State(app): State<SharedApp>) -> Result<Response, Problem> {
    let shared = app.clone();
    let text = app.work.run(Lane::Read, move || {
        let app = shared;
        let mut documents = Vec::new();
        let mut bytes = Vec::new();
        for summary in app.collections.summaries(&Access::Machine)? {
            let labels = format!("{{collection=\"{}\"}}", summary.description.name);
            documents.push((labels.clone(), summary.row.documents));
            bytes.push((labels, summary.bytes()));
        }
        let workers = app.engine.worker_counts();
        let load = |count: &std::sync::atomic::AtomicU64| count.load(Ordering::Relaxed);
        let gauges = [
            Gauge::one(
                "nearprint_connections",
                "Open connections.",
                load(&app.metrics.connections),
            ),
            Gauge::one(
                "nearprint_requests_under_way",
                "Requests under way.",
                load(&app.metrics.under_way),
            ),
            Gauge::one(
                "nearprint_requests_waiting",
                "Requests that wait for a thread.",
                app.work.waiting() as u64,
            ),
            Gauge::one(
                "nearprint_body_bytes",
                "Bytes of bodies in memory, without the first 16 KiB of each.",
                app.work.body_bytes(),
            ),
            Gauge::one(
                "nearprint_collections_damaged",
                "Collections that cannot be opened, or not be written to.",
                app.collections.damaged_count() as u64,
            ),
            Gauge::one(
                "nearprint_jobs_under_way",
                "Jobs that wait or run.",
                app.jobs.under_way() as u64,
            ),
            Gauge::one(
                "nearprint_workers_started",
                "Worker processes started so far.",
                workers.started,
            ),
            Gauge {
                name: "nearprint_documents",
                help: "Documents of a collection.",
                values: documents,
            },
            Gauge {
                name: "nearprint_index_bytes",
                help: "Bytes of the index of a collection.",
                values: bytes,
            },
        ];
        Ok::<_, Problem>(app.metrics.text(&gauges))
    });
    Ok(answer(
        StatusCode::OK,
        "text/plain; version=0.0.4; charset=utf-8",
        text.await??.into_bytes(),
    ))
}
