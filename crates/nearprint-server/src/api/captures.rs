//! Captures of the Web through time, as rows and as an index of captures (CDXJ).

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use nearprint::records::capture_seconds;
use nearprint_index::{CaptureDetails, CaptureRange, ListedCapture};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::access::Access;
use crate::address::encoded;
use crate::captures::{change, changed, cursor, date, row_after, write_cdxj};
use crate::clock::http_date;
use crate::lines::{answer, json_answer};
use crate::problem::Problem;
use crate::request::{Parameters, PathName, flag};
use crate::state::SharedApp;
use crate::work::Lane;

/// Captures of a page unless the request says otherwise.
const USUAL_PAGE: usize = 100;

/// The most captures of a page.
const LONGEST_PAGE: usize = 10_000;

/// The media type of an index of captures, as pywb names it.
const CDXJ: &str = "text/x-cdxj";

/// Which captures.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct CaptureParameters {
    /// The address, however it is written: `http` or `https`, with `www.` or without.
    url: Option<String>,
    /// In place of an address: what addresses begin with; empty for all captures.
    prefix: Option<String>,
    /// Only captures at this time or later: 14 digits (YYYYMMDDhhmmss), or the first ones.
    from: Option<String>,
    /// Only captures at this time or earlier, in the same form.
    to: Option<String>,
    /// State what changed of the main content of HTML pages alone.
    #[serde(default, rename = "main-content", deserialize_with = "flag")]
    #[param(rename = "main-content", required = false)]
    main_content: bool,
    /// `json`, or `cdxj` for lines of an index of captures; what `Accept` prefers if it is not given.
    #[param(inline)]
    format: Option<CaptureFormat>,
    /// The most captures; 100 if it is not given.
    #[param(minimum = 1, maximum = 10000)]
    limit: Option<usize>,
    /// Where the list continues: `next_cursor` of the page before.
    cursor: Option<String>,
}

/// The form of a list of captures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CaptureFormat {
    /// One object with rows.
    Json,
    /// Lines `KEY TIME OBJECT`, which pywb and other programs of web archives read.
    Cdxj,
}

impl CaptureFormat {
    /// What a request prefers.
    fn of(headers: &HeaderMap) -> Self {
        let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
        if accept.is_some_and(|accept| accept.contains(CDXJ)) { Self::Cdxj } else { Self::Json }
    }
}

/// A capture.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CaptureItem {
    /// Always `nearprint/capture/1`.
    schema: &'static str,
    /// Its document; null where there is none, as of a page that was gone.
    id: Option<String>,
    /// The address as it was captured, if it is known.
    url: Option<String>,
    /// The title of the page.
    title: Option<String>,
    /// The language that the page states.
    language: Option<String>,
    /// When it was captured: 14 digits, UTC; empty if that is not known.
    date: String,
    /// The status of the HTTP response.
    status: Option<u16>,
    /// The media type it was served as.
    mime: Option<String>,
    /// The file of the archive.
    file: Option<String>,
    /// Where its record begins in that file, in bytes.
    offset: Option<u64>,
    /// Bytes of its record in that file.
    length: Option<u64>,
    /// Whether it is a revisit: the archive has the payload in the record of an earlier capture.
    revisit: bool,
    /// The key of the address (SURT).
    url_key: String,
    /// The fingerprint of its document.
    fingerprint: Option<String>,
    /// The digest of the payload, as the archive states it.
    payload_digest: Option<String>,
    /// The distance of its fingerprint from that of the document before it, of the same address; null for the first.
    distance: Option<u32>,
    /// The share of the words of this document and the one before that only one has, 0 to 1; null for the first, and if
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
    // The beginning of a time of the calendar: with an odd digit more, what it may go on with.
    let is_date = |date: &str| {
        let rest = |whole: &str| whole.get(date.len()..).map(|rest| format!("{date}{rest}"));
        date.bytes().all(|byte| byte.is_ascii_digit())
            && ["20000101000000", "20001010101010"]
                .iter()
                .filter_map(|whole| rest(whole))
                .any(|whole| capture_seconds(&whole).is_some())
    };
    match date {
        Some(date) if !date.is_empty() && !is_date(&date) => {
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
    between(CaptureRange::of_url(url.trim()), from, to)
}

/// Those captures of a range that are between two times.
fn between(
    mut range: CaptureRange,
    from: Option<String>,
    to: Option<String>,
) -> Result<CaptureRange, Problem> {
    if let Some(from) = digits("?from", from)? {
        range = range.from(from);
    }
    if let Some(to) = digits("?to", to)? {
        range = range.to(to);
    }
    Ok(range)
}

/// The captures of all addresses that begin so; of all where that is nothing.
pub(crate) fn prefix_range(prefix: &str) -> CaptureRange {
    match prefix.trim() {
        "" => CaptureRange::of_key_prefix(""),
        prefix => CaptureRange::of_prefix(prefix),
    }
}

impl CaptureItem {
    fn of(captured: ListedCapture, main_content: bool) -> Self {
        let (distance, changed) =
            (change(&captured).map(|change| change.distance), changed(&captured, main_content));
        let date = date(&captured).to_owned();
        let CaptureDetails { url, title, status, mime, file, offset, length, is_revisit, language } =
            captured.details;
        let document = captured.document;
        let fingerprint = document.as_ref().map(|document| document.fingerprint.to_string());
        Self {
            schema: "nearprint/capture/1",
            id: document.map(|document| document.id.into()),
            url,
            title,
            language,
            date,
            status,
            mime,
            file,
            offset,
            length,
            revisit: is_revisit,
            url_key: captured.key.url_key,
            fingerprint,
            payload_digest: captured.key.payload_digest,
            distance,
            changed,
        }
    }
}

/// Captures of an address, or of all that begin alike
///
/// Those that were added with an address, in the order of the keys of addresses and then of time. Each says what
/// changed since the document before it. Captures without a document are among them: redirects, errors, and what an
/// index of captures named. As lines of CDXJ, a link (`rel="next"`) leads to the next page.
#[utoipa::path(get, path = "/v1/collections/{collection}/captures", tag = "captures",
    params(("collection" = String, Path, description = "The name of the collection."), CaptureParameters),
    responses((status = 200, description = "The captures.", content((CaptureList = "application/json"), (String = "text/x-cdxj")))))]
pub(crate) async fn list(
    State(app): State<SharedApp>,
    access: Access,
    PathName(name): PathName,
    headers: HeaderMap,
    Parameters(parameters): Parameters<CaptureParameters>,
) -> Result<Response, Problem> {
    let format = parameters.format.unwrap_or_else(|| CaptureFormat::of(&headers));
    let next_page = parameters.address(&name);
    let CaptureParameters { url, prefix, from, to, main_content, limit, cursor: at, .. } =
        parameters;
    let most = limit.unwrap_or(USUAL_PAGE);
    if !(1..=LONGEST_PAGE).contains(&most) {
        return Err(Problem::invalid("?limit", format!("a limit is from 1 to {LONGEST_PAGE}")));
    }
    let range = match (url, prefix) {
        (Some(_), Some(_)) => {
            return Err(Problem::invalid("?prefix", "url and prefix do not go together"));
        }
        (None, Some(prefix)) => between(prefix_range(&prefix), from, to)?,
        (url, None) => range(&url.unwrap_or_default(), from, to)?,
    };
    let after = row_after(at.as_deref())?;
    let listed = app.with_collection(&access, &name, Lane::Bulk, move |collection| {
        let mut found = collection.index.list_captures(&range, after.as_deref(), most + 1)?;
        let more = found.len() > most;
        found.truncate(most);
        let next = found.last().filter(|_| more).map(cursor);
        Ok((found, next))
    });
    let (found, next_cursor) = listed.await?;
    if format == CaptureFormat::Json {
        let items = found.into_iter().map(|captured| CaptureItem::of(captured, main_content));
        let list = CaptureList { items: items.collect(), next_cursor };
        return Ok(varying(json_answer(StatusCode::OK, &list)));
    }
    let mut lines = Vec::new();
    found.iter().for_each(|captured| write_cdxj(captured, main_content, &mut lines));
    let mut response = answer(StatusCode::OK, CDXJ, lines);
    let link = next_cursor.map(|next| format!("<{next_page}&cursor={next}>; rel=\"next\""));
    if let Some(link) = link.and_then(|link| HeaderValue::from_str(&link).ok()) {
        response.headers_mut().insert(header::LINK, link);
    }
    Ok(varying(response))
}

/// An answer whose form `Accept` decides.
fn varying(mut response: Response) -> Response {
    response.headers_mut().append(header::VARY, HeaderValue::from_static("accept"));
    response
}

impl CaptureParameters {
    /// The address of the list as CDXJ, to which a cursor is added.
    fn address(&self, name: &str) -> String {
        let mut address = format!("/v1/collections/{name}/captures?format=cdxj");
        for (field, value) in
            [("url", &self.url), ("prefix", &self.prefix), ("from", &self.from), ("to", &self.to)]
        {
            if let Some(value) = value {
                address.push_str(&format!("&{field}={}", encoded(value)));
            }
        }
        if let Some(limit) = self.limit {
            address.push_str(&format!("&limit={limit}"));
        }
        if self.main_content {
            address.push_str("&main-content");
        }
        address
    }
}

/// A capture, as documents are added with it.
#[derive(Debug, Clone, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct CaptureField {
    /// The address that was captured.
    url: String,
    /// When: 14 digits, YYYYMMDDhhmmss, or RFC 3339; UTC.
    date: Option<String>,
    /// The digest of the payload, as an archive states it.
    payload_digest: Option<String>,
    /// The title of the page; that of an HTML page is found if it is not given.
    title: Option<String>,
    /// The status of the HTTP response.
    status: Option<u16>,
    /// The media type it was served as.
    mime: Option<String>,
    /// The file of the archive.
    file: Option<String>,
    /// Where its record begins in that file, in bytes.
    offset: Option<u64>,
    /// Bytes of its record in that file.
    length: Option<u64>,
    /// Whether it is a revisit.
    revisit: bool,
}

impl CaptureField {
    /// The key by which the index finds it, and what it is called.
    pub(crate) fn parts(
        self,
        pointer: &str,
    ) -> Result<(nearprint::CaptureKey, CaptureDetails), Problem> {
        let Self { url, date, payload_digest, title, status, mime, file, .. } = self;
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
        let details = CaptureDetails {
            title,
            status,
            mime,
            file,
            offset: self.offset,
            length: self.length,
            is_revisit: self.revisit,
            ..CaptureDetails::default()
        };
        details.check().map_err(|detail| Problem::invalid(pointer, detail))?;
        let digest = payload_digest;
        let capture = nearprint::records::Capture { url, date, digest, ..Default::default() };
        let place = nearprint::records::Place::default();
        let of = CaptureDetails::default().captured(&capture, &place);
        let details = CaptureDetails { url: of.url, ..details };
        Ok((nearprint::CaptureKey::of(&capture), details))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_14_digits() {
        let field = |date: &str| CaptureField {
            url: "http://e.org/".to_owned(),
            date: Some(date.to_owned()),
            ..CaptureField::default()
        };
        let key = field("2020-01-02T03:04:05.678Z").parts("").unwrap().0;
        assert_eq!(
            (key.url_key.as_str(), key.date.as_deref()),
            ("org,e)/", Some("20200102030405"))
        );
        for bad in ["2020", "20201302030405", "20200230000000", "noon"] {
            assert!(field(bad).parts("").is_err(), "{bad}");
        }
        assert!(
            range("", None, None).is_err() && range("e.org", Some("x".to_owned()), None).is_err()
        );
    }

    #[test]
    fn a_time_of_a_range_may_be_the_beginning_of_one() {
        let is_taken = |date: &str| digits("?from", Some(date.to_owned())).is_ok();
        for date in [
            "",
            "2",
            "2020",
            "20200",
            "202002",
            "20200229",
            "2026063",
            "202601010",
            "20261231235959",
        ] {
            assert!(is_taken(date), "{date}");
        }
        for date in
            ["20261399", "202613", "2026023", "20210229", "2026010124", "x", "202601010000000"]
        {
            assert!(!is_taken(date), "{date}");
        }
    }
}
