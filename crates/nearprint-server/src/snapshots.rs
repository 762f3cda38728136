//! Snapshots: a collection in one of its states, as one file of lines that can be downloaded, kept elsewhere, uploaded
//! and restored, here or on another server. They are the exports of its index (`nearprint index export --format
//! jsonl`).
//!
//! ```text
//! DIRECTORY/snapshots/COLLECTION/ID.jsonl
//! ```

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use nearprint::fingerprint::Scheme;
use nearprint::records::durability;
use nearprint::{Filter, OnDuplicate};
use nearprint_index::{
    DocumentInserter, ExportError, ExportHead, IndexedLine, IndexedLines, LookFor, StoredDocument,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::clock::{date, now};
use crate::collection::{Collection, Description};
use crate::collections::{check_name, sync};
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::question::scheme;

/// Documents of a restored collection that are written in one commit.
const BATCH: usize = 10_000;

/// Bytes in which the last line of a file is looked for.
const END_BYTES: i64 = 512;

/// Bytes of a line at most where the limits of the server are not known.
const LONGEST_LINE: u64 = 1 << 30;

/// The snapshots of all collections of a server.
pub(crate) struct Snapshots {
    directory: PathBuf,
    /// Bytes of a line at most.
    longest: u64,
}

/// A snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct SnapshotBody {
    /// Its id.
    pub(crate) id: String,
    /// The collection that it is kept with.
    pub(crate) collection: String,
    /// The scheme of its fingerprints.
    pub(crate) scheme: String,
    /// Whether it has the texts of documents.
    pub(crate) texts: bool,
    /// Whether it has the features of texts.
    pub(crate) features: bool,
    /// The number of documents.
    pub(crate) documents: u64,
    /// Its length.
    pub(crate) bytes: u64,
}

/// A file among the snapshots that is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct DamagedSnapshot {
    /// Its id.
    pub(crate) id: String,
    /// Why it cannot be restored.
    pub(crate) detail: String,
}

/// The snapshots of a collection.
#[derive(Debug, Default, Serialize, ToSchema)]
pub(crate) struct SnapshotList {
    /// The whole ones, the newest first.
    pub(crate) items: Vec<SnapshotBody>,
    /// Files that are none: they were damaged, or come from somewhere else.
    pub(crate) damaged: Vec<DamagedSnapshot>,
}

fn failed(path: &Path) -> impl Fn(io::Error) -> Problem + use<> {
    let path = path.display().to_string();
    move |error| Problem::new(ProblemKind::Storage, format!("{path}: {error}"))
}

fn damaged(detail: impl Into<String>) -> Problem {
    Problem::new(ProblemKind::DamagedSnapshot, detail)
}

/// A file that is removed unless it gets its name.
pub(crate) struct PartFile {
    part: PathBuf,
    whole: PathBuf,
    file: Option<File>,
}

impl PartFile {
    /// Writes bytes at the end.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        let failed = failed(&self.part);
        match &mut self.file {
            Some(file) => file.write_all(bytes).map_err(failed),
            None => Ok(()),
        }
    }

    /// The file appears under its name, on the disk.
    fn finish(mut self) -> Result<(), Problem> {
        match self.file.take() {
            Some(file) => durability::finish_file(&file, &self.part, &self.whole),
            None => durability::rename(&self.part, &self.whole),
        }
        .map_err(failed(&self.whole))
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        // After a rename there is nothing of this name.
        let _ = fs::remove_file(&self.part);
    }
}

impl Snapshots {
    /// The snapshots of a directory; what a crash left of one is removed.
    pub(crate) fn open(directory: PathBuf, body_bytes: u64) -> Result<Self, Problem> {
        // A text that was extracted from a body may be a little longer, and twice as long with escapes.
        let longest = body_bytes.saturating_mul(4).saturating_add(1 << 20);
        let snapshots = Self { directory, longest };
        let Ok(collections) = fs::read_dir(&snapshots.directory) else { return Ok(snapshots) };
        for collection in collections.flatten() {
            let Ok(files) = fs::read_dir(collection.path()) else { continue };
            for file in files.flatten().map(|file| file.path()) {
                if file.extension().is_some_and(|extension| extension == "part") {
                    fs::remove_file(&file).map_err(failed(&file))?;
                }
            }
        }
        Ok(snapshots)
    }

    fn folder(&self, collection: &str) -> Result<PathBuf, Problem> {
        check_name(collection)?;
        Ok(self.directory.join(collection))
    }

    fn file(&self, collection: &str, id: &str) -> Result<PathBuf, Problem> {
        check_name(id).map_err(|_| unknown(id))?;
        Ok(self.folder(collection)?.join(format!("{id}.jsonl")))
    }

    /// A new file for a snapshot of a collection.
    pub(crate) fn begin(&self, collection: &str, id: &str) -> Result<PartFile, Problem> {
        check_name(id)?;
        let whole = self.file(collection, id)?;
        let folder = self.folder(collection)?;
        fs::create_dir_all(&folder).map_err(failed(&folder))?;
        sync(&self.directory)?;
        let taken = || {
            let detail = format!("there is a snapshot {id}, or it is being written");
            Problem::new(ProblemKind::SnapshotExists, detail)
        };
        if whole.exists() {
            return Err(taken());
        }
        let part = whole.with_extension("part");
        match File::options().write(true).create_new(true).open(&part) {
            Ok(file) => Ok(PartFile { part, whole, file: Some(file) }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(taken()),
            Err(error) => Err(failed(&part)(error)),
        }
    }

    /// Writes a collection as it is now; changes go on meanwhile.
    pub(crate) fn create(&self, collection: &Collection) -> Result<SnapshotBody, Problem> {
        let name = &collection.description.name;
        // Ids are times, in seconds: 20261123-063500.
        let time = date(now()).replace(['-', ':', 'Z'], "").replace('T', "-");
        let mut part = self.begin(name, &time).or_else(|_| {
            let more = now() % 1000;
            self.begin(name, &format!("{time}-{more}"))
        })?;
        let id = part.whole.file_stem().and_then(|stem| stem.to_str()).unwrap_or("").to_owned();
        let file = part.file.take();
        let file = file.ok_or_else(|| Problem::new(ProblemKind::Internal, "there is no file"))?;
        let mut out = BufWriter::new(file);
        let unwritten = failed(&part.part);
        let exported = collection.index.export(&Filter::default(), &mut out);
        exported.map_err(|error| match error {
            ExportError::Index(error) => Problem::from(error),
            ExportError::Output(error) => unwritten(error),
            other => Problem::new(ProblemKind::Internal, other.to_string()),
        })?;
        part.file = Some(out.into_inner().map_err(|error| unwritten(error.into_error()))?);
        part.finish()?;
        self.get(name, &id).map(|(body, _)| body)
    }

    /// Takes an uploaded file, if it is a whole snapshot.
    pub(crate) fn finish_upload(
        &self,
        part: PartFile,
        collection: &str,
        id: &str,
    ) -> Result<SnapshotBody, Problem> {
        read(&part.part, self.longest, |_| Ok(()))?;
        part.finish()?;
        self.get(collection, id).map(|(body, _)| body)
    }

    /// The snapshots of a collection, as far as the two ends of their files tell.
    pub(crate) fn list(&self, collection: &str) -> Result<SnapshotList, Problem> {
        let folder = self.folder(collection)?;
        let files = match fs::read_dir(&folder) {
            Ok(files) => files,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(SnapshotList::default());
            }
            Err(error) => return Err(failed(&folder)(error)),
        };
        let mut ids: Vec<String> = files
            .flatten()
            .filter_map(|file| Some(file.file_name().to_str()?.strip_suffix(".jsonl")?.to_owned()))
            .collect();
        ids.sort();
        ids.reverse();
        let mut list = SnapshotList::default();
        for id in ids {
            match self.get(collection, &id) {
                Ok((body, _)) => list.items.push(body),
                Err(Problem { detail, .. }) => list.damaged.push(DamagedSnapshot { id, detail }),
            }
        }
        Ok(list)
    }

    /// A snapshot, and its file.
    pub(crate) fn get(&self, collection: &str, id: &str) -> Result<(SnapshotBody, File), Problem> {
        let path = self.file(collection, id)?;
        let mut file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(unknown(id)),
            Err(error) => return Err(failed(&path)(error)),
        };
        let bytes = file.metadata().map_err(failed(&path))?.len();
        let reader = BufReader::new((&mut file).take(self.longest));
        let damaged = |detail: String| damaged(format!("the snapshot {id}: {detail}"));
        let head = head(&mut IndexedLines::new(id, reader).longest(self.longest))
            .map_err(|problem| damaged(problem.detail))?;
        let back = END_BYTES.min(bytes as i64);
        file.seek(SeekFrom::End(-back)).map_err(failed(&path))?;
        let mut last = Vec::new();
        file.read_to_end(&mut last).map_err(failed(&path))?;
        let last = last.trim_ascii_end().rsplit(|&byte| byte == b'\n').next().unwrap_or(&[]);
        let end: serde_json::Value = serde_json::from_slice(last)
            .map_err(|_| damaged("the last line is missing".to_owned()))?;
        let documents = end.get("rows").and_then(serde_json::Value::as_u64);
        let documents = documents.ok_or_else(|| damaged("the last line is missing".to_owned()))?;
        file.seek(SeekFrom::Start(0)).map_err(failed(&path))?;
        let (id, collection) = (id.to_owned(), collection.to_owned());
        let ExportHead { scheme, features, texts } = head;
        let features = features.is_some();
        let body = SnapshotBody { id, collection, scheme, texts, features, documents, bytes };
        Ok((body, file))
    }

    /// Removes a snapshot.
    pub(crate) fn delete(&self, collection: &str, id: &str) -> Result<(), Problem> {
        let path = self.file(collection, id)?;
        match fs::remove_file(&path) {
            Ok(()) => sync(&self.folder(collection)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(unknown(id)),
            Err(error) => Err(failed(&path)(error)),
        }
    }

    /// What a collection must be to take a snapshot: its texts, its scheme, and whether it keeps features.
    pub(crate) fn described(
        &self,
        collection: &str,
        id: &str,
    ) -> Result<(Description, (Scheme, bool)), Problem> {
        let (body, _) = self.get(collection, id)?;
        let scheme = scheme("/scheme", &body.scheme).map_err(|problem| damaged(problem.detail))?;
        let description =
            Description { name: collection.to_owned(), texts: body.texts, replay: None };
        Ok((description, (scheme, body.features)))
    }

    /// Puts the documents of a snapshot into a new collection.
    pub(crate) fn restore(
        &self,
        collection: &str,
        id: &str,
        into: &Collection,
    ) -> Result<(), Problem> {
        let nothing = |_: &StoredDocument, _| Ok::<_, Problem>(());
        let adding =
            DocumentInserter::new(&into.index, OnDuplicate::Refuse, LookFor::Nothing, nothing);
        let mut adding = adding.commit(BATCH);
        read(&self.file(collection, id)?, self.longest, |line| adding.push_line(line))?;
        adding.finish().map(drop)
    }
}

/// Checks everything in the file of a snapshot.
pub(crate) fn check(path: &Path) -> Result<(), Problem> {
    read(path, LONGEST_LINE, |_| Ok(()))
}

/// Reads a file to its end, and checks everything in it.
fn read(
    path: &Path,
    longest: u64,
    mut visit: impl FnMut(IndexedLine) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let reader = BufReader::new(File::open(path).map_err(failed(path))?);
    let mut lines = IndexedLines::new("the snapshot", reader).longest(longest);
    head(&mut lines)?;
    lines.try_for_each(|line| visit(line.map_err(|error| damaged(error.to_string()))?))
}

/// What a snapshot says that it is, if it is one of a scheme that is known here.
fn head(lines: &mut IndexedLines<impl io::BufRead>) -> Result<ExportHead, Problem> {
    let found = lines.head().map_err(|error| damaged(error.to_string()))?.cloned();
    let head = found.ok_or_else(|| damaged("the first line is not that of an export"))?;
    scheme("/scheme", &head.scheme).map_err(|problem| damaged(problem.detail))?;
    Ok(head)
}

fn unknown(id: &str) -> Problem {
    let shown: String = id.chars().take(64).collect();
    let detail = format!("there is no snapshot {}", shown.escape_debug());
    Problem::new(ProblemKind::UnknownSnapshot, detail)
}
