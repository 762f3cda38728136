//! Registers of 256 bits; bits are counted by looking up every half byte (W. Mula's method).
#![expect(unsafe_code, reason = "vector intrinsics")]

use std::arch::x86_64::*;

use super::lanes::{self, Distances, Lanes, both_valid};
use super::loops::loops;
use super::{HitBuffer, Kernels, Probe};

/// Whether this machine has all that is used here.
pub(super) fn is_available() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("bmi1")
}

/// The number of one bits in each byte.
///
/// # Safety
///
/// AVX2 must be available.
#[inline(always)]
unsafe fn ones_by_byte(bits: __m256i) -> __m256i {
    // SAFETY: registers only; the caller answers for the instruction set.
    unsafe {
        let counts = _mm256_broadcastsi128_si256(_mm_setr_epi8(
            0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
        ));
        let low = _mm256_set1_epi8(0x0f);
        let lower = _mm256_shuffle_epi8(counts, _mm256_and_si256(bits, low));
        let upper = _mm256_and_si256(_mm256_srli_epi16::<4>(bits), low);
        _mm256_add_epi8(lower, _mm256_shuffle_epi8(counts, upper))
    }
}

/// A mask for [`_mm256_maskload_epi32`] that reads the first `count <= 8` words of 32 bits.
///
/// # Safety
///
/// AVX2 must be available.
#[inline(always)]
unsafe fn first_words(count: usize) -> __m256i {
    // SAFETY: registers only; the caller answers for the instruction set.
    unsafe {
        let numbers = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        _mm256_cmpgt_epi32(_mm256_set1_epi32(count as i32), numbers)
    }
}

#[derive(Clone, Copy)]
struct Of32(__m256i);

// SAFETY: every function needs what `is_available` asks for, and no more; there are 8 lanes.
unsafe impl Lanes<u32> for Of32 {
    const LANES: usize = 8;
    type Distances = Self;

    #[inline(always)]
    unsafe fn load(from: *const u32) -> Self {
        // SAFETY: the caller has 8 readable words at `from`.
        Self(unsafe { _mm256_loadu_si256(from.cast()) })
    }
    #[inline(always)]
    unsafe fn load_first(from: *const u32, count: usize) -> Self {
        // SAFETY: only the first `count` words are read, which the caller has.
        Self(unsafe { _mm256_maskload_epi32(from.cast(), first_words(count)) })
    }
    #[inline(always)]
    unsafe fn splat(print: u32) -> Self {
        // SAFETY: registers only, as in the rest of this block.
        Self(unsafe { _mm256_set1_epi32(print as i32) })
    }
    #[inline(always)]
    unsafe fn distance(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe {
            let bytes = ones_by_byte(_mm256_xor_si256(self.0, other.0));
            let twos = _mm256_maddubs_epi16(bytes, _mm256_set1_epi8(1));
            Self(_mm256_madd_epi16(twos, _mm256_set1_epi16(1)))
        }
    }
    #[inline(always)]
    unsafe fn any_within(self, limit: Self, valid: u32) -> bool {
        let mut near = 0;
        for by in 1..=4u32 {
            // SAFETY: as above.
            near |= unsafe {
                let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
                let from = _mm256_add_epi32(lanes, _mm256_set1_epi32(by as i32));
                let rotated = Self(_mm256_permutevar8x32_epi32(self.0, from));
                self.distance(rotated).within(limit) & both_valid(valid, by, 8)
            };
        }
        near != 0
    }
}

// SAFETY: as above.
unsafe impl Distances for Of32 {
    #[inline(always)]
    unsafe fn count(count: u32) -> Self {
        // SAFETY: registers only, as in the rest of this block.
        Self(unsafe { _mm256_set1_epi32(count as i32) })
    }
    #[inline(always)]
    unsafe fn min(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_min_epu32(self.0, other.0) })
    }
    #[inline(always)]
    unsafe fn within(self, limit: Self) -> u32 {
        // SAFETY: as above.
        let beyond =
            unsafe { _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(self.0, limit.0))) };
        !(beyond as u32) & 0b1111_1111
    }
}

#[derive(Clone, Copy)]
struct Of64(__m256i);

// SAFETY: every function needs what `is_available` asks for, and no more; there are 4 lanes.
unsafe impl Lanes<u64> for Of64 {
    const LANES: usize = 4;
    type Distances = Self;

    #[inline(always)]
    unsafe fn load(from: *const u64) -> Self {
        // SAFETY: the caller has 4 readable words at `from`.
        Self(unsafe { _mm256_loadu_si256(from.cast()) })
    }
    #[inline(always)]
    unsafe fn load_first(from: *const u64, count: usize) -> Self {
        // SAFETY: only the first `count` words, two halves each, are read; the caller has them.
        Self(unsafe { _mm256_maskload_epi32(from.cast(), first_words(2 * count)) })
    }
    #[inline(always)]
    unsafe fn splat(print: u64) -> Self {
        // SAFETY: registers only, as in the rest of this block.
        Self(unsafe { _mm256_set1_epi64x(print as i64) })
    }
    #[inline(always)]
    unsafe fn distance(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe {
            let bytes = ones_by_byte(_mm256_xor_si256(self.0, other.0));
            Self(_mm256_sad_epu8(bytes, _mm256_setzero_si256()))
        }
    }
    #[inline(always)]
    unsafe fn any_within(self, limit: Self, valid: u32) -> bool {
        // SAFETY: as above.
        unsafe {
            let one = Self(_mm256_permute4x64_epi64::<0b00_11_10_01>(self.0));
            let two = Self(_mm256_permute4x64_epi64::<0b01_00_11_10>(self.0));
            self.distance(one).within(limit) & both_valid(valid, 1, 4)
                | self.distance(two).within(limit) & both_valid(valid, 2, 4)
                != 0
        }
    }
}

// SAFETY: as above.
unsafe impl Distances for Of64 {
    #[inline(always)]
    unsafe fn count(count: u32) -> Self {
        // SAFETY: registers only, as in the rest of this block.
        Self(unsafe { _mm256_set1_epi64x(i64::from(count)) })
    }
    #[inline(always)]
    unsafe fn min(self, other: Self) -> Self {
        // Counts are small, so that halves may be compared alone.
        // SAFETY: as above.
        Self(unsafe { _mm256_min_epu32(self.0, other.0) })
    }
    #[inline(always)]
    unsafe fn within(self, limit: Self) -> u32 {
        // SAFETY: as above.
        let beyond =
            unsafe { _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(self.0, limit.0))) };
        !(beyond as u32) & 0b1111
    }
}

#[derive(Clone, Copy)]
struct Of128(__m256i);

// SAFETY: every function needs what `is_available` asks for, and no more; there are 2 lanes.
unsafe impl Lanes<u128> for Of128 {
    const LANES: usize = 2;
    type Distances = Self;

    #[inline(always)]
    unsafe fn load(from: *const u128) -> Self {
        // SAFETY: the caller has 2 readable words of 16 bytes at `from`.
        Self(unsafe { _mm256_loadu_si256(from.cast()) })
    }
    #[inline(always)]
    unsafe fn load_first(from: *const u128, count: usize) -> Self {
        // SAFETY: only the first `count` words, four quarters each, are read; the caller has them.
        Self(unsafe { _mm256_maskload_epi32(from.cast(), first_words(4 * count)) })
    }
    #[inline(always)]
    unsafe fn splat(print: u128) -> Self {
        // SAFETY: registers only, as in the rest of this block.
        unsafe {
            let (low, high) = (print as i64, (print >> 64) as i64);
            Self(_mm256_broadcastsi128_si256(_mm_set_epi64x(high, low)))
        }
    }
    #[inline(always)]
    unsafe fn distance(self, other: Self) -> Self {
        // SAFETY: as above.
        unsafe {
            let bytes = ones_by_byte(_mm256_xor_si256(self.0, other.0));
            let halves = _mm256_sad_epu8(bytes, _mm256_setzero_si256());
            // Both halves of a fingerprint get the sum.
            Self(_mm256_add_epi64(halves, _mm256_shuffle_epi32::<0b01_00_11_10>(halves)))
        }
    }
    #[inline(always)]
    unsafe fn any_within(self, limit: Self, valid: u32) -> bool {
        // SAFETY: as above.
        unsafe {
            let one = Self(_mm256_permute4x64_epi64::<0b01_00_11_10>(self.0));
            self.distance(one).within(limit) & both_valid(valid, 1, 2) != 0
        }
    }
}

// SAFETY: as above.
unsafe impl Distances for Of128 {
    #[inline(always)]
    unsafe fn count(count: u32) -> Self {
        // SAFETY: registers only, as in the rest of this block.
        Self(unsafe { _mm256_set1_epi64x(i64::from(count)) })
    }
    #[inline(always)]
    unsafe fn min(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_min_epu32(self.0, other.0) })
    }
    #[inline(always)]
    unsafe fn within(self, limit: Self) -> u32 {
        // SAFETY: as above.
        let beyond =
            unsafe { _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(self.0, limit.0))) };
        let near = !(beyond as u32);
        near & 0b01 | (near & 0b100) >> 1
    }
}

#[cfg(feature = "widths")]
loops!(for_u32, u32, Of32, "avx2,popcnt,bmi1");
loops!(for_u64, u64, Of64, "avx2,popcnt,bmi1");
#[cfg(feature = "widths")]
loops!(for_u128, u128, Of128, "avx2,popcnt,bmi1");
