//! The one place where an instruction set is chosen.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use super::{Kernels, portable};

/// An instruction set the comparison loops exist for.
///
/// All levels find the same pairs. [`SimdLevel::detect`] gives the best this machine has; tests
/// and measurements may force a lower one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SimdLevel {
    /// Plain Rust.
    Portable,
    /// AArch64 with NEON: 8 fingerprints of 64 bits in four registers that are counted together.
    Neon,
    /// x86-64 with AVX2 and POPCNT: 4 fingerprints of 64 bits an instruction.
    Avx2,
    /// x86-64 with AVX-512 F, BW, VL and VPOPCNTDQ: 8 fingerprints of 64 bits an instruction.
    Avx512,
}

impl SimdLevel {
    /// Every level, slowest first.
    pub const ALL: [Self; 4] = [Self::Portable, Self::Neon, Self::Avx2, Self::Avx512];

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
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => super::avx2::is_available(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => super::avx512::is_available(),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => false,
            #[cfg(target_arch = "aarch64")]
            Self::Neon => super::neon::is_available(),
            #[cfg(not(target_arch = "aarch64"))]
            Self::Neon => false,
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
            Self::Neon => "neon",
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
        f.write_str("not a SIMD level: use portable, neon, avx2 or avx512")
    }
}

impl std::error::Error for UnknownSimdLevel {}

/// A width's loops, one row a level.
pub struct KernelTable<W> {
    portable: Kernels<W>,
    #[cfg(target_arch = "x86_64")]
    avx2: Kernels<W>,
    #[cfg(target_arch = "x86_64")]
    avx512: Kernels<W>,
    #[cfg(target_arch = "aarch64")]
    neon: Kernels<W>,
}

impl<W> KernelTable<W> {
    /// The loops at `level`, or at the best level below it that this machine has.
    pub(crate) fn at(&self, level: SimdLevel) -> &Kernels<W> {
        match level.or_below() {
            SimdLevel::Portable => &self.portable,
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx2 => &self.avx2,
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx512 => &self.avx512,
            #[cfg(not(target_arch = "x86_64"))]
            SimdLevel::Avx2 | SimdLevel::Avx512 => &self.portable,
            #[cfg(target_arch = "aarch64")]
            SimdLevel::Neon => &self.neon,
            #[cfg(not(target_arch = "aarch64"))]
            SimdLevel::Neon => &self.portable,
        }
    }
}

macro_rules! table {
    ($name:ident, $word:ty, $loops:ident) => {
        pub(crate) static $name: KernelTable<$word> = KernelTable {
            portable: Kernels {
                within_cells: portable::within_cells::<$word>,
                across: portable::across::<$word>,
                one_to_many: portable::one_to_many::<$word>,
                probes: portable::probes::<$word>,
            },
            #[cfg(target_arch = "x86_64")]
            avx2: super::avx2::$loops(),
            #[cfg(target_arch = "x86_64")]
            avx512: super::avx512::$loops(),
            #[cfg(target_arch = "aarch64")]
            neon: super::neon::$loops(),
        };
    };
}

#[cfg(feature = "widths")]
table!(U32, u32, for_u32);
table!(U64, u64, for_u64);
#[cfg(feature = "widths")]
table!(U128, u128, for_u128);
