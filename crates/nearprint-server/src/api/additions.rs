//! Documents into a collection: one, or a batch in one change. What is acknowledged is on the disk, and the next query
//! finds it.

mod answers;
mod items;
mod parameters;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use nearprint::fingerprint::Fingerprint;
use nearprint_index::{Addition, StoredDocument};

use self::answers::{AdditionAnswer, AdditionList};
use self::items::{DocumentItem, DocumentItems, Item, ReadItems, file_item, lane, line_item, read};
use self::parameters::AddParameters;
use crate::access::Access;
use crate::api::documents::checked;
use crate::collection::Collection;
use crate::document_reader::byte_document;
use crate::form::fields;
use crate::lines::{Lines, json_answer};
use crate::precondition::Precondition;
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::request::{Parameters, PathName, WholeBody, document_id};
use crate::schemas::{RawBytes, UploadedFiles};
use crate::state::SharedApp;
use crate::work::Lane;

impl AddParameters {
    /// Reads documents and puts them into the collection; what became of each, and its fingerprint.
    ///
    /// Reading documents takes a place among those that work, and the change one among those that wait for the disk:
    /// many of these go into one commit.
    async fn add(
        self,
        app: &SharedApp,
        access: Access,
        collection: Arc<Collection>,
        items: Vec<Item>,
        condition: Precondition,
    ) -> Result<Vec<Result<(Addition, Fingerprint), Problem>>, Problem> {
        let lane = lane(&items);
        let (shared, on_duplicate) = (app.clone(), self.on_duplicate());
        let admission = self.admission(&collection)?;
        let (of_change, main_content) = (Arc::clone(&collection), self.main_content);
        let read = move || {
            shared.check_room(&access)?;
            Ok::<_, Problem>(read(&shared, &collection, main_content, items))
        };
        let put = move |documents: &[StoredDocument]| match documents {
            [document] if !condition.is_empty() => {
                let check = |there| checked(&condition, there);
                of_change.changed_if(&document.id, check, |index| {
                    index.add(documents, on_duplicate, admission)
                })
            }
            _ => of_change.put(documents, on_duplicate, admission),
        };
        let (fingerprints, additions) = if lane == Lane::Read {
            // There is nothing to extract: one wait is enough.
            let both = move || {
                let ReadItems { documents, fingerprints } = read()?;
                Ok::<_, Problem>((fingerprints, put(&documents)?))
            };
            app.work.run(Lane::Write, both).await??
        } else {
            let ReadItems { documents, fingerprints } = app.work.run(lane, read).await??;
            (fingerprints, app.work.run(Lane::Write, move || put(&documents)).await??)
        };
        let mut additions = additions.into_iter();
        let added = fingerprints.into_iter().map(|fingerprint| {
            let fingerprint = fingerprint?;
            let missing = || Problem::new(ProblemKind::Internal, "the document was not added");
            Ok((additions.next().ok_or_else(missing)?, fingerprint))
        });
        Ok(added.collect())
    }
}

/// Add or replace a document
///
/// The body is the document, of any medium that nearprint reads; its type is detected unless Content-Type names one.
/// With Content-Type application/json, it is an object with a text, a page, a document in base64 or a fingerprint, and
/// metadata. When this is answered, the document is on the disk and found by the next query. `If-None-Match: *` adds
/// only what is not there, and `If-Match` replaces only a document of one of these tags.
#[utoipa::path(put, path = "/v1/collections/{collection}/documents", tag = "documents",
    params(("collection" = String, Path, description = "The name of the collection."), AddParameters),
    request_body(description = "The document.", content((DocumentItem = "application/json"), (RawBytes = "application/octet-stream"))),
    responses(
        (status = 201, description = "It was added.", body = AdditionAnswer),
        (status = 200, description = "It took the place of another, or was not added.", body = AdditionAnswer),
    ))]
pub(crate) async fn put(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    Parameters(parameters): Parameters<AddParameters>,
    headers: HeaderMap,
    request: WholeBody,
) -> Result<Response, Problem> {
    let condition = Precondition::of(&headers);
    let id =
        parameters.id.as_deref().ok_or_else(|| Problem::invalid("?id", "the id is missing"))?;
    let id = document_id("?id", id)?;
    let item = if request.media.is("application/json") {
        let item: DocumentItem = request.json()?;
        if item.id.is_some() {
            return Err(Problem::invalid("/id", "the id is a parameter of the address"));
        }
        Item::of(id.clone(), item, "")?
    } else {
        let media = request.media.of_document()?;
        let bytes = request.bytes.to_vec();
        let document = byte_document(id.clone(), bytes, media, request.media.charset.clone());
        Item { id: id.clone(), given: Ok(document), metadata: None, capture: None }
    };
    let collection = app.collection(&access, &name).await?;
    let has_budget = parameters.budget.is_some();
    let added = parameters.add(&app, access, collection, vec![item], condition).await?.pop();
    let missing = || Problem::new(ProblemKind::Internal, "the document was not read");
    let (addition, fingerprint) = added.ok_or_else(missing)??;
    if addition == Addition::Refused {
        let detail = format!("the id {id} is in the collection");
        return Err(Problem::new(ProblemKind::DuplicateDocument, detail));
    }
    let added = AdditionAnswer::of(id.into(), addition, fingerprint, has_budget);
    let status = StatusCode::from_u16(added.status).unwrap_or(StatusCode::OK);
    Ok(json_answer(status, &added))
}

/// Add many documents, in one change
///
/// The body is lines of JSON, each an object with an id and a text, a page, a document in base64 or a fingerprint; or a
/// form with files of any medium, whose names are the ids. The answer has a line for each, in their order. A document
/// with a problem does not hinder the others; all others are on the disk when this is answered.
#[utoipa::path(post, path = "/v1/collections/{collection}/documents/batch", tag = "documents",
    params(("collection" = String, Path, description = "The name of the collection."), AddParameters),
    request_body(description = "The documents.", content((DocumentItem = "application/x-ndjson"), (DocumentItems = "application/json"), (UploadedFiles = "multipart/form-data"))),
    responses((status = 200, description = "What became of each.", content((AdditionAnswer = "application/x-ndjson"), (AdditionList = "application/json")))))]
pub(crate) async fn batch(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    Parameters(parameters): Parameters<AddParameters>,
    headers: HeaderMap,
    request: WholeBody,
) -> Result<Response, Problem> {
    if parameters.id.is_some() {
        return Err(Problem::invalid("?id", "each document of a batch has an id of its own"));
    }
    let collection = app.collection(&access, &name).await?;
    let most = app.limits.batch_items;
    let parsed = if request.media.is("multipart/form-data") {
        let fields = fields(&headers, &request, most).await?;
        fields.into_iter().map(|field| file_item(field.file, field.media, field.bytes)).collect()
    } else if request.media.is_batch() {
        let items = request.items(most)?;
        items.iter().enumerate().map(|(at, item)| line_item(at, item)).collect::<Vec<_>>()
    } else {
        let detail = "a batch is lines of JSON (application/x-ndjson), an object with items (application/json), or a \
                      form with files";
        return Err(Problem::new(ProblemKind::UnsupportedMediaType, detail));
    };
    let mut problems: BTreeMap<usize, (String, Problem)> = BTreeMap::new();
    let mut items = Vec::new();
    let count = parsed.len();
    for (at, item) in parsed.into_iter().enumerate() {
        match item {
            Ok(item) => items.push(item),
            Err(problem) => drop(problems.insert(at, problem)),
        }
    }
    let ids: Vec<String> = items.iter().map(|item| item.id.to_string()).collect();
    let has_budget = parameters.budget.is_some();
    let added = parameters.add(&app, access, collection, items, Precondition::default()).await?;
    let mut added = ids.into_iter().zip(added);
    let mut lines = Lines::new();
    for at in 0..count {
        let row = match problems.remove(&at) {
            Some((id, problem)) => AdditionAnswer::failed(id, &problem),
            None => match added.next() {
                Some((id, Ok((addition, fingerprint)))) => {
                    AdditionAnswer::of(id, addition, fingerprint, has_budget)
                }
                Some((id, Err(problem))) => AdditionAnswer::failed(id, &problem),
                None => continue,
            },
        };
        lines.push_object(&row);
    }
    Ok(lines.answer(request.form))
}
