//! What of a text is compared with others: its words, its numbers and signs, and digests by which equal texts are known.

use nearprint_fingerprint::{Unit, UnitSink, stages, units};
use nearprint_search::{Measure, WeightedFeature};

use crate::text_digests::{Digesting, TextDigests};

/// Bits of a feature's hash that are kept. Two documents of n and m features share one falsely with a probability of about n m / 2^40:
/// of 1,000 features each, one in a million.
const HASH_BITS: u32 = 40;

/// Bits of the hash of a number or sign: for its place among the words, and for itself. More than of other features, since one
/// place may hold a whole table of numbers.
const PLACE_BITS: u32 = 24;
const NUMBER_BITS: u32 = 32;

/// Numbers and signs after one word that have places of their own; those further on share one, so that a number more or less
/// in a long row does not move all that follow.
const PLACES: u64 = 3;

/// What [`Verification::features`](crate::Verification::features) takes of a text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TextFeatures {
    /// Word 3-shingles, or for the cosine words with their weights, in ascending order without repetition.
    pub words: Vec<WeightedFeature>,
    /// Each number and sign with the two units before it, the upper bits being its place among the words, or for the
    /// cosine alone with its weight, in ascending order without repetition.
    pub numbers: Vec<WeightedFeature>,
    /// By which equal texts are known.
    pub digests: TextDigests,
}

/// Features of words only, of no text.
impl From<Vec<WeightedFeature>> for TextFeatures {
    fn from(words: Vec<WeightedFeature>) -> Self {
        Self { words, ..Self::default() }
    }
}

impl TextFeatures {
    /// Of a text, for a measure.
    pub(crate) fn of(text: &str, measure: Measure) -> Self {
        let mut sink = Taking {
            tokens: Vec::new(),
            numbers: Vec::new(),
            before: [0; 2],
            words: [0; 2],
            since: 0,
            digesting: Digesting::default(),
        };
        units(text, &mut sink);
        let Taking { tokens, numbers, digesting, .. } = sink;
        let shingled = measure != Measure::Cosine;
        let (words, numbers) = if shingled {
            (
                stages::shingles(tokens),
                numbers
                    .into_iter()
                    .map(|number| {
                        low(number.place, PLACE_BITS) << NUMBER_BITS
                            | low(number.whole, NUMBER_BITS)
                    })
                    .collect(),
            )
        } else {
            (tokens, numbers.into_iter().map(|number| number.own).collect())
        };
        let number_bits = if shingled { PLACE_BITS + NUMBER_BITS } else { HASH_BITS };
        Self {
            words: counted(words, shingled, HASH_BITS),
            numbers: counted(numbers, shingled, number_bits),
            digests: digesting.finish(),
        }
    }

    /// Whether there is nothing to compare.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

/// The place of a number or sign among the words, as [`TextFeatures::numbers`] has it.
pub(crate) fn place(number: &WeightedFeature) -> u64 {
    number.0 >> NUMBER_BITS
}

/// Hashes as features: each once, weighing by how often it occurs unless only its presence counts.
fn counted(mut hashes: Vec<u64>, present: bool, bits: u32) -> Vec<WeightedFeature> {
    hashes.iter_mut().for_each(|hash| *hash = low(*hash, bits));
    hashes.sort_unstable();
    let weight = |times: usize| if present { 1 } else { 1 + times.ilog2() };
    hashes.chunk_by(|a, b| a == b).map(|same| (same[0], weight(same.len()))).collect()
}

/// The least significant bits of a hash.
fn low(hash: u64, bits: u32) -> u64 {
    hash & ((1 << bits) - 1)
}

/// As SPEC [11.4] makes one of three tokens.
fn shingle(first: u64, second: u64, third: u64) -> u64 {
    const M: u64 = 0x9e37_79b9_7f4a_7c15;
    first.wrapping_mul(M).wrapping_add(second).wrapping_mul(M).wrapping_add(third)
}

/// The hashes of a number or sign.
struct Number {
    /// Of the two words before it, and which number or sign after them it is.
    place: u64,
    /// Of itself and the two units before it.
    whole: u64,
    own: u64,
}

/// The units of a text on their way.
struct Taking {
    tokens: Vec<u64>,
    numbers: Vec<Number>,
    /// The hashes of the last two units.
    before: [u64; 2],
    /// Those of the last two words, and how many numbers and signs came since.
    words: [u64; 2],
    since: u64,
    digesting: Digesting,
}

impl UnitSink for Taking {
    #[inline(always)]
    fn unit(&mut self, unit: Unit<'_>) {
        self.digesting.unit(unit);
        let [first, second] = self.before;
        let hash = match unit {
            Unit::Token(_, hash) => {
                self.tokens.push(hash);
                self.words = [self.words[1], hash];
                self.since = 0;
                hash
            }
            Unit::Number(hash) | Unit::Sign(hash) => {
                let place = shingle(self.words[0], self.words[1], self.since.min(PLACES));
                self.numbers.push(Number { place, whole: shingle(first, second, hash), own: hash });
                self.since += 1;
                hash
            }
            _ => return,
        };
        self.before = [second, hash];
    }

    #[inline(always)]
    fn between(&mut self, text: &[u8]) {
        self.digesting.between(text);
    }
}
