//! Texts as Python holds them: iterables of strings, and columns of Arrow in every form that text has there.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BinaryArray, BinaryViewArray, LargeBinaryArray};
use arrow_schema::DataType;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyBytes, PyIterator, PyString};

use crate::capsule::{Arrays, import, unreadable};
use crate::error::wrong_type;
use crate::fingerprint::text_of;

/// Texts and bytes of an iterable that are worked on at once.
const TEXTS: usize = 1 << 16;
const BYTES: usize = 32 << 20;

/// Texts that come part by part.
pub(crate) enum Texts<'py> {
    Column(Arrays),
    /// With the name of the argument.
    Iterable(Bound<'py, PyIterator>, &'static str),
}

/// Some texts, in order.
pub(crate) enum Part {
    Strings(Vec<Option<PyBackedStr>>),
    Binary(BinaryArray),
    LargeBinary(LargeBinaryArray),
    View(BinaryViewArray),
    /// Each value once, and for each text which one it is.
    Dictionary {
        values: Box<Part>,
        keys: Vec<Option<usize>>,
    },
    /// Of a column of nulls.
    Nulls(usize),
}

impl<'py> Texts<'py> {
    /// Texts of the argument of this name: `texts` or `ids`.
    pub(crate) fn of(object: &Bound<'py, PyAny>, name: &'static str) -> PyResult<Self> {
        if object.is_instance_of::<PyString>() || object.is_instance_of::<PyBytes>() {
            return Err(wrong_type(match name {
                "texts" => {
                    "texts is one text: give a list of them, or call nearprint.fingerprint for one"
                }
                _ => "ids is one id: give a list of them",
            }));
        }
        if let Some((field, arrays)) = import(object)? {
            check(field.data_type(), name)?;
            return Ok(Self::Column(arrays));
        }
        let refused = |_| {
            let kind =
                object.get_type().name().map_or_else(|_| String::new(), |name| name.to_string());
            wrong_type(format_args!(
                "{name} is an iterable of str or a column of Arrow, not {kind}"
            ))
        };
        object.try_iter().map(|items| Self::Iterable(items, name)).map_err(refused)
    }

    /// The next texts, while there are any.
    pub(crate) fn next(&mut self) -> PyResult<Option<Part>> {
        match self {
            Self::Column(arrays) => {
                let array = arrays.next().transpose().map_err(unreadable)?;
                array.map(|array| part(&array)).transpose()
            }
            Self::Iterable(iterator, name) => {
                let (mut strings, mut bytes) = (Vec::new(), 0);
                for item in iterator.by_ref() {
                    let text = text(&item?, strings.len(), name)?;
                    bytes += text.as_ref().map_or(0, |text| text.len());
                    strings.push(text);
                    if strings.len() == TEXTS || bytes >= BYTES {
                        break;
                    }
                }
                Ok((!strings.is_empty()).then_some(Part::Strings(strings)))
            }
        }
    }
}

fn text(item: &Bound<'_, PyAny>, at: usize, name: &str) -> PyResult<Option<PyBackedStr>> {
    if item.is_none() {
        return Ok(None);
    }
    match item.cast::<PyString>() {
        Ok(text) => text_of(text).map(Some),
        Err(_) => {
            let kind = item.get_type().name()?;
            Err(wrong_type(match name {
                "texts" => format!("texts are str or None, not {kind} (number {at} of its part)"),
                _ => format!("ids are str, not {kind}: give [str(id) for id in ids]"),
            }))
        }
    }
}

/// Refuses columns that are not text, before anything is read of them.
fn check(kind: &DataType, name: &str) -> PyResult<()> {
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => Ok(()),
        DataType::Dictionary(_, values) => check(values, name),
        DataType::Struct(_) => Err(wrong_type(format_args!(
            "{name} is a table: name one of its columns, such as table['text']"
        ))),
        other => Err(wrong_type(format_args!(
            "{name} is a column of {other}, not of text: cast it to text"
        ))),
    }
}

fn part(array: &ArrayRef) -> PyResult<Part> {
    // As bytes: whether they are the text that the producer promises is looked at where they are used.
    Ok(match array.data_type() {
        DataType::Utf8 => Part::Binary(array.as_string::<i32>().clone().into()),
        DataType::LargeUtf8 => Part::LargeBinary(array.as_string::<i64>().clone().into()),
        DataType::Utf8View => Part::View(array.as_string_view().clone().to_binary_view()),
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            let values = part(&Arc::clone(dictionary.values()))?;
            let nulls = array.logical_nulls();
            let keys = dictionary.normalized_keys().into_iter().enumerate();
            let key = |(at, key): (usize, usize)| {
                let is_text = nulls.as_ref().is_none_or(|nulls| nulls.is_valid(at));
                is_text.then_some(key)
            };
            Part::Dictionary { values: Box::new(values), keys: keys.map(key).collect() }
        }
        DataType::Null => Part::Nulls(array.len()),
        other => return Err(wrong_type(format_args!("a column of {other} is no text"))),
    })
}

impl Part {
    /// Number of texts, nulls among them; of a dictionary those that differ.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Strings(strings) => strings.len(),
            Self::Binary(array) => array.len(),
            Self::LargeBinary(array) => array.len(),
            Self::View(array) => array.len(),
            Self::Dictionary { values, .. } => values.len(),
            Self::Nulls(count) => *count,
        }
    }

    /// A text by its number below [`len`](Self::len), in UTF-8 or what the producer takes for it.
    pub(crate) fn text(&self, at: usize) -> Option<&[u8]> {
        match self {
            Self::Strings(strings) => strings[at].as_ref().map(|text| text.as_bytes()),
            Self::Binary(array) => array.is_valid(at).then(|| array.value(at)),
            Self::LargeBinary(array) => array.is_valid(at).then(|| array.value(at)),
            Self::View(array) => array.is_valid(at).then(|| array.value(at)),
            Self::Dictionary { values, .. } => values.text(at),
            Self::Nulls(_) => None,
        }
    }

    /// Whether [`spread`](Self::spread) makes more or fewer of what it is given, so that it needs all at once.
    pub(crate) fn is_spread(&self) -> bool {
        matches!(self, Self::Dictionary { .. })
    }

    /// What was made of each of [`len`](Self::len) texts, for each text of the column.
    pub(crate) fn spread<T: Clone>(&self, made: Vec<Option<T>>) -> Vec<Option<T>> {
        match self {
            Self::Dictionary { keys, .. } => {
                let of_key =
                    |key: &Option<usize>| key.and_then(|key| made.get(key).cloned().flatten());
                keys.iter().map(of_key).collect()
            }
            _ => made,
        }
    }
}
