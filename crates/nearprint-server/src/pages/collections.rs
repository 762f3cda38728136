//! Collections: all of them, one with its documents, and one document.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use nearprint::records::Outcome;
use nearprint::report::{escaped, grouped};
use nearprint::{OnDuplicate, TextFeatures, VerifiedQuery};
use nearprint_index::{DocumentPage, PageRequest, StoredDocument, default_parts};
use serde::Deserialize;

use crate::access::{Access, Need};
use crate::address::encoded;
use crate::api::documents::{after, cursor, page as documents_page};
use crate::captures::replay;
use crate::clock::http_date;
use crate::collection::Description;
use crate::collections::DamagedCollection;
use crate::document_reader::DocumentReader;
use crate::form::fields;
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::query_request::QuerySubject;
use crate::question::scheme;
use crate::request::{Parameters, PathName, WholeBody, document_id};
use crate::snapshots::SnapshotBody;
use crate::state::SharedApp;
use crate::work::Lane;

use super::captures::status_words;
use super::check::{FIELDS, SHOWN_TEXT, matches, ranked, sent};
use super::document_names::{CaptureName, DocumentNames};
use super::html::{Page, Tab, bytes, line};
use super::see;

/// Documents of a page.
const SHOWN_DOCUMENTS: usize = 50;

/// The schemes that a form offers, with what they are for.
const SCHEMES: [(&str, &str); 4] = [
    ("md1", "md1: similarity of word 3-shingles, verified"),
    ("sd1", "sd1: texts of all lengths, 8 bytes each"),
    ("sl1", "sl1: stricter than sd1, 8 bytes each"),
    ("wd1", "wd1: similarity of weighted words"),
];

pub(super) async fn list(
    State(app): State<SharedApp>,
    access: Access,
) -> Result<Response, Problem> {
    let (shared, asking) = (app.clone(), access.clone());
    let rows = app.work.run(Lane::Read, move || shared.collections.summaries(&asking)).await??;
    let mut page = Page::new(&access, "Collections", Tab::Collections);
    page.heading("Collections");
    if rows.is_empty() {
        page.empty(match page.may(Need::ADMIN) {
            true => "There is no collection yet. Create the first one below.",
            false => "There is no collection that you may look at.",
        });
    } else {
        page.push(
            "<div class=\"scroll\"><table>\n<thead><tr><th>Name</th><th>Scheme</th><th \
             class=\"number\">Documents</th><th class=\"number\">Size</th><th>Texts</th></tr></thead>\n<tbody>\n",
        );
        for summary in &rows {
            let (Description { name, texts, .. }, row) = (&summary.description, &summary.row);
            page.push(&format!(
                "<tr><td><a href=\"/collections/{name}\">{name}</a></td><td>{}</td><td class=\"number\">{}</td><td \
                 class=\"number\">{}</td><td>{}</td></tr>\n",
                escaped(&row.scheme),
                grouped(row.documents),
                bytes(summary.bytes()),
                if *texts { "kept" } else { "not kept" }
            ));
        }
        page.push("</tbody>\n</table></div>\n");
    }
    damaged(&mut page, &app.collections.damaged(&access));
    if page.may(Need::ADMIN) {
        new_collection(&mut page);
    }
    Ok(page.answer(StatusCode::OK))
}

/// The collections that cannot be opened, with the reason for those who can do something about it.
fn damaged(page: &mut Page, damaged: &[(String, DamagedCollection)]) {
    if damaged.is_empty() {
        return;
    }
    page.push(
        "<h2>Cannot be opened</h2>\n<p>The server tries again every few seconds.</p>\n<div class=\"scroll\"><table>\n\
         <thead><tr><th>Name</th><th>Why</th></tr></thead>\n<tbody>\n",
    );
    for (name, DamagedCollection { detail, .. }) in damaged {
        let why = if page.may(Need::ADMIN) {
            detail.as_str()
        } else {
            "its files are damaged, or the disk is full"
        };
        page.push(&format!("<tr><td>{name}</td><td>{}</td></tr>\n", escaped(why)));
    }
    page.push("</tbody>\n</table></div>\n");
}

/// The form that creates a collection.
fn new_collection(page: &mut Page) {
    page.push(
        "<h2>New collection</h2>\n<form class=\"card line\" method=\"post\" action=\"/collections\" \
         enctype=\"multipart/form-data\">\n\
         <p class=\"field\"><label for=\"name\">Name</label>\n<input id=\"name\" name=\"name\" required maxlength=\"64\" \
         pattern=\"[a-z0-9][a-z0-9_\\-]*\" autocomplete=\"off\" aria-describedby=\"rule\">\n\
         <small id=\"rule\">a to z, 0 to 9, - and _</small></p>\n\
         <p class=\"field\"><label for=\"scheme\">Scheme</label>\n<select id=\"scheme\" name=\"scheme\">\n",
    );
    for (name, description) in SCHEMES {
        page.push(&format!("<option value=\"{name}\">{description}</option>\n"));
    }
    page.push(
        "</select></p>\n<p class=\"check\"><input id=\"texts\" name=\"texts\" type=\"checkbox\" value=\"true\" checked> \
         <label for=\"texts\">Keep texts, to show and compare documents</label></p>\n\
         <p><button type=\"submit\">Create</button></p>\n</form>\n",
    );
}

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
    let shared = app.clone();
    app.work
        .run(Lane::Write, move || {
            shared.collections.create(&access, description, (scheme, features))
        })
        .await??;
    Ok(see(&format!("/collections/{name}")))
}

/// Which documents are shown.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ShowParameters {
    prefix: String,
    cursor: Option<String>,
}

pub(super) async fn show(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    Parameters(ShowParameters { prefix, cursor: at }): Parameters<ShowParameters>,
) -> Result<Response, Problem> {
    let from = at.as_deref().map(after).transpose()?;
    let wanted = prefix.clone();
    let shared = app.clone();
    let found = app.with_collection(&access, &name, Lane::Read, move |collection| {
        let request = PageRequest { most: SHOWN_DOCUMENTS, ..PageRequest::default() };
        let listed = documents_page(collection, &wanted, from.as_ref(), &request)?;
        let snapshots = shared.snapshots.list(&collection.description.name)?;
        Ok((collection.summary()?, listed, snapshots))
    });
    let (summary, listed_page, snapshots) = found.await?;
    let DocumentPage { documents, next } = listed_page;
    let (row, merge_error, texts) = (summary.row, summary.merge_error, summary.description.texts);
    let captures = summary.captures;
    let mut page = Page::new(&access, &name, Tab::Collections);
    page.kicker("Collection");
    page.heading(&name);
    let mut facts = vec![
        ("Documents", grouped(row.documents)),
        ("Captures", grouped(captures)),
        ("Scheme", escaped(&row.scheme)),
        ("Texts", if texts { "kept" } else { "not kept" }.to_owned()),
        ("Store", bytes(row.store_bytes)),
        ("Tables", format!("{} in {} files", bytes(row.table_bytes), row.segments)),
        ("Not in tables yet", grouped(row.fresh)),
        ("Removed, not merged yet", grouped(row.removed)),
    ];
    let aliases = app.collections.aliases(&access).into_iter().filter(|(_, of)| *of == name);
    let aliases: Vec<String> = aliases.map(|(alias, _)| alias).collect();
    if !aliases.is_empty() {
        facts.push(("Also called", aliases.join(", ")));
    }
    if let Some(error) = &merge_error {
        facts.push(("Tables were not merged", escaped(error)));
    }
    page.facts(&facts);
    if page.may(Need::WRITE) {
        page.push(&forms(&name, texts));
    }
    if captures > 0 {
        page.push(&format!(
            "<p><a href=\"/collections/{name}/addresses\">Captures of the Web by host and address</a> · <a \
             href=\"/collections/{name}/captures\">of one address through time</a></p>\n"
        ));
    }

    page.push(&format!(
        "<h2>Documents</h2>\n<form class=\"line\" method=\"get\" action=\"/collections/{name}\" role=\"search\">\n\
         <p class=\"field\"><label for=\"prefix\">Ids that begin with</label>\n<input id=\"prefix\" name=\"prefix\" \
         type=\"search\" value=\"{}\"></p>\n<p><button class=\"small\" type=\"submit\">Show</button></p>\n</form>\n",
        escaped(&prefix)
    ));
    listed(&mut page, &name, &documents, &prefix);
    page.push("<nav class=\"pages\" aria-label=\"Pages of documents\">\n");
    if at.is_some() {
        page.push(&format!(
            "<a href=\"/collections/{name}?prefix={}\">First page</a>\n",
            encoded(&prefix)
        ));
    }
    if let Some(next) = &next {
        page.push(&format!(
            "<a href=\"/collections/{name}?prefix={}&amp;cursor={}\" rel=\"next\">Next page</a>\n",
            encoded(&prefix),
            cursor(next)
        ));
    }
    page.push("</nav>\n");
    copies(&mut page, &name, &snapshots);
    Ok(page.answer(StatusCode::OK))
}

/// The snapshots of a collection, and the form that makes one.
fn copies(page: &mut Page, name: &str, snapshots: &[SnapshotBody]) {
    if snapshots.is_empty() && !page.may(Need::ADMIN) {
        return;
    }
    page.push("<h2>Snapshots</h2>\n");
    if snapshots.is_empty() {
        page.empty("There is no snapshot. A snapshot is the collection as it is now, in one file.");
    } else {
        page.push(
            "<div class=\"scroll\"><table>\n<thead><tr><th>Snapshot</th><th class=\"number\">Documents</th><th \
             class=\"number\">Size</th></tr></thead>\n<tbody>\n",
        );
        for SnapshotBody { id, collection, documents, bytes: length, .. } in snapshots {
            page.push(&format!(
                "<tr><td><a href=\"/v1/collections/{collection}/snapshots/{id}\">{id}</a></td><td \
                 class=\"number\">{}</td><td class=\"number\">{}</td></tr>\n",
                grouped(*documents),
                bytes(*length)
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

/// The forms that change a collection, or look through it.
fn forms(name: &str, texts: bool) -> String {
    format!(
        "<div class=\"two\">\n<form class=\"card\" method=\"post\" action=\"/collections/{name}\" \
         enctype=\"multipart/form-data\">\n<h2>Add a document</h2>\n\
         <p class=\"field drop\"><label for=\"file\">A document</label>\n<input id=\"file\" name=\"file\" type=\"file\" \
         required></p>\n\
         <p class=\"field\"><label for=\"id\">Its id <small>(else its file name)</small></label>\n<input id=\"id\" \
         name=\"id\" autocomplete=\"off\"></p>\n<p><button type=\"submit\">Add</button></p>\n</form>\n\
         <form class=\"card\" method=\"post\" action=\"/jobs\" enctype=\"multipart/form-data\">\n<h2>Clusters</h2>\n\
         <p>Find all groups of documents that are nearly the same. This is a job: you can watch it and come back \
         later.</p>\n\
         <input type=\"hidden\" name=\"collection\" value=\"{name}\"><input type=\"hidden\" name=\"type\" \
         value=\"clusters\">\n<p><button type=\"submit\">Find clusters</button></p>\n</form>\n{}</div>\n",
        match texts {
            true => format!(
                "<form class=\"card\" method=\"post\" action=\"/jobs\" enctype=\"multipart/form-data\">\n\
                 <h2>Decisions</h2>\n<p>Compare the texts, and see which documents to keep and which repeat them. Nothing \
                 is removed.</p>\n<input type=\"hidden\" name=\"collection\" value=\"{name}\"><input type=\"hidden\" \
                 name=\"type\" value=\"dedup\">\n<p><button type=\"submit\">Decide</button></p>\n</form>\n"
            ),
            false => String::new(),
        }
    )
}

fn listed(page: &mut Page, name: &str, documents: &[StoredDocument], prefix: &str) {
    if documents.is_empty() {
        let may_add = page.may(Need::WRITE);
        page.empty(match prefix {
            "" if may_add => "The collection is empty. Add a document above, or many with the API.",
            "" => "The collection is empty.",
            _ => "No id begins with this.",
        });
        return;
    }
    page.push(
        "<div class=\"scroll\"><table>\n<thead><tr><th>Document</th><th>Fingerprint</th><th>Extractor</th></tr></thead>\n\
         <tbody>\n",
    );
    let names = DocumentNames::of(name, documents);
    for document in documents {
        let print = document.fingerprint.to_string();
        let shown: String = print.chars().take(32).collect();
        let dots = if shown.len() < print.len() { "…" } else { "" };
        page.push(&format!(
            "<tr><td>{}</td><td><code>{shown}{dots}</code></td><td class=\"soft\">{}</td></tr>\n",
            names.link(document.id.as_str()),
            escaped(document.extractor.as_deref().unwrap_or("–"))
        ));
    }
    page.push("</tbody>\n</table></div>\n");
}

/// Adds the document of a form.
pub(super) async fn add(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    headers: HeaderMap,
    request: WholeBody,
) -> Result<Response, Problem> {
    let fields = fields(&headers, &request, FIELDS).await?;
    drop(request);
    let mut document = sent(&fields, "file", "text")?;
    if let Some(id) = line(&fields, "id") {
        document.id = document_id("/id", id)?;
    }
    let id = document.id.clone();
    let shared = app.clone();
    let user = access.clone();
    app.with_collection(&access, &name, Lane::Document, move |collection| {
        shared.check_room(&user)?;
        let reading = DocumentReader {
            scheme: collection.scheme(),
            main_content: false,
            kept: collection.index.wanted(),
            digests: false,
            max_bytes: shared.limits.body_bytes,
        };
        let id = document.id.clone();
        let read = reading.read_one(&shared.engine, document).printed()?;
        let Outcome::Print { fingerprint, .. } = &read.record.outcome else {
            return Err(Problem::new(ProblemKind::Internal, "the document was not read"));
        };
        let stored = StoredDocument::new(id, fingerprint.clone());
        let (extractor, text) = (read.extractor(), read.kept_text());
        let features = read.kept_features();
        let document = StoredDocument { extractor, text, features, ..stored };
        collection.put(&[document], OnDuplicate::Replace, None)
    })
    .await?;
    Ok(see(&format!("/collections/{name}/document?id={}", encoded(id.as_str()))))
}

/// What is known of a capture, as facts.
fn capture_facts(document: &StoredDocument) -> Vec<(&'static str, String)> {
    let details = document.details.as_deref().cloned().unwrap_or_default();
    let date = document.capture.as_ref().and_then(|capture| capture.date.clone());
    let text = |text: Option<String>| text.map(|text| escaped(&text));
    let place = details.file.map(|file| match details.offset {
        Some(offset) => format!("{}, byte {}", escaped(&file), grouped(offset)),
        None => escaped(&file),
    });
    let captured = date.and_then(|date| http_date(&date));
    let facts = [
        ("Captured", captured),
        ("Status", details.status.map(status_words)),
        ("Type", text(details.mime)),
        ("In the archive", place),
        ("Revisit", details.is_revisit.then(|| "its payload is in an earlier record".to_owned())),
    ];
    facts.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

/// The address of a capture, with links to all of its captures and to where it is replayed.
fn capture_links(name: &str, document: &StoredDocument, template: Option<&str>) -> String {
    let url = document.details.as_ref().and_then(|details| details.url.clone()).unwrap_or_default();
    let date = document.capture.as_ref().and_then(|capture| capture.date.clone());
    let replayed = template.zip(date).map_or_else(String::new, |(template, date)| {
        let address = escaped(&replay(template, &date, &url));
        format!(" · <a rel=\"noreferrer\" href=\"{address}\">replay</a>")
    });
    format!(
        "<p class=\"lead address\">{}<br><a href=\"/collections/{name}/captures?url={}\">all captures of this \
         address</a>{replayed}</p>\n",
        escaped(&url),
        encoded(&url)
    )
}

/// Which document is shown.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DocumentParameters {
    id: String,
}

pub(super) async fn document(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    Parameters(DocumentParameters { id }): Parameters<DocumentParameters>,
) -> Result<Response, Problem> {
    let id = document_id("?id", &id)?;
    let shared = app.clone();
    let found = app.with_collection(&access, &name, Lane::Document, move |collection| {
        let document = collection.document(&id)?;
        let text = collection.text(&document)?;
        let print = document.fingerprint.clone();
        let query = VerifiedQuery::new(id.clone(), print, TextFeatures::default());
        let subject = QuerySubject { query, text: text.clone(), own: Some(id) };
        let rows = ranked(&shared, collection, &subject)?;
        let names = DocumentNames::look_up(collection, rows.iter().map(|row| row.id.as_str()))?;
        let replay = collection.replay().or_else(|| shared.replay.clone());
        Ok((document, text, rows, names, replay, collection.scheme().default_distance()))
    });
    let (document, text, rows, names, replay, k) = found.await?;
    let called = CaptureName::of(&document);
    let title = called.as_ref().map_or(document.id.as_str(), |called| called.title.as_str());
    let mut page = Page::new(&access, title, Tab::Collections);
    page.push(&format!("<p class=\"kicker\"><a href=\"/collections/{name}\">{name}</a></p>\n"));
    page.heading(title);
    let mut facts = Vec::new();
    if called.is_some() {
        page.push(&capture_links(&name, &document, replay.as_deref()));
        facts = capture_facts(&document);
        facts.push(("Id", format!("<code>{}</code>", escaped(document.id.as_str()))));
    }
    facts.push(("Fingerprint", format!("<code class=\"print\">{}</code>", document.fingerprint)));
    if let Some(extractor) = &document.extractor {
        facts.push(("Extractor", escaped(extractor)));
    }
    if let Some(metadata) = &document.metadata {
        facts.push(("Metadata", format!("<code>{}</code>", escaped(metadata))));
    }
    page.facts(&facts);
    page.push("<h2>Near-duplicates</h2>\n");
    if rows.is_empty() {
        page.empty(&format!("No other document is within {k} bits of it."));
    } else {
        // A link is enough: both texts are here.
        matches(&mut page, &name, (&document.id, &names), &rows, None);
        let compared = rows.iter().filter(|row| row.similarity.is_some());
        let mut links = compared.map(|row| {
            format!(
                "<li><a href=\"/compare?a-collection={name}&amp;a-id={}&amp;b-collection={name}&amp;b-id={}\">Side by \
                 side</a> with {}</li>\n",
                encoded(document.id.as_str()),
                encoded(row.id.as_str()),
                names.link(row.id.as_str())
            )
        });
        let links: String = links.by_ref().take(10).collect();
        if !links.is_empty() {
            page.push(&format!("<ul class=\"plain\">\n{links}</ul>\n"));
        }
    }
    page.push("<h2>Text</h2>\n");
    match &text {
        Some(text) => page.text(text, SHOWN_TEXT),
        None => page.empty("The text of this document is not kept."),
    }
    Ok(page.answer(StatusCode::OK))
}
