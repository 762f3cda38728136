//! The one place where an instruction set is chosen.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use super::{Kernels, portable};
use crate::word::FingerprintWord;

/// An instruction set the comparison loops exist for.
///
/// All levels find the same pairs. [`SimdLevel::detect`] gives the best this machine has; tests
/// and measurements may force a lower one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SimdLevel {
    /// Plain Rust.
    Portable,
    /// x86-64 with AVX2 and POPCNT: 4 prints of 64 bits an instruction.
    Avx2,
    /// x86-64 with AVX-512 F, BW, VL and VPOPCNTDQ: 8 prints of 64 bits an instruction.
    Avx512,
}

impl SimdLevel {
    /// Every level, slowest first.
    pub const ALL: [Self; 3] = [Self::Portable, Self::Avx2, Self::Avx512];

    /// The best level this machine has; asked of the processor once.
    #[must_use]
    pub fn detect() -> Self {
        static BEST: OnceLock<SimdLevel> = OnceLock::new();
        *BEST.get_or_init(|| {
            *Self::ALL.iter().rev().find(|level| level.is_available()).unwrap_or(&Self::Portable)
        })
    }

    /// Whether this machine can run the level.
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            Self::Portable => true,
            Self::Avx2 => false,
            Self::Avx512 => false,
        }
    }

    /// The level to run when this one is asked for: itself, or the best there is below it.
    pub(crate) fn or_below(self) -> Self {
        *Self::ALL
            .iter()
            .rev()
            .find(|level| **level <= self && level.is_available())
            .unwrap_or(&Self::Portable)
    }
}

impl fmt::Display for SimdLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        })
    }
}

impl FromStr for SimdLevel {
    type Err = UnknownSimdLevel;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|level| level.to_string() == text).ok_or(UnknownSimdLevel)
    }
}

/// The text names no [`SimdLevel`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownSimdLevel;

impl fmt::Display for UnknownSimdLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a SIMD level: use portable, avx2 or avx512")
    }
}

impl std::error::Error for UnknownSimdLevel {}

/// A width's loops, one row a level.
pub struct KernelTable<W> {
    portable: Kernels<W>,
}

impl<W> KernelTable<W> {
    /// The loops at `level`, which must be available ([`SimdLevel::or_below`] gives such a one).
    pub(crate) fn at(&self, level: SimdLevel) -> &Kernels<W> {
        match level {
            SimdLevel::Portable | SimdLevel::Avx2 | SimdLevel::Avx512 => &self.portable,
        }
    }
}

const fn portable<W: FingerprintWord>() -> Kernels<W> {
    Kernels {
        within_cells: portable::within_cells::<W>,
        across: portable::across::<W>,
        one_to_many: portable::one_to_many::<W>,
    }
}

pub(crate) static U32: KernelTable<u32> = KernelTable { portable: portable() };
pub(crate) static U64: KernelTable<u64> = KernelTable { portable: portable() };
pub(crate) static U128: KernelTable<u128> = KernelTable { portable: portable() };
