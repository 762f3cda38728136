//! What became of documents.

use nearprint::IndexMatch;
use nearprint::fingerprint::Fingerprint;
use nearprint_index::Addition;
use serde::Serialize;
use utoipa::ToSchema;

use crate::problem::{Problem, ProblemBody};
use crate::problem_kind::ProblemKind;

/// What became of a document.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AdditionAnswer {
    /// Always `nearprint/item/1`.
    schema: &'static str,
    /// The document.
    id: String,
    /// The status that the document alone would get: 201 if it was added, 200 if it was not or took the place of
    /// another.
    pub(super) status: u16,
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
    pub(super) fn of(
        id: String,
        addition: Addition,
        fingerprint: Fingerprint,
        has_budget: bool,
    ) -> Self {
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

    pub(super) fn failed(id: String, problem: &Problem) -> Self {
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
