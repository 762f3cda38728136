//! The addresses of the server: operations for programs, each declared once, and pages.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::StatusCode;
use axum::http::header::CACHE_CONTROL;
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use utoipa::OpenApi as _;
use utoipa::openapi::{Content, OpenApi, Ref, RefOr, ResponseBuilder};

use crate::api::{additions, collections, documents, health, jobs, queries, stateless};
use crate::guard::guard;
use crate::lines::{JSON, answer};
use crate::pages;
use crate::problem::{Problem, ProblemBody};
use crate::problem_kind::ProblemKind;
use crate::schemas::Match;
use crate::state::Shared;

/// Declares the routes of operations: what is routed, and the same as a list.
macro_rules! operations {
    ($($method:ident $path:literal $handler:path;)*) => {
        /// Method and path of each operation.
        #[cfg(test)]
        const OPERATIONS: &[(&str, &str)] = &[$((stringify!($method), $path)),*];

        fn operations() -> Router<Shared> {
            Router::new()$(.route($path, axum::routing::$method($handler)))*
        }

        #[derive(utoipa::OpenApi)]
        #[openapi(
            info(
                title = "nearprint",
                description = "Near-duplicate documents: collections of fingerprints, queries, comparisons and jobs.",
            ),
            components(schemas(ProblemBody, Match)),
            paths($($handler),*)
        )]
        struct Operations;
    };
}

operations! {
    get "/v1/collections" collections::list;
    get "/v1/collections/{collection}" collections::get;
    put "/v1/collections/{collection}" collections::create;
    delete "/v1/collections/{collection}" collections::delete;
    get "/v1/collections/{collection}/documents" documents::get;
    put "/v1/collections/{collection}/documents" additions::put;
    delete "/v1/collections/{collection}/documents" documents::delete;
    get "/v1/collections/{collection}/documents/text" documents::text;
    post "/v1/collections/{collection}/documents/batch" additions::batch;
    post "/v1/collections/{collection}/documents/delete" documents::delete_many;
    post "/v1/collections/{collection}/query" queries::query;
    post "/v1/collections/{collection}/query/batch" queries::batch;
    post "/v1/fingerprint" stateless::fingerprint;
    post "/v1/extract" stateless::extract;
    post "/v1/compare" stateless::compare_two;
    get "/v1/jobs" jobs::list;
    post "/v1/jobs" jobs::start;
    get "/v1/jobs/{job}" jobs::get;
    delete "/v1/jobs/{job}" jobs::delete;
    post "/v1/jobs/{job}/cancel" jobs::cancel;
    get "/v1/jobs/{job}/result" jobs::result;
    get "/livez" health::livez;
    get "/readyz" health::readyz;
    get "/healthz" health::healthz;
    get "/metrics" health::metrics;
}

/// Everything that the server answers.
pub(crate) fn router(app: &Shared) -> Router {
    operations()
        .merge(pages::routes())
        .route("/openapi.json", axum::routing::get(openapi_json))
        .fallback(nothing_here)
        .layer(from_fn_with_state(Arc::clone(app), guard))
        .with_state(Arc::clone(app))
}

async fn nothing_here(State(_): State<Shared>) -> Problem {
    Problem::new(ProblemKind::NotFound, "there is nothing at this address")
}

async fn openapi_json() -> Response {
    let bytes = serde_json::to_vec(&openapi()).unwrap_or_default();
    let mut response = answer(StatusCode::OK, JSON, bytes);
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// The description of all operations. Each may answer with a problem.
pub(crate) fn openapi() -> OpenApi {
    let mut api = Operations::openapi();
    let problem = |description: &str| {
        let schema = RefOr::Ref(Ref::from_schema_name("Problem"));
        let content = Content::builder().schema(Some(schema)).build();
        let response = ResponseBuilder::new().description(description);
        RefOr::T(response.content("application/problem+json", content).build())
    };
    for item in api.paths.paths.values_mut() {
        let all = [&mut item.get, &mut item.put, &mut item.post, &mut item.delete];
        for operation in all.into_iter().flatten() {
            let responses = &mut operation.responses.responses;
            responses
                .insert("4XX".to_owned(), problem("The request was not done; `kind` says why."));
            responses.insert(
                "503".to_owned(),
                problem("Too much to do, or a fault of the disk; try again."),
            );
        }
    }
    api
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_is_described_as_it_is_routed() {
        let api = serde_json::to_value(openapi()).unwrap();
        assert!(api["openapi"].as_str().unwrap().starts_with("3.1"), "{}", api["openapi"]);
        let mut described = Vec::new();
        for (path, item) in api["paths"].as_object().unwrap() {
            for (method, operation) in item.as_object().unwrap() {
                described.push((method.clone(), path.clone()));
                assert!(operation["summary"].is_string(), "{method} {path}: no summary");
                let responses = operation["responses"].as_object().unwrap();
                assert!(responses.contains_key("4XX") && responses.contains_key("503"));
            }
        }
        let mut routed: Vec<_> = OPERATIONS
            .iter()
            .map(|(method, path)| ((*method).to_owned(), (*path).to_owned()))
            .collect();
        described.sort();
        routed.sort();
        assert_eq!(described, routed);
    }
}
