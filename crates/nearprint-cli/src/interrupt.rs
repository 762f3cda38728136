//! Signals: what is unfinished is removed, then the signal does what it does to any program.
//!
//! This is not a polite request to stop: a worker may be deep in a large document or wait on a pipe for ever. Whoever
//! presses Ctrl-C wants the prompt back, and all there is to tidy up is what is not finished. A server is the
//! exception: its first signal lets requests end ([`instead`]).

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use nearprint::records::OutputPlace;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

/// The unfinished files and directories there may be.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// What the next signal does instead of ending the program.
static INSTEAD: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);

#[cfg(feature = "server")]
/// Lets the next signal do this instead of ending the program; the one after it ends the program as ever.
pub(crate) fn instead(stop: impl FnOnce() + Send + 'static) {
    *INSTEAD.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(stop));
}

/// Begins a file or directory at `place` that a signal removes from here on; `part` says where it is, if there is
/// anything to remove.
pub(crate) fn unfinished<F>(
    place: &OutputPlace,
    create: impl FnOnce() -> io::Result<F>,
    part: impl FnOnce(&F) -> Option<&Path>,
) -> io::Result<F> {
    if place.is_in_place() {
        // Opening a named pipe waits for its reader, and a signal must be able to end that.
        return create();
    }
    // Held meanwhile, so that a signal comes before there is a file or after it is known here.
    let mut unfinished = lock();
    let file = create()?;
    unfinished.extend(part(&file).map(Path::to_owned));
    Ok(file)
}

/// Begins to watch for signals.
pub(crate) fn watch() {
    // A file that grows beyond what the process may write (`ulimit -f`) is an error of writing, told and tidied up as
    // others are.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
    let signals = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
    // Where signals cannot be caught they end the program as ever, and a part of a file may stay behind.
    let Ok(mut signals) = Signals::new(signals) else { return };
    let wait = move || {
        for signal in signals.forever() {
            let instead = INSTEAD.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(stop) = instead {
                stop();
                continue;
            }
            // Held until the end, so that nothing new begins.
            let parts = lock();
            for part in parts.iter() {
                let _ = std::fs::remove_file(part).or_else(|_| std::fs::remove_dir_all(part));
            }
            // The caller sees that a signal ended us: shells stop their loops by that.
            let _ = emulate_default_handler(signal);
        }
    };
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(wait);
}

/// Whether whoever started us wants a signal to be ignored, as `nohup` does. Known on Linux only, by the bits of the
/// `SigIgn` line of proc(5).
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let bits = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let bits = bits.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).unwrap_or(0);
    (bits >> (signal - 1)) & 1 == 1
}

fn lock() -> std::sync::MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}
