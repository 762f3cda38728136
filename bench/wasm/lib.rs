//! The least door to `nearprint-fingerprint` for WebAssembly, to measure its size and speed beside the JavaScript
//! package: `measure.mjs` has the commands. It is not shipped.

use nearprint_fingerprint::{Fingerprinter, Scheme};

/// Room for a text or a string.
#[unsafe(no_mangle)]
pub extern "C" fn alloc(bytes: usize) -> *mut u8 {
    let mut room = Vec::with_capacity(bytes);
    let start = room.as_mut_ptr();
    std::mem::forget(room);
    start
}

/// Gives room back.
///
/// # Safety
/// `start` and `bytes` are those of `alloc`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn free(start: *mut u8, bytes: usize) {
    // SAFETY: the caller says that `alloc` gave them.
    drop(unsafe { Vec::from_raw_parts(start, 0, bytes) });
}

/// Writes the string of a text's fingerprint and returns its length, 0 if there is none.
///
/// # Safety
/// `text` has `bytes` bytes, and `out` has room for 414.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fingerprint(scheme: usize, text: *const u8, bytes: usize, out: *mut u8) -> usize {
    let Some(scheme) = [Scheme::SD1, Scheme::SL1, Scheme::MD1, Scheme::WD1].get(scheme) else { return 0 };
    let mut fingerprinter = Fingerprinter::new(*scheme);
    // SAFETY: the caller says that there are so many.
    fingerprinter.update_bytes(unsafe { std::slice::from_raw_parts(text, bytes) });
    let Some(found) = fingerprinter.finish().into_fingerprint() else { return 0 };
    let string = found.to_string();
    // SAFETY: the caller says that there is room.
    unsafe { std::ptr::copy_nonoverlapping(string.as_ptr(), out, string.len()) };
    string.len()
}
