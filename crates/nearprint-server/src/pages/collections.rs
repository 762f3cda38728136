//! Collections: all of them, one with its documents, and one document.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use nearprint::report::{escaped, grouped};
use nearprint::{TextFeatures, VerifiedQuery};
use nearprint_index::{DocumentPage, PageRequest, StoredDocument};
use serde::Deserialize;

use crate::access::{Access, Need};
use crate::address::encoded;
use crate::api::documents::{after, cursor, page as documents_page};
use crate::captures::replay;
use crate::clock::{date, http_date};
use crate::collection::Description;
use crate::problem::Problem;
use crate::query_request::QuerySubject;
use crate::request::{Parameters, PathName, document_id};
use crate::state::SharedApp;
use crate::work::Lane;

use super::captures::status_words;
use super::check::{SHOWN_TEXT, matches, ranked};
use super::document_names::{DocumentNames, PageName};
use super::html::{Page, RefusedForm, Tab, bytes};
use super::{collection_forms, samples};

/// Documents of a page.
const SHOWN_DOCUMENTS: usize = 50;

pub(super) async fn list(
    State(app): State<SharedApp>,
    access: Access,
) -> Result<Response, Problem> {
    all(&app, access, None).await
}

/// The page of all collections.
pub(super) async fn all(
    app: &SharedApp,
    access: Access,
    refused: Option<&RefusedForm>,
) -> Result<Response, Problem> {
    let (shared, asking) = (app.clone(), access.clone());
    let rows = app.work.run(Lane::Read, move || shared.collections.summaries(&asking)).await?;
    let mut page = Page::new(&access, "Collections", Tab::Collections);
    page.heading("Collections");
    if rows.is_empty() {
        page.empty(match page.may(Need::ADMIN) {
            true => {
                "There is no collection yet. A collection holds documents, their fingerprints and, if you like, their \
                 texts. Load some samples to see what it finds, or create your own below."
            }
            false => "There is no collection that you may look at.",
        });
    } else {
        page.push(
            "<div class=\"scroll\"><table>\n<thead><tr><th>Name</th><th>Scheme</th><th \
             class=\"number\">Documents</th><th class=\"number\">Captures</th><th class=\"number\">Size</th>\
             <th>Texts</th></tr></thead>\n<tbody>\n",
        );
        for summary in &rows {
            let (Description { name, texts, .. }, row) = (&summary.description, &summary.row);
            page.push(&format!(
                "<tr><td><a href=\"/collections/{name}\">{name}</a></td><td>{}</td><td class=\"number\">{}</td><td \
                 class=\"number\">{}</td><td class=\"number\">{}</td><td>{}</td></tr>\n",
                escaped(&row.scheme),
                grouped(row.documents),
                grouped(summary.captures),
                bytes(summary.bytes()),
                if *texts { "kept" } else { "not kept" }
            ));
        }
        page.push("</tbody>\n</table></div>\n");
    }
    faulty(&mut page, "Cannot be opened", &app.collections.damaged(&access));
    faulty(&mut page, "Can only be read", &app.collections.read_only(&access));
    if page.may(Need::ADMIN) {
        if rows.is_empty() {
            page.push(samples::FORM);
        }
        collection_forms::creation(&mut page, refused);
    }
    Ok(page.answer(RefusedForm::status(refused)))
}

/// Collections that cannot be used as others, with the reason for those who can do something about it.
fn faulty(page: &mut Page, heading: &str, faulty: &[(String, String)]) {
    if faulty.is_empty() {
        return;
    }
    page.push(&format!("<h2>{heading}</h2>\n"));
    page.push(
        "<p>The server tries again every few seconds.</p>\n<div class=\"scroll\"><table>\n\
         <thead><tr><th>Name</th><th>Why</th></tr></thead>\n<tbody>\n",
    );
    for (name, detail) in faulty {
        let why = if page.may(Need::ADMIN) {
            detail.as_str()
        } else {
            "its files are damaged, or the disk is full"
        };
        page.push(&format!("<tr><td>{name}</td><td>{}</td></tr>\n", escaped(why)));
    }
    page.push("</tbody>\n</table></div>\n");
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
    Parameters(parameters): Parameters<ShowParameters>,
) -> Result<Response, Problem> {
    one(&app, access, name, parameters, None).await
}

/// The page of a collection.
pub(super) async fn one(
    app: &SharedApp,
    access: Access,
    name: String,
    ShowParameters { prefix, cursor: at }: ShowParameters,
    refused: Option<&RefusedForm>,
) -> Result<Response, Problem> {
    let from = at.as_deref().map(after).transpose()?;
    let wanted = prefix.clone();
    let shared = app.clone();
    let found = app.with_collection(&access, &name, Lane::Read, move |collection| {
        let request =
            PageRequest { most: SHOWN_DOCUMENTS, features: true, ..PageRequest::default() };
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
        collection_forms::work(&mut page, &name, texts, app.jobs.may_import(), refused);
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
    collection_forms::snapshots(&mut page, &name, &snapshots);
    if page.may(Need::ADMIN) {
        collection_forms::upkeep(&mut page, &name, refused);
    }
    Ok(page.answer(RefusedForm::status(refused)))
}

fn listed(page: &mut Page, name: &str, documents: &[StoredDocument], prefix: &str) {
    if documents.is_empty() {
        let may_add = page.may(Need::WRITE);
        page.empty(match prefix {
            "" if may_add => {
                "The collection is empty. Add documents above, or import files of the server."
            }
            "" => "The collection is empty.",
            _ => "No id begins with this.",
        });
        return;
    }
    page.push(
        "<div class=\"scroll\"><table class=\"documents\">\n<thead><tr><th>Document</th><th>Language</th><th \
         class=\"number\">Words</th><th>Added</th><th>Read as</th></tr></thead>\n<tbody>\n",
    );
    let names = DocumentNames::of(name, documents);
    for document in documents {
        let added = date(document.time);
        let language = document.details.as_ref().and_then(|details| details.language.as_deref());
        let words = document.features.as_ref().map(|kept| grouped(kept.words));
        page.push(&format!(
            "<tr><td>{}</td><td>{}</td><td class=\"number\">{}</td><td><time datetime=\"{added}\">{}</time></td><td \
             class=\"soft\">{}</td></tr>\n",
            names.link(document.id.as_str()),
            language.map_or_else(|| "–".to_owned(), escaped),
            words.unwrap_or_else(|| "–".to_owned()),
            time(&added),
            escaped(document.extractor.as_deref().unwrap_or("–"))
        ));
    }
    page.push("</tbody>\n</table></div>\n");
}

/// A time of RFC 3339, of which narrow pages show the day.
fn time(time: &str) -> String {
    let (day, hour) = time.split_once('T').unwrap_or((time, ""));
    format!("{day} <span class=\"hour\">{}</span>", hour.trim_end_matches('Z'))
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
    let called = PageName::of(&document);
    let title = called.as_ref().map_or(document.id.as_str(), |called| called.title.as_str());
    let is_capture = document.details.as_ref().is_some_and(|details| details.url.is_some());
    let mut page = Page::new(&access, title, Tab::Collections);
    page.push(&format!("<p class=\"kicker\"><a href=\"/collections/{name}\">{name}</a></p>\n"));
    page.heading(title);
    let mut facts = Vec::new();
    if is_capture {
        page.push(&capture_links(&name, &document, replay.as_deref()));
        facts = capture_facts(&document);
    }
    if let Some(language) = document.details.as_ref().and_then(|details| details.language.as_ref())
    {
        facts.push(("Language", escaped(language)));
    }
    if called.is_some() {
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
