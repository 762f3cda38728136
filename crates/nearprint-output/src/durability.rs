//! What makes files and their names outlast a power cut.

use std::fs::File;
use std::io;
use std::path::Path;

/// Flushes the bytes of a file to disk.
pub(crate) fn sync_file(file: &File, path: &Path) -> io::Result<()> {
    done("bytes", path);
    file.sync_all()
}

/// Gives a complete file its name, replacing a file that has it; both its bytes and its name last once this returns.
/// Where it fails before the name is given, what had the name is as it was.
///
/// # Errors
/// If the bytes cannot be flushed to disk, or the name cannot be given.
pub fn finish_file(file: &File, part: &Path, place: &Path) -> io::Result<()> {
    sync_file(file, place)?;
    rename(part, place)
}

/// Gives a file or directory another name, which lasts once this returns. Its bytes were flushed by whoever wrote them.
///
/// # Errors
/// If the name cannot be given.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    done("name", to);
    std::fs::rename(from, to)?;
    sync_names_beside(to)
}

/// Flushes the names in a directory to disk. Where the file system cannot, or the directory may not be read, nothing is
/// done: the files in it are written all the same.
///
/// # Errors
/// If the disk fails.
pub fn sync_names(directory: &Path) -> io::Result<()> {
    done("names", directory);
    // Windows keeps names by itself and does not open directories.
    if !cfg!(unix) {
        return Ok(());
    }
    match File::open(directory).and_then(|directory| directory.sync_all()) {
        Err(error) if is_refusal(error.kind()) => Ok(()),
        done => done,
    }
}

/// The same for the directory that contains a path.
///
/// # Errors
/// If the disk fails.
pub fn sync_names_beside(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(directory) if !directory.as_os_str().is_empty() => sync_names(directory),
        Some(_) => sync_names(Path::new(".")),
        None => Ok(()),
    }
}

fn is_refusal(kind: io::ErrorKind) -> bool {
    use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
    matches!(kind, InvalidInput | PermissionDenied | Unsupported)
}

#[cfg(not(test))]
fn done(_: &str, _: &Path) {}

#[cfg(test)]
thread_local! {
    static DONE: std::cell::RefCell<Vec<String>> = const { std::cell::RefCell::new(Vec::new()) };
}

/// Notes what is done, for tests: whether it lasts cannot be seen while the machine runs.
#[cfg(test)]
fn done(what: &str, path: &Path) {
    let name = path.file_name().map_or("/".into(), |name| name.to_string_lossy().into_owned());
    DONE.with_borrow_mut(|done| done.push(format!("{what} {name}")));
}

/// What was done on this thread since this was asked last.
#[cfg(test)]
pub(crate) fn what_was_done() -> Vec<String> {
    DONE.with_borrow_mut(std::mem::take)
}
