//! Captures of one address through time: as rows, and as a TimeMap (RFC 7089).

use std::fmt::Write;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use nearprint_index::{CaptureRange, StoredCapture};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::access::Access;
use crate::captures::{CaptureView, replay, seen};
use crate::clock::http_date;
use crate::collection::Collection;
use crate::lines::{answer, json_answer};
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::request::{Parameters, PathName, flag};
use crate::state::SharedApp;
use crate::work::Lane;

use super::documents::{after, cursor};

/// Captures of a page unless the request says otherwise.
const USUAL_PAGE: usize = 100;

/// The most captures of a page: the texts of each are compared.
const LONGEST_PAGE: usize = 1000;

/// Which captures.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct CaptureParameters {
    /// The address, however it is written: `http` or `https`, with `www.` or without.
    url: String,
    /// Only captures at this time or later: 14 digits (YYYYMMDDhhmmss), or the first ones.
    from: Option<String>,
    /// Only captures at this time or earlier, in the same form.
    to: Option<String>,
    /// Compare only the main content of HTML pages.
    #[serde(default, rename = "main-content", deserialize_with = "flag")]
    #[param(rename = "main-content", required = false)]
    main_content: bool,
    /// The most captures; 100 if it is not given.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// Where the list goes on: `next_cursor` of the page before.
    cursor: Option<String>,
}

/// A capture.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CaptureItem {
    /// Always `nearprint/capture/1`.
    schema: &'static str,
    id: String,
    /// When it was captured: 14 digits, UTC.
    date: String,
    /// The key of the address (SURT).
    url_key: String,
    fingerprint: String,
    /// The digest of the payload, as the archive states it.
    payload_digest: Option<String>,
    /// The distance of its fingerprint from that of the capture before; null for the first.
    distance: Option<u32>,
    /// The share of the words of this capture and the one before that only one has, 0 to 1; null for the first, and if
    /// the texts are not kept.
    changed: Option<f64>,
}

/// A page of captures.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CaptureList {
    items: Vec<CaptureItem>,
    /// The cursor of the next page; null at the end.
    next_cursor: Option<String>,
}

/// A time of a range: up to 14 digits.
fn digits(pointer: &str, date: Option<String>) -> Result<Option<String>, Problem> {
    let is_date =
        |date: &String| date.len() <= 14 && date.bytes().all(|byte| byte.is_ascii_digit());
    match date {
        Some(date) if !is_date(&date) => {
            Err(Problem::invalid(pointer, "a time has up to 14 digits, YYYYMMDDhhmmss"))
        }
        date => Ok(date.filter(|date| !date.is_empty())),
    }
}

/// The captures of an address between two times.
pub(crate) fn range(
    url: &str,
    from: Option<String>,
    to: Option<String>,
) -> Result<CaptureRange, Problem> {
    if url.trim().is_empty() {
        return Err(Problem::invalid("?url", "the address is missing"));
    }
    let mut range = CaptureRange::of_url(url.trim());
    if let Some(from) = digits("?from", from)? {
        range = range.from(from);
    }
    if let Some(to) = digits("?to", to)? {
        range = range.to(to);
    }
    Ok(range)
}

/// The capture that a cursor names.
pub(crate) fn after_capture(
    collection: &Collection,
    at: Option<&str>,
) -> Result<Option<StoredCapture>, Problem> {
    let Some(at) = at else { return Ok(None) };
    let id = after(at)?;
    let document = collection.document(&id)?;
    let number = collection.index.number(&id)?;
    Ok(number.map(|number| StoredCapture { number, document }))
}

impl CaptureItem {
    fn of(seen: &CaptureView) -> Self {
        let document = seen.document();
        let capture = document.capture.clone().unwrap_or_default();
        Self {
            schema: "nearprint/capture/1",
            id: document.id.to_string(),
            date: seen.date.clone(),
            url_key: capture.url_key,
            fingerprint: document.fingerprint.to_string(),
            payload_digest: capture.payload_digest,
            distance: seen.distance,
            changed: seen.changed,
        }
    }
}

/// Captures of an address
///
/// Those that were added with an address and a time, in the order of time, each with what changed since the one before.
#[utoipa::path(get, path = "/v1/collections/{collection}/captures", tag = "captures",
    params(("collection" = String, Path, description = "The name of the collection."), CaptureParameters),
    responses((status = 200, description = "The captures.", body = CaptureList)))]
pub(crate) async fn list(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    Parameters(parameters): Parameters<CaptureParameters>,
) -> Result<Response, Problem> {
    let CaptureParameters { url, from, to, main_content, limit, cursor: at } = parameters;
    let most = limit.unwrap_or(USUAL_PAGE);
    if !(1..=LONGEST_PAGE).contains(&most) {
        return Err(Problem::invalid("?limit", format!("a limit is from 1 to {LONGEST_PAGE}")));
    }
    let range = range(&url, from, to)?;
    let listed = app.with_collection(&access, &name, Lane::Bulk, move |collection| {
        let after = after_capture(collection, at.as_deref())?;
        let (found, more) = seen(collection, &range, after, most, main_content)?;
        let next_cursor = found.last().filter(|_| more).map(|last| cursor(&last.document().id));
        Ok(CaptureList { items: found.iter().map(CaptureItem::of).collect(), next_cursor })
    });
    Ok(json_answer(StatusCode::OK, &listed.await?))
}

/// Mementos of a TimeMap; of more the rest is in the next one.
const TIMEMAP_PAGE: usize = 5000;

/// Which address, and which part of its TimeMap.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct TimemapParameters {
    /// The address.
    url: String,
    /// Where the TimeMap goes on: the link to the next one has it.
    cursor: Option<String>,
}

/// The TimeMap of an address
///
/// Its captures as links by RFC 7089, to where they are replayed. Only if the server was started with an address for
/// that (`--replay`). Of more than 5,000 captures the rest is in another TimeMap, to which a link leads.
#[utoipa::path(get, path = "/v1/collections/{collection}/timemap", tag = "captures",
    params(("collection" = String, Path, description = "The name of the collection."), TimemapParameters),
    responses((status = 200, description = "The TimeMap.", content_type = "application/link-format", body = String)))]
pub(crate) async fn timemap(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    Parameters(parameters): Parameters<TimemapParameters>,
) -> Result<Response, Problem> {
    let Some(template) = app.replay.clone() else {
        let detail = "the server does not know where captures are replayed";
        return Err(Problem::new(ProblemKind::NotFound, detail)
            .with_remedy("start it with --replay and a template of addresses"));
    };
    let TimemapParameters { url, cursor: at } = parameters;
    // A memento has a time: captures without one come before all digits.
    let range = range(&url, Some("0".to_owned()), None)?;
    let encoded = crate::address::encoded;
    let first = format!("/v1/collections/{name}/timemap?url={}", encoded(&url));
    let address = at.as_ref().map_or(first.clone(), |at| format!("{first}&cursor={}", encoded(at)));
    let is_first = at.is_none();
    let page = app.with_collection(&access, &name, Lane::Read, move |collection| {
        let after = after_capture(collection, at.as_deref())?;
        let mut found = collection.index.captures(&range, after.as_ref(), TIMEMAP_PAGE + 1)?;
        let more = found.len() > TIMEMAP_PAGE;
        found.truncate(TIMEMAP_PAGE);
        let next = found.last().filter(|_| more).map(|last| cursor(&last.document.id));
        let dates = found.into_iter().filter_map(|found| found.document.capture?.date).collect();
        Ok((dates, next))
    });
    let (dates, next): (Vec<String>, Option<String>) = page.await?;
    if dates.is_empty() {
        let detail = format!("the collection {name} has no capture of this address");
        return Err(Problem::new(ProblemKind::NotFound, detail));
    }
    let next = next.map(|next| format!("{first}&cursor={}", encoded(&next)));
    let part = TimemapPart { address: &address, is_first, next: next.as_deref(), dates: &dates };
    let map = part.links(&url, &template);
    Ok(answer(StatusCode::OK, "application/link-format", map.into_bytes()))
}

/// Some of the captures of an address, which make a TimeMap.
struct TimemapPart<'a> {
    /// Where this TimeMap is.
    address: &'a str,
    /// Whether no TimeMap comes before.
    is_first: bool,
    /// Where the next one is.
    next: Option<&'a str>,
    /// When they were captured, in order.
    dates: &'a [String],
}

impl TimemapPart<'_> {
    /// The links of the TimeMap.
    fn links(&self, url: &str, template: &str) -> String {
        let Self { address, is_first, next, dates } = *self;
        // What would end a link of this format.
        let quoted =
            |url: &str| url.replace('<', "%3C").replace('>', "%3E").replace(['\r', '\n'], "");
        let mut out = format!("<{}>; rel=\"original\"", quoted(url));
        let bounds = [("from", dates.first()), ("until", dates.last())];
        let _ = write!(out, ",\n<{address}>; rel=\"self\"; type=\"application/link-format\"");
        for (name, date) in bounds {
            if let Some(date) = date.and_then(|date| http_date(date)) {
                let _ = write!(out, "; {name}=\"{date}\"");
            }
        }
        if let Some(next) = next {
            let _ = write!(out, ",\n<{next}>; rel=\"timemap\"; type=\"application/link-format\"");
        }
        let last = dates.len() - 1;
        for (at, date) in dates.iter().enumerate() {
            let Some(time) = http_date(date) else { continue };
            let relation = match (at == 0 && is_first, at == last && next.is_none()) {
                (true, true) => "first last memento",
                (true, false) => "first memento",
                (false, true) => "last memento",
                (false, false) => "memento",
            };
            let memento = quoted(&replay(template, date, url));
            let _ = write!(out, ",\n<{memento}>; rel=\"{relation}\"; datetime=\"{time}\"");
        }
        out.push('\n');
        out
    }
}

/// The address and time of a capture, as documents are added with them.
#[derive(Debug, Clone, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct CaptureField {
    /// The address that was captured.
    url: String,
    /// When: 14 digits, YYYYMMDDhhmmss, or RFC 3339; UTC.
    date: Option<String>,
    /// The digest of the payload, as an archive states it.
    payload_digest: Option<String>,
}

impl CaptureField {
    /// The key by which the index finds it.
    pub(crate) fn key(self, pointer: &str) -> Result<nearprint::CaptureKey, Problem> {
        let Self { url, date, payload_digest } = self;
        if url.trim().is_empty() {
            return Err(Problem::invalid(&format!("{pointer}/url"), "the address is missing"));
        }
        let date = match date {
            None => None,
            Some(date) => {
                let digits: String = date.chars().filter(char::is_ascii_digit).take(14).collect();
                if digits.len() < 14 || http_date(&digits).is_none() {
                    let detail = "the time of a capture has 14 digits, YYYYMMDDhhmmss";
                    return Err(Problem::invalid(&format!("{pointer}/date"), detail));
                }
                Some(digits)
            }
        };
        let capture =
            nearprint::records::Capture { url, date, digest: payload_digest, ..Default::default() };
        Ok(nearprint::CaptureKey::of(&capture))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timemap_has_the_links_that_memento_clients_read() {
        let dates = ["20000620180259", "20091027204954", "20091027204954"].map(str::to_owned);
        let whole = TimemapPart { address: "/map", is_first: true, next: None, dates: &dates };
        let map = whole.links("http://a.example.org/", "http://r.org/{timestamp}/{url}");
        let expected = "<http://a.example.org/>; rel=\"original\",\n\
            </map>; rel=\"self\"; type=\"application/link-format\"; from=\"Tue, 20 Jun 2000 18:02:59 GMT\"; until=\"Tue, 27 Oct 2009 20:49:54 GMT\",\n\
            <http://r.org/20000620180259/http://a.example.org/>; rel=\"first memento\"; datetime=\"Tue, 20 Jun 2000 18:02:59 GMT\",\n\
            <http://r.org/20091027204954/http://a.example.org/>; rel=\"memento\"; datetime=\"Tue, 27 Oct 2009 20:49:54 GMT\",\n\
            <http://r.org/20091027204954/http://a.example.org/>; rel=\"last memento\"; datetime=\"Tue, 27 Oct 2009 20:49:54 GMT\"\n";
        assert_eq!(map, expected);
        let later = TimemapPart { is_first: false, next: Some("/map&cursor=x"), ..whole };
        let map = later.links("http://a.example.org/", "{url}");
        assert!(map.contains("</map&cursor=x>; rel=\"timemap\"; type=\"application/link-format\""));
        assert!(!map.contains("first") && !map.contains("last"), "{map}");
        let one = TimemapPart { address: "/map", is_first: true, next: None, dates: &dates[..1] };
        let hostile = one.links("http://e.org/>; rel=\"x\"\n", "{url}");
        assert!(
            !hostile.contains("/>; rel=\"x\"") && hostile.contains("first last memento"),
            "{hostile}"
        );
    }

    #[test]
    fn times_are_14_digits() {
        let field = |date: &str| CaptureField {
            url: "http://e.org/".to_owned(),
            date: Some(date.to_owned()),
            ..CaptureField::default()
        };
        let key = field("2020-01-02T03:04:05.678Z").key("").unwrap();
        assert_eq!(
            (key.url_key.as_str(), key.date.as_deref()),
            ("org,e)/", Some("20200102030405"))
        );
        for bad in ["2020", "20201302030405", "20200230000000", "noon"] {
            assert!(field(bad).key("").is_err(), "{bad}");
        }
        assert!(
            range("", None, None).is_err() && range("e.org", Some("x".to_owned()), None).is_err()
        );
    }
}
