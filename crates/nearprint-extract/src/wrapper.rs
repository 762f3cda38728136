//! Compression around a document: recognised by its first bytes, undone layer by layer, within limits.
//!
//! Archives of several documents are not wrappers; they have extractors of their own.

#[cfg(feature = "archives")]
mod decoders;
#[cfg(not(feature = "archives"))]
#[path = "wrapper/decoders_none.rs"]
mod decoders;
#[cfg(feature = "archives")]
mod zstd;

use std::io::Read;

use crate::error::{ExtractError, Reason};
use crate::limits::Limits;

/// A compression format that holds one document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrapper {
    Gzip,
    Bzip2,
    Xz,
    Zstd,
}

/// What a frame of zstd begins with.
const FRAME: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// Whether the bytes begin with a frame of zstd. One that decoders skip counts where a frame with content follows all
/// such: lz4 has the same, and four bytes are too few to know a compression by whose content is elsewhere.
fn begins_zstd(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    while let Some((_, behind)) = skipped(rest) {
        rest = behind;
    }
    rest.starts_with(&FRAME)
}

/// The content of the frame that begins here, where it is one that decoders of zstd skip, and what is after it.
fn skipped(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (head, rest) = bytes.split_first_chunk::<8>()?;
    let [0x50..=0x5F, 0x2A, 0x4D, 0x18, a, b, c, d] = *head else { return None };
    rest.split_at_checked(usize::try_from(u32::from_le_bytes([a, b, c, d])).ok()?)
}

impl Wrapper {
    /// The wrapper that `bytes` begin with.
    pub(crate) fn sniff(bytes: &[u8]) -> Option<Self> {
        match bytes {
            // The third byte is the method; deflate (8) is the only one ever defined.
            [0x1f, 0x8b, 8, ..] => Some(Self::Gzip),
            // Level, then the magic of a block or of the end.
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, ..]
            | [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, 0x45, ..] => Some(Self::Bzip2),
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Xz),
            _ if begins_zstd(bytes) => Some(Self::Zstd),
            _ => None,
        }
    }

    /// The names of all.
    pub(crate) const NAMES: [&str; 4] = ["gzip", "bzip2", "xz", "zstd"];

    /// The name kept in records.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
            Self::Zstd => "zstd",
        }
    }

    /// Undoes this layer of a document of `packed` bytes, by which its expansion is judged: layer by layer, each might
    /// expand as far as a document may.
    pub(crate) fn unwrap(
        self,
        bytes: &[u8],
        packed: usize,
        limits: &Limits,
    ) -> Result<Vec<u8>, ExtractError> {
        decoders::unwrap(self, bytes, packed, limits)
    }
}

/// Reads all of `source` onto `out`, checking the limits on the way and not at the end, so that a bomb
/// costs no more memory than the limit. `packed` bytes are those of `source`, in a document of `document`.
pub(crate) fn read_within(
    source: &mut impl Read,
    packed: usize,
    document: usize,
    out: &mut Vec<u8>,
    limits: &Limits,
    what: &str,
) -> Result<(), ExtractError> {
    const STEP: u64 = 1 << 20;
    loop {
        let before = out.len();
        make_room(out, STEP as usize);
        source.by_ref().take(STEP).read_to_end(out).map_err(|error| {
            ExtractError::new(
                Reason::Damaged,
                format!("the {what} data is damaged after {} bytes: {error}", out.len()),
            )
        })?;
        limits.check_expansion(packed as u64, out.len() as u64)?;
        limits.check_growth(document as u64, out.len() as u64)?;
        if out.len() == before {
            return Ok(());
        }
    }
}

/// Makes room for `more` bytes where there are many: an eighth more, where a vector would take twice as much.
fn make_room(out: &mut Vec<u8>, more: usize) {
    const MANY: usize = 16 << 20;
    if out.len() >= MANY && out.capacity() - out.len() < more + STEP_SLACK {
        out.reserve_exact((more + STEP_SLACK).max(out.len() / 8));
    }
}

/// Bytes of room that readers look for beyond what they are to read.
const STEP_SLACK: usize = 64;
