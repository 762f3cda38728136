//! The compressions of files, detected from their first bytes.

use std::io::Read;

use super::Damage;
use super::gzip::GzipMembers;
use super::raw::Raw;
use super::zstd::ZstdFrames;

/// Bytes of a file that are expanded to detect what it holds; of one whose blocks are large, more.
const AHEAD: usize = 64 << 10;
const LARGE_AHEAD: usize = 1 << 20;

/// KiB that a file in xz may ask for: what `xz -9` asks for, twice.
pub(super) const XZ_MEMORY: u32 = 128 << 10;

/// Compression of whole files that is undone here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compression {
    Gzip,
    Bzip2,
    Xz,
    Zstd,
}

impl Compression {
    /// What a file that begins so is compressed with.
    pub(crate) fn sniff(head: &[u8]) -> Option<Self> {
        match head {
            _ if GzipMembers::begins(head) => Some(Self::Gzip),
            _ if ZstdFrames::begins(head) || ZstdFrames::begins_skipped(head) => Some(Self::Zstd),
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, ..] => Some(Self::Bzip2),
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Xz),
            _ => None,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
            Self::Zstd => "zstd",
        }
    }

    /// What a file expands to at first, to detect what it holds: `limit` bytes, about, where there are as many.
    ///
    /// Damage ends it without an error: whoever reads the file meets it again.
    pub(crate) fn first(self, raw: &mut Raw, limit: usize) -> Result<Vec<u8>, Damage> {
        let ahead = match self {
            Self::Zstd => return ZstdFrames::first(raw, limit),
            Self::Bzip2 => LARGE_AHEAD,
            Self::Gzip | Self::Xz => AHEAD,
        };
        let limit = limit as u64;
        let (head, mut out) = (raw.peek(ahead)?, Vec::new());
        // The head is cut: what could be expanded before its end will do.
        let _ = match self {
            Self::Gzip => return Ok(GzipMembers::glance(head, limit).0),
            Self::Bzip2 => {
                bzip2::bufread::MultiBzDecoder::new(head).take(limit).read_to_end(&mut out)
            }
            Self::Xz | Self::Zstd => {
                let reader = lzma_rust2::XzReader::new_mem_limit(head, true, XZ_MEMORY);
                reader.take(limit).read_to_end(&mut out)
            }
        };
        Ok(out)
    }
}
