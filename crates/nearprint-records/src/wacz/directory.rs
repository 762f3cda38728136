//! The directory of a package: what members its zip archive has, and where.
//!
//! Sizes are claims: no memory is taken for them before it is known that the file has so many bytes. Members that
//! overlap, or have the same name, are refused, as no reader would know which bytes are meant.

use std::collections::HashSet;
use std::fs::File;

use memchr::memmem;

use super::{LOCAL_HEADER, LOCAL_SIZE};
use crate::ReasonCode;
use crate::expansion::Damage;
use crate::positioned_io::read_exact_at;

/// Members (<=), and bytes of the directory (<=).
const MOST_MEMBERS: usize = 100_000;
const LONGEST_DIRECTORY: u64 = 64 << 20;

const END: &[u8] = b"PK\x05\x06";
const END_SIZE: usize = 22;
const LONGEST_COMMENT: u64 = 0xFFFF;
const ENTRY: &[u8] = b"PK\x01\x02";
const ENTRY_SIZE: usize = 46;
/// The end record of zip64, and what says where it is, right before the other end record.
const LARGE_END: &[u8] = b"PK\x06\x06";
const LARGE_END_SIZE: usize = 56;
const LOCATOR: &[u8] = b"PK\x06\x07";
const LOCATOR_SIZE: u64 = 20;
/// The field of a member that has its large numbers.
const LARGE_FIELD: u16 = 1;

/// A member of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) is_encrypted: bool,
    /// 0 is stored, 8 deflated.
    pub(super) method: u16,
    pub(super) crc: u32,
    /// Bytes in the package, and expanded.
    pub(super) packed: u64,
    pub(super) size: u64,
    /// Where its header is.
    header: u64,
    /// Where the next member begins, or the directory.
    end: u64,
}

impl Member {
    /// Where its bytes begin.
    pub(super) fn start(&self, file: &File) -> Result<u64, Damage> {
        let mut header = [0; LOCAL_SIZE];
        read_exact_at(file, &mut header, self.header)?;
        let names = u64::from(u16_at(&header, 26)) + u64::from(u16_at(&header, 28));
        let start = self.header + LOCAL_SIZE as u64 + names;
        if !header.starts_with(LOCAL_HEADER) || start.saturating_add(self.packed) > self.end {
            return Err(Damage::new("the header of the member is damaged"));
        }
        Ok(start)
    }
}

/// The members of a package that has `length` bytes, in the order of their bytes.
pub(super) fn members(file: &File, length: u64) -> Result<Vec<Member>, Damage> {
    let (start, size) = directory(file, length)?;
    if size > LONGEST_DIRECTORY {
        return Err(too_many(format!("its directory has more than {LONGEST_DIRECTORY} bytes")));
    }
    let mut bytes = vec![0; size as usize];
    read_exact_at(file, &mut bytes, start)?;
    let mut members = Vec::new();
    let mut rest = &bytes[..];
    while rest.len() >= ENTRY_SIZE && rest.starts_with(ENTRY) {
        if members.len() == MOST_MEMBERS {
            return Err(too_many(format!("it has more than {MOST_MEMBERS} members")));
        }
        let (member, size) = member(rest).ok_or_else(damaged)?;
        members.push(member);
        rest = &rest[size..];
    }
    if !rest.is_empty() {
        return Err(damaged());
    }
    members.sort_by_key(|member| member.header);
    let ends: Vec<u64> = members.iter().skip(1).map(|next| next.header).chain([start]).collect();
    let mut names = HashSet::new();
    for (member, end) in members.iter_mut().zip(ends) {
        let least = LOCAL_SIZE as u64 + member.name.len() as u64;
        if member.header.saturating_add(least).saturating_add(member.packed) > end {
            return Err(Damage::new("members of the package overlap"));
        }
        member.end = end;
        if !names.insert(&*member.name) {
            let name = member.name.escape_debug();
            return Err(Damage::new(format!("two members of the package are called {name}")));
        }
    }
    members.retain(|member| !member.name.ends_with('/'));
    Ok(members)
}

/// Where the directory begins, and its bytes.
fn directory(file: &File, length: u64) -> Result<(u64, u64), Damage> {
    let missing = || Damage::new("the package has no directory; it may be truncated");
    let most = length.min(END_SIZE as u64 + LONGEST_COMMENT);
    let mut tail = vec![0; most as usize];
    read_exact_at(file, &mut tail, length - most)?;
    let at = memmem::rfind(&tail, END).filter(|at| at + END_SIZE <= tail.len());
    let at = at.ok_or_else(missing)?;
    let end = &tail[at..];
    let (mut end_at, mut size, mut start) =
        (length - most + at as u64, u64::from(u32_at(end, 12)), u64::from(u32_at(end, 16)));
    if let Some(locator_at) = end_at.checked_sub(LOCATOR_SIZE) {
        let mut locator = [0; LOCATOR_SIZE as usize];
        read_exact_at(file, &mut locator, locator_at)?;
        if locator.starts_with(LOCATOR) {
            end_at = u64_at(&locator, 8);
            let mut large = [0; LARGE_END_SIZE];
            if end_at > locator_at || locator_at - end_at < LARGE_END_SIZE as u64 {
                return Err(missing());
            }
            read_exact_at(file, &mut large, end_at)?;
            if !large.starts_with(LARGE_END) {
                return Err(missing());
            }
            (size, start) = (u64_at(&large, 40), u64_at(&large, 48));
        }
    }
    // Nothing is between both: of a package that is cut off in a member the end is that of another one in it.
    match start.checked_add(size) {
        Some(end) if end == end_at => Ok((start, size)),
        _ => Err(missing()),
    }
}

/// The member that the directory tells of at first, and the bytes that it takes there.
fn member(bytes: &[u8]) -> Option<(Member, usize)> {
    let name_end = ENTRY_SIZE + usize::from(u16_at(bytes, 28));
    let fields_end = name_end + usize::from(u16_at(bytes, 30));
    let end = fields_end + usize::from(u16_at(bytes, 32));
    let (name, fields) = (bytes.get(ENTRY_SIZE..name_end)?, bytes.get(name_end..fields_end)?);
    bytes.get(..end)?;
    let mut numbers = [24, 20, 42].map(|at| u64::from(u32_at(bytes, at)));
    let mut rest = fields;
    while rest.len() >= 4 {
        let (kind, length) = (u16_at(rest, 0), usize::from(u16_at(rest, 2)));
        let mut field = rest.get(4..4 + length)?;
        if kind == LARGE_FIELD {
            for number in numbers.iter_mut().filter(|number| **number == u64::from(u32::MAX)) {
                let (value, more) = field.split_first_chunk()?;
                *number = u64::from_le_bytes(*value);
                field = more;
            }
            break;
        }
        rest = &rest[4 + length..];
    }
    let [size, packed, header] = numbers;
    let member = Member {
        name: String::from_utf8_lossy(name).into_owned(),
        is_encrypted: u16_at(bytes, 8) & 1 == 1,
        method: u16_at(bytes, 10),
        crc: u32_at(bytes, 16),
        packed,
        size,
        header,
        end: 0,
    };
    Some((member, end))
}

fn damaged() -> Damage {
    Damage::new("the directory of the package is damaged")
}

fn too_many(what: String) -> Damage {
    Damage { reason: ReasonCode::TOO_LARGE, detail: format!("the package is not read: {what}") }
}

/// Numbers at places within what was read: callers know the length.
fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from(u16_at(bytes, at)) | u32::from(u16_at(bytes, at + 2)) << 16
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}
