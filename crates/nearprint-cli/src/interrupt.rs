//! Signals: what is unfinished is removed, then the signal does what it does to any program.
//!
//! This is not a polite request to stop: a worker may be deep in a large document or wait on a pipe for ever. Whoever
//! presses Ctrl-C wants the prompt back, and all there is to tidy up is one file.

use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use nearprint::records::FinishedFile;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

/// The one unfinished file there may be.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Begins a file that a signal removes from here on.
pub(crate) fn unfinished(
    create: impl FnOnce() -> io::Result<FinishedFile>,
) -> io::Result<FinishedFile> {
    // Held meanwhile, so that a signal comes before there is a file or after it is known here.
    let mut unfinished = lock();
    let file = create()?;
    *unfinished = Some(file.part().to_owned());
    Ok(file)
}

/// Begins to watch for signals.
pub(crate) fn watch() {
    let signals = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
    // Where signals cannot be caught they end the program as ever, and a part of a file may stay behind.
    let Ok(mut signals) = Signals::new(signals) else { return };
    let wait = move || {
        for signal in signals.forever() {
            // Held until the end, so that nothing new begins.
            let part = lock();
            if let Some(part) = part.as_deref() {
                let _ = std::fs::remove_file(part);
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

fn lock() -> std::sync::MutexGuard<'static, Option<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}
