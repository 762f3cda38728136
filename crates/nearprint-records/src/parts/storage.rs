//! Where parts lie: the five operations on files that a crash can fall between.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use nearprint_output::durability;

/// A flat place for small files, named by plain words.
///
/// Nothing but [`sync`](Self::sync) makes bytes last, nothing but [`sync_names`](Self::sync_names) makes names last:
/// whatever was done since may be undone by a power cut, each part of it apart from the others.
pub trait Storage {
    /// Names of what is there, in no order.
    ///
    /// # Errors
    /// Those of the place.
    fn names(&self) -> io::Result<Vec<String>>;

    /// All bytes of a file.
    ///
    /// # Errors
    /// Those of the place.
    fn read(&self, name: &str) -> io::Result<Vec<u8>>;

    /// Writes a file again.
    ///
    /// # Errors
    /// Those of the place.
    fn write(&mut self, name: &str, bytes: &[u8]) -> io::Result<()>;

    /// Makes the bytes of a file last.
    ///
    /// # Errors
    /// Those of the place. The bytes are then in doubt, and trying again does not help (a file system may forget what
    /// it failed to write), so the job ends.
    fn sync(&mut self, name: &str) -> io::Result<()>;

    /// Gives a file another name, replacing what had it.
    ///
    /// # Errors
    /// Those of the place.
    fn rename(&mut self, from: &str, to: &str) -> io::Result<()>;

    /// Makes all names last.
    ///
    /// # Errors
    /// Those of the place.
    fn sync_names(&mut self) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    /// Those of the place.
    fn remove(&mut self, name: &str) -> io::Result<()>;

    /// A directory for the files of a search, which are too large to be read as a whole, where the place has one. It is
    /// made by whoever needs it.
    fn search_folder(&self) -> Option<PathBuf> {
        None
    }

    /// Removes that directory and what is in it, where it is there.
    ///
    /// # Errors
    /// Those of the place.
    fn remove_search(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A directory of the file system.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Held so that two jobs do not write to one folder; given back when the process ends, however it ends.
    _lock: File,
}

/// The file that is locked; it is not a part.
const LOCK: &str = "lock";

/// The directory of a search within that of its job.
const SEARCH: &str = "search";

impl Folder {
    /// Takes a directory, making it where it is missing.
    ///
    /// # Errors
    /// If it cannot be made or written to, is a file ([`io::ErrorKind::NotADirectory`]), or another
    /// process has it ([`io::ErrorKind::WouldBlock`]).
    pub fn open(path: impl Into<PathBuf>) -> io::Result<Self> {
        let path = path.into();
        std::fs::create_dir_all(&path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => io::Error::new(
                io::ErrorKind::NotADirectory,
                "it is a file; name a directory, which need not exist yet",
            ),
            _ => error,
        })?;
        durability::sync_names_beside(&path)?;
        let lock =
            OpenOptions::new().write(true).create(true).truncate(false).open(path.join(LOCK))?;
        lock.try_lock().map_err(|error| match error {
            std::fs::TryLockError::WouldBlock => io::Error::new(
                io::ErrorKind::WouldBlock,
                "another process is using it; wait for it to end, or use another folder",
            ),
            std::fs::TryLockError::Error(error) => error,
        })?;
        Ok(Self { path, _lock: lock })
    }

    /// Removes the directory once its parts are gone, unless something else was put into it meanwhile.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn close(self) -> io::Result<()> {
        std::fs::remove_file(self.path.join(LOCK))?;
        match std::fs::remove_dir(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(()),
            removed => removed,
        }
    }

    /// The directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Storage for Folder {
    fn names(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in std::fs::read_dir(&self.path)? {
            // A name that is no Unicode is none of ours.
            if let Ok(name) = entry?.file_name().into_string()
                && name != LOCK
            {
                names.push(name);
            }
        }
        Ok(names)
    }

    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        std::fs::read(self.path.join(name))
    }

    fn write(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        File::create(self.path.join(name))?.write_all(bytes)
    }

    fn sync(&mut self, name: &str) -> io::Result<()> {
        // Any handle will do: what is synchronised is the file.
        OpenOptions::new().write(true).open(self.path.join(name))?.sync_all()
    }

    fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        std::fs::rename(self.path.join(from), self.path.join(to))
    }

    fn sync_names(&mut self) -> io::Result<()> {
        durability::sync_names(&self.path)
    }

    fn remove(&mut self, name: &str) -> io::Result<()> {
        std::fs::remove_file(self.path.join(name))
    }

    fn search_folder(&self) -> Option<PathBuf> {
        Some(self.path.join(SEARCH))
    }

    fn remove_search(&mut self) -> io::Result<()> {
        match std::fs::remove_dir_all(self.path.join(SEARCH)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }
}
