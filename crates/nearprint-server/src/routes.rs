//! The addresses of the server: operations for programs, each declared once, and pages.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_MATCH, IF_NONE_MATCH, LOCATION,
    RETRY_AFTER,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::Response;
use tower_http::cors::CorsLayer;
use tower_http::decompression::RequestDecompressionLayer;
use utoipa::OpenApi as _;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{Content, OpenApi, Ref, RefOr, ResponseBuilder};

use crate::access::Need;
use crate::api::{
    additions, addresses, aliases, captures, collections, documents, health, jobs, memento,
    queries, snapshots, stateless,
};
use crate::compression::compression;
use crate::constraints::add_constraints;
use crate::content_codec::content_codec;
use crate::guard::guard;
use crate::lines::{JSON, answer};
use crate::pages;
use crate::path_prefix::{below_prefix, path_prefix};
use crate::problem::{Problem, ProblemBody};
use crate::problem_kind::ProblemKind;
use crate::schemas::Match;
use crate::state::SharedApp;
use crate::wayback;

/// Declares the routes of operations: what is routed, and the same as a list.
macro_rules! operations {
    ($($method:ident $need:ident $path:literal $handler:path;)*) => {
        /// What each operation is called: the subject and what is done with it.
        const NAMES: &[&str] = &[$(stringify!($handler)),*];

        /// Method and path of each operation, and what it needs.
        const OPERATIONS: &[(&str, &str, Need)] =
            &[$((stringify!($method), $path, Need::$need)),*];

        fn operations() -> Router<SharedApp> {
            Router::new()$(.route($path, axum::routing::$method($handler)))*
        }

        #[derive(utoipa::OpenApi)]
        #[openapi(
            info(
                title = "nearprint",
                description = "Near-duplicate documents: collections of fingerprints, queries, comparisons and jobs.",
            ),
            servers((url = "/", description = "This server.")),
            components(schemas(ProblemBody, Match)),
            paths($($handler),*)
        )]
        struct Operations;
    };
}

operations! {
    get READ "/v1/collections" collections::list;
    get READ "/v1/collections/{collection}" collections::get;
    put ADMIN "/v1/collections/{collection}" collections::create;
    patch ADMIN "/v1/collections/{collection}" collections::change;
    delete ADMIN "/v1/collections/{collection}" collections::delete;
    get READ "/v1/collections/{collection}/snapshots" snapshots::list;
    post ADMIN "/v1/collections/{collection}/snapshots" snapshots::create;
    get READ "/v1/collections/{collection}/snapshots/{snapshot}" snapshots::download;
    put ADMIN "/v1/collections/{collection}/snapshots/{snapshot}" snapshots::upload;
    delete ADMIN "/v1/collections/{collection}/snapshots/{snapshot}" snapshots::delete;
    post ADMIN "/v1/collections/{collection}/snapshots/{snapshot}/restore" snapshots::restore;
    get READ "/v1/aliases" aliases::list;
    put ADMIN "/v1/aliases/{alias}" aliases::put;
    delete ADMIN "/v1/aliases/{alias}" aliases::delete;
    get READ "/v1/collections/{collection}/documents" documents::get;
    put WRITE "/v1/collections/{collection}/documents" additions::put;
    delete WRITE "/v1/collections/{collection}/documents" documents::delete;
    get READ "/v1/collections/{collection}/documents/text" documents::text;
    get READ "/v1/collections/{collection}/documents/count" documents::count;
    post READ "/v1/collections/{collection}/documents/fetch" documents::fetch;
    post WRITE "/v1/collections/{collection}/documents/metadata" documents::change_metadata;
    post WRITE "/v1/collections/{collection}/documents/batch" additions::batch;
    post WRITE "/v1/collections/{collection}/documents/delete" documents::delete_many;
    get READ "/v1/collections/{collection}/captures" captures::list;
    get READ "/v1/collections/{collection}/addresses" addresses::list;
    get READ "/v1/collections/{collection}/hosts" addresses::hosts;
    get READ "/v1/collections/{collection}/timemap" memento::timemap;
    get READ "/v1/collections/{collection}/timegate" memento::timegate;
    post READ "/v1/collections/{collection}/query" queries::query;
    post READ "/v1/collections/{collection}/query/batch" queries::batch;
    post READ "/v1/fingerprint" stateless::fingerprint;
    post READ "/v1/extract" stateless::extract;
    post READ "/v1/compare" stateless::compare_two;
    get READ "/v1/jobs" jobs::list;
    post WRITE "/v1/jobs" jobs::start;
    get READ "/v1/jobs/{job}" jobs::get;
    delete WRITE "/v1/jobs/{job}" jobs::delete;
    post WRITE "/v1/jobs/{job}/cancel" jobs::cancel;
    get READ "/v1/jobs/{job}/result" jobs::result;
    get Nothing "/livez" health::livez;
    get Nothing "/readyz" health::readyz;
    get METRICS "/healthz" health::healthz;
    get METRICS "/metrics" health::metrics;
}

/// What a request of this method needs on a route, which is `None` where there is nothing.
///
/// Whatever is not declared needs the highest right.
pub(crate) fn need(method: &str, route: Option<&str>) -> Need {
    let Some(route) = route else { return Need::Nothing };
    let method = if method == "HEAD" { "GET" } else { method };
    let mut declared =
        OPERATIONS.iter().chain(pages::NEEDS).chain(wayback::NEEDS).chain(memento::NEEDS);
    let found =
        declared.find(|(known, path, _)| *path == route && known.eq_ignore_ascii_case(method));
    match found {
        Some((.., need)) => *need,
        None if route == OPENAPI && method == "GET" => Need::Nothing,
        None => Need::ADMIN,
    }
}

const OPENAPI: &str = "/openapi.json";

/// Everything that the server answers.
pub(crate) fn router(app: &SharedApp) -> Router {
    let wayback = app.wayback.as_deref().map_or_else(Router::new, wayback::routes);
    let router = operations()
        .merge(pages::routes())
        .merge(wayback)
        .merge(memento::routes())
        .route(OPENAPI, axum::routing::get(openapi_json))
        .fallback(nothing_here)
        // What a body expands to is counted as it arrives, as if it had been sent so.
        .layer(RequestDecompressionLayer::new())
        .layer(from_fn(content_codec))
        .layer(from_fn_with_state(Arc::clone(app), guard))
        .layer(from_fn(below_prefix))
        .layer(compression());
    let router = match cross_origin(&app.allowed_origins) {
        Some(layer) => router.layer(layer),
        None => router,
    };
    router.with_state(Arc::clone(app))
}

/// The headers of CORS for pages of other origins; none unless some are allowed. Cookies are never allowed: such pages
/// have tokens of their own.
fn cross_origin(allowed: &[String]) -> Option<CorsLayer> {
    let origins: Vec<_> =
        allowed.iter().filter_map(|origin| HeaderValue::from_str(origin).ok()).collect();
    let request = [AUTHORIZATION, CONTENT_TYPE, IF_MATCH, IF_NONE_MATCH];
    let answer = [LOCATION, ETAG, RETRY_AFTER];
    let named = |name| [HeaderName::from_static(name)];
    let layer = CorsLayer::new()
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allow_headers(request.into_iter().chain(named("idempotency-key")).collect::<Vec<_>>())
        .expose_headers(answer.into_iter().chain(named("x-request-id")).collect::<Vec<_>>())
        .max_age(Duration::from_secs(3600));
    (!origins.is_empty()).then(|| layer.allow_origin(origins))
}

async fn nothing_here(State(_): State<SharedApp>) -> Problem {
    Problem::new(ProblemKind::NotFound, "there is nothing at this address")
}

async fn openapi_json(headers: HeaderMap) -> Response {
    let mut description = serde_json::to_value(openapi()).unwrap_or_default();
    // Operations follow it.
    description["servers"][0]["url"] = format!("{}/", path_prefix(&headers)).into();
    add_constraints(&mut description);
    let bytes = serde_json::to_vec(&description).unwrap_or_default();
    let mut response = answer(StatusCode::OK, JSON, bytes);
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// The description of all operations. Each may answer with a problem, and each says which right it needs of a token, if
/// the server has tokens.
pub(crate) fn openapi() -> OpenApi {
    let mut api = Operations::openapi();
    let scheme = SecurityScheme::Http(
        HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some(
                "A token that the owner of the server made. Without tokens, none is needed.",
            ))
            .build(),
    );
    api.components.get_or_insert_default().add_security_scheme("token", scheme);
    let problem = |description: &str| {
        let schema = RefOr::Ref(Ref::from_schema_name("Problem"));
        let content = Content::builder().schema(Some(schema)).build();
        let response = ResponseBuilder::new().description(description);
        RefOr::T(response.content("application/problem+json", content).build())
    };
    for (path, item) in &mut api.paths.paths {
        let all = [
            ("get", &mut item.get),
            ("put", &mut item.put),
            ("post", &mut item.post),
            ("patch", &mut item.patch),
            ("delete", &mut item.delete),
        ];
        for (method, operation) in all {
            let Some(operation) = operation else { continue };
            operation.operation_id = name(method, path);
            if let Need::Right(right) = need(method, Some(path)) {
                let token = SecurityRequirement::new("token", [right.name()]);
                operation.security = Some(vec![SecurityRequirement::default(), token]);
            } else {
                operation.security = Some(Vec::new());
            }
            let responses = &mut operation.responses.responses;
            responses
                .insert("4XX".to_owned(), problem("The request was not done; `kind` says why."));
            // The protocol's own answer, before anything here has read the request.
            let too_long =
                "The head of the request, with its address, has more than 32 KiB; no body.";
            let too_long = ResponseBuilder::new().description(too_long).build();
            responses.insert("431".to_owned(), RefOr::T(too_long));
            responses.insert(
                "503".to_owned(),
                problem("Too much to do, or a fault of the disk; try again."),
            );
        }
    }
    api
}

/// The one name of an operation, such as `collections_create`; without the module where that is not a subject.
fn name(method: &str, path: &str) -> Option<String> {
    let is_it = |(known, at, _): &(&str, &str, Need)| *known == method && *at == path;
    let at = OPERATIONS.iter().position(is_it)?;
    let name = NAMES[at].replace(' ', "").replace("::", "_");
    let alone = ["health_", "stateless_"].iter().find_map(|of| name.strip_prefix(of));
    Some(alone.unwrap_or(&name).to_owned())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn what_is_not_declared_needs_the_highest_right() {
        assert_eq!(need("PUT", Some("/v1/collections/{collection}")), Need::ADMIN);
        assert_eq!(need("HEAD", Some("/v1/collections")), Need::READ);
        assert_eq!(need("GET", Some("/metrics")), Need::METRICS);
        assert_eq!(need("PATCH", Some("/v1/collections")), Need::ADMIN);
        assert_eq!(need("GET", Some("/forgotten")), Need::ADMIN);
        let open = ["/livez", "/readyz"];
        for (method, path, need) in OPERATIONS {
            assert_eq!(*need == Need::Nothing, open.contains(path), "{method} {path}");
            // What changes something needs more than the right to read; what only asks does not.
            let asks =
                ["/query", "/batch", "/fetch", "/v1/fingerprint", "/v1/extract", "/v1/compare"];
            if *method != "get" && *need == Need::READ {
                assert!(asks.iter().any(|end| path.ends_with(end)), "{method} {path}");
            }
        }
    }

    #[test]
    fn every_operation_is_described_as_it_is_routed() {
        let api = serde_json::to_value(openapi()).unwrap();
        assert!(api["openapi"].as_str().unwrap().starts_with("3.1"), "{}", api["openapi"]);
        let (mut described, mut names) = (Vec::new(), BTreeSet::new());
        for (path, item) in api["paths"].as_object().unwrap() {
            for (method, operation) in item.as_object().unwrap() {
                described.push((method.clone(), path.clone()));
                assert!(operation["summary"].is_string(), "{method} {path}: no summary");
                let name = operation["operationId"].as_str().expect("a name").to_owned();
                assert!(names.insert(name.clone()), "{name} is the name of two operations");
                let responses = operation["responses"].as_object().unwrap();
                assert!(responses.contains_key("4XX") && responses.contains_key("503"));
            }
        }
        let mut routed: Vec<_> = OPERATIONS
            .iter()
            .map(|(method, path, _)| ((*method).to_owned(), (*path).to_owned()))
            .collect();
        described.sort();
        routed.sort();
        assert_eq!(described, routed);
    }
}
