//! A WARC file of a package as a file of its own, which may have gigabytes: nothing of it is left where a signal ends
//! the process.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempPath;

/// A temporary file that can be opened by a path.
#[derive(Debug)]
pub(super) struct ArchiveFile {
    file: File,
    path: ArchivePath,
}

#[derive(Debug)]
enum ArchivePath {
    /// Through the process: the file has no name, and goes with its last user.
    Process(PathBuf),
    /// A name, where the system has no such paths.
    Name(TempPath),
}

impl ArchiveFile {
    /// An empty one.
    pub(super) fn create() -> io::Result<Self> {
        if let Some(unnamed) = Self::unnamed()? {
            return Ok(unnamed);
        }
        let (file, path) = tempfile::NamedTempFile::new()?.into_parts();
        Ok(Self { file, path: ArchivePath::Name(path) })
    }

    /// One without a name, where Linux shows the files of a process.
    #[cfg(target_os = "linux")]
    fn unnamed() -> io::Result<Option<Self>> {
        use std::os::fd::AsRawFd;

        let file = tempfile::tempfile()?;
        let path = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
        Ok(File::open(&path).is_ok().then_some(Self { file, path: ArchivePath::Process(path) }))
    }

    #[cfg(not(target_os = "linux"))]
    fn unnamed() -> io::Result<Option<Self>> {
        Ok(None)
    }

    /// Where it can be opened as long as this value is there.
    pub(super) fn path(&self) -> &Path {
        match &self.path {
            ArchivePath::Process(path) => path,
            ArchivePath::Name(path) => path,
        }
    }

    /// The file to write to.
    pub(super) fn file_mut(&mut self) -> &mut File {
        &mut self.file
    }

    /// The file from its beginning.
    pub(super) fn reopen(&self) -> io::Result<File> {
        File::open(self.path())
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    #[test]
    fn a_file_is_opened_by_its_path_and_has_no_name() {
        let mut file = ArchiveFile::create().expect("room");
        file.file_mut().write_all(b"WARC").expect("room");
        for _ in 0..2 {
            let mut found = String::new();
            file.reopen().expect("a file").read_to_string(&mut found).expect("a file");
            assert_eq!(found, "WARC");
        }
        #[cfg(target_os = "linux")]
        assert!(matches!(&file.path, ArchivePath::Process(path) if path.starts_with("/proc")));
    }
}
