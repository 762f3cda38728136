//! The compressions of files, detected from their first bytes.

/// Whether a member of gzip begins here.
pub(super) fn begins_gzip(bytes: &[u8]) -> bool {
    // Magic, method, and of the flags the three that must be 0.
    matches!(bytes, [0x1f, 0x8b, 8, flags, ..] if flags & 0xe0 == 0)
}

/// Whether a frame of zstd with content begins here.
pub(super) fn begins_zstd(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x28, 0xB5, 0x2F, 0xFD])
}

/// Whether a frame of zstd that decoders skip begins here.
pub(super) fn begins_skipped_zstd(bytes: &[u8]) -> bool {
    matches!(bytes, [0x50..=0x5f, 0x2A, 0x4D, 0x18, ..])
}

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
            _ if begins_gzip(head) => Some(Self::Gzip),
            _ if begins_zstd(head) || begins_skipped_zstd(head) => Some(Self::Zstd),
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
}
