//! Snapshots: a collection in one of its states, as one file of lines that can be downloaded, kept elsewhere, uploaded
//! and restored, here or on another server.
//!
//! ```text
//! DIRECTORY/snapshots/COLLECTION/ID.jsonl
//! {"schema":"nearprint/snapshot/1","collection":"lights","scheme":"sd1","texts":true}
//! {"id":"en.txt","fingerprint":"sd1:…","time":1767225600000,"extractor":"text/9","metadata":null,"text":"Fog …"}
//! {"schema":"nearprint/snapshot-end/1","rows":1,"sha256":"…"}
//! ```
//! The digest is of all bytes before the last line. A file without its end was cut, and is refused.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use nearprint::fingerprint::{Fingerprint, Scheme};
use nearprint::records::DocumentId;
use nearprint_index::{CaptureKey, StoredDocument, check_metadata};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use crate::clock::{date, now};
use crate::collection::{Collection, Description, NewDocument};
use crate::collections::{check_name, sync};
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::request::scheme;
use crate::texts::KeptText;

/// Documents of a restored collection that are written in one commit.
const BATCH: usize = 10_000;

/// Bytes in which the last line of a file is looked for.
const END_BYTES: i64 = 512;

const SCHEMA: &str = "nearprint/snapshot/1";
const END_SCHEMA: &str = "nearprint/snapshot-end/1";

/// The snapshots of all collections of a server.
pub(crate) struct Snapshots {
    directory: PathBuf,
    /// Bytes of a line at most.
    longest: u64,
}

/// The first line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    schema: String,
    collection: String,
    scheme: String,
    texts: bool,
}

/// The line of a document.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    fingerprint: String,
    time: u64,
    extractor: Option<String>,
    metadata: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    capture: Option<CaptureRow>,
    text: Option<String>,
    /// The bytes of the text that are the main content of a page: the first and the end of each stretch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    main_content: Vec<(usize, usize)>,
}

/// By what a document is found as a capture.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CaptureRow {
    url_key: String,
    date: Option<String>,
    payload_digest: Option<String>,
}

impl From<CaptureKey> for CaptureRow {
    fn from(CaptureKey { url_key, date, payload_digest }: CaptureKey) -> Self {
        Self { url_key, date, payload_digest }
    }
}

impl From<CaptureRow> for CaptureKey {
    fn from(CaptureRow { url_key, date, payload_digest }: CaptureRow) -> Self {
        Self { url_key, date, payload_digest }
    }
}

/// The last line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct End {
    schema: String,
    rows: u64,
    sha256: String,
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
    /// The number of documents.
    pub(crate) documents: u64,
    /// Its length.
    pub(crate) bytes: u64,
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
        if let Some(file) = self.file.take() {
            file.sync_all().map_err(failed(&self.part))?;
        }
        fs::rename(&self.part, &self.whole).map_err(failed(&self.whole))?;
        self.whole.parent().map_or(Ok(()), sync)
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        // After a rename there is nothing of this name.
        let _ = fs::remove_file(&self.part);
    }
}

/// Counts and digests what is written.
struct Digesting<W> {
    out: W,
    digest: Sha256,
}

impl<W: Write> Write for Digesting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.digest.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn hex(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn line(out: &mut impl Write, object: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, object)?;
    out.write_all(b"\n")
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
        let mut out = Digesting { out: BufWriter::new(file), digest: Sha256::new() };
        let unwritten = failed(&part.part);
        let (scheme, texts) = (collection.scheme().to_string(), collection.keeps_texts());
        let head = Head { schema: SCHEMA.to_owned(), collection: name.clone(), scheme, texts };
        line(&mut out, &head).map_err(&unwritten)?;
        let mut rows = 0;
        collection.for_each_with_text(|document, text| {
            rows += 1;
            let StoredDocument { id, fingerprint, time, extractor, metadata, capture, .. } =
                document;
            let (id, fingerprint) = (id.into(), fingerprint.to_string());
            let capture = capture.map(CaptureRow::from);
            let (text, main_content) = text.map(|kept| (kept.text, kept.main_content)).unzip();
            let main_content: Vec<Range<usize>> = main_content.unwrap_or_default();
            let main_content = main_content.into_iter().map(|range| (range.start, range.end));
            let main_content = main_content.collect();
            let row =
                Row { id, fingerprint, time, extractor, metadata, capture, text, main_content };
            line(&mut out, &row).map_err(&unwritten)
        })?;
        let sha256 = hex(&out.digest.finalize());
        let mut out = out.out;
        line(&mut out, &End { schema: END_SCHEMA.to_owned(), rows, sha256 }).map_err(&unwritten)?;
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
        self.read(&part.part, |_| Ok(()))?;
        part.finish()?;
        self.get(collection, id).map(|(body, _)| body)
    }

    /// The snapshots of a collection, the newest first.
    pub(crate) fn list(&self, collection: &str) -> Result<Vec<SnapshotBody>, Problem> {
        let folder = self.folder(collection)?;
        let files = match fs::read_dir(&folder) {
            Ok(files) => files,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed(&folder)(error)),
        };
        let mut ids: Vec<String> = files
            .flatten()
            .filter_map(|file| Some(file.file_name().to_str()?.strip_suffix(".jsonl")?.to_owned()))
            .collect();
        ids.sort();
        ids.reverse();
        ids.iter().map(|id| self.get(collection, id).map(|(body, _)| body)).collect()
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
        let mut first = Vec::new();
        BufReader::new((&mut file).take(1 << 16))
            .read_until(b'\n', &mut first)
            .map_err(failed(&path))?;
        let head: Head =
            serde_json::from_slice(&first).map_err(|error| damaged(error.to_string()))?;
        let back = END_BYTES.min(bytes as i64);
        file.seek(SeekFrom::End(-back)).map_err(failed(&path))?;
        let mut last = Vec::new();
        file.read_to_end(&mut last).map_err(failed(&path))?;
        let last = last.trim_ascii_end().rsplit(|&byte| byte == b'\n').next().unwrap_or(&[]);
        let end: End = serde_json::from_slice(last).map_err(|error| damaged(error.to_string()))?;
        file.seek(SeekFrom::Start(0)).map_err(failed(&path))?;
        let (id, collection) = (id.to_owned(), collection.to_owned());
        let Head { scheme, texts, .. } = head;
        let body = SnapshotBody { id, collection, scheme, texts, documents: end.rows, bytes };
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

    /// What a collection must be to take a snapshot: its texts, and its scheme.
    pub(crate) fn described(
        &self,
        collection: &str,
        id: &str,
    ) -> Result<(Description, Scheme), Problem> {
        let (body, _) = self.get(collection, id)?;
        let scheme = scheme("/scheme", &body.scheme).map_err(|problem| damaged(problem.detail))?;
        Ok((Description { name: collection.to_owned(), texts: body.texts }, scheme))
    }

    /// Puts the documents of a snapshot into a new collection.
    pub(crate) fn restore(
        &self,
        collection: &str,
        id: &str,
        into: &Collection,
    ) -> Result<(), Problem> {
        let mut batch = Vec::new();
        self.read(&self.file(collection, id)?, |document| {
            batch.push(document);
            match batch.len() {
                BATCH => into.restore(std::mem::take(&mut batch)),
                _ => Ok(()),
            }
        })?;
        into.restore(batch)
    }

    /// Reads a file to its end, and checks everything in it.
    fn read(
        &self,
        path: &Path,
        mut visit: impl FnMut(NewDocument) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        let unread = failed(path);
        let mut reader = BufReader::new(File::open(path).map_err(&unread)?);
        let mut digest = Sha256::new();
        let (mut bytes, mut number) = (Vec::new(), 0_u64);
        let mut head: Option<(Scheme, bool)> = None;
        loop {
            bytes.clear();
            let length = Read::by_ref(&mut reader).take(self.longest).read_until(b'\n', &mut bytes);
            if length.map_err(&unread)? == 0 || bytes.last() != Some(&b'\n') {
                return Err(damaged(format!("line {} is cut, or too long", number + 1)));
            }
            let at =
                |error: &dyn std::fmt::Display| damaged(format!("line {}: {error}", number + 1));
            let Some((scheme_of_all, has_texts)) = head else {
                let found: Head = serde_json::from_slice(&bytes).map_err(|error| at(&error))?;
                if found.schema != SCHEMA {
                    return Err(at(&format!("the schema is not {SCHEMA}")));
                }
                let known = scheme("/scheme", &found.scheme).map_err(|error| at(&error.detail))?;
                head = Some((known, found.texts));
                digest.update(&bytes);
                number += 1;
                continue;
            };
            if let Ok(end) = serde_json::from_slice::<End>(&bytes) {
                let is_whole =
                    end.rows + 1 == number && end.sha256 == hex(&digest.clone().finalize());
                let rest = reader.fill_buf().map_err(&unread)?;
                return match is_whole && rest.is_empty() && end.schema == END_SCHEMA {
                    true => Ok(()),
                    false => Err(damaged("the last line is not that of the lines before it")),
                };
            }
            let row: Row = serde_json::from_slice(&bytes).map_err(|error| at(&error))?;
            visit(document(row, scheme_of_all, has_texts).map_err(|detail| at(&detail))?)?;
            digest.update(&bytes);
            number += 1;
        }
    }
}

/// The document of a line.
fn document(row: Row, scheme: Scheme, has_texts: bool) -> Result<NewDocument, String> {
    let Row { id, fingerprint, time, extractor, metadata, capture, text, main_content } = row;
    let capture = capture.map(CaptureKey::from);
    let id = DocumentId::new(id).map_err(|error| error.to_string())?;
    let fingerprint = fingerprint.parse::<Fingerprint>().map_err(|error| error.to_string())?;
    if fingerprint.scheme() != scheme {
        return Err(format!("the fingerprint is not of {scheme}"));
    }
    if let Some(metadata) = &metadata {
        check_metadata(metadata).map_err(|error| error.to_string())?;
    }
    if text.is_some() && !has_texts {
        return Err("there is a text, but the snapshot has none".to_owned());
    }
    let main_content = main_content.into_iter().map(|(start, end)| start..end).collect();
    let text = text.map(|text| KeptText { text, main_content });
    if text.as_ref().is_some_and(|kept| !kept.is_valid()) {
        return Err("the main content is not in the text".to_owned());
    }
    let document = StoredDocument {
        time,
        extractor,
        metadata,
        capture,
        ..StoredDocument::new(id, fingerprint)
    };
    Ok(NewDocument { document, text })
}

fn unknown(id: &str) -> Problem {
    let shown: String = id.chars().take(64).collect();
    let detail = format!("there is no snapshot {}", shown.escape_debug());
    Problem::new(ProblemKind::UnknownSnapshot, detail)
}
