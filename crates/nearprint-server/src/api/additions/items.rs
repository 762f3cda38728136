//! Documents of a request: as they come, and as they are read.

use nearprint::CaptureKey;
use nearprint::fingerprint::Fingerprint;
use nearprint::records::{Document, DocumentId, Outcome};
use nearprint_index::{CaptureDetails, KeptFeatures, StoredDocument, StoredText, check_metadata};
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::api::captures::CaptureField;
use crate::collection::Collection;
use crate::document_form::{DocumentFields, DocumentForm};
use crate::document_reader::{DocumentOutcome, DocumentReader};
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::request::{document_id, json};
use crate::state::SharedApp;
use crate::work::Lane;

/// A document, or a fingerprint, with its metadata.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct DocumentItem {
    /// The id; only in batches.
    pub(super) id: Option<String>,
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

/// A document of a request that is not read yet.
pub(super) struct Item {
    pub(super) id: DocumentId,
    /// The document, or its fingerprint.
    pub(super) given: Result<Document, Fingerprint>,
    pub(super) metadata: Option<String>,
    pub(super) capture: Option<(CaptureKey, CaptureDetails)>,
}

impl Item {
    pub(super) fn of(id: DocumentId, item: DocumentItem, at: &str) -> Result<Self, Problem> {
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
pub(super) struct ReadItems {
    pub(super) documents: Vec<StoredDocument>,
    /// The fingerprint of each item, in their order.
    pub(super) fingerprints: Vec<Result<Fingerprint, Problem>>,
}

/// A line of a batch; where it is wrong, the id as far as it is known.
pub(super) fn line_item(at: usize, line: &[u8]) -> Result<Item, (String, Problem)> {
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
pub(super) fn file_item(
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

/// Fingerprints need no extraction, and do not wait for that of others.
pub(super) fn lane(items: &[Item]) -> Lane {
    Lane::of_documents(items.iter().filter(|item| item.given.is_ok()).count())
}

/// Reads the documents of a request.
pub(super) fn read(
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
