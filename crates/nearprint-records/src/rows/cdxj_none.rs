//! Lines of an index of captures in a build without the feature `json`: refused.

use std::io::{self, Write};

use super::fingerprint::FingerprintRecord;
use crate::json_row::not_compiled;

/// Refuses the line of a capture; writes nothing for what is none.
pub(super) fn write(record: &FingerprintRecord, _: &mut dyn Write) -> io::Result<()> {
    match record.capture {
        Some(_) => Err(not_compiled()),
        None => Ok(()),
    }
}
