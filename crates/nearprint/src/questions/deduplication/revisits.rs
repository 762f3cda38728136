//! Which captures of web archives become revisits: those whose payload an earlier capture has, byte for byte.
//!
//! All WARC files are read once. Of each response that may be one, the digest of its stored payload is looked up; the
//! earliest response of each digest is the target, and all others become revisits of it. Two responses are equal if
//! their stored payloads are, and their status and the codings under which these are stored: what a reader of one
//! makes of the payload, the reader of the other does too. Equal bytes are told by SHA-256.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use nearprint_records::{
    Capture, CaptureIds, Container, DocumentId, InputFile, PackageArchive, Place, ReadSettings,
    RevisitTarget, StoredKind, StoredPayload, StoredRecord, StoredRecords, copy_records,
    each_package_archive, escape,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::KeptError;
use crate::store::temporary_file::TemporaryFile;
use crate::{CancelFlag, Error};

/// Bytes of notes that are written at once.
const AT_ONCE: usize = 1 << 20;

/// What one key of a map is made of: 128 bits, at which equal keys of unlike captures are not to be expected.
type Key = u128;

/// Which captures become revisits, and of which records.
///
/// In memory some 100 bytes for each distinct payload while the files are read, some 150 for each capture that becomes
/// a revisit, and the targets; all else is in a temporary file.
#[derive(Debug)]
pub struct Revisits {
    /// Files that are web archives, named as places name them, and those in packages.
    archives: HashMap<Box<str>, ArchiveFile>,
    settings: ReadSettings,
    /// Captures that become revisits, by file and offset, with their targets.
    captures: HashMap<(u32, u64), u32>,
    targets: Vec<RevisitTarget>,
    /// Captures that become revisits, by what other revisits name them by.
    named: HashMap<Key, u32>,
    counts: RevisitCounts,
}

#[derive(Debug, Clone, Copy)]
struct ArchiveFile {
    number: u32,
    container: Container,
}

/// What becoming revisits saves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct RevisitCounts {
    /// Responses looked at, of the files that are written.
    pub responses: u64,
    /// Those that become revisits.
    pub revisits: u64,
    /// Bytes of the payloads that are not written, before compression.
    pub bytes: u64,
}

impl Revisits {
    /// Reads the WARC files among `references`, which are not written, and `files`, in this order, and those in
    /// packages. What cannot be read is passed over: it is reported when documents are read.
    ///
    /// # Errors
    /// Where a temporary file in `directory` cannot be written or read, and [`KeptError::Cancelled`].
    pub fn plan(
        references: impl IntoIterator<Item = PathBuf>,
        files: impl IntoIterator<Item = PathBuf>,
        settings: &ReadSettings,
        directory: &Path,
        cancel: &CancelFlag,
    ) -> Result<Self, KeptError> {
        let mut found = ResponseLog::new(directory).map_err(Error::TemporaryFile)?;
        let mut archives = HashMap::new();
        let references = references.into_iter().map(|path| (path, false));
        for (path, is_written) in references.chain(files.into_iter().map(|path| (path, true))) {
            let name = escape(path.as_os_str().as_encoded_bytes()).into_boxed_str();
            let Some(container) = archive(&path, settings) else { continue };
            if archives.contains_key(&name) {
                continue;
            }
            let mut take = |name, container, path: &Path| {
                let number = archives.len() as u32;
                archives.insert(name, ArchiveFile { number, container });
                found.take_all(path, settings, (number, is_written), cancel)
            };
            if container != Container::Wacz {
                take(name, container, &path)?;
                continue;
            }
            let mut failure = None;
            take(name.clone(), container, Path::new(""))?;
            let read = each_package_archive(&path, settings, |archive| {
                let name = name_in(&name, archive.member).into_boxed_str();
                take(name, Container::Warc, archive.path).map_err(|error| {
                    failure = Some(error);
                    io::Error::other("ended")
                })
            });
            match failure {
                Some(error) => return Err(error),
                None => drop(read),
            }
        }
        Ok(found.decide(archives, settings).map_err(Error::TemporaryFile)?)
    }

    /// Whether a place is in a web archive, none of whose captures is dropped.
    #[must_use]
    pub fn is_archive(&self, place: &Place) -> bool {
        self.archives.contains_key(&*archive_of(place))
    }

    /// Whether a file is a package of web archives.
    pub(super) fn has_package(&self, file: &str) -> bool {
        self.archives.get(file).is_some_and(|of| of.container == Container::Wacz)
    }

    /// The record that a capture becomes a revisit of, if it does.
    #[must_use]
    pub fn target(&self, place: &Place) -> Option<&RevisitTarget> {
        let file = self.archives.get(&*archive_of(place))?.number;
        let target = *self.captures.get(&(file, place.offset?))?;
        self.targets.get(target as usize)
    }

    /// What the document of a target is called.
    pub(super) fn id(&self, target: &RevisitTarget) -> Option<DocumentId> {
        let RevisitTarget { record_id, url, date, .. } = target;
        let id = match self.settings.ids {
            CaptureIds::Record => record_id.clone(),
            CaptureIds::Url => url.clone(),
            CaptureIds::DateAndUrl => format!("{:.14}/{url}", digits(date)),
        };
        DocumentId::new(id).ok()
    }

    /// Writes a WARC file with its revisits, and gives the bytes written; `None` if `file` is none.
    pub(super) fn write(
        &self,
        file: &str,
        path: &Path,
        to: &mut (dyn Write + Send),
    ) -> Option<io::Result<u64>> {
        let archive = self.archives.get(file).filter(|of| of.container == Container::Warc);
        let instead = |record: &StoredRecord| self.instead_of(record, &record.place);
        archive.map(|_| copy_records(path, &self.settings, instead, to))
    }

    /// The same of a WARC file in a package.
    pub(super) fn write_member(
        &self,
        file: &str,
        archive: PackageArchive<'_>,
        to: &mut (dyn Write + Send),
    ) -> Option<io::Result<u64>> {
        self.archives.get(&*name_in(file, archive.member))?;
        let instead = |record: &StoredRecord| {
            let (file, member) = (file.into(), Some(archive.member.into()));
            self.instead_of(record, &Place { file, member, ..record.place.clone() })
        };
        Some(copy_records(archive.path, &self.settings, instead, to))
    }

    /// What is written in the place of a record of an archive, which is at this place; `None` if it stays as it is.
    fn instead_of(&self, record: &StoredRecord, place: &Place) -> Option<Vec<u8>> {
        match record.kind {
            StoredKind::Response => self.target(place).map(|target| record.as_revisit_of(target)),
            StoredKind::Revisit => {
                self.new_target(record).map(|target| record.referring_to(target))
            }
            StoredKind::Other => None,
        }
    }

    /// The record that a revisit is to refer to instead of one that becomes a revisit itself.
    fn new_target(&self, record: &StoredRecord) -> Option<&RevisitTarget> {
        let referred = record.refers_to();
        let by_id = referred.record_id.map(|id| key(&["id", &id]));
        let by_capture = referred.capture.map(|(url, date)| key(&["date", &url, &digits(&date)]));
        // Readers look for a payload of this digest under the same address, whatever the revisit refers to.
        let digest = record.capture.digest.as_deref();
        let by_digest = digest.map(|digest| key(&["digest", &record.capture.url, digest]));
        let keys = [by_id, by_capture, by_digest];
        let target = *keys.into_iter().flatten().find_map(|key| self.named.get(&key))?;
        self.targets.get(target as usize)
    }

    /// What it comes to.
    #[must_use]
    pub fn counts(&self) -> RevisitCounts {
        self.counts
    }
}

/// What a file is, if it is a web archive.
fn archive(path: &Path, settings: &ReadSettings) -> Option<Container> {
    // Opening a pipe would wait.
    let is_file = std::fs::metadata(path).is_ok_and(|found| found.is_file());
    let mut file = is_file.then(|| InputFile::open(path).ok())??;
    let container = file.container(settings).ok()?;
    container.filter(|of| matches!(of, Container::Warc | Container::Arc | Container::Wacz))
}

/// The web archive that a place is in.
fn archive_of(place: &Place) -> Cow<'_, str> {
    match &place.member {
        Some(member) => Cow::Owned(name_in(&place.file, member)),
        None => Cow::Borrowed(&place.file),
    }
}

/// The name of a web archive in a package. No name of a file has a NUL.
fn name_in(package: &str, member: &str) -> String {
    format!("{package}\0{member}")
}

fn digits(date: &str) -> String {
    date.chars().filter(char::is_ascii_digit).collect()
}

fn key(parts: &[&str]) -> Key {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    let digest = hasher.finalize();
    Key::from_le_bytes(std::array::from_fn(|at| digest[at]))
}

/// Responses while the files are read.
struct ResponseLog {
    payloads: HashMap<[u8; 32], u32>,
    /// Of each payload its earliest response, and how many have it.
    earliest: Vec<Earliest>,
    /// What is noted of each response, in the order they were met.
    log: TemporaryFile,
    held: Vec<u8>,
    written: u64,
    responses: u64,
    written_responses: u64,
}

struct Earliest {
    date: Box<str>,
    /// Its number among all responses noted.
    response: u64,
    responses: u64,
}

/// What is noted of a response, as a line of JSON.
#[derive(Serialize, Deserialize)]
struct ResponseNote {
    payload: u32,
    file: u32,
    offset: u64,
    length: u64,
    is_written: bool,
    /// What it is as a target.
    target: RevisitTarget,
}

impl ResponseLog {
    fn new(directory: &Path) -> io::Result<Self> {
        Ok(Self {
            payloads: HashMap::new(),
            earliest: Vec::new(),
            log: TemporaryFile::create("captures", directory)?,
            held: Vec::new(),
            written: 0,
            responses: 0,
            written_responses: 0,
        })
    }

    /// Takes the responses of a file, by its number; nothing of what is no WARC file.
    fn take_all(
        &mut self,
        path: &Path,
        settings: &ReadSettings,
        (number, is_written): (u32, bool),
        cancel: &CancelFlag,
    ) -> Result<(), KeptError> {
        let Ok(Some(records)) = StoredRecords::open(path, settings) else { return Ok(()) };
        for record in records {
            if cancel.is_cancelled() {
                return Err(KeptError::Cancelled);
            }
            if record.kind == StoredKind::Response {
                self.take(&record, number, is_written).map_err(Error::TemporaryFile)?;
            }
        }
        Ok(())
    }

    /// Takes a response, if it may be a target or a revisit.
    fn take(&mut self, record: &StoredRecord, file: u32, is_written: bool) -> io::Result<()> {
        self.written_responses += u64::from(is_written);
        let (Some(payload), Some(target)) = (&record.payload, RevisitTarget::of(record)) else {
            return Ok(());
        };
        let Some(offset) = record.place.offset.filter(|_| is_eligible(record, payload)) else {
            return Ok(());
        };
        let mut framed = Sha256::new();
        framed.update(payload.sha256.0);
        framed.update(record.capture.status.unwrap_or_default().to_le_bytes());
        framed.update(&payload.codings);
        let next = self.earliest.len() as u32;
        let number = *self.payloads.entry(framed.finalize().into()).or_insert(next);
        let date = digits(&target.date).into_boxed_str();
        match self.earliest.get_mut(number as usize) {
            Some(found) => {
                found.responses += 1;
                if date < found.date {
                    (found.date, found.response) = (date, self.responses);
                }
            }
            None => self.earliest.push(Earliest { date, response: self.responses, responses: 1 }),
        }
        self.responses += 1;
        let length = payload.length;
        let noted = ResponseNote { payload: number, file, offset, length, is_written, target };
        serde_json::to_writer(&mut self.held, &noted)?;
        self.held.push(b'\n');
        if self.held.len() >= AT_ONCE { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.log.write_all_at(&self.held, self.written)?;
        self.written += self.held.len() as u64;
        self.held.clear();
        Ok(())
    }

    /// Hands on all that was noted, with the numbers of the responses.
    fn each(&self, mut take: impl FnMut(u64, ResponseNote)) -> io::Result<()> {
        let mut file = self.log.file();
        file.seek(SeekFrom::Start(0))?;
        let mut reader = BufReader::new(file.take(self.written));
        let mut line = String::new();
        for number in 0..self.responses {
            line.clear();
            reader.read_line(&mut line)?;
            take(number, serde_json::from_str(&line)?);
        }
        Ok(())
    }

    fn decide(
        mut self,
        archives: HashMap<Box<str>, ArchiveFile>,
        settings: &ReadSettings,
    ) -> io::Result<Revisits> {
        self.flush()?;
        self.payloads = HashMap::new();
        // Of payloads that several responses have, the targets.
        let mut numbers: HashMap<u32, u32> = HashMap::new();
        let mut targets = Vec::new();
        self.each(|number, noted| {
            let earliest = &self.earliest[noted.payload as usize];
            if earliest.response == number && earliest.responses > 1 {
                numbers.insert(noted.payload, targets.len() as u32);
                targets.push(noted.target);
            }
        })?;
        let mut revisits = Revisits {
            archives,
            settings: settings.clone(),
            captures: HashMap::new(),
            targets,
            named: HashMap::new(),
            counts: RevisitCounts { responses: self.written_responses, ..Default::default() },
        };
        self.each(|number, noted| {
            let ResponseNote { payload, file, offset, length, is_written, target: own } = noted;
            let Some(&target) = numbers.get(&payload) else { return };
            let is_target = self.earliest[payload as usize].response == number;
            // A record that is there twice would refer to itself.
            let is_itself = revisits.targets[target as usize].record_id == own.record_id;
            if is_target || is_itself || !is_written {
                return;
            }
            revisits.captures.insert((file, offset), target);
            let RevisitTarget { record_id, url, date, digest } = &own;
            for name in [
                key(&["id", record_id]),
                key(&["date", url, &digits(date)]),
                key(&["digest", url, digest]),
            ] {
                revisits.named.insert(name, target);
            }
            revisits.counts.revisits += 1;
            revisits.counts.bytes += length;
        })?;
        Ok(revisits)
    }
}

/// Whether a response may be a target or a revisit: it is whole, has a payload and a time, and is not a redirection, of
/// whose revisits readers show no payload.
fn is_eligible(record: &StoredRecord, payload: &StoredPayload) -> bool {
    let Capture { truncated, date, status, .. } = &record.capture;
    let is_redirection = status.is_none_or(|status| (300..400).contains(&status));
    payload.length > 0 && truncated.is_none() && date.is_some() && !is_redirection
}
