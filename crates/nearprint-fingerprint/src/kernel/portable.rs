//! The truth: plain Rust for every machine.

use crate::unicode::class::{PAIR, WORD};

/// The classes of up to 64 octets as bit masks: bit i is of octet i; bits behind the last octet are 0.
pub(crate) struct Masks {
    /// Octets of words.
    pub(crate) word: u64,
    /// Octets of pair runs.
    pub(crate) pair: u64,
}

impl Masks {
    #[inline]
    pub(crate) fn of(classes: &[u8]) -> Self {
        Self { word: mask(classes, WORD), pair: mask(classes, PAIR) }
    }
}

#[inline]
fn mask(classes: &[u8], bit: u8) -> u64 {
    let mut mask = 0;
    for (i, eight) in classes.chunks(8).enumerate() {
        let mut octets = [0; 8];
        octets[..eight.len()].copy_from_slice(eight);
        // The bit of each octet to its lowest position, then the eight of them side by side in the highest octet.
        let lowest = (u64::from_le_bytes(octets) >> bit.trailing_zeros()) & 0x0101_0101_0101_0101;
        mask |= (lowest.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i);
    }
    mask
}
