//! Two documents side by side: sent with a form, or from a collection.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use nearprint::fingerprint::Scheme;
use nearprint::records::{ComparisonRow, TextGrade};
use nearprint::report::escaped;
use nearprint::{Compare, ComparedDocument, Verification};
use serde::Deserialize;

use crate::access::Access;
use crate::collections::Collections;
use crate::document_reader::DocumentReader;
use crate::form::{Field, fields};
use crate::problem::Problem;
use crate::query_request::{compared_text, no_texts};
use crate::question::OptionPlace;
use crate::request::{Parameters, WholeBody, document_id, flag};
use crate::state::SharedApp;
use crate::work::Lane;

use super::check::{FIELDS, sent};
use super::document_names::PageName;
use super::html::{FormState, Page, RefusedForm, Tab, line, similarity};
use super::side_by_side;

/// Two documents of collections; without them, the form is shown.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(super) struct CompareParameters {
    a_collection: Option<String>,
    a_id: Option<String>,
    b_collection: Option<String>,
    b_id: Option<String>,
    /// Compare only the main content of HTML pages.
    #[serde(deserialize_with = "flag")]
    main_content: bool,
}

pub(super) async fn form(
    State(app): State<SharedApp>,
    access: Access,
    Parameters(parameters): Parameters<CompareParameters>,
) -> Result<Response, Problem> {
    let CompareParameters { a_collection, a_id, b_collection, b_id, main_content } = parameters;
    if let (Some(a), Some(a_id), Some(b), Some(b_id)) = (a_collection, a_id, b_collection, b_id) {
        let shared = app.clone();
        let row = app.work.run(Lane::Document, move || {
            let stored = |name, id| stored(&access, &shared.collections, name, id, main_content);
            show(&access, &stored(&a, &a_id)?, &stored(&b, &b_id)?)
        });
        return row.await?;
    }
    Ok(start(&access, None))
}

/// The id of the form.
const FORM: &str = "compare";

/// The page with the form.
fn start(access: &Access, refused: Option<&RefusedForm>) -> Response {
    let mut page = Page::new(access, "Compare two documents", Tab::Compare);
    let FormState { alert, described, .. } = FormState::of(refused, FORM, "");
    page.heading("What changed?");
    page.push(&format!(
        "<p class=\"lead\">Two documents of any medium, side by side: what both have, what only one has, and what \
         moved.</p>\n\
         <form class=\"card\" id=\"{FORM}\" method=\"post\" action=\"/compare\" \
         enctype=\"multipart/form-data\">\n{alert}<div class=\"two\">\n"
    ));
    for (side, name) in [("a", "First"), ("b", "Second")] {
        page.push(&format!(
            "<fieldset><legend>{name}</legend>\n\
             <p class=\"field drop\"><label for=\"{side}-file\">A document</label>\n\
             <input id=\"{side}-file\" name=\"{side}-file\" type=\"file\"{described}></p>\n\
             <p class=\"field\"><label for=\"{side}-text\">or a text</label>\n\
             <textarea id=\"{side}-text\" name=\"{side}-text\" rows=\"6\" dir=\"auto\"></textarea></p></fieldset>\n"
        ));
    }
    page.push("</div>\n<p><button type=\"submit\">Compare</button></p>\n</form>\n");
    page.answer(RefusedForm::status(refused))
}

pub(super) async fn result(
    State(app): State<SharedApp>,
    access: Access,
    headers: HeaderMap,
    request: WholeBody,
) -> Result<Response, Problem> {
    let fields = fields(&headers, &request, FIELDS).await?;
    drop(request);
    let (shared, asking) = (app.clone(), access.clone());
    let page = app.work.run(Lane::Document, move || {
        let max_bytes = shared.limits.body_bytes;
        let reading = DocumentReader {
            scheme: Scheme::SD1,
            main_content: false,
            kept: Verification::default().into(),
            digests: false,
            max_bytes,
        };
        let side = |side: &str| of_form(&shared, &asking, &reading, &fields, side);
        show(&asking, &side("a")?, &side("b")?)
    });
    match page.await? {
        Err(problem) if problem.is_of_input() => {
            Ok(start(&access, Some(&RefusedForm::new(FORM, "", problem))))
        }
        shown => shown,
    }
}

/// A document, and what it is called.
struct Side {
    document: ComparedDocument,
    name: String,
}

/// One side of a form: a document of a collection, a file, or a text.
fn of_form(
    app: &SharedApp,
    access: &Access,
    reading: &DocumentReader,
    fields: &[Field],
    side: &str,
) -> Result<Side, Problem> {
    let field = |name: &str| line(fields, name);
    let (collection, id) = (format!("{side}-collection"), format!("{side}-id"));
    if let (Some(collection), Some(id)) = (field(&collection), field(&id)) {
        return stored(access, &app.collections, collection, id, false);
    }
    let document = sent(fields, &format!("{side}-file"), &format!("{side}-text"))?;
    let id = match field(&format!("{side}-name")) {
        Some(name) => document_id("/name", name)?,
        None => document.id.clone(),
    };
    let read = reading.read_one(&app.engine, document).printed()?;
    let name = id.as_str().to_owned();
    let digest = read.digest();
    let document = compared_text(id, (read.text.unwrap_or_default(), digest), reading.scheme)?;
    Ok(Side { document, name })
}

/// A document of a collection that keeps texts; of a page only the main content, if that is wanted.
fn stored(
    access: &Access,
    collections: &Collections,
    collection: &str,
    id: &str,
    main_content: bool,
) -> Result<Side, Problem> {
    let collection = collections.get(access, collection)?;
    let id = document_id("?id", id)?;
    let document = collection.document(&id)?;
    let name = PageName::of(&document);
    let name = name.map_or_else(|| id.as_str().to_owned(), |name| name.in_a_line());
    let text = match main_content {
        true => collection.text_or_main(&document, main_content)?.map(|text| (text, None)),
        false => collection.compared(&document)?,
    };
    let text = text.ok_or_else(|| no_texts(&collection.description.name))?;
    Ok(Side { document: compared_text(id, text, Scheme::SD1)?, name })
}

fn show(access: &Access, a: &Side, b: &Side) -> Result<Response, Problem> {
    let names = (a.name.as_str(), b.name.as_str());
    let (a, b) = (&a.document, &b.document);
    let question = Compare::default().scheme(Scheme::SD1).resolve();
    let question = question.map_err(|error| OptionPlace::Body.refused(&error))?;
    let row = question.run(a, b, || Ok::<_, Problem>(()))?;
    let mut page = Page::new(access, &format!("{} and {}", names.0, names.1), Tab::Compare);
    page.kicker("Side by side");
    page.push(&format!("<h1>{}</h1>\n", title(&row)));
    page.facts(&[
        ("Similarity of texts", row.text_similarity.map_or_else(|| "–".to_owned(), similarity)),
        ("Fingerprints differ in", format!("{} of {} bits", row.distance, Scheme::SD1.positions())),
        ("First", format!("<code class=\"print\">{}</code>", row.fingerprint_a)),
        ("Second", format!("<code class=\"print\">{}</code>", row.fingerprint_b)),
    ]);
    side_by_side::write(&mut page, (&a.text, &b.text), names);
    Ok(page.answer(StatusCode::OK))
}

/// What the texts are to each other.
fn title(row: &ComparisonRow) -> String {
    escaped(match row.texts {
        Some(TextGrade::Identical) => "The texts are identical",
        Some(TextGrade::SameWords) => "Only numbers, signs or punctuation differ",
        Some(TextGrade::Near) => "The texts are nearly the same",
        _ => "The texts are different",
    })
}
