//! One pass over the tokens of a text, which gives its fingerprints by any number of schemes and the features that
//! verification compares.

use std::cell::Cell;

use nearprint_fingerprint::{FingerprintOutcome, Scheme, Unit, UnitSink, fingerprint_and_units};
use nearprint_search::{Measure, WeightedFeature};

use crate::PackedFeatures;
use crate::text::packed_features::{pack_hashes, pack_weighted};
use crate::text::text_digests::DigestAccumulator;

/// Bits of a feature's hash that are kept. Two documents of n and m features share one falsely with a probability of
/// about n m / 2^40: of 1,000 features each, one in a million.
const HASH_BITS: u32 = 40;

/// Bits of the hash of a number or sign: for its place among the words, and for itself. More than of other features,
/// since one place may hold a whole table of numbers.
const PLACE_BITS: u32 = 24;
const NUMBER_BITS: u32 = 32;

/// Numbers and signs after one word that have places of their own; those further on share one, so that a number more or
/// less in a long row does not move all that follow.
const PLACES: u64 = 3;

/// Buffers of more items than this are not kept for the next text.
const MOST_IDLE: usize = 64 * 1024;

/// The fingerprints of a text by these schemes, and its features for a measure.
pub(crate) fn fingerprints_and_features(
    schemes: &[Scheme],
    text: &str,
    measure: Measure,
) -> (Vec<FingerprintOutcome>, PackedFeatures) {
    // There is none where the thread is ending.
    let mut taking = IDLE.try_with(Cell::take).ok().flatten().unwrap_or_default();
    let prints = fingerprint_and_units(schemes, text, &mut *taking);
    let features = taking.finish(measure);
    if taking.is_small() {
        let _ = IDLE.try_with(|idle| idle.set(Some(taking)));
    }
    (prints, features)
}

/// The features of a text for a measure.
pub(crate) fn features(text: &str, measure: Measure) -> PackedFeatures {
    fingerprints_and_features(&[], text, measure).1
}

/// The place of a number or sign among the words, by its feature.
pub(crate) fn place(number: &WeightedFeature) -> u64 {
    number.0 >> NUMBER_BITS
}

thread_local! {
    /// What this thread used last: to make its buffers costs as much as some hundred tokens.
    static IDLE: Cell<Option<Box<TextPass>>> = const { Cell::new(None) };
}

/// The units of a text on their way.
#[derive(Default)]
struct TextPass {
    /// The hashes of all tokens.
    tokens: Vec<u64>,
    numbers: Vec<Number>,
    /// The hashes of the last two units.
    before: [u64; 2],
    /// Those of the last two words, and how many numbers and signs came since.
    words: [u64; 2],
    since: u64,
    digesting: DigestAccumulator,
    /// Where the features are packed.
    packed: Vec<u8>,
}

/// The hashes of a number or sign.
struct Number {
    /// Of the two words before it, and which number or sign after them it is.
    place: u64,
    /// Of itself and the two units before it.
    whole: u64,
    own: u64,
}

impl UnitSink for TextPass {
    #[inline(always)]
    fn unit(&mut self, unit: Unit<'_>) {
        match unit {
            Unit::Token(token, hash) => self.tokens(token, &[hash]),
            Unit::Number(hash) | Unit::Sign(hash) => self.number(hash),
            _ => {}
        }
    }

    #[inline(always)]
    fn tokens(&mut self, text: &[u8], hashes: &[u64]) {
        self.digesting.tokens(text, hashes.len());
        self.tokens.extend_from_slice(hashes);
        match *hashes {
            [.., first, second] => {
                self.before = [first, second];
                self.words = [first, second];
            }
            [only] => {
                self.before = [self.before[1], only];
                self.words = [self.words[1], only];
            }
            [] => return,
        }
        self.since = 0;
    }

    #[inline(always)]
    fn between(&mut self, text: &[u8]) {
        self.digesting.between(text);
    }
}

impl TextPass {
    fn number(&mut self, own: u64) {
        let place = shingle(self.words[0], self.words[1], self.since.min(PLACES));
        let [first, second] = self.before;
        self.numbers.push(Number { place, whole: shingle(first, second, own), own });
        self.since += 1;
        self.before = [second, own];
    }

    /// The features of what was taken; what is taken after that is another text.
    fn finish(&mut self, measure: Measure) -> PackedFeatures {
        let Self { tokens, numbers, packed, .. } = self;
        packed.clear();
        let digests = self.digesting.finish();
        if measure == Measure::Cosine {
            let mut numbers: Vec<u64> = numbers.iter().map(|number| number.own).collect();
            let (numbers, words) = (counted(&mut numbers), counted(tokens));
            pack_weighted([&numbers, &words], packed);
        } else {
            let whole = |number: &Number| {
                low(number.place, PLACE_BITS) << NUMBER_BITS | low(number.whole, NUMBER_BITS)
            };
            let mut numbers: Vec<u64> = numbers.iter().map(whole).collect();
            numbers.sort_unstable();
            numbers.dedup();
            shingle_all(tokens);
            tokens.iter_mut().for_each(|hash| *hash = low(*hash, HASH_BITS));
            tokens.sort_unstable();
            tokens.dedup();
            pack_hashes(&numbers, tokens, packed);
        }
        let features = PackedFeatures::new(digests, packed);
        self.tokens.clear();
        self.numbers.clear();
        (self.before, self.words, self.since) = Default::default();
        features
    }

    /// Whether it is worth keeping.
    fn is_small(&self) -> bool {
        let items = [self.tokens.capacity(), self.numbers.capacity(), self.packed.capacity()];
        items.iter().all(|&items| items <= MOST_IDLE)
    }
}

/// Hashes as features: each once, weighing by how often it occurs.
fn counted(hashes: &mut [u64]) -> Vec<WeightedFeature> {
    hashes.iter_mut().for_each(|hash| *hash = low(*hash, HASH_BITS));
    hashes.sort_unstable();
    let same = hashes.chunk_by(|a, b| a == b);
    same.map(|same| (same[0], 1 + same.len().ilog2())).collect()
}

/// The least significant bits of a hash.
fn low(hash: u64, bits: u32) -> u64 {
    hash & ((1 << bits) - 1)
}

/// As SPEC [11.4] makes one of two tokens, and of that and a third.
fn joined(first: u64, second: u64) -> u64 {
    first.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(second)
}

fn shingle(first: u64, second: u64, third: u64) -> u64 {
    joined(joined(first, second), third)
}

/// The shingles of tokens (SPEC [11.4] and [11.5]), in their place.
fn shingle_all(tokens: &mut Vec<u64>) {
    if matches!(tokens.len(), 1 | 2) {
        // A text too short for a shingle has one element.
        let element = tokens.drain(..).fold(0, joined);
        tokens.push(element);
        return;
    }
    let count = tokens.len().saturating_sub(2);
    for at in 0..count {
        tokens[at] = shingle(tokens[at], tokens[at + 1], tokens[at + 2]);
    }
    tokens.truncate(count);
}

#[cfg(test)]
mod tests;
