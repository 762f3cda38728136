//! Sets of prints made from a seed: uniform ones, and ones skewed as crawls are.

/// SplitMix64: every number from a counter, so that any part of a set can be made alone.
pub fn number(seed: u64, at: u64) -> u64 {
    let mut z = seed.wrapping_add(at.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

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
    pub fn print(self, seed: u64, at: u64) -> u64 {
        let random = number(seed, at);
        match self {
            Self::Uniform => return random,
            Self::Weak => return random | number(seed ^ 1, at) | number(seed ^ 2, at),
            Self::Skewed => {}
        }
        let choice = number(seed ^ 0x5eed, at);
        match choice % 100 {
            0 => {
                // 6 to 12 flips of a template.
                let template = number(!seed, choice / 100 % 10);
                let flips = 6 + choice / 1000 % 7;
                (0..flips).fold(template, |print, flip| print ^ (1 << (number(choice, flip) % 64)))
            }
            1..=10 => number(seed, choice / 100 % at.max(1)),
            _ => random,
        }
    }

    pub fn set(self, seed: u64, count: usize) -> Vec<u64> {
        (0..count as u64).map(|at| self.print(seed, at)).collect()
    }
}
