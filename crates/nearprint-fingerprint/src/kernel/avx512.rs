//! x86-64 with AVX-512 for bytes and words and with its byte permutations (Intel since 2019, AMD since 2022).
#![expect(unsafe_code, reason = "instructions that not every machine has")]

use std::arch::x86_64::{
    __m512i, _mm512_add_epi32, _mm512_castsi512_si128, _mm512_cmpeq_epi8_mask,
    _mm512_cvtepu8_epi32, _mm512_extracti32x4_epi32, _mm512_loadu_si512,
    _mm512_maskz_compress_epi8, _mm512_movepi8_mask, _mm512_permutex2var_epi8, _mm512_set1_epi8,
    _mm512_set1_epi32, _mm512_setzero_si512, _mm512_storeu_si512, _mm512_test_epi8_mask, _pext_u64,
};

use super::batch_hash::{self, Hashes};
use super::fold_tables::FOLDED;
use super::runs::{BLOCK_RUNS, Runs};
use super::trigger::PaddedBlock;
use super::{BLOCK, Kernel, Masks, Work, avx512_hash};
use crate::unicode::class::{CONNECTOR, LETTER, PAIR, WORD};

/// Proof that the machine has the instructions: [`Avx512::detect`] is the only way to get one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Avx512(());

impl Avx512 {
    pub(crate) fn detect() -> Option<Self> {
        let found = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2")
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

impl Kernel for Avx512 {
    #[inline(always)]
    fn masks(self, classes: &[u8; BLOCK]) -> Masks {
        // SAFETY: `self` exists only where `detect` found AVX-512F and AVX-512BW.
        unsafe { masks(classes) }
    }

    #[inline(always)]
    fn with_bit(self, classes: &[u8; BLOCK], bit: u8) -> u64 {
        // SAFETY: `self` exists only where `detect` found AVX-512F and AVX-512BW.
        unsafe { with_bit(load(classes), bit) }
    }

    #[inline(always)]
    fn fold_ascii(
        self,
        bytes: &[u8; BLOCK],
        text: &mut [u8; BLOCK],
        classes: &mut [u8; BLOCK],
    ) -> u64 {
        // SAFETY: `self` exists only where `detect` found AVX-512F, AVX-512BW and AVX-512VBMI.
        unsafe { fold_ascii(bytes, text, classes) }
    }

    #[inline(always)]
    fn triggers(self, _: &[u8; BLOCK], bytes: &PaddedBlock) -> u64 {
        // SAFETY: `self` exists only where `detect` found AVX-512F and AVX-512BW.
        unsafe { triggers(bytes) }
    }

    #[inline(always)]
    fn places(self, mask: u64, from: u32, places: &mut [u32; BLOCK_RUNS]) {
        // SAFETY: `self` exists only where `detect` found AVX-512F, AVX-512BW and AVX-512VBMI2.
        unsafe { write_places(mask, from, places) }
    }

    #[inline(always)]
    fn extract(self, bits: u64, mask: u64) -> u64 {
        // SAFETY: `self` exists only where `detect` found BMI2.
        unsafe { _pext_u64(bits, mask) }
    }

    #[inline(always)]
    fn hash<'a>(self, text: &[u8], runs: &Runs, hashes: &'a mut Hashes) -> &'a [u64] {
        // SAFETY: `self` exists only where `detect` found AVX-512F.
        match unsafe { avx512_hash::hash(text, runs, hashes) } {
            Some(count) => &hashes.hashes[..count],
            None => batch_hash::hash(text, runs, hashes),
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn fold_ascii(bytes: &[u8; BLOCK], text: &mut [u8; BLOCK], classes: &mut [u8; BLOCK]) -> u64 {
    let bytes = load(bytes);
    for (table, to) in FOLDED.iter().zip([text, classes]) {
        let folded = _mm512_permutex2var_epi8(load(&table[0]), bytes, load(&table[1]));
        // SAFETY: the pointer is to 64 bytes, and the store needs no alignment.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), folded) }
    }
    _mm512_movepi8_mask(bytes)
}

/// [`is_trigger`](super::trigger::is_trigger) of each byte of a block.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn triggers(bytes: &PaddedBlock) -> u64 {
    let [first, second, here, behind] = [0, 1, 2, 3].map(|from| {
        // The array is three bytes longer than a block.
        bytes[from..].first_chunk().map_or(_mm512_setzero_si512(), |bytes| load(bytes))
    });
    let is = |bytes, byte: u8| _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(byte as i8));
    let pair = |[a, b]: [u8; 2]| is(first, a) & is(second, b);
    let dots = is(here, b'.') & (pair(*b"ww") | pair(*b"10"));
    let names = pair(*b"rn") | pair(*b"oi") | pair(*b"iv");
    let colons = is(here, b':') & (is(behind, b'/') | names);
    dots | colons | is(here, b'@')
}

/// The numbers of a block's bytes.
static NUMBERS: [u8; BLOCK] = {
    let mut numbers = [0; BLOCK];
    let mut number = 0;
    while number < BLOCK {
        numbers[number] = number as u8;
        number += 1;
    }
    numbers
};

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
fn write_places(mask: u64, from: u32, places: &mut [u32; BLOCK_RUNS]) {
    let numbers = _mm512_maskz_compress_epi8(mask, load(&NUMBERS));
    let from = _mm512_set1_epi32(from as i32);
    let (halves, _) = places.as_chunks_mut::<16>();
    let write = |numbers, places: &mut [u32; 16]| {
        let places_16 = _mm512_add_epi32(_mm512_cvtepu8_epi32(numbers), from);
        // SAFETY: the pointer is to 16 numbers of 32 bits, and the store needs no alignment.
        unsafe { _mm512_storeu_si512(places.as_mut_ptr().cast(), places_16) }
    };
    write(_mm512_castsi512_si128(numbers), &mut halves[0]);
    if mask.count_ones() > 16 {
        write(_mm512_extracti32x4_epi32::<1>(numbers), &mut halves[1]);
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn masks(classes: &[u8; BLOCK]) -> Masks {
    let classes = load(classes);
    Masks {
        word: with_bit(classes, WORD),
        letter: with_bit(classes, LETTER),
        connector: with_bit(classes, CONNECTOR),
        pair: with_bit(classes, PAIR),
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load(classes: &[u8; BLOCK]) -> __m512i {
    // SAFETY: the pointer is to 64 bytes, and the load needs no alignment.
    unsafe { _mm512_loadu_si512(classes.as_ptr().cast::<__m512i>()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn with_bit(classes: __m512i, bit: u8) -> u64 {
    _mm512_test_epi8_mask(classes, _mm512_set1_epi8(bit as i8))
}

#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt"
)]
fn compiled<W: Work>(kernel: Avx512, work: W) -> W::Output {
    work.run(kernel)
}
