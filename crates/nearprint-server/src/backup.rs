//! Copies of a server's directory, made while it runs, and the directory of a server made from one.
//!
//! A backup has each collection as it was at one moment, the aliases, the tokens and the snapshots; jobs are not part
//! of it. `backup.json` in it says what it has.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use nearprint::records::FinishedFolder;
use nearprint_index::{DiskIndex, Settings};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::clock::{date, now};
use crate::collection::{DESCRIPTION, Description};
use crate::collections::{ALIASES, numbered};
use crate::snapshots;
use crate::tokens::Tokens;

/// The file that makes a directory a backup.
const MANIFEST: &str = "backup.json";

/// What that file says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Backup {
    /// Always `nearprint/backup/1`.
    pub schema: String,
    /// When it was begun, by RFC 3339.
    pub created: String,
    /// The documents of each collection.
    pub collections: BTreeMap<String, u64>,
    /// What is missing or damaged, with the reason: collections by name, and other things by their path in the
    /// directory.
    pub left_out: BTreeMap<String, String>,
}

/// Why there is no backup, or nothing was restored from one.
#[derive(Debug)]
#[non_exhaustive]
pub enum BackupError {
    /// A directory is not a backup.
    NotABackup {
        /// The directory.
        path: PathBuf,
        /// What is missing or wrong.
        detail: String,
    },
    /// Something cannot be read or written.
    Io {
        /// What.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

impl fmt::Display for BackupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotABackup { path, detail } => {
                write!(f, "{} is not a backup of a server: {detail}", path.display())
            }
            Self::Io { path, error } => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for BackupError {}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> BackupError {
    let path = path.to_owned();
    move |error| BackupError::Io { path, error }
}

impl Backup {
    /// Copies the directory of a server, which may run, to a new directory, which appears when it is whole. A
    /// collection that cannot be read is left out and named. `tell` hears the name of each collection before it is
    /// copied.
    ///
    /// # Errors
    /// Where there is something at `to` already, and where files cannot be read or written.
    pub fn make(directory: &Path, to: &Path, tell: impl FnMut(&str)) -> Result<Self, BackupError> {
        // A directory without collections is more likely a slip than a server.
        let collections = directory.join("collections");
        fs::read_dir(&collections).map_err(failed(&collections))?;
        copied(directory, to, &BTreeMap::new(), tell)
    }

    /// What a backup has.
    ///
    /// # Errors
    /// Where the directory is not one.
    pub fn read(backup: &Path) -> Result<Self, BackupError> {
        let refused = |detail: String| BackupError::NotABackup { path: backup.to_owned(), detail };
        let file = backup.join(MANIFEST);
        let bytes = fs::read(&file).map_err(|error| refused(format!("{MANIFEST}: {error}")))?;
        let found: Self = serde_json::from_slice(&bytes)
            .map_err(|error| refused(format!("{MANIFEST}: {error}")))?;
        match found.schema == SCHEMA {
            true => Ok(found),
            false => Err(refused(format!("{MANIFEST} is of {}", found.schema.escape_debug()))),
        }
    }

    /// Makes the directory of a server from a backup, new or empty; every record is checked on the way, and what the
    /// backup had when it was made and has no longer is named. The backup stays.
    ///
    /// # Errors
    /// Where the backup is not one, or there is something at `directory` already, and where files cannot be read or
    /// written.
    pub fn restore(
        backup: &Path,
        directory: &Path,
        tell: impl FnMut(&str),
    ) -> Result<Self, BackupError> {
        let had = Self::read(backup)?;
        copied(backup, directory, &had.collections, tell)
    }
}

const SCHEMA: &str = "nearprint/backup/1";

/// Copies what is whole. `had` are the collections that have to be there, with their documents.
fn copied(
    from: &Path,
    to: &Path,
    had: &BTreeMap<String, u64>,
    mut tell: impl FnMut(&str),
) -> Result<Backup, BackupError> {
    let folder = FinishedFolder::create(to).map_err(failed(to))?;
    let created = date(now());
    let (mut copied, mut left_out) = (BTreeMap::new(), BTreeMap::new());
    for (name, path) in newest(&from.join("collections"))? {
        tell(&name);
        let part = folder.part().join("collections").join(path.file_name().unwrap_or_default());
        fs::create_dir_all(&part).map_err(failed(&part))?;
        match copy_collection(&name, &path, &part) {
            Ok(documents) => {
                copied.insert(name, documents);
            }
            Err(error) => {
                fs::remove_dir_all(&part).map_err(failed(&part))?;
                // What was deleted meanwhile is nothing that is missing.
                if path.join(DESCRIPTION).exists() {
                    left_out.insert(name, error);
                }
            }
        }
    }
    for (name, &documents) in had {
        let why = match copied.get(name) {
            None => "it is not there".to_owned(),
            Some(&found) if found != documents => {
                format!("it has {found} documents of {documents}")
            }
            Some(_) => continue,
        };
        left_out.entry(name.clone()).or_insert(why);
    }
    let aliases = Path::new("collections").join(ALIASES);
    let tokens = Tokens::of(from).file();
    let tokens = Path::new(tokens.file_name().unwrap_or_default());
    for below in [&*aliases, tokens] {
        copy_file(from, folder.part(), below)?;
        let is_there = from.join(below).exists();
        if let Some(error) = is_there.then(|| json_error(&from.join(below))).flatten() {
            left_out.insert(below.display().to_string(), error);
        }
    }
    let snapshots = from.join("snapshots");
    for name in entries(&snapshots)? {
        for file in entries(&name)?
            .into_iter()
            .filter(|file| file.extension().is_some_and(|end| end == "jsonl"))
        {
            let below = file.strip_prefix(from).unwrap_or(&file);
            copy_file(from, folder.part(), below)?;
            let copy = folder.part().join(below);
            if let Err(problem) = snapshots::check(&copy) {
                fs::remove_file(&copy).map_err(failed(&copy))?;
                left_out.insert(below.display().to_string(), problem.detail);
            }
        }
    }
    let backup = Backup { schema: SCHEMA.to_owned(), created, collections: copied, left_out };
    let manifest = serde_json::to_vec_pretty(&backup).unwrap_or_default();
    let written = folder.file(Path::new(MANIFEST)).and_then(|mut file| {
        file.write_all(&manifest)?;
        file.sync_all()
    });
    written.map_err(failed(to))?;
    folder.finish().map_err(failed(to))?;
    Ok(backup)
}

/// The newest directory of each collection, by name.
fn newest(collections: &Path) -> Result<BTreeMap<String, PathBuf>, BackupError> {
    let mut found: BTreeMap<String, (u128, PathBuf)> = BTreeMap::new();
    for path in entries(collections)? {
        let Some((name, number)) = numbered(&path) else { continue };
        let is_newest = found.get(name).is_none_or(|(there, _)| *there < number);
        if is_newest && path.join(DESCRIPTION).exists() {
            found.insert(name.to_owned(), (number, path));
        }
    }
    Ok(found.into_iter().map(|(name, (_, path))| (name, path)).collect())
}

/// What is wrong with a file of JSON.
fn json_error(path: &Path) -> Option<String> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => return Some(error.to_string()),
    };
    serde_json::from_slice::<IgnoredAny>(&bytes).err().map(|error| error.to_string())
}

/// Copies a collection as it is at one moment, and returns how many documents it has.
fn copy_collection(name: &str, from: &Path, to: &Path) -> Result<u64, String> {
    let index = DiskIndex::open_read_only(&from.join("index"), Settings::default());
    let index = index.map_err(|error| error.to_string())?;
    let documents = index.snapshot(&to.join("index")).map_err(|error| error.to_string())?;
    let damaged = |error: String| format!("{DESCRIPTION}: {error}");
    let bytes = fs::read(from.join(DESCRIPTION)).map_err(|error| damaged(error.to_string()))?;
    let found: Description =
        serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
    if found.name != name {
        return Err(damaged(format!("it is of {}", found.name.escape_debug())));
    }
    let written = File::create_new(to.join(DESCRIPTION)).and_then(|mut file| {
        file.write_all(&bytes)?;
        file.sync_all()
    });
    written.map_err(|error| error.to_string())?;
    Ok(documents)
}

/// Copies a file, if it is there. The permissions of the copy are those of everything else that is written.
fn copy_file(from: &Path, to: &Path, below: &Path) -> Result<(), BackupError> {
    let (source, target) = (from.join(below), to.join(below));
    if !source.exists() {
        return Ok(());
    }
    let copied = target.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| {
        let mut file = File::create_new(&target)?;
        io::copy(&mut File::open(&source)?, &mut file)?;
        file.sync_all()
    });
    copied.map_err(failed(&source))
}

/// What is in a directory; nothing where there is none.
fn entries(directory: &Path) -> Result<Vec<PathBuf>, BackupError> {
    let read = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read.map_err(failed(directory))?,
    };
    let paths = read.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>();
    paths.map_err(failed(directory))
}
