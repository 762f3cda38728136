//! Keyword arguments about how documents are read and what the work may take: the same of every function.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use nearprint::extract::{Hints, Limits, is_charset, is_media_type};
use nearprint::fingerprint::Scheme;
use nearprint::records::{CaptureIds, Delimiter, FileSettings, Selection};
use nearprint::worker::{Isolation, PoolOptions};
use nearprint::{Engine, EngineSettings, InputFormat, InputSettings, Settings};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyDictMethods};

use crate::engine::DocumentReader;
use crate::error::{invalid, wrong_type};

/// What they come to.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    pub(crate) input: InputSettings,
    engine: EngineSettings,
    hints: Hints,
    limits: Limits,
}

impl Options {
    pub(crate) fn of(py: Python<'_>, given: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut options = Self {
            input: InputSettings::default(),
            engine: EngineSettings::default().workers(workers(py)?),
            hints: Hints::default(),
            limits: Limits::default(),
        };
        let mut files = Files::default();
        for (name, value) in given.into_iter().flat_map(PyDictMethods::iter) {
            let name: String = name.extract()?;
            options.set(&name, &value, &mut files).map_err(|error| {
                // Which argument it is, where Python says only which type.
                if error.is_instance_of::<PyTypeError>(py) && !error.to_string().contains(&name) {
                    return PyTypeError::new_err(format!("argument '{name}': {}", error.value(py)));
                }
                error
            })?;
        }
        options.input.files = files.settings(options.limits.max_input_bytes)?;
        options.input.reading.max_bytes = options.limits.max_input_bytes;
        options.input.reading.max_ratio = options.limits.max_expansion_ratio;
        Ok(options)
    }

    fn set(&mut self, name: &str, value: &Bound<'_, PyAny>, files: &mut Files) -> PyResult<()> {
        let fields = &mut self.input.reading.fields;
        match name {
            "threads" => self.engine.threads = threads(value)?,
            "memory" => self.engine.memory = value.extract()?,
            "temp" => self.engine.temp = value.extract()?,
            "charset" => {
                let label: String = value.extract()?;
                if !is_charset(&label) {
                    return Err(invalid(format_args!("{label:.40} is no charset's label")));
                }
                self.input.reading.form.charset = Some(label.clone());
                self.hints.explicit_charset = Some(label);
            }
            "media_type" => {
                let named: String = value.extract()?;
                if !is_media_type(&named) {
                    return Err(invalid(format_args!("{named:.80} is no media type that is read")));
                }
                self.hints.media_type = Some(named);
            }
            "password" => self.hints.password = value.extract()?,
            "main_content" => self.hints.main_content = value.extract()?,
            "max_bytes" => self.limits.max_input_bytes = value.extract()?,
            "limits" => {
                for (name, number) in value.cast::<PyDict>()?.iter() {
                    let (name, number): (String, u64) = (name.extract()?, number.extract()?);
                    self.limits.set(&name, number).map_err(invalid)?;
                }
            }
            "isolate" => {
                self.engine.isolation = match value.extract::<String>()?.as_str() {
                    "everything" => Isolation::Everything,
                    "heavy" => Isolation::Heavy,
                    "never" => Isolation::Never,
                    _ => return Err(invalid("isolate is everything, heavy or never")),
                };
            }
            "worker_memory" => self.engine.workers.memory_bytes = value.extract()?,
            "input_format" => {
                self.input.format =
                    value.extract::<String>()?.parse::<InputFormat>().map_err(invalid)?;
            }
            "id_field" => fields.id = value.extract()?,
            "text_field" => fields.text = value.extract()?,
            "html_field" => fields.html = value.extract()?,
            "delimiter" => {
                let given: Option<String> = value.extract()?;
                let given = given.map(|text| text.parse::<Delimiter>().map_err(invalid));
                self.input.reading.form.delimiter = given.transpose()?;
            }
            "no_header" => self.input.reading.form.no_header = value.extract()?,
            "capture_ids" => {
                self.input.reading.ids = match value.extract::<String>()?.as_str() {
                    "record" => CaptureIds::Record,
                    "url" => CaptureIds::Url,
                    "url-date" => CaptureIds::DateAndUrl,
                    _ => return Err(invalid("capture_ids is record, url or url-date")),
                };
            }
            "any_status" => self.input.reading.any_status = value.extract()?,
            "include" => files.include = value.extract()?,
            "exclude" => files.exclude = value.extract()?,
            "hidden" => files.hidden = value.extract()?,
            "follow" => files.follow = value.extract()?,
            _ => {
                let text = format!("unexpected keyword argument '{name:.60}'");
                return Err(PyTypeError::new_err(text));
            }
        }
        Ok(())
    }

    /// The engine of one call. Its workers and threads end with the call, so that a process may fork between two.
    pub(crate) fn engine(&self) -> Engine {
        let EngineSettings { threads, workers, .. } = &self.engine;
        let workers =
            PoolOptions { workers: threads.unwrap_or(workers.workers), ..workers.clone() };
        Engine::new(self.engine.clone().workers(workers))
    }

    /// How one call reads documents.
    pub(crate) fn reading(&self, scheme: Scheme) -> DocumentReader {
        let (hints, limits) = (self.hints.clone(), self.limits.clone());
        let settings = Settings::default().scheme(scheme).hints(hints).limits(limits);
        DocumentReader { engine: self.engine(), settings }
    }
}

/// Which files are taken of directories.
#[derive(Debug, Default)]
struct Files {
    include: Vec<String>,
    exclude: Vec<String>,
    hidden: bool,
    follow: bool,
}

impl Files {
    fn settings(&self, max_bytes: u64) -> PyResult<FileSettings> {
        let selection = Selection::new()
            .include(&self.include)
            .and_then(|selection| selection.exclude(&self.exclude))
            .map_err(invalid)?
            .hidden(self.hidden);
        Ok(FileSettings { selection, follow_links: self.follow, max_bytes })
    }
}

/// A number of threads; `None` for all processors.
pub(crate) fn threads(given: &Bound<'_, PyAny>) -> PyResult<Option<NonZeroUsize>> {
    if given.is_none() {
        return Ok(None);
    }
    let Ok(number) = given.extract::<i64>() else {
        let kind = given.get_type().name()?;
        return Err(wrong_type(format_args!("threads is a number or None, not {kind}")));
    };
    let threads = usize::try_from(number).ok().and_then(NonZeroUsize::new);
    let none =
        || invalid(format_args!("threads is 1 or more, or None for all processors, not {number}"));
    threads.map(Some).ok_or_else(none)
}

/// Workers by the executable that belongs to the package.
fn workers(py: Python<'_>) -> PyResult<PoolOptions> {
    let executable: Option<PathBuf> =
        py.import("nearprint._worker")?.call_method0("executable")?.extract()?;
    Ok(executable.map_or_else(PoolOptions::located, PoolOptions::new))
}
