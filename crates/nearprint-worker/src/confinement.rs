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

/// Asks the kernel to end this process with its host, where the kernel can.
pub(crate) fn die_with_host() {
    #[cfg(target_os = "linux")]
    {
        // Where it is refused there is still `wait_for_end`.
        let _ =
            rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
    }
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

/// The limits in force.
pub(crate) struct Confinement {
    /// `/proc/self/statm`, opened while files could still be opened.
    statm: Option<File>,
    page_bytes: u64,
    cpu_seconds: u32,
    cpu_maximum: Option<u64>,
}

impl Confinement {
    /// Sets every limit but that on CPU time, which begins with each document.
    pub(crate) fn enter(settings: Settings) -> io::Result<Self> {
        // Where memory really ends, the kernel should take a worker and not its host.
        if let Ok(mut score) = File::options().write(true).open("/proc/self/oom_score_adj") {
            let _ = score.write_all(b"1000");
        }
        let statm = File::open("/proc/self/statm").ok();
        limit(Resource::Core, 0)?;
        limit(Resource::Fsize, 0)?;
        limit(Resource::As, settings.memory)?;
        let open = statm.as_ref().map_or(-1, AsRawFd::as_raw_fd).max(4) + 1;
        // Descriptors from 0 to the last one used: none is left for a file or a connection.
        limit(Resource::Nofile, open.unsigned_abs().into())?;
        // Where even this does not fit, no document will: better known now.
        drop(black_box(Vec::<u8>::with_capacity(ROOM_BYTES)));
        Ok(Self {
            statm,
            page_bytes: rustix::param::page_size() as u64,
            cpu_seconds: settings.cpu_seconds,
            cpu_maximum: getrlimit(Resource::Cpu).maximum,
        })
    }

    /// Allows the CPU time of one more document. The kernel ends the process (SIGXCPU) beyond it.
    pub(crate) fn begin_document(&self) -> io::Result<()> {
        let used = clock_gettime(ClockId::ProcessCPUTime).tv_sec.unsigned_abs();
        // Whole seconds: the second that has begun is on the house.
        let current = used + 1 + u64::from(self.cpu_seconds);
        let current = self.cpu_maximum.map_or(current, |maximum| current.min(maximum));
        setrlimit(Resource::Cpu, Rlimit { current: Some(current), maximum: self.cpu_maximum })?;
        Ok(())
    }

    /// Bytes resident now, 0 if the system does not say.
    pub(crate) fn resident(&self) -> u64 {
        let mut line = [0; 128];
        self.statm
            .as_ref()
            .and_then(|statm| statm.read_at(&mut line, 0).ok())
            .and_then(|length| str::from_utf8(&line[..length]).ok())
            .and_then(|line| line.split(' ').nth(1)?.parse::<u64>().ok())
            .map_or(0, |pages| pages.saturating_mul(self.page_bytes))
    }
}

/// Lowers a limit for good; never beyond what the system allows already.
fn limit(resource: Resource, value: u64) -> io::Result<()> {
    let value = getrlimit(resource).maximum.map_or(value, |maximum| maximum.min(value));
    setrlimit(resource, Rlimit { current: Some(value), maximum: Some(value) })?;
    Ok(())
}
