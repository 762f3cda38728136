//! x86-64 with AVX2 and the bit instructions of the same generation (2013 and later).
#![expect(unsafe_code, reason = "instructions that not every machine has")]

use std::arch::x86_64::{
    __m256i, _mm_cvtsi32_si128, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_loadu_si256,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8, _mm256_setzero_si256,
    _mm256_sll_epi16, _pext_u64,
};

use super::trigger::PaddedBlock;
use super::{BLOCK, Kernel, Work};

/// Proof that the machine has the instructions: [`Avx2::detect`] is the only way to get one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Avx2(());

impl Avx2 {
    pub(crate) fn detect() -> Option<Self> {
        let found = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        found.then_some(Self(()))
    }

    #[inline(always)]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        // SAFETY: `self` exists only where `detect` found each of the features that `compiled` enables.
        unsafe { compiled(self, work) }
    }
}

impl Kernel for Avx2 {
    #[inline(always)]
    fn with_bit(self, classes: &[u8; BLOCK], bit: u8) -> u64 {
        // SAFETY: `self` exists only where `detect` found AVX2.
        unsafe { with_bit(classes, bit) }
    }

    #[inline(always)]
    fn triggers(self, _: &[u8; BLOCK], bytes: &PaddedBlock) -> u64 {
        // SAFETY: `self` exists only where `detect` found AVX2.
        unsafe { triggers(bytes) }
    }

    #[inline(always)]
    fn extract(self, bits: u64, mask: u64) -> u64 {
        // SAFETY: `self` exists only where `detect` found BMI2.
        unsafe { _pext_u64(bits, mask) }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn with_bit(classes: &[u8; BLOCK], bit: u8) -> u64 {
    let (halves, _) = classes.as_chunks::<32>();
    // The bit becomes the highest of its byte, which the mask is made of; what shifting brings in from the byte
    // below stays below.
    let shift = _mm_cvtsi32_si128(bit.leading_zeros() as i32);
    let half = |bytes: &[u8; 32]| {
        // SAFETY: the pointer is to 32 bytes, and the load needs no alignment.
        let bytes = unsafe { _mm256_loadu_si256(bytes.as_ptr().cast::<__m256i>()) };
        u64::from(_mm256_movemask_epi8(_mm256_sll_epi16(bytes, shift)) as u32)
    };
    half(&halves[0]) | half(&halves[1]) << 32
}

/// [`is_trigger`](super::trigger::is_trigger) of each byte of a block.
#[inline]
#[target_feature(enable = "avx2")]
fn triggers(bytes: &PaddedBlock) -> u64 {
    let half = |from: usize| {
        let load = |bytes: &[u8]| match bytes.first_chunk::<32>() {
            // SAFETY: the pointer is to 32 bytes, and the load needs no alignment.
            Some(bytes) => unsafe { _mm256_loadu_si256(bytes.as_ptr().cast::<__m256i>()) },
            None => _mm256_setzero_si256(),
        };
        let [first, second, here, behind] =
            [0, 1, 2, 3].map(|neighbour| load(&bytes[from + neighbour..]));
        let is = |bytes, byte: u8| _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte as i8));
        let (and, or) = (|a, b| _mm256_and_si256(a, b), |a, b| _mm256_or_si256(a, b));
        let pair = |[a, b]: [u8; 2]| and(is(first, a), is(second, b));
        let dots = and(is(here, b'.'), or(pair(*b"ww"), pair(*b"10")));
        let names = or(pair(*b"rn"), or(pair(*b"oi"), pair(*b"iv")));
        let colons = and(is(here, b':'), or(is(behind, b'/'), names));
        let triggers = or(dots, or(colons, is(here, b'@')));
        u64::from(_mm256_movemask_epi8(triggers) as u32)
    };
    half(0) | half(32) << 32
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn compiled<W: Work>(kernel: Avx2, work: W) -> W::Output {
    work.run(kernel)
}
