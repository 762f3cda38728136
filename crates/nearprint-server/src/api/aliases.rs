//! Aliases: further names of collections, by which a new one takes the place of another without a pause.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::access::Access;
use crate::lines::json_answer;
use crate::problem::Problem;
use crate::request::{PathName, WholeBody};
use crate::state::SharedApp;
use crate::work::Lane;

/// What an alias names.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AliasTarget {
    /// The name of a collection, which is not an alias itself.
    collection: String,
}

/// An alias.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AliasBody {
    alias: String,
    /// The collection that it names.
    collection: String,
}

/// All aliases.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AliasList {
    items: Vec<AliasBody>,
}

/// List all aliases
#[utoipa::path(get, path = "/v1/aliases", tag = "collections",
    responses((status = 200, description = "The aliases, by name.", body = AliasList)))]
pub(crate) async fn list(State(app): State<SharedApp>, access: Access) -> Response {
    let all = app.collections.aliases(&access).into_iter();
    let items = all.map(|(alias, collection)| AliasBody { alias, collection }).collect();
    json_answer(StatusCode::OK, &AliasList { items })
}

/// Let an alias name a collection
///
/// Every operation takes an alias in place of its collection. An alias changes at once: each request is answered by the
/// old collection or by the new one. So a collection is made again beside the one in use, and then takes its name.
#[utoipa::path(put, path = "/v1/aliases/{alias}", tag = "collections",
    params(("alias" = String, Path, description = "The alias, a name as of a collection.")),
    request_body = AliasTarget,
    responses(
        (status = 201, description = "It is new.", body = AliasBody),
        (status = 200, description = "It named another collection before, or the same.", body = AliasBody),
    ))]
pub(crate) async fn put(
    State(app): State<SharedApp>,
    access: Access,
    PathName(alias): PathName,
    request: WholeBody,
) -> Result<Response, Problem> {
    let AliasTarget { collection } = request.json()?;
    let shared = app.clone();
    let set = app.work.run(Lane::Write, move || {
        let is_new = shared.collections.set_alias(&access, &alias, &collection)?;
        Ok::<_, Problem>((is_new, AliasBody { alias, collection }))
    });
    let (is_new, body) = set.await??;
    Ok(json_answer(if is_new { StatusCode::CREATED } else { StatusCode::OK }, &body))
}

/// Remove an alias
///
/// Its collection stays.
#[utoipa::path(delete, path = "/v1/aliases/{alias}", tag = "collections",
    params(("alias" = String, Path, description = "The alias.")),
    responses((status = 204, description = "It is gone.")))]
pub(crate) async fn delete(
    State(app): State<SharedApp>,
    access: Access,
    PathName(alias): PathName,
) -> Result<Response, Problem> {
    let shared = app.clone();
    app.work.run(Lane::Write, move || shared.collections.remove_alias(&access, &alias)).await??;
    Ok(StatusCode::NO_CONTENT.into_response())
}
