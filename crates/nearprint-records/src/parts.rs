//! The saved results of a job, from which an interrupted job resumes.
//!
//! A job turns a sequence of documents into a sequence of records, always the same for the same input. The records are
//! collected, and *committed* in parts: written to one file, flushed to disk, and renamed. When the folder is opened
//! again, it reports how many records there are, and the job adds the rest. At the end all records are read in order
//! and become the output, which is therefore the same however often the job was interrupted.
//!
//! Layout (docs/FORMAT.md): `job.json` identifies the job. `part-00000000`, `part-00000001`, … contain a header, the
//! position after the part, both as a line of JSON, and the records, each after its length. Drafts were never committed
//! and are removed. Other files are not touched.

mod commit;
mod error;
mod identity;
mod own_output;
mod storage;

#[cfg(test)]
mod tests;

use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use crate::{BadRecords, Position, RecordCounts};

pub use error::PartsError;
pub use identity::JobIdentity;
pub(crate) use own_output::wrote_output;
pub use storage::{Folder, Storage};

/// The maximum size of a part: about as much work is lost after a crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartSize {
    /// Records, at least 1.
    pub records: u64,
    /// Bytes; the record that passes it is still taken.
    pub bytes: usize,
}

impl Default for PartSize {
    /// 10,000 records or 8 MiB: some seconds of work, against two `fsync` of some milliseconds.
    fn default() -> Self {
        Self { records: 10_000, bytes: 8 << 20 }
    }
}

/// The schema of `job.json`.
const JOB_SCHEMA: &str = "nearprint/job/2";
/// The schema of a part's head.
const PART_SCHEMA: &str = "nearprint/part/5";
/// The file that says of which job the parts are.
const JOB: &str = "job.json";

/// The first line of a part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    schema: String,
    /// Its number, from 0.
    part: u64,
    /// Records in it.
    records: u64,
    /// Bytes after the head's line.
    bytes: u64,
    /// XXH3-64 of these, 16 hexadecimal digits.
    xxh3: String,
    /// Whether no further part follows.
    last: bool,
}

/// Checkpoint of a job after a record, where it continues: the second line of a part.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// Which of the job's sources it reads, from 0.
    pub source: u64,
    /// Where in the source it continues; `None` is its beginning.
    pub position: Option<Position>,
    /// Documents after the position that are done.
    pub behind: u64,
    /// Records of archives in the sources before this one.
    pub records: RecordCounts,
    /// Bad records of the input that it reads.
    #[serde(default, skip_serializing_if = "BadRecords::is_empty")]
    pub bad: BadRecords,
    /// Where the last record comes from: to notice an input that changed in between.
    pub at: String,
}

/// Records of one job, committed part by part.
///
/// ```
/// use nearprint_records::{Folder, PartSize, Parts};
///
/// # let directory = tempfile::tempdir().unwrap();
/// # let folder = || Folder::open(directory.path().join("job"));
/// let mut parts = Parts::open(folder()?, "fingerprint sd1 *.html", PartSize::default())?;
/// assert_eq!(parts.records(), 0);
/// parts.push(b"first", "a.html")?;
/// parts.commit()?;
/// parts.push(b"second", "b.html")?;
/// drop(parts); // a crash
///
/// let mut parts = Parts::open(folder()?, "fingerprint sd1 *.html", PartSize::default())?;
/// assert_eq!((parts.records(), &*parts.stands().at, parts.stands().behind), (1, "a.html", 1));
/// parts.push(b"second", "b.html")?;
/// parts.finish()?;
/// let mut records = Vec::new();
/// parts.for_each(|record| -> Result<(), nearprint_records::PartsError> {
///     records.push(record.to_vec());
///     Ok(())
/// })?;
/// assert_eq!(records, [b"first".to_vec(), b"second".to_vec()]);
/// # Ok::<(), nearprint_records::PartsError>(())
/// ```
#[derive(Debug)]
pub struct Parts<S> {
    storage: S,
    size: PartSize,
    committed: Vec<Head>,
    records: u64,
    gathered: Vec<u8>,
    gathered_records: u64,
    stands: Checkpoint,
}

impl Parts<()> {
    /// Bytes that a record takes beside its own: its length.
    pub const RECORD_OVERHEAD: usize = size_of::<RecordLength>();
}

impl<S: Storage> Parts<S> {
    /// Resumes the job in `storage`, or starts it there. `identity` is everything that determines its records, as one
    /// readable line. Reads every part once.
    ///
    /// # Errors
    /// If another job lies there ([`PartsError::OtherJob`]), one that another version began
    /// ([`PartsError::OtherVersion`]), or no job but files of other names ([`PartsError::OtherFiles`]), a part is
    /// missing or damaged, or the storage fails.
    pub fn open(mut storage: S, identity: &str, size: PartSize) -> Result<Self, PartsError> {
        if storage.names()?.iter().any(|name| name == JOB) {
            let found = commit::read_job(&storage)?;
            if found != identity {
                return Err(PartsError::OtherJob { found, wanted: identity.to_owned() });
            }
        } else {
            // A directory that was named by mistake: `--job .` must cost nobody a file.
            if let Some(name) = storage.names()?.into_iter().find(|name| !is_ours(name)) {
                return Err(PartsError::OtherFiles { name });
            }
            // Parts without a job are what a crash left of a removal: they must not become this one's.
            for name in storage.names()? {
                storage.remove(&name)?;
            }
            storage.sync_names()?;
            commit::write_job(&mut storage, identity)?;
        }
        let names = storage.names()?;
        let (mut committed, mut stands) = (Vec::new(), Checkpoint::default());
        for number in 0.. {
            let name = part_name(number);
            if !names.contains(&name) || committed.last().is_some_and(|head: &Head| head.last) {
                break;
            }
            let bytes = storage.read(&name)?;
            let (head, standing, _) = checked(&bytes, number)?;
            committed.push(head);
            stands = standing;
        }
        let known = committed.len() as u64;
        for name in names {
            let is_committed = name == JOB || number_of(&name).is_some_and(|number| number < known);
            if is_ours(&name) && !is_committed {
                storage.remove(&name)?;
            }
        }
        let records = committed.iter().map(|head| head.records).sum();
        Ok(Self {
            storage,
            size,
            committed,
            records,
            gathered: Vec::new(),
            gathered_records: 0,
            stands,
        })
    }

    /// How many records there are, committed or not.
    #[must_use]
    pub fn records(&self) -> u64 {
        self.records + self.gathered_records
    }

    /// Where the job stands after the last of them.
    #[must_use]
    pub fn stands(&self) -> &Checkpoint {
        &self.stands
    }

    /// Notes where the job stands after the last record, which is nearer than what was known.
    pub fn stand(&mut self, standing: Checkpoint) {
        self.stands = standing;
    }

    /// Whether all records of the job are there.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.committed.last().is_some_and(|head| head.last)
    }

    /// Adds the record of a document, any bytes, and where it comes from. Commits where enough is gathered.
    ///
    /// # Errors
    /// If the storage fails, the record has 4 GiB or more, or the job is finished.
    pub fn push(&mut self, record: &[u8], at: &str) -> Result<(), PartsError> {
        self.leave_out(at);
        self.push_beside(record)
    }

    /// Notes that a document has no record, and where it comes from.
    pub fn leave_out(&mut self, at: &str) {
        at.clone_into(&mut self.stands.at);
        self.stands.behind += 1;
    }

    /// Adds a record that is of no document.
    ///
    /// # Errors
    /// As of [`push`](Self::push).
    pub fn push_beside(&mut self, record: &[u8]) -> Result<(), PartsError> {
        let refused = |why| Err(io::Error::new(io::ErrorKind::InvalidInput, why).into());
        if self.is_finished() {
            return refused("the job is finished and takes no further record");
        }
        let Ok(length) = RecordLength::try_from(record.len()) else {
            return refused("a record of a job must be shorter than 4 GiB");
        };
        self.gathered.extend_from_slice(&length.to_le_bytes());
        self.gathered.extend_from_slice(record);
        self.gathered_records += 1;
        if self.gathered_records >= self.size.records || self.gathered.len() >= self.size.bytes {
            self.commit()?;
        }
        Ok(())
    }

    /// Commits the collected records: after this returns, they survive a crash.
    ///
    /// # Errors
    /// If the storage fails; what is gathered is then lost with this value, what was committed is not.
    pub fn commit(&mut self) -> Result<(), PartsError> {
        if self.gathered_records > 0 { self.write_part(false) } else { Ok(()) }
    }

    /// Commits the rest, and that it is all.
    ///
    /// # Errors
    /// As [`commit`](Self::commit).
    pub fn finish(&mut self) -> Result<(), PartsError> {
        if self.is_finished() { Ok(()) } else { self.write_part(true) }
    }

    fn write_part(&mut self, last: bool) -> Result<(), PartsError> {
        let mut behind = commit::line(&self.stands)?;
        behind.extend_from_slice(&self.gathered);
        let head = Head {
            schema: PART_SCHEMA.to_owned(),
            part: self.committed.len() as u64,
            records: self.gathered_records,
            bytes: behind.len() as u64,
            xxh3: digest(&behind),
            last,
        };
        let mut bytes = commit::line(&head)?;
        bytes.append(&mut behind);
        commit::write(&mut self.storage, &part_name(head.part), &bytes)?;
        self.records += self.gathered_records;
        self.gathered_records = 0;
        self.gathered.clear();
        self.committed.push(head);
        Ok(())
    }

    /// Gives all committed records, in order. One part at a time is in memory.
    ///
    /// # Errors
    /// The first one of `take`; or a part that is damaged.
    pub fn for_each<E: From<PartsError>>(
        &self,
        mut take: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        for head in &self.committed {
            let bytes = self.storage.read(&part_name(head.part)).map_err(PartsError::from)?;
            let (_, _, mut records) = checked(&bytes, head.part)?;
            while let Some((record, rest)) = split_record(records) {
                take(record)?;
                records = rest;
            }
        }
        Ok(())
    }

    /// The directory for the files of a search among the records, where the place has one.
    #[must_use]
    pub fn search_folder(&self) -> Option<PathBuf> {
        self.storage.search_folder()
    }

    /// Removes the job and all its parts, and gives the place back.
    ///
    /// # Errors
    /// If the storage fails.
    pub fn remove(mut self) -> Result<S, PartsError> {
        // A directory without a job may be anybody's.
        self.storage.remove_search()?;
        // The job goes before its parts: what a crash leaves then is known to be nothing.
        self.storage.remove(JOB)?;
        self.storage.sync_names()?;
        for head in &self.committed {
            self.storage.remove(&part_name(head.part))?;
        }
        self.storage.sync_names()?;
        Ok(self.storage)
    }
}

/// The length of a record, which stands before it, least significant byte first.
type RecordLength = u32;

/// The first record, and what follows it; `None` at the end, and where the bytes do not hold it whole.
fn split_record(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    rest.split_at_checked(RecordLength::from_le_bytes(*length).try_into().ok()?)
}

fn part_name(number: u64) -> String {
    format!("part-{number:08}")
}

fn number_of(name: &str) -> Option<u64> {
    let digits = name.strip_prefix("part-")?;
    let number = digits.parse().ok()?;
    (part_name(number) == name).then_some(number)
}

/// Whether a file of this name is the job, a part, or a draft of one.
fn is_ours(name: &str) -> bool {
    let name = name.strip_suffix(".draft").unwrap_or(name);
    name == JOB || number_of(name).is_some()
}

fn digest(bytes: &[u8]) -> String {
    format!("{:016x}", XxHash3_64::oneshot(bytes))
}

/// The head of a part, where the job stands after it, and its records, where its bytes are what its head says.
fn checked(bytes: &[u8], number: u64) -> Result<(Head, Checkpoint, &[u8]), PartsError> {
    let damaged = |why: &str| PartsError::Damaged { name: part_name(number), why: why.to_owned() };
    let end = bytes
        .iter()
        .position(|&byte| byte == b'\n')
        .ok_or_else(|| damaged("its first line does not end"))?;
    commit::check_form(&part_name(number), &bytes[..end], PART_SCHEMA)?;
    let head: Head = serde_json::from_slice(&bytes[..end])
        .map_err(|error| damaged(&format!("its first line: {error}")))?;
    let behind = &bytes[end + 1..];
    if head.part != number {
        return Err(damaged(&format!("it says it is part {}", head.part)));
    }
    if head.bytes != behind.len() as u64 {
        let (said, found) = (head.bytes, behind.len());
        return Err(damaged(&format!(
            "it has {found} bytes after its header, which states {said}"
        )));
    }
    if head.xxh3 != digest(behind) {
        return Err(damaged("its checksum is wrong"));
    }
    let end = behind.iter().position(|&byte| byte == b'\n');
    let (standing, records) = behind.split_at(end.map_or(0, |end| end + 1));
    let standing = serde_json::from_slice(standing)
        .map_err(|error| damaged(&format!("its second line: {error}")))?;
    let (mut count, mut rest) = (0, records);
    while let Some((_, following)) = split_record(rest) {
        (count, rest) = (count + 1, following);
    }
    if (count, rest.len()) != (head.records, 0) {
        return Err(damaged("its records are not as many as its first line states"));
    }
    Ok((head, standing, records))
}
