//! The page on which somebody signs in with a token, and the end of that.

use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use nearprint::report::escaped;
use serde::Deserialize;

use crate::access::Access;
use crate::form::fields;
use crate::gate::{SESSION, SESSION_TIME};
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::request::{Parameters, WholeBody};
use crate::state::SharedApp;

use super::check::FIELDS;
use super::html::{Page, Tab, line};
use super::see;

/// Where to go afterwards.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct SignInParameters {
    next: String,
}

/// A page of this server; everything else leads to the first one.
fn own_page(address: &str) -> &str {
    let is_plain = address.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    let is_own = address.starts_with('/') && !address.starts_with("//") && is_plain;
    if is_own { address } else { "/" }
}

pub(super) async fn form(
    State(app): State<SharedApp>,
    access: Access,
    Parameters(SignInParameters { next }): Parameters<SignInParameters>,
) -> Result<Response, Problem> {
    if !app.gate.is_closed()? || access.is_signed_in() {
        return Ok(see(own_page(&next)));
    }
    Ok(page(&access, own_page(&next), None))
}

fn page(access: &Access, next: &str, wrong: Option<&str>) -> Response {
    let mut page = Page::new(access, "Sign in", Tab::None);
    page.heading("Sign in");
    page.push(
        "<p class=\"lead\">This server asks for a token. Whoever runs it can make one for you.</p>\n\
         <form class=\"card narrow\" method=\"post\" action=\"/sign-in\" enctype=\"multipart/form-data\">\n",
    );
    if let Some(wrong) = wrong {
        let wrong = escaped(wrong);
        page.push(&format!("<p class=\"warn\" id=\"wrong\" role=\"alert\">{wrong}</p>\n"));
    }
    let described =
        if wrong.is_some() { " aria-describedby=\"wrong\" aria-invalid=\"true\"" } else { "" };
    page.push(&format!(
        "<input type=\"hidden\" name=\"next\" value=\"{}\">\n\
         <p class=\"field\"><label for=\"token\">Token</label>\n<input id=\"token\" name=\"token\" type=\"password\" \
         required autocomplete=\"current-password\" spellcheck=\"false\" placeholder=\"npt_…\"{described}></p>\n\
         <p><button type=\"submit\">Sign in</button></p>\n</form>\n",
        escaped(next)
    ));
    page.answer(if wrong.is_some() { StatusCode::FORBIDDEN } else { StatusCode::OK })
}

/// The cookie: no script sees it, and no other site makes a browser send it.
fn cookie(value: &str, seconds: u64, is_secure: bool) -> Result<HeaderValue, Problem> {
    let secure = if is_secure { "; Secure" } else { "" };
    let cookie =
        format!("{SESSION}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}");
    HeaderValue::from_str(&cookie)
        .map_err(|_| Problem::new(ProblemKind::Internal, "the cookie cannot be sent"))
}

pub(super) async fn sign_in(
    State(app): State<SharedApp>,
    headers: HeaderMap,
    request: WholeBody,
) -> Result<Response, Problem> {
    let fields = fields(&headers, &request, FIELDS).await?;
    let next = own_page(line(&fields, "next").unwrap_or("/"));
    let value = match app.gate.sign_in(line(&fields, "token").unwrap_or("")) {
        Ok(value) => value,
        Err(problem) if problem.kind == ProblemKind::Unauthenticated => {
            let wrong = "The token is unknown, expired or revoked.";
            return Ok(page(&Access::Nobody, next, Some(wrong)));
        }
        Err(problem) => return Err(problem),
    };
    // An older session of this browser ends.
    app.gate.sign_out(&headers);
    let mut response = see(next);
    let cookie = cookie(&value, SESSION_TIME.as_secs(), app.speaks_tls)?;
    response.headers_mut().insert(SET_COOKIE, cookie);
    Ok(response)
}

pub(super) async fn sign_out(
    State(app): State<SharedApp>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    app.gate.sign_out(&headers);
    let mut response = see("/sign-in");
    response.headers_mut().insert(SET_COOKIE, cookie("", 0, app.speaks_tls)?);
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_this_server_follow() {
        for own in ["/", "/collections/a?prefix=b", "/jobs"] {
            assert_eq!(own_page(own), own);
        }
        for other in
            ["", "//evil.example", "/\\evil.example", "https://evil.example", "evil", "/a b", "/\n"]
        {
            assert_eq!(own_page(other), "/", "{other}");
        }
    }
}
