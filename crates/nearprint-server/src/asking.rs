//! Queries: what lies near a document, and how similar the texts are if that is asked for.

use nearprint::fingerprint::Fingerprint;
use nearprint::records::{ComparisonRow, DocumentId, MatchRow};
use nearprint::search::Measure;
use nearprint::{IndexMatch, Verification};
use nearprint_index::{Condition, Filter};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::api::stateless::{Compared, comparison};
use crate::collection::Collection;
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::reading::Reading;
use crate::request::flag;

/// Matches of one query unless the request says otherwise.
const USUAL_MATCHES: usize = 100;

/// The most matches that are explained.
const MOST_EXPLAINED: usize = 100;

/// Words and passages of an explanation.
const DETAILS: usize = 10;

/// The most matches of one query.
const MOST_MATCHES: usize = 10_000;

/// By which measure texts are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum MeasureName {
    /// Shared word 3-shingles and numbers, divided by those of either document.
    Jaccard,
    /// The same, divided by those of the shorter document.
    Containment,
    /// Cosine of the weights of words and numbers.
    Cosine,
}

impl MeasureName {
    pub(crate) fn measure(self) -> Measure {
        match self {
            Self::Jaccard => Measure::Jaccard,
            Self::Containment => Measure::Containment,
            Self::Cosine => Measure::Cosine,
        }
    }
}

/// Conditions on metadata: a parameter that was repeated has lines.
fn filter(conditions: Option<&str>) -> Result<Filter, Problem> {
    let conditions = conditions.into_iter().flat_map(str::lines);
    let parsed = conditions.map(|condition| {
        condition
            .parse::<Condition>()
            .map_err(|error| Problem::invalid("?where", error.to_string()))
    });
    parsed.collect()
}

/// A measure with the similarity that texts must have.
pub(crate) fn verification(
    measure: Option<MeasureName>,
    threshold: Option<f64>,
) -> Result<Option<Verification>, Problem> {
    let said = match (measure, threshold) {
        (None, Some(_)) => "it needs verify",
        (_, Some(threshold)) if !(0.0..=1.0).contains(&threshold) => "a similarity is from 0 to 1",
        (None, None) => return Ok(None),
        (Some(measure), threshold) => {
            let verification = Verification::new(measure.measure());
            return Ok(Some(threshold.map_or(verification, |least| verification.at(least))));
        }
    };
    Err(Problem::invalid("?threshold", said))
}

/// The parameters of a query, or of all queries of a batch.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(crate) struct AskingParameters {
    /// The largest distance in bits (of sketches, positions); that of the scheme if it is not given.
    pub(crate) k: Option<u32>,
    /// The most matches of one query, 1 to 10,000; 100 if it is not given.
    pub(crate) limit: Option<usize>,
    /// Compare the texts of matches by this measure, and report only similar ones. The collection must keep texts.
    #[param(inline)]
    pub(crate) verify: Option<MeasureName>,
    /// The smallest similarity of verified texts, 0 to 1; 0.3 for jaccard and 0.8 for the others if it is not given.
    pub(crate) threshold: Option<f64>,
    /// Only documents whose metadata fulfil the condition: FIELD=VALUE, or with !=, <, <=, > or >= between the two.
    /// Numbers are compared by value, anything else byte by byte. Can be repeated: all must hold.
    #[serde(rename = "where")]
    pub(crate) conditions: Option<String>,
    /// After each match, add the row `nearprint/comparison/1` of both texts, with the words and passages that they
    /// share; for at most 100 matches.
    #[serde(deserialize_with = "flag")]
    #[param(required = false)]
    pub(crate) explain: bool,
    /// What the rows call the query, instead of `query`.
    pub(crate) query: Option<String>,
    /// Read only the main content of HTML pages.
    #[serde(deserialize_with = "flag")]
    #[param(required = false)]
    pub(crate) main_content: bool,
}

/// How queries are answered.
pub(crate) struct Asking {
    pub(crate) k: u32,
    pub(crate) limit: usize,
    pub(crate) verification: Option<Verification>,
    pub(crate) filter: Filter,
    pub(crate) explain: bool,
    pub(crate) reading: Reading,
}

/// What is asked about.
pub(crate) struct Subject {
    pub(crate) name: DocumentId,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) text: Option<String>,
    /// The document itself, where it is one of the collection: it is no match of itself.
    pub(crate) own: Option<DocumentId>,
}

impl Asking {
    pub(crate) fn of(
        parameters: &AskingParameters,
        collection: &Collection,
        max_bytes: u64,
    ) -> Result<Self, Problem> {
        let limit = parameters.limit.unwrap_or(USUAL_MATCHES);
        if !(1..=MOST_MATCHES).contains(&limit) {
            let said = format!("a limit is from 1 to {MOST_MATCHES}");
            return Err(Problem::invalid("?limit", said));
        }
        let verification = verification(parameters.verify, parameters.threshold)?;
        if parameters.explain && limit > MOST_EXPLAINED {
            let said = format!("a limit is from 1 to {MOST_EXPLAINED} with explain");
            return Err(Problem::invalid("?limit", said));
        }
        if (verification.is_some() || parameters.explain) && !collection.keeps_texts() {
            return Err(no_texts(&collection.description.name));
        }
        let scheme = collection.scheme();
        Ok(Self {
            k: parameters.k.unwrap_or_else(|| scheme.default_distance()),
            limit,
            verification,
            filter: filter(parameters.conditions.as_deref())?,
            explain: parameters.explain,
            reading: Reading {
                scheme,
                main_content: parameters.main_content,
                finds_main_content: false,
                digests: false,
                max_bytes,
            },
        })
    }

    /// What lies near each subject, in their order: nearest first, or if it is verified, most similar first.
    pub(crate) fn answer(
        &self,
        collection: &Collection,
        subjects: &[Subject],
    ) -> Result<Vec<Vec<MatchRow>>, Problem> {
        let prints: Vec<_> = subjects.iter().map(|subject| subject.fingerprint.clone()).collect();
        let answers = collection.index.query_batch_where(&prints, self.k, &self.filter)?;
        let rows = subjects.iter().zip(answers);
        rows.map(|(subject, near)| self.rows(collection, subject, near)).collect()
    }

    /// Why a subject and its match are near, if that is asked for and there are texts to say it.
    pub(crate) fn explanation(
        &self,
        collection: &Collection,
        subject: &Subject,
        found: &MatchRow,
    ) -> Result<Option<ComparisonRow>, Problem> {
        let (true, Some(text)) = (self.explain, &subject.text) else { return Ok(None) };
        let Some(document) = collection.index.document_record(&found.id)? else { return Ok(None) };
        let Some(other) = collection.text(&document)? else { return Ok(None) };
        let scheme = collection.scheme();
        let a = Compared::of_text(subject.name.clone(), text.clone(), scheme)?;
        let b = Compared::of_text(found.id.clone(), other, scheme)?;
        comparison(&a, &b, self.verification, Some(DETAILS)).map(Some)
    }

    fn rows(
        &self,
        collection: &Collection,
        subject: &Subject,
        near: Vec<IndexMatch>,
    ) -> Result<Vec<MatchRow>, Problem> {
        let positions = f64::from(collection.scheme().positions());
        let near = near.into_iter().filter(|near| subject.own.as_ref() != Some(&near.id));
        let row = |IndexMatch { id, distance }| MatchRow {
            query: subject.name.clone(),
            id,
            distance,
            estimate: 1.0 - f64::from(distance) / positions,
            measure: None,
            similarity: None,
        };
        let Some(verification) = self.verification else {
            return Ok(near.take(self.limit).map(row).collect());
        };
        let text = subject.text.as_deref().ok_or_else(|| {
            let detail = format!("{} has no text that could be compared", subject.name);
            Problem::new(ProblemKind::NoTexts, detail)
        })?;
        let own = verification.features(text);
        let mut rows = Vec::new();
        for found in near {
            let Some(document) = collection.index.document_record(&found.id)? else { continue };
            // A document that was added as a fingerprint cannot be verified.
            let Some(text) = collection.text(&document)? else { continue };
            let similarity = verification.verified(&own, &verification.features(&text));
            if similarity.is_some() {
                let measure = Some(verification.measure().name());
                rows.push(MatchRow { measure, similarity, ..row(found) });
            }
        }
        rows.sort_by(|a, b| {
            let most_similar = b.similarity.unwrap_or(0.0).total_cmp(&a.similarity.unwrap_or(0.0));
            most_similar.then(a.distance.cmp(&b.distance)).then_with(|| a.id.cmp(&b.id))
        });
        rows.truncate(self.limit);
        Ok(rows)
    }
}

pub(crate) fn no_texts(collection: &str) -> Problem {
    let detail = format!("the collection {collection} keeps no texts");
    Problem::new(ProblemKind::NoTexts, detail)
}
