//! A temporary file whose errors say what it holds and where it is.
//!
//! It has no name: the system frees it when its last user is gone, however that ends. So nothing is left behind by
//! Ctrl-C or a crash.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use nearprint_records::positioned_io::{read_exact_at, write_all_at};

use super::unnamed_file;

/// A file without a name, for one kind of data.
#[derive(Debug)]
pub(crate) struct TemporaryFile {
    file: File,
    what: &'static str,
    directory: PathBuf,
}

impl TemporaryFile {
    /// An empty file in a directory for `what`, a plural such as `features`.
    pub(crate) fn create(what: &'static str, directory: &Path) -> io::Result<Self> {
        let named = |error| named(error, "create a temporary file for", what, directory);
        let file = unnamed_file::create(directory).map_err(named)?;
        Ok(Self { file, what, directory: directory.to_owned() })
    }

    /// Writes all bytes from this offset on.
    pub(crate) fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let named = |error| named(error, "write", self.what, &self.directory);
        write_all_at(&self.file, bytes, offset).map_err(named)
    }

    /// Fills `bytes` from this offset on.
    pub(crate) fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        let named = |error| named(error, "read", self.what, &self.directory);
        read_exact_at(&self.file, bytes, offset).map_err(named)
    }

    /// The file itself.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }
}

/// The same error, which says what failed.
fn named(
    error: io::Error,
    action: &'static str,
    what: &'static str,
    directory: &Path,
) -> io::Error {
    let kind = error.kind();
    io::Error::new(
        kind,
        TemporaryFileError { action, what, directory: directory.to_owned(), error },
    )
}

/// Why a temporary file failed.
#[derive(Debug)]
struct TemporaryFileError {
    action: &'static str,
    what: &'static str,
    directory: PathBuf,
    error: io::Error,
}

impl fmt::Display for TemporaryFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { action, what, directory, error } = self;
        let place = directory.display();
        match *action {
            "create a temporary file for" => {
                write!(f, "cannot {action} {what} in {place}: {error}")
            }
            _ => write!(f, "cannot {action} {what} in a temporary file in {place}: {error}"),
        }
    }
}

impl std::error::Error for TemporaryFileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

#[cfg(all(test, feature = "spill"))]
mod tests {
    use super::*;

    #[test]
    fn errors_say_what_failed_and_where() {
        let error = TemporaryFile::create("features", Path::new("/no/such/place")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        let text = error.to_string();
        assert!(
            text.starts_with("cannot create a temporary file for features in /no/such/place: ")
        );
        let directory = tempfile::tempdir().unwrap();
        let file = TemporaryFile::create("features", directory.path()).unwrap();
        file.write_all_at(b"fog", 2).unwrap();
        let mut bytes = [0; 3];
        file.read_exact_at(&mut bytes, 2).unwrap();
        assert_eq!(&bytes, b"fog");
        let text = file.read_exact_at(&mut bytes, 3).unwrap_err().to_string();
        assert!(text.starts_with("cannot read features in a temporary file in "), "{text}");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    }
}
