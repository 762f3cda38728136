//! Long work without the interpreter: other threads of Python run meanwhile, Ctrl-C ends it, progress is reported.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use nearprint::CancelFlag;
use pyo3::prelude::*;
use pyo3::types::PyBool;

use crate::error::Class;

/// Time between two looks at signals and two calls of a callback.
const LOOK: Duration = Duration::from_millis(50);

/// The side of a job that does the work.
#[derive(Debug, Clone, Default)]
pub(crate) struct Job {
    /// Set where the job is to end.
    pub(crate) cancel: CancelFlag,
    progress: Arc<Mutex<Option<Progress>>>,
}

/// The progress of a job, as its callback gets it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Progress {
    /// What is counted: documents, or parts of a search.
    pub(crate) stage: &'static str,
    pub(crate) done: u64,
    pub(crate) total: Option<u64>,
}

impl Job {
    /// Notes how far the work is: cheap enough for every document.
    pub(crate) fn report(&self, progress: Progress) {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress);
    }

    fn take(&self) -> Option<Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Does `work` on a thread of its own and waits for it: Ctrl-C, and a callback that raises, cancel it, and their
/// exception is raised once it has ended.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    callback: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Job) -> T + Send,
) -> PyResult<T> {
    // Parts of work that are each shorter than LOOK, with no line of Python between them, are interrupted here.
    py.check_signals()?;
    let job = Job::default();
    let callback = meant(py, callback)?.map(Bound::unbind);
    let ended = py.detach(|| {
        std::thread::scope(|scope| {
            let (send, receive) = channel();
            let job = &job;
            // A panic becomes an exception; standard error says where it was.
            let guarded = move || {
                let _ = send.send(catch_unwind(AssertUnwindSafe(|| work(job))));
            };
            let started = std::thread::Builder::new()
                .name("nearprint-job".into())
                .spawn_scoped(scope, guarded);
            if let Err(error) = started {
                let text = format!("the system gives no thread to work with ({error})");
                return Err(Class::Resource.error(text));
            }
            let mut interrupted = None;
            loop {
                match receive.recv_timeout(LOOK) {
                    Ok(ended) => break interrupted.map_or(Ok(ended), Err),
                    Err(RecvTimeoutError::Disconnected) => {
                        break Err(Class::Internal.error("a job ended without a result"));
                    }
                    Err(RecvTimeoutError::Timeout) if interrupted.is_some() => {}
                    Err(RecvTimeoutError::Timeout) => {
                        if let Err(error) = Python::attach(|py| look(py, callback.as_ref(), job)) {
                            job.cancel.cancel();
                            interrupted = Some(error);
                        }
                    }
                }
            }
        })
    })?;
    let done = ended.map_err(|panic| {
        Class::Internal.error(format_args!("{}; please report it", said(&*panic)))
    })?;
    // The last state is reported too, so that a bar ends full.
    if let (Some(callback), Some(progress)) = (callback, job.take()) {
        call(py, &callback, progress)?;
    }
    Ok(done)
}

/// The callback that an argument means: True is a bar, False is nothing.
pub(crate) fn meant<'py>(
    py: Python<'py>,
    callback: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    match callback.map(|callback| (callback, callback.cast::<PyBool>())) {
        None => Ok(None),
        Some((_, Ok(shown))) if shown.is_true() => {
            py.import("nearprint._progress")?.call_method0("Bar").map(Some)
        }
        Some((_, Ok(_))) => Ok(None),
        Some((callback, Err(_))) => Ok(Some(callback.clone())),
    }
}

fn look(py: Python<'_>, callback: Option<&Py<PyAny>>, job: &Job) -> PyResult<()> {
    py.check_signals()?;
    match (callback, job.take()) {
        (Some(callback), Some(progress)) => call(py, callback, progress),
        _ => Ok(()),
    }
}

fn call(py: Python<'_>, callback: &Py<PyAny>, progress: Progress) -> PyResult<()> {
    callback.call1(py, (progress.stage, progress.done, progress.total)).map(drop)
}

/// What a panic said.
pub(crate) fn said(panic: &(dyn Any + Send)) -> &str {
    if let Some(text) = panic.downcast_ref::<&str>() {
        text
    } else if let Some(text) = panic.downcast_ref::<String>() {
        text
    } else {
        "a fault of nearprint's own"
    }
}
