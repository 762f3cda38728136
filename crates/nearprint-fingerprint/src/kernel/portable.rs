//! The truth: plain Rust for every machine.

use super::{BLOCK, Kernel};

/// No more than Rust itself needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Portable;

impl Kernel for Portable {
    #[inline(always)]
    fn with_bit(self, classes: &[u8; BLOCK], bit: u8) -> u64 {
        let mut mask = 0;
        for (i, bytes) in classes.as_chunks::<8>().0.iter().enumerate() {
            // The bit to the lowest position of each byte, then all of them side by side in the highest byte.
            let lowest =
                (u64::from_le_bytes(*bytes) >> bit.trailing_zeros()) & 0x0101_0101_0101_0101;
            mask |= (lowest.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i);
        }
        mask
    }
}
