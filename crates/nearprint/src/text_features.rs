//! What of a text is compared with others: its words, its numbers and signs, and digests by which equal texts are known.

use nearprint_fingerprint::{Unit, UnitSink, stages, units};
use nearprint_search::{Measure, WeightedFeature};

use crate::text_digests::{Digesting, TextDigests};

/// Bits of a feature's hash that are kept. Two documents of n and m features share one falsely with a probability of about n m / 2^40:
/// of 1,000 features each, one in a million.
const HASH_BITS: u32 = 40;

/// What [`Verification::features`](crate::Verification::features) takes of a text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TextFeatures {
    /// Word 3-shingles, or for the cosine words with their weights, in ascending order without repetition.
    pub words: Vec<WeightedFeature>,
    /// Each number and sign with the two units before it, or for the cosine alone with its weight, in ascending order
    /// without repetition.
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
                    .map(|[first, second, own]| shingle(first, second, own))
                    .collect(),
            )
        } else {
            (tokens, numbers.into_iter().map(|[.., own]| own).collect())
        };
        Self {
            words: counted(words, shingled),
            numbers: counted(numbers, shingled),
            digests: digesting.finish(),
        }
    }

    /// Whether there is nothing to compare.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

/// Hashes as features: each once, weighing by how often it occurs unless only its presence counts.
fn counted(mut hashes: Vec<u64>, present: bool) -> Vec<WeightedFeature> {
    hashes.iter_mut().for_each(|hash| *hash &= (1 << HASH_BITS) - 1);
    hashes.sort_unstable();
    let weight = |times: usize| if present { 1 } else { 1 + times.ilog2() };
    hashes.chunk_by(|a, b| a == b).map(|same| (same[0], weight(same.len()))).collect()
}

/// As SPEC [11.4] makes one of three tokens.
fn shingle(first: u64, second: u64, third: u64) -> u64 {
    const M: u64 = 0x9e37_79b9_7f4a_7c15;
    first.wrapping_mul(M).wrapping_add(second).wrapping_mul(M).wrapping_add(third)
}

/// The units of a text on their way.
struct Taking {
    tokens: Vec<u64>,
    /// Of each number and sign the hashes of the two units before it, and its own.
    numbers: Vec<[u64; 3]>,
    before: [u64; 2],
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
                hash
            }
            Unit::Number(hash) | Unit::Sign(hash) => {
                self.numbers.push([first, second, hash]);
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
