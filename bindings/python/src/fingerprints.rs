//! Fingerprints of many texts as a column.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, LargeStringBuilder, StringBuilder, UInt64Builder};
use arrow_array::{Array, ArrayRef, FixedSizeBinaryArray, StructArray, UInt64Array};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field, Fields};
use nearprint::TextBatches;
use nearprint::fingerprint::{Fingerprint, FingerprintOutcome, Scheme};
use nearprint::search::{SKETCH_POSITIONS, reserve_on_large_pages, vec_on_large_pages};
use pyo3::prelude::*;

use crate::capsule::unreadable;
use crate::column::{Column, SCHEME_KEY};
use crate::error::{invalid, refused};
use crate::job::{Progress, meant, run};
use crate::scheme::{scheme, scheme_name};
use crate::texts::Texts;

/// Texts whose fingerprints are held at once beside the column.
const AT_ONCE: usize = 4096;

/// Bytes for which room is made before the first text is read, at most. What says how many texts it has may be wrong.
const ROOM: usize = 1 << 30;

/// Bytes of the widest fingerprint.
const WIDEST: usize = 2 * SKETCH_POSITIONS;

/// Why a text has no fingerprint.
const NO_TOKENS: &str = "no-tokens";

/// What the fingerprints are given as.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    /// Numbers of 64 bits, or bytes where they have more or fewer.
    Value,
    String,
    /// Value, string, number of tokens, whether the text is short, and why there is none.
    Struct,
}

#[doc = stub!(fingerprints)]
#[pyfunction]
#[pyo3(signature = (texts, scheme="sd1", as_="value", *, threads=None, progress=None))]
pub(crate) fn fingerprints(
    py: Python<'_>,
    texts: &Bound<'_, PyAny>,
    scheme: &str,
    as_: &str,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Column> {
    let scheme = self::scheme(scheme)?;
    let form = match as_ {
        "value" => Form::Value,
        "string" => Form::String,
        "struct" => Form::Struct,
        _ => return Err(invalid(format_args!("as_ is value, string or struct, not {as_:.40}"))),
    };
    // A generator does not know.
    let expected = texts.len().unwrap_or(0);
    let threads = threads.map(crate::options::threads).transpose()?.flatten();
    let mut texts = Texts::of(texts, "texts")?;
    // One bar for all parts.
    let progress = meant(py, progress)?;
    let batches = TextBatches::new(scheme, threads).map_err(|error| refused(&error))?;
    let mut made = PrintColumn::new(form, scheme, expected);
    let mut done = 0;
    while let Some(part) = texts.next()? {
        let length = part.len();
        // Texts of a dictionary are spread once all are known.
        let at_once = if part.is_spread() { length.max(1) } else { AT_ONCE };
        let work = |job: &crate::job::Job| {
            job.report(Progress { stage: "texts", done: done + length as u64, total: None });
            for begin in (0..length).step_by(at_once) {
                let prints = batches.fingerprint(
                    at_once.min(length - begin),
                    |at| part.text(begin + at),
                    &job.cancel,
                    |found| Print::of(found, form),
                );
                // A cancelled job raises.
                let Some(prints) = prints else { return };
                made.extend(part.spread(prints));
            }
        };
        run(py, progress.as_ref(), work)?;
        done += length as u64;
    }
    made.finish()
}

/// What is kept of a text that is not a null.
#[derive(Debug, Clone)]
struct Print {
    value: Option<Value>,
    text: Option<String>,
    tokens: u64,
    short: bool,
}

#[derive(Debug, Clone)]
#[expect(
    clippy::large_enum_variant,
    reason = "memory that one thread takes for each text and another gives back comes fresh from the system"
)]
enum Value {
    Number(u64),
    /// The bytes of one of more or fewer than 64 bits, and zeros.
    Wide([u8; WIDEST]),
}

impl Print {
    fn of(found: FingerprintOutcome, form: Form) -> Self {
        let (tokens, short) = (found.tokens(), found.is_short());
        let print = found.into_fingerprint();
        let text = print.as_ref().filter(|_| form != Form::Value).map(ToString::to_string);
        let value = print.filter(|_| form != Form::String).map(|print| match print.as_u64() {
            Some(number) => Value::Number(number),
            None => Value::Wide(widened(&print)),
        });
        Self { value, text, tokens, short }
    }
}

/// The bytes of a fingerprint, and zeros.
fn widened(print: &Fingerprint) -> [u8; WIDEST] {
    let (mut wide, bytes) = ([0; WIDEST], print.to_bytes());
    wide[..bytes.len()].copy_from_slice(&bytes);
    wide
}

/// Values of fingerprints of one scheme, as they grow.
enum Values {
    /// Values and whether they are there: pushed some thousand times a millisecond.
    Numbers(Vec<u64>, Vec<bool>),
    /// The same of so many bytes each. A builder of Arrow copies all that it has whenever it grows.
    Bytes(usize, Vec<u8>, Vec<bool>),
}

/// A column of fingerprints, as it grows.
struct PrintColumn {
    form: Form,
    scheme: Scheme,
    values: Values,
    strings: LargeStringBuilder,
    tokens: UInt64Builder,
    short: BooleanBuilder,
    reasons: StringBuilder,
    valid: Vec<bool>,
}

impl PrintColumn {
    fn new(form: Form, scheme: Scheme, expected: usize) -> Self {
        let values = match scheme.bytes() {
            8 => Values::Numbers(Vec::new(), Vec::new()),
            bytes => {
                let room =
                    if form == Form::String { 0 } else { expected.saturating_mul(bytes).min(ROOM) };
                Values::Bytes(bytes, vec_on_large_pages(room), Vec::new())
            }
        };
        Self {
            form,
            scheme,
            values,
            strings: LargeStringBuilder::new(),
            tokens: UInt64Builder::new(),
            short: BooleanBuilder::new(),
            reasons: StringBuilder::new(),
            valid: Vec::new(),
        }
    }

    fn extend(&mut self, prints: Vec<Option<Print>>) {
        if let (Values::Bytes(size, values, _), true) =
            (&mut self.values, self.form != Form::String)
        {
            reserve_on_large_pages(values, *size * prints.len());
        }
        for print in prints {
            if self.form != Form::String {
                let value = print.as_ref().and_then(|print| print.value.as_ref());
                match (&mut self.values, value) {
                    (Values::Numbers(values, valid), value) => {
                        let number = value.and_then(|value| match value {
                            Value::Number(number) => Some(*number),
                            Value::Wide(_) => None,
                        });
                        values.push(number.unwrap_or(0));
                        valid.push(number.is_some());
                    }
                    (Values::Bytes(size, values, valid), Some(Value::Wide(bytes))) => {
                        values.extend_from_slice(&bytes[..*size]);
                        valid.push(true);
                    }
                    (Values::Bytes(size, values, valid), _) => {
                        values.resize(values.len() + *size, 0);
                        valid.push(false);
                    }
                }
            }
            if self.form != Form::Value {
                self.strings.append_option(print.as_ref().and_then(|print| print.text.as_ref()));
            }
            if self.form == Form::Struct {
                let has_print = print.as_ref().is_some_and(|print| print.value.is_some());
                self.tokens.append_option(print.as_ref().map(|print| print.tokens));
                self.short
                    .append_option(print.as_ref().filter(|_| has_print).map(|print| print.short));
                let reason = print.as_ref().filter(|_| !has_print).map(|_| NO_TOKENS);
                self.reasons.append_option(reason);
                self.valid.push(print.is_some());
            }
        }
    }

    fn finish(mut self) -> PyResult<Column> {
        let nulls = |valid: Vec<bool>| valid.contains(&false).then(|| NullBuffer::from(valid));
        let values = |values: Values| -> PyResult<ArrayRef> {
            Ok(match values {
                Values::Numbers(values, valid) => {
                    Arc::new(UInt64Array::new(values.into(), nulls(valid)))
                }
                Values::Bytes(size, values, valid) => {
                    let size = size.try_into().map_err(|_| invalid("a fingerprint is too wide"))?;
                    let values = FixedSizeBinaryArray::try_new(size, values.into(), nulls(valid));
                    Arc::new(values.map_err(unreadable)?)
                }
            })
        };
        let array: ArrayRef = match self.form {
            Form::Value => values(self.values)?,
            Form::String => Arc::new(self.strings.finish()),
            Form::Struct => {
                let columns: [(&str, ArrayRef); 5] = [
                    ("value", values(self.values)?),
                    ("fingerprint", Arc::new(self.strings.finish())),
                    ("tokens", Arc::new(self.tokens.finish())),
                    ("short", Arc::new(self.short.finish())),
                    ("reason", Arc::new(self.reasons.finish())),
                ];
                let field = |(name, array): &(&str, ArrayRef)| {
                    Field::new(*name, array.data_type().clone(), true)
                };
                let fields: Fields = columns.iter().map(field).collect();
                let arrays = columns.into_iter().map(|(_, array)| array).collect();
                let valid = nulls(self.valid);
                Arc::new(StructArray::try_new(fields, arrays, valid).map_err(unreadable)?)
            }
        };
        let kind: DataType = array.data_type().clone();
        let metadata = HashMap::from([(SCHEME_KEY.to_owned(), scheme_name(self.scheme))]);
        let field = Field::new("fingerprint", kind, true).with_metadata(metadata);
        Ok(Column { field: Arc::new(field), array })
    }
}
