//! What became of a call.

use std::ffi::CStr;

/// The result of a function: `np_status` of the header, number by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub enum Status {
    /// It was done.
    Ok = 0,
    /// The text has no word.
    NoTokens = 1,
    /// An argument is null.
    NullPointer = 2,
    /// No scheme has this name.
    UnknownScheme = 3,
    /// A string is not a fingerprint.
    Malformed = 4,
    /// Fingerprints of different schemes.
    UnlikeSchemes = 5,
    /// The string does not fit.
    TooLong = 6,
    /// The distance is beyond what is searched.
    DistanceRange = 7,
    /// More values than positions have numbers.
    TooManyValues = 8,
    /// More pairs than the caller allows.
    TooManyPairs = 9,
    /// An error of the library.
    Internal = 10,
}

/// The sentence of each number.
const MESSAGES: [&CStr; 11] = [
    c"done",
    c"the text has no word, so it has no fingerprint",
    c"an argument is null that may not be",
    c"no scheme has this name; use sd1, sl1, md1, wd1, seomoz-legacy or custom:...",
    c"the string is not a fingerprint: a scheme, a colon and base32",
    c"the fingerprints are of different schemes, which cannot be compared",
    c"the fingerprint has more characters than np_print has room for",
    c"the distance of a search is at most 16 bits",
    c"a search has at most 4294967295 values; divide them",
    c"the search found more pairs than were allowed; lower the distance or raise the limit",
    c"an error of the library, or no memory is left",
];

/// The sentence of a number, of an unknown one too.
pub(crate) fn message(number: i32) -> &'static CStr {
    let known = usize::try_from(number).ok().and_then(|number| MESSAGES.get(number));
    known.copied().unwrap_or(c"this number is not a status")
}
