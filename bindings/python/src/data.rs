//! What functions are given: paths, texts at hand, or fingerprints in one of the forms that arrays of them have.

use std::collections::HashSet;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, Field};
use nearprint::fingerprint::{Fingerprint as Value, Scheme};
use nearprint::records::{
    Content, Document, DocumentId, ErrorRecord, Place, Source, TableFields, matching,
};
use nearprint::search::zeros_on_large_pages;
use nearprint::{Inputs, PrintSet, SeenFiles};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyFileNotFoundError, PyMemoryError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::capsule::{Arrays, import, unreadable};
use crate::column::SCHEME_KEY;
use crate::error::{invalid, refused, wrong_type};
use crate::fingerprint::Fingerprint;
use crate::frame::Frame;
use crate::options::Options;
use crate::scheme::scheme;
use crate::texts::{Part, Texts};

/// A text with its id.
type NamedText = (DocumentId, Option<String>);

/// Documents: where they are, or what they are.
#[derive(Debug, Clone)]
pub(crate) enum Documents {
    Paths(Vec<PathBuf>),
    Texts(Arc<Vec<NamedText>>),
    Frame(Frame),
}

/// Fingerprints by position.
#[derive(Debug)]
pub(crate) struct Prints {
    pub(crate) set: PrintSet,
    /// The position in the array of each fingerprint of the set, where some values were null.
    positions: Option<Vec<u32>>,
    /// Values of the array, nulls among them.
    met: usize,
}

impl Prints {
    /// The position in the array of a position in the set.
    pub(crate) fn position(&self, at: u32) -> u32 {
        self.positions.as_ref().map_or(at, |positions| positions[at as usize])
    }
}

/// What is searched.
#[derive(Debug)]
pub(crate) enum Data {
    Documents(Documents),
    Prints(Box<Prints>),
}

impl Data {
    /// What `data` or, where it is None, `texts` and `ids` are.
    pub(crate) fn of(
        data: Option<&Bound<'_, PyAny>>,
        texts: Option<&Bound<'_, PyAny>>,
        ids: Option<&Bound<'_, PyAny>>,
        scheme: Option<Scheme>,
    ) -> PyResult<Self> {
        match (data, texts) {
            (Some(data), None) if ids.is_none() => match paths(data)? {
                Some(paths) => Ok(Self::Documents(Documents::Paths(paths))),
                None => Self::of_object(data, scheme),
            },
            (None, Some(texts)) => {
                let documents = named_texts(texts, ids)?;
                if ids.is_some() {
                    documents.refuse_repeated_ids()?;
                }
                Ok(Self::Documents(documents))
            }
            (Some(_), None) => Err(wrong_type("ids are the names of texts: give texts")),
            _ => Err(wrong_type(GIVE)),
        }
    }

    /// What an object is that names no paths.
    pub(crate) fn of_object(data: &Bound<'_, PyAny>, scheme: Option<Scheme>) -> PyResult<Self> {
        let prints = match import(data)? {
            Some((field, mut arrays)) => match Frame::of(&field, &mut arrays)? {
                Some(frame) => return Ok(Self::Documents(Documents::Frame(frame))),
                None => prints_of_column(&field, arrays, scheme)?,
            },
            None => prints_of_values(data, scheme)?,
        };
        Ok(Self::Prints(Box::new(prints)))
    }
}

/// What functions say to whoever gives none or both of their arguments.
pub(crate) const GIVE: &str =
    "give either paths, a table or fingerprints, or texts by name (texts=...)";

impl Documents {
    /// An error where two texts have the same id: results name documents by their ids.
    fn refuse_repeated_ids(&self) -> PyResult<()> {
        let Self::Texts(texts) = self else { return Ok(()) };
        let mut seen = HashSet::with_capacity(texts.len());
        match texts.iter().find(|(id, _)| !seen.insert(id.as_str())) {
            Some((id, _)) => Err(invalid(format_args!(
                "the id {:.80} is given twice: ids must be unique",
                id.as_str()
            ))),
            None => Ok(()),
        }
    }

    /// The documents as a source; refused where a file is not what documents are read from.
    pub(crate) fn source(
        &self,
        options: &Options,
        order: Option<&str>,
    ) -> PyResult<Box<dyn Source>> {
        self.source_noting(options, order, &SeenFiles::default())
    }

    /// The same where no file is read again that is among these, which are added to.
    pub(crate) fn source_noting(
        &self,
        options: &Options,
        order: Option<&str>,
        files: &SeenFiles,
    ) -> PyResult<Box<dyn Source>> {
        match self {
            Self::Paths(paths) => {
                let inputs = Inputs::new(paths, options.input.clone()).map_err(invalid)?;
                let source = inputs.ordered_by(order).source().map_err(invalid)?;
                Ok(Box::new(source.noting_files(files)))
            }
            Self::Texts(texts) => {
                // One by one: a copy of all takes seconds in which nobody hears Ctrl-C.
                let texts = Arc::clone(texts);
                Ok(of_texts((0..texts.len()).map(move |at| texts[at].clone())))
            }
            Self::Frame(frame) => {
                let order = order.map(str::to_owned);
                frame.source(&TableFields { order, ..options.input.reading.fields.clone() })
            }
        }
    }
}

/// Texts as a source.
pub(crate) fn of_texts(texts: impl Iterator<Item = NamedText> + Send + 'static) -> Box<dyn Source> {
    let document = |(id, text): NamedText| {
        let place = Place { file: id.as_str().into(), ..Place::default() };
        // A text that is missing holds no words, as an empty one does.
        Document::new(id, place, Content::Text(text.unwrap_or_default()))
    };
    Box::new(texts.map(document).map(Ok::<_, ErrorRecord>))
}

/// The paths that an argument names; None where it is something else.
pub(crate) fn paths(data: &Bound<'_, PyAny>) -> PyResult<Option<Vec<PathBuf>>> {
    let is_path = |item: &Bound<'_, PyAny>| -> PyResult<bool> {
        Ok(item.is_instance_of::<PyString>() || item.hasattr("__fspath__")?)
    };
    let named = if is_path(data)? {
        vec![data.extract::<PathBuf>()?]
    } else {
        let Ok(items) = data.cast::<pyo3::types::PySequence>() else { return Ok(None) };
        if items.is_empty()? || !is_path(&items.get_item(0)?)? {
            return Ok(None);
        }
        let mut named = Vec::new();
        for item in items.try_iter()? {
            named.push(item?.extract::<PathBuf>()?);
        }
        named
    };
    if let Some(path) = named.iter().find(|path| path.as_os_str() == "-") {
        let name = path.display();
        return Err(invalid(format_args!(
            "{name} is not read as standard input: a file of this name is ./-"
        )));
    }
    let found = matching(named).map_err(invalid)?;
    match found.iter().find(|path| path.symlink_metadata().is_err()) {
        Some(missing) => Err(no_file(missing)),
        None => Ok(Some(found)),
    }
}

/// A path that nothing is at: often a text that was meant to be compared.
fn no_file(path: &Path) -> PyErr {
    /// The number of this error in every system.
    const ENOENT: i32 = 2;
    let text = "No such file or directory; texts are given by name: texts=[...]";
    PyFileNotFoundError::new_err((ENOENT, text, path.to_owned()))
}

/// Texts with their ids, or their positions where they have none.
pub(crate) fn named_texts(
    texts: &Bound<'_, PyAny>,
    ids: Option<&Bound<'_, PyAny>>,
) -> PyResult<Documents> {
    let texts = strings(texts, "texts")?;
    let ids = ids_of(ids, texts.len(), "texts")?;
    Ok(Documents::Texts(Arc::new(ids.into_iter().zip(texts).collect())))
}

/// So many ids, or positions where none are given.
fn ids_of(given: Option<&Bound<'_, PyAny>>, count: usize, of: &str) -> PyResult<Vec<DocumentId>> {
    let id = |id: Option<String>| {
        let id = id.ok_or_else(|| invalid("an id is None"))?;
        DocumentId::new(id).map_err(invalid)
    };
    let ids = match given {
        None => (0..count).map(|at| Some(at.to_string())).collect(),
        Some(ids) => strings(ids, "ids")?,
    };
    if ids.len() != count {
        let ids = ids.len();
        return Err(invalid(format_args!("there are {ids} ids for {count} {of}")));
    }
    ids.into_iter().map(id).collect()
}

/// Fingerprints with their ids, or their positions where they have none; without those that are null.
pub(crate) fn named_prints(
    prints: &Prints,
    ids: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<(DocumentId, Value)>> {
    let ids = ids_of(ids, prints.met, "fingerprints")?;
    let named = |at: usize| {
        let position = u32::try_from(at).map_err(|_| invalid("there are 2^32 values or more"))?;
        let id = ids[prints.position(position) as usize].clone();
        Ok((id, prints.set.fingerprint(at).map_err(|error| refused(&error))?))
    };
    (0..prints.set.len()).map(named).collect()
}

/// All strings of an iterable or a column, of the argument of this name.
pub(crate) fn strings(
    object: &Bound<'_, PyAny>,
    name: &'static str,
) -> PyResult<Vec<Option<String>>> {
    let (mut texts, mut all) = (Texts::of(object, name)?, Vec::new());
    while let Some(part) = texts.next()? {
        all.extend(owned(&part));
        // A gigabyte of texts takes seconds to copy.
        object.py().check_signals()?;
    }
    Ok(all)
}

fn owned(part: &Part) -> Vec<Option<String>> {
    let texts = (0..part.len()).map(|at| part.text(at));
    part.spread(
        texts.map(|text| text.map(|text| String::from_utf8_lossy(text).into_owned())).collect(),
    )
}

/// Fingerprints from a column of Arrow, an array of NumPy, or a sequence.
pub(crate) fn prints(data: &Bound<'_, PyAny>, given: Option<Scheme>) -> PyResult<Prints> {
    match import(data)? {
        Some((field, arrays)) => prints_of_column(&field, arrays, given),
        None => prints_of_values(data, given),
    }
}

fn prints_of_column(field: &Field, arrays: Arrays, given: Option<Scheme>) -> PyResult<Prints> {
    let named = field.metadata().get(SCHEME_KEY).map(|name| scheme(name)).transpose()?;
    let mut gathered = PrintCollector::new(chosen(named, given)?);
    for array in arrays {
        gathered.push_array(&array.map_err(unreadable)?)?;
    }
    gathered.finish()
}

/// Fingerprints from what is not a column of Arrow.
fn prints_of_values(data: &Bound<'_, PyAny>, given: Option<Scheme>) -> PyResult<Prints> {
    if data.is_instance_of::<PyBytes>() {
        return Err(wrong_type("fingerprints are an array, not bytes"));
    }
    // Of the package `datasets`, whose rows would be taken for fingerprints.
    if data.hasattr("with_format")? && data.hasattr("features")? {
        return Err(wrong_type(
            "a Dataset is no table here: give texts=dataset[\"text\"], or call nearprint.datasets.dedup",
        ));
    }
    let of_words = |words: Vec<u64>| {
        let scheme = given.unwrap_or(Scheme::SD1);
        let wide = || invalid(format_args!("{scheme} has no fingerprints of 64 bits"));
        let met = words.len();
        let set = PrintSet::of_words(scheme, words).ok_or_else(wide)?;
        Ok(Prints { set, positions: None, met })
    };
    if let Ok(words) = PyBuffer::<u64>::get(data) {
        one_dimension(words.dimensions())?;
        // Copied, because other threads may change the array while it is searched.
        let count = words.item_count();
        let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
        let mut copy = zeros_on_large_pages(count, threads).map_err(|_| no_room(count))?;
        words.copy_to_slice(data.py(), &mut copy)?;
        return of_words(copy);
    }
    // The same bits: what has no unsigned numbers, as Spark, holds them so.
    if let Ok(words) = PyBuffer::<i64>::get(data) {
        one_dimension(words.dimensions())?;
        return of_words(words.to_vec(data.py())?.into_iter().map(i64::cast_unsigned).collect());
    }
    let kind = data.get_type().name()?;
    let other = |_| {
        wrong_type(format_args!(
            "{kind} is neither paths, nor a table, nor fingerprints (Fingerprint objects, uint64 of NumPy, or a column of Arrow)"
        ))
    };
    let mut gathered: Option<PrintCollector> = None;
    for item in data.try_iter().map_err(other)? {
        let item = item?;
        if item.is_none() {
            gathered
                .get_or_insert_with(|| PrintCollector::new(given.unwrap_or(Scheme::SD1)))
                .skip();
            continue;
        }
        let print = item.cast::<Fingerprint>().map_err(|_| {
            let kind = item.get_type().name().map_or_else(|_| String::new(), |name| name.to_string());
            wrong_type(format_args!(
                "{kind} is no Fingerprint: make numbers a NumPy array of uint64, and strings Fingerprint(text)"
            ))
        })?;
        let value = &print.get().0;
        let scheme = chosen(Some(value.scheme()), given)?;
        gathered.get_or_insert_with(|| PrintCollector::new(scheme)).push(value)?;
    }
    gathered.unwrap_or_else(|| PrintCollector::new(given.unwrap_or(Scheme::SD1))).finish()
}

fn no_room(count: usize) -> PyErr {
    PyMemoryError::new_err(format!("there is no room for a copy of {count} fingerprints"))
}

fn one_dimension(dimensions: usize) -> PyResult<()> {
    match dimensions {
        1 => Ok(()),
        other => {
            Err(invalid(format_args!("fingerprints are an array of one dimension, not of {other}")))
        }
    }
}

/// The scheme that the data names, which the caller may not contradict.
fn chosen(named: Option<Scheme>, given: Option<Scheme>) -> PyResult<Scheme> {
    match (named, given) {
        (Some(named), Some(given)) if named != given => {
            Err(invalid(format_args!("the fingerprints are of {named}, not of {given}")))
        }
        (Some(scheme), _) | (None, Some(scheme)) => Ok(scheme),
        (None, None) => Ok(Scheme::SD1),
    }
}

/// Fingerprints as they come, with the positions of those that are there.
struct PrintCollector {
    set: PrintSet,
    positions: Vec<u32>,
    /// Values met, nulls among them.
    met: usize,
}

impl PrintCollector {
    fn new(scheme: Scheme) -> Self {
        Self { set: PrintSet::new(scheme), positions: Vec::new(), met: 0 }
    }

    fn skip(&mut self) {
        self.met += 1;
    }

    fn push(&mut self, value: &Value) -> PyResult<()> {
        let position =
            u32::try_from(self.met).map_err(|_| invalid("there are 2^32 values or more"))?;
        self.set.push_numbered(value).map_err(|error| refused(&error))?;
        self.positions.push(position);
        self.met += 1;
        Ok(())
    }

    fn push_word(&mut self, word: u64) -> PyResult<()> {
        let scheme = self.set.scheme();
        let wide = || invalid(format_args!("{scheme} has no fingerprints of 64 bits"));
        self.push(&Value::from_u64(scheme, word).ok_or_else(wide)?)
    }

    fn push_array(&mut self, array: &ArrayRef) -> PyResult<()> {
        let valid = |at: usize| array.is_valid(at);
        let scheme = self.set.scheme();
        match array.data_type() {
            DataType::UInt64 => {
                for (at, &word) in array.as_primitive::<UInt64Type>().values().iter().enumerate() {
                    if valid(at) { self.push_word(word)? } else { self.skip() }
                }
            }
            DataType::Int64 => {
                for (at, &word) in array.as_primitive::<Int64Type>().values().iter().enumerate() {
                    if valid(at) { self.push_word(word.cast_unsigned())? } else { self.skip() }
                }
            }
            DataType::FixedSizeBinary(size) => {
                let (values, wanted) = (array.as_fixed_size_binary(), scheme.bytes());
                let other = || {
                    invalid(format_args!(
                        "a fingerprint of {scheme} has {wanted} bytes, not {size}"
                    ))
                };
                for at in 0..array.len() {
                    if valid(at) {
                        self.push(&Value::from_bytes(scheme, values.value(at)).ok_or_else(other)?)?;
                    } else {
                        self.skip();
                    }
                }
            }
            DataType::Null => self.met += array.len(),
            other => {
                return Err(wrong_type(format_args!(
                    "a column of {other} is no column of fingerprints: uint64, or fixed-size binary of wider ones"
                )));
            }
        }
        Ok(())
    }

    fn finish(self) -> PyResult<Prints> {
        let positions = (self.positions.len() < self.met).then_some(self.positions);
        Ok(Prints { set: self.set, positions, met: self.met })
    }
}
