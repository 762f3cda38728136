//! Jobs: all of them, and one with its progress, which is brought up to date until it has ended.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use nearprint::report::{escaped, grouped};
use serde_json::Value;

use crate::access::{Access, Need};
use crate::client::Client;
use crate::form::fields;
use crate::jobs::{Job, JobFilter, JobRecord, JobRequest, JobState, JobType};
use crate::problem::Problem;
use crate::request::{PathName, WholeBody};
use crate::state::SharedApp;
use crate::work::Lane;

use super::check::FIELDS;
use super::collection_forms::{IMPORT, again};
use super::html::{Page, Tab, line};
use super::see;

/// Jobs of a page.
const SHOWN_JOBS: usize = 200;

/// What a job is, in words.
fn name(record: &JobRecord) -> String {
    let collection = record.collection();
    match record.request.kind {
        JobType::Pairs => format!("Pairs of {collection}"),
        JobType::Clusters => format!("Clusters of {collection}"),
        JobType::Dedup => format!("Decisions on {collection}"),
        JobType::Import => format!("Import into {collection}"),
    }
}

fn pill(state: JobState) -> String {
    format!("<span class=\"pill {0}\">{0}</span>", state.name())
}

pub(super) async fn list(State(app): State<SharedApp>, access: Access) -> Response {
    let (all, _) = app.jobs.page(&access, &JobFilter::default(), None, SHOWN_JOBS);
    let is_busy = app.jobs.under_way() > 0;
    let mut page = if is_busy {
        Page::live(&access, "Jobs", Tab::Jobs)
    } else {
        Page::new(&access, "Jobs", Tab::Jobs)
    };
    page.heading("Jobs");
    if all.is_empty() {
        page.empty(
            "There are no jobs. The page of a <a href=\"/collections\">collection</a> starts one.",
        );
        return page.answer(StatusCode::OK);
    }
    page.push(
        "<div class=\"scroll\"><table>\n<thead><tr><th>Job</th><th>State</th><th class=\"number\">Rows</th></tr></thead>\n<tbody>\n",
    );
    for job in &all {
        let record = job.record();
        let (id, state, rows) = (&record.id, record.state, record.rows);
        page.push(&format!(
            "<tr><td><a href=\"/jobs/{id}\">{}</a></td><td>{} {}</td><td class=\"number\">{}</td></tr>\n",
            escaped(&name(&record)),
            pill(state),
            progress(job, state),
            rows.map_or_else(|| "–".to_owned(), grouped)
        ));
    }
    page.push("</tbody>\n</table></div>\n");
    page.answer(StatusCode::OK)
}

/// How far a job is, as a bar.
fn progress(job: &Job, state: JobState) -> String {
    let (done, total) = job.progress();
    match state {
        JobState::Running if total > 0 => {
            let percent = done.saturating_mul(100) / total;
            format!(
                "<progress max=\"100\" value=\"{percent}\" aria-label=\"Progress\">{percent} %</progress>"
            )
        }
        JobState::Running => "<progress aria-label=\"Progress\"></progress>".to_owned(),
        _ => String::new(),
    }
}

pub(super) async fn start(
    State(app): State<SharedApp>,
    access: Access,
    headers: HeaderMap,
    request: WholeBody,
) -> Result<Response, Problem> {
    let fields = fields(&headers, &request, FIELDS).await?;
    let kind = match line(&fields, "type") {
        Some("clusters") => JobType::Clusters,
        Some("pairs") => JobType::Pairs,
        Some("dedup") => JobType::Dedup,
        Some("import") => JobType::Import,
        _ => return Err(Problem::invalid("/type", "a job is pairs, clusters, dedup or import")),
    };
    let named = line(&fields, "collection").unwrap_or("").to_owned();
    let collection = app.collection(&access, &named).await?;
    let mut asked = JobRequest::new(kind, named.clone());
    let k = line(&fields, "k").map(|k| ("k".to_owned(), Value::from(k)));
    asked.options.extend(k);
    if kind == JobType::Import {
        app.check_room(&access)?;
        asked.path = line(&fields, "path").map(str::to_owned);
        asked.revisits = Some(line(&fields, "revisits").is_some());
    }
    if let Err(problem) = app.jobs.check(&asked, &collection) {
        if kind != JobType::Import {
            return Err(problem);
        }
        let path = asked.path.unwrap_or_default();
        return again(&app, access, named, (IMPORT, &path), problem).await;
    }
    let of = (collection.description.name.clone(), app.opening(&access, &collection));
    drop(collection);
    let (shared, client) = (app.clone(), Client::current());
    let id = app.work.run(Lane::Write, move || {
        let (job, _) = shared.jobs.add(asked, (client, None), of, &shared.engine)?;
        Ok::<_, Problem>(job.record().id)
    });
    Ok(see(&format!("/jobs/{}", id.await??)))
}

/// What the job was asked for, where it differs from what is usual.
fn asked(request: &JobRequest) -> Vec<(&'static str, String)> {
    let options: Vec<String> = request
        .options
        .iter()
        .map(|(name, value)| match value {
            Value::String(text) => format!("{name}: {}", escaped(text)),
            value => format!("{name}: {value}"),
        })
        .collect();
    match request.kind {
        JobType::Import => {
            vec![("Path", escaped(request.path.as_deref().unwrap_or("")).to_string())]
        }
        _ if options.is_empty() => vec![("Options", "the usual ones".to_owned())],
        _ => vec![("Options", options.join(", "))],
    }
}

pub(super) async fn show(
    State(app): State<SharedApp>,
    access: Access,
    PathName(id): PathName,
) -> Result<Response, Problem> {
    let job = app.jobs.get(&access, &id)?;
    let record = job.record();
    let title = name(&record);
    let collection = escaped(record.collection());
    let collection = format!("<a href=\"/collections/{collection}\">{collection}</a>");
    let JobRecord { id, request, state, rows, detail, created, ended, .. } = record;
    let mut page = match state.has_ended() {
        true => Page::new(&access, &title, Tab::Jobs),
        false => Page::live(&access, &title, Tab::Jobs),
    };
    page.kicker(&format!("Job {id}"));
    page.heading(&title);
    page.push(&format!("<p role=\"status\">{} {}</p>\n", pill(state), progress(&job, state)));
    let took = ended.map(|ended| ended.saturating_sub(created) as f64 / 1000.0);
    let mut facts = vec![("Collection", collection)];
    facts.extend(asked(&request));
    facts.push(("Rows", rows.map_or_else(|| "–".to_owned(), grouped)));
    facts.push(("Took", took.map_or_else(|| "–".to_owned(), |took| format!("{took:.1} s"))));
    page.facts(&facts);
    if let Some(detail) = detail {
        page.push(&format!("<p class=\"lead warn\">{}</p>\n", escaped(&detail)));
    }
    match state {
        JobState::Done => page.push(&format!(
            "<p class=\"actions\"><a class=\"button\" href=\"/jobs/{id}/rows\">Look at the result</a> <a \
             href=\"/v1/jobs/{id}/result\">Download it</a></p>\n"
        )),
        JobState::Waiting | JobState::Running if page.may(Need::WRITE) => page.push(&format!(
            "<form method=\"post\" action=\"/jobs/{id}/cancel\"><button class=\"small\" \
             type=\"submit\">Cancel</button></form>\n"
        )),
        _ => {}
    }
    Ok(page.answer(StatusCode::OK))
}

pub(super) async fn cancel(
    State(app): State<SharedApp>,
    access: Access,
    PathName(id): PathName,
) -> Result<Response, Problem> {
    let shared = app.clone();
    let id = app
        .work
        .run(Lane::Write, move || Ok::<_, Problem>(shared.jobs.cancel(&access, &id)?.record().id));
    Ok(see(&format!("/jobs/{}", id.await??)))
}
