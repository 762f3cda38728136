//! A collection of samples, so that somebody with an empty server sees what a collection finds.

use axum::extract::State;
use axum::response::Response;
use nearprint::records::DocumentId;
use nearprint_index::default_parts;
use serde::Deserialize;

use crate::access::Access;
use crate::collection::Description;
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::state::SharedApp;
use crate::work::Lane;

use super::additions::{FormFile, added};
use super::see;

/// The name of the collection.
const NAME: &str = "samples";

/// Notices, a recipe and a letter, some of them revised, in four languages: an object with `id` and `text` a line.
const SAMPLES: &str = include_str!("samples.jsonl");

/// The form that loads them.
pub(super) const FORM: &str = "<form method=\"post\" action=\"/samples\"><p><button type=\"submit\">Load \
                               samples</button></p></form>\n";

#[derive(Deserialize)]
struct Sample {
    id: DocumentId,
    text: String,
}

/// Creates the collection and adds the samples.
pub(super) async fn load(
    State(app): State<SharedApp>,
    access: Access,
) -> Result<Response, Problem> {
    let shared = app.clone();
    let loaded = app.work.run(Lane::Bulk, move || {
        let samples = SAMPLES.lines().map(serde_json::from_str::<Sample>);
        let samples: Vec<Sample> = samples.collect::<Result<_, _>>().map_err(|error| {
            Problem::new(ProblemKind::Internal, format!("the samples are damaged: {error}"))
        })?;
        let description = Description { name: NAME.to_owned(), texts: true, replay: None };
        let (collection, _) =
            shared.collections.create(&access, description, default_parts(None, None))?;
        let files =
            samples.into_iter().map(|Sample { id, text }| FormFile { id, bytes: text.into() });
        added(&shared, &collection, files.collect())
    });
    loaded.await??;
    Ok(see(&format!("/collections/{NAME}")))
}
