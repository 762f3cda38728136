//! What the tests share: where the executables are, pools of them, documents and their right answers.
#![allow(dead_code, reason = "each test file uses its part")]

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use nearprint_extract::{ExtractError, Extraction, Hints, Limits, Reason, extract};
use nearprint_worker::{Pool, PoolOptions};

/// The executable that ships.
pub(crate) fn shipped() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_nearprint-worker"))
}

/// The example that dies when a document says so.
pub(crate) fn hostile() -> PathBuf {
    let name = format!("hostile_worker{}", std::env::consts::EXE_SUFFIX);
    let path = shipped().with_file_name("examples").join(name);
    assert!(
        path.exists(),
        "{} is missing: run the tests of the whole package, which builds its examples, or build it with \
         `cargo build --package nearprint-worker --examples`",
        path.display()
    );
    path
}

/// The hostile worker under a name that says what it is to pretend.
pub(crate) struct HostileWorker {
    folder: PathBuf,
    pub(crate) file: PathBuf,
}

impl HostileWorker {
    pub(crate) fn new(name: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        // Beside the original and a link to it: a copy that is still open for writing in a process that was just
        // forked cannot be executed.
        let folder = hostile().with_file_name(format!("{name}-{}-{count}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
        std::fs::hard_link(hostile(), &file).unwrap();
        Self { folder, file }
    }
}

impl Drop for HostileWorker {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A pool of `workers` of one executable.
pub(crate) fn pool(executable: &Path, workers: usize) -> Pool {
    let workers = NonZeroUsize::new(workers).expect("a pool has workers");
    Pool::new(PoolOptions { workers, ..PoolOptions::new(executable) }).expect("a pool")
}

/// One document's outcome from `pool`, with defaults.
pub(crate) fn ask(pool: &Pool, document: &[u8]) -> Result<Extraction, ExtractError> {
    pool.extract(document, &Hints::default(), &Limits::default()).expect("workers start")
}

/// The same from this process.
pub(crate) fn here(document: &[u8]) -> Result<Extraction, ExtractError> {
    extract(document, &Hints::default(), &Limits::default())
}

/// An order to the hostile worker.
pub(crate) fn order(way: &str) -> Vec<u8> {
    format!("die: {way}").into_bytes()
}

/// The detail of an outcome that must be a worker's failure.
pub(crate) fn failure(outcome: Result<Extraction, ExtractError>) -> String {
    let error = outcome.expect_err("a worker that died has no answer");
    assert_eq!(error.reason(), Reason::WorkerFailed, "{error}");
    assert!(error.is_retryable());
    error.detail().to_owned()
}

/// Documents of every kind and outcome, distinguished by `index`.
pub(crate) fn document(index: usize) -> Vec<u8> {
    match index % 8 {
        0 => format!("plain text number {index}, naïve café\n").into_bytes(),
        1 => format!("<!doctype html><nav>x</nav><p>page <b>n</b>umber {index}").into_bytes(),
        2 => {
            format!("<?xml version='1.0'?><book><p>book {index} &amp; more</p></book>").into_bytes()
        }
        3 => pdf(&format!("paper number {index}")),
        4 => format!("\u{FEFF}marked {index} ").repeat(2_000 + index).into_bytes(),
        5 => Vec::new(),
        6 => [b"\x89PNG\r\n\x1a\n", index.to_string().as_bytes()].concat(),
        _ => pdf(&format!("cut {index}"))[..40].to_vec(),
    }
}

/// A PDF of one line.
pub(crate) fn pdf(line: &str) -> Vec<u8> {
    let stream = format!("BT /F 12 Tf 72 700 Td ({line}) Tj ET");
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{stream}\nendstream", stream.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
    ];
    let mut file = b"%PDF-1.4\n".to_vec();
    let mut places = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        places.push(file.len());
        file.extend(format!("{} 0 obj\n{object}\nendobj\n", index + 1).into_bytes());
    }
    let table = file.len();
    file.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).into_bytes());
    for place in places {
        file.extend(format!("{place:010} 00000 n \n").into_bytes());
    }
    file.extend(
        format!(
            "trailer << /Size {} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n",
            objects.len() + 1
        )
        .into_bytes(),
    );
    file
}

/// Processes whose parent is `parent`, zombies included.
#[cfg(target_os = "linux")]
pub(crate) fn children(parent: u32) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").expect("/proc lists processes");
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok())
        .filter(|pid| {
            // pid (name, which may hold anything) state parent ...
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            stat.rsplit_once(')')
                .and_then(|(_, rest)| rest.split_ascii_whitespace().nth(1)?.parse::<u32>().ok())
                == Some(parent)
        })
        .collect()
}

/// A process by its number.
#[cfg(target_os = "linux")]
pub(crate) fn pid(number: u32) -> rustix::process::Pid {
    rustix::process::Pid::from_raw(number.cast_signed()).expect("processes have numbers above 0")
}

/// A descriptor of a process: whatever becomes of its number, it is this one.
#[cfg(target_os = "linux")]
pub(crate) fn watch(number: u32) -> std::os::fd::OwnedFd {
    rustix::process::pidfd_open(pid(number), rustix::process::PidfdFlags::empty())
        .expect("the process is there")
}

/// Waits for the end of a process; the time limit is for a failure only.
#[cfg(target_os = "linux")]
pub(crate) fn wait(process: &std::os::fd::OwnedFd, what: &str) {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let limit = Timespec { tv_sec: 60, tv_nsec: 0 };
    let ended = poll(&mut [PollFd::new(process, PollFlags::IN)], Some(&limit));
    assert_eq!(ended, Ok(1), "{what} is still there");
}

/// Whether a hostile worker has taken the document that it hangs in: a thread of it has ended to say so.
#[cfg(target_os = "linux")]
pub(crate) fn is_in_document(process: u32) -> bool {
    // In this order: the thread that ends began before the one that stays.
    has_thread(process, "hostile") && !has_thread(process, "before-hang")
}

#[cfg(target_os = "linux")]
fn has_thread(process: u32, name: &str) -> bool {
    std::fs::read_dir(format!("/proc/{process}/task")).is_ok_and(|threads| {
        threads.filter_map(Result::ok).any(|thread| {
            std::fs::read_to_string(thread.path().join("comm"))
                .is_ok_and(|comm| comm.trim() == name)
        })
    })
}
