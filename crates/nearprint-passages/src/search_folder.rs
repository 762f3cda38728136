//! The folder of a search that goes on after its process has ended: the files that each of its steps leaves, and a
//! manifest that names them.
//!
//! Files are written and made to last before the manifest that names them takes the place of the one before, so a crash
//! at any time leaves one whole step or the other. What no manifest names is removed. A file that is not what the
//! manifest says makes the whole search begin again: nothing is lost then but time. `docs/FORMAT.md` has the manifest.

use std::fmt::Write;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use twox_hash::XxHash3_64;

use crate::external_sort::SortedRecords;
use crate::temporary_file::TemporaryFile;

/// What a manifest begins with.
const FORMAT: &str = "nearprint passage search 1";

const MANIFEST: &str = "manifest";

/// The manifest while it is written.
const MANIFEST_PART: &str = "manifest.part";

/// Bytes of a manifest, at most: it has some twenty short lines.
const LONGEST_MANIFEST: u64 = 1 << 16;

/// All that a search leaves.
const FILES: [&str; 9] = [
    "texts",
    "starts",
    "anchors",
    "candidates",
    "frequent-places",
    "frequent-windows",
    "runs",
    "repeats",
    MANIFEST_PART,
];

/// A step of a search whose result is saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SearchStep {
    /// All texts are read, and their anchors sorted.
    Read,
    /// Anchors and windows are grouped: what may be shared is known.
    Grouped,
    /// It is compared: what is left is to give the passages out.
    Compared,
}

impl SearchStep {
    const ALL: [(Self, &'static str); 3] =
        [(Self::Read, "read"), (Self::Grouped, "grouped"), (Self::Compared, "compared")];

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(step, _)| *step == self).map_or("", |(_, name)| name)
    }
}

/// What a search knows beside its files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct SavedCounts {
    pub(crate) documents: u32,
    pub(crate) tokens: u64,
    pub(crate) anchors: u64,
    pub(crate) candidates: u64,
    /// The number of the first reference, where there are any.
    pub(crate) first_reference: Option<u32>,
}

/// A step that is saved.
#[derive(Debug)]
pub(crate) struct SavedStep {
    pub(crate) step: SearchStep,
    pub(crate) counts: SavedCounts,
    files: Vec<FileRow>,
}

/// A file as the manifest has it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct FileRow {
    name: &'static str,
    bytes: u64,
    digest: u64,
}

impl FileRow {
    fn of(name: &'static str, file: &TemporaryFile) -> Self {
        Self { name, bytes: file.length(), digest: file.digest().unwrap_or_default() }
    }
}

/// The folder of a search.
#[derive(Debug)]
pub(crate) struct SearchFolder {
    path: PathBuf,
    /// What decides what the search finds, as one line.
    identity: String,
    /// Files that are complete.
    files: Vec<FileRow>,
}

impl SearchFolder {
    /// Takes a folder, making it where it is missing, and the step that a search of this identity has saved there. Each
    /// of its files is read once.
    pub(crate) fn open(path: &Path, identity: &str) -> io::Result<(Self, Option<SavedStep>)> {
        std::fs::create_dir_all(path)?;
        // Lines are for the manifest.
        let identity = identity.replace(['\r', '\n'], " ");
        let saved = read_manifest(&path.join(MANIFEST), &identity)?;
        let saved = match saved {
            Some(saved) if is_whole(path, &saved.files)? => Some(saved),
            _ => None,
        };
        let files = saved.as_ref().map_or(Vec::new(), |saved| saved.files.clone());
        let folder = Self { path: path.to_owned(), identity, files };
        if saved.is_none() {
            remove(&folder.path(MANIFEST))?;
        }
        folder.remove_others()?;
        Ok((folder, saved))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// A file that the saved step has.
    pub(crate) fn file(&self, name: &str) -> io::Result<TemporaryFile> {
        TemporaryFile::open(&self.path(name))
    }

    /// Records of a file that the saved step has, within `memory` bytes as of a sort.
    pub(crate) fn records<const N: usize>(
        &self,
        name: &str,
        memory: usize,
    ) -> io::Result<SortedRecords<N>> {
        SortedRecords::open(self.file(name)?, memory)
    }

    /// Makes a file that was written by whoever has it part of the next step.
    pub(crate) fn add(&mut self, name: &'static str, file: &TemporaryFile) -> io::Result<()> {
        file.sync()?;
        self.files.retain(|row| row.name != name);
        self.files.push(FileRow::of(name, file));
        Ok(())
    }

    /// Makes records part of the next step. Those that were in a temporary file are read from this one from now on.
    pub(crate) fn save<const N: usize>(
        &mut self,
        name: &'static str,
        records: &mut SortedRecords<N>,
        memory: usize,
    ) -> io::Result<()> {
        let mut file = TemporaryFile::create_named(&self.path(name))?;
        records.write(&mut file)?;
        self.add(name, &file)?;
        if records.is_spilled() {
            *records = SortedRecords::open(file, memory)?;
        }
        Ok(())
    }

    /// Saves a step, which has these files of those that are complete, and removes the others.
    pub(crate) fn commit(
        &mut self,
        step: SearchStep,
        counts: SavedCounts,
        names: &[&str],
    ) -> io::Result<()> {
        self.files.retain(|row| names.contains(&row.name));
        let part = self.path(MANIFEST_PART);
        std::fs::write(&part, manifest(&self.identity, step, counts, &self.files))?;
        File::options().write(true).open(&part)?.sync_all()?;
        // The names of the files last before the manifest that has them.
        sync_names(&self.path)?;
        std::fs::rename(&part, self.path(MANIFEST))?;
        sync_names(&self.path)?;
        self.remove_others()
    }

    /// Removes what a search leaves and this step does not have.
    fn remove_others(&self) -> io::Result<()> {
        let others = FILES.iter().filter(|name| self.files.iter().all(|row| row.name != **name));
        others.map(|name| self.path(name)).try_for_each(|path| remove(&path))
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// Makes the names in a folder last, where the system can.
fn sync_names(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
}

/// Whether all files are what the manifest says.
fn is_whole(path: &Path, files: &[FileRow]) -> io::Result<bool> {
    for row in files {
        let path = path.join(row.name);
        match std::fs::metadata(&path) {
            Ok(found) if found.len() == row.bytes => {}
            Ok(_) => return Ok(false),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error),
        }
        if FileRow::of(row.name, &TemporaryFile::open(&path)?) != *row {
            return Ok(false);
        }
    }
    Ok(true)
}

fn manifest(identity: &str, step: SearchStep, counts: SavedCounts, files: &[FileRow]) -> String {
    let mut text = format!("{FORMAT}\nidentity {identity}\nstep {}\n", step.name());
    let SavedCounts { documents, tokens, anchors, candidates, first_reference } = counts;
    let mut line = |name: &str, value: u64| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{name} {value}");
    };
    line("documents", documents.into());
    line("tokens", tokens);
    line("anchors", anchors);
    line("candidates", candidates);
    first_reference.into_iter().for_each(|number| line("first-reference", number.into()));
    for FileRow { name, bytes, digest } in files {
        let _ = writeln!(text, "file {name} {bytes} {digest:016x}");
    }
    let digest = XxHash3_64::oneshot(text.as_bytes());
    let _ = writeln!(text, "xxh3 {digest:016x}");
    text
}

/// The step that a manifest of this identity has; `None` where there is none, and where it is another one's or damaged.
fn read_manifest(path: &Path, identity: &str) -> io::Result<Option<SavedStep>> {
    match std::fs::metadata(path) {
        Ok(found) if found.len() <= LONGEST_MANIFEST => {}
        Ok(_) => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    }
    let text = String::from_utf8(std::fs::read(path)?).unwrap_or_default();
    // What it says must be what would be written.
    Ok(parsed(&text)
        .filter(|saved| manifest(identity, saved.step, saved.counts, &saved.files) == text))
}

fn parsed(text: &str) -> Option<SavedStep> {
    let (mut step, mut counts, mut files) = (None, SavedCounts::default(), Vec::new());
    for line in text.lines().skip(2) {
        let (name, value) = line.split_once(' ')?;
        match name {
            "step" => step = SearchStep::ALL.into_iter().find(|(_, name)| *name == value),
            "documents" => counts.documents = number(value)?,
            "tokens" => counts.tokens = number(value)?,
            "anchors" => counts.anchors = number(value)?,
            "candidates" => counts.candidates = number(value)?,
            "first-reference" => counts.first_reference = Some(number(value)?),
            "file" => {
                let mut fields = value.split(' ');
                let wanted = fields.next()?;
                let name = *FILES.iter().find(|name| **name == wanted)?;
                let bytes = number(fields.next()?)?;
                let digest = u64::from_str_radix(fields.next()?, 16).ok()?;
                files.push(FileRow { name, bytes, digest });
            }
            _ => {}
        }
    }
    Some(SavedStep { step: step?.0, counts, files })
}

fn number<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}
