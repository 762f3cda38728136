//! Triggers, the bytes at which a match of SPEC section 5 may be recognised: what makes a byte one.

use super::BLOCK;

/// Bytes before one that tell whether it is a trigger.
pub(crate) const BEFORE: usize = 2;

/// Block of bytes with the two before it and the one after.
pub(crate) type PaddedBlock = [u8; BEFORE + BLOCK + 1];

/// Whether a match may be recognised at a byte, by the two before it and the one after: at the colon of `://`, at one
/// after `urn`, `doi` or `arxiv`, at an at sign, at the full stop of `www.` or `10.`.
#[inline(always)]
pub(crate) fn is_trigger([first, second, byte, behind]: [u8; BEFORE + 2]) -> bool {
    match byte {
        b'.' => matches!([first, second], [b'w', b'w'] | [b'1', b'0']),
        b':' => behind == b'/' || matches!(&[first, second], b"rn" | b"oi" | b"iv"),
        b'@' => true,
        _ => false,
    }
}
