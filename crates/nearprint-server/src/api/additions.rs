//! Documents into a collection: one, or a batch in one change. What is acknowledged is on the disk, and the next query
//! finds it.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use nearprint::fingerprint::Fingerprint;
use nearprint::records::{Document, DocumentId, Outcome};
use nearprint::{CaptureKey, IndexMatch, OnDuplicate};
use nearprint_index::{
    Addition, Admission, Budget, CaptureDetails, KeptFeatures, StoredDocument, StoredText,
    check_metadata,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::access::Access;
use crate::api::captures::CaptureField;
use crate::api::documents::checked;
use crate::collection::Collection;
use crate::document_form::{DocumentFields, DocumentForm};
use crate::document_reader::{DocumentOutcome, DocumentReader, byte_document};
use crate::form::fields;
use crate::lines::{Lines, json_answer};
use crate::precondition::Precondition;
use crate::problem::{Problem, ProblemBody};
use crate::problem_kind::ProblemKind;
use crate::question::OptionPlace;
use crate::request::{Parameters, PathName, WholeBody, document_id, flag, json};
use crate::schemas::{RawBytes, UploadedFiles};
use crate::state::SharedApp;
use crate::work::Lane;

/// What happens to a document whose id is in the collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum OnDuplicateName {
    /// It is a problem.
    Error,
    /// It takes the place of the one that is there.
    Replace,
    /// The one that is there stays.
    Skip,
}

/// How documents are added.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(crate) struct AddParameters {
    /// The id of the document: 1 to 4,096 bytes of UTF-8 without control characters. Not for batches.
    id: Option<String>,
    /// What happens if the id is in the collection; replace if it is not given, with if-new error.
    #[param(inline)]
    on_duplicate: Option<OnDuplicateName>,
    /// Add the document only if nothing lies within the distance of it. Sent again with the same content, it gets the
    /// same answer as the first time.
    #[serde(deserialize_with = "flag")]
    #[param(required = false)]
    if_new: bool,
    /// The distance for if-new; if it is not given that of the scheme, and where the collection keeps features that
    /// within which dedup compares texts. There only duplicates, by the rule of dedup, hinder an addition.
    k: Option<u32>,
    /// Add the document only if fewer than so many others are similar to it, 1 or more: for crawlers, which keep so
    /// many pages of a cluster. One whose id is in the collection is replaced whatever there is. Not with if-new.
    #[param(minimum = 1)]
    budget: Option<u64>,
    /// From which similarity on texts are similar for the budget, 0 to 1; if it is not given that of dedup. Where the
    /// collection keeps no features, fingerprints within k are.
    #[param(minimum = 0, maximum = 1)]
    threshold: Option<f64>,
    /// Read only the main content of HTML pages.
    #[serde(deserialize_with = "flag")]
    #[param(required = false)]
    main_content: bool,
}

/// A document, or a fingerprint, with its metadata.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct DocumentItem {
    /// The id; only in batches.
    id: Option<String>,
    /// A text, of which nothing is extracted.
    text: Option<String>,
    /// An HTML page.
    html: Option<String>,
    /// A document of any medium, in base64.
    document: Option<String>,
    /// The media type of the document, if it is not to be detected.
    media_type: Option<String>,
    /// The charset that the document came with.
    charset: Option<String>,
    /// A fingerprint in place of a document.
    #[schema(example = "sd1:aerukz4jvpg66")]
    fingerprint: Option<String>,
    /// A JSON object of at most 64 KiB that is stored with the document.
    #[schema(value_type = Option<Object>)]
    metadata: Option<Value>,
    /// The address and time of a capture, by which it is found among those of the address, and what else is known.
    capture: Option<CaptureField>,
}

/// Documents as one object, for clients that know no lines of JSON.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct DocumentItems {
    /// What are lines otherwise.
    #[schema(max_items = 1000)]
    items: Vec<DocumentItem>,
}

/// What became of a document.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AdditionAnswer {
    /// Always `nearprint/item/1`.
    schema: &'static str,
    /// The document.
    id: String,
    /// The status that the document alone would get: 201 if it was added, 200 if it was not or took the place of
    /// another.
    status: u16,
    /// `added`, `replaced`, `skipped` or `near`, and with a budget that is spent `spent`; null where there is a
    /// problem.
    outcome: Option<&'static str>,
    /// Its fingerprint.
    fingerprint: Option<String>,
    /// How many others are similar to it, with a budget.
    similar: Option<u64>,
    /// The documents within the distance or similar, at most 100, nearest first, because of which it was not added.
    near: Vec<Near>,
    /// Why it was not added.
    problem: Option<ProblemBody>,
}

/// What became of each document of a batch, for clients that ask for `application/json`.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AdditionList {
    /// The rows that are lines otherwise.
    items: Vec<AdditionAnswer>,
}

/// A document that is near.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Near {
    id: String,
    distance: u32,
}

impl From<IndexMatch> for Near {
    fn from(IndexMatch { id, distance }: IndexMatch) -> Self {
        Self { id: id.into(), distance }
    }
}

const ITEM: &str = "nearprint/item/1";

/// The most documents that an answer names.
const MOST_NEAR: usize = 100;

impl AdditionAnswer {
    fn of(id: String, addition: Addition, fingerprint: Fingerprint, has_budget: bool) -> Self {
        let (status, outcome, similar, near) = match addition {
            Addition::Added { similar } => (201, "added", similar, Vec::new()),
            Addition::Unchanged => (201, "added", None, Vec::new()),
            Addition::Replaced { similar } => (200, "replaced", similar, Vec::new()),
            Addition::Skipped => (200, "skipped", None, Vec::new()),
            Addition::Near(near) => {
                let (outcome, similar) = match has_budget {
                    true => ("spent", Some(near.len() as u64)),
                    false => ("near", None),
                };
                let near = near.into_iter().take(MOST_NEAR).map(Near::from);
                (200, outcome, similar, near.collect())
            }
            Addition::Refused => {
                let detail = format!("the id {id} is in the collection");
                return Self::failed(id, &Problem::new(ProblemKind::DuplicateDocument, detail));
            }
        };
        let (outcome, fingerprint) = (Some(outcome), Some(fingerprint.to_string()));
        Self { schema: ITEM, id, status, outcome, fingerprint, similar, near, problem: None }
    }

    fn failed(id: String, problem: &Problem) -> Self {
        Self {
            schema: ITEM,
            id,
            status: problem.status().as_u16(),
            outcome: None,
            fingerprint: None,
            similar: None,
            near: Vec::new(),
            problem: Some(problem.body(None, None)),
        }
    }
}

/// A document of a request that is not read yet.
struct Item {
    id: DocumentId,
    /// The document, or its fingerprint.
    given: Result<Document, Fingerprint>,
    metadata: Option<String>,
    capture: Option<(CaptureKey, CaptureDetails)>,
}

impl Item {
    fn of(id: DocumentId, item: DocumentItem, at: &str) -> Result<Self, Problem> {
        let DocumentItem { text, html, document, media_type, charset, fingerprint, .. } = item;
        let given = DocumentFields { text, html, document, media_type, charset, fingerprint };
        let given = given.one(at)?.ok_or_else(|| {
            Problem::invalid(at, "one of text, html, document and fingerprint is needed")
        })?;
        let metadata = item.metadata.map(|metadata| metadata.to_string());
        if let Some(metadata) = &metadata {
            check_metadata(metadata)
                .map_err(|error| Problem::invalid(&format!("{at}/metadata"), error.to_string()))?;
        }
        let capture = item.capture.map(|capture| capture.parts(&format!("{at}/capture")));
        let capture = capture.transpose()?;
        Ok(Self { given: given.document(id.clone()), id, metadata, capture })
    }
}

/// Documents of a request that were read, and those that could not be.
struct ReadItems {
    documents: Vec<StoredDocument>,
    /// The fingerprint of each item, in their order.
    fingerprints: Vec<Result<Fingerprint, Problem>>,
}

impl AddParameters {
    fn on_duplicate(&self) -> OnDuplicate {
        match (self.on_duplicate, self.if_new) {
            (Some(OnDuplicateName::Error), _) | (None, true) => OnDuplicate::Refuse,
            (Some(OnDuplicateName::Skip), _) => OnDuplicate::Skip,
            (Some(OnDuplicateName::Replace), _) | (None, false) => OnDuplicate::Replace,
        }
    }

    /// Which documents the collection lets in.
    fn admission(&self, collection: &Collection) -> Result<Admission, Problem> {
        let index = &collection.index;
        match (self.budget, self.if_new) {
            (Some(_), true) => Err(Problem::invalid("?budget", "a budget stands without if-new")),
            (Some(0), false) => Err(Problem::invalid("?budget", "a budget is 1 or more")),
            (Some(most), false) => Budget::of(index, most, self.threshold, self.k)
                .map(Admission::Budget)
                .map_err(|error| OptionPlace::Address.refused(&error)),
            (None, _) if self.threshold.is_some() => {
                Err(Problem::invalid("?threshold", "a threshold is for a budget"))
            }
            (None, true) => Ok(Admission::New(self.k.unwrap_or_else(|| index.new_distance()))),
            (None, false) => Ok(Admission::All),
        }
    }

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

/// Reads the documents of a request.
fn read(
    app: &SharedApp,
    collection: &Collection,
    main_content: bool,
    items: Vec<Item>,
) -> ReadItems {
    let scheme = collection.scheme();
    let (kept, digests) = (collection.index.wanted(), false);
    let max_bytes = app.limits.body_bytes;
    let reading = DocumentReader { scheme, main_content, kept, digests, max_bytes };
    let mut documents = Vec::new();
    let items: Vec<_> = items
        .into_iter()
        .map(|Item { id, given, metadata, capture }| {
            let fingerprint = given.map(|document| documents.push(document)).err();
            (StoredFields { id, metadata, capture }, fingerprint)
        })
        .collect();
    let mut read = reading.read(&app.engine, documents).into_iter();
    let mut new = Vec::new();
    let printed = |(fields, fingerprint): (StoredFields, Option<Fingerprint>)| -> Result<Fingerprint, Problem> {
        let KeptParts { fingerprint, text, features, extractor, page } = match fingerprint {
            Some(fingerprint) => {
                nearprint::fingerprint::UnlikeSchemes::check(scheme, fingerprint.scheme())
                    .map_err(|error| Problem::from(nearprint::Error::from(error)))?;
                KeptParts::of_print(fingerprint)
            }
            None => {
                let missing = || Problem::new(ProblemKind::Internal, "the document was not read");
                KeptParts::of(read.next().ok_or_else(missing)?.printed()?)?
            }
        };
        let StoredFields { id, metadata, capture } = fields;
        let stored = StoredDocument::new(id, fingerprint.clone());
        let (capture, details) = capture.unzip();
        let details = match details {
            Some(details) => CaptureDetails {
                title: details.title.clone().or(page.title),
                language: page.language,
                ..details
            },
            None => page,
        };
        let details = details.boxed();
        new.push(StoredDocument { extractor, metadata, capture, details, features, text, ..stored });
        Ok(fingerprint)
    };
    let fingerprints = items.into_iter().map(printed).collect();
    ReadItems { documents: new, fingerprints }
}

/// What is stored of a document as it was given.
struct StoredFields {
    id: DocumentId,
    metadata: Option<String>,
    capture: Option<(CaptureKey, CaptureDetails)>,
}

/// What a collection may keep of a document.
struct KeptParts {
    fingerprint: Fingerprint,
    text: Option<StoredText>,
    features: Option<KeptFeatures>,
    extractor: Option<String>,
    /// What an HTML page says of itself.
    page: CaptureDetails,
}

impl KeptParts {
    /// A fingerprint alone.
    fn of_print(fingerprint: Fingerprint) -> Self {
        let page = CaptureDetails::default();
        Self { fingerprint, text: None, features: None, extractor: None, page }
    }

    /// What was read of a document.
    fn of(read: DocumentOutcome) -> Result<Self, Problem> {
        let (text, features, extractor) =
            (read.kept_text(), read.kept_features(), read.extractor());
        let page = read.page;
        match read.record.outcome {
            Outcome::Print { fingerprint, .. } => {
                Ok(Self { fingerprint, text, features, extractor, page })
            }
            Outcome::Nothing { reason, detail, .. } => Err(Problem::of_document(&reason, &detail)),
        }
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

/// Fingerprints need no extraction, and do not wait for that of others.
fn lane(items: &[Item]) -> Lane {
    Lane::of_documents(items.iter().filter(|item| item.given.is_ok()).count())
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

/// A line of a batch; where it is wrong, the id as far as it is known.
fn line_item(at: usize, line: &[u8]) -> Result<Item, (String, Problem)> {
    let pointer = format!("/{at}");
    let mut item: DocumentItem = json(line).map_err(|mut problem| {
        problem.detail = format!("line {}: {}", at + 1, problem.detail);
        (String::new(), problem)
    })?;
    let named = item.id.take().unwrap_or_default();
    let id = document_id(&format!("{pointer}/id"), &named);
    let id = id.map_err(|problem| (named.chars().take(100).collect(), problem))?;
    Item::of(id, item, &pointer).map_err(|problem| (named, problem))
}

/// A file of a form.
fn file_item(
    file: Option<String>,
    media: crate::request::Media,
    bytes: Vec<u8>,
) -> Result<Item, (String, Problem)> {
    let named = file.unwrap_or_default();
    let id = document_id("/filename", &named);
    let id = id.map_err(|problem| (named.chars().take(100).collect(), problem))?;
    // What a browser says of a file's type comes from its name: it is detected instead.
    let document = DocumentForm::Bytes(bytes, None, media.charset).document(id.clone());
    Ok(Item { id, given: document, metadata: None, capture: None })
}
