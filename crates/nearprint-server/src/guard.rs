//! What every request passes: who may ask, an id for it, problems written out, headers for browsers, counting, the log.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{CONNECTION, CONTENT_SECURITY_POLICY, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::time::Instant;

use crate::access::{Access, Need};
use crate::alarm::{IsLate, until};
use crate::client::Client;
use crate::log::RequestLine;
use crate::metrics::GaugeGuard;
use crate::pages;
use crate::peer::Peer;
use crate::precondition;
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::request::problem_of_status;
use crate::routes;
use crate::state::{App, SharedApp};
use crate::throttle::UnderWay;

/// What answers to programs may do in a browser: nothing. Pages have a policy of their own.
const POLICY: &str = "default-src 'none'; frame-ancestors 'none'; sandbox";

/// Lets a request through, or refuses it, and completes its answer.
pub(crate) async fn guard(
    State(app): State<SharedApp>,
    mut request: Request,
    next: Next,
) -> Response {
    let peer = request.extensions().get::<Arc<Peer>>().cloned();
    if let Some(peer) = &peer {
        peer.rested().await;
    }
    let begun = Instant::now();
    let _under_way = GaugeGuard::new(&app.metrics.under_way);
    let id = app.next_request_id();
    let (method, path) = (method_name(request.method()), request.uri().path().to_owned());
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let need = routes::need(method, route.as_deref());
    let (access, admitted) = match admitted(&app, &request, need) {
        Ok(access) => {
            let heeded = precondition::check_heeded(method, route.as_deref(), request.headers());
            let entered = heeded.and_then(|()| entered(&app, &access, need));
            (access, entered)
        }
        Err((access, problem)) => (access, Err(problem)),
    };
    let answer = match admitted {
        Ok(_under_way) => {
            request.extensions_mut().insert(access.clone());
            // Copies of collections take as long as they are large; their bodies have limits of their own.
            let is_copy = route.as_deref().is_some_and(|route| route.contains("/snapshots"));
            let most = if is_copy { Duration::MAX } else { app.limits.request_time };
            let work = client(&access, peer.as_deref()).does(peer.clone(), next.run(request));
            let alarm = peer.as_deref().map(|peer| &peer.alarm);
            let answer = match begun.checked_add(most) {
                Some(late) => until(alarm, late, work).await,
                None => Ok(work.await),
            };
            answer.unwrap_or_else(|IsLate| {
                let detail = format!("the request took longer than {} seconds", most.as_secs());
                Problem::overloaded(detail).into_response()
            })
        }
        Err(problem)
            if problem.kind == ProblemKind::Unauthenticated
                && method == "GET"
                && is_page(&path) =>
        {
            pages::to_sign_in(
                request.uri().path_and_query().map_or("/", |address| address.as_str()),
            )
        }
        Err(problem) => problem.into_response(),
    };
    let problem = problem_of(&answer);
    if let Some(problem) = problem.as_ref().filter(|problem| problem.kind == ProblemKind::Storage)
        && let Some(name) = collection_of(&path)
    {
        app.collections.suspect(name, &problem.detail);
    }
    let mut answer = match &problem {
        Some(problem) => written(answer, problem, &access, &path, &id),
        None => answer,
    };
    let headers = answer.headers_mut();
    let mut set = |name: &'static str, value: HeaderValue| {
        headers.entry(HeaderName::from_static(name)).or_insert(value);
    };
    set("content-security-policy", HeaderValue::from_static(POLICY));
    set("x-content-type-options", HeaderValue::from_static("nosniff"));
    set("x-frame-options", HeaderValue::from_static("DENY"));
    // Without any referrer, browsers would not say that a form is of this server.
    set("referrer-policy", HeaderValue::from_static("same-origin"));
    set("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    set("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    set("cache-control", HeaderValue::from_static("no-store"));
    if let Ok(id) = HeaderValue::from_str(&id) {
        set("x-request-id", id);
    }
    if app.stopping.load(Ordering::Relaxed) {
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
    }
    // Addresses that are not routes are one, so that nobody can fill the memory with names.
    let route = route.as_deref().unwrap_or("none");
    let (status, took) = (answer.status().as_u16(), begun.elapsed());
    app.metrics.count(route, method, status, took);
    if let Some(problem) = &problem {
        app.metrics.count_problem(problem.kind.known().name);
    }
    if let (Some(peer), Some(ProblemKind::Overloaded)) =
        (&peer, problem.as_ref().map(|problem| problem.kind))
    {
        peer.refuse();
    }
    app.log.request(&RequestLine {
        request_id: &id,
        method,
        path: &path,
        status,
        seconds: took.as_secs_f64(),
        token: access.token().map(|token| token.id.as_str()),
        problem: problem.as_ref().map(|problem| problem.kind.known().name),
        detail: problem.as_ref().map(|problem| problem.detail.as_str()),
    });
    answer
}

/// The name of the collection that an address is about.
fn collection_of(path: &str) -> Option<&str> {
    let rest = path.strip_prefix("/v1").unwrap_or(path).strip_prefix("/collections/")?;
    rest.split('/').next()
}

/// Whose share a request takes: the token's, else that of the address it comes from.
fn client(access: &Access, peer: Option<&Peer>) -> Client {
    match (access.token(), peer) {
        (Some(token), _) => Client::Token(token.id.as_str().into()),
        (None, Some(peer)) => Client::Address(peer.address),
        (None, None) => Client::Server,
    }
}

/// What is wrong with a request, by its answer; `None` where a page of its own says it, such as of a token.
fn problem_of(answer: &Response) -> Option<Problem> {
    let status = answer.status();
    let is_error = status.is_client_error() || status.is_server_error();
    let is_written = answer.headers().contains_key(CONTENT_SECURITY_POLICY);
    let of_status = || (is_error && !is_written).then(|| problem_of_status(status));
    answer.extensions().get::<Problem>().cloned().or_else(of_status)
}

/// The answer with its problem written out, for a program or for a person.
fn written(answer: Response, problem: &Problem, access: &Access, path: &str, id: &str) -> Response {
    let problem = problem.for_client(access.may(Need::ADMIN));
    let mut written = match is_page(path) {
        true => pages::problem(access, &problem, id),
        false => problem.response(path, id),
    };
    // Such as Allow.
    for (name, value) in answer.headers() {
        if !matches!(name.as_str(), "content-type" | "content-length") {
            written.headers_mut().insert(name.clone(), value.clone());
        }
    }
    written
}

/// Whether an address is for people.
fn is_page(path: &str) -> bool {
    let programs = ["/v1", "/openapi.json", "/metrics", "/livez", "/readyz", "/healthz"];
    !programs.iter().any(|begin| {
        path.strip_prefix(begin).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

/// Methods by name; what is not a method that anything here knows is counted as one.
fn method_name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

/// Counts a request of a token, or refuses it. Whether the server lives is said to everybody.
fn entered(app: &App, access: &Access, need: Need) -> Result<Option<UnderWay>, Problem> {
    if need == Need::Nothing {
        return Ok(None);
    }
    let limits = access.limits(app.limits.token);
    let token = access.token().map(|token| token.id.as_str());
    app.throttle.enter(token, &limits, Instant::now().into_std()).map(Some)
}

/// Who asks; refuses what another site may have sent (names that are not this machine's, and changes from foreign
/// pages), and who may not have what is asked for.
fn admitted(app: &App, request: &Request, need: Need) -> Result<Access, (Access, Problem)> {
    let nobody = |problem| (Access::Nobody, problem);
    let tokens = app.gate.current().map_err(nobody)?;
    let closed = tokens.is_some();
    let stranger = || if closed { Access::Nobody } else { Access::Machine };
    let from = |problem| (stranger(), problem);
    let host = host(request.uri(), request.headers()).map_err(from)?;
    let name = name_of(host);
    // Names can be pointed anywhere, addresses cannot; a server that other machines use is asked by its own.
    if !(is_own_name(name, &app.allowed_hosts) || closed && is_address(name)) {
        let shown: String = host.chars().take(100).collect();
        let detail = format!("the server does not answer to {}", shown.escape_debug());
        return Err(from(Problem::new(ProblemKind::UnknownHost, detail)));
    }
    let is_change = !matches!(*request.method(), Method::GET | Method::HEAD);
    let is_own = match is_allowed_origin(request.headers(), &app.allowed_origins) {
        true => Ok(false),
        false => own_page(request.headers(), host),
    };
    if let (true, Err(problem)) = (is_change, &is_own) {
        return Err(from(problem.clone()));
    }
    let access = match app.gate.access(tokens.as_deref(), request.headers()) {
        Ok(access) => access,
        Err(problem) if problem.kind == ProblemKind::Unauthenticated && need == Need::Nothing => {
            return Ok(Access::Nobody);
        }
        Err(problem) => return Err(nobody(problem)),
    };
    // Whoever is known by a cookie is known to every page that can make the browser send something.
    if is_change && access.is_signed_in() && !is_own.is_ok_and(|is_own| is_own) {
        let detail = "the browser does not say that a page of this server sent this request";
        return Err((access, Problem::new(ProblemKind::ForeignOrigin, detail)));
    }
    if access.may(need) {
        return Ok(access);
    }
    let detail = match need {
        Need::Right(right) => format!("the token has not the right {}", right.name()),
        Need::Nothing => String::new(),
    };
    Err((access, Problem::new(ProblemKind::Forbidden, detail)))
}

/// Whether the browser says that a page of this server sent a request; refuses it where it says that another did.
fn own_page(headers: &HeaderMap, host: &str) -> Result<bool, Problem> {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let site = text("sec-fetch-site");
    if let Some(site) = site
        && !matches!(site, "same-origin" | "none")
    {
        let detail = "the browser says that another site sent this request";
        return Err(Problem::new(ProblemKind::ForeignOrigin, detail));
    }
    let origin = text(ORIGIN.as_str());
    if let Some(origin) = origin
        && !is_own_origin(origin, host)
    {
        let shown: String = origin.chars().take(100).collect();
        let detail = format!("the request comes from {}", shown.escape_debug());
        return Err(Problem::new(ProblemKind::ForeignOrigin, detail));
    }
    Ok(origin.is_some() || site == Some("same-origin"))
}

/// Whether a page of an origin that the server was started with sent a request. It is not a page of this server.
fn is_allowed_origin(headers: &HeaderMap, allowed: &[String]) -> bool {
    let origin = headers.get(ORIGIN).map(HeaderValue::as_bytes);
    origin.is_some_and(|origin| allowed.iter().any(|allowed| allowed.as_bytes() == origin))
}

/// The name and port that the client used.
fn host<'r>(uri: &'r Uri, headers: &'r HeaderMap) -> Result<&'r str, Problem> {
    let mut named = headers.get_all(HOST).iter();
    let host = match (named.next(), named.next(), uri.authority()) {
        (Some(host), None, None) => host.to_str().ok(),
        // An address with a host overrules the header (RFC 9112, 3.2.2).
        (Some(_), None, Some(authority)) => Some(authority.as_str()),
        _ => None,
    };
    host.ok_or_else(|| Problem::new(ProblemKind::MalformedRequest, "the request has not one Host"))
}

/// A host without its port.
fn name_of(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

/// Whether a name is this machine's, which no name server can give to another, or one that is allowed.
fn is_own_name(name: &str, allowed: &[String]) -> bool {
    let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    let is_loopback = address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    is_loopback
        || name.eq_ignore_ascii_case("localhost")
        || allowed.iter().any(|allowed| name.eq_ignore_ascii_case(allowed))
}

/// Whether a name is an address, of any machine.
fn is_address(name: &str) -> bool {
    let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    address.parse::<IpAddr>().is_ok()
}

/// Whether a page of this server sent a request. A proxy may speak TLS for it.
fn is_own_origin(origin: &str, host: &str) -> bool {
    let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_names_are_answered_to() {
        let allowed = ["near.example".to_owned()];
        for host in [
            "localhost",
            "LOCALHOST:7117",
            "127.0.0.1:1",
            "127.8.9.1",
            "[::1]:80",
            "near.example:443",
        ] {
            assert!(is_own_name(name_of(host), &allowed), "{host}");
        }
        for host in [
            "example.org",
            "localhost.example.org",
            "127.0.0.1.example.org",
            "10.0.0.1",
            "",
            ":80",
            "[::2]:80",
            "localhost:80@example.org",
            "localhost.",
        ] {
            assert!(!is_own_name(name_of(host), &allowed), "{host}");
        }
    }

    #[test]
    fn an_origin_is_a_host_with_a_scheme() {
        assert!(is_own_origin("http://127.0.0.1:7117", "127.0.0.1:7117"));
        assert!(is_own_origin("https://near.example", "near.example"));
        for origin in ["null", "http://127.0.0.1:7118", "http://evil.example", "127.0.0.1:7117", ""]
        {
            assert!(!is_own_origin(origin, "127.0.0.1:7117"), "{origin}");
        }
    }

    #[test]
    fn addresses_of_programs_are_known() {
        assert!(!is_page("/v1/collections") && !is_page("/v1") && !is_page("/openapi.json"));
        assert!(is_page("/") && is_page("/v1x") && is_page("/collections/a"));
    }
}
