//! AArch64 with NEON, which all of its machines for operating systems have.
//!
//! There is no mask of a register's bytes: masks are gathered from four registers at once, each of which holds every
//! fourth byte of the block. Places and hashes are left to the portable loops: nothing compresses, gathers or takes
//! bits out, and the last mixing of hashes is compiled to vector code as it is.
#![expect(unsafe_code, reason = "instructions that not every machine has")]

use std::arch::aarch64::{
    uint8x16x4_t, vandq_u8, vceqq_u8, vdupq_n_u8, veorq_u8, vget_lane_u64, vld1q_u8_x4, vld4q_u8,
    vorrq_u8, vqtbl4q_u8, vqtbx4q_u8, vreinterpret_u64_u8, vreinterpretq_u16_u8, vshrn_n_u16,
    vsriq_n_u8, vst4q_u8, vtstq_u8,
};
use std::arch::is_aarch64_feature_detected;

use super::fold_tables::FOLDED;
use super::trigger::PaddedBlock;
use super::{BLOCK, Kernel, Masks, Work};
use crate::unicode::class::{CONNECTOR, LETTER, PAIR, WORD};

/// Proof that the machine has the instructions: [`Neon::detect`] is the only way to get one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Neon(());

impl Neon {
    pub(crate) fn detect() -> Option<Self> {
        // How a register is laid out in memory is relied on.
        let found = cfg!(target_endian = "little") && is_aarch64_feature_detected!("neon");
        found.then_some(Self(()))
    }

    #[inline(always)]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        // SAFETY: `self` exists only where `detect` found NEON.
        unsafe { compiled(self, work) }
    }
}

impl Kernel for Neon {
    #[inline(always)]
    fn masks(self, classes: &[u8; BLOCK]) -> Masks {
        // SAFETY: `self` exists only where `detect` found NEON.
        unsafe { masks(classes) }
    }

    #[inline(always)]
    fn with_bit(self, classes: &[u8; BLOCK], bit: u8) -> u64 {
        // SAFETY: `self` exists only where `detect` found NEON.
        unsafe { with_bit(load(classes), bit) }
    }

    #[inline(always)]
    fn fold_ascii(
        self,
        bytes: &[u8; BLOCK],
        text: &mut [u8; BLOCK],
        classes: &mut [u8; BLOCK],
    ) -> u64 {
        // SAFETY: `self` exists only where `detect` found NEON.
        unsafe { fold_ascii(bytes, text, classes) }
    }

    #[inline(always)]
    fn triggers(self, _: &[u8; BLOCK], bytes: &PaddedBlock) -> u64 {
        // SAFETY: `self` exists only where `detect` found NEON.
        unsafe { triggers(bytes) }
    }
}

/// A block: byte i is byte i / 4 of register i % 4.
#[inline]
#[target_feature(enable = "neon")]
fn load(block: &[u8; BLOCK]) -> uint8x16x4_t {
    // SAFETY: the pointer is to 64 bytes, and the load needs no alignment.
    unsafe { vld4q_u8(block.as_ptr()) }
}

/// The bytes that are 255, of a block whose bytes are 0 or 255.
#[inline]
#[target_feature(enable = "neon")]
fn mask(bytes: uint8x16x4_t) -> u64 {
    // One bit of each of four bytes that follow each other comes into one byte, of which only the highest four bits
    // count: the first byte's bit is the lowest of them.
    let low = vsriq_n_u8::<1>(bytes.1, bytes.0);
    let high = vsriq_n_u8::<1>(bytes.3, bytes.2);
    let four = vsriq_n_u8::<2>(high, low);
    // Those of two bytes side by side.
    let eight = vsriq_n_u8::<4>(four, four);
    let all = vshrn_n_u16::<4>(vreinterpretq_u16_u8(eight));
    vget_lane_u64::<0>(vreinterpret_u64_u8(all))
}

#[inline]
#[target_feature(enable = "neon")]
fn with_bit(classes: uint8x16x4_t, bit: u8) -> u64 {
    let bit = vdupq_n_u8(bit);
    let uint8x16x4_t(a, b, c, d) = classes;
    mask(uint8x16x4_t(vtstq_u8(a, bit), vtstq_u8(b, bit), vtstq_u8(c, bit), vtstq_u8(d, bit)))
}

#[inline]
#[target_feature(enable = "neon")]
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
#[target_feature(enable = "neon")]
fn fold_ascii(bytes: &[u8; BLOCK], text: &mut [u8; BLOCK], classes: &mut [u8; BLOCK]) -> u64 {
    let bytes = load(bytes);
    for (table, to) in FOLDED.iter().zip([text, classes]) {
        // SAFETY: the pointers are to 64 bytes each, and the loads need no alignment.
        let [low, high] =
            unsafe { [vld1q_u8_x4(table[0].as_ptr()), vld1q_u8_x4(table[1].as_ptr())] };
        // Bytes from 64 on are none of the first table's, and others, less 64, none of the second's.
        let fold = |bytes| {
            let above = veorq_u8(bytes, vdupq_n_u8(64));
            vqtbx4q_u8(vqtbl4q_u8(low, bytes), high, above)
        };
        let uint8x16x4_t(a, b, c, d) = bytes;
        let folded = uint8x16x4_t(fold(a), fold(b), fold(c), fold(d));
        // SAFETY: the pointer is to 64 bytes, and the store needs no alignment.
        unsafe { vst4q_u8(to.as_mut_ptr(), folded) }
    }
    with_bit(bytes, 0x80)
}

/// [`is_trigger`](super::trigger::is_trigger) of each byte of a block.
#[inline]
#[target_feature(enable = "neon")]
fn triggers(bytes: &PaddedBlock) -> u64 {
    let [first, second, here, behind] = [0, 1, 2, 3].map(|from| {
        // The array is three bytes longer than a block.
        bytes[from..].first_chunk().map_or_else(|| load(&[0; BLOCK]), |bytes| load(bytes))
    });
    let quarter = |first, second, here, behind| {
        let is = |bytes, byte: u8| vceqq_u8(bytes, vdupq_n_u8(byte));
        let (and, or) = (|a, b| vandq_u8(a, b), |a, b| vorrq_u8(a, b));
        let pair = |[a, b]: [u8; 2]| and(is(first, a), is(second, b));
        let dots = and(is(here, b'.'), or(pair(*b"ww"), pair(*b"10")));
        let names = or(pair(*b"rn"), or(pair(*b"oi"), pair(*b"iv")));
        let colons = and(is(here, b':'), or(is(behind, b'/'), names));
        or(dots, or(colons, is(here, b'@')))
    };
    mask(uint8x16x4_t(
        quarter(first.0, second.0, here.0, behind.0),
        quarter(first.1, second.1, here.1, behind.1),
        quarter(first.2, second.2, here.2, behind.2),
        quarter(first.3, second.3, here.3, behind.3),
    ))
}

#[target_feature(enable = "neon")]
fn compiled<W: Work>(kernel: Neon, work: W) -> W::Output {
    work.run(kernel)
}
