//! Answers: rows as the lines of JSON that the command writes, and JSON for what the command has no row for.

use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use nearprint::records::{Format, Row, RowWriter};
use serde::Serialize;

/// The media type of lines of JSON.
pub(crate) const JSON_LINES: &str = "application/x-ndjson";

/// The media type of one object.
pub(crate) const JSON: &str = "application/json";

/// Lines of JSON on their way into an answer or a file.
pub(crate) struct Lines {
    writer: RowWriter<Vec<u8>>,
}

impl Lines {
    pub(crate) fn new() -> Self {
        Self { writer: RowWriter::new(Format::Jsonl, Vec::new()) }
    }

    /// Adds a row as the command writes it.
    pub(crate) fn push<R: Row>(&mut self, row: &R) {
        // Writing to memory does not fail.
        let _ = self.writer.write(row);
    }

    /// Adds a line of the server's own.
    pub(crate) fn push_object(&mut self, object: &impl Serialize) {
        let out = self.writer.get_mut();
        let _ = serde_json::to_writer(&mut *out, object);
        out.push(b'\n');
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.writer.into_inner()
    }

    /// The answer with these lines.
    pub(crate) fn answer(self) -> Response {
        answer(StatusCode::OK, JSON_LINES, self.into_bytes())
    }
}

/// One row as it is in a line of the command's.
pub(crate) fn row_answer<R: Row>(status: StatusCode, row: &R) -> Response {
    let mut lines = Lines::new();
    lines.push(row);
    answer(status, JSON, lines.into_bytes())
}

/// An object as JSON.
pub(crate) fn json_answer(status: StatusCode, object: &impl Serialize) -> Response {
    let mut bytes = serde_json::to_vec(object).unwrap_or_default();
    bytes.push(b'\n');
    answer(status, JSON, bytes)
}

/// An answer of this type.
pub(crate) fn answer(status: StatusCode, media: &'static str, bytes: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(bytes));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media));
    response
}
