//! The functions of the header: pointers are checked, and panics become a status.
#![expect(unsafe_code, reason = "functions that C calls, with pointers that C gives")]
#![expect(clippy::missing_safety_doc, reason = "the header is their documentation")]

use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{ptr, slice};

use nearprint_fingerprint::Fingerprint;

use crate::{Status, calls, status};

/// Bytes of a string with its final zero.
const STRING_BYTES: usize = 448;

/// A fingerprint: `np_print` of the header.
#[derive(Debug)]
#[repr(C)]
pub struct Print {
    string: [u8; STRING_BYTES],
    value: u64,
    tokens: u64,
    bits: u32,
    is_short: u32,
}

/// Two values within a distance: `np_pair` of the header.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Pair {
    a: u32,
    b: u32,
    distance: u32,
}

impl Print {
    fn new(fingerprint: &Fingerprint, tokens: u64, is_short: bool) -> Result<Self, Status> {
        let text = fingerprint.to_string();
        let mut string = [0; STRING_BYTES];
        // One zero is left at the end.
        let room = string[..STRING_BYTES - 1].get_mut(..text.len()).ok_or(Status::TooLong)?;
        room.copy_from_slice(text.as_bytes());
        let value = fingerprint.as_u64();
        let bits = if value.is_some() { fingerprint.scheme().positions() } else { 0 };
        let value = value.unwrap_or(0);
        Ok(Self { string, value, tokens, bits, is_short: u32::from(is_short) })
    }
}

/// Runs a call; what it gives is written, and what it fails by is returned.
///
/// # Safety
/// `out` is null, or can be written.
unsafe fn write<T>(out: *mut T, call: impl FnOnce() -> Result<T, Status>) -> Status {
    if out.is_null() {
        return Status::NullPointer;
    }
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(value)) => {
            // SAFETY: the caller says that it can be written. What is there is not dropped: C left it undefined.
            unsafe { out.write(value) };
            Status::Ok
        }
        Ok(Err(status)) => status,
        Err(_) => Status::Internal,
    }
}

/// A string of C.
///
/// # Safety
/// `string` is null, or ends with a zero and is not changed during the call.
unsafe fn text<'a>(string: *const c_char, malformed: Status) -> Result<&'a str, Status> {
    if string.is_null() {
        return Err(Status::NullPointer);
    }
    // SAFETY: the caller says that it ends with a zero.
    unsafe { CStr::from_ptr(string) }.to_str().map_err(|_| malformed)
}

/// An array of C; a null pointer is one without elements.
///
/// # Safety
/// `first` is null, or the first of `count` elements that are not changed during the call.
unsafe fn array<'a, T>(first: *const T, count: usize) -> Result<&'a [T], Status> {
    if first.is_null() {
        return if count == 0 { Ok(&[]) } else { Err(Status::NullPointer) };
    }
    if count > isize::MAX as usize / size_of::<T>().max(1) {
        return Err(Status::TooManyValues);
    }
    // SAFETY: the caller says that there are so many, and their bytes fit into `isize`.
    Ok(unsafe { slice::from_raw_parts(first, count) })
}

/// The version of the library.
#[unsafe(no_mangle)]
pub extern "C" fn np_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// One sentence for a status.
#[unsafe(no_mangle)]
pub extern "C" fn np_message(number: i32) -> *const c_char {
    status::message(number).as_ptr()
}

/// The fingerprint of a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn np_fingerprint(
    scheme: *const c_char,
    bytes: *const u8,
    length: usize,
    out: *mut Print,
) -> Status {
    // SAFETY: the header demands of the caller what these functions do.
    unsafe {
        write(out, || {
            let scheme = text(scheme, Status::UnknownScheme)?;
            let found = calls::fingerprint(scheme, array(bytes, length)?)?;
            Print::new(&found.fingerprint, found.tokens, found.is_short)
        })
    }
}

/// Reads a fingerprint.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn np_parse(string: *const c_char, out: *mut Print) -> Status {
    // SAFETY: the header demands of the caller what these functions do.
    unsafe { write(out, || Print::new(&calls::parse(text(string, Status::Malformed)?)?, 0, false)) }
}

/// The distance of two fingerprints.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn np_distance(
    one: *const c_char,
    other: *const c_char,
    out: *mut u32,
) -> Status {
    // SAFETY: the header demands of the caller what these functions do.
    unsafe {
        write(out, || {
            calls::distance(text(one, Status::Malformed)?, text(other, Status::Malformed)?)
        })
    }
}

/// The similarity of two fingerprints.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn np_similarity(
    one: *const c_char,
    other: *const c_char,
    out: *mut f64,
) -> Status {
    // SAFETY: the header demands of the caller what these functions do.
    unsafe {
        write(out, || {
            calls::similarity(text(one, Status::Malformed)?, text(other, Status::Malformed)?)
        })
    }
}

/// All pairs within a distance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn np_find_all(
    values: *const u64,
    count: usize,
    distance: u32,
    most: usize,
    pairs: *mut *mut Pair,
    pair_count: *mut usize,
) -> Status {
    if pair_count.is_null() {
        return Status::NullPointer;
    }
    // SAFETY: the header demands of the caller what these functions do, and the count was checked.
    unsafe {
        let mut length = 0;
        let status = write(pairs, || {
            let found = calls::find_all(array(values, count)?, distance, most)?;
            length = found.len();
            if found.is_empty() {
                return Ok(ptr::null_mut());
            }
            let found =
                found.iter().map(|pair| Pair { a: pair.a, b: pair.b, distance: pair.distance });
            let found: Box<[Pair]> = found.collect();
            Ok(Box::into_raw(found).cast())
        });
        if status == Status::Ok {
            pair_count.write(length);
        }
        status
    }
}

/// Frees pairs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn np_free_pairs(pairs: *mut Pair, pair_count: usize) {
    if !pairs.is_null() {
        // SAFETY: the header demands that both are what `np_find_all` gave, which was a box of so many.
        drop(unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(pairs, pair_count)) });
    }
}

/// The cluster of each value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn np_find_clusters(
    values: *const u64,
    count: usize,
    distance: u32,
    cluster_of: *mut u32,
) -> Status {
    if cluster_of.is_null() && count > 0 {
        return Status::NullPointer;
    }
    let call = || {
        // SAFETY: the header demands of the caller what the function does.
        let values = unsafe { array(values, count)? };
        calls::find_clusters(values, distance)
    };
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(found)) => {
            if !found.is_empty() {
                // SAFETY: the header demands room for `count` numbers, which is the length of `found`.
                unsafe { ptr::copy_nonoverlapping(found.as_ptr(), cluster_of, found.len()) };
            }
            Status::Ok
        }
        Ok(Err(status)) => status,
        Err(_) => Status::Internal,
    }
}
