//! The parts of requests, read so that whatever is wrong with them is a problem that names the place.

use std::borrow::Cow;
use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use nearprint::extract::is_media_type;
use nearprint::records::DocumentId;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, de};
use serde_json::Value;
use tokio::time::Instant;

use crate::alarm::IsLate;
use crate::body_room::BodyRoom;
use crate::client::Client;
use crate::lines::RowForm;
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::settings::ServerLimits;
use crate::state::SharedApp;
use crate::work::Work;

/// The parameters of an address.
pub(crate) struct Parameters<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for Parameters<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        check_encoding(parts.uri.query().unwrap_or(""))?;
        let joined = with_lines(parts.uri.query().unwrap_or(""));
        let uri = joined.and_then(|query| format!("/?{query}").parse().ok());
        match Query::try_from_uri(uri.as_ref().unwrap_or(&parts.uri)) {
            Ok(Query(parameters)) => Ok(Self(parameters)),
            Err(error) => {
                // What parsing says begins with the name of the parameter where a value is wrong, and else quotes it.
                let source = std::error::Error::source(&error).map(ToString::to_string);
                let said = source.unwrap_or_else(|| error.body_text());
                let quoted = || (said.split('`').nth(1).unwrap_or(""), said.as_str());
                let (name, detail) = said.split_once(": ").unwrap_or_else(quoted);
                Err(Problem::invalid(&format!("?{name}"), detail))
            }
        }
    }
}

/// Refuses what would be read as something else than what was meant: bytes that are not UTF-8, of which two different
/// ids would become one, and a `+` in an id, which forms write for a blank and addresses mean as it is.
fn check_encoding(query: &str) -> Result<(), Problem> {
    for parameter in query.split('&') {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        let is_text = |part: &str| std::str::from_utf8(&decoded(part)).is_ok();
        if !is_text(name) || !is_text(value) {
            let shown: String = name.chars().take(64).collect();
            let detail = "this is not UTF-8 once it is decoded";
            return Err(Problem::invalid(&format!("?{}", shown.escape_debug()), detail)
                .with_remedy("write each byte of the UTF-8 form as % and two hexadecimal digits"));
        }
        if name == "id" && value.contains('+') {
            return Err(Problem::invalid("?id", "a + may mean a blank here")
                .with_remedy("write %2B for + and %20 for a blank"));
        }
    }
    Ok(())
}

/// The bytes that a part of an address stands for.
fn decoded(part: &str) -> Vec<u8> {
    let (bytes, mut found) = (part.as_bytes(), Vec::with_capacity(part.len()));
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let digits = bytes.get(at + 1..at + 3).filter(|_| byte == b'%');
        let value = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        match value.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(value) => {
                found.push(value);
                at += 3;
            }
            None => {
                found.push(byte);
                at += 1;
            }
        }
    }
    found
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
    /// In which form rows are answered.
    pub(crate) form: RowForm,
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

    /// Whether the body is a batch of JSON: lines, or one object with items.
    pub(crate) fn is_batch(&self) -> bool {
        self.is_lines() || self.is("application/json")
    }

    /// Whether the body is JSON lines.
    fn is_lines(&self) -> bool {
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

/// A batch as one object, for clients that know no lines of JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ItemsBody {
    items: Vec<Value>,
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
        let (media, form) = (Media::of(request.headers()), RowForm::of(request.headers()));
        let (bytes, room) =
            read(request.into_body(), &app.limits, &app.work).await?.ok_or_else(too_long)?;
        Ok(Self { bytes, media, form, _room: room })
    }
}

/// The bytes of a body with their room, which grows as they arrive: what a client only promises takes nothing. `None`
/// where there are more than the server takes.
async fn read(
    mut body: Body,
    limits: &ServerLimits,
    work: &Work,
) -> Result<Option<(Bytes, BodyRoom)>, Problem> {
    let (mut room, mut bytes) = (BodyRoom::new(), Vec::new());
    // When all that has not arrived yet is late.
    let mut late = Instant::now() + limits.body_grace;
    loop {
        let frame = poll_fn(|context| Pin::new(&mut body).poll_frame(context));
        let frame = Client::within(late, frame).await.map_err(|IsLate| {
            let detail = format!(
                "after {} bytes, less of the body arrived than {} bytes a second",
                bytes.len(),
                limits.body_rate
            );
            Problem::new(ProblemKind::RequestTimeout, detail)
        })?;
        let Some(frame) = frame else { return Ok(Some((bytes.into(), room))) };
        let frame = frame.map_err(|error| {
            let detail = format!("the body cannot be read: {error}");
            Problem::new(ProblemKind::MalformedRequest, detail)
        })?;
        let Ok(data) = frame.into_data() else { continue };
        if (bytes.len() + data.len()) as u64 > limits.body_bytes {
            return Ok(None);
        }
        let begun = Instant::now();
        work.grow(&mut room, (bytes.len() + data.len()) as u64).await?;
        // The client does not have to make up for time that it was not listened to.
        late += begun.elapsed() + allowed(data.len(), limits.body_rate);
        bytes.extend_from_slice(&data);
    }
}

/// The time in which so many bytes may arrive.
fn allowed(bytes: usize, rate: u64) -> Duration {
    Duration::from_secs_f64(bytes as f64 / rate.max(1) as f64)
}

impl WholeBody {
    /// The body as JSON, whatever its type says.
    pub(crate) fn json<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        json(&self.bytes)
    }

    /// The items of a batch, at most `most`, each as JSON: the lines of the body that are not empty, or what is in
    /// `items` of a body that is one object.
    pub(crate) fn items(&self, most: usize) -> Result<Vec<Cow<'_, [u8]>>, Problem> {
        let items: Vec<Cow<'_, [u8]>> = if self.media.is("application/json") {
            let ItemsBody { items } = self.json()?;
            items.iter().map(|item| Cow::Owned(item.to_string().into_bytes())).collect()
        } else {
            let lines = self.bytes.split(|&byte| byte == b'\n');
            lines.filter(|line| !line.trim_ascii().is_empty()).map(Cow::Borrowed).collect()
        };
        if items.len() > most {
            let detail = format!("the batch has {} items, but the limit is {most}", items.len());
            return Err(
                Problem::new(ProblemKind::TooLarge, detail).with_remedy("send several batches")
            );
        }
        Ok(items)
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
    use std::task::{Context, Poll};

    use axum::http::HeaderValue;
    use hyper::body::Frame;

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

    #[test]
    fn addresses_are_read_as_they_are_meant() {
        for query in
            ["", "id=caf%C3%A9", "id=a%2Bb&prefix=a+b", "where=a%3D1&where=b", "id=100%", "id=%zz"]
        {
            assert!(check_encoding(query).is_ok(), "{query}");
        }
        for (query, pointer) in
            [("id=caf%E9", "?id"), ("a=b&%FF", "?%FF"), ("id=a+b", "?id"), ("x=%ED%A0%80", "?x")]
        {
            let refused = check_encoding(query).unwrap_err();
            assert_eq!(refused.errors[0].pointer, pointer, "{query}");
        }
    }

    /// A body of pieces, each of which comes some time after the one before.
    struct PacedBody {
        pieces: usize,
        pause: Duration,
        next: Pin<Box<tokio::time::Sleep>>,
    }

    impl PacedBody {
        fn of(pieces: usize, pause: Duration) -> Body {
            Body::new(Self { pieces, pause, next: Box::pin(tokio::time::sleep(pause)) })
        }
    }

    impl HttpBody for PacedBody {
        type Data = Bytes;
        type Error = std::io::Error;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            context: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
            if self.pieces == 0 {
                return Poll::Ready(None);
            }
            if self.next.as_mut().poll(context).is_pending() {
                return Poll::Pending;
            }
            self.pieces -= 1;
            let pause = self.pause;
            self.next.as_mut().reset(Instant::now() + pause);
            Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(&[b'x'; 1000])))))
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_steady_body_may_be_slow_and_a_stalled_one_is_refused() {
        let limits = ServerLimits::default();
        let work = Work::new(&limits, 1);
        // 20 kB a second for five minutes, and one that is just fast enough.
        for (pieces, pause) in [(6000, 50), (100, 970)] {
            let body = PacedBody::of(pieces, Duration::from_millis(pause));
            let (bytes, _room) = read(body, &limits, &work).await.unwrap().unwrap();
            assert_eq!(bytes.len(), 1000 * pieces);
        }
        for (pieces, pause) in [(1000, 1100), (2, 40_000)] {
            let body = PacedBody::of(pieces, Duration::from_millis(pause));
            let refused = read(body, &limits, &work).await.map(|_| ()).unwrap_err();
            assert_eq!(refused.kind, ProblemKind::RequestTimeout);
        }
        let body = PacedBody::of(3, Duration::ZERO);
        let short = ServerLimits { body_bytes: 2999, ..limits };
        assert!(read(body, &short, &work).await.unwrap().is_none());
    }
}
