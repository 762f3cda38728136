//! The rule for everything that is written: what a path leads to, and whether a file there is replaced or written to.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::existing_file::ExistingFile;
use crate::{FileIdentity, Standard};

/// Links followed before it is called a loop; the number of Linux.
const LINKS: usize = 40;

/// Where an output goes, with links resolved.
///
/// - A path or link that leads to nothing becomes a **new** file.
/// - A **regular file** is replaced by a complete one of the same permissions and, where the system allows it, of the
///   same owner and group. Links to it stay links.
/// - A regular file with **other names** (hard links) keeps them: its content is replaced, not the file. This happens
///   when the new content is complete, but a crash during this last step can leave a mixture.
/// - **Devices, named pipes** and what descriptors (`/dev/stdout`, `/dev/fd/3`) lead to are written to directly:
///   whoever opened them waits for the bytes there, and a file put in their place would lose them.
///
/// Access control lists and extended attributes are not passed on. A program that must write to every file directly, as
/// a replacement for one that does, uses [`open_in_place`](Self::open_in_place).
#[derive(Debug, Clone)]
pub struct OutputPlace(Destination);

#[derive(Debug, Clone)]
enum Destination {
    New(PathBuf),
    File {
        path: PathBuf,
        replaced: ExistingFile,
        identity: FileIdentity,
    },
    InPlace(PathBuf),
    /// A regular file that a descriptor leads to: bytes go after what was written before.
    Descriptor(PathBuf),
    StandardOutput,
}

impl OutputPlace {
    /// What `path` leads to.
    ///
    /// # Errors
    /// If it leads to a directory, or cannot be examined.
    pub fn of(path: &Path) -> io::Result<Self> {
        let mut path = path.to_owned();
        let mut by_descriptor = false;
        for _ in 0..LINKS {
            let found = match std::fs::metadata(&path) {
                Ok(found) => Some(found),
                Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                Err(error) => return Err(error),
            };
            if let Some(found) = &found {
                if found.is_dir() {
                    return Err(refused("it is a directory; name a file in it"));
                }
                let is_ours = Standard::Output.identity() == FileIdentity::of(&path).ok();
                if is_ours && (is_descriptor(&path) || !found.is_file()) {
                    return Ok(Self(Destination::StandardOutput));
                }
                if !found.is_file() {
                    return Ok(Self(Destination::InPlace(path)));
                }
            }
            by_descriptor |= is_descriptor(&path) && found.is_some();
            if by_descriptor {
                return Ok(Self(Destination::Descriptor(path)));
            }
            match followed(&path) {
                Some(next) => path = next,
                None => {
                    return Ok(Self(match found {
                        Some(found) => Destination::File {
                            replaced: ExistingFile::of(&found),
                            identity: FileIdentity::of(&path)?,
                            path,
                        },
                        None => Destination::New(path),
                    }));
                }
            }
        }
        Err(looped())
    }

    /// The standard output of this process.
    #[must_use]
    pub fn standard_output() -> Self {
        Self(Destination::StandardOutput)
    }

    /// Something new at `path`, such as a directory that is made there.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(Destination::New(path.into()))
    }

    /// Whether it is not a file that is replaced or made, so that bytes go to it directly. Opening it may wait for a
    /// reader, as a named pipe does.
    #[must_use]
    pub fn is_in_place(&self) -> bool {
        !matches!(self.0, Destination::New(_) | Destination::File { .. })
    }

    /// Whether it is the standard output of this process.
    #[must_use]
    pub fn is_standard_output(&self) -> bool {
        matches!(self.0, Destination::StandardOutput)
    }

    /// The identity of the file that would be replaced.
    #[must_use]
    pub fn identity(&self) -> Option<&FileIdentity> {
        match &self.0 {
            Destination::File { identity, .. } => Some(identity),
            _ => None,
        }
    }

    /// The path of the file that appears at the end, links followed; `None` if bytes go to it directly.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.file().map(|(path, _)| path)
    }

    /// The same, and the file that is replaced.
    pub(crate) fn file(&self) -> Option<(&Path, Option<&ExistingFile>)> {
        match &self.0 {
            Destination::New(path) => Some((path, None)),
            Destination::File { path, replaced, .. } => Some((path, Some(replaced))),
            _ => None,
        }
    }

    /// Opens it to be written to directly, whatever it is. A regular file is emptied at once, so a failure afterwards
    /// leaves it incomplete; one that a descriptor leads to is appended to.
    ///
    /// # Errors
    /// If it cannot be written to.
    pub fn open_in_place(&self) -> io::Result<File> {
        let mut options = OpenOptions::new();
        match &self.0 {
            Destination::New(path) => File::create(path),
            Destination::File { path, .. } => options.write(true).truncate(true).open(path),
            Destination::InPlace(path) => options.write(true).open(path),
            Destination::Descriptor(path) => options.append(true).open(path),
            Destination::StandardOutput => {
                let gone = || refused("this process has no standard output");
                Standard::Output.duplicate().ok_or_else(gone)
            }
        }
    }
}

/// Whether a path names a descriptor of a process: the links in these directories of Linux and other systems lead to
/// open files, not to names.
fn is_descriptor(path: &Path) -> bool {
    let Some(above) = path.parent() else { return false };
    if above == Path::new("/dev/fd") {
        return true;
    }
    let parts: Vec<_> = above.iter().collect();
    parts.len() >= 4 && parts[1] == "proc" && parts.last().is_some_and(|last| *last == "fd")
}

/// Where a link leads, one step; `None` if the path is not a link.
fn followed(path: &Path) -> Option<PathBuf> {
    let to = std::fs::read_link(path).ok()?;
    // Relative links count from the directory that contains them.
    Some(match path.parent() {
        Some(above) => above.join(to),
        None => to,
    })
}

/// The path that a chain of links ends at, whether anything is there or not.
pub(crate) fn end_of_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        match followed(&path) {
            Some(next) => path = next,
            None => return Ok(path),
        }
    }
    Err(looped())
}

fn looped() -> io::Error {
    refused("too many levels of symbolic links")
}

fn refused(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, why)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn place(path: &Path) -> Destination {
        OutputPlace::of(path).unwrap().0
    }

    #[test]
    fn links_lead_to_what_is_written() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        std::fs::create_dir(path("d")).unwrap();
        std::fs::write(path("d/file"), "").unwrap();
        symlink("d/file", path("link")).unwrap();
        symlink("../link", path("d/again")).unwrap();
        symlink("d/new", path("dangling")).unwrap();
        symlink("loop", path("loop")).unwrap();
        symlink("/dev/null", path("null")).unwrap();
        let ends = |found: Destination, name: &str| match found {
            Destination::File { path, .. } | Destination::New(path) => path.ends_with(name),
            _ => false,
        };
        assert!(ends(place(&path("d/again")), "d/file"));
        assert!(ends(place(&path("dangling")), "d/new"));
        assert!(matches!(place(&path("none")), Destination::New(_)));
        assert!(matches!(place(&path("null")), Destination::InPlace(_)));
        assert!(OutputPlace::of(&path("loop")).is_err());
        assert!(OutputPlace::of(&path("d")).is_err());
    }

    #[test]
    fn descriptors_are_known_by_where_they_lie() {
        for path in ["/dev/fd/3", "/proc/self/fd/1", "/proc/17/fd/2", "/proc/17/task/18/fd/2"] {
            assert!(is_descriptor(Path::new(path)), "{path}");
        }
        for path in ["/dev/stdout", "fd/3", "/proc/self/fdinfo/1", "/home/proc/fd/1", "/"] {
            assert!(!is_descriptor(Path::new(path)), "{path}");
        }
    }
}
