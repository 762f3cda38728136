//! The header: its fields one after the other, each offset the sum of what is before it.

use std::str::FromStr;

use nearprint_fingerprint::Scheme;

use super::marks::bytes_of;
use super::{CHECKSUM, END, MAGIC, PrintFileError, VERSION, VERSION_WITHOUT_MARKS};

const VERSION_AT: usize = MAGIC.len();
const WIDTH_AT: usize = VERSION_AT + 4;
const COUNT_AT: usize = WIDTH_AT + 4;
const ID_BYTES_AT: usize = COUNT_AT + 8;
const HAS_IDS_AT: usize = ID_BYTES_AT + 8;
const SCHEME_AT: usize = HAS_IDS_AT + 4;

/// Bytes of the header.
pub(super) const HEADER: usize = SCHEME_AT + LONGEST_SCHEME;

/// The longest id of a scheme, in bytes.
const LONGEST_SCHEME: usize = 28;

/// What a header says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) scheme: Scheme,
    pub(super) count: u64,
    /// Bytes of the text of the ids; `None` if there are no ids.
    pub(super) id_bytes: Option<u64>,
    /// Whether short fingerprints are marked.
    pub(super) has_marks: bool,
}

impl Header {
    pub(super) fn to_bytes(self) -> Result<[u8; HEADER], PrintFileError> {
        let name = self.scheme.id().as_bytes();
        if name.len() > LONGEST_SCHEME || !name.is_ascii() {
            return Err(PrintFileError::Header {
                what: "the scheme's id has more than 28 bytes or is not ASCII",
            });
        }
        let mut bytes = [0; HEADER];
        bytes[..VERSION_AT].copy_from_slice(&MAGIC);
        let version = if self.has_marks { VERSION } else { VERSION_WITHOUT_MARKS };
        bytes[VERSION_AT..WIDTH_AT].copy_from_slice(&version.to_le_bytes());
        bytes[WIDTH_AT..COUNT_AT].copy_from_slice(&width(self.scheme).to_le_bytes());
        bytes[COUNT_AT..ID_BYTES_AT].copy_from_slice(&self.count.to_le_bytes());
        bytes[ID_BYTES_AT..HAS_IDS_AT].copy_from_slice(&self.id_bytes.unwrap_or(0).to_le_bytes());
        bytes[HAS_IDS_AT..SCHEME_AT]
            .copy_from_slice(&u32::from(self.id_bytes.is_some()).to_le_bytes());
        bytes[SCHEME_AT..SCHEME_AT + name.len()].copy_from_slice(name);
        Ok(bytes)
    }

    pub(super) fn of_bytes(bytes: &[u8; HEADER]) -> Result<Self, PrintFileError> {
        if bytes[..VERSION_AT] != MAGIC {
            return Err(PrintFileError::Magic);
        }
        let small = |at: usize| number(&bytes[at..at + 4]) as u32;
        let large = |at: usize| number(&bytes[at..at + 8]);
        let has_marks = match small(VERSION_AT) {
            VERSION => true,
            VERSION_WITHOUT_MARKS => false,
            found => return Err(PrintFileError::Version { found }),
        };
        let name = without_filling(&bytes[SCHEME_AT..]);
        let scheme = std::str::from_utf8(name).ok().and_then(|name| Scheme::from_str(name).ok());
        let Some(scheme) = scheme.filter(|scheme| scheme.id().as_bytes() == name) else {
            return Err(PrintFileError::Scheme { found: name.escape_ascii().to_string().into() });
        };
        let found = small(WIDTH_AT);
        if found != width(scheme) {
            return Err(PrintFileError::Width { scheme, found });
        }
        let id_bytes = match (small(HAS_IDS_AT), large(ID_BYTES_AT)) {
            (0, 0) => None,
            (1, bytes) => Some(bytes),
            (0, _) => {
                return Err(PrintFileError::Header { what: "it has bytes of ids but no ids" });
            }
            _ => {
                return Err(PrintFileError::Header {
                    what: "the field for ids is neither 0 nor 1",
                });
            }
        };
        let header = Self { scheme, count: large(COUNT_AT), id_bytes, has_marks };
        header.length()?;
        Ok(header)
    }

    /// Bytes of the marks of short fingerprints.
    pub(super) fn mark_bytes(&self) -> u64 {
        if self.has_marks { bytes_of(self.count) } else { 0 }
    }

    /// Bytes of the whole file.
    pub(super) fn length(&self) -> Result<u64, PrintFileError> {
        let ends = if self.id_bytes.is_some() { END as u64 } else { 0 };
        self.count
            .checked_mul(self.scheme.bytes() as u64 + ends)
            .and_then(|bytes| bytes.checked_add(self.id_bytes.unwrap_or(0)))
            .and_then(|bytes| bytes.checked_add(self.mark_bytes()))
            .and_then(|bytes| bytes.checked_add((HEADER + CHECKSUM) as u64))
            .ok_or(PrintFileError::Header { what: "it states more than 2^64 bytes" })
    }
}

/// Bits of a fingerprint in the file.
fn width(scheme: Scheme) -> u32 {
    scheme.bytes() as u32 * 8
}

/// A little-endian number of up to 8 bytes.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// What is before the 0s at the end.
fn without_filling(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    &bytes[..end]
}
