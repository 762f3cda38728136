//! Fingerprints of many texts as a column.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, FixedSizeBinaryBuilder, LargeStringBuilder, StringBuilder, UInt64Builder,
};
use arrow_array::{Array, ArrayRef, StructArray, UInt64Array};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field, Fields};
use nearprint::TextBatches;
use nearprint::fingerprint::{Fingerprinted, Scheme};
use pyo3::prelude::*;

use crate::capsule::unreadable;
use crate::column::{Column, SCHEME_KEY};
use crate::error::{invalid, refused};
use crate::job::{Progress, meant, run};
use crate::scheme::{scheme, scheme_name};
use crate::texts::Texts;

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
    threads: Option<NonZeroUsize>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Column> {
    let scheme = self::scheme(scheme)?;
    let form = match as_ {
        "value" => Form::Value,
        "string" => Form::String,
        "struct" => Form::Struct,
        _ => return Err(invalid(format_args!("as_ is value, string or struct, not {as_:.40}"))),
    };
    let mut texts = Texts::of(texts)?;
    // One bar for all parts.
    let progress = meant(py, progress)?;
    let batches = TextBatches::new(scheme, threads).map_err(|error| refused(&error))?;
    let mut made = Made::new(form, scheme);
    let mut done = 0;
    while let Some(part) = texts.next()? {
        let length = part.len();
        let work = |job: &crate::job::Job| {
            job.report(Progress { stage: "texts", done: done + length as u64, total: None });
            batches.fingerprint(
                length,
                |at| part.text(at),
                &job.cancel,
                |found| Print::of(&found, form),
            )
        };
        // A cancelled job raises before it comes here.
        let prints = run(py, progress.as_ref(), work)?.unwrap_or_default();
        py.detach(|| made.extend(part.spread(prints)))?;
        done += length as u64;
    }
    made.finish()
}

/// What is kept of a text that is no null.
#[derive(Debug, Clone)]
struct Print {
    value: Option<Value>,
    text: Option<String>,
    tokens: u64,
    short: bool,
}

#[derive(Debug, Clone)]
enum Value {
    Number(u64),
    Bytes(Vec<u8>),
}

impl Print {
    fn of(found: &Fingerprinted, form: Form) -> Self {
        let print = found.fingerprint();
        let value = print.filter(|_| form != Form::String).map(|print| match print.as_u64() {
            Some(number) => Value::Number(number),
            None => Value::Bytes(print.to_bytes()),
        });
        let text = print.filter(|_| form != Form::Value).map(ToString::to_string);
        Self { value, text, tokens: found.tokens(), short: found.is_short() }
    }
}

/// Values of fingerprints of one scheme, as they grow.
enum Values {
    /// Values and whether they are there: pushed some thousand times a millisecond.
    Numbers(Vec<u64>, Vec<bool>),
    Bytes(FixedSizeBinaryBuilder),
}

/// A column of fingerprints, as it grows.
struct Made {
    form: Form,
    scheme: Scheme,
    values: Values,
    strings: LargeStringBuilder,
    tokens: UInt64Builder,
    short: BooleanBuilder,
    reasons: StringBuilder,
    valid: Vec<bool>,
}

impl Made {
    fn new(form: Form, scheme: Scheme) -> Self {
        let values = match scheme.bytes() {
            8 => Values::Numbers(Vec::new(), Vec::new()),
            bytes => {
                Values::Bytes(FixedSizeBinaryBuilder::new(bytes.try_into().unwrap_or(i32::MAX)))
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

    fn extend(&mut self, prints: Vec<Option<Print>>) -> PyResult<()> {
        for print in prints {
            if self.form != Form::String {
                let value = print.as_ref().and_then(|print| print.value.as_ref());
                match (&mut self.values, value) {
                    (Values::Numbers(values, valid), value) => {
                        let number = value.and_then(|value| match value {
                            Value::Number(number) => Some(*number),
                            Value::Bytes(_) => None,
                        });
                        values.push(number.unwrap_or(0));
                        valid.push(number.is_some());
                    }
                    (Values::Bytes(values), Some(Value::Bytes(bytes))) => {
                        values.append_value(bytes).map_err(unreadable)?;
                    }
                    (Values::Bytes(values), _) => values.append_null(),
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
        Ok(())
    }

    fn finish(mut self) -> PyResult<Column> {
        let values = |values: Values| -> ArrayRef {
            match values {
                Values::Numbers(values, valid) => {
                    let nulls = valid.contains(&false).then(|| NullBuffer::from(valid));
                    Arc::new(UInt64Array::new(values.into(), nulls))
                }
                Values::Bytes(mut values) => Arc::new(values.finish()),
            }
        };
        let array: ArrayRef = match self.form {
            Form::Value => values(self.values),
            Form::String => Arc::new(self.strings.finish()),
            Form::Struct => {
                let columns: [(&str, ArrayRef); 5] = [
                    ("value", values(self.values)),
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
                let nulls = self.valid.contains(&false).then(|| NullBuffer::from(self.valid));
                Arc::new(StructArray::try_new(fields, arrays, nulls).map_err(unreadable)?)
            }
        };
        let kind: DataType = array.data_type().clone();
        let metadata = HashMap::from([(SCHEME_KEY.to_owned(), scheme_name(self.scheme))]);
        let field = Field::new("fingerprint", kind, true).with_metadata(metadata);
        Ok(Column { field: Arc::new(field), array })
    }
}
