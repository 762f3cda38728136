//! The files of collections: their names, and how they are written and synced.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use nearprint::records::{FinishedFile, durability};

use super::LONGEST_NAME;
use crate::collection::{Collection, DESCRIPTION, Description};
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;

pub(super) fn failed(path: &Path) -> impl FnOnce(io::Error) -> Problem {
    let path = path.display().to_string();
    move |error| Problem::new(ProblemKind::Storage, format!("{path}: {error}"))
}

/// Makes sure that a directory's entries are on the disk.
pub(crate) fn sync(directory: &Path) -> Result<(), Problem> {
    durability::sync_names(directory).map_err(failed(directory))
}

/// Writes a file so that it is complete or absent, and on the disk.
pub(crate) fn write_whole(directory: &Path, name: &str, bytes: &[u8]) -> Result<(), Problem> {
    let path = directory.join(name);
    let written = FinishedFile::create(&path).and_then(|mut file| {
        file.write_all(bytes)?;
        file.finish()
    });
    written.map_err(failed(&path))
}

/// Refuses what cannot be the name of a collection.
pub(crate) fn check_name(name: &str) -> Result<(), Problem> {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let fits = (1..=LONGEST_NAME).contains(&name.len())
        && name.bytes().all(|byte| is_plain(byte) || b"-_".contains(&byte))
        && name.bytes().next().is_some_and(is_plain);
    match fits {
        true => Ok(()),
        // It is a part of a path, which no pointer names.
        false => Err(Problem::new(
            ProblemKind::InvalidParameter,
            "a name has 1 to 64 of the characters a to z, 0 to 9, - and _, and begins with a letter or digit",
        )),
    }
}

/// The name and number of a collection's directory; `None` for everything else.
pub(crate) fn numbered(path: &Path) -> Option<(&str, u128)> {
    let (name, number) = path.file_name()?.to_str()?.split_once('@')?;
    check_name(name).ok()?;
    Some((name, number.parse().ok()?))
}

/// The collection in a directory.
pub(super) fn in_directory(path: &Path) -> Result<Collection, Problem> {
    let file = path.join(DESCRIPTION);
    let bytes = fs::read(&file).map_err(failed(&file))?;
    let description: Description =
        serde_json::from_slice(&bytes).map_err(|error| failed(&file)(io::Error::other(error)))?;
    // A copy under another name would be a second one of the same.
    if numbered(path).is_some_and(|(name, _)| name != description.name) {
        let named = format!("it is of the collection {}", description.name.escape_debug());
        return Err(failed(&file)(io::Error::other(named)));
    }
    Collection::open(path.to_owned(), description)
}

/// Makes a directory the directory of no collection, by its description.
pub(super) fn remove_description(directory: &Path) -> Result<(), Problem> {
    let file = directory.join(DESCRIPTION);
    match fs::remove_file(&file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(&file)(error)),
        _ => sync(directory),
    }
}
