//! The truth: plain Rust for every machine.

use crate::unicode::class::{CONNECTOR, LETTER, PAIR, WORD};

/// The classes of up to 64 octets as bit masks: bit i is of octet i; bits behind the last octet are 0.
pub(crate) struct Masks {
    /// Octets of words.
    pub(crate) word: u64,
    /// Octets of letters of words.
    pub(crate) letter: u64,
    /// Octets of connectors.
    pub(crate) connector: u64,
    /// Octets of pair runs.
    pub(crate) pair: u64,
}

impl Masks {
    #[inline(always)]
    pub(crate) fn of(classes: &[u8]) -> Self {
        match classes.as_array::<64>() {
            Some(classes) => Self::of_block(classes),
            None => {
                let mut block = [0; 64];
                block[..classes.len()].copy_from_slice(classes);
                Self::of_block(&block)
            }
        }
    }

    #[inline(always)]
    fn of_block(classes: &[u8; 64]) -> Self {
        let mut masks = Self { word: 0, letter: 0, connector: 0, pair: 0 };
        for (i, octets) in classes.as_chunks::<8>().0.iter().enumerate() {
            let classes = u64::from_le_bytes(*octets);
            masks.word |= side_by_side(classes, WORD) << (8 * i);
            masks.letter |= side_by_side(classes, LETTER) << (8 * i);
            masks.connector |= side_by_side(classes, CONNECTOR) << (8 * i);
            masks.pair |= side_by_side(classes, PAIR) << (8 * i);
        }
        masks
    }
}

/// The bit of each of eight octets, side by side.
#[inline(always)]
fn side_by_side(octets: u64, bit: u8) -> u64 {
    // To the lowest position of each octet, then all of them to the highest octet.
    let lowest = (octets >> bit.trailing_zeros()) & 0x0101_0101_0101_0101;
    lowest.wrapping_mul(0x0102_0408_1020_4080) >> 56
}
