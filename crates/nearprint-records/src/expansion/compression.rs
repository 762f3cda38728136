//! The compressions of files, told by their first octets.

use std::io::Read;

use super::gzip::GzipMembers;
use super::zstd::ZstdFrames;

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

    /// What a file that begins so expands to in the beginning: up to `limit` octets, about.
    pub(crate) fn first(self, head: &[u8], limit: u64) -> Vec<u8> {
        let mut out = Vec::new();
        // Heads are cut: what could be expanded before that will do.
        let _ = match self {
            Self::Gzip => {
                flate2::bufread::MultiGzDecoder::new(head).take(limit).read_to_end(&mut out)
            }
            Self::Bzip2 => {
                bzip2::bufread::MultiBzDecoder::new(head).take(limit).read_to_end(&mut out)
            }
            Self::Xz => {
                let reader = lzma_rust2::XzReader::new_mem_limit(head, true, XZ_MEMORY);
                reader.take(limit).read_to_end(&mut out)
            }
            Self::Zstd => return ZstdFrames::first(head, limit),
        };
        out
    }
}
