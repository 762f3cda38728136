//! The first page: a document is dropped or pasted, and its text, fingerprint and near-duplicates are shown.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use nearprint::fingerprint::Scheme;
use nearprint::records::{DocumentId, FingerprintRecord, MatchRow, Outcome};
use nearprint::report::{escaped, grouped};
use nearprint::search::Measure;
use nearprint::{Matches, PackedFeatures, TextRequest, Verification, VerifiedQuery};

use crate::access::Access;
use crate::collection::Collection;
use crate::document_reader::{DocumentOutcome, DocumentReader, byte_document, text_document};
use crate::form::{Field, fields};
use crate::problem::Problem;
use crate::query_request::{QueryRequest, QuerySubject};
use crate::request::{WholeBody, document_id};
use crate::state::{App, SharedApp};
use crate::work::Lane;

use super::document_names::DocumentNames;
use super::html::{FormState, Page, RefusedForm, Tab, collection_options, line, similarity};

/// Bytes of a text that a page shows.
pub(super) const SHOWN_TEXT: usize = 40_000;

/// Bytes of a text that a page carries along, so that it can be compared.
const CARRIED_TEXT: usize = 200_000;

/// Matches that a page shows.
pub(super) const SHOWN_MATCHES: usize = 50;

/// Fields of a form at most.
pub(super) const FIELDS: usize = 16;

/// The id of the form.
const FORM: &str = "check";

pub(super) async fn form(
    State(app): State<SharedApp>,
    access: Access,
) -> Result<Response, Problem> {
    start(&app, access, None).await
}

/// The first page.
async fn start(
    app: &SharedApp,
    access: Access,
    refused: Option<&RefusedForm>,
) -> Result<Response, Problem> {
    let (shared, asking) = (app.clone(), access.clone());
    let all = app.work.run(Lane::Read, move || shared.collections.summaries(&asking)).await?;
    let mut page = Page::new(&access, "Check a document", Tab::Check);
    page.heading("Have I seen this before?");
    let FormState { alert, described, .. } = FormState::of(refused, FORM, "media");
    page.push(&format!(
        "<p class=\"lead\">Drop a document, or paste a text. You see what nearprint reads in it, its fingerprint, and \
         the documents of a collection that are nearly the same.</p>\n\
         <form class=\"card\" id=\"{FORM}\" method=\"post\" action=\"/check\" \
         enctype=\"multipart/form-data\">\n{alert}<div class=\"two\">\n\
         <p class=\"field drop\"><label for=\"file\">A document</label>\n\
         <input id=\"file\" name=\"file\" type=\"file\"{described}>\n\
         <small id=\"media\">PDF, HTML, EPUB, DOCX, ODT, plain text and more</small></p>\n\
         <p class=\"field\"><label for=\"text\">or a text</label>\n\
         <textarea id=\"text\" name=\"text\" rows=\"7\" dir=\"auto\"></textarea></p>\n</div>\n\
         <div class=\"line\">\n<p class=\"field\"><label for=\"collection\">Compare with</label>\n\
         <select id=\"collection\" name=\"collection\">\n"
    ));
    let chosen = all.first().map(|first| first.description.name.clone());
    page.push(&collection_options(&all, chosen.as_deref()));
    page.push(
        "<option value=\"\">nothing, only read it</option>\n</select></p>\n\
         <p class=\"check\"><input id=\"main-content\" name=\"main-content\" type=\"checkbox\" value=\"true\"> \
         <label for=\"main-content\">Only the main content of HTML pages</label></p>\n\
         <p><button type=\"submit\">Check</button></p>\n</div>\n</form>\n",
    );
    if all.is_empty() {
        page.empty(
            "There is no collection yet. <a href=\"/collections\">Create one, or load samples</a>, to find near-duplicates \
             in it.",
        );
    }
    Ok(page.answer(RefusedForm::status(refused)))
}

/// What lies near a document in a collection.
struct NearDocuments {
    /// The name of the collection.
    collection: String,
    /// Whether its texts are kept.
    texts: bool,
    /// Within which distance.
    k: u32,
    rows: Vec<MatchRow>,
    names: DocumentNames,
}

/// What a page shows about a document that was sent.
struct CheckResult {
    read: DocumentOutcome,
    /// Matches, and what they come from.
    found: Option<NearDocuments>,
}

/// The document of a form: a file, or a text.
pub(super) fn sent(
    fields: &[Field],
    file: &str,
    text: &str,
) -> Result<nearprint::records::Document, Problem> {
    let found = fields.iter().find(|field| field.name == file && !field.bytes.is_empty());
    if let Some(field) = found {
        let named = field.file.as_deref().filter(|name| !name.is_empty()).unwrap_or("document");
        let id = document_id("/file", &nearprint::records::escape(named.as_bytes()))?;
        // What a browser says of a file's type comes from its name: it is detected instead.
        return Ok(byte_document(id, field.bytes.clone(), None, None));
    }
    let pasted = line(fields, text).ok_or_else(|| {
        Problem::invalid(&format!("/{file}"), "no document was chosen, and no text was pasted")
    })?;
    Ok(text_document(document_id("/text", "pasted text")?, pasted.to_owned()))
}

pub(super) async fn result(
    State(app): State<SharedApp>,
    access: Access,
    headers: HeaderMap,
    request: WholeBody,
) -> Result<Response, Problem> {
    let fields = fields(&headers, &request, FIELDS).await?;
    drop(request);
    let document = match sent(&fields, "file", "text") {
        Ok(document) => document,
        Err(problem) => {
            return start(&app, access, Some(&RefusedForm::new(FORM, "", problem))).await;
        }
    };
    let collection = match line(&fields, "collection") {
        Some(name) => Some(app.collection(&access, name).await?),
        None => None,
    };
    let main_content = line(&fields, "main-content").is_some();
    let shared = app.clone();
    let checked = app.work.run(Lane::Document, move || {
        let scheme = collection.as_deref().map_or(Scheme::SD1, Collection::scheme);
        let max_bytes = shared.limits.body_bytes;
        let reading = DocumentReader {
            scheme,
            main_content,
            kept: TextRequest::default(),
            digests: false,
            max_bytes,
        };
        let read = reading.read_one(&shared.engine, document);
        let found = match &collection {
            Some(collection) => near(&shared, collection, &read)?.map(|rows| {
                let ids = rows.iter().map(|row| row.id.as_str());
                Ok::<_, Problem>(NearDocuments {
                    collection: collection.description.name.clone(),
                    texts: collection.keeps_texts(),
                    k: scheme.default_distance(),
                    names: DocumentNames::look_up(collection, ids)?,
                    rows,
                })
            }),
            None => None,
        };
        let found = found.transpose()?;
        Ok::<_, Problem>(CheckResult { read, found })
    });
    Ok(show(&access, &checked.await??))
}

/// What lies near a document, with similarities as far as there are texts; `None` where it has no fingerprint.
fn near(
    app: &App,
    collection: &Collection,
    read: &DocumentOutcome,
) -> Result<Option<Vec<MatchRow>>, Problem> {
    let Some(fingerprint) = read.record.outcome.fingerprint() else { return Ok(None) };
    let features = read.features.as_ref().map(PackedFeatures::unpack).unwrap_or_default();
    let query = VerifiedQuery::new(read.record.id.clone(), fingerprint.clone(), features);
    let subject = QuerySubject { query, text: read.text.clone(), own: None };
    ranked(app, collection, &subject).map(Some)
}

/// What lies near a document of a page: by distance, with the similarity of the texts where there are any.
pub(super) fn ranked(
    app: &App,
    collection: &Collection,
    subject: &QuerySubject,
) -> Result<Vec<MatchRow>, Problem> {
    let parameters = crate::query_request::QueryParameters {
        limit: Some(SHOWN_MATCHES),
        // What is near is shown, whether or not its text is similar.
        question: Matches::default().verify(false),
        ..crate::query_request::QueryParameters::default()
    };
    let asking = QueryRequest::of(&parameters, collection, app.limits.body_bytes)?;
    let mut rows =
        asking.answer(collection, std::slice::from_ref(subject))?.pop().unwrap_or_default();
    let Some(text) = subject.text.as_deref().filter(|_| collection.keeps_texts()) else {
        return Ok(rows);
    };
    let verification = Verification::new(Measure::Jaccard);
    let own = verification.features(text);
    for row in &mut rows {
        let Some(document) = collection.index.document_record(&row.id)? else { continue };
        if let Some(text) = collection.text(&document)? {
            row.measure = Some(Measure::Jaccard.name());
            row.similarity = Some(verification.similarity(&own, &verification.features(&text)));
        }
    }
    rows.sort_by(|a, b| {
        let of = |row: &MatchRow| row.similarity.unwrap_or(-1.0);
        of(b).total_cmp(&of(a)).then(a.distance.cmp(&b.distance))
    });
    Ok(rows)
}

fn show(access: &Access, checked: &CheckResult) -> Response {
    let CheckResult { read: DocumentOutcome { record, text, .. }, found } = checked;
    let mut page = Page::new(access, &format!("{}: checked", record.id), Tab::Check);
    page.kicker("Checked");
    page.heading(record.id.as_str());
    let near = found.as_ref().map(|found| (found.collection.as_str(), found.rows.len()));
    page.push(&lead(record, near));
    facts(&mut page, record);
    if let Some(NearDocuments { collection, texts, k, rows, names }) = found {
        page.push("<h2>Near-duplicates</h2>\n");
        if rows.is_empty() {
            page.empty(&format!(
                "No document of <a href=\"/collections/{collection}\">{collection}</a> is within {k} bits of it."
            ));
        } else {
            let carried = text.as_deref().filter(|text| *texts && text.len() <= CARRIED_TEXT);
            matches(&mut page, collection, (&record.id, names), rows, carried);
        }
    }
    if let Some(text) = text {
        page.push("<h2>Text</h2>\n");
        page.text(text, SHOWN_TEXT);
    }
    page.answer(StatusCode::OK)
}

/// The sentence under the heading.
fn lead(record: &FingerprintRecord, found: Option<(&str, usize)>) -> String {
    match (&record.outcome, found) {
        (Outcome::Nothing { detail, .. }, _) => {
            format!("<p class=\"lead warn\">It has no fingerprint: {}.</p>\n", escaped(detail))
        }
        (_, Some((collection, 0))) => {
            format!(
                "<p class=\"lead\">New: nothing in <b>{collection}</b> is nearly the same.</p>\n"
            )
        }
        (_, Some((collection, count))) => {
            let noun = if count == 1 { "document" } else { "documents" };
            let more = if count == SHOWN_MATCHES { " at least" } else { "" };
            format!(
                "<p class=\"lead\">Seen before:{more} <b>{count}</b> {noun} of <b>{collection}</b> may be nearly the \
                 same.</p>\n"
            )
        }
        _ => "<p class=\"lead\">It was read, and not compared with anything.</p>\n".to_owned(),
    }
}

/// How a document was read.
pub(super) fn facts(page: &mut Page, record: &FingerprintRecord) {
    let mut facts = Vec::new();
    match &record.outcome {
        Outcome::Print { fingerprint, tokens, short, .. } => {
            facts.push(("Fingerprint", format!("<code class=\"print\">{fingerprint}</code>")));
            let note =
                if *short { " <span class=\"soft\">(short: less certain)</span>" } else { "" };
            facts.push(("Words", format!("{}{note}", grouped(*tokens))));
        }
        Outcome::Nothing { reason, .. } => {
            facts.push(("Reason", format!("<code>{}</code>", escaped(reason.as_str()))));
        }
    }
    if let Some(note) = &record.extraction {
        facts.push(("Type", escaped(&note.media_type)));
        if let Some(charset) = &note.charset {
            facts.push(("Charset", escaped(charset)));
        }
        if let Some(pages) = note.pages {
            facts.push(("Pages", grouped(pages.into())));
        }
        facts.push(("Characters", grouped(note.characters)));
        facts.push((
            "Extractor",
            format!("{} {}", escaped(&note.extractor), note.extractor_version),
        ));
    }
    page.facts(&facts);
    let warnings = record.extraction.as_ref().map_or(&[][..], |note| &note.warnings);
    if !warnings.is_empty() {
        page.push("<ul class=\"warnings\">\n");
        for warning in warnings {
            page.push(&format!(
                "<li><code>{}</code> {}</li>\n",
                escaped(&warning.code),
                escaped(&warning.detail)
            ));
        }
        page.push("</ul>\n");
    }
}

/// A table of matches. A text that is carried along can be compared with each.
pub(super) fn matches(
    page: &mut Page,
    collection: &str,
    (query, names): (&DocumentId, &DocumentNames),
    rows: &[MatchRow],
    carried: Option<&str>,
) {
    let has_similarity = rows.iter().any(|row| row.similarity.is_some());
    if carried.is_some() && has_similarity {
        page.push("<form method=\"post\" action=\"/compare\" enctype=\"multipart/form-data\">\n");
        page.push(&format!(
            "<input type=\"hidden\" name=\"a-name\" value=\"{}\">\n\
             <input type=\"hidden\" name=\"b-collection\" value=\"{collection}\">\n\
             <textarea hidden name=\"a-text\" aria-hidden=\"true\">\n{}</textarea>\n",
            escaped(query.as_str()),
            carried
                .map(|text| text.lines().map(escaped).collect::<Vec<_>>().join("\n"))
                .unwrap_or_default()
        ));
    }
    page.push("<div class=\"scroll\"><table>\n<thead><tr><th>Document</th>");
    if has_similarity {
        page.push("<th>Similarity of texts</th>");
    }
    page.push("<th class=\"number\">Distance</th>");
    if has_similarity {
        page.push("<th><span class=\"hidden\">Action</span></th>");
    }
    page.push("</tr></thead>\n<tbody>\n");
    for row in rows {
        page.push(&format!("<tr><td>{}</td>", names.link(row.id.as_str())));
        if has_similarity {
            let shown = row.similarity.map_or_else(|| "–".to_owned(), similarity);
            page.push(&format!("<td>{shown}</td>"));
        }
        let bits = if row.distance == 1 { "bit" } else { "bits" };
        page.push(&format!("<td class=\"number\">{} {bits}</td>", row.distance));
        if has_similarity {
            page.push("<td>");
            if carried.is_some() && row.similarity.is_some() {
                page.push(&format!(
                    "<button class=\"small\" name=\"b-id\" value=\"{}\">Side by side</button>",
                    escaped(row.id.as_str())
                ));
            }
            page.push("</td>");
        }
        page.push("</tr>\n");
    }
    page.push("</tbody>\n</table></div>\n");
    if carried.is_some() && has_similarity {
        page.push("</form>\n");
    }
}
