//! Documents that a form adds to a collection: files and folders chosen or dropped together, each with its outcome.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use nearprint::OnDuplicate;
use nearprint::records::{Container, Document, DocumentId, Outcome, ReadSettings};
use nearprint::report::{escaped, grouped};
use nearprint_index::{Admission, StoredDocument};

use crate::access::{Access, Need};
use crate::address::encoded;
use crate::collection::Collection;
use crate::document_reader::{DocumentOutcome, DocumentReader, byte_document};
use crate::form::{Field, fields};
use crate::problem::Problem;
use crate::request::{PathName, WholeBody, document_id};
use crate::state::{App, SharedApp};
use crate::work::Lane;

use super::html::{Page, Tab, document_link, line};
use super::{capitalised, see};

/// Files of one form at most.
const MOST_FILES: usize = 1000;

/// Bytes of a file by which it is seen that it holds many documents.
const BEGINNING: usize = 64 << 10;

/// The form that adds documents.
pub(super) fn form(name: &str) -> String {
    format!(
        "<form class=\"card\" method=\"post\" action=\"/collections/{name}\" enctype=\"multipart/form-data\">\n\
         <h2>Add documents</h2>\n\
         <p class=\"field drop\"><label for=\"file\">Documents</label>\n<input id=\"file\" name=\"file\" type=\"file\" \
         multiple aria-describedby=\"media\">\n<small id=\"media\">PDF, HTML, EPUB, DOCX, ODT, plain text and more, up to \
         {MOST_FILES} at once</small></p>\n\
         <p class=\"field\"><label for=\"folder\">or a folder</label>\n<input id=\"folder\" name=\"file\" type=\"file\" \
         multiple webkitdirectory></p>\n\
         <p class=\"field\"><label for=\"id\">Id of a single document <small>(else its file name)</small></label>\n<input \
         id=\"id\" name=\"id\" autocomplete=\"off\"></p>\n<p><button type=\"submit\">Add</button></p>\n</form>\n"
    )
}

/// Adds the documents of a form. One that was added is shown; otherwise a page says what became of each.
pub(super) async fn add(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    headers: HeaderMap,
    request: WholeBody,
) -> Result<Response, Problem> {
    // The id, and two lists of files of which one is empty.
    let fields = fields(&headers, &request, MOST_FILES + 3).await?;
    drop(request);
    let mut files: Vec<FormFile> = Vec::new();
    for field in fields.iter().filter(|field| field.name == "file" && !field.bytes.is_empty()) {
        files.push(FormFile::of(field)?);
    }
    match (line(&fields, "id"), &mut files[..]) {
        (_, []) => return Err(Problem::invalid("/file", "no document was chosen, or it is empty")),
        (Some(id), [only]) => only.id = document_id("/id", id)?,
        (Some(_), _) => {
            return Err(Problem::invalid("/id", "several documents cannot have one id"));
        }
        (None, _) => {}
    }
    drop(fields);
    let (shared, user) = (app.clone(), access.clone());
    let lane = Lane::of_documents(files.len());
    let outcomes = app
        .with_collection(&access, &name, lane, move |collection| {
            shared.check_room(&user)?;
            added(&shared, collection, files)
        })
        .await?;
    match &outcomes[..] {
        [FileOutcome { id, refusal: None }] => {
            Ok(see(&format!("/collections/{name}/document?id={}", encoded(id.as_str()))))
        }
        _ => Ok(result(&access, &name, app.jobs.may_import(), &outcomes)),
    }
}

/// A file of a form.
pub(super) struct FormFile {
    pub(super) id: DocumentId,
    pub(super) bytes: Vec<u8>,
}

impl FormFile {
    fn of(field: &Field) -> Result<Self, Problem> {
        // Of a folder's files browsers give the path within it.
        let named = field.file.as_deref().filter(|name| !name.is_empty()).unwrap_or("document");
        let id = document_id("/file", &nearprint::records::escape(named.as_bytes()))?;
        Ok(Self { id, bytes: field.bytes.clone() })
    }

    /// The form of a file that holds many documents.
    fn container(&self) -> Option<Container> {
        let name = self.id.as_str().to_ascii_lowercase();
        // What is compressed says what it is by its name alone.
        if [".warc.gz", ".warc.zst", ".arc.gz"].iter().any(|suffix| name.ends_with(suffix)) {
            return Some(Container::Warc);
        }
        let beginning = &self.bytes[..self.bytes.len().min(BEGINNING)];
        Container::sniff(beginning, &ReadSettings::default())
    }

    fn document(self) -> Document {
        // What a browser says of a file's type comes from its name: it is detected instead.
        byte_document(self.id, self.bytes, None, None)
    }
}

/// What became of a file.
pub(super) struct FileOutcome {
    id: DocumentId,
    /// Why it was not added.
    refusal: Option<Refusal>,
}

/// Why a file was not added.
pub(super) enum Refusal {
    /// It holds many documents.
    Container(Container),
    Unread(String),
}

/// Adds files to a collection in one commit; those that cannot be read are left out.
pub(super) fn added(
    app: &App,
    collection: &Collection,
    files: Vec<FormFile>,
) -> Result<Vec<FileOutcome>, Problem> {
    let reading = DocumentReader {
        scheme: collection.scheme(),
        main_content: false,
        kept: collection.index.wanted(),
        digests: false,
        max_bytes: app.limits.body_bytes,
    };
    let mut outcomes = Vec::new();
    let mut documents = Vec::new();
    for file in files {
        let refusal = file.container().map(Refusal::Container);
        outcomes.push(FileOutcome { id: file.id.clone(), refusal });
        if outcomes.last().is_some_and(|outcome| outcome.refusal.is_none()) {
            documents.push(file.document());
        }
    }
    let mut read = reading.read(&app.engine, documents).into_iter();
    let mut stored = Vec::new();
    for outcome in outcomes.iter_mut().filter(|outcome| outcome.refusal.is_none()) {
        let Some(read) = read.next() else { break };
        match stored_document(&outcome.id, &read) {
            Ok(document) => stored.push(document),
            Err(detail) => outcome.refusal = Some(Refusal::Unread(detail)),
        }
    }
    collection.put(&stored, OnDuplicate::Replace, Admission::All)?;
    Ok(outcomes)
}

/// A document as a collection stores it, or why it has no fingerprint.
fn stored_document(id: &DocumentId, read: &DocumentOutcome) -> Result<StoredDocument, String> {
    match &read.record.outcome {
        Outcome::Print { fingerprint, .. } => Ok(StoredDocument {
            extractor: read.extractor(),
            text: read.kept_text(),
            features: read.kept_features(),
            ..StoredDocument::new(id.clone(), fingerprint.clone())
        }),
        Outcome::Nothing { detail, .. } => Err(detail.to_string()),
    }
}

/// The page that says what became of each file.
fn result(access: &Access, name: &str, may_import: bool, outcomes: &[FileOutcome]) -> Response {
    let refused = outcomes.iter().filter(|outcome| outcome.refusal.is_some()).count();
    let added = outcomes.len() - refused;
    let mut page = Page::new(access, "Documents added", Tab::Collections);
    page.push(&format!("<p class=\"kicker\"><a href=\"/collections/{name}\">{name}</a></p>\n"));
    page.heading(&match (added, refused) {
        (_, 0) => format!("{} documents added", grouped(added as u64)),
        (0, 1) => "The document was not added".to_owned(),
        (0, _) => "No document was added".to_owned(),
        _ => format!(
            "{} of {} documents added",
            grouped(added as u64),
            grouped(outcomes.len() as u64)
        ),
    });
    page.push(
        "<div class=\"scroll\"><table>\n<thead><tr><th>Document</th><th>Outcome</th></tr></thead>\n<tbody>\n",
    );
    // Those that need attention first.
    let mut sorted: Vec<&FileOutcome> = outcomes.iter().collect();
    sorted.sort_by_key(|outcome| outcome.refusal.is_none());
    for FileOutcome { id, refusal } in sorted {
        let (shown, outcome) = match refusal {
            None => (document_link(name, id.as_str()), "added".to_owned()),
            Some(refusal) => {
                (escaped(id.as_str()), words(refusal, name, page.may(Need::WRITE) && may_import))
            }
        };
        page.push(&format!("<tr><td>{shown}</td><td>{outcome}</td></tr>\n"));
    }
    page.push(&format!(
        "</tbody>\n</table></div>\n<p><a class=\"button\" href=\"/collections/{name}\">To the collection</a></p>\n"
    ));
    page.answer(if added > 0 { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY })
}

/// A refusal in words, as HTML.
fn words(refusal: &Refusal, name: &str, may_import: bool) -> String {
    match refusal {
        Refusal::Unread(detail) => escaped(&capitalised(detail)),
        Refusal::Container(container) => {
            let kind = match container {
                Container::Warc | Container::Arc | Container::Wacz => {
                    "This is a web archive of many captures".to_owned()
                }
                _ => format!("This file holds many documents ({container})"),
            };
            let way = if may_import {
                format!(
                    "<a href=\"/collections/{name}#import\">Import it</a> from the server's directory."
                )
            } else {
                "It has to be imported from the server's directory: ask who runs the server."
                    .to_owned()
            };
            format!("{kind}. {way}")
        }
    }
}
