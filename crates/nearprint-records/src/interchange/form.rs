//! The two forms of a file, lines and JSON lines: how a line is read in each. [15.2] to [15.8]

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;

use super::{
    FORMAT, InterchangeHeader, InterchangeReason, InterchangeRow, Step, VERSION, check, id_text,
};

/// A form of files of fingerprints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum InterchangeForm {
    /// Lines with tabs.
    Lines,
    /// A JSON object on each line.
    JsonLines,
}

impl InterchangeForm {
    /// The form of a file that begins so; `None` if it is another file. No file of fingerprints of one a line begins
    /// so.
    #[must_use]
    pub fn of_beginning(bytes: &[u8]) -> Option<Self> {
        let named = |rest: &[u8], end: u8| {
            rest.strip_prefix(FORMAT.as_bytes()).is_some_and(|rest| rest.first() == Some(&end))
        };
        if named(bytes, b'/') {
            return Some(Self::Lines);
        }
        let name = bytes.strip_prefix(b"{")?.trim_ascii_start().strip_prefix(b"\"")?;
        named(name, b'"').then_some(Self::JsonLines)
    }
}

/// Reads lines of a form, after one another.
#[derive(Debug)]
pub(super) struct LineParser {
    form: InterchangeForm,
    /// The header as far as it was read.
    header: InterchangeHeader,
}

/// What a line after the header is.
pub(super) enum LineContent {
    Row(InterchangeRow),
    Trailer { count: u64, sha256: String },
}

impl LineParser {
    pub(super) fn new(form: InterchangeForm) -> Self {
        Self { form, header: InterchangeHeader::default() }
    }

    /// The header, if this line ends it.
    pub(super) fn header(&mut self, text: &str, line: u64) -> Step<Option<InterchangeHeader>> {
        match self.form {
            InterchangeForm::Lines if line == 1 => first_line(text).map(|()| None),
            InterchangeForm::Lines if text.is_empty() => Ok(Some(std::mem::take(&mut self.header))),
            InterchangeForm::Lines => {
                let (name, value) = text.split_once(": ").ok_or(InterchangeReason::Header)?;
                self.header.push(name, value)?;
                Ok(None)
            }
            InterchangeForm::JsonLines => json_header(text).map(Some),
        }
    }

    /// What a line after the header is.
    pub(super) fn content(&self, text: &str, header: &InterchangeHeader) -> Step<LineContent> {
        match self.form {
            InterchangeForm::Lines => line_content(text, header),
            InterchangeForm::JsonLines => json_content(text, header),
        }
    }
}

fn first_line(text: &str) -> Step<()> {
    let version = text.strip_prefix(FORMAT).and_then(|rest| rest.strip_prefix('/'));
    let version = version.filter(|version| is_number(version) && *version != "0");
    let version = version.ok_or(InterchangeReason::NotInterchange)?;
    check(version.parse::<u64>() == Ok(VERSION), InterchangeReason::Version)
}

/// Whether a text is a decimal number without leading zeros.
fn is_number(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'))
}

fn line_content(text: &str, header: &InterchangeHeader) -> Step<LineContent> {
    let mut fields = text.split('\t');
    let first = fields.next().unwrap_or_default();
    if first == "end" {
        let (count, sha256) = (fields.next(), fields.next());
        return trailer(count.filter(|count| is_number(count)), sha256, fields.next().is_none());
    }
    let short = match fields.next() {
        Some("0") => false,
        Some("1") => true,
        _ => return Err(InterchangeReason::Row),
    };
    let id = fields.next();
    check(fields.next().is_none(), InterchangeReason::Row)?;
    row(first, short, id, header).map(LineContent::Row)
}

fn trailer(count: Option<&str>, sha256: Option<&str>, is_whole: bool) -> Step<LineContent> {
    let count = count.and_then(|count| count.parse().ok());
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    let sha256 = sha256.filter(|digits| digits.len() == 64 && digits.bytes().all(is_digit));
    match (count, sha256) {
        (Some(count), Some(sha256)) if is_whole => {
            Ok(LineContent::Trailer { count, sha256: sha256.to_owned() })
        }
        _ => Err(InterchangeReason::Trailer),
    }
}

/// A row whose parts are as they must be; its scheme is checked elsewhere. [15.5]
fn row(
    string: &str,
    short: bool,
    id: Option<&str>,
    header: &InterchangeHeader,
) -> Step<InterchangeRow> {
    let found = || {
        let scheme = string.split(':').next()?;
        // The process may know custom schemes that have nothing to do with this file.
        let is_ours = header.value(InterchangeHeader::SCHEME) == Some(scheme);
        let fingerprint = string.parse().ok()?;
        let id = id.map(|id| id_text::decode(id).ok_or(())).transpose().ok()?;
        let row = InterchangeRow { fingerprint, short, id };
        let holds = (is_ours || !scheme.starts_with("custom-"))
            && row.fingerprint.to_string() == string
            && row.id.is_some() == header.has_ids();
        holds.then_some(row)
    };
    found().ok_or(InterchangeReason::Row)
}

fn json_header(text: &str) -> Step<InterchangeHeader> {
    let object = json_object(text)?;
    let version = object.value(FORMAT).and_then(Value::as_u64).filter(|version| *version > 0);
    let version = version.ok_or(InterchangeReason::NotInterchange)?;
    check(version == VERSION, InterchangeReason::Version)?;
    let mut header = InterchangeHeader::default();
    // What is malformed comes before what is not known.
    let mut is_critical = false;
    for (name, value) in object.0.iter().filter(|(name, _)| name != FORMAT) {
        let values = match value {
            Value::Array(values) if !values.is_empty() => values.as_slice(),
            value => std::slice::from_ref(value),
        };
        for value in values {
            let value = value.as_str().ok_or(InterchangeReason::Header)?;
            match header.push(name.as_str(), value) {
                Err(InterchangeReason::Critical) => is_critical = true,
                pushed => pushed?,
            }
        }
    }
    check(!is_critical, InterchangeReason::Critical)?;
    Ok(header)
}

fn json_content(text: &str, header: &InterchangeHeader) -> Step<LineContent> {
    let object = json_object(text)?;
    if let Some(end) = object.value("end") {
        let count = end.get("count").and_then(Value::as_u64).map(|count| count.to_string());
        return trailer(count.as_deref(), end.get("sha256").and_then(Value::as_str), true);
    }
    let id = match object.value("id") {
        Some(id) => Some(id.as_str().ok_or(InterchangeReason::Row)?),
        None => None,
    };
    let string = object.value("print").and_then(Value::as_str).ok_or(InterchangeReason::Row)?;
    let short = object.value("short").and_then(Value::as_bool).ok_or(InterchangeReason::Row)?;
    row(string, short, id, header).map(LineContent::Row)
}

fn json_object(text: &str) -> Step<OrderedObject> {
    serde_json::from_str(text).map_err(|_| InterchangeReason::Encoding)
}

/// A JSON object with its names in order.
struct OrderedObject(Vec<(String, Value)>);

impl OrderedObject {
    fn value(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(here, _)| here == name).map(|(_, value)| value)
    }
}

impl<'de> Deserialize<'de> for OrderedObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor)
    }
}

struct ObjectVisitor;

impl<'de> Visitor<'de> for ObjectVisitor {
    type Value = OrderedObject;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OrderedObject, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(OrderedObject(fields))
    }
}
