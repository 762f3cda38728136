//! Files without a name in a build without the feature `spill`: refused.

use std::fs::File;
use std::io;
use std::path::Path;

/// Refuses a file.
pub(crate) fn create(_: &Path) -> io::Result<File> {
    let detail = "this build has no temporary files: compile it with the feature \"spill\"";
    Err(io::Error::new(io::ErrorKind::Unsupported, detail))
}
