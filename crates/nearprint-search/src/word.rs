//! The machine words fingerprints are searched as.
//!
//! The engine is generic over the width only: a scheme is checked once, by the caller, and from
//! there on fingerprints are plain integers. The trait is sealed, because every width needs its SIMD
//! kernels ([`crate::kernel`]); what the public sees of it is the width and the distance.

use std::fmt;
use std::hash::Hash;

use crate::buffer::Plain;
use crate::kernel::KernelTable;

/// A fingerprint as a plain word: `u64`, and with the feature `widths` `u32` or `u128`.
///
/// # Examples
///
/// ```
/// use nearprint_search::FingerprintWord;
/// assert_eq!(0b1011_u64.hamming_distance(0b0010), 2);
/// assert_eq!(u128::WIDTH, 128);
/// ```
pub trait FingerprintWord:
    Bits + Plain + Copy + Eq + Ord + Hash + Default + fmt::Debug + Send + Sync + 'static
{
    /// Bits in a fingerprint: 32, 64 or 128.
    const WIDTH: u32;

    /// The number of bits in which two fingerprints differ, from 0 to [`WIDTH`](Self::WIDTH).
    fn hamming_distance(self, other: Self) -> u32;
}

/// What the engine itself needs of a word; unnameable outside the crate, which seals the trait.
pub trait Bits: Sized + Copy {
    /// Cuts a mask made for 128 bits down to this width.
    fn truncate(mask: u128) -> Self;
    /// The word in the low bits of 128.
    fn widen(self) -> u128;
    /// The bits that differ.
    fn xor(self, other: Self) -> Self;
    /// The bits in both.
    fn and(self, other: Self) -> Self;
    /// Number of one bits.
    fn ones(self) -> u32;
    /// Whether no bit is set.
    fn is_zero(self) -> bool;
    /// `bits` (<= 32) bits starting at bit `shift` (< width), as a table index.
    fn window(self, shift: u32, bits: u32) -> usize;
    /// A 64-bit number spread over all the word's bits; equal words give equal numbers.
    fn mix(self) -> u64;
    /// The comparison kernels for this width.
    fn kernels() -> &'static KernelTable<Self>;
}

macro_rules! word {
    ($word:ty, $mix:expr, $table:path) => {
        impl FingerprintWord for $word {
            const WIDTH: u32 = <$word>::BITS;

            #[inline]
            fn hamming_distance(self, other: Self) -> u32 {
                (self ^ other).count_ones()
            }
        }

        impl Bits for $word {
            #[inline]
            fn truncate(mask: u128) -> Self {
                mask as $word
            }
            #[inline]
            fn widen(self) -> u128 {
                u128::from(self)
            }
            #[inline]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }
            #[inline]
            fn and(self, other: Self) -> Self {
                self & other
            }
            #[inline]
            fn ones(self) -> u32 {
                self.count_ones()
            }
            #[inline]
            fn is_zero(self) -> bool {
                self == 0
            }
            #[inline]
            fn window(self, shift: u32, bits: u32) -> usize {
                ((self >> shift) as usize) & ((1usize << bits) - 1)
            }
            #[inline]
            fn mix(self) -> u64 {
                let mix: fn($word) -> u64 = $mix;
                mix(self)
            }
            #[inline]
            fn kernels() -> &'static KernelTable<Self> {
                &$table
            }
        }
    };
}

/// 2^64 divided by the golden ratio, odd: the multiplier of Fibonacci hashing.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

#[cfg(feature = "widths")]
word!(u32, |x| u64::from(x).wrapping_mul(SPREAD), crate::kernel::U32);
word!(u64, |x| x.wrapping_mul(SPREAD), crate::kernel::U64);
#[cfg(feature = "widths")]
word!(
    u128,
    |x| (x as u64).wrapping_mul(SPREAD)
        ^ ((x >> 64) as u64).wrapping_mul(SPREAD).rotate_left(32).wrapping_mul(SPREAD),
    crate::kernel::U128
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_read_the_bits_they_name() {
        assert_eq!(0xdead_beef_u32.window(16, 8), 0xad);
        assert_eq!(0x0123_4567_89ab_cdef_u64.window(60, 4), 0);
        assert_eq!((0xffu128 << 120).window(120, 8), 0xff);
    }

    #[test]
    fn masks_are_cut_to_the_width() {
        assert_eq!(<u32 as Bits>::truncate(u128::MAX), u32::MAX);
        assert_eq!(<u64 as Bits>::truncate(1 << 64), 0);
    }
}
