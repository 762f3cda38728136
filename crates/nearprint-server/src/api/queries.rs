//! What lies near a document: for one, or for a batch.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use nearprint::fingerprint::{Fingerprint, UnlikeSchemes};
use nearprint::records::{Document, DocumentId, MatchRow, Outcome};
use nearprint::{Engine, Error, TextFeatures, VerifiedQuery};
use nearprint_index::StoredDocument;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::access::Access;
use crate::collection::Collection;
use crate::document_form::DocumentFields;
use crate::document_reader::byte_document;
use crate::lines::{JSON_LINES, Lines};
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::query_request::{QueryParameters, QueryRequest, QuerySubject};
use crate::request::{Parameters, PathName, WholeBody, document_id, json};
use crate::schemas::{MatchList, QueryProblem, QueryRow, RawBytes};
use crate::state::SharedApp;
use crate::work::Lane;

/// What is asked about: a document in one of several ways, a fingerprint, or a document of the collection.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct QueryItem {
    /// What the rows call the query; else its id, its fingerprint, or `query`.
    query: Option<String>,
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
    /// A fingerprint.
    #[schema(example = "sd1:aerukz4jvpg66")]
    fingerprint: Option<String>,
    /// The id of a document of the collection, which is not a match of itself.
    id: Option<String>,
}

/// Queries as one object, for clients that know no lines of JSON.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) struct QueryItems {
    /// What are lines otherwise.
    #[schema(max_items = 1000)]
    items: Vec<QueryItem>,
}

/// A query that is not read yet.
enum Query {
    Document(DocumentId, Box<Document>),
    Print(DocumentId, Fingerprint),
    Id(DocumentId, DocumentId),
}

impl Query {
    fn of(item: QueryItem, at: &str, usual: &str) -> Result<Self, Problem> {
        let QueryItem { query, text, html, document, media_type, charset, fingerprint, id } = item;
        let given =
            DocumentFields { text, html, document, media_type, charset, fingerprint }.one(at)?;
        let name =
            |usual: &str| document_id(&format!("{at}/query"), query.as_deref().unwrap_or(usual));
        match (given, id) {
            (Some(_), Some(_)) => Err(Problem::invalid(at, "an id stands alone")),
            (None, None) => Err(Problem::invalid(
                at,
                "one of text, html, document, fingerprint and id is needed",
            )),
            (None, Some(id)) => {
                let id = document_id(&format!("{at}/id"), &id)?;
                Ok(Self::Id(name(id.as_str())?, id))
            }
            (Some(crate::document_form::DocumentForm::Print(print)), None) => {
                Ok(Self::Print(name(&print.to_string())?, print))
            }
            (Some(given), None) => {
                let name = name(usual)?;
                match given.document(name.clone()) {
                    Ok(document) => Ok(Self::Document(name, Box::new(document))),
                    Err(print) => Ok(Self::Print(name, print)),
                }
            }
        }
    }

    fn name(&self) -> &DocumentId {
        match self {
            Self::Document(name, _) | Self::Print(name, _) | Self::Id(name, _) => name,
        }
    }
}

/// Adds the rows of a query, each with its metadata, its text and its explanation if they are asked for.
fn push(
    lines: &mut Lines,
    asking: &QueryRequest,
    collection: &Collection,
    subject: &QuerySubject,
    rows: &[MatchRow],
) -> Result<(), Problem> {
    for row in rows {
        let fields = asking.fields(collection, row)?;
        match fields.is_empty() {
            true => lines.push(row),
            false => {
                let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value)).collect();
                lines.push_with(row, &fields);
                lines.check(asking.max_bytes)?;
            }
        }
        if let Some(explanation) = asking.explanation(collection, subject, row)? {
            lines.push(&explanation);
        }
    }
    Ok(())
}

/// Work with texts is slower than looking fingerprints up.
fn lane<'q>(queries: impl IntoIterator<Item = &'q Query>, asking: &QueryRequest) -> Lane {
    let is_slow = |query: &Query| matches!(query, Query::Document(..));
    if asking.is_verified() || asking.has_texts() || queries.into_iter().any(is_slow) {
        Lane::Document
    } else {
        Lane::Read
    }
}

/// A document of the collection, with what its answer needs.
fn stored(
    collection: &Collection,
    asking: &QueryRequest,
    id: &DocumentId,
) -> Result<StoredDocument, Problem> {
    if !asking.is_verified() && !asking.explain {
        return collection.document(id);
    }
    let found = collection.index.document(id)?;
    found.ok_or_else(|| collection.unknown(id))
}

/// Reads what is asked about; a query that cannot be answered is a problem of its own.
fn subjects(
    queries: Vec<Query>,
    asking: &QueryRequest,
    engine: &Engine,
    collection: &Collection,
) -> Result<Vec<Result<QuerySubject, Problem>>, Problem> {
    let mut documents = Vec::new();
    let mut rest = Vec::new();
    for query in queries {
        rest.push(match query {
            Query::Document(name, document) => {
                documents.push(*document);
                (name, None)
            }
            Query::Print(name, print) => (name, Some(Ok(print))),
            Query::Id(name, id) => (name, Some(Err(id))),
        });
    }
    let mut read = asking.reading.read(engine, documents).into_iter();
    let subject = |(name, known): (DocumentId, Option<Result<Fingerprint, DocumentId>>)| {
        Ok(match known {
            Some(Ok(fingerprint)) => {
                match UnlikeSchemes::check(collection.scheme(), fingerprint.scheme()) {
                    Ok(()) => {
                        let query = VerifiedQuery::new(name, fingerprint, TextFeatures::default());
                        Ok(QuerySubject { query, text: None, own: None })
                    }
                    Err(error) => Err(Problem::from(Error::from(error))),
                }
            }
            Some(Err(id)) => match stored(collection, asking, &id) {
                Ok(document) => {
                    let text = document.text.as_ref().map(|kept| kept.text.clone());
                    let StoredDocument { fingerprint, features, .. } = document;
                    let features = features.map(|kept| kept.features.unpack()).unwrap_or_default();
                    let query = VerifiedQuery::new(name, fingerprint, features);
                    Ok(QuerySubject { query, text, own: Some(id) })
                }
                Err(problem) if problem.kind == ProblemKind::UnknownDocument => Err(problem),
                Err(problem) => return Err(problem),
            },
            None => match read.next().map(|read| (read.record.outcome, read.features, read.text)) {
                Some((Outcome::Print { fingerprint, .. }, features, text)) => {
                    let features = features.map(|features| features.unpack()).unwrap_or_default();
                    let query = VerifiedQuery::new(name, fingerprint, features);
                    Ok(QuerySubject { query, text, own: None })
                }
                Some((Outcome::Nothing { reason, detail, .. }, ..)) => {
                    Err(Problem::of_document(&reason, &detail))
                }
                None => Err(Problem::new(ProblemKind::Internal, "the document was not read")),
            },
        })
    };
    rest.into_iter().map(subject).collect()
}

/// Find near-duplicates
///
/// The body is a document of any medium that nearprint reads, or with Content-Type application/json an object that
/// gives a text, a page, a document in base64, a fingerprint, or the id of a document of the collection. The answer is
/// a line for each match, as `nearprint query --json` writes them, or with `Accept: application/json` one object that
/// has them as `items`. Where the collection keeps features, the texts are compared, and only similar ones are
/// reported, most similar first; otherwise the nearest are first.
#[utoipa::path(post, path = "/v1/collections/{collection}/query", tag = "queries",
    params(("collection" = String, Path, description = "The name of the collection."), QueryParameters),
    request_body(description = "What is asked about.", content((QueryItem = "application/json"), (RawBytes = "application/octet-stream"))),
    responses((status = 200, description = "The matches.", content((QueryRow = "application/x-ndjson"), (MatchList = "application/json")))))]
pub(crate) async fn query(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    Parameters(parameters): Parameters<QueryParameters>,
    request: WholeBody,
) -> Result<Response, Problem> {
    let collection = app.collection(&access, &name).await?;
    let asking = QueryRequest::of(&parameters, &collection, app.limits.body_bytes)?;
    let query = if request.media.is("application/json") {
        let mut item: QueryItem = request.json()?;
        item.query = item.query.or_else(|| parameters.query.clone());
        Query::of(item, "", "query")?
    } else {
        let name = document_id("?query", parameters.query.as_deref().unwrap_or("query"))?;
        let (media, charset) = (request.media.of_document()?, request.media.charset.clone());
        let document = byte_document(name.clone(), request.bytes.to_vec(), media, charset);
        Query::Document(name, Box::new(document))
    };
    let is_look_up = matches!(query, Query::Print(..)) && asking.is_look_up();
    let (lane, form) = (lane([&query], &asking), request.form);
    let (engine, pace) = (app.engine.clone(), Arc::clone(&collection.pace));
    let work = move || {
        let found = subjects(vec![query], &asking, &engine, &collection)?;
        let found = found.into_iter().collect::<Result<Vec<_>, _>>()?;
        let mut lines = Lines::new();
        for (subject, rows) in found.iter().zip(asking.answer(&collection, &found)?) {
            push(&mut lines, &asking, &collection, subject, &rows)?;
        }
        Ok::<_, Problem>(lines)
    };
    let lines = match is_look_up {
        true => app.work.look_up(pace, work).await,
        false => app.work.run(lane, work).await,
    };
    Ok(lines??.answer(form))
}

/// Find near-duplicates of many
///
/// The body is lines of JSON, each an object as for one query. The answer has the rows of all queries in their order;
/// a query that cannot be answered is a line `nearprint/query-problem/1`.
#[utoipa::path(post, path = "/v1/collections/{collection}/query/batch", tag = "queries",
    params(("collection" = String, Path, description = "The name of the collection."), QueryParameters),
    request_body(description = "A line for each query, or an object that has them as `items`.",
        content((QueryItem = "application/x-ndjson"), (QueryItems = "application/json"))),
    responses((status = 200, description = "The matches.", content((QueryRow = "application/x-ndjson"), (MatchList = "application/json")))))]
pub(crate) async fn batch(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    Parameters(parameters): Parameters<QueryParameters>,
    request: WholeBody,
) -> Result<Response, Problem> {
    let collection = app.collection(&access, &name).await?;
    if !request.media.is_batch() {
        let detail = format!("a batch is lines of JSON ({JSON_LINES}), or an object with items");
        return Err(Problem::new(ProblemKind::UnsupportedMediaType, detail));
    }
    if parameters.query.is_some() {
        return Err(Problem::invalid("?query", "each query of a batch has a name of its own"));
    }
    let asking = QueryRequest::of(&parameters, &collection, app.limits.body_bytes)?;
    let most = app.limits.batch_items;
    let engine = app.engine.clone();
    let form = request.form;
    // Lines of fingerprints are looked up, everything else is read first.
    let has_documents = request.items(most)?.iter().any(|item| !has_only_print(item));
    let lane = if has_documents || asking.is_verified() || asking.has_texts() {
        Lane::Bulk
    } else {
        Lane::Read
    };
    let lines = app.work.run(lane, move || {
        let parsed: Vec<_> = request
            .items(most)?
            .iter()
            .enumerate()
            .map(|(at, item)| {
                let usual = format!("query-{}", at + 1);
                let item: QueryItem = json(item).map_err(|problem| (usual.clone(), problem))?;
                let name = item.query.clone();
                let query = Query::of(item, &format!("/{at}"), &usual);
                query.map_err(|problem| (name.unwrap_or(usual), problem))
            })
            .collect();
        answer_batch(parsed, &asking, &engine, &collection)
    });
    Ok(lines.await??.answer(form))
}

/// Whether a line is a query by fingerprint, which is quick.
fn has_only_print(line: &[u8]) -> bool {
    let begin = b"\"fingerprint\"";
    line.len() < 1024 && line.windows(begin.len()).any(|window| window == begin)
}

fn answer_batch(
    parsed: Vec<Result<Query, (String, Problem)>>,
    asking: &QueryRequest,
    engine: &Engine,
    collection: &Collection,
) -> Result<Lines, Problem> {
    // Each is a subject by its number among the subjects, or a line of its own.
    let mut places = Vec::new();
    let mut queries = Vec::new();
    for query in parsed {
        match query {
            Ok(query) => {
                places.push(Ok(query.name().to_string()));
                queries.push(query);
            }
            Err(problem) => places.push(Err(problem)),
        }
    }
    let mut read = subjects(queries, asking, engine, collection)?.into_iter();
    let mut found = Vec::new();
    for place in &mut places {
        let Ok(name) = place else { continue };
        match read.next() {
            Some(Ok(subject)) => found.push(subject),
            Some(Err(problem)) => *place = Err((name.clone(), problem)),
            None => {}
        }
    }
    let mut answers = found.iter().zip(asking.answer(collection, &found)?);
    let mut lines = Lines::new();
    for place in places {
        match place {
            Ok(_) => {
                if let Some((subject, rows)) = answers.next() {
                    push(&mut lines, asking, collection, subject, &rows)?;
                }
            }
            Err((query, problem)) => lines.push_object(&QueryProblem {
                schema: "nearprint/query-problem/1",
                query,
                problem: problem.body(None, None),
            }),
        }
    }
    Ok(lines)
}
