//! Registers of 512 bits with a population count of their own (VPOPCNTDQ): 16, 8 or 4 fingerprints.
#![expect(unsafe_code, reason = "vector intrinsics")]

use std::arch::x86_64::*;

use super::lanes::{self, Distances, Lanes, both_valid};
use super::loops::loops;
use super::{HitBuffer, Kernels, Probe};

/// Whether this machine has all that is used here.
pub(super) fn is_available() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vpopcntdq")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
}

/// Lanes rotated down by each of the named numbers meet the lanes themselves.
macro_rules! any_rotation {
    ($prints:expr, $limit:expr, $valid:expr, $lanes:literal, $rotate:ident, [$($by:literal)*]) => {
        0 $(| ($prints.distance(Self($rotate::<$by>($prints.0, $prints.0))).within($limit)
            & both_valid($valid, $by, $lanes)))* != 0
    };
}

#[derive(Clone, Copy)]
struct Of32(__m512i);

// SAFETY: every function needs what `is_available` asks for, and no more; there are 16 lanes.
unsafe impl Lanes<u32> for Of32 {
    const LANES: usize = 16;
    type Distances = Self;

    #[inline(always)]
    unsafe fn load(from: *const u32) -> Self {
        // SAFETY: the caller has 16 readable words at `from`.
        Self(unsafe { _mm512_loadu_si512(from.cast()) })
    }
    #[inline(always)]
    unsafe fn load_first(from: *const u32, count: usize) -> Self {
        // SAFETY: only the first `count` words are read, which the caller has.
        Self(unsafe { _mm512_maskz_loadu_epi32((1u16 << count).wrapping_sub(1), from.cast()) })
    }
    #[inline(always)]
    unsafe fn splat(print: u32) -> Self {
        // SAFETY: registers only, as in the rest of this block.
        Self(unsafe { _mm512_set1_epi32(print as i32) })
    }
    #[inline(always)]
    unsafe fn distance(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_popcnt_epi32(_mm512_xor_si512(self.0, other.0)) })
    }
    #[inline(always)]
    unsafe fn any_within(self, limit: Self, valid: u32) -> bool {
        // SAFETY: as above.
        unsafe { any_rotation!(self, limit, valid, 16, _mm512_alignr_epi32, [1 2 3 4 5 6 7 8]) }
    }
}

// SAFETY: as above.
unsafe impl Distances for Of32 {
    #[inline(always)]
    unsafe fn count(count: u32) -> Self {
        // SAFETY: registers only, as in the rest of this block.
        Self(unsafe { _mm512_set1_epi32(count as i32) })
    }
    #[inline(always)]
    unsafe fn min(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_min_epu32(self.0, other.0) })
    }
    #[inline(always)]
    unsafe fn within(self, limit: Self) -> u32 {
        // SAFETY: as above.
        u32::from(unsafe { _mm512_cmple_epu32_mask(self.0, limit.0) })
    }
}

#[derive(Clone, Copy)]
struct Of64(__m512i);

// SAFETY: every function needs what `is_available` asks for, and no more; there are 8 lanes.
unsafe impl Lanes<u64> for Of64 {
    const LANES: usize = 8;
    type Distances = Self;

    #[inline(always)]
    unsafe fn load(from: *const u64) -> Self {
        // SAFETY: the caller has 8 readable words at `from`.
        Self(unsafe { _mm512_loadu_si512(from.cast()) })
    }
    #[inline(always)]
    unsafe fn load_first(from: *const u64, count: usize) -> Self {
        // SAFETY: only the first `count` words are read, which the caller has.
        Self(unsafe { _mm512_maskz_loadu_epi64((1u8 << count).wrapping_sub(1), from.cast()) })
    }
    #[inline(always)]
    unsafe fn splat(print: u64) -> Self {
        // SAFETY: registers only, as in the rest of this block.
        Self(unsafe { _mm512_set1_epi64(print as i64) })
    }
    #[inline(always)]
    unsafe fn distance(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_popcnt_epi64(_mm512_xor_si512(self.0, other.0)) })
    }
    #[inline(always)]
    unsafe fn any_within(self, limit: Self, valid: u32) -> bool {
        // SAFETY: as above.
        unsafe { any_rotation!(self, limit, valid, 8, _mm512_alignr_epi64, [1 2 3 4]) }
    }
}

// SAFETY: as above.
unsafe impl Distances for Of64 {
    #[inline(always)]
    unsafe fn count(count: u32) -> Self {
        // SAFETY: registers only, as in the rest of this block.
        Self(unsafe { _mm512_set1_epi64(i64::from(count)) })
    }
    #[inline(always)]
    unsafe fn min(self, other: Self) -> Self {
        // Counts are small, so that halves may be compared alone.
        // SAFETY: as above.
        Self(unsafe { _mm512_min_epu32(self.0, other.0) })
    }
    #[inline(always)]
    unsafe fn within(self, limit: Self) -> u32 {
        // SAFETY: as above.
        u32::from(unsafe { _mm512_cmple_epu64_mask(self.0, limit.0) })
    }
}

#[derive(Clone, Copy)]
struct Of128(__m512i);

// SAFETY: every function needs what `is_available` asks for, and no more; there are 4 lanes.
unsafe impl Lanes<u128> for Of128 {
    const LANES: usize = 4;
    type Distances = Self;

    #[inline(always)]
    unsafe fn load(from: *const u128) -> Self {
        // SAFETY: the caller has 4 readable words of 16 bytes at `from`.
        Self(unsafe { _mm512_loadu_si512(from.cast()) })
    }
    #[inline(always)]
    unsafe fn load_first(from: *const u128, count: usize) -> Self {
        // SAFETY: only the first `count` words, two halves each, are read; the caller has them.
        Self(unsafe { _mm512_maskz_loadu_epi64((1u8 << (2 * count)).wrapping_sub(1), from.cast()) })
    }
    #[inline(always)]
    unsafe fn splat(print: u128) -> Self {
        // SAFETY: registers only, as in the rest of this block.
        unsafe {
            let (low, high) = (print as i64, (print >> 64) as i64);
            Self(_mm512_broadcast_i64x2(_mm_set_epi64x(high, low)))
        }
    }
    #[inline(always)]
    unsafe fn distance(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe {
            let halves = _mm512_popcnt_epi64(_mm512_xor_si512(self.0, other.0));
            // Both halves of a fingerprint get the sum.
            Self(_mm512_add_epi64(halves, _mm512_shuffle_epi32::<0b01_00_11_10>(halves)))
        }
    }
    #[inline(always)]
    unsafe fn any_within(self, limit: Self, valid: u32) -> bool {
        // SAFETY: as above.
        unsafe {
            let one = Self(_mm512_alignr_epi64::<2>(self.0, self.0));
            let two = Self(_mm512_alignr_epi64::<4>(self.0, self.0));
            self.distance(one).within(limit) & both_valid(valid, 1, 4)
                | self.distance(two).within(limit) & both_valid(valid, 2, 4)
                != 0
        }
    }
}

// SAFETY: as above.
unsafe impl Distances for Of128 {
    #[inline(always)]
    unsafe fn count(count: u32) -> Self {
        // SAFETY: registers only, as in the rest of this block.
        Self(unsafe { _mm512_set1_epi64(i64::from(count)) })
    }
    #[inline(always)]
    unsafe fn min(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_min_epu32(self.0, other.0) })
    }
    #[inline(always)]
    unsafe fn within(self, limit: Self) -> u32 {
        // SAFETY: as above.
        let halves = u32::from(unsafe { _mm512_cmple_epu64_mask(self.0, limit.0) }) & 0b0101_0101;
        let twos = (halves | halves >> 1) & 0b0011_0011;
        (twos | twos >> 2) & 0b1111
    }
}

#[cfg(feature = "widths")]
loops!(for_u32, u32, Of32, "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt,bmi1,bmi2");
loops!(for_u64, u64, Of64, "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt,bmi1,bmi2");
#[cfg(feature = "widths")]
loops!(for_u128, u128, Of128, "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt,bmi1,bmi2");
