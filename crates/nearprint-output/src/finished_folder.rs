//! A directory that appears under its name only when all files in it are whole.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::durability;
use crate::output_place::end_of_links;

/// Files that are written next to their final path and take it together at the end.
///
/// A link stays a link: the directory is made where it leads. An empty directory that is replaced passes on its
/// permissions.
///
/// Until [`finish`](Self::finish) they lie in `.NAME.PID-N.part` beside it; dropping the value removes that. A process
/// that is killed leaves it behind, under a name that says what it is.
#[derive(Debug)]
pub struct FinishedFolder {
    part: PathBuf,
    place: PathBuf,
    finished: bool,
}

impl FinishedFolder {
    /// Begins a directory that will be at `place`.
    ///
    /// # Errors
    /// If something else than an empty directory is there, or the directory it lies in cannot be written to.
    pub fn create(place: impl Into<PathBuf>) -> io::Result<Self> {
        // A path may end with a slash, which is not a name, and behind which a link is not a link.
        let place: PathBuf = place.into().components().collect();
        let place = end_of_links(&place)?;
        if !is_free(&place)? {
            return Err(io::Error::new(
                io::ErrorKind::AlreadyExists,
                "the directory is not empty; name a new or empty one",
            ));
        }
        let name = place.file_name().ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidInput, "the path does not name a directory")
        })?;
        let mut attempt = 0u32;
        loop {
            let mut part = OsString::from(".");
            part.push(name);
            part.push(format!(".{}-{attempt}.part", std::process::id()));
            let part = place.with_file_name(part);
            match std::fs::create_dir(&part) {
                Ok(()) => {
                    let folder = Self { part, place, finished: false };
                    if let Ok(replaced) = std::fs::metadata(&folder.place) {
                        std::fs::set_permissions(&folder.part, replaced.permissions())?;
                    }
                    return Ok(folder);
                }
                // Of a process of the same id that was killed, as in containers.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 1000 => {
                    attempt += 1;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Where the files are until then, for code that must clean up before the process ends.
    #[must_use]
    pub fn part(&self) -> &Path {
        &self.part
    }

    /// Begins a file at a path below the directory, making the directories it needs.
    ///
    /// # Errors
    /// If the path leads out of the directory, the file is there already, or it cannot be made.
    pub fn file(&self, below: &Path) -> io::Result<File> {
        if below.components().any(|part| !matches!(part, Component::Normal(_))) {
            let why = format!("{} is not below the directory", below.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        let path = self.part.join(below);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        File::create_new(path)
    }

    /// Gives the directory its name, which lasts once this returns, as do the names in it. Files are flushed
    /// to disk by whoever wrote them.
    ///
    /// # Errors
    /// If the name cannot be given.
    pub fn finish(mut self) -> io::Result<()> {
        if self.place.is_dir() {
            // Empty when this began; where it no longer is, nothing is lost.
            std::fs::remove_dir(&self.place)?;
        }
        // They are this program's own: few, no deeper than what it wrote, without links.
        let mut directories = vec![self.part.clone()];
        while let Some(directory) = directories.pop() {
            for entry in std::fs::read_dir(&directory)? {
                let entry = entry?;
                if entry.file_type()?.is_dir() {
                    directories.push(entry.path());
                }
            }
            durability::sync_names(&directory)?;
        }
        durability::rename(&self.part, &self.place)?;
        self.finished = true;
        Ok(())
    }
}

/// Whether nothing is there, or an empty directory.
fn is_free(place: &Path) -> io::Result<bool> {
    match std::fs::read_dir(place) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(false),
        Err(error) => Err(error),
    }
}

impl Drop for FinishedFolder {
    fn drop(&mut self) {
        if !self.finished {
            // Nothing better can be done about an error here.
            let _ = std::fs::remove_dir_all(&self.part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn all_files_appear_together_or_not_at_all() {
        let directory = tempfile::tempdir().unwrap();
        let place = directory.path().join("out/");
        let folder = FinishedFolder::create(&place).unwrap();
        folder.file(Path::new("a/b.txt")).unwrap().write_all(b"b").unwrap();
        assert!(folder.file(Path::new("a/b.txt")).is_err(), "a name is given once");
        assert!(folder.file(Path::new("../b.txt")).is_err());
        assert!(folder.file(Path::new("/b.txt")).is_err());
        assert!(!place.exists());
        let part = folder.part().file_name().unwrap().to_string_lossy().into_owned();
        durability::what_was_done();
        folder.finish().unwrap();
        let beside = directory.path().file_name().unwrap().to_str().unwrap();
        let wanted = [
            format!("names {part}"),
            "names a".into(),
            "name out".into(),
            format!("names {beside}"),
        ];
        assert_eq!(durability::what_was_done(), wanted);
        assert_eq!(std::fs::read(place.join("a/b.txt")).unwrap(), b"b");
        assert!(FinishedFolder::create(&place).is_err(), "it is not empty");
        assert!(FinishedFolder::create(place.join("a/b.txt")).is_err(), "it is a file");

        let given_up = FinishedFolder::create(directory.path().join("other")).unwrap();
        given_up.file(Path::new("c")).unwrap();
        drop(given_up);
        let names: Vec<_> = std::fs::read_dir(directory.path()).unwrap().collect();
        assert_eq!(names.len(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_and_an_empty_directory_passes_on_its_permissions() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        std::fs::create_dir(path("empty")).unwrap();
        std::fs::set_permissions(path("empty"), std::fs::Permissions::from_mode(0o700)).unwrap();
        symlink("empty", path("link")).unwrap();
        symlink("new", path("dangling")).unwrap();
        for (link, to) in [("link", "empty"), ("dangling", "new")] {
            let folder = FinishedFolder::create(path(link)).unwrap();
            folder.file(Path::new("a")).unwrap();
            folder.finish().unwrap();
            assert!(path(link).is_symlink() && path(to).join("a").is_file(), "{link}");
        }
        let mode = path("empty").metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }
}
