//! Documents one after the other, as an iterator: read, extracted and fingerprinted ahead on all cores.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use nearprint::CancelFlag;
use nearprint::records::{FingerprintRecord, Outcome, Source};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::capsule::is_arrow;
use crate::data::{Data, Documents, paths};
use crate::engine::{self, DocumentReader};
use crate::error::{Class, wrong_type};
use crate::fingerprint::Fingerprint;
use crate::job::{Job, said};
use crate::json::to_python;
use crate::options::Options;
use crate::scheme::scheme;

/// Documents that are read ahead of whoever takes them.
const AHEAD: usize = 64;

/// Time between two looks at signals.
const LOOK: Duration = Duration::from_millis(50);

#[doc = stub!(Record)]
#[pyclass(frozen, module = "nearprint", name = "Record")]
#[derive(Debug)]
pub(crate) struct Record {
    record: FingerprintRecord,
    #[doc = stub!(Record.text)]
    #[pyo3(get)]
    text: Option<String>,
}

#[pymethods]
impl Record {
    #[doc = stub!(Record.id)]
    #[getter]
    fn id(&self) -> &str {
        self.record.id.as_str()
    }

    #[doc = stub!(Record.fingerprint)]
    #[getter]
    fn fingerprint(&self) -> Option<Fingerprint> {
        match &self.record.outcome {
            Outcome::Print { fingerprint, .. } => Some(Fingerprint(fingerprint.clone())),
            Outcome::Nothing { .. } => None,
        }
    }

    #[doc = stub!(Record.tokens)]
    #[getter]
    fn tokens(&self) -> Option<u64> {
        match &self.record.outcome {
            Outcome::Print { tokens, .. } => Some(*tokens),
            Outcome::Nothing { .. } => None,
        }
    }

    #[doc = stub!(Record.reason)]
    #[getter]
    fn reason(&self) -> Option<&str> {
        match &self.record.outcome {
            Outcome::Print { .. } => None,
            Outcome::Nothing { reason, .. } => Some(reason.as_str()),
        }
    }

    #[doc = stub!(Record.detail)]
    #[getter]
    fn detail(&self) -> Option<&str> {
        match &self.record.outcome {
            Outcome::Print { .. } => None,
            Outcome::Nothing { detail, .. } => Some(detail),
        }
    }

    #[doc = stub!(Record.place)]
    #[getter]
    fn place(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        to_python(py, &self.record.place)
    }

    #[doc = stub!(Record.extraction)]
    #[getter]
    fn extraction(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        to_python(py, &self.record.extraction)
    }

    #[doc = stub!(Record.content_sha256)]
    #[getter]
    fn content_sha256(&self) -> Option<String> {
        self.record.digests.as_ref()?.content.map(|digest| digest.to_string())
    }

    #[doc = stub!(Record.text_sha256)]
    #[getter]
    fn text_sha256(&self) -> Option<String> {
        self.record.digests.as_ref()?.text.map(|digest| digest.to_string())
    }

    fn __repr__(&self) -> String {
        match &self.record.outcome {
            Outcome::Print { fingerprint, .. } => {
                format!("<nearprint.Record {} {fingerprint:.20}>", self.record.id)
            }
            Outcome::Nothing { reason, .. } => {
                format!(
                    "<nearprint.Record {} without a fingerprint: {}>",
                    self.record.id,
                    reason.as_str()
                )
            }
        }
    }
}

#[doc = stub!(Reader)]
#[pyclass(frozen, module = "nearprint", name = "Reader")]
#[derive(Debug)]
pub(crate) struct Reader {
    records: Mutex<Receiver<Record>>,
    /// The thread that reads, until it was seen to end.
    thread: Mutex<Option<JoinHandle<()>>>,
    cancel: CancelFlag,
    /// The process that reads; a fork of it has none of its threads.
    process: u32,
}

#[pymethods]
impl Reader {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Record>> {
        if self.process != std::process::id() {
            return Err(Class::Resource.error(
                "the documents are read by another process: call read() again in this one",
            ));
        }
        loop {
            let next = py.detach(|| {
                let records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
                records.recv_timeout(LOOK)
            });
            match next {
                Ok(record) => return Ok(Some(record)),
                Err(RecvTimeoutError::Disconnected) => return self.ended(py).map(|()| None),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            }
        }
    }

    #[doc = stub!(Reader.close)]
    fn close(&self) {
        self.cancel.cancel();
    }
}

impl Reader {
    /// An error where the thread that reads ended by a panic: there may be more documents.
    fn ended(&self, py: Python<'_>) -> PyResult<()> {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        match thread.map(|thread| py.detach(|| thread.join())) {
            Some(Err(panic)) => Err(Class::Internal
                .error(format_args!("reading ended before the last document: {}", said(&*panic)))),
            _ => Ok(()),
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

#[doc = stub!(read)]
#[pyfunction]
#[pyo3(signature = (data, scheme="sd1", *, digests=false, **options))]
pub(crate) fn read(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    scheme: &str,
    digests: bool,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Reader> {
    let (scheme, options) = (self::scheme(scheme)?, Options::of(py, options)?);
    let other = || wrong_type("read takes a path, a list of paths, or a table");
    let documents = match paths(data)? {
        Some(paths) => Documents::Paths(paths),
        None if is_arrow(data)? => match Data::of_object(data, None)? {
            Data::Documents(documents) => documents,
            Data::Prints(_) => return Err(other()),
        },
        None => return Err(other()),
    };
    let source = documents.source(&options, None)?;
    let (send, receive) = sync_channel(AHEAD);
    let job = Job::default();
    let (cancel, mut reading) = (job.cancel.clone(), options.reading(scheme));
    reading.settings.digests = digests;
    let work = move || read_all(&reading, source, &job, &send);
    let spawned = std::thread::Builder::new().name("nearprint-read".into()).spawn(work);
    let thread = spawned.map_err(|error| {
        Class::Resource.error(format_args!("the system gives no thread to read with ({error})"))
    })?;
    Ok(Reader {
        records: Mutex::new(receive),
        thread: Mutex::new(Some(thread)),
        cancel,
        process: std::process::id(),
    })
}

fn read_all(
    reading: &DocumentReader,
    mut source: Box<dyn Source>,
    job: &Job,
    send: &SyncSender<Record>,
) {
    // An error here means that nobody takes records any more, which ends the work.
    let _ = engine::records(reading, &mut *source, job, |record, text| {
        send.send(Record { record, text }).map_err(drop)
    });
}
