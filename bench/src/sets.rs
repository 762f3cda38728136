//! Sets of prints: made of a seed, the same on any machine, or read from files.

use std::fs;

use nearprint_search::SearchedWord;
use rayon::prelude::*;

/// Number `at` of SplitMix64's sequence of `seed` (Steele, Lea and Flood, 2014).
pub fn number(seed: u64, at: u64) -> u64 {
    let mut z = seed.wrapping_add(at.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A print of any width, made of the low and the high half of one of 128 bits.
pub trait Word: SearchedWord {
    fn of(low: u64, high: u64) -> Self;
    fn from_le(bytes: &[u8]) -> Self;
    fn low(self) -> u64;
}

macro_rules! word {
    ($word:ty, $low:ident, $high:ident, $value:expr) => {
        impl Word for $word {
            fn of($low: u64, $high: u64) -> Self {
                $value
            }
            fn from_le(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().expect("a chunk as wide as a print"))
            }
            fn low(self) -> u64 {
                self as u64
            }
        }
    };
}

word!(u32, low, _high, low as u32);
word!(u64, low, _high, low);
word!(u128, low, high, u128::from(low) | u128::from(high) << 64);

/// What a set looks like.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Random bits.
    Uniform,
    /// 1 % of the prints lie within 12 bits of one of 10 templates, 10 % are exact copies of
    /// others, the rest is random.
    Skewed,
    /// Every bit is one seven times in eight, as in prints that say little: many pairs, nearly all false.
    Weak,
}

impl Kind {
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "uniform" => Some(Self::Uniform),
            "skewed" => Some(Self::Skewed),
            "weak" => Some(Self::Weak),
            _ => None,
        }
    }

    /// Print number `at` of the set.
    pub fn print<W: Word>(self, seed: u64, at: u64) -> W {
        let (low, high) = self.halves(seed, at);
        W::of(low, high)
    }

    fn halves(self, seed: u64, at: u64) -> (u64, u64) {
        // The high half is a sequence of its own.
        let both = |seed: u64, at: u64| (number(seed, at), number(seed ^ 0x0a11, at));
        let (low, high) = both(seed, at);
        match self {
            Self::Uniform => return (low, high),
            Self::Weak => {
                let (one, other) = (both(seed ^ 1, at), both(seed ^ 2, at));
                return (low | one.0 | other.0, high | one.1 | other.1);
            }
            Self::Skewed => {}
        }
        let choice = number(seed ^ 0x5eed, at);
        match choice % 100 {
            0 => {
                // 6 to 12 flips of a template.
                let (low, high) = both(!seed, choice / 100 % 10);
                let flips = 6 + choice / 1000 % 7;
                let flipped = |low, flip| low ^ (1 << (number(choice, flip) % 64));
                ((0..flips).fold(low, flipped), high)
            }
            1..=10 => both(seed, choice / 100 % at.max(1)),
            _ => (low, high),
        }
    }

    pub fn set<W: Word>(self, seed: u64, count: usize) -> Vec<W> {
        (0..count).into_par_iter().map(|at| self.print(seed, at as u64)).collect()
    }
}

/// At most `count` prints of a file: little-endian words (`.bin`), or else lines of decimal digits.
pub fn read<W: Word>(path: &str, count: usize) -> Vec<W> {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    if path.ends_with(".bin") {
        return bytes.chunks_exact(size_of::<W>()).take(count).map(W::from_le).collect();
    }
    let text = String::from_utf8(bytes).expect("lines of digits");
    let print = |line: &str| line.trim().parse::<u128>().expect("a decimal print");
    text.lines().map(print).map(|n| W::of(n as u64, (n >> 64) as u64)).take(count).collect()
}
