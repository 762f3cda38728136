//! The inner loops on what the machine has: which instructions there are is asked once, here, and nowhere else.
//!
//! [`Portable`] is the truth. Each other kernel reads the same masks with instructions of its own, and has the loops
//! around them (words, hashes, counters: the same source) compiled for its machine. Tests hold every kernel that the
//! machine can run to the portable one.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::Avx512;
pub(crate) use portable::Portable;

/// Octets of a block.
pub(crate) const BLOCK: usize = 64;

/// The classes of a block as bit masks: bit i is of octet i.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

/// A set of instructions.
pub(crate) trait Kernel: Copy {
    /// The masks of a block of classes.
    fn masks(self, classes: &[u8; BLOCK]) -> Masks;

    /// The octets of a block whose class has this bit, which is a single one.
    fn with_bit(self, classes: &[u8; BLOCK], bit: u8) -> u64;
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
        }
    }

    /// All kernels that this machine can run.
    #[cfg(test)]
    pub(crate) fn all() -> Vec<Self> {
        let mut all = vec![Self::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(Avx2::detect().map(Self::Avx2));
            all.extend(Avx512::detect().map(Self::Avx512));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unicode::class::{CONNECTOR, LETTER, PAIR, TRIGGER, WORD};

    #[test]
    fn every_kernel_reads_the_masks_octet_by_octet() {
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
                let found = level.run(Read(&classes));
                assert_eq!(found, (expected, slowly(TRIGGER)), "{level:?}");
            }
        }
    }

    struct Read<'a>(&'a [u8; BLOCK]);

    impl Work for Read<'_> {
        type Output = (Masks, u64);

        fn run(self, kernel: impl Kernel) -> (Masks, u64) {
            (kernel.masks(self.0), kernel.with_bit(self.0, TRIGGER))
        }
    }
}
