//! The content codings of bodies, undone within limits.

use std::io::{Cursor, Read};

use flate2::bufread::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

use super::{Refusal, damaged, unsupported};
use crate::ReasonCode;
use crate::expansion::{RATIO_FLOOR, zstd_reader};

/// A body with one coding undone.
pub(super) fn undone(
    coding: &str,
    bytes: Vec<u8>,
    limit: u64,
    max_ratio: u64,
    truncated: bool,
) -> Result<Vec<u8>, Refusal> {
    let bounds = Bounds { packed: bytes.len() as u64, limit, max_ratio, truncated };
    let read = |mut reader: &mut dyn Read| bounds.read(&mut reader, coding);
    match coding {
        "gzip" | "x-gzip" => match bytes.starts_with(&[0x1f, 0x8b, 8]) {
            true => read(&mut MultiGzDecoder::new(&bytes[..])),
            false => Ok(bytes),
        },
        "deflate" => {
            let zlib = bytes.len() >= 2
                && bytes[0] & 15 == 8
                && u16::from_be_bytes([bytes[0], bytes[1]]).is_multiple_of(31);
            let found = match zlib {
                true => read(&mut ZlibDecoder::new(&bytes[..])),
                // What the standard does not allow and some servers send.
                false => read(&mut DeflateDecoder::new(&bytes[..])),
            };
            or_as_it_is(found, bytes)
        }
        "br" => {
            let found = read(&mut brotli_decompressor::Decompressor::new(&bytes[..], 1 << 16));
            or_as_it_is(found, bytes)
        }
        "zstd" => match bytes.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]) {
            true => read(&mut zstd_reader(Cursor::new(bytes))),
            false => Ok(bytes),
        },
        other => Err(unsupported(other)),
    }
}

/// What has no mark of its own and cannot be undone is taken as it is where it is text: it was undone before.
fn or_as_it_is(found: Result<Vec<u8>, Refusal>, bytes: Vec<u8>) -> Result<Vec<u8>, Refusal> {
    match found {
        Err((reason, _)) if reason == ReasonCode::DAMAGED && is_texty(&bytes) => Ok(bytes),
        found => found,
    }
}

fn is_texty(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(512)];
    !head.is_empty() && head.iter().all(|&byte| byte >= 32 || (9..=13).contains(&byte))
}

/// What a coding may expand to.
struct Bounds {
    packed: u64,
    limit: u64,
    max_ratio: u64,
    truncated: bool,
}

impl Bounds {
    fn read(&self, reader: &mut impl Read, coding: &str) -> Result<Vec<u8>, Refusal> {
        const STEP: u64 = 1 << 20;
        let mut out = Vec::new();
        loop {
            let before = out.len();
            let step = reader.by_ref().take(STEP).read_to_end(&mut out);
            let length = out.len() as u64;
            let detail = if length > self.limit {
                format!("the body expands to more than {} bytes (max_bytes)", self.limit)
            } else if length > RATIO_FLOOR
                && length > self.packed.max(1).saturating_mul(self.max_ratio)
            {
                format!("the body expands more than {} times (max_ratio)", self.max_ratio)
            } else if let Err(error) = step {
                if self.truncated && length > 0 {
                    return Ok(out);
                }
                return Err(damaged(format!("the {coding} data of the body is damaged: {error}")));
            } else if out.len() == before {
                return Ok(out);
            } else {
                continue;
            };
            return Err((ReasonCode::EXPANSION_LIMIT, detail));
        }
    }
}
