//! The rules that schemes are made of, each a closed list: features, their weight, the hash of a token, the family.

use std::fmt;

/// What of a document is hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Features {
    /// Each token by itself.
    Words,
    /// Each three tokens in a row.
    WordShingles,
    /// So many tokens in a row, as one text.
    Shingles(u8),
    /// So many code points in a row, of the tokens with spaces between them.
    Characters(u8),
    /// Windows of three runs of ASCII letters, the first of which are not full.
    LetterWindows,
}

/// How much a feature counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Weight {
    /// As often as it occurs.
    TermFrequency,
    /// 1 + floor(log2(the number of times it occurs)).
    LogTermFrequency,
    /// Once, however often it occurs.
    Presence,
}

/// The function that hashes a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TokenHash {
    /// Bob Jenkins' lookup3 (`hashlittle2`, 2006), seeds 0, 64 bits.
    Lookup3,
    /// FNV-1a, 64 bits.
    Fnv1a,
    /// MurmurHash3_x64_128, seed 0, its first 64 bits.
    Murmur3,
    /// XXH3, 64 bits, seed 0.
    Xxh3,
    /// MD5, its last 64 bits.
    Md5,
    /// SHA-1, its last 64 bits.
    Sha1,
    /// FNV-1a of 32 bits, in the upper half of 64.
    Fnv1a32,
    /// MurmurHash3_x86_32, seed 0, in the upper half of 64.
    Murmur332,
}

/// How hashes become a fingerprint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Family {
    /// The sign of a weighted sum for each bit (Charikar 2002); compared by Hamming distance.
    Simhash,
    /// The minima of a hash over parts of a set (Dahlgaard, Knudsen, Thorup 2017); compared by the number of
    /// positions in which they differ.
    Sketch,
}

impl TokenHash {
    /// The name that declarations of custom schemes give it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Lookup3 => "lookup3",
            Self::Fnv1a => "fnv1a",
            Self::Murmur3 => "murmur3",
            Self::Xxh3 => "xxh3",
            Self::Md5 => "md5-64",
            Self::Sha1 => "sha1-64",
            Self::Fnv1a32 => "fnv1a-32",
            Self::Murmur332 => "murmur3-32",
        }
    }

    /// Whether it is computed by a digest.
    pub(crate) fn is_of_digest(self) -> bool {
        matches!(self, Self::Md5 | Self::Sha1)
    }

    /// Whether it has 32 bits only.
    pub(crate) fn is_of_32_bits(self) -> bool {
        matches!(self, Self::Fnv1a32 | Self::Murmur332)
    }
}

impl fmt::Display for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words => f.pad("words"),
            Self::WordShingles => f.pad("word 3-shingles"),
            Self::Shingles(n) => f.pad(&format!("word {n}-shingles")),
            Self::Characters(n) => f.pad(&format!("character {n}-grams")),
            Self::LetterWindows => f.pad("windows of 3 runs of letters"),
        }
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::TermFrequency => "term frequency",
            Self::LogTermFrequency => "log term frequency",
            Self::Presence => "presence",
        })
    }
}

impl fmt::Display for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Simhash => "simhash",
            Self::Sketch => "sketch",
        })
    }
}
