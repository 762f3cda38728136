//! A file that appears under its name only when it is whole.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::lasting;

/// Output that is written beside its place and takes it at the end.
///
/// Until [`finish`](Self::finish) the octets are in `.NAME.PID-N.part` in the same directory; dropping the value removes
/// that. So a reader sees the old file or the whole new one, never half of one. A process that is killed leaves the
/// part behind, under a name that says what it is.
///
/// The octets are on the disk before the name is given (`fsync`), so that a power cut does not leave an empty file, and the name is
/// once that returns, so that what it was made from may go.
#[derive(Debug)]
pub struct FinishedFile {
    file: File,
    part: Part,
    place: PathBuf,
}

/// Names tried for the part: one is in use where a process of the same id was killed before, as in containers.
const ATTEMPTS: u32 = 1000;

/// Removes the unfinished file unless it was renamed.
#[derive(Debug)]
struct Part {
    path: PathBuf,
    finished: bool,
}

impl Drop for Part {
    fn drop(&mut self) {
        if !self.finished {
            // Nothing better can be done about an error here.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

impl FinishedFile {
    /// Begins a file that will be at `place`. A link there stays a link: the file it leads to is replaced.
    ///
    /// # Errors
    /// Where `place` is a directory or a device, or the directory it lies in cannot be written to.
    pub fn create(place: impl Into<PathBuf>) -> io::Result<Self> {
        let mut place = place.into();
        if place.is_symlink() {
            place = place.canonicalize()?;
        }
        let refused = |why: &str| io::Error::new(io::ErrorKind::InvalidInput, why);
        if place.is_dir() {
            return Err(refused("it is a directory: name a file in it"));
        }
        if place.exists() && !place.is_file() {
            return Err(refused(
                "it is no regular file: write to standard output and redirect that",
            ));
        }
        let name = place.file_name().ok_or_else(|| refused("the path names no file"))?.to_owned();
        for attempt in 0..ATTEMPTS {
            let mut part = OsString::from(".");
            part.push(&name);
            part.push(format!(".{}-{attempt}.part", std::process::id()));
            let path = place.with_file_name(part);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok(Self { file, part: Part { path, finished: false }, place }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(refused("parts of earlier files lie beside it, named .NAME.PID-N.part: remove them"))
    }

    /// Where the octets are until then, for whoever must clean up before the process ends.
    #[must_use]
    pub fn part(&self) -> &Path {
        &self.part.path
    }

    /// Gives the file its name. What was there before is replaced.
    ///
    /// # Errors
    /// Where the octets cannot be brought to the disk or the name not be given; the old file is then as it was.
    pub fn finish(mut self) -> io::Result<()> {
        lasting::sync_file(&self.file, &self.place)?;
        lasting::rename(&self.part.path, &self.place)?;
        self.part.finished = true;
        lasting::sync_names_beside(&self.place)
    }
}

impl Write for FinishedFile {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.file.write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let mut names: Vec<_> = std::fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn the_name_is_given_at_the_end_and_replaces_what_was_there() {
        let directory = tempfile::tempdir().unwrap();
        let place = directory.path().join("out.txt");
        std::fs::write(&place, "old").unwrap();
        let mut file = FinishedFile::create(&place).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(std::fs::read(&place).unwrap(), b"old");
        assert_eq!(std::fs::read(file.part()).unwrap(), b"new");
        lasting::what_was_done();
        file.finish().unwrap();
        let directory_name = directory.path().file_name().unwrap().to_str().unwrap();
        let wanted = ["octets out.txt", "name out.txt", &format!("names {directory_name}")];
        assert_eq!(lasting::what_was_done(), wanted);
        assert_eq!(std::fs::read(&place).unwrap(), b"new");
        assert_eq!(names(directory.path()), ["out.txt"]);
    }

    #[test]
    fn what_is_not_finished_leaves_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let mut file = FinishedFile::create(directory.path().join("out.txt")).unwrap();
        file.write_all(b"half").unwrap();
        assert_eq!(names(directory.path()).len(), 1);
        drop(file);
        assert_eq!(names(directory.path()), [""; 0]);
        for (place, part) in [(directory.path(), "directory"), (Path::new("/dev/null"), "regular")]
        {
            let error = FinishedFile::create(place).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
        assert!(FinishedFile::create(directory.path().join("no/such")).is_err());
    }
}
