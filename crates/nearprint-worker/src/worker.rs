//! One worker process as the host sees it: started, greeted, asked, ended.

use std::ffi::OsString;
use std::io::Read;
use std::path::Path;
use std::process::{ChildStderr, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use nearprint_extract::Limits;

use crate::death::Death;
use crate::frame::{self, Answer, Hello, ReadError, Settings, WorkerState};
use crate::keeper::{Keeper, Watch, WorkerProcess};
use crate::link::Link;
use crate::options::PoolOptions;
use crate::protection::Protections;
use crate::start_error::StartError;
use crate::stop::StopSignal;

/// Time a worker has to say hello and to set its limits: milliseconds on any machine that is not drowning.
pub(crate) const START_LIMIT: Duration = Duration::from_secs(60);

/// Bytes of a dead worker's standard error that are kept.
const LAST_WORDS_BYTES: u64 = 2048;

/// Why a document has no answer.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The worker was gone before it had the whole document, so no parser has seen any of it.
    Undelivered,
    /// The worker had the document, and its answer did not come.
    Unanswered,
    /// Something came that is not an answer.
    Foreign(String),
}

impl Fault {
    /// What came instead of an answer.
    pub(crate) fn foreign(self) -> Option<String> {
        match self {
            Self::Foreign(what) => Some(what),
            Self::Undelivered | Self::Unanswered => None,
        }
    }
}

/// A process that is ready for documents.
#[derive(Debug)]
pub(crate) struct Worker {
    watch: Arc<Watch>,
    link: Link,
    stderr: Option<ChildStderr>,
    /// Documents sent.
    documents: u64,
    resident_at_start: u64,
    /// What it said last about itself.
    state: WorkerState,
    held: Protections,
}

impl Worker {
    /// Starts the executable and waits until it has its limits, `memory` bytes of address space among them.
    pub(crate) fn start(
        keeper: &Keeper,
        executable: &Path,
        options: &PoolOptions,
        memory: u64,
    ) -> Result<Self, StartError> {
        let WorkerProcess { watch, link, stderr } =
            keeper.spawn(command(executable, &options.arguments)).map_err(|error| {
                StartError::NotRunnable { executable: executable.to_owned(), error }
            })?;
        let mut worker = Self {
            watch,
            link,
            stderr,
            documents: 0,
            resident_at_start: 0,
            state: WorkerState { resident: 0, is_spent: false },
            held: Protections::default(),
        };
        worker.watch.begin(START_LIMIT, None);
        match worker.greet(options, memory) {
            Ok(hello) if !hello.is_ours() => Err(StartError::OtherRelease {
                executable: executable.to_owned(),
                protocol: hello.version,
                release: hello.release,
            }),
            Ok(_) if !worker.watch.finish() => Ok(worker),
            outcome => {
                let foreign = match outcome {
                    Err(ReadError::Foreign(what)) => Some(what),
                    _ => None,
                };
                let how = worker.end(foreign).describe(options);
                Err(StartError::Failed { executable: executable.to_owned(), how })
            }
        }
    }

    fn greet(&mut self, options: &PoolOptions, memory: u64) -> Result<Hello, ReadError> {
        let hello = Hello::read(&mut self.link)?;
        if hello.is_ours() {
            let settings = Settings { memory, cpu_seconds: options.cpu_seconds };
            settings.write(&mut self.link)?;
            let ready = frame::read_ready(&mut self.link)?;
            (self.resident_at_start, self.state.resident) = (ready.resident, ready.resident);
            self.held = ready.held;
        }
        Ok(hello)
    }

    /// Whether the process is there still: it may have been killed while it had nothing to do.
    pub(crate) fn is_alive(&self) -> bool {
        self.watch.is_alive()
    }

    /// Sends a document and waits for its answer, until `stop` is given. After a fault the worker is to be ended.
    pub(crate) fn ask(
        &mut self,
        document: &[u8],
        head: &[u8],
        limits: &Limits,
        wall: Duration,
        stop: Option<&StopSignal>,
    ) -> Result<Answer, Fault> {
        self.documents += 1;
        let serial = frame::random_serial();
        self.watch.begin(wall, stop);
        frame::write_request(&mut self.link, serial, head, document)
            .map_err(|_| Fault::Undelivered)?;
        let answer = frame::read_answer(&mut self.link, serial, document.len() as u64, limits)
            .map_err(|error| match error {
                ReadError::Stream(_) => Fault::Unanswered,
                ReadError::Foreign(what) => Fault::Foreign(what),
            })?;
        self.watch.finish();
        self.state = answer.worker;
        Ok(answer)
    }

    /// Whether it has done enough, used its time or grown too much.
    pub(crate) fn is_spent(&self, options: &PoolOptions) -> bool {
        self.documents >= options.retire_after_documents
            || self.state.is_spent
            || self.state.resident.saturating_sub(self.resident_at_start)
                > options.retire_after_growth
    }

    /// What confines it besides its limits.
    pub(crate) fn protections(&self) -> Protections {
        self.held
    }

    /// Kills the process if need be, reaps it, and says how it ended.
    pub(crate) fn end(self, foreign: Option<String>) -> Death {
        let (status, overdue) = self.watch.end();
        let mut words = Vec::new();
        if let Some(stderr) = self.stderr {
            // The process is gone, so this ends.
            let _ = stderr.take(LAST_WORDS_BYTES).read_to_end(&mut words);
        }
        Death { status, overdue, foreign, last_words: one_line(&words) }
    }
}

/// What a dying process wrote, fit for a line of a record.
fn one_line(words: &[u8]) -> String {
    let words = String::from_utf8_lossy(words);
    let mut line = String::new();
    for part in words.split(|c: char| c.is_control() || c.is_whitespace()).filter(|p| !p.is_empty())
    {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(part);
    }
    line
}

fn command(executable: &Path, arguments: &[OsString]) -> Command {
    let mut command = Command::new(executable);
    command.args(arguments).stderr(Stdio::piped());
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        // Ctrl-C is for the host, which may want to end its documents in peace.
        command.process_group(0);
        // Nothing of the host's surroundings: no secrets, no settings, and one arena of memory, so that the
        // limit on address space is not spent on reservations.
        command.env_clear().env("MALLOC_ARENA_MAX", "1");
        command.current_dir("/");
    }
    command
}
