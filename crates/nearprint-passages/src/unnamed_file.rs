//! Files without a name.

use std::fs::File;
use std::io;
use std::path::Path;

/// An empty file in a directory, which is gone with its last user.
pub(crate) fn create(directory: &Path) -> io::Result<File> {
    tempfile::tempfile_in(directory)
}
