//! Lines of JSON in a build without the feature `json`: refused.

use std::io;

/// A row, whose form in JSON is not compiled.
pub trait JsonRow {}

impl<R> JsonRow for R {}

/// Refuses a line.
pub(crate) fn write(_: &'static str, _: &impl JsonRow, _: &mut Vec<u8>) -> io::Result<()> {
    Err(not_compiled())
}

/// The error of what is written as JSON.
pub(crate) fn not_compiled() -> io::Error {
    let detail = "this build does not write JSON: compile it with the feature \"json\"";
    io::Error::new(io::ErrorKind::Unsupported, detail)
}
