//! The inner loops on what the machine has: which instructions there are is asked once, here, and nowhere else.
//!
//! [`Portable`] is the truth. Each other kernel does some of the same (masks, places of words, hashes) with
//! instructions of its own, and has the loops around them (words, counters, sketches: the same source) compiled for its
//! machine. Tests hold every kernel that the machine can run to the portable one.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod avx512_hash;
pub(crate) mod batch_hash;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod fold_tables;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
pub(crate) mod runs;
pub(crate) mod trigger;

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::Avx512;
#[cfg(target_arch = "aarch64")]
pub(crate) use neon::Neon;
pub(crate) use portable::Portable;

use self::batch_hash::Hashes;
use self::runs::{BLOCK_RUNS, Runs};
use self::trigger::{PaddedBlock, is_trigger};
use crate::unicode::ascii_class;
use crate::unicode::class::{CONNECTOR, LETTER, PAIR, TRIGGER, WORD};

/// Bytes of a block.
pub(crate) const BLOCK: usize = 64;

/// The classes of a block as bit masks: bit i is of byte i.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Masks {
    /// Bytes of words.
    pub(crate) word: u64,
    /// Bytes of letters of words.
    pub(crate) letter: u64,
    /// Bytes of connectors.
    pub(crate) connector: u64,
    /// Bytes of pair runs.
    pub(crate) pair: u64,
}

/// A set of instructions.
pub(crate) trait Kernel: Copy {
    /// The masks of a block of classes.
    #[inline(always)]
    fn masks(self, classes: &[u8; BLOCK]) -> Masks {
        Masks {
            word: self.with_bit(classes, WORD),
            letter: self.with_bit(classes, LETTER),
            connector: self.with_bit(classes, CONNECTOR),
            pair: self.with_bit(classes, PAIR),
        }
    }

    /// The bytes of a block whose class has this bit, which is a single one.
    fn with_bit(self, classes: &[u8; BLOCK], bit: u8) -> u64;

    /// Writes a block's ASCII bytes in lower case, with their classes, and returns which bytes are none; what is
    /// written for those means nothing.
    #[inline(always)]
    fn fold_ascii(
        self,
        bytes: &[u8; BLOCK],
        text: &mut [u8; BLOCK],
        classes: &mut [u8; BLOCK],
    ) -> u64 {
        for ((byte, text), class) in bytes.iter().zip(text).zip(classes) {
            *text = byte.to_ascii_lowercase();
            *class = ascii_class(*text);
        }
        self.with_bit(bytes, 0x80)
    }

    /// The bytes of a block that are triggers ([`is_trigger`]), by the block's classes and its bytes with those around
    /// them.
    #[inline(always)]
    fn triggers(self, classes: &[u8; BLOCK], bytes: &PaddedBlock) -> u64 {
        let (mut candidates, mut triggers) = (self.with_bit(classes, TRIGGER), 0);
        while candidates != 0 {
            let at = candidates.trailing_zeros() as usize;
            let around = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
            triggers |= u64::from(is_trigger(around)) << at;
            candidates &= candidates - 1;
        }
        triggers
    }

    /// Writes the places of a mask's bits, counted from `from`, in order. There are at most as many bits as places;
    /// what is written after the last one means nothing.
    #[inline(always)]
    fn places(self, mask: u64, from: u32, places: &mut [u32; BLOCK_RUNS]) {
        let mut mask = mask;
        // Some at a time, so that seldom more than one branch depends on their number.
        for places in places.as_chunks_mut::<8>().0 {
            for place in places {
                *place = from.wrapping_add(mask.trailing_zeros());
                mask &= mask.wrapping_sub(1);
            }
            if mask == 0 {
                break;
            }
        }
    }

    /// The bits of `bits` at the places of `mask`'s bits, side by side from the lowest on.
    #[inline(always)]
    fn extract(self, bits: u64, mask: u64) -> u64 {
        let (mut mask, mut extracted) = (mask, 0);
        let mut to = 1;
        while mask != 0 {
            if bits & mask & mask.wrapping_neg() != 0 {
                extracted |= to;
            }
            mask &= mask - 1;
            to <<= 1;
        }
        extracted
    }

    /// The hashes of the tokens of `runs` in order.
    #[inline(always)]
    fn hash<'a>(self, text: &[u8], runs: &Runs, hashes: &'a mut Hashes) -> &'a [u64] {
        batch_hash::hash(text, runs, hashes)
    }
}

/// An inner loop. Its `run`, and what it calls, must be `#[inline(always)]`: only what is inlined into a kernel is
/// compiled for that kernel's instructions.
pub(crate) trait Work {
    type Output;

    fn run(self, kernel: impl Kernel) -> Self::Output;
}

/// The kernels that this machine can run, of which it takes the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    #[cfg(target_arch = "aarch64")]
    Neon(Neon),
}

impl Level {
    /// The fastest kernel that this machine can run.
    pub(crate) fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(kernel) = Avx512::detect() {
                return Self::Avx512(kernel);
            }
            if let Some(kernel) = Avx2::detect() {
                return Self::Avx2(kernel);
            }
        }
        #[cfg(target_arch = "aarch64")]
        if let Some(kernel) = Neon::detect() {
            return Self::Neon(kernel);
        }
        Self::Portable
    }

    /// Does the work, compiled for the level's instructions.
    #[inline(always)]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        match self {
            Self::Portable => work.run(Portable),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(kernel) => kernel.run(work),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(kernel) => kernel.run(work),
            #[cfg(target_arch = "aarch64")]
            Self::Neon(kernel) => kernel.run(work),
        }
    }

    /// All kernels that this machine can run.
    #[cfg(test)]
    pub(crate) fn all() -> Vec<Self> {
        [
            Some(Self::Portable),
            #[cfg(target_arch = "x86_64")]
            Avx2::detect().map(Self::Avx2),
            #[cfg(target_arch = "x86_64")]
            Avx512::detect().map(Self::Avx512),
            #[cfg(target_arch = "aarch64")]
            Neon::detect().map(Self::Neon),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unicode::class::{CONNECTOR, LETTER, PAIR, TRIGGER, WORD};

    /// Where this fails, the tests below would hold the portable kernel to itself.
    #[cfg(target_arch = "aarch64")]
    #[test]
    fn aarch64_takes_neon() {
        assert!(matches!(Level::best(), Level::Neon(_)));
        assert_eq!(Level::all().len(), 2);
    }

    #[test]
    fn every_kernel_reads_the_masks_byte_by_byte() {
        let mut state = 1u64;
        for _ in 0..2_000 {
            let classes: [u8; BLOCK] = std::array::from_fn(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 33) as u8
            });
            let slowly = |bit: u8| {
                (0..BLOCK).fold(0, |mask, i| mask | u64::from(classes[i] & bit != 0) << i)
            };
            let expected = Masks {
                word: slowly(WORD),
                letter: slowly(LETTER),
                connector: slowly(CONNECTOR),
                pair: slowly(PAIR),
            };
            for level in Level::all() {
                let found = level.run(MaskWork(&classes));
                assert_eq!(found, (expected, slowly(TRIGGER)), "{level:?}");
            }
        }
    }

    #[test]
    fn every_kernel_folds_ascii() {
        for first in 0..=255 - BLOCK as u8 + 1 {
            let bytes: [u8; BLOCK] = std::array::from_fn(|i| first + i as u8);
            let not_ascii = (0..BLOCK).fold(0, |mask, i| mask | u64::from(bytes[i] >> 7) << i);
            for level in Level::all() {
                let (text, classes, others) = level.run(Fold(&bytes));
                assert_eq!(others, not_ascii, "{level:?}");
                for (i, byte) in bytes.into_iter().enumerate().filter(|(_, o)| o.is_ascii()) {
                    let wanted = char::from(byte).to_ascii_lowercase();
                    assert_eq!(char::from(text[i]), wanted, "{level:?}");
                    let class = crate::unicode::Properties::of(wanted).target_class();
                    assert_eq!(classes[i], class, "{level:?}: {wanted:?}");
                }
            }
        }
    }

    struct Fold<'a>(&'a [u8; BLOCK]);

    impl Work for Fold<'_> {
        type Output = ([u8; BLOCK], [u8; BLOCK], u64);

        fn run(self, kernel: impl Kernel) -> Self::Output {
            let (mut text, mut classes) = ([0; BLOCK], [0; BLOCK]);
            let others = kernel.fold_ascii(self.0, &mut text, &mut classes);
            (text, classes, others)
        }
    }

    #[test]
    fn every_kernel_finds_triggers() {
        let mut state = 9u64;
        for _ in 0..3_000 {
            let bytes: PaddedBlock =
                std::array::from_fn(|_| b".:@w10rnoivw/:.a \xC3"[random(&mut state) as usize % 18]);
            let classes: [u8; BLOCK] = std::array::from_fn(|i| ascii_class(bytes[i + 2]));
            let wanted = bytes
                .array_windows()
                .enumerate()
                .fold(0, |mask, (i, &around)| mask | u64::from(is_trigger(around)) << i);
            for level in Level::all() {
                assert_eq!(level.run(Triggers(&classes, &bytes)), wanted, "{level:?}");
            }
        }
    }

    struct Triggers<'a>(&'a [u8; BLOCK], &'a PaddedBlock);

    impl Work for Triggers<'_> {
        type Output = u64;

        fn run(self, kernel: impl Kernel) -> u64 {
            kernel.triggers(self.0, self.1)
        }
    }

    /// Numbers of any density.
    fn random(state: &mut u64) -> u64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let number = *state ^ *state >> 29;
        if number >> 60 == 0 { number | number << 7 } else { number & number >> (number >> 61) }
    }

    #[test]
    fn every_kernel_finds_the_places_of_bits() {
        let mut state = 1u64;
        for round in 0..2_000u32 {
            let word = random(&mut state);
            // Runs are apart: no two bits are neighbours.
            let mask = word & !(word << 1) & if round == 0 { 0 } else { u64::MAX };
            let bits = random(&mut state);
            let wanted: Vec<u32> = (0..64).filter(|&bit| mask >> bit & 1 != 0).collect();
            let extracted =
                (wanted.iter().enumerate()).fold(0, |all, (i, &bit)| all | (bits >> bit & 1) << i);
            for level in Level::all() {
                let (places, found) = level.run(Find { mask, bits, from: round });
                let places = places[..wanted.len()].iter().map(|place| place - round);
                assert!(places.eq(wanted.iter().copied()), "{level:?}: {mask:064b}");
                assert_eq!(found, extracted, "{level:?}: {bits:064b} at {mask:064b}");
            }
        }
    }

    struct Find {
        mask: u64,
        bits: u64,
        from: u32,
    }

    impl Work for Find {
        type Output = ([u32; BLOCK_RUNS], u64);

        fn run(self, kernel: impl Kernel) -> Self::Output {
            let mut places = [0; BLOCK_RUNS];
            kernel.places(self.mask, self.from, &mut places);
            (places, kernel.extract(self.bits, self.mask))
        }
    }

    /// Tokens of all lengths up to more than a long word has, at all places of words, some of them not kept, with
    /// and without bytes after the last.
    #[test]
    fn every_kernel_hashes_like_lookup3() {
        let mut state = 3u64;
        for behind in [0, 1, 11, 12, 16, 100] {
            for count in [1, 2, 15, 16, 17, 63, 64, 65, 255, 256, 288] {
                let mut text: Vec<u8> = vec![b'-'; random(&mut state) as usize % 5];
                let mut runs = Runs::default();
                let mut wanted = Vec::new();
                for run in 0..count {
                    let length = match random(&mut state) % 8 {
                        0 => 1 + random(&mut state) as usize % 520,
                        1 => 12 * (1 + random(&mut state) as usize % 4),
                        _ => 1 + random(&mut state) as usize % 14,
                    };
                    text.extend(std::iter::repeat_n(b'-', random(&mut state) as usize % 3));
                    let token = text.len()..text.len() + length;
                    text.extend((0..length).map(|_| random(&mut state) as u8));
                    let kept = count < 3 || random(&mut state) & 3 != 0 || run == 20;
                    if kept {
                        wanted.push(crate::lookup3::hash(&text[token.clone()]));
                    }
                    runs.push_if(token, kept);
                }
                text.extend((0..behind).map(|_| random(&mut state) as u8));
                for level in Level::all() {
                    let found = level.run(Hash(&text, &runs));
                    assert_eq!(found, wanted, "{level:?}, {count} runs");
                }
            }
        }
    }

    struct Hash<'a>(&'a [u8], &'a Runs);

    impl Work for Hash<'_> {
        type Output = Vec<u64>;

        fn run(self, kernel: impl Kernel) -> Vec<u64> {
            kernel.hash(self.0, self.1, &mut Hashes::default()).to_vec()
        }
    }

    struct MaskWork<'a>(&'a [u8; BLOCK]);

    impl Work for MaskWork<'_> {
        type Output = (Masks, u64);

        fn run(self, kernel: impl Kernel) -> (Masks, u64) {
            (kernel.masks(self.0), kernel.with_bit(self.0, TRIGGER))
        }
    }
}
