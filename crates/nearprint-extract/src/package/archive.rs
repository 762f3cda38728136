//! Reading zip archives: names from the central directory, content stored or deflated, within limits.
//!
//! Only what documents use. Sizes in the directory are claims, never allocations; content is checked against
//! its checksum, so that damage is an error and no shorter text.

use std::collections::HashMap;
use std::io::Read;

use flate2::bufread::DeflateDecoder;

use crate::charset::utf8_valid_up_to;
use crate::error::{ExtractError, Reason};
use crate::limits::Limits;
use crate::wrapper;

const DIRECTORY_END: &[u8] = b"PK\x05\x06";
const DIRECTORY_ENTRY: &[u8] = b"PK\x01\x02";
pub(super) const LOCAL_HEADER: &[u8] = b"PK\x03\x04";
/// Bytes of an end record without its comment, of an entry and of a local header without names.
const END_SIZE: usize = 22;
const ENTRY_SIZE: usize = 46;
pub(super) const LOCAL_SIZE: usize = 30;
const LARGE_END: &[u8] = b"PK\x06\x06";
const LARGE_LOCATOR: &[u8] = b"PK\x06\x07";
/// Bytes of an end record of zip64 without what may follow, and of what says where it is.
const LARGE_END_SIZE: usize = 56;
const LARGE_LOCATOR_SIZE: usize = 20;
/// Kind of the field of an entry that has its large numbers.
const LARGE_FIELD: u16 = 1;
/// Folders one inside another in which a package is looked for (<=).
const MOST_FOLDERS: usize = 8;
/// The longest comment after an end record.
const MAX_COMMENT: usize = 0xFFFF;

/// Things that a part lists (<=): each takes some hundred bytes of memory, and may have twenty in the part.
pub(super) const MOST_LISTED: usize = 500_000;

/// Refuses a part that lists so many things.
pub(super) fn check_listed(count: usize) -> Result<(), ExtractError> {
    if count > MOST_LISTED {
        return Err(ExtractError::new(
            Reason::PartLimit,
            format!("a part lists more than {MOST_LISTED} others"),
        ));
    }
    Ok(())
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    encrypted: bool,
    method: u16,
    crc: u32,
    packed: usize,
    header: usize,
}

/// What the end of an archive says of its directory.
#[derive(Debug, Clone, Copy)]
struct Directory {
    count: u64,
    size: u64,
    start: u64,
    /// Where the record is that says so.
    end_at: usize,
}

impl Directory {
    /// The same of an archive that is larger, or has more entries, than the record at `end_at` can say (zip64).
    fn large(bytes: &[u8], end_at: usize) -> Option<Self> {
        let locator = end_at.checked_sub(LARGE_LOCATOR_SIZE)?;
        if !bytes[locator..].starts_with(LARGE_LOCATOR) {
            return None;
        }
        let is_record = |at: &usize| {
            bytes[..locator]
                .get(*at..)
                .is_some_and(|rest| rest.starts_with(LARGE_END) && rest.len() >= LARGE_END_SIZE)
        };
        // Where it says, or right before, as where something comes before the archive.
        let stated = usize::try_from(u64_at(bytes, locator + 8)).ok();
        let near = locator.checked_sub(LARGE_END_SIZE);
        let at = stated.into_iter().chain(near).find(is_record)?;
        Some(Self {
            count: u64_at(bytes, at + 32),
            size: u64_at(bytes, at + 40),
            start: u64_at(bytes, at + 48),
            end_at: at,
        })
    }
}

/// An archive and what was read from it so far.
#[derive(Debug)]
pub(super) struct Archive<'a> {
    bytes: &'a [u8],
    entries: HashMap<String, Entry>,
    /// The same by names in lower case: packages of Office Open XML do not tell cases apart.
    folded: HashMap<String, Entry>,
    /// The folder whose content is the package, with its slash; empty if that is the whole archive.
    root: String,
    limits: &'a Limits,
    expanded: u64,
}

impl<'a> Archive<'a> {
    /// Reads the directory.
    pub(super) fn open(bytes: &'a [u8], limits: &'a Limits) -> Result<Self, ExtractError> {
        let window = bytes.len().saturating_sub(END_SIZE + MAX_COMMENT);
        let end = memchr::memmem::rfind(&bytes[window..], DIRECTORY_END)
            .map(|at| &bytes[window + at..])
            .filter(|end| end.len() >= END_SIZE)
            .ok_or_else(|| damaged("the archive has no directory; it may be truncated"))?;
        let end_at = bytes.len() - end.len();
        let Directory { count, size, start, end_at } = Directory::large(bytes, end_at)
            .unwrap_or_else(|| Directory {
                count: u16_at(end, 10).into(),
                size: u32_at(end, 12).into(),
                start: u32_at(end, 16).into(),
                end_at,
            });
        // What comes before the archive shifts all its offsets.
        let shift = size
            .checked_add(start)
            .and_then(|end| usize::try_from(end).ok())
            .and_then(|end| end_at.checked_sub(end));
        let shift =
            shift.ok_or_else(|| damaged("the archive's directory is outside of the file"))?;
        // An archive that is cut off may hold a whole one, which is not its own end.
        let behind = end.len() - END_SIZE - usize::from(u16_at(end, 20)).min(end.len() - END_SIZE);
        if shift > 0 && behind > 0 && bytes.starts_with(LOCAL_HEADER) {
            return Err(damaged("the archive has no directory; it may be truncated"));
        }
        let mut archive = Self {
            bytes,
            entries: HashMap::new(),
            folded: HashMap::new(),
            root: String::new(),
            limits,
            expanded: 0,
        };
        // Within the file, as the shift is.
        archive.read_directory(start as usize + shift, count, shift)?;
        Ok(archive)
    }

    fn read_directory(
        &mut self,
        start: usize,
        count: u64,
        shift: usize,
    ) -> Result<(), ExtractError> {
        self.check_parts(usize::try_from(count).unwrap_or(usize::MAX))?;
        let mut rest = self.bytes.get(start..).unwrap_or(&[]);
        for _ in 0..count {
            if rest.len() < ENTRY_SIZE || !rest.starts_with(DIRECTORY_ENTRY) {
                return Err(damaged("the archive's directory is damaged"));
            }
            let name_length = usize::from(u16_at(rest, 28));
            let size = ENTRY_SIZE
                + name_length
                + usize::from(u16_at(rest, 30))
                + usize::from(u16_at(rest, 32));
            let name = rest
                .get(ENTRY_SIZE..ENTRY_SIZE + name_length)
                .ok_or_else(|| damaged("the archive's directory is truncated"))?;
            let more = rest
                .get(ENTRY_SIZE + name_length..)
                .map_or(&[][..], |more| &more[..more.len().min(u16_at(rest, 30).into())]);
            let [_, packed, header] =
                large_fields([u32_at(rest, 24), u32_at(rest, 20), u32_at(rest, 42)], more);
            let entry = Entry {
                encrypted: u16_at(rest, 8) & 1 == 1,
                method: u16_at(rest, 10),
                crc: u32_at(rest, 16),
                packed: usize::try_from(packed).unwrap_or(usize::MAX),
                header: usize::try_from(header).unwrap_or(usize::MAX).saturating_add(shift),
            };
            // Some programs write backslashes, or begin names at the root.
            let name = String::from_utf8_lossy(name).replace('\\', "/");
            let name = name.trim_start_matches('/');
            self.folded.entry(name.to_ascii_lowercase()).or_insert(entry);
            self.entries.entry(name.to_owned()).or_insert(entry);
            rest = rest.get(size..).unwrap_or(&[]);
        }
        Ok(())
    }

    /// Refuses more entries than there may be.
    fn check_parts(&self, count: usize) -> Result<(), ExtractError> {
        let limit = self.limits.max_parts;
        if count > limit as usize {
            return Err(ExtractError::new(
                Reason::PartLimit,
                format!("the archive has {count} entries; max_parts is {limit}"),
            ));
        }
        Ok(())
    }

    /// The folders that hold all files, each with its slash, from the outermost.
    pub(super) fn shared_folders(&self) -> Vec<String> {
        shared_folders(self.entries.keys().map(String::as_str))
    }

    /// Takes the content of a folder for the package: names are looked for in it from now on.
    pub(super) fn set_root(&mut self, folder: String) {
        self.root = folder;
    }

    /// Whether there is an entry of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.entry(name).is_some()
    }

    fn entry(&self, name: &str) -> Option<Entry> {
        let below;
        let name = if self.root.is_empty() {
            name
        } else {
            below = format!("{}{name}", self.root);
            &below
        };
        let exact = self.entries.get(name);
        exact.or_else(|| self.folded.get(&name.to_ascii_lowercase())).copied()
    }

    /// At most `most` bytes from the beginning of an entry's content, not compared with its checksum; as many as
    /// can be read. For looking at what may be there.
    pub(super) fn beginning(&self, name: &str, most: u64) -> Vec<u8> {
        let mut content = Vec::new();
        let entry = self.entry(name).filter(|entry| !entry.encrypted);
        let Some((entry, packed)) = entry.and_then(|e| Some((e, self.packed(e, name).ok()?)))
        else {
            return content;
        };
        // What could be read before an error stays in `content`.
        let _ = match entry.method {
            0 => packed.take(most).read_to_end(&mut content),
            8 => DeflateDecoder::new(packed).take(most).read_to_end(&mut content),
            _ => Ok(0),
        };
        content
    }

    /// The bytes of an entry as they lie in the archive.
    fn packed(&self, entry: Entry, name: &str) -> Result<&'a [u8], ExtractError> {
        let cut = || damaged(&format!("{name} in the archive is truncated"));
        let header = self.bytes.get(entry.header..).ok_or_else(cut)?;
        if header.len() < LOCAL_SIZE || !header.starts_with(LOCAL_HEADER) {
            return Err(damaged(&format!("{name} in the archive has no header")));
        }
        let start = LOCAL_SIZE + usize::from(u16_at(header, 26)) + usize::from(u16_at(header, 28));
        header.get(start..start.saturating_add(entry.packed)).ok_or_else(cut)
    }

    /// The content of an entry; none if there is no such entry.
    pub(super) fn read(&mut self, name: &str) -> Result<Option<Vec<u8>>, ExtractError> {
        let Some(entry) = self.entry(name) else { return Ok(None) };
        if entry.encrypted {
            return Err(ExtractError::new(
                Reason::Encrypted,
                format!("{name} in the archive is encrypted"),
            ));
        }
        let packed = self.packed(entry, name)?;
        let mut content = Vec::new();
        match entry.method {
            0 => content.extend_from_slice(packed),
            8 => {
                let mut inflate = DeflateDecoder::new(packed);
                let (packed, document) = (packed.len(), self.bytes.len());
                wrapper::read_within(
                    &mut inflate,
                    packed,
                    document,
                    &mut content,
                    self.limits,
                    name,
                )?;
            }
            method => {
                return Err(damaged(&format!(
                    "{name} is compressed by method {method}; documents use 0 and 8"
                )));
            }
        }
        // Once decoded, a part that is no UTF-8 may take three times as much in addition.
        if utf8_valid_up_to(&content) < content.len() {
            let held = content.len().saturating_mul(4);
            self.limits.check_growth(self.bytes.len() as u64, held as u64)?;
        }
        self.expanded += content.len() as u64;
        self.limits.check_expansion(self.bytes.len() as u64, self.expanded)?;
        let mut crc = flate2::Crc::new();
        crc.update(&content);
        if crc.sum() != entry.crc {
            return Err(damaged(&format!("{name} in the archive does not match its checksum")));
        }
        Ok(Some(content))
    }
}

/// Numbers of an entry, of which those that do not fit are in the field that zip64 has for them, in the same order.
fn large_fields(numbers: [u32; 3], mut fields: &[u8]) -> [u64; 3] {
    let mut found = numbers.map(u64::from);
    while fields.len() >= 4 {
        let length = usize::from(u16_at(fields, 2));
        let Some(mut field) = fields.get(4..4 + length) else { break };
        if u16_at(fields, 0) == LARGE_FIELD {
            for number in found.iter_mut().filter(|number| **number == u64::from(u32::MAX)) {
                let Some((value, rest)) = field.split_first_chunk() else { break };
                *number = u64::from_le_bytes(*value);
                field = rest;
            }
            break;
        }
        fields = &fields[4 + length..];
    }
    found
}

/// The folders that hold all files of these names, each with its slash, from the outermost. What systems leave behind
/// beside them does not count.
pub(super) fn shared_folders<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut shared: Option<&str> = None;
    let files = names.filter(|name| !name.ends_with('/'));
    for name in files.filter(|name| !is_left_behind(name)) {
        let folder = &name[..name.rfind('/').map_or(0, |slash| slash + 1)];
        let most = shared.unwrap_or(folder);
        let equal = most.bytes().zip(folder.bytes()).take_while(|(a, b)| a == b).count();
        let end = most.as_bytes()[..equal].iter().rposition(|byte| *byte == b'/');
        shared = Some(&most[..end.map_or(0, |slash| slash + 1)]);
    }
    let shared = shared.unwrap_or_default();
    let slashes = memchr::memchr_iter(b'/', shared.as_bytes());
    slashes.take(MOST_FOLDERS).map(|slash| shared[..=slash].to_owned()).collect()
}

/// Whether an entry is none of its author's: what file managers add to folders.
fn is_left_behind(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    name.starts_with("__MACOSX/") || [".DS_Store", "Thumbs.db", "desktop.ini"].contains(&file)
}

fn damaged(detail: &str) -> ExtractError {
    ExtractError::new(Reason::Damaged, detail)
}

/// The number at `at`; callers have checked the length.
pub(super) fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}
