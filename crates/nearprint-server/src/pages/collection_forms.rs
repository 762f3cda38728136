//! Forms that create a collection, work on it, and change it, and what becomes of them.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use nearprint::report::{escaped, grouped};
use nearprint_index::default_parts;

use crate::access::{Access, Need};
use crate::collection::Description;
use crate::form::fields;
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::question::scheme;
use crate::request::{PathName, WholeBody};
use crate::snapshots::{DamagedSnapshot, SnapshotBody, SnapshotList};
use crate::state::SharedApp;
use crate::work::Lane;

use super::check::FIELDS;
use super::collections::ShowParameters;
use super::html::{FormState, Page, RefusedForm, bytes, line};
use super::{additions, collections, see};

/// The schemes that a form offers, with what they are for.
const SCHEMES: [(&str, &str); 4] = [
    ("md1", "md1: similarity of word 3-shingles, verified"),
    ("sd1", "sd1: texts of all lengths, 8 bytes each"),
    ("sl1", "sl1: stricter than sd1, 8 bytes each"),
    ("wd1", "wd1: similarity of weighted words"),
];

/// The ids of forms that are shown again where what was entered is refused.
const CREATION: &str = "creation";
pub(super) const IMPORT: &str = "import";
const ALIAS: &str = "new-alias";
const DELETION: &str = "deletion";

/// The form that creates a collection.
pub(super) fn creation(page: &mut Page, refused: Option<&RefusedForm>) {
    let FormState { alert, value, described } = FormState::of(refused, CREATION, "rule");
    page.push(&format!(
        "<h2>New collection</h2>\n<form class=\"card line\" id=\"{CREATION}\" method=\"post\" \
         action=\"/collections\" enctype=\"multipart/form-data\">\n{alert}\
         <p class=\"field\"><label for=\"name\">Name</label>\n<input id=\"name\" name=\"name\" required maxlength=\"64\" \
         pattern=\"[a-z0-9][a-z0-9_\\-]*\" autocomplete=\"off\"{value}{described}>\n\
         <small id=\"rule\">a to z, 0 to 9, - and _</small></p>\n\
         <p class=\"field\"><label for=\"scheme\">Scheme</label>\n<select id=\"scheme\" name=\"scheme\">\n"
    ));
    for (name, description) in SCHEMES {
        page.push(&format!("<option value=\"{name}\">{description}</option>\n"));
    }
    page.push(
        "</select></p>\n<p class=\"check\"><input id=\"texts\" name=\"texts\" type=\"checkbox\" value=\"true\" checked> \
         <label for=\"texts\">Keep texts, to show and compare documents</label></p>\n\
         <p><button type=\"submit\">Create</button></p>\n</form>\n",
    );
}

/// Creates a collection.
pub(super) async fn create(
    State(app): State<SharedApp>,
    access: Access,
    headers: HeaderMap,
    request: WholeBody,
) -> Result<Response, Problem> {
    let fields = fields(&headers, &request, FIELDS).await?;
    let name = line(&fields, "name").unwrap_or("").to_owned();
    let texts = line(&fields, "texts").is_some();
    let scheme = line(&fields, "scheme").map(|name| scheme("/scheme", name)).transpose()?;
    let (scheme, features) = default_parts(scheme, None);
    let description = Description { name: name.clone(), texts, replay: None };
    let (shared, asking) = (app.clone(), access.clone());
    let created = app.work.run(Lane::Write, move || {
        shared.collections.create(&asking, description, (scheme, features))
    });
    match created.await? {
        Ok((_, true)) => Ok(see(&format!("/collections/{name}"))),
        Ok((_, false)) => {
            let detail = format!("there is a collection {name} already");
            let problem = Problem::new(ProblemKind::CollectionExists, detail);
            collections::all(&app, access, Some(&RefusedForm::new(CREATION, &name, problem))).await
        }
        Err(problem) if problem.is_of_input() => {
            collections::all(&app, access, Some(&RefusedForm::new(CREATION, &name, problem))).await
        }
        Err(problem) => Err(problem),
    }
}

/// The forms that add to a collection, or look through it.
pub(super) fn work(
    page: &mut Page,
    name: &str,
    texts: bool,
    may_import: bool,
    refused: Option<&RefusedForm>,
) {
    page.push("<div class=\"two\">\n");
    page.push(&additions::form(name));
    if may_import {
        let FormState { alert, value, described } = FormState::of(refused, IMPORT, "");
        page.push(&format!(
            "<form class=\"card\" id=\"{IMPORT}\" method=\"post\" action=\"/jobs\" \
             enctype=\"multipart/form-data\">\n<h2>Import</h2>\n{alert}<p>Files and folders of the server's directory: \
             web archives, tables, lines of JSON, mailboxes, documents. This is a job.</p>\n\
             <input type=\"hidden\" name=\"collection\" value=\"{name}\"><input type=\"hidden\" name=\"type\" \
             value=\"import\">\n<p class=\"field\"><label for=\"path\">File or folder</label>\n<input id=\"path\" \
             name=\"path\" required autocomplete=\"off\" placeholder=\"crawls/2026.warc.gz\"{value}{described}></p>\n\
             <p class=\"check\"><input id=\"revisits\" name=\"revisits\" type=\"checkbox\" value=\"true\" checked> \
             <label for=\"revisits\">Revisits of web archives, too</label></p>\n\
             <p><button type=\"submit\">Import</button></p>\n</form>\n"
        ));
    }
    page.push(&format!(
        "<form class=\"card\" method=\"post\" action=\"/jobs\" enctype=\"multipart/form-data\">\n<h2>Clusters</h2>\n\
         <p>Find all groups of documents that are nearly the same. This is a job: you can watch it and come back \
         later.</p>\n\
         <input type=\"hidden\" name=\"collection\" value=\"{name}\"><input type=\"hidden\" name=\"type\" \
         value=\"clusters\">\n<p><button type=\"submit\">Find clusters</button></p>\n</form>\n"
    ));
    if texts {
        page.push(&format!(
            "<form class=\"card\" method=\"post\" action=\"/jobs\" enctype=\"multipart/form-data\">\n\
             <h2>Decisions</h2>\n<p>Compare the texts, and see which documents to keep and which repeat them. Nothing \
             is removed.</p>\n<input type=\"hidden\" name=\"collection\" value=\"{name}\"><input type=\"hidden\" \
             name=\"type\" value=\"dedup\">\n<p><button type=\"submit\">Decide</button></p>\n</form>\n"
        ));
    }
    page.push("</div>\n");
}

/// The snapshots of a collection, and the form that makes one.
pub(super) fn snapshots(page: &mut Page, name: &str, list: &SnapshotList) {
    let SnapshotList { items, damaged } = list;
    let is_empty = items.is_empty() && damaged.is_empty();
    if is_empty && !page.may(Need::ADMIN) {
        return;
    }
    page.push("<h2>Snapshots</h2>\n");
    if is_empty {
        page.empty("There is no snapshot. A snapshot is the collection as it is now, in one file.");
    } else {
        page.push(
            "<div class=\"scroll\"><table>\n<thead><tr><th>Snapshot</th><th class=\"number\">Documents</th><th \
             class=\"number\">Size</th></tr></thead>\n<tbody>\n",
        );
        for SnapshotBody { id, collection, documents, bytes: length, .. } in items {
            page.push(&format!(
                "<tr><td><a href=\"/v1/collections/{collection}/snapshots/{id}\">{id}</a></td><td \
                 class=\"number\">{}</td><td class=\"number\">{}</td></tr>\n",
                grouped(*documents),
                bytes(*length)
            ));
        }
        for DamagedSnapshot { id, detail } in damaged {
            page.push(&format!(
                "<tr><td>{}</td><td colspan=\"2\">damaged: {}</td></tr>\n",
                escaped(id),
                escaped(detail)
            ));
        }
        page.push("</tbody>\n</table></div>\n");
    }
    if page.may(Need::ADMIN) {
        page.push(&format!(
            "<form class=\"after\" method=\"post\" action=\"/collections/{name}/snapshots\"><button class=\"small\" \
             type=\"submit\">Make a snapshot</button></form>\n"
        ));
    }
}

/// Makes a snapshot.
pub(super) async fn make_snapshot(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
) -> Result<Response, Problem> {
    let shared = app.clone();
    app.with_collection(&access, &name, Lane::Document, move |collection| {
        shared.snapshots.create(collection)
    })
    .await?;
    Ok(see(&format!("/collections/{name}")))
}

/// The forms that give a collection another name, and delete it.
pub(super) fn upkeep(page: &mut Page, name: &str, refused: Option<&RefusedForm>) {
    let alias = FormState::of(refused, ALIAS, "alias-rule");
    let deletion = FormState::of(refused, DELETION, "deletion-rule");
    let open = if deletion.alert.is_empty() { "" } else { " open" };
    page.push(&format!(
        "<h2>Another name</h2>\n<form class=\"card line\" id=\"{ALIAS}\" method=\"post\" \
         action=\"/collections/{name}/aliases\" enctype=\"multipart/form-data\">\n{}<p class=\"field\"><label for=\"alias\">Alias</label>\n<input id=\"alias\" \
         name=\"alias\" required maxlength=\"64\" pattern=\"[a-z0-9][a-z0-9_\\-]*\" autocomplete=\"off\"{}{}>\n<small id=\"alias-rule\">names this collection from now on, also where it named \
         another one</small></p>\n<p><button class=\"small\" type=\"submit\">Set</button></p>\n</form>\n\
         <details{open}>\n<summary>Delete the collection</summary>\n<form class=\"card line\" id=\"{DELETION}\" \
         method=\"post\" action=\"/collections/{name}/delete\" enctype=\"multipart/form-data\">\n{}<p class=\"field\"><label \
         for=\"confirmation\">Its name, as a confirmation</label>\n<input id=\"confirmation\" name=\"confirmation\" \
         required autocomplete=\"off\"{}{}>\n<small id=\"deletion-rule\">Its documents, texts and \
         captures are gone for good; snapshots stay.</small></p>\n<p><button type=\"submit\">Delete</button></p>\n\
         </form>\n</details>\n",
        alias.alert, alias.value, alias.described, deletion.alert, deletion.value, deletion.described
    ));
}

/// The page of a collection once more, where what was entered into one of its forms is refused.
pub(super) async fn again(
    app: &SharedApp,
    access: Access,
    name: String,
    (form, entered): (&'static str, &str),
    problem: Problem,
) -> Result<Response, Problem> {
    if !problem.is_of_input() {
        return Err(problem);
    }
    let refused = RefusedForm::new(form, entered, problem);
    collections::one(app, access, name, ShowParameters::default(), Some(&refused)).await
}

/// Gives a collection another name.
pub(super) async fn set_alias(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    headers: HeaderMap,
    request: WholeBody,
) -> Result<Response, Problem> {
    let fields = fields(&headers, &request, FIELDS).await?;
    let alias = line(&fields, "alias").unwrap_or("").to_owned();
    let (shared, asking) = (app.clone(), access.clone());
    let (named, new) = (name.clone(), alias.clone());
    let set = app
        .work
        .run(Lane::Write, move || shared.collections.set_alias(&asking, &new, &named))
        .await?;
    match set {
        Ok(_) => Ok(see(&format!("/collections/{name}"))),
        Err(problem) => again(&app, access, name, (ALIAS, &alias), problem).await,
    }
}

/// Deletes a collection whose name was typed as a confirmation.
pub(super) async fn delete(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    headers: HeaderMap,
    request: WholeBody,
) -> Result<Response, Problem> {
    let fields = fields(&headers, &request, FIELDS).await?;
    let confirmation = line(&fields, "confirmation").unwrap_or("");
    if confirmation != name {
        let detail = "this is not the name of the collection, which was not deleted";
        let problem = Problem::invalid("/confirmation", detail);
        return again(&app, access, name, (DELETION, confirmation), problem).await;
    }
    let (shared, asking, named) = (app.clone(), access.clone(), name.clone());
    let deleted =
        app.work.run(Lane::Write, move || shared.collections.delete(&asking, &named)).await?;
    match deleted {
        Ok(_) => Ok(see("/collections")),
        Err(problem) => again(&app, access, name.clone(), (DELETION, &name), problem).await,
    }
}
