//! A file that appears under its name only when it is complete, or a device or pipe that is written to directly.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::existing_file::create_beside;
use crate::{OutputPlace, durability};

/// Output that is written next to its final path and renamed at the end.
///
/// Until [`finish`](Self::finish) the bytes are in `.NAME.PID-N.part` in the same directory; dropping the value removes
/// that file. So a reader sees the old file or the complete new one. A killed process leaves the part file behind,
/// whose name says what it is.
///
/// The bytes are flushed to disk before the file is renamed (`fsync`), so that a power cut does not leave an empty
/// file. The rename is flushed too, so the caller may then delete what the file was made from.
///
/// [`OutputPlace`] states what happens to links, hard links, permissions, devices, named pipes and descriptors.
#[derive(Debug)]
pub struct FinishedFile {
    file: File,
    /// `None` if it is written to directly.
    part: Option<Part>,
}

/// Names tried for the part: one is in use where a process of the same id was killed before, as in containers.
const ATTEMPTS: u32 = 1000;

/// Removes the unfinished file unless it was renamed.
#[derive(Debug)]
struct Part {
    path: PathBuf,
    place: PathBuf,
    /// The file whose content is replaced at the end, if it has other names and must keep them.
    named_elsewhere: Option<File>,
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
    /// Begins a file that will be at `place`, whatever is there now.
    ///
    /// # Errors
    /// If `place` is a directory, or cannot be written to.
    pub fn create(place: impl AsRef<Path>) -> io::Result<Self> {
        Self::at(&OutputPlace::of(place.as_ref())?)
    }

    /// The same at a place that was examined before.
    ///
    /// # Errors
    /// If it cannot be written to.
    pub fn at(place: &OutputPlace) -> io::Result<Self> {
        let Some((place, replaced)) = place.file() else {
            return Ok(Self { file: place.open_in_place()?, part: None });
        };
        let named_elsewhere = match replaced {
            // Opened now, so that what may not be written to is refused before any work.
            Some(replaced) if replaced.has_other_names => {
                Some(OpenOptions::new().write(true).open(place)?)
            }
            _ => None,
        };
        let refused = |why: &str| io::Error::new(io::ErrorKind::InvalidInput, why);
        let name =
            place.file_name().ok_or_else(|| refused("the path does not name a file"))?.to_owned();
        for attempt in 0..ATTEMPTS {
            let mut part = OsString::from(".");
            part.push(&name);
            part.push(format!(".{}-{attempt}.part", std::process::id()));
            let path = place.with_file_name(part);
            match create_beside(&path, replaced) {
                Ok(file) => {
                    let place = place.to_owned();
                    let part = Part { path, place, named_elsewhere, finished: false };
                    return Ok(Self { file, part: Some(part) });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(refused(
            "unfinished files of earlier runs (.NAME.PID-N.part) are in the same \
            directory; remove them",
        ))
    }

    /// Where the bytes are until then, for code that must clean up before the process ends; `None` if they are written
    /// directly.
    #[must_use]
    pub fn part(&self) -> Option<&Path> {
        self.part.as_ref().map(|part| part.path.as_path())
    }

    /// Renames the file to its final path, replacing an existing file.
    ///
    /// # Errors
    /// If the bytes cannot be flushed to disk or the file cannot be renamed; the old file is then as it was. If the
    /// content of a file with hard links cannot be replaced, the error names the part file, which stays.
    pub fn finish(mut self) -> io::Result<()> {
        // What was written directly has its bytes; pipes and devices cannot be flushed to a disk.
        let Some(part) = &mut self.part else { return self.file.flush() };
        if let Some(target) = &mut part.named_elsewhere {
            // The copy is flushed too: it is what is left if the power fails while the content is replaced.
            durability::sync_file(&self.file, &part.place)?;
            let copied = copy_over(&part.path, target);
            return copied.and_then(|()| durability::sync_file(target, &part.place)).map_err(
                |error| {
                    part.finished = true;
                    let part = part.path.display();
                    io::Error::new(error.kind(), format!("{error}; the complete output is {part}"))
                },
            );
        }
        durability::finish_file(&self.file, &part.path, &part.place)?;
        part.finished = true;
        Ok(())
    }
}

/// Replaces the content of an open file.
fn copy_over(from: &Path, target: &mut File) -> io::Result<()> {
    let length = io::copy(&mut File::open(from)?, target)?;
    target.set_len(length)
}

impl Write for FinishedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
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
        assert_eq!(std::fs::read(file.part().unwrap()).unwrap(), b"new");
        durability::what_was_done();
        file.finish().unwrap();
        let directory_name = directory.path().file_name().unwrap().to_str().unwrap();
        let wanted = ["bytes out.txt", "name out.txt", &format!("names {directory_name}")];
        assert_eq!(durability::what_was_done(), wanted);
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
        let error = FinishedFile::create(directory.path()).unwrap_err().to_string();
        assert!(error.contains("directory"), "{error}");
        assert!(FinishedFile::create(directory.path().join("no/such")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_replaced_file_keeps_its_permissions_and_links_to_it() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let directory = tempfile::tempdir().unwrap();
        let (place, link) = (directory.path().join("out.txt"), directory.path().join("link"));
        std::fs::write(&place, "old").unwrap();
        std::fs::set_permissions(&place, std::fs::Permissions::from_mode(0o640)).unwrap();
        symlink("out.txt", &link).unwrap();
        let mut file = FinishedFile::create(&link).unwrap();
        file.write_all(b"new").unwrap();
        file.finish().unwrap();
        assert_eq!(std::fs::read(&place).unwrap(), b"new");
        assert_eq!(place.metadata().unwrap().permissions().mode() & 0o777, 0o640);
        assert!(link.is_symlink());
        // A link to nothing makes the file it leads to.
        symlink("later.txt", directory.path().join("dangling")).unwrap();
        FinishedFile::create(directory.path().join("dangling")).unwrap().finish().unwrap();
        assert!(directory.path().join("later.txt").is_file());
    }

    #[cfg(unix)]
    fn write(path: &Path, bytes: &[u8]) {
        let mut file = FinishedFile::create(path).unwrap();
        file.write_all(bytes).unwrap();
        file.finish().unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn hard_links_keep_naming_one_file_and_change_only_at_the_end() {
        use std::os::unix::fs::{MetadataExt, symlink};
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        std::fs::write(path("one"), "old and longer").unwrap();
        std::fs::hard_link(path("one"), path("two")).unwrap();
        symlink("two", path("link")).unwrap();
        let inode = path("one").metadata().unwrap().ino();
        let mut file = FinishedFile::create(path("link")).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(std::fs::read(path("one")).unwrap(), b"old and longer");
        file.finish().unwrap();
        for name in ["one", "two"] {
            assert_eq!(std::fs::read(path(name)).unwrap(), b"new");
            assert_eq!(path(name).metadata().unwrap().ino(), inode);
        }
        drop(FinishedFile::create(path("one")).unwrap());
        assert_eq!(std::fs::read(path("one")).unwrap(), b"new", "not finished");
        assert_eq!(names(directory.path()), ["link", "one", "two"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_private_file_stays_private_and_its_owners() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
        let directory = tempfile::tempdir().unwrap();
        let place = directory.path().join("out");
        std::fs::write(&place, "old").unwrap();
        std::fs::set_permissions(&place, std::fs::Permissions::from_mode(0o600)).unwrap();
        // Only root gives files away; everybody else replaces files of their own here.
        let given = chown(&place, Some(4321), Some(1234)).is_ok();
        let owner = |path: &Path| path.metadata().map(|found| (found.uid(), found.gid())).unwrap();
        let before = owner(&place);
        assert!(!given || before == (4321, 1234));
        let mut file = FinishedFile::create(&place).unwrap();
        file.write_all(b"new").unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(file.part().unwrap()), 0o600, "no one else reads the part");
        file.finish().unwrap();
        assert_eq!((mode(&place), owner(&place)), (0o600, before));
        assert_eq!(std::fs::read(&place).unwrap(), b"new");
    }

    #[cfg(unix)]
    #[test]
    fn links_to_devices_and_pipes_stay() {
        use std::os::unix::fs::symlink;
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        let pipe = std::process::Command::new("mkfifo").arg(path("pipe")).status();
        assert!(pipe.unwrap().success());
        symlink("pipe", path("to-pipe")).unwrap();
        let reader = std::thread::spawn({
            let pipe = path("pipe");
            move || std::fs::read(pipe).unwrap()
        });
        write(&path("to-pipe"), b"through");
        assert_eq!(reader.join().unwrap(), b"through");
        symlink("/dev/null", path("null")).unwrap();
        symlink("null", path("to-null")).unwrap();
        write(&path("to-null"), b"gone");
        let device = std::fs::metadata("/dev/null").unwrap();
        assert!(!device.is_file() && !Path::new("/dev/null").is_symlink());
        for name in ["to-pipe", "null", "to-null"] {
            assert!(path(name).is_symlink(), "{name}");
        }
        assert_eq!(names(directory.path()), ["null", "pipe", "to-null", "to-pipe"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_descriptor_is_appended_to_through_any_link() {
        use std::os::fd::AsRawFd;
        use std::os::unix::fs::symlink;
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        let mut opened = File::create(path("real")).unwrap();
        opened.write_all(b"head ").unwrap();
        symlink(format!("/proc/self/fd/{}", opened.as_raw_fd()), path("link")).unwrap();
        symlink("link", path("chain")).unwrap();
        write(&path("chain"), b"tail");
        assert_eq!(std::fs::read(path("real")).unwrap(), b"head tail");
        assert!(path("link").is_symlink());
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_written_to_as_they_are() {
        let mut file = FinishedFile::create("/dev/null").unwrap();
        file.write_all(b"gone").unwrap();
        assert_eq!(file.part(), None);
        file.finish().unwrap();
        let error = FinishedFile::create("/dev/full").unwrap().write_all(b"x").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }
}
