//! The line of a fingerprint in files of text.

use std::fmt;
use std::io::{self, Write};

use crate::DocumentId;

/// What stands after the id of a short fingerprint in lines of text.
pub const SHORT_MARK: &str = "short";

/// Writes `PRINT TAB ID`, and `TAB short` for a short fingerprint: the lines of fingerprints in any notation.
///
/// # Errors
/// Those of `out`.
pub fn write_print_line(
    out: &mut dyn Write,
    print: &dyn fmt::Display,
    id: &DocumentId,
    short: Option<bool>,
) -> io::Result<()> {
    match short {
        Some(true) => writeln!(out, "{print}\t{id}\t{SHORT_MARK}"),
        _ => writeln!(out, "{print}\t{id}"),
    }
}
