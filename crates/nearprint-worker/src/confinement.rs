//! The limits a worker puts on itself, and how it notices that its host is gone.
//!
//! Set from inside after the start, so that the host needs no unsafe code between fork and exec, and so that a
//! limit the system refuses is known before the first document.

use std::fs::File;
use std::hint::black_box;
use std::io::{self, Write};
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::fs::FileExt;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};

use crate::frame::Settings;

/// Documents that may use all their CPU time in the life of one worker.
const DOCUMENTS_OF_TIME: u64 = 4;

/// Seconds of a worker's life that whole seconds cost: the one that has begun, and those at which it is replaced.
const ROUNDED_SECONDS: u64 = 3;

/// Bytes that must be left for the first document.
const ROOM_BYTES: usize = 1 << 20;

/// The worker's two streams, out of reach of anything that fingerprints.
pub(crate) struct Streams {
    pub(crate) input: File,
    pub(crate) output: File,
}

/// Takes the streams away from everybody else: what is printed goes nowhere from now on, and what is said on
/// standard error never waits for anyone to read it.
pub(crate) fn take_streams() -> io::Result<Streams> {
    let input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    rustix::stdio::dup2_stdout(File::options().write(true).open("/dev/null")?)?;
    let flags = fcntl_getfl(io::stderr())?;
    fcntl_setfl(io::stderr(), flags | OFlags::NONBLOCK)?;
    Ok(Streams { input, output })
}

/// Asks the kernel to end this process with its host, where the kernel can. Where it cannot there is still
/// [`wait_for_end`].
pub(crate) fn die_with_host() -> bool {
    #[cfg(target_os = "linux")]
    {
        let kill = Some(rustix::process::Signal::KILL);
        rustix::process::set_parent_process_death_signal(kill).is_ok()
    }
    #[cfg(not(target_os = "linux"))]
    false
}

/// Returns once the host has closed the stream or is gone, even while a document is being read.
pub(crate) fn wait_for_end() {
    let stdin = io::stdin();
    loop {
        let mut watched = [PollFd::new(&stdin, PollFlags::empty())];
        match poll(&mut watched, None) {
            Err(error) if error != rustix::io::Errno::INTR => return,
            Ok(_) if !watched[0].revents().is_empty() => return,
            _ => {}
        }
    }
}

/// Files that must be opened while files can be opened.
pub(crate) struct OpenFiles {
    /// `/proc/self/statm`.
    statm: Option<File>,
    page_bytes: u64,
}

impl OpenFiles {
    /// Opens them, and does what needs other files.
    pub(crate) fn new() -> Self {
        // Where memory really ends, the kernel should take a worker and not its host.
        if let Ok(mut score) = File::options().write(true).open("/proc/self/oom_score_adj") {
            let _ = score.write_all(b"1000");
        }
        // The first time, both may read a file to learn how the kernel answers.
        let page_bytes = rustix::param::page_size() as u64;
        cpu_seconds_used();
        Self { statm: File::open("/proc/self/statm").ok(), page_bytes }
    }
}

/// The limits in force.
pub(crate) struct Confinement {
    opened: OpenFiles,
    time: Time,
    /// The hard limit on CPU time; it may have been lower before.
    cpu_maximum: Option<u64>,
}

/// What CPU time a worker has, in whole seconds since its start.
#[derive(Debug, Clone, Copy)]
struct Time {
    /// For one document.
    document: u64,
    /// The end of its life, beyond which the kernel kills it.
    end: u64,
}

impl Time {
    fn new(used: u64, document: u32) -> Self {
        let document = u64::from(document);
        Self { document, end: used + DOCUMENTS_OF_TIME * document + ROUNDED_SECONDS }
    }

    /// The end of a document that begins now. The second that has begun is on the house.
    fn document_end(self, used: u64) -> u64 {
        used + 1 + self.document
    }

    /// Whether a document that begins now would not have all its time.
    fn is_spent(self, used: u64) -> bool {
        self.document_end(used) >= self.end
    }
}

impl Confinement {
    /// Sets every limit but that on CPU time, which begins with each document.
    pub(crate) fn enter(settings: Settings, opened: OpenFiles) -> io::Result<Self> {
        limit(Resource::Core, 0)?;
        limit(Resource::Fsize, 0)?;
        // AddressSanitizer maps terabytes at its start, before there is a limit (scripts/sanitize.sh).
        if !cfg!(nearprint_sanitized) {
            limit(Resource::As, settings.memory)?;
        }
        let open = opened.statm.as_ref().map_or(-1, AsRawFd::as_raw_fd).max(4) + 1;
        // Descriptors from 0 to the last one used: none is left for a file or a connection.
        limit(Resource::Nofile, open.unsigned_abs().into())?;
        // A parser that lengthens its own time, or ignores the signal, has no more than this.
        let time = Time::new(cpu_seconds_used(), settings.cpu_seconds);
        limit(Resource::Cpu, time.end)?;
        // Where even this does not fit, no document will: better known now.
        drop(black_box(Vec::<u8>::with_capacity(ROOM_BYTES)));
        Ok(Self { opened, time, cpu_maximum: getrlimit(Resource::Cpu).maximum })
    }

    /// Allows the CPU time of one more document. The kernel ends the process (SIGXCPU) beyond it.
    pub(crate) fn begin_document(&self) -> io::Result<()> {
        let current = self.time.document_end(cpu_seconds_used());
        let current = self.cpu_maximum.map_or(current, |maximum| current.min(maximum));
        setrlimit(Resource::Cpu, Rlimit { current: Some(current), maximum: self.cpu_maximum })?;
        Ok(())
    }

    /// Whether another document would have less than its CPU time.
    pub(crate) fn is_spent(&self) -> bool {
        self.time.is_spent(cpu_seconds_used())
    }

    /// Bytes resident now, 0 if the system does not say.
    pub(crate) fn resident(&self) -> u64 {
        let mut line = [0; 128];
        self.opened
            .statm
            .as_ref()
            .and_then(|statm| statm.read_at(&mut line, 0).ok())
            .and_then(|length| str::from_utf8(&line[..length]).ok())
            .and_then(|line| line.split(' ').nth(1)?.parse::<u64>().ok())
            .map_or(0, |pages| pages.saturating_mul(self.opened.page_bytes))
    }
}

fn cpu_seconds_used() -> u64 {
    clock_gettime(ClockId::ProcessCPUTime).tv_sec.unsigned_abs()
}

/// Lowers a limit for good; never beyond what the system allows already.
fn limit(resource: Resource, value: u64) -> io::Result<()> {
    let value = getrlimit(resource).maximum.map_or(value, |maximum| maximum.min(value));
    setrlimit(resource, Rlimit { current: Some(value), maximum: Some(value) })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Time;

    #[test]
    fn a_worker_is_replaced_before_its_life_ends() {
        let time = Time::new(7, 120);
        assert_eq!(time.end, 490);
        assert_eq!(time.document_end(7), 128);
        // The limit of a document stays below that of the life: reaching the latter is not an ordinary death.
        for used in 7..=490 {
            assert_eq!(time.is_spent(used), time.document_end(used) >= 490, "{used}");
        }
        assert!(!time.is_spent(7 + 3 * 120));
        assert!(time.is_spent(7 + 4 * 120));
        let none = Time::new(0, 0);
        assert!(!none.is_spent(1) && none.is_spent(2));
    }
}
