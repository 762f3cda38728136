//! AArch64 with NEON: four registers of 128 bits are used as one, since the counts of their bytes come into one
//! register by adding neighbours.
#![expect(unsafe_code, reason = "vector intrinsics")]

use std::arch::aarch64::*;
use std::arch::is_aarch64_feature_detected;

use super::lanes::{self, Distances, Lanes, both_valid};
use super::loops::loops;
use super::{HitBuffer, Kernels, Probe};

/// Whether this machine has all that is used here, and its registers lie in memory as is relied on.
pub(super) fn is_available() -> bool {
    cfg!(target_endian = "little") && is_aarch64_feature_detected!("neon")
}

/// The number of bits that differ in every four bytes that follow each other, in the order of the bytes.
///
/// # Safety
///
/// NEON must be available.
#[inline(always)]
unsafe fn ones_by_four(a: Four, b: Four) -> uint8x16_t {
    // SAFETY: registers only; the caller answers for the instruction set.
    unsafe {
        let ones = |at: usize| vcntq_u8(veorq_u8(a[at], b[at]));
        vpaddq_u8(vpaddq_u8(ones(0), ones(1)), vpaddq_u8(ones(2), ones(3)))
    }
}

/// Fingerprints in the order of memory.
type Four = [uint8x16_t; 4];

/// # Safety
///
/// NEON must be available, and 64 bytes readable at `from`.
#[inline(always)]
unsafe fn load(from: *const u8) -> Four {
    // SAFETY: the caller has 64 readable bytes at `from`.
    unsafe {
        [vld1q_u8(from), vld1q_u8(from.add(16)), vld1q_u8(from.add(32)), vld1q_u8(from.add(48))]
    }
}

/// Loads the first bytes of 64, at most; the others are 0.
///
/// # Safety
///
/// NEON must be available, and `bytes` readable at `from`.
#[inline(always)]
unsafe fn load_first(from: *const u8, bytes: usize) -> Four {
    let mut all = [0u8; 64];
    // SAFETY: the caller has the bytes, the array 64, of which no more are asked for.
    unsafe {
        std::ptr::copy_nonoverlapping(from, all.as_mut_ptr(), bytes.min(all.len()));
        load(all.as_ptr())
    }
}

/// All bytes rotated down by `by`, which is from 1 to 15, and by `registers`.
macro_rules! rotated {
    ($four:expr, $by:literal, $registers:literal) => {{
        let at = |at: usize| $four[(at + $registers) % 4];
        [
            vextq_u8::<$by>(at(0), at(1)),
            vextq_u8::<$by>(at(1), at(2)),
            vextq_u8::<$by>(at(2), at(3)),
            vextq_u8::<$by>(at(3), at(0)),
        ]
    }};
    ($four:expr, $registers:literal) => {
        [0, 1, 2, 3].map(|at| $four[(at + $registers) % 4])
    };
}

/// Lanes rotated down by each of the named numbers meet the lanes themselves.
macro_rules! any_rotation {
    ($prints:expr, $limit:expr, $valid:expr, $lanes:literal, [$($by:literal: ($($rotate:tt)*);)*]) => {
        0 $(| ($prints.distance(Self(rotated!($prints.0, $($rotate)*))).within($limit)
            & both_valid($valid, $by, $lanes)))* != 0
    };
}

#[derive(Clone, Copy)]
struct Of32(Four);

// SAFETY: every function needs what `is_available` asks for, and no more; there are 16 lanes.
unsafe impl Lanes<u32> for Of32 {
    const LANES: usize = 16;
    type Distances = Counts8;

    #[inline(always)]
    unsafe fn load(from: *const u32) -> Self {
        // SAFETY: the caller has 16 readable words at `from`.
        Self(unsafe { load(from.cast()) })
    }
    #[inline(always)]
    unsafe fn load_first(from: *const u32, count: usize) -> Self {
        // SAFETY: only the first `count` words are read, which the caller has.
        Self(unsafe { load_first(from.cast(), 4 * count) })
    }
    #[inline(always)]
    unsafe fn splat(print: u32) -> Self {
        // SAFETY: registers only, as in the rest of this block.
        Self([unsafe { vreinterpretq_u8_u32(vdupq_n_u32(print)) }; 4])
    }
    #[inline(always)]
    unsafe fn distance(self, other: Self) -> Counts8 {
        // SAFETY: as above.
        Counts8(unsafe { ones_by_four(self.0, other.0) })
    }
    #[inline(always)]
    unsafe fn any_within(self, limit: Counts8, valid: u32) -> bool {
        // SAFETY: as above.
        unsafe {
            any_rotation!(self, limit, valid, 16, [
                1: (4, 0); 2: (8, 0); 3: (12, 0); 4: (1);
                5: (4, 1); 6: (8, 1); 7: (12, 1); 8: (2);
            ])
        }
    }
}

#[derive(Clone, Copy)]
struct Of64(Four);

// SAFETY: every function needs what `is_available` asks for, and no more; there are 8 lanes.
unsafe impl Lanes<u64> for Of64 {
    const LANES: usize = 8;
    type Distances = Counts16;

    #[inline(always)]
    unsafe fn load(from: *const u64) -> Self {
        // SAFETY: the caller has 8 readable words at `from`.
        Self(unsafe { load(from.cast()) })
    }
    #[inline(always)]
    unsafe fn load_first(from: *const u64, count: usize) -> Self {
        // SAFETY: only the first `count` words are read, which the caller has.
        Self(unsafe { load_first(from.cast(), 8 * count) })
    }
    #[inline(always)]
    unsafe fn splat(print: u64) -> Self {
        // SAFETY: registers only, as in the rest of this block.
        Self([unsafe { vreinterpretq_u8_u64(vdupq_n_u64(print)) }; 4])
    }
    #[inline(always)]
    unsafe fn distance(self, other: Self) -> Counts16 {
        // SAFETY: as above.
        Counts16(unsafe { vpaddlq_u8(ones_by_four(self.0, other.0)) })
    }
    #[inline(always)]
    unsafe fn any_within(self, limit: Counts16, valid: u32) -> bool {
        // SAFETY: as above.
        unsafe { any_rotation!(self, limit, valid, 8, [1: (8, 0); 2: (1); 3: (8, 1); 4: (2);]) }
    }
}

#[derive(Clone, Copy)]
struct Of128(Four);

// SAFETY: every function needs what `is_available` asks for, and no more; there are 4 lanes.
unsafe impl Lanes<u128> for Of128 {
    const LANES: usize = 4;
    type Distances = Counts32;

    #[inline(always)]
    unsafe fn load(from: *const u128) -> Self {
        // SAFETY: the caller has 4 readable words of 16 bytes at `from`.
        Self(unsafe { load(from.cast()) })
    }
    #[inline(always)]
    unsafe fn load_first(from: *const u128, count: usize) -> Self {
        // SAFETY: only the first `count` words are read, which the caller has.
        Self(unsafe { load_first(from.cast(), 16 * count) })
    }
    #[inline(always)]
    unsafe fn splat(print: u128) -> Self {
        // SAFETY: registers only, as in the rest of this block; a fingerprint is 16 bytes.
        Self([unsafe { vld1q_u8((&raw const print).cast()) }; 4])
    }
    #[inline(always)]
    unsafe fn distance(self, other: Self) -> Counts32 {
        // SAFETY: as above.
        Counts32(unsafe { vpaddlq_u16(vpaddlq_u8(ones_by_four(self.0, other.0))) })
    }
    #[inline(always)]
    unsafe fn any_within(self, limit: Counts32, valid: u32) -> bool {
        // SAFETY: as above.
        unsafe { any_rotation!(self, limit, valid, 4, [1: (1); 2: (2);]) }
    }
}

/// `counts!(NAME, REGISTER, WORD, DUPLICATE, MINIMUM, MASK)`: a register of distances of a width.
macro_rules! counts {
    ($name:ident, $register:ident, $word:ty, $dup:ident, $min:ident, |$distances:ident, $limit:ident| $mask:expr) => {
        #[derive(Clone, Copy)]
        struct $name($register);

        // SAFETY: every function needs what `is_available` asks for, and no more.
        unsafe impl Distances for $name {
            #[inline(always)]
            unsafe fn count(count: u32) -> Self {
                // SAFETY: registers only, as in the rest of this block.
                Self(unsafe { $dup(count.min(255) as $word) })
            }
            #[inline(always)]
            unsafe fn min(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $min(self.0, other.0) })
            }
            #[inline(always)]
            unsafe fn within(self, limit: Self) -> u32 {
                let ($distances, $limit) = (self.0, limit.0);
                // SAFETY: as above; the arrays are as long as the registers.
                unsafe { $mask }
            }
        }
    };
}

/// Each lane's bit of a mask; of 16 lanes, that of its half.
static BITS_8: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
static BITS_16: [u16; 8] = [1, 2, 4, 8, 16, 32, 64, 128];
static BITS_32: [u32; 4] = [1, 2, 4, 8];

counts!(Counts8, uint8x16_t, u8, vdupq_n_u8, vminq_u8, |distances, limit| {
    let bits = vandq_u8(vcleq_u8(distances, limit), vld1q_u8(BITS_8.as_ptr()));
    u32::from(vaddv_u8(vget_low_u8(bits))) | u32::from(vaddv_u8(vget_high_u8(bits))) << 8
});
counts!(Counts16, uint16x8_t, u16, vdupq_n_u16, vminq_u16, |distances, limit| {
    u32::from(vaddvq_u16(vandq_u16(vcleq_u16(distances, limit), vld1q_u16(BITS_16.as_ptr()))))
});
counts!(Counts32, uint32x4_t, u32, vdupq_n_u32, vminq_u32, |distances, limit| {
    vaddvq_u32(vandq_u32(vcleq_u32(distances, limit), vld1q_u32(BITS_32.as_ptr())))
});

#[cfg(feature = "widths")]
loops!(for_u32, u32, Of32, "neon");
loops!(for_u64, u64, Of64, "neon");
#[cfg(feature = "widths")]
loops!(for_u128, u128, Of128, "neon");
