//! Pages below a path of another server: a proxy that serves them there says so with `X-Forwarded-Prefix`, and takes
//! the path off before it asks.
//!
//! Links of pages and redirects begin with the path then. It decides nothing but what is in the answer to the same
//! client, so that it does not matter who states it.

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::HeaderMap;
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, LOCATION};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::problem::Problem;
use crate::problem_kind::ProblemKind;

/// The longest path, in bytes.
const LONGEST: usize = 200;

/// What is before an address of this server in a page. All text of pages is escaped, so that it has no quotes.
const ATTRIBUTES: [&str; 2] = [" href=\"/", " action=\"/"];

/// The path of a request's header, such as `/near`: parts of letters, digits, `-`, `.`, `_` and `~`. Empty without one,
/// and where it is not such a path.
pub(crate) fn path_prefix(headers: &HeaderMap) -> &str {
    let stated = headers.get("x-forwarded-prefix").and_then(|value| value.to_str().ok());
    let stated = stated.unwrap_or("").trim_end_matches('/');
    let is_part = |part: &str| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        !part.is_empty() && part != "." && part != ".." && part.bytes().all(plain)
    };
    match stated.strip_prefix('/') {
        Some(parts) if stated.len() <= LONGEST && parts.split('/').all(is_part) => stated,
        _ => "",
    }
}

/// Puts the path before the addresses of an answer.
pub(crate) async fn below_prefix(request: Request, next: Next) -> Response {
    let prefix = path_prefix(request.headers()).to_owned();
    let answer = next.run(request).await;
    if prefix.is_empty() {
        return answer;
    }
    let (mut head, body) = answer.into_parts();
    let own = head.headers.get(LOCATION).and_then(|value| value.to_str().ok());
    let moved = own.filter(|address| address.starts_with('/'));
    let moved = moved.and_then(|address| HeaderValue::from_str(&format!("{prefix}{address}")).ok());
    if let Some(moved) = moved {
        head.headers.insert(LOCATION, moved);
    }
    let is_page = head
        .headers
        .get(CONTENT_TYPE)
        .is_some_and(|media| media.as_bytes().starts_with(b"text/html"));
    if !is_page {
        return Response::from_parts(head, body);
    }
    // Pages are whole in memory already.
    let Ok(bytes) = to_bytes(body, usize::MAX).await else {
        return Problem::new(ProblemKind::Internal, "the page is not whole").into_response();
    };
    let mut page = String::from_utf8_lossy(&bytes).into_owned();
    for attribute in ATTRIBUTES {
        let begin = &attribute[..attribute.len() - 1];
        page = page.replace(attribute, &format!("{begin}{prefix}/"));
    }
    head.headers.remove(CONTENT_LENGTH);
    Response::from_parts(head, Body::from(page))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_paths_are_taken() {
        for (stated, expected) in [
            ("/near", "/near"),
            ("/near/", "/near"),
            ("/a/b-c_d.e~1", "/a/b-c_d.e~1"),
            ("", ""),
            ("/", ""),
            ("near", ""),
            ("//example.org", ""),
            ("/near//x", ""),
            ("/..", ""),
            ("/a/./b", ""),
            ("/a\"b", ""),
            ("/a?b", ""),
            ("https://example.org", ""),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert("x-forwarded-prefix", HeaderValue::from_str(stated).unwrap());
            assert_eq!(path_prefix(&headers), expected, "{stated}");
        }
        let mut headers = HeaderMap::new();
        assert_eq!(path_prefix(&headers), "");
        let long = format!("/{}", "a".repeat(LONGEST));
        headers.insert("x-forwarded-prefix", HeaderValue::from_str(&long).unwrap());
        assert_eq!(path_prefix(&headers), "");
    }
}
