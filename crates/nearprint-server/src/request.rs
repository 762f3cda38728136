//! The parts of requests, read so that whatever is wrong with them is a problem that names the place.

use std::future::poll_fn;
use std::pin::Pin;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use nearprint::extract::is_media_type;
use nearprint::records::DocumentId;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, de};

use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::state::SharedApp;
use crate::work::BodyRoom;

/// The parameters of an address.
pub(crate) struct Parameters<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for Parameters<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let joined = with_lines(parts.uri.query().unwrap_or(""));
        let uri = joined.and_then(|query| format!("/?{query}").parse().ok());
        match Query::try_from_uri(uri.as_ref().unwrap_or(&parts.uri)) {
            Ok(Query(parameters)) => Ok(Self(parameters)),
            Err(error) => {
                // What parsing says begins with the name of the parameter, where it knows one.
                let source = std::error::Error::source(&error).map(ToString::to_string);
                let said = source.unwrap_or_else(|| error.body_text());
                let (name, detail) = said.split_once(": ").unwrap_or(("", &said));
                Err(Problem::invalid(&format!("?{name}"), detail))
            }
        }
    }
}

/// The parameters of an address with one `where` of several lines in place of several; `None` where there is at most
/// one.
fn with_lines(query: &str) -> Option<String> {
    let is_condition = |part: &&str| part.starts_with("where=");
    let conditions: Vec<&str> = query.split('&').filter(is_condition).collect();
    if conditions.len() < 2 {
        return None;
    }
    let values: Vec<&str> = conditions.iter().map(|part| &part["where=".len()..]).collect();
    let rest: Vec<&str> = query.split('&').filter(|part| !is_condition(part)).collect();
    Some([rest.join("&"), format!("where={}", values.join("%0A"))].join("&"))
}

/// The one part of the path that names something.
pub(crate) struct PathName(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for PathName {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match Path::from_request_parts(parts, state).await {
            Ok(Path(name)) => Ok(Self(name)),
            Err(error) => Err(Problem::new(ProblemKind::MalformedRequest, error.body_text())),
        }
    }
}

/// The two parts of the path that name something.
pub(crate) struct PathNames(pub(crate) String, pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for PathNames {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match Path::from_request_parts(parts, state).await {
            Ok(Path((first, second))) => Ok(Self(first, second)),
            Err(error) => Err(Problem::new(ProblemKind::MalformedRequest, error.body_text())),
        }
    }
}

/// A whole body, within the limits of the server.
pub(crate) struct WholeBody {
    pub(crate) bytes: Bytes,
    pub(crate) media: Media,
    _room: BodyRoom,
}

/// What `Content-Type` says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Media {
    /// The type in lower case, without parameters.
    pub(crate) essence: Option<String>,
    pub(crate) charset: Option<String>,
}

impl Media {
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let Some(value) = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()) else {
            return Self::default();
        };
        let mut parts = value.split(';').map(str::trim);
        let essence = parts.next().map(str::to_ascii_lowercase).filter(|name| !name.is_empty());
        let charset = parts.find_map(|part| {
            let (name, value) = part.split_once('=')?;
            name.eq_ignore_ascii_case("charset").then(|| value.trim_matches('"').to_owned())
        });
        Self { essence, charset }
    }

    /// Whether it is this type.
    pub(crate) fn is(&self, essence: &str) -> bool {
        self.essence.as_deref() == Some(essence)
    }

    /// Whether the body is JSON lines.
    pub(crate) fn is_lines(&self) -> bool {
        ["application/x-ndjson", "application/jsonl", "application/ndjson"]
            .iter()
            .any(|lines| self.is(lines))
    }

    /// The type that a document is said to have; `None` where it is to be detected.
    pub(crate) fn of_document(&self) -> Result<Option<String>, Problem> {
        match self.essence.as_deref() {
            // What curl says of all bodies says nothing about the document.
            None | Some("application/octet-stream" | "application/x-www-form-urlencoded") => {
                Ok(None)
            }
            Some(known) if is_media_type(known) => Ok(Some(known.to_owned())),
            Some(other) => {
                let shown: String = other.chars().take(100).collect();
                let detail = format!("{} is not read", shown.escape_debug());
                Err(Problem::new(ProblemKind::UnsupportedMediaType, detail)
                    .with_remedy("leave Content-Type out, and the type is detected"))
            }
        }
    }
}

impl FromRequest<SharedApp> for WholeBody {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &SharedApp) -> Result<Self, Problem> {
        let limit = app.limits.body_bytes;
        let too_long = || {
            let detail = format!("the body is longer than {limit} bytes");
            Problem::new(ProblemKind::TooLarge, detail)
                .with_remedy("send less at once, or start the server with a larger --limit body")
        };
        let length = request.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok());
        let length: Option<u64> = length.and_then(|length| length.parse().ok());
        if length.is_some_and(|length| length > limit) {
            return Err(too_long());
        }
        let media = Media::of(request.headers());
        let room = app.work.room(length).await?;
        let reading = read(request.into_body(), length.unwrap_or(0), limit);
        match tokio::time::timeout(app.limits.body_time, reading).await {
            Ok(Ok(Some(bytes))) => Ok(Self { bytes, media, _room: room }),
            Ok(Ok(None)) => Err(too_long()),
            Ok(Err(error)) => {
                let detail = format!("the body ended early: {error}");
                Err(Problem::new(ProblemKind::MalformedRequest, detail))
            }
            Err(_) => {
                let seconds = app.limits.body_time.as_secs();
                let detail = format!("the body did not arrive within {seconds} seconds");
                Err(Problem::new(ProblemKind::RequestTimeout, detail))
            }
        }
    }
}

/// The bytes of a body; `None` where there are more than `limit`.
async fn read(mut body: Body, length: u64, limit: u64) -> Result<Option<Bytes>, axum::Error> {
    let mut bytes = Vec::with_capacity(usize::try_from(length.min(limit)).unwrap_or(0));
    loop {
        let frame = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await;
        let Some(frame) = frame else { return Ok(Some(bytes.into())) };
        let Ok(data) = frame?.into_data() else { continue };
        if (bytes.len() + data.len()) as u64 > limit {
            return Ok(None);
        }
        bytes.extend_from_slice(&data);
    }
}

impl WholeBody {
    /// The body as JSON, whatever its type says.
    pub(crate) fn json<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        json(&self.bytes)
    }

    /// The lines of the body that are not empty, at most `most`.
    pub(crate) fn lines(&self, most: usize) -> Result<Vec<&[u8]>, Problem> {
        let lines = self.bytes.split(|&byte| byte == b'\n');
        let lines: Vec<_> = lines.filter(|line| !line.trim_ascii().is_empty()).collect();
        if lines.len() > most {
            let detail = format!("the batch has {} items, but the limit is {most}", lines.len());
            return Err(
                Problem::new(ProblemKind::TooLarge, detail).with_remedy("send several batches")
            );
        }
        Ok(lines)
    }
}

/// JSON, or a problem that says where it is not what it should be.
pub(crate) fn json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    serde_json::from_slice(bytes).map_err(|error| {
        let said = error.to_string();
        if error.is_data() {
            // serde names the field in its message; the pointer is that of the object.
            return Problem::invalid("", said);
        }
        Problem::new(ProblemKind::MalformedRequest, format!("the body is not JSON: {said}"))
    })
}

/// A flag of an address: `?name`, `?name=true` or `?name=false`.
pub(crate) fn flag<'de, D: Deserializer<'de>>(value: D) -> Result<bool, D::Error> {
    match String::deserialize(value)?.as_str() {
        "" | "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(de::Error::custom("expected true or false")),
    }
}

/// The id of a document.
pub(crate) fn document_id(pointer: &str, id: &str) -> Result<DocumentId, Problem> {
    DocumentId::new(id).map_err(|error| Problem::invalid(pointer, error.to_string()))
}

/// A status that some part of the server answered with, as a problem.
pub(crate) fn problem_of_status(status: StatusCode) -> Problem {
    let kind = match status {
        StatusCode::NOT_FOUND => ProblemKind::NotFound,
        StatusCode::METHOD_NOT_ALLOWED => ProblemKind::MethodNotAllowed,
        StatusCode::PAYLOAD_TOO_LARGE => ProblemKind::TooLarge,
        StatusCode::REQUEST_TIMEOUT => ProblemKind::RequestTimeout,
        StatusCode::UNSUPPORTED_MEDIA_TYPE => ProblemKind::UnsupportedMediaType,
        status if status.is_client_error() => ProblemKind::MalformedRequest,
        _ => ProblemKind::Internal,
    };
    Problem::new(kind, kind.known().title)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn media(value: &'static str) -> Media {
        Media::of(&HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static(value))]))
    }

    #[test]
    fn media_types_are_taken_apart() {
        let html = media("Text/HTML; Charset=\"koi8-r\"");
        assert_eq!(html.of_document().unwrap().as_deref(), Some("text/html"));
        assert_eq!(html.charset.as_deref(), Some("koi8-r"));
        assert!(media("application/x-ndjson").is_lines());
        for unknown in ["application/octet-stream", "application/x-www-form-urlencoded", ""] {
            assert_eq!(media(unknown).of_document().unwrap(), None, "{unknown}");
        }
        assert_eq!(media("image/png").of_document().unwrap_err().status(), 415);
    }
}
