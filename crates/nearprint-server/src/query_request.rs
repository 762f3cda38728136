//! Queries: what lies near a document, and how similar the texts are if that is asked for.

use nearprint::fingerprint::Scheme;
use nearprint::records::{ComparisonRow, DocumentId, MatchRow};
use nearprint::{
    Compare, ComparedDocument, Documents, Error, Filter, Matches, QuestionError, ResolvedQuestion,
    Subject, TextRequest, VerifiedQuery,
};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use utoipa::IntoParams;
use utoipa::openapi::Required;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};

use crate::collection::{Collection, ComparedText};
use crate::condition::filter_of_lines;
use crate::document_reader::DocumentReader;
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::question::{OptionPlace, schemas, set_parameter};

/// Matches of one query unless the request says otherwise.
const USUAL_MATCHES: usize = 100;

/// The most matches that are explained.
const MOST_EXPLAINED: usize = 100;

/// Words and passages of an explanation.
const DETAILS: u64 = 10;

/// The most matches of one query.
const MOST_MATCHES: usize = 10_000;

/// The parameters of a query, or of all queries of a batch: the options of the question `matches`, and those below.
#[derive(Debug, Default)]
pub(crate) struct QueryParameters {
    /// The question.
    pub(crate) question: Matches,
    /// The most matches of one query.
    pub(crate) limit: Option<usize>,
    /// Conditions on the metadata of matches, a line each.
    pub(crate) conditions: Option<String>,
    /// Whether each match is explained.
    pub(crate) explain: bool,
    /// Whether each match has its metadata.
    pub(crate) metadata: bool,
    /// Whether each match has its text.
    pub(crate) text: bool,
    /// What the rows call the query.
    pub(crate) query: Option<String>,
    /// Whether only the main content of HTML pages is read.
    pub(crate) main_content: bool,
}

impl<'de> Deserialize<'de> for QueryParameters {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut parameters = Self::default();
        for (name, value) in Vec::<(String, String)>::deserialize(deserializer)? {
            // Errors begin with the name of the parameter.
            let wrong = |said: &str| D::Error::custom(format!("{name}: {said}"));
            let flag = || match &*value {
                "" | "true" | "1" => Ok(true),
                "false" | "0" => Ok(false),
                _ => Err(wrong("expected true or false")),
            };
            match &*name {
                "limit" => {
                    let limit = value.parse().map_err(|_| wrong("expected a whole number"))?;
                    parameters.limit = Some(limit);
                }
                "where" => parameters.conditions = Some(value),
                "explain" => parameters.explain = flag()?,
                "metadata" => parameters.metadata = flag()?,
                "text" => parameters.text = flag()?,
                "query" => parameters.query = Some(value),
                "main-content" => parameters.main_content = flag()?,
                _ => match set_parameter(&mut parameters.question, &name, &value) {
                    Ok(true) => {}
                    Ok(false) => return Err(wrong("there is no such parameter")),
                    Err(problem) => return Err(wrong(&problem.said())),
                },
            }
        }
        Ok(parameters)
    }
}

impl IntoParams for QueryParameters {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let parameter = |name: &str, help: &str, schema: Schema| {
            ParameterBuilder::new()
                .name(name)
                .parameter_in(ParameterIn::Query)
                .required(Required::False)
                .description(Some(help))
                .schema(Some(schema))
                .build()
        };
        let of = |kind| Schema::from(ObjectBuilder::new().schema_type(SchemaType::new(kind)));
        let own = [
            parameter(
                "limit",
                "The most matches of one query, 1 to 10,000; 100 if it is not given.",
                Schema::from(
                    ObjectBuilder::new()
                        .schema_type(SchemaType::new(Type::Integer))
                        .minimum(Some(1))
                        .maximum(Some(MOST_MATCHES)),
                ),
            ),
            parameter(
                "where",
                "Only documents whose metadata fulfil the condition: FIELD=VALUE, or with !=, <, <=, > or >= between the two, \
                 FIELD in (VALUE, VALUE), or FIELD exists; joined by and, or, not and parentheses. Names and values with \
                 blanks are JSON strings. Numbers are compared by value, anything else byte by byte. Can be repeated: all \
                 must hold.",
                of(Type::String),
            ),
            parameter(
                "metadata",
                "Give the metadata of each match, as the field `metadata`.",
                of(Type::Boolean),
            ),
            parameter(
                "text",
                "Give the text of each match, as the field `text`.",
                of(Type::Boolean),
            ),
            parameter(
                "explain",
                "After each match, add the row `nearprint/comparison/1` of both texts, with the words and passages that they \
                 share; for at most 100 matches.",
                of(Type::Boolean),
            ),
            parameter(
                "query",
                "What the rows call the query, instead of `query`.",
                of(Type::String),
            ),
            parameter(
                "main-content",
                "Read only the main content of HTML pages.",
                of(Type::Boolean),
            ),
        ];
        let options = schemas::<Matches>().map(|(option, schema)| {
            parameter(&option.name.replace('_', "-"), option.sentence(), schema)
        });
        options.chain(own).collect()
    }
}

/// How queries are answered.
pub(crate) struct QueryRequest {
    question: ResolvedQuestion<Matches>,
    /// The same about fingerprints, which have no texts to compare; or why there is no such question.
    of_prints: Result<ResolvedQuestion<Matches>, QuestionError>,
    limit: usize,
    filter: Filter,
    pub(crate) explain: bool,
    metadata: bool,
    text: bool,
    /// The longest answer, in bytes.
    pub(crate) max_bytes: u64,
    pub(crate) reading: DocumentReader,
}

/// What is asked about.
pub(crate) struct QuerySubject {
    pub(crate) query: VerifiedQuery,
    pub(crate) text: Option<String>,
    /// The document itself, where it is one of the collection: it is not a match of itself.
    pub(crate) own: Option<DocumentId>,
}

impl QueryRequest {
    pub(crate) fn of(
        parameters: &QueryParameters,
        collection: &Collection,
        max_bytes: u64,
    ) -> Result<Self, Problem> {
        let limit = parameters.limit.unwrap_or(USUAL_MATCHES);
        if !(1..=MOST_MATCHES).contains(&limit) {
            let said = format!("a limit is from 1 to {MOST_MATCHES}");
            return Err(Problem::invalid("?limit", said));
        }
        if parameters.explain && limit > MOST_EXPLAINED {
            let said = format!("a limit is from 1 to {MOST_EXPLAINED} with explain");
            return Err(Problem::invalid("?limit", said));
        }
        if (parameters.explain || parameters.text) && !collection.keeps_texts() {
            return Err(no_texts(&collection.description.name));
        }
        let most = parameters.question.max_matches.0.and_then(|most| usize::try_from(most).ok());
        let limit = most.map_or(limit, |most| most.min(limit));
        // A document of the collection is left out of its own matches.
        let asked = parameters.question.clone().max_matches(Some(limit as u64 + 1));
        let of_prints = asked.resolve(Subject::Fingerprints(collection.scheme()));
        let question = asked.resolve(Subject::of(&collection.index));
        let question = question.map_err(|error| OptionPlace::Address.refused(&error))?;
        collection.index.check(&question.parts())?;
        Ok(Self {
            limit,
            filter: filter_of_lines(parameters.conditions.as_deref())?,
            explain: parameters.explain,
            metadata: parameters.metadata,
            text: parameters.text,
            max_bytes,
            reading: DocumentReader {
                scheme: collection.scheme(),
                main_content: parameters.main_content,
                kept: TextRequest { main_content: false, ..collection.index.wanted() },
                digests: false,
                max_bytes,
            },
            question,
            of_prints,
        })
    }

    /// Whether texts are compared.
    pub(crate) fn is_verified(&self) -> bool {
        self.question.method().candidates().is_some()
    }

    /// Whether fingerprints are looked up and nothing else.
    pub(crate) fn is_look_up(&self) -> bool {
        !self.is_verified() && !self.has_texts() && !self.metadata && self.filter.is_empty()
    }

    /// Whether matches have more than a line of the index says.
    pub(crate) fn has_texts(&self) -> bool {
        self.explain || self.text
    }

    /// What is asked for of a match beside its row: fields with their values.
    pub(crate) fn fields(
        &self,
        collection: &Collection,
        found: &MatchRow,
    ) -> Result<Vec<(&'static str, Value)>, Problem> {
        let mut fields = Vec::new();
        if !self.metadata && !self.text {
            return Ok(fields);
        }
        let document = match self.text {
            true => collection.index.document_with_text(&found.id)?,
            false => collection.index.document_record(&found.id)?,
        };
        // It may have been removed since.
        let (metadata, text) =
            document.map(|document| (document.metadata, document.text)).unwrap_or_default();
        if self.metadata {
            let object = metadata.and_then(|text| serde_json::from_str(&text).ok());
            fields.push(("metadata", object.unwrap_or_default()));
        }
        if self.text {
            fields.push(("text", text.map_or(Value::Null, |kept| Value::String(kept.text))));
        }
        Ok(fields)
    }

    /// The matches of each subject, in their order: nearest first, or if they are verified, most similar first.
    pub(crate) fn answer(
        &self,
        collection: &Collection,
        subjects: &[QuerySubject],
    ) -> Result<Vec<Vec<MatchRow>>, Problem> {
        let mut answers = Vec::with_capacity(subjects.len());
        // Neighbours of one kind are answered together.
        let is_print = |subject: &QuerySubject| subject.query.features().is_empty();
        for alike in subjects.chunk_by(|a, b| is_print(a) == is_print(b)) {
            let question = match alike.first() {
                Some(first) if self.is_verified() && is_print(first) => {
                    self.of_prints.as_ref().map_err(|error| OptionPlace::Address.refused(error))?
                }
                _ => &self.question,
            };
            let queries: Vec<_> = alike.iter().map(|subject| subject.query.clone()).collect();
            let (search, first) = (question.method().search(), answers.len());
            answers.resize_with(first + alike.len(), Vec::new);
            let take = |query: usize, row: MatchRow| {
                let rows: &mut Vec<MatchRow> = &mut answers[first + query];
                if rows.len() < self.limit && alike[query].own.as_ref() != Some(&row.id) {
                    rows.push(row);
                }
                Ok::<_, Error>(())
            };
            question.run(&collection.index, queries.as_slice(), &search, &self.filter, take)?;
        }
        Ok(answers)
    }

    /// Why a subject and its match are near, if that is asked for and there are texts to say it.
    pub(crate) fn explanation(
        &self,
        collection: &Collection,
        subject: &QuerySubject,
        found: &MatchRow,
    ) -> Result<Option<ComparisonRow>, Problem> {
        let (true, Some(text)) = (self.explain, &subject.text) else { return Ok(None) };
        let Some(document) = collection.index.document_record(&found.id)? else { return Ok(None) };
        let Some(other) = collection.compared(&document)? else { return Ok(None) };
        let scheme = collection.scheme();
        let own = subject.query.features();
        let digest = (!own.is_empty()).then_some(own.digests.text);
        let a = compared_text(subject.query.id().clone(), (text.clone(), digest), scheme)?;
        let b = compared_text(found.id.clone(), other, scheme)?;
        let question = Compare::default().scheme(scheme).details(DETAILS);
        let resolved = self.question.question();
        let question = match resolved.measure {
            Some(measure) => question.measure(measure).threshold(resolved.threshold),
            None => question,
        };
        let question = question.resolve().map_err(|error| OptionPlace::Address.refused(&error))?;
        question.run(&a, &b, || Ok(())).map(Some)
    }
}

/// A text to be compared, by its name, with the digest by which it is known as equal, if it has another than that of
/// the text.
pub(crate) fn compared_text(
    id: DocumentId,
    (text, digest): ComparedText,
    scheme: Scheme,
) -> Result<ComparedDocument, Problem> {
    let printed = nearprint::fingerprint::fingerprint(scheme, &text);
    let fingerprint = printed.into_fingerprint().ok_or_else(|| {
        let detail = format!("{id}: the text has no word with a letter");
        Problem::new(ProblemKind::NoFingerprint, detail)
    })?;
    Ok(ComparedDocument { id, text, fingerprint, digest })
}

pub(crate) fn no_texts(collection: &str) -> Problem {
    let detail = format!("the collection {collection} keeps no texts");
    Problem::new(ProblemKind::NoTexts, detail)
}
