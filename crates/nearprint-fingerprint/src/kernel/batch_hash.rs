//! The hashes of many tokens (SPEC 7.1), for machines of any kind: the last mixing, which every token has, side
//! by side.

use super::runs::{PLACES, Runs};
use crate::lookup3;

/// The longest part of a key that is added without mixing.
const BLOCK: usize = 12;

/// Tokens that are mixed together.
const TOGETHER: usize = 64;

/// Where the tokens of [`Runs`] are hashed; after the last one whole vectors may be written.
pub(crate) struct Hashes {
    pub(crate) hashes: [u64; PLACES + TOGETHER],
    /// The tokens that are mixed more than once, for a kernel that takes them apart: where they begin, their lengths,
    /// which hashes are theirs.
    #[cfg(target_arch = "x86_64")]
    pub(crate) long: [[u32; PLACES]; 3],
}

impl Default for Hashes {
    fn default() -> Self {
        Self {
            hashes: [0; PLACES + TOGETHER],
            #[cfg(target_arch = "x86_64")]
            long: [[0; PLACES]; 3],
        }
    }
}

/// The hashes of the tokens of `runs` in order.
#[inline(always)]
pub(crate) fn hash<'a>(text: &[u8], runs: &Runs, hashes: &'a mut Hashes) -> &'a [u64] {
    let hashes = &mut hashes.hashes;
    let text = runs.text(text);
    let mut count = 0;
    // Lookup3 states that lack only the last mixing, in columns, so that it becomes vector code.
    let [mut a, mut b, mut c] = [[0; TOGETHER]; 3];
    let mut pending = 0;
    let mut tokens = runs.tokens();
    loop {
        let token = tokens.next();
        if pending == TOGETHER || token.is_none() {
            for (i, hash) in hashes[count..count + TOGETHER].iter_mut().enumerate() {
                *hash = lookup3::join(lookup3::last([a[i], b[i], c[i]]));
            }
            count += pending;
            pending = 0;
        }
        let Some(token) = token else { return &hashes[..count] };
        let mut state = lookup3::start(token.len());
        let mut at = token.start;
        while token.end - at > BLOCK {
            state = lookup3::mix(add(state, load(text, at, BLOCK)));
            at += BLOCK;
        }
        [a[pending], b[pending], c[pending]] = add(state, load(text, at, token.end - at));
        pending += 1;
    }
}

/// The bytes of the lowest `length` positions.
static KEPT: [u128; BLOCK + 1] = {
    let mut kept = [0; BLOCK + 1];
    let mut length = 0;
    while length <= BLOCK {
        kept[length] = (1 << (8 * length)) - 1;
        length += 1;
    }
    kept
};

/// Up to 12 bytes, little-endian, 0 after them.
#[inline(always)]
fn load(text: &[u8], at: usize, length: usize) -> u128 {
    let bytes = match text[at..].first_chunk() {
        Some(chunk) => *chunk,
        None => at_the_end(&text[at..at + length]),
    };
    u128::from_le_bytes(bytes) & KEPT[length]
}

#[cold]
fn at_the_end(part: &[u8]) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[..part.len()].copy_from_slice(part);
    bytes
}

#[inline(always)]
fn add([a, b, c]: lookup3::State, bytes: u128) -> lookup3::State {
    [
        a.wrapping_add(bytes as u32),
        b.wrapping_add((bytes >> 32) as u32),
        c.wrapping_add((bytes >> 64) as u32),
    ]
}
