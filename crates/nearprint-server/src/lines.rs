//! Answers: rows as the lines of JSON that the command writes, and JSON for what the command has no row for.

use std::io::Write;

use axum::body::Body;
use axum::http::header::{ACCEPT, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use nearprint::records::{Format, Row, RowWriter};
use serde::Serialize;
use serde_json::Value;

use crate::problem::Problem;
use crate::problem_kind::ProblemKind;

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

    /// Adds a row with further fields at its end.
    pub(crate) fn push_with<R: Row>(&mut self, row: &R, fields: &[(&str, &Value)]) {
        self.push(row);
        let out = self.writer.get_mut();
        // A row ends with a brace and a line feed, and has fields.
        out.truncate(out.len().saturating_sub(2));
        for (name, value) in fields {
            let _ = write!(out, ",\"{name}\":{value}");
        }
        out.extend_from_slice(b"}\n");
    }

    /// Refuses lines that have become longer than an answer may be.
    pub(crate) fn check(&mut self, most: u64) -> Result<(), Problem> {
        if self.writer.get_mut().len() as u64 <= most {
            return Ok(());
        }
        let detail = format!("the answer would have more than {most} bytes");
        Err(Problem::new(ProblemKind::TooLarge, detail)
            .with_remedy("ask for fewer documents at once, or without their texts"))
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.writer.into_inner()
    }

    /// The answer with these lines, or with one object that has them as its `items`.
    pub(crate) fn answer(self, form: RowForm) -> Response {
        let lines = self.into_bytes();
        match form {
            RowForm::Lines => answer(StatusCode::OK, JSON_LINES, lines),
            RowForm::Object => answer(StatusCode::OK, JSON, object(&lines)),
        }
    }
}

/// In which form rows are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowForm {
    /// A line of JSON for each.
    Lines,
    /// One object with all of them, for clients that ask for JSON and know no lines.
    Object,
}

impl RowForm {
    /// What a request asks for: an object if it names `application/json` and no lines, else lines.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let named = |media: &str| {
            let values = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
            let mut named = values.flat_map(|value| value.split(','));
            named.any(|range| {
                let essence = range.split(';').next().unwrap_or_default().trim();
                essence.eq_ignore_ascii_case(media)
            })
        };
        if named(JSON) && !named(JSON_LINES) { Self::Object } else { Self::Lines }
    }
}

/// Lines of JSON as the items of one object.
fn object(lines: &[u8]) -> Vec<u8> {
    let mut bytes = b"{\"items\":[".to_vec();
    for (at, line) in lines.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).enumerate()
    {
        if at > 0 {
            bytes.push(b',');
        }
        bytes.extend_from_slice(line);
    }
    bytes.extend_from_slice(b"]}\n");
    bytes
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_lines_unless_only_an_object_is_understood() {
        for (accept, form) in [
            ("*/*", RowForm::Lines),
            ("application/x-ndjson", RowForm::Lines),
            ("application/x-ndjson, application/json;q=0.5", RowForm::Lines),
            ("application/json", RowForm::Object),
            ("Application/JSON; charset=utf-8, */*;q=0.1", RowForm::Object),
        ] {
            let value = HeaderValue::from_static(accept);
            assert_eq!(RowForm::of(&HeaderMap::from_iter([(ACCEPT, value)])), form, "{accept}");
        }
        assert_eq!(RowForm::of(&HeaderMap::new()), RowForm::Lines);
        assert_eq!(object(b""), b"{\"items\":[]}\n");
        assert_eq!(object(b"{\"a\":1}\n{}\n"), b"{\"items\":[{\"a\":1},{}]}\n");
    }
}
