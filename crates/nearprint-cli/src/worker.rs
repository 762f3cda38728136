//! The command as its own worker: `nearprint worker`, which it starts by itself.
//!
//! One file is installed and updated, and host and worker are always of one release. It is not a verb: nobody types it,
//! and a worker that starts in a millisecond has no time for the command line's definition.

use std::ffi::OsString;
use std::io::Write;
use std::num::NonZeroUsize;

use nearprint::extract::extract;
use nearprint::worker::{Pool, PoolOptions, Protection, serve};

/// The one argument that asks for it.
const ARGUMENT: &str = "worker";

/// The argument after it that asks what confines a worker here.
const SELF_TEST: &str = "--self-test";

/// Where this process was started as a worker: serves its host, and does not return. Where it was asked what confines
/// one: the exit code.
pub(crate) fn serve_if_asked(arguments: &[OsString]) -> Option<u8> {
    match arguments {
        [_, only] if only == ARGUMENT => serve(extract),
        [_, first, second] if first == ARGUMENT && second == SELF_TEST => Some(self_test()),
        _ => None,
    }
}

/// Starts a worker, as a job does, and prints what confines it: 0 if all of it holds, else 1.
fn self_test() -> u8 {
    let options = PoolOptions { workers: NonZeroUsize::MIN, ..workers() };
    let (memory, seconds) = (options.memory_bytes, options.cpu_seconds);
    let held = match Pool::new(options).and_then(|pool| pool.protections()) {
        Ok(held) => held,
        Err(error) => {
            eprintln!("nearprint: {error}");
            return 1;
        }
    };
    let mut report = String::new();
    for protection in Protection::ALL {
        let state = if held.holds(protection) { "holds" } else { "missing" };
        let (name, description) = (protection.name(), protection.description());
        report.push_str(&format!("{state:<8} {name:<29} {description}\n"));
    }
    let limits = format!("{memory} bytes of memory, {seconds} s of CPU time for a document");
    report.push_str(&format!(
        "limits   {limits}, no open files, no file of any size, no core file\n"
    ));
    // Nobody may be reading.
    let _ = std::io::stdout().write_all(report.as_bytes());
    u8::from(!held.is_complete())
}

/// Workers with default limits.
pub(crate) fn workers() -> PoolOptions {
    PoolOptions::this_program(ARGUMENT)
}
