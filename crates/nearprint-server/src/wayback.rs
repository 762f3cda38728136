//! The endpoints of wayback-discover-diff, by which the Changes page of a Wayback Machine finds how much the captures
//! of an address differ: an adapter for that page, outside `/v1`.
//!
//! | request | answer |
//! |---|---|
//! | `/simhash?url=&timestamp=` | `{"simhash": B}` |
//! | `/simhash?url=&year=` | `{"captures": [[TIME, B], ...], "total_captures": N, "status": "COMPLETE"}` |
//! | the same with `&page=P` | captures of that page, after `["pages", PAGES]` |
//! | the same with `&compress=1` | captures nested by year, month and day, with places in `hashes` |
//! | `/calculate-simhash?url=&year=` | `{"status": "started", "job_id": J}` |
//! | `/job?job_id=` | `{"status": "SUCCESS", "job_id": J, "duration": 0}` |
//!
//! Every answer has status 200; what is wrong is in it. B is the fingerprint's bytes in base64 with padding, the least
//! significant first. Fingerprints are computed when captures are added, so there is nothing to wait for: a job is
//! done when it starts. The client compares values of any length, of which it counts the bits that differ.

use std::collections::{BTreeMap, HashMap};

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use axum::{Extension, Router};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use nearprint_index::{CaptureRange, DiskIndex, StoredCapture};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::access::{Access, Need};
use crate::lines::json_answer;
use crate::problem::Problem;
use crate::request::Parameters;
use crate::state::SharedApp;
use crate::work::Lane;

/// Method and address of each endpoint, and what it needs.
pub(crate) const NEEDS: &[(&str, &str, Need)] = &[
    ("get", "/simhash", Need::READ),
    ("get", "/calculate-simhash", Need::READ),
    ("get", "/job", Need::READ),
];

/// The endpoints, answered from a collection.
pub(crate) fn routes(collection: &str) -> Router<SharedApp> {
    Router::new()
        .route("/simhash", get(simhash))
        .route("/calculate-simhash", get(calculate))
        .route("/job", get(job))
        .layer(Extension(WaybackCollection(collection.to_owned())))
}

/// The collection that is answered from.
#[derive(Debug, Clone)]
struct WaybackCollection(String);

/// Captures read at once.
const READ_AT_ONCE: usize = 1000;

async fn simhash(
    State(app): State<SharedApp>,
    access: Access,
    Extension(WaybackCollection(name)): Extension<WaybackCollection>,
    Parameters(asked): Parameters<WaybackParameters>,
) -> Result<Response, Problem> {
    let answer = app.with_collection(&access, &name, Lane::Read, move |collection| {
        asked.simhash(|time, most| captures(&collection.index, &asked.url, time, most))
    });
    Ok(json_answer(StatusCode::OK, &answer.await?))
}

/// The first captures of an address whose times begin with these digits.
fn captures(
    index: &DiskIndex,
    url: &str,
    time: &str,
    most: usize,
) -> Result<Vec<Capture>, Problem> {
    let range = CaptureRange::of_url(url).from(time).to(time);
    let mut captures: Vec<Capture> = Vec::new();
    let mut after: Option<StoredCapture> = None;
    loop {
        let found = index.captures(&range, after.as_ref(), READ_AT_ONCE.min(most))?;
        let Some(last) = found.last() else { return Ok(captures) };
        after = Some(last.clone());
        captures.extend(found.into_iter().filter_map(|found| {
            let bits = found.document.fingerprint.as_u128();
            let bits = bits.and_then(|bits| u64::try_from(bits).ok());
            Some((found.document.capture?.date?, bits))
        }));
        if captures.len() >= most {
            return Ok(captures);
        }
    }
}

async fn calculate(Parameters(asked): Parameters<WaybackParameters>) -> Response {
    json_answer(StatusCode::OK, &asked.calculate())
}

async fn job(Parameters(asked): Parameters<WaybackParameters>) -> Response {
    json_answer(StatusCode::OK, &asked.job())
}

/// Captures on a page, where pages are asked for.
const PAGE: usize = 600;

/// A capture of the address that was asked about: its time in 14 digits, and the bits of its fingerprint.
pub(crate) type Capture = (String, Option<u64>);

/// What was asked, as the address has it.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(default)]
pub(crate) struct WaybackParameters {
    url: String,
    timestamp: String,
    year: String,
    page: String,
    compress: String,
    job_id: String,
}

/// Why nothing can be said about an address.
fn error(field: &str, text: &str) -> Value {
    json!({ "status": "error", field: text })
}

fn is_true(text: &str) -> bool {
    matches!(text, "1" | "true")
}

impl WaybackParameters {
    /// The answer that needs no captures, if that is so.
    fn refusal(&self) -> Option<Value> {
        if self.url.is_empty() {
            return Some(error("info", "url param is required."));
        }
        (!is_address(&self.url)).then(|| error("info", "invalid url format."))
    }

    fn year(&self) -> Option<u32> {
        self.year.parse().ok().filter(|year| (1..=9999).contains(year))
    }

    /// The answer of `/simhash`; `captures` gives those of the address whose times begin with the digits it is given,
    /// in the order of time, and at most as many as it is asked for.
    pub(crate) fn simhash<E>(
        &self,
        mut captures: impl FnMut(&str, usize) -> Result<Vec<Capture>, E>,
    ) -> Result<Value, E> {
        if let Some(refusal) = self.refusal() {
            return Ok(refusal);
        }
        if !self.timestamp.is_empty() {
            return self.of_time(captures);
        }
        let Some(year) = self.year() else {
            return Ok(error("info", "year param is required."));
        };
        let of_year = captures(&format!("{year:04}"), usize::MAX)?;
        if of_year.is_empty() {
            let is_known = !captures("", 1)?.is_empty();
            let message = if is_known { "NO_CAPTURES" } else { "NOT_CAPTURED" };
            return Ok(error("message", message));
        }
        Ok(self.of_year(of_year))
    }

    fn of_time<E>(
        &self,
        mut captures: impl FnMut(&str, usize) -> Result<Vec<Capture>, E>,
    ) -> Result<Value, E> {
        let is_whole = self.timestamp.len() == 14;
        let at = if is_whole { captures(&self.timestamp, usize::MAX)? } else { Vec::new() };
        if let Some(print) = at.into_iter().find_map(|(_, print)| print) {
            return Ok(json!({ "simhash": encoded(print) }));
        }
        let year = self.timestamp.get(..4).unwrap_or(&self.timestamp);
        let is_of_year = !captures(year, 1)?.is_empty();
        let message = match is_of_year || captures("", 1)?.is_empty() {
            true => "CAPTURE_NOT_FOUND",
            false => "NO_CAPTURES",
        };
        Ok(error("message", message))
    }

    fn of_year(&self, mut of_year: Vec<Capture>) -> Value {
        // Of captures in one second the first counts: the client knows them by their times.
        of_year.retain(|(_, print)| print.is_some());
        of_year.dedup_by(|later, earlier| later.0 == earlier.0);
        if of_year.is_empty() {
            return error("message", "NOT_CAPTURED");
        }
        let page: Option<usize> = self.page.parse().ok().filter(|page| *page > 0);
        let pages = of_year.len().div_ceil(PAGE);
        if let Some(page) = page {
            let first = (page.min(pages) - 1) * PAGE;
            of_year = of_year.into_iter().skip(first).take(PAGE).collect();
        }
        let total = of_year.len();
        let prints = of_year.into_iter().map(|(time, print)| (time, encoded(print.unwrap_or(0))));
        if is_true(&self.compress) {
            let (captures, hashes) = compressed(prints);
            return json!({ "captures": captures, "total_captures": total, "status": "COMPLETE", "hashes": hashes });
        }
        let pages = page.map(|_| json!(["pages", pages]));
        let captures: Vec<_> = pages.into_iter().chain(prints.map(|print| json!(print))).collect();
        json!({ "captures": captures, "total_captures": total, "status": "COMPLETE" })
    }

    /// The answer of `/calculate-simhash`.
    pub(crate) fn calculate(&self) -> Value {
        if let Some(refusal) = self.refusal() {
            return refusal;
        }
        match self.year() {
            Some(year) => {
                let digest = Sha256::digest(format!("{year} {}", self.url));
                let id: String = digest[..16].iter().map(|byte| format!("{byte:02x}")).collect();
                json!({ "status": "started", "job_id": id })
            }
            None => error("info", "year param is required."),
        }
    }

    /// The answer of `/job`.
    pub(crate) fn job(&self) -> Value {
        let id = &self.job_id;
        if id.is_empty() {
            return error("info", "job_id param is required.");
        }
        let is_job = id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        match is_job {
            true => json!({ "status": "SUCCESS", "job_id": id, "duration": 0 }),
            false => json!({ "status": "error", "job_id": id, "info": "unknown job" }),
        }
    }
}

fn encoded(print: u64) -> String {
    STANDARD.encode(print.to_le_bytes())
}

/// Captures of a day by day, month and year.
type ByDay = BTreeMap<u32, BTreeMap<u32, BTreeMap<u32, Vec<Value>>>>;

/// Captures nested by year, month and day, each `[TIME OF DAY, PLACE]`, and the prints at these places, each once.
fn compressed(captures: impl Iterator<Item = (String, String)>) -> (Value, Vec<String>) {
    let mut hashes: Vec<String> = Vec::new();
    let mut places = HashMap::new();
    let mut years = ByDay::new();
    for (time, print) in captures {
        let place = *places.entry(print.clone()).or_insert(hashes.len());
        if place == hashes.len() {
            hashes.push(print);
        }
        let number = |range| time.get(range).and_then(|digits: &str| digits.parse().ok());
        let (year, month, day) = (number(0..4), number(4..6), number(6..8));
        let months = years.entry(year.unwrap_or(0)).or_default();
        let days = months.entry(month.unwrap_or(0)).or_default();
        let of_day = days.entry(day.unwrap_or(0)).or_default();
        of_day.push(json!([time.get(8..).unwrap_or_default(), place]));
    }
    let years = numbered(years, |months| numbered(months, |days| numbered(days, |day| day)));
    (Value::Array(years), hashes)
}

/// Lists that begin with their number.
fn numbered<T>(by: BTreeMap<u32, T>, inner: impl Fn(T) -> Vec<Value>) -> Vec<Value> {
    let list = |(number, of)| Value::Array([vec![json!(number)], inner(of)].concat());
    by.into_iter().map(list).collect()
}

/// Whether a text is the address of a page of a named host: with or without a scheme, and no address of a mailbox.
fn is_address(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let has_scheme_or_path = rest.len() > authority.len() || rest.len() < url.len();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let is_mailbox = authority.contains('@') && !has_scheme_or_path;
    let host = host.split(':').next().unwrap_or_default();
    let mut labels = host.split('.');
    let named = labels.all(|label| !label.is_empty() && !label.contains(char::is_whitespace));
    !is_mailbox && named && host.contains('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Requests and answers of this project's own, in the form that the client reads.
    #[derive(serde::Deserialize)]
    struct Case {
        asked: WaybackParameters,
        path: String,
        /// Times with the bits of a fingerprint in hexadecimal, or nothing.
        captures: Vec<(String, Option<String>)>,
        answer: Value,
    }

    fn of(captures: &[Capture], time: &str, most: usize) -> Vec<Capture> {
        captures.iter().filter(|(at, _)| at.starts_with(time)).take(most).cloned().collect()
    }

    #[test]
    fn a_request_reads_the_captures_of_its_year() {
        let directory = tempfile::tempdir().unwrap();
        let index = DiskIndex::create(
            &directory.path().join("index"),
            nearprint::fingerprint::Scheme::SD1,
            nearprint_index::Settings::default(),
        );
        let index = index.unwrap();
        let documents: Vec<_> =
            ["20190504221015", "20200102030405", "20200102030405", "20210102030405"]
                .iter()
                .enumerate()
                .map(|(n, time)| {
                    let id = nearprint::records::DocumentId::new(format!("{n}")).unwrap();
                    let print = nearprint::fingerprint::Fingerprint::from_u64(
                        nearprint::fingerprint::Scheme::SD1,
                        n as u64 + 1,
                    );
                    let mut document = nearprint_index::StoredDocument::new(id, print.unwrap());
                    document.capture = Some(nearprint::CaptureKey {
                        url_key: "org,example)/".to_owned(),
                        date: Some((*time).to_owned()),
                        payload_digest: None,
                    });
                    document
                })
                .collect();
        index.insert_documents(&documents, nearprint::OnDuplicate::Refuse).unwrap();
        let read = |time: &str, most| {
            let found = captures(&index, "http://www.example.org/", time, most).unwrap();
            found.into_iter().map(|(_, bits)| bits.unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(read("2020", 9), [2, 3]);
        assert_eq!(read("2020", 1), [2]);
        assert_eq!(read("20200102030405", usize::MAX), [2, 3]);
        assert_eq!(read("", 9), [1, 2, 3, 4]);
        assert!(read("2018", 9).is_empty() && read("é", 9).is_empty());
    }

    #[test]
    fn answers_have_the_form_that_the_client_reads() {
        let cases: Vec<Case> =
            serde_json::from_str(include_str!("../tests/data/wayback.json")).unwrap();
        assert!(cases.len() > 20);
        for Case { asked, path, captures, answer } in cases {
            let bits = |hex: String| u64::from_str_radix(&hex, 16).unwrap();
            let captures = captures.into_iter().map(|(time, print)| (time, print.map(bits)));
            let captures: Vec<Capture> = captures.collect();
            let found = match path.as_str() {
                "/simhash" => {
                    asked.simhash(|time, most| Ok::<_, ()>(of(&captures, time, most))).unwrap()
                }
                "/calculate-simhash" => asked.calculate(),
                _ => asked.job(),
            };
            assert_eq!(found, answer, "{path} {asked:?}");
        }
    }

    #[test]
    fn pages_have_600_captures() {
        let time = |n: usize| format!("2020{:02}{:02}{:06}", n / 600 + 1, n / 60 % 10 + 1, n % 60);
        let captures: Vec<Capture> = (0..1300).map(|n| (time(n), Some(n as u64))).collect();
        for (page, first, count) in
            [("1", 0, 600), ("2", 600, 600), ("3", 1200, 100), ("9", 1200, 100)]
        {
            let asked = WaybackParameters {
                url: "example.org".to_owned(),
                year: "2020".to_owned(),
                page: page.to_owned(),
                ..WaybackParameters::default()
            };
            let answer = asked.simhash(|time, most| Ok::<_, ()>(of(&captures, time, most)));
            let answer = answer.unwrap();
            assert_eq!(answer["total_captures"], json!(count));
            assert_eq!(answer["captures"][0], json!(["pages", 3]));
            assert_eq!(answer["captures"][1], json!([time(first), encoded(first as u64)]));
            assert_eq!(answer["captures"].as_array().unwrap().len(), count + 1);
        }
    }
}
