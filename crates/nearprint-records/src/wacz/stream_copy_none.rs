//! Packages from streams in a build without the feature `spill`: refused, as there are no temporary files.

use std::fs::File;
use std::io;

/// Refuses the stream.
pub(crate) fn stream_copy() -> io::Result<File> {
    let text = "this build reads WACZ packages from files alone, not from streams: compile it with the feature \"spill\"";
    Err(io::Error::new(io::ErrorKind::Unsupported, text))
}
