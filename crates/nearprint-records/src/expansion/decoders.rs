//! What undoes each compression.

use std::io::{self, Read};
use std::sync::atomic::Ordering;

use super::gzip::GzipMembers;
use super::members::{Decoder, Members};
use super::raw::Raw;
use super::window::Window;
use super::zstd::ZstdFrames;
use super::{Body, Compression, Damage};

/// Bytes of a file that are expanded to detect what it holds; of one whose blocks are large, more.
const AHEAD: usize = 64 << 10;
const LARGE_AHEAD: usize = 1 << 20;

/// KiB that a file in xz may ask for: what `xz -9` asks for, twice.
const XZ_MEMORY: u32 = 128 << 10;

/// A compressed file, expanded as it is read.
pub(super) fn body(compression: Compression, raw: Raw) -> Body {
    let members = |raw, decoder| Body::Members(Box::new(Members::new(raw, decoder)));
    let read = raw.counter();
    let before = read.load(Ordering::Relaxed);
    let reader: Box<dyn Read + Send> = match compression {
        Compression::Gzip => return members(raw, Decoder::Gzip(Box::new(GzipMembers::new()))),
        Compression::Zstd => return members(raw, Decoder::Zstd(Box::new(ZstdFrames::new()))),
        Compression::Bzip2 => Box::new(UntilDamage::of(bzip2::bufread::MultiBzDecoder::new(raw))),
        Compression::Xz => {
            let reader = lzma_rust2::XzReader::new_mem_limit(raw, true, XZ_MEMORY);
            Box::new(UntilDamage::of(reader))
        }
    };
    Body::Whole { reader, window: Window::default(), read, before }
}

/// A decoder that is not asked again once it has failed: that of xz would not end.
struct UntilDamage<R> {
    decoder: R,
    damage: Option<(io::ErrorKind, String)>,
}

impl<R: Read> UntilDamage<R> {
    fn of(decoder: R) -> Self {
        Self { decoder, damage: None }
    }
}

impl<R: Read> Read for UntilDamage<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if let Some((kind, detail)) = &self.damage {
            return Err(io::Error::new(*kind, detail.clone()));
        }
        self.decoder.read(out).inspect_err(|error| {
            if error.kind() != io::ErrorKind::Interrupted {
                self.damage = Some((error.kind(), error.to_string()));
            }
        })
    }
}

/// What a file expands to at first, to detect what it holds: `limit` bytes, about, where there are as many.
///
/// Damage ends it without an error: whoever reads the file meets it again.
pub(super) fn first(
    compression: Compression,
    raw: &mut Raw,
    limit: usize,
) -> Result<Vec<u8>, Damage> {
    let ahead = match compression {
        Compression::Zstd => return ZstdFrames::first(raw, limit),
        Compression::Bzip2 => LARGE_AHEAD,
        Compression::Gzip | Compression::Xz => AHEAD,
    };
    let limit = limit as u64;
    let (head, mut out) = (raw.peek(ahead)?, Vec::new());
    // The head is cut: what could be expanded before its end will do.
    let _ = match compression {
        Compression::Gzip => return Ok(GzipMembers::glance(head, limit).0),
        Compression::Bzip2 => {
            bzip2::bufread::MultiBzDecoder::new(head).take(limit).read_to_end(&mut out)
        }
        Compression::Xz | Compression::Zstd => {
            let reader = lzma_rust2::XzReader::new_mem_limit(head, true, XZ_MEMORY);
            reader.take(limit).read_to_end(&mut out)
        }
    };
    Ok(out)
}
