//! Signals: what is unfinished is removed, then the signal does what it does to any program.
//!
//! This is not a polite request to stop: a worker may be deep in a large document or wait on a pipe for ever. Whoever
//! presses Ctrl-C wants the prompt back, and all there is to tidy up is one file.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

/// The one unfinished file there may be.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Removes `part` should a signal end the command from here on.
pub(crate) fn removes(part: &Path) {
    *lock() = Some(part.to_owned());
}

/// Begins to watch for signals.
pub(crate) fn watch() {
    // Where signals cannot be caught they end the program as ever, and a part of a file may stay behind.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
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

fn lock() -> std::sync::MutexGuard<'static, Option<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}
