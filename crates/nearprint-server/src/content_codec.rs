//! The content codings of request bodies (RFC 9110, section 8.4). gzip is expanded here, zstd by the layer below, and
//! everything else is refused.

use std::io::{self, Write};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH};
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use flate2::write::MultiGzDecoder;
use hyper::body::Frame;

use crate::problem::Problem;
use crate::problem_kind::ProblemKind;

/// Lets the body of a request through as it was before it was compressed.
pub(crate) async fn content_codec(mut request: Request, next: Next) -> Response {
    let coding = named(request.headers());
    let headers = request.headers_mut();
    match coding.as_str() {
        "" | "identity" => drop(headers.remove(CONTENT_ENCODING)),
        "gzip" | "x-gzip" => {
            headers.remove(CONTENT_ENCODING);
            headers.remove(CONTENT_LENGTH);
            request = request.map(|body| Body::new(GzipBody::of(body)));
        }
        "zstd" => drop(headers.insert(CONTENT_ENCODING, HeaderValue::from_static("zstd"))),
        other => {
            let shown: String = other.chars().take(64).collect();
            let detail = format!("the Content-Encoding {} is not read", shown.escape_debug());
            let problem = Problem::new(ProblemKind::UnsupportedMediaType, detail);
            let remedy = "send it as it is, or compressed by gzip or zstd";
            let mut refused = problem.with_remedy(remedy).into_response();
            let accepted = HeaderValue::from_static("gzip, zstd");
            refused.headers_mut().insert(ACCEPT_ENCODING, accepted);
            return refused;
        }
    }
    next.run(request).await
}

/// The codings that a request names, in lower case: their case means nothing.
fn named(headers: &HeaderMap) -> String {
    let values = headers.get_all(CONTENT_ENCODING).iter();
    let values: Vec<_> = values.map(|value| String::from_utf8_lossy(value.as_bytes())).collect();
    values.join(", ").trim().to_ascii_lowercase()
}

/// What a body of gzip expands to: all its members, one after the other (RFC 1952, section 2.2). What is not a member,
/// and a member that is cut, is an error.
struct GzipBody {
    packed: Body,
    /// What has arrived and was not expanded yet.
    waiting: Bytes,
    decoder: MultiGzDecoder<Vec<u8>>,
    has_ended: bool,
}

impl GzipBody {
    fn of(packed: Body) -> Self {
        let decoder = MultiGzDecoder::new(Vec::new());
        Self { packed, waiting: Bytes::new(), decoder, has_ended: false }
    }

    /// What was expanded and not taken yet.
    fn taken(&mut self) -> Option<Frame<Bytes>> {
        let expanded = std::mem::take(self.decoder.get_mut());
        (!expanded.is_empty()).then(|| Frame::data(expanded.into()))
    }
}

fn damaged(error: &io::Error) -> axum::Error {
    axum::Error::new(io::Error::new(error.kind(), format!("it is not whole gzip: {error}")))
}

impl HttpBody for GzipBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let body = &mut *self;
        loop {
            if let Some(frame) = body.taken() {
                return Poll::Ready(Some(Ok(frame)));
            }
            if body.has_ended {
                return Poll::Ready(None);
            }
            // At most what the decoder has room for is expanded at a time.
            if !body.waiting.is_empty() {
                match body.decoder.write(&body.waiting) {
                    Ok(read) => drop(body.waiting.split_to(read)),
                    Err(error) => {
                        body.has_ended = true;
                        return Poll::Ready(Some(Err(damaged(&error))));
                    }
                }
                continue;
            }
            match ready!(Pin::new(&mut body.packed).poll_frame(context)) {
                Some(Ok(frame)) => {
                    if let Ok(data) = frame.into_data() {
                        body.waiting = data;
                    }
                }
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => {
                    body.has_ended = true;
                    if let Err(error) = body.decoder.try_finish() {
                        return Poll::Ready(Some(Err(damaged(&error))));
                    }
                }
            }
        }
    }
}
