//! The log: a line of JSON for each request and event. Lines are written by a thread of their own, so that nothing
//! waits for whoever reads them; what it cannot take is counted and said.
//!
//! A line has the path of a request without its parameters, which may be addresses that somebody looked at, and the id
//! of a token, which is not a secret.

use std::fmt;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::clock::{date, now};
use crate::problem_kind::ProblemKind;

/// Lines that wait to be written; further ones are dropped.
const WAITING: usize = 4096;

/// Which requests are logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogLevel {
    /// Those that were answered with a fault of the server (5xx), and events that somebody has to look at.
    Faults,
    /// The same, and those that were refused (4xx).
    Problems,
    /// All, and events of everyday.
    Requests,
}

/// What takes the lines.
type Sink = dyn Fn(&[u8]) + Send + Sync;

/// Where the log goes, and what is in it.
#[derive(Clone)]
pub struct LogSettings {
    level: LogLevel,
    sink: Arc<Sink>,
}

impl LogSettings {
    /// Lines, each with its end, are passed to `sink` one after the other, on a thread of their own.
    pub fn new(level: LogLevel, sink: impl Fn(&[u8]) + Send + Sync + 'static) -> Self {
        Self { level, sink: Arc::new(sink) }
    }

    /// Lines on standard error. Whatever cannot be written is lost.
    #[must_use]
    pub fn to_standard_error(level: LogLevel) -> Self {
        Self::new(level, |line| drop(std::io::stderr().write_all(line)))
    }
}

impl fmt::Debug for LogSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LogSettings").field("level", &self.level).finish_non_exhaustive()
    }
}

/// A request that was answered.
#[derive(Serialize)]
pub(crate) struct RequestLine<'r> {
    pub(crate) request_id: &'r str,
    pub(crate) method: &'r str,
    /// Without parameters.
    pub(crate) path: &'r str,
    pub(crate) status: u16,
    pub(crate) seconds: f64,
    /// The id of its token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) token: Option<&'r str>,
    /// The kind of the problem that it was answered with, and what happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) problem: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) detail: Option<&'r str>,
}

/// Something that happened to the server itself.
#[derive(Serialize)]
struct EventLine<'e> {
    event: &'e str,
    detail: &'e str,
}

#[derive(Serialize)]
struct Line<'l, T> {
    time: String,
    level: &'l str,
    #[serde(flatten)]
    rest: T,
}

/// What was refused for want of room.
#[derive(Default)]
struct Overload {
    /// When a line said so.
    last: Option<Instant>,
    /// How often since.
    since: u64,
}

/// The least time between two lines about it.
const OVERLOAD_PAUSE: Duration = Duration::from_secs(1);

/// The log of a server; without settings, nothing is written.
#[derive(Default)]
pub(crate) struct Log {
    level: Option<LogLevel>,
    lines: Option<SyncSender<Vec<u8>>>,
    dropped: AtomicU64,
    overload: Mutex<Overload>,
    writer: Option<std::thread::JoinHandle<()>>,
}

impl Log {
    pub(crate) fn open(settings: Option<&LogSettings>) -> Self {
        let Some(LogSettings { level, sink }) = settings.cloned() else { return Self::default() };
        let (lines, waiting): (_, Receiver<Vec<u8>>) = sync_channel(WAITING);
        let write = move || waiting.iter().for_each(|line| sink(&line));
        let writer = std::thread::Builder::new().name("nearprint-log".to_owned()).spawn(write).ok();
        Self {
            level: Some(level),
            lines: Some(lines),
            dropped: AtomicU64::new(0),
            overload: Mutex::default(),
            writer,
        }
    }

    fn takes(&self, least: LogLevel) -> bool {
        self.level.is_some_and(|level| level as u8 >= least as u8)
    }

    /// Logs a request, if the level says so.
    pub(crate) fn request(&self, line: &RequestLine<'_>) {
        let (name, least) = match line.status {
            500.. => ("error", LogLevel::Faults),
            400.. => ("warning", LogLevel::Problems),
            _ => ("info", LogLevel::Requests),
        };
        if line.problem == Some(ProblemKind::Overloaded.known().name) {
            return self.overload(line.detail.unwrap_or_default());
        }
        if self.takes(least) {
            self.write(name, line);
        }
    }

    /// Logs that something was refused for want of room: once a second, with how often since.
    pub(crate) fn overload(&self, detail: &str) {
        let now = Instant::now();
        let mut overload = self.overload.lock().unwrap_or_else(PoisonError::into_inner);
        overload.since += 1;
        if overload.last.is_some_and(|last| now - last < OVERLOAD_PAUSE) {
            return;
        }
        let times = std::mem::take(&mut overload.since);
        overload.last = Some(now);
        drop(overload);
        self.event(
            "error",
            "overloaded",
            &format!("{detail} ({times} refused since the last line)"),
        );
    }

    /// Logs an event: at every level, unless it is for information only.
    pub(crate) fn event(&self, level: &'static str, event: &str, detail: &str) {
        let least = match level {
            "error" | "warning" => LogLevel::Faults,
            _ => LogLevel::Requests,
        };
        if self.takes(least) {
            self.write(level, &EventLine { event, detail });
        }
    }

    fn write(&self, level: &str, rest: &impl Serialize) {
        let Some(lines) = &self.lines else { return };
        let send = |line: Vec<u8>| match lines.try_send(line) {
            Err(TrySendError::Full(_)) => {
                self.dropped.fetch_add(1, Ordering::Relaxed);
            }
            Ok(()) | Err(TrySendError::Disconnected(_)) => {}
        };
        let dropped = self.dropped.swap(0, Ordering::Relaxed);
        if dropped > 0 {
            let detail = format!("{dropped} lines were not written, because nobody took them");
            send(line_of("warning", &EventLine { event: "log-lines-dropped", detail: &detail }));
        }
        send(line_of(level, rest));
    }
}

fn line_of(level: &str, rest: &impl Serialize) -> Vec<u8> {
    let line = Line { time: date(now()), level, rest };
    let mut bytes = serde_json::to_vec(&line).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

impl Drop for Log {
    /// What was logged is written.
    fn drop(&mut self) {
        self.lines = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}
