//! Whether the server lives and is ready, and its numbers.

use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::access::{Access, Need};
use crate::lines::{answer, json_answer};
use crate::metrics::Sample;
use crate::problem::Problem;
use crate::process_metrics;
use crate::state::{App, SharedApp};
use crate::work::Lane;

const TEXT: &str = "text/plain; charset=utf-8";

/// Whether the process answers.
#[utoipa::path(get, path = "/livez", tag = "operation",
    responses((status = 200, description = "It does.", content_type = "text/plain", body = String)))]
pub(crate) async fn livez() -> Response {
    answer(StatusCode::OK, TEXT, b"ok\n".to_vec())
}

/// Whether the server takes requests: not any more when it is stopping
///
/// One that is degraded takes them, and says so.
#[utoipa::path(get, path = "/readyz", tag = "operation",
    responses((status = 200, description = "It does.", content_type = "text/plain", body = String)))]
pub(crate) async fn readyz(State(app): State<SharedApp>) -> Result<Response, Problem> {
    match app.stopping.load(Ordering::Relaxed) {
        false => Ok(answer(StatusCode::OK, TEXT, readiness(&app).into_bytes())),
        true => Err(Problem::overloaded("the server is stopping")),
    }
}

fn readiness(app: &App) -> String {
    match app.collections.damaged_count() {
        0 => "ok\n".to_owned(),
        // Anybody may ask this, so it names none of them.
        1 => "degraded: one collection cannot be opened, or not be written to\n".to_owned(),
        many => format!("degraded: {many} collections cannot be opened, or not be written to\n"),
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
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Damage {
    /// The name of the collection.
    collection: String,
    /// `damaged`, or `read-only`.
    state: &'static str,
    /// Why, for those who may administer the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
}

/// The collections that cannot be opened, of those that somebody may use.
pub(crate) fn damaged(app: &App, access: &Access) -> Vec<Damage> {
    let all = app.collections.damaged(access).into_iter();
    all.map(|(name, detail)| Damage::of(name, "damaged", detail, access)).collect()
}

impl Damage {
    fn of(collection: String, state: &'static str, detail: String, access: &Access) -> Self {
        let is_owner = access.may(Need::ADMIN);
        Self { collection, state, detail: is_owner.then_some(detail) }
    }
}

/// The state of the server, in a few numbers.
#[utoipa::path(get, path = "/healthz", tag = "operation",
    responses((status = 200, description = "The state.", body = Health)))]
pub(crate) async fn healthz(State(app): State<SharedApp>, access: Access) -> Response {
    let stopping = app.stopping.load(Ordering::Relaxed);
    let mut damaged = damaged(&app, &access);
    let read_only = app.collections.read_only(&access).into_iter();
    damaged.extend(read_only.map(|(name, detail)| Damage::of(name, "read-only", detail, &access)));
    json_answer(
        StatusCode::OK,
        &Health {
            status: match (stopping, app.collections.damaged_count() > 0) {
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
pub(crate) async fn metrics(
    State(app): State<SharedApp>,
    access: Access,
) -> Result<Response, Problem> {
    let shared = app.clone();
    let text = app.work.run(Lane::Read, move || {
        let app = shared;
        let mut samples = Vec::from(collections(&app, &access));
        samples.extend(counts(&app));
        samples.extend(process_metrics::samples());
        app.metrics.text(&samples)
    });
    Ok(answer(StatusCode::OK, "text/plain; version=0.0.4; charset=utf-8", text.await?.into_bytes()))
}

/// Numbers about each collection that somebody may use.
fn collections(app: &App, access: &Access) -> [Sample; 2] {
    let (mut documents, mut bytes) = (Vec::new(), Vec::new());
    for summary in app.collections.summaries(access) {
        let labels = format!("{{collection=\"{}\"}}", summary.description.name);
        documents.push((labels.clone(), summary.row.documents as f64));
        bytes.push((labels, summary.bytes() as f64));
    }
    let size = "Bytes of a collection on the disk, with its texts, features and tables.";
    [
        Sample::labelled("nearprint_documents", "Documents of a collection.", documents),
        Sample::labelled("nearprint_index_bytes", size, bytes),
    ]
}

/// Numbers about what the server does.
fn counts(app: &App) -> [Sample; 11] {
    let load = |count: &AtomicU64| count.load(Ordering::Relaxed) as f64;
    let version = format!("{{version=\"{}\"}}", env!("CARGO_PKG_VERSION"));
    let build = "The version of the program.";
    [
        Sample::labelled("nearprint_build_info", build, vec![(version, 1.0)]),
        Sample::gauge("nearprint_connections", "Open connections.", load(&app.metrics.connections)),
        Sample::counter(
            "nearprint_connections_refused_total",
            "Connections that were refused because there were too many.",
            load(&app.metrics.refused_connections),
        ),
        Sample::gauge(
            "nearprint_requests_under_way",
            "Requests under way.",
            load(&app.metrics.under_way),
        ),
        Sample::gauge(
            "nearprint_requests_waiting",
            "Requests that wait for a thread.",
            app.work.waiting() as f64,
        ),
        Sample::gauge(
            "nearprint_body_bytes",
            "Bytes of bodies in memory, without the first 16 KiB of each.",
            app.work.body_bytes() as f64,
        ),
        Sample::gauge(
            "nearprint_collections_open",
            "Collections that are open; others are opened when they are used.",
            app.collections.open_count() as f64,
        ),
        Sample::gauge(
            "nearprint_collections_open_limit",
            "Collections that may be open at the same time.",
            app.collections.most_open() as f64,
        ),
        Sample::gauge(
            "nearprint_collections_damaged",
            "Collections that cannot be opened, or not be written to.",
            app.collections.damaged_count() as f64,
        ),
        Sample::gauge(
            "nearprint_jobs_under_way",
            "Jobs that wait or run.",
            app.jobs.under_way() as f64,
        ),
        Sample::counter(
            "nearprint_workers_started_total",
            "Worker processes started so far.",
            app.engine.worker_counts().started as f64,
        ),
    ]
}
