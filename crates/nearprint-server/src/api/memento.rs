//! Mementos of an address (RFC 7089): a TimeMap with links to where its captures are replayed, and a TimeGate that
//! leads to the one nearest to a time.
//!
//! Both exist only where the collection says where its captures are replayed. The server's own pages are not mementos,
//! and never say so.

use std::fmt::Write;
use std::ops::ControlFlow;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use chrono::DateTime;
use nearprint::records::capture_seconds;
use nearprint_index::{CaptureRange, ListedCapture};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::access::{Access, Need};
use crate::address::encoded;
use crate::api::captures::range;
use crate::captures::{cursor, date, replay, row_after};
use crate::clock::http_date;
use crate::collection::Collection;
use crate::lines::answer;
use crate::path_prefix::path_prefix;
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::request::{Parameters, PathName};
use crate::state::{App, SharedApp};
use crate::work::Lane;

/// Mementos of a TimeMap; of more the rest is in the next one.
const TIMEMAP_PAGE: usize = 5000;

/// The media type of a TimeMap.
const LINK_FORMAT: &str = "application/link-format";

/// The addresses that end with the address of a page as it is, as programs of web archives write them, and what each
/// needs. They are not operations: a path with a query in it cannot be described.
pub(crate) const NEEDS: &[(&str, &str, Need)] = &[
    ("get", "/v1/collections/{collection}/timemap/link/{*url}", Need::READ),
    ("get", "/v1/collections/{collection}/timegate/{*url}", Need::READ),
];

/// Those addresses.
pub(crate) fn routes() -> Router<SharedApp> {
    Router::new().route(NEEDS[0].1, get(timemap_at)).route(NEEDS[1].1, get(timegate_at))
}

/// Which address, and which part of its TimeMap.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct TimemapParameters {
    /// The address.
    url: String,
    /// Where the TimeMap continues: the link to the next one has it.
    cursor: Option<String>,
}

/// Which address.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct TimegateParameters {
    /// The address.
    url: String,
}

/// The TimeMap of an address
///
/// Its captures as links by RFC 7089, to where they are replayed. Only if the collection says where that is (`replay`).
/// Of more than 5,000 captures the rest is in another TimeMap, to which a link leads. The same is at
/// `/v1/collections/NAME/timemap/link/` followed by the address as it is.
#[utoipa::path(get, path = "/v1/collections/{collection}/timemap", tag = "captures",
    params(("collection" = String, Path, description = "The name of the collection."), TimemapParameters),
    responses((status = 200, description = "The TimeMap.", content_type = "application/link-format", body = String)))]
pub(crate) async fn timemap(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    headers: HeaderMap,
    Parameters(parameters): Parameters<TimemapParameters>,
) -> Result<Response, Problem> {
    let TimemapParameters { url, cursor } = parameters;
    let mementos = Mementos { base: base(&app, &headers), name, url };
    mementos.timemap(&app, &access, cursor).await
}

async fn timemap_at(
    State(app): State<SharedApp>,
    access: Access,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Problem> {
    Mementos::at(&app, &headers, &uri, "timemap/link/")?.timemap(&app, &access, None).await
}

/// The TimeGate of an address
///
/// Leads (302) to where the capture is replayed that is nearest to the time of `Accept-Datetime`, by RFC 7089; without
/// that header to the last one. Only if the collection says where captures are replayed (`replay`). The same is at
/// `/v1/collections/NAME/timegate/` followed by the address as it is.
#[utoipa::path(get, path = "/v1/collections/{collection}/timegate", tag = "captures",
    params(("collection" = String, Path, description = "The name of the collection."), TimegateParameters,
        ("accept-datetime" = Option<String>, Header, description = "A time, as HTTP states it.")),
    responses((status = 302, description = "Where the capture is replayed.")))]
pub(crate) async fn timegate(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    headers: HeaderMap,
    Parameters(TimegateParameters { url }): Parameters<TimegateParameters>,
) -> Result<Response, Problem> {
    Mementos { base: base(&app, &headers), name, url }.timegate(&app, &access, &headers).await
}

async fn timegate_at(
    State(app): State<SharedApp>,
    access: Access,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Problem> {
    Mementos::at(&app, &headers, &uri, "timegate/")?.timegate(&app, &access, &headers).await
}

/// Where this server is, as the client calls it, such as `https://near.example.org`.
fn base(app: &App, headers: &HeaderMap) -> String {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    // A proxy that speaks TLS says so. It decides nothing but links in the answer to the same client.
    let scheme = match text("x-forwarded-proto") {
        Some(scheme @ ("http" | "https")) => scheme,
        _ if app.speaks_tls => "https",
        _ => "http",
    };
    format!("{scheme}://{}{}", text("host").unwrap_or("localhost"), path_prefix(headers))
}

/// What would end a link is written as it is in addresses.
fn quoted(url: &str) -> String {
    let mut out = String::with_capacity(url.len());
    for letter in url.chars() {
        match letter {
            '<' | '>' | '"' | '\\' | ' ' => {
                let _ = write!(out, "%{:02X}", u32::from(letter));
            }
            letter if letter.is_control() => {}
            letter => out.push(letter),
        }
    }
    out
}

/// The address as a URI: RFC 7089 wants one in links.
fn original(url: &str) -> String {
    let url = url.trim();
    let has_scheme = url.split_once(':').is_some_and(|(scheme, rest)| {
        let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-".contains(&byte));
        is_scheme && !rest.starts_with(|c: char| c.is_ascii_digit())
    });
    quoted(&if has_scheme { url.to_owned() } else { format!("http://{url}") })
}

/// The mementos of an address in a collection.
struct Mementos {
    /// Where this server is.
    base: String,
    /// The collection.
    name: String,
    url: String,
}

/// Where captures of a collection are replayed; without that there are no mementos.
fn template(app: &App, collection: &Collection) -> Result<String, Problem> {
    collection.replay().or_else(|| app.replay.clone()).ok_or_else(|| {
        let name = &collection.description.name;
        let detail = format!("the collection {name} does not say where its captures are replayed");
        Problem::new(ProblemKind::NotFound, detail).with_remedy(
            "set `replay` of the collection to a template such as https://example.org/web/{timestamp}/{url}",
        )
    })
}

impl Mementos {
    /// Those of an address that ends with the address of a page as it is.
    fn at(app: &App, headers: &HeaderMap, uri: &Uri, after: &str) -> Result<Self, Problem> {
        let address = uri.path_and_query().map_or("", |address| address.as_str());
        let parts = address.strip_prefix("/v1/collections/").and_then(|rest| {
            let (name, rest) = rest.split_once('/')?;
            Some((name.to_owned(), rest.strip_prefix(after)?.to_owned()))
        });
        let missing = || Problem::new(ProblemKind::NotFound, "there is nothing at this address");
        let (name, url) = parts.ok_or_else(missing)?;
        Ok(Self { base: base(app, headers), name, url })
    }

    /// The address of the TimeMap.
    fn timemap_address(&self) -> String {
        let Self { base, name, url } = self;
        format!("{base}/v1/collections/{name}/timemap?url={}", encoded(url))
    }

    fn none(&self) -> Problem {
        let detail = format!("the collection {} has no capture of this address", self.name);
        Problem::new(ProblemKind::NotFound, detail)
    }

    /// The captures that have a time.
    fn range(&self) -> Result<CaptureRange, Problem> {
        // Captures without one come before all digits.
        range(&self.url, Some("0".to_owned()), None)
    }

    async fn timemap(
        self,
        app: &SharedApp,
        access: &Access,
        at: Option<String>,
    ) -> Result<Response, Problem> {
        let (range, after, shared) =
            (self.range()?, row_after(at.as_deref())?, SharedApp::clone(app));
        let page = app.with_collection(access, &self.name, Lane::Bulk, move |collection| {
            let template = template(&shared, collection)?;
            let index = &collection.index;
            let mut found = index.list_captures(&range, after.as_deref(), TIMEMAP_PAGE + 1)?;
            let more = found.len() > TIMEMAP_PAGE;
            found.truncate(TIMEMAP_PAGE);
            let next = found.last().filter(|_| more).map(cursor);
            let mementos = found.into_iter().filter_map(|captured| {
                Some(Memento { date: captured.key.date?, url: captured.details.url })
            });
            Ok((template, mementos.collect::<Vec<_>>(), next))
        });
        let (template, mementos, next) = page.await?;
        if mementos.is_empty() {
            return Err(self.none());
        }
        let first = self.timemap_address();
        let address =
            at.as_ref().map_or(first.clone(), |at| format!("{first}&cursor={}", encoded(at)));
        let next = next.map(|next| format!("{first}&cursor={next}"));
        let timegate =
            format!("{}/v1/collections/{}/timegate/{}", self.base, self.name, original(&self.url));
        let part = TimemapPart {
            address: &address,
            timegate: &timegate,
            is_first: at.is_none(),
            next: next.as_deref(),
            mementos: &mementos,
        };
        let map = part.links(&self.url, &template);
        Ok(answer(StatusCode::OK, LINK_FORMAT, map.into_bytes()))
    }

    async fn timegate(
        self,
        app: &SharedApp,
        access: &Access,
        headers: &HeaderMap,
    ) -> Result<Response, Problem> {
        let wanted = headers.get("accept-datetime").map(|wanted| {
            let time =
                wanted.to_str().ok().and_then(|text| DateTime::parse_from_rfc2822(text).ok());
            let wrong = || {
                let detail = "Accept-Datetime is not a time such as Thu, 31 May 2007 20:35:00 GMT";
                Problem::new(ProblemKind::MalformedRequest, detail)
            };
            time.map(|time| time.timestamp()).ok_or_else(wrong)
        });
        let (wanted, range, shared) = (wanted.transpose()?, self.range()?, SharedApp::clone(app));
        let found = app.with_collection(access, &self.name, Lane::Bulk, move |collection| {
            let template = template(&shared, collection)?;
            let mut nearest = Nearest { wanted, ..Nearest::default() };
            collection.index.visit_captures(&range, None, |captured| {
                nearest.add(&captured);
                ControlFlow::Continue(())
            })?;
            Ok((template, nearest))
        });
        let (template, Nearest { first, last, best, .. }) = found.await?;
        let (Some(first), Some(last), Some(best)) = (first, last, best) else {
            return Err(self.none());
        };
        let address = |memento: &Memento| {
            let url = memento.url.as_deref().unwrap_or(&self.url);
            quoted(&replay(&template, &memento.date, &original(url)))
        };
        let mut link = format!("<{}>; rel=\"original\"", original(&self.url));
        let dates = [("from", &first), ("until", &last)];
        let _ =
            write!(link, ", <{}>; rel=\"timemap\"; type=\"{LINK_FORMAT}\"", self.timemap_address());
        for (name, memento) in dates {
            if let Some(date) = http_date(&memento.date) {
                let _ = write!(link, "; {name}=\"{date}\"");
            }
        }
        for memento in [&first, &best, &last] {
            let is_best = std::ptr::eq(memento, &best);
            if !is_best && memento.date == best.date {
                continue;
            }
            let relation = match (memento.date == first.date, memento.date == last.date) {
                (true, true) => "first last memento",
                (true, false) => "first memento",
                (false, true) => "last memento",
                (false, false) => "memento",
            };
            let date = http_date(&memento.date).unwrap_or_default();
            let _ =
                write!(link, ", <{}>; rel=\"{relation}\"; datetime=\"{date}\"", address(memento));
        }
        let mut response = StatusCode::FOUND.into_response();
        let to = response.headers_mut();
        to.insert(header::VARY, HeaderValue::from_static("accept-datetime"));
        for (name, text) in [(header::LOCATION, address(&best)), (header::LINK, link)] {
            let text = HeaderValue::from_str(&text).map_err(|_| {
                Problem::new(ProblemKind::NotFound, "this address cannot be a header of HTTP")
            })?;
            to.insert(name, text);
        }
        Ok(response)
    }
}

/// A capture that is replayed elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Memento {
    /// Its time, 14 digits.
    date: String,
    /// Its address as it was captured, if it is known.
    url: Option<String>,
}

/// The capture that is nearest to a time, among those that were added in order.
#[derive(Debug, Default)]
struct Nearest {
    /// The time, in seconds since 1970; the last capture is meant without one.
    wanted: Option<i64>,
    first: Option<Memento>,
    last: Option<Memento>,
    best: Option<Memento>,
    /// How far the best one is from the time, in seconds.
    distance: u64,
}

impl Nearest {
    fn add(&mut self, captured: &ListedCapture) {
        let Some(seconds) = capture_seconds(date(captured)) else { return };
        let memento =
            || Memento { date: date(captured).to_owned(), url: captured.details.url.clone() };
        if self.first.is_none() {
            self.first = Some(memento());
        }
        self.last = Some(memento());
        let distance = self.wanted.map_or(0, |wanted| wanted.abs_diff(seconds));
        // Of equal ones the first: in one second captures with documents come first.
        let is_nearer = match self.wanted {
            None => true,
            Some(_) => self.best.is_none() || distance < self.distance,
        };
        if is_nearer {
            (self.best, self.distance) = (Some(memento()), distance);
        }
    }
}

/// Some of the captures of an address, which make a TimeMap.
struct TimemapPart<'a> {
    /// Where this TimeMap is.
    address: &'a str,
    /// Where the TimeGate is.
    timegate: &'a str,
    /// Whether no TimeMap comes before.
    is_first: bool,
    /// Where the next one is.
    next: Option<&'a str>,
    /// The captures, in order.
    mementos: &'a [Memento],
}

impl TimemapPart<'_> {
    /// The links of the TimeMap.
    fn links(&self, url: &str, template: &str) -> String {
        let Self { address, timegate, is_first, next, mementos } = *self;
        let mut out = format!("<{}>; rel=\"original\"", original(url));
        let bounds = [("from", mementos.first()), ("until", mementos.last())];
        let _ = write!(out, ",\n<{timegate}>; rel=\"timegate\"");
        let _ = write!(out, ",\n<{address}>; rel=\"self\"; type=\"{LINK_FORMAT}\"");
        for (name, memento) in bounds {
            if let Some(date) = memento.and_then(|memento| http_date(&memento.date)) {
                let _ = write!(out, "; {name}=\"{date}\"");
            }
        }
        if let Some(next) = next {
            let _ = write!(out, ",\n<{next}>; rel=\"timemap\"; type=\"{LINK_FORMAT}\"");
        }
        let last = mementos.len().saturating_sub(1);
        for (at, Memento { date, url: captured }) in mementos.iter().enumerate() {
            let Some(time) = http_date(date) else { continue };
            let relation = match (at == 0 && is_first, at == last && next.is_none()) {
                (true, true) => "first last memento",
                (true, false) => "first memento",
                (false, true) => "last memento",
                (false, false) => "memento",
            };
            let url = original(captured.as_deref().unwrap_or(url));
            let memento = quoted(&replay(template, date, &url));
            let _ = write!(out, ",\n<{memento}>; rel=\"{relation}\"; datetime=\"{time}\"");
        }
        out.push('\n');
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mementos() -> Vec<Memento> {
        ["20000620180259", "20091027204954", "20091027204954"]
            .iter()
            .map(|date| Memento { date: (*date).to_owned(), url: None })
            .collect()
    }

    #[test]
    fn a_timemap_has_the_links_that_memento_clients_read() {
        let mementos = mementos();
        let whole = TimemapPart {
            address: "http://n.org/map",
            timegate: "http://n.org/gate",
            is_first: true,
            next: None,
            mementos: &mementos,
        };
        let map = whole.links("a.example.org/", "http://r.org/{timestamp}/{url}");
        let expected = "<http://a.example.org/>; rel=\"original\",\n\
            <http://n.org/gate>; rel=\"timegate\",\n\
            <http://n.org/map>; rel=\"self\"; type=\"application/link-format\"; from=\"Tue, 20 Jun 2000 18:02:59 GMT\"; until=\"Tue, 27 Oct 2009 20:49:54 GMT\",\n\
            <http://r.org/20000620180259/http://a.example.org/>; rel=\"first memento\"; datetime=\"Tue, 20 Jun 2000 18:02:59 GMT\",\n\
            <http://r.org/20091027204954/http://a.example.org/>; rel=\"memento\"; datetime=\"Tue, 27 Oct 2009 20:49:54 GMT\",\n\
            <http://r.org/20091027204954/http://a.example.org/>; rel=\"last memento\"; datetime=\"Tue, 27 Oct 2009 20:49:54 GMT\"\n";
        assert_eq!(map, expected);
        let later = TimemapPart { is_first: false, next: Some("/map&cursor=x"), ..whole };
        let map = later.links("http://a.example.org/", "{url}");
        assert!(map.contains("</map&cursor=x>; rel=\"timemap\"; type=\"application/link-format\""));
        assert!(!map.contains("first") && !map.contains("last"), "{map}");
        let one = TimemapPart { is_first: true, next: None, mementos: &mementos[..1], ..later };
        let hostile = one.links("http://e.org/>; rel=\"x\"\n", "{url}");
        assert!(
            !hostile.contains("/>; rel=\"x\"") && hostile.contains("first last memento"),
            "{hostile}"
        );
    }

    #[test]
    fn originals_are_addresses_with_a_scheme() {
        for (url, expected) in [
            ("example.org/a", "http://example.org/a"),
            ("example.org:8080/a", "http://example.org:8080/a"),
            (" https://e.org/ ", "https://e.org/"),
            ("urn:x:y", "urn:x:y"),
            ("http://e.org/a b<c>\"\r\n", "http://e.org/a%20b%3Cc%3E%22"),
        ] {
            assert_eq!(original(url), expected);
        }
    }
}
