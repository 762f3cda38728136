//! The text of one document.

use nearprint::extract::Extraction as Found;
use nearprint::fingerprint::Scheme;
use nearprint::records::{Document, DocumentId, FileSettings, FileSource, InputFile};
use nearprint::{InputSettings, expect_one_document};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyString};

use crate::engine;
use crate::error::{invalid, of_document, wrong_type};
use crate::job::run;
use crate::json::to_python;
use crate::known_passages::KnownPassages;
use crate::options::Options;

#[doc = stub!(Extraction)]
#[pyclass(frozen, module = "nearprint", name = "Extraction")]
#[derive(Debug)]
pub(crate) struct Extraction(Found);

#[pymethods]
impl Extraction {
    #[doc = stub!(Extraction.text)]
    #[getter]
    fn text(&self) -> &str {
        &self.0.text
    }

    #[doc = stub!(Extraction.media_type)]
    #[getter]
    fn media_type(&self) -> &str {
        &self.0.record.media_type
    }

    #[doc = stub!(Extraction.record)]
    #[getter]
    fn record(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        to_python(py, &self.0.record)
    }

    fn __str__(&self) -> &str {
        &self.0.text
    }

    fn __repr__(&self) -> String {
        let (characters, media_type) = (self.0.record.characters, &self.0.record.media_type);
        format!("<nearprint.Extraction of {characters} characters from {media_type}>")
    }
}

#[doc = stub!(extract)]
#[pyfunction]
#[pyo3(signature = (source, *, without=None, **options))]
pub(crate) fn extract(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    without: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Extraction> {
    let known = without.map(KnownPassages::of).transpose()?;
    let options = Options::of(py, options)?;
    let document = document(py, source, &options)?;
    let mut reading = options.reading(Scheme::SD1);
    reading.settings = reading.settings.with_furniture();
    let found = run(py, None, |job| engine::extract(&reading, document, job))?;
    let mut found = found.map_err(|error| of_document(py, &error))?;
    if let Some(known) = known {
        found.text = known.get().left(py, &found.text);
    }
    Ok(Extraction(found))
}

/// The one document that an argument is: a path, bytes, or a file that is open for reading bytes.
pub(crate) fn document(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    options: &Options,
) -> PyResult<Document> {
    if source.is_instance_of::<PyString>() || source.hasattr("__fspath__")? {
        let path: std::path::PathBuf = source.extract()?;
        if path.is_dir() {
            let name = path.display();
            return Err(invalid(format_args!("{name} is a directory; name one document")));
        }
        if let Some(mut file) = path.is_file().then(|| InputFile::open(&path).ok()).flatten() {
            expect_one_document(&mut file, &InputSettings::default()).map_err(invalid)?;
        }
        let max_bytes = options.input.files.max_bytes;
        let settings = FileSettings { max_bytes, ..FileSettings::default() };
        let found = FileSource::new([path], settings).next();
        let gone = || invalid("the file went away");
        return found.ok_or_else(gone)?.map_err(|error| of_document(py, &error));
    }
    let bytes: Vec<u8> = if let Ok(bytes) = source.cast::<PyBytes>() {
        bytes.as_bytes().to_vec()
    } else if let Ok(bytes) = source.cast::<PyByteArray>() {
        bytes.to_vec()
    } else if source.hasattr("read")? {
        let read = source.call_method0("read")?;
        let text = |_| wrong_type("the file is open for text: open it for bytes, with mode 'rb'");
        read.cast_into::<PyBytes>().map_err(text)?.as_bytes().to_vec()
    } else {
        let kind = source.get_type().name()?;
        return Err(wrong_type(format_args!("a document is a path, bytes or a file, not {kind}")));
    };
    let id = DocumentId::new("-").map_err(invalid)?;
    Ok(Document::from_bytes(id, bytes))
}
