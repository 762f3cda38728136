//! One pass over the tokens of a text, which gives its fingerprints by any number of schemes and the features that
//! verification compares.

use std::cell::Cell;

use nearprint_fingerprint::{
    FingerprintOutcome, Number, Residue, Scheme, Unit, UnitSink, fingerprint_and_units,
};
use nearprint_search::{Measure, WeightedFeature};

use crate::text::dates::{DateReader, continues_group, last_letters, may_name_month};
use crate::text::differences::ElementKind;
use crate::text::elements::{Element, low};
use crate::text::layout_digest::layout_digest;
use crate::text::packed_features::{pack_hashes, pack_weighted};
use crate::text::text_digests::WordDigest;
use crate::{PackedFeatures, TextDigests};

/// Bits of a feature's hash that are kept. Two documents of n and m features share one falsely with a probability of
/// about n m / 2^40: of 1,000 features each, one in a million.
const HASH_BITS: u32 = 40;

/// Numbers and signs after one word that have places of their own; those further on share one, so that a number more or
/// less in a long row does not move all that follow. The same of what neither words nor numbers say.
const PLACES: u64 = 3;

/// By which the places of what neither words nor numbers say differ from those of numbers and signs, and these from
/// those of names: in the lowest bits, since these are kept of a place.
const RESIDUE: u64 = 4;
const NAME: u64 = 8;

/// Words after a fraction of one that make it a time which something took.
const SECONDS: [&[u8]; 5] = [b"s", b"sec", b"secs", b"second", b"seconds"];

/// Buffers of more items than this are not kept for the next text.
const MOST_IDLE: usize = 64 * 1024;

/// The fingerprints of a text by these schemes, and its features for a measure; `bytes` is SHA-256 of the text, where
/// it is known.
pub(crate) fn fingerprints_and_features(
    schemes: &[Scheme],
    text: &str,
    measure: Measure,
    bytes: Option<[u8; 32]>,
) -> (Vec<FingerprintOutcome>, PackedFeatures) {
    // There is none where the thread is ending.
    let mut taking = IDLE.try_with(Cell::take).ok().flatten().unwrap_or_default();
    let prints = fingerprint_and_units(schemes, text, &mut *taking);
    let features = taking.finish((text, bytes), measure);
    if taking.is_small() {
        let _ = IDLE.try_with(|idle| idle.set(Some(taking)));
    }
    (prints, features)
}

/// The features of a text for a measure.
pub(crate) fn features(text: &str, measure: Measure) -> PackedFeatures {
    fingerprints_and_features(&[], text, measure, None).1
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
    elements: Vec<Element>,
    /// The hashes of the last two units: words, numbers and signs.
    before: [u64; 2],
    /// Those of the last two words, how many numbers and signs came since, and how much else.
    words: [u64; 2],
    since: u64,
    residues: u64,
    dates: DateReader,
    /// How many tokens there were at the last number.
    dated: usize,
    /// The code points of the last token.
    last_letters: usize,
    /// Which element is the first number of the group that the last number is in.
    group: usize,
    digest: WordDigest,
    /// Where the features are packed.
    packed: Vec<u8>,
}

impl UnitSink for TextPass {
    #[inline(always)]
    fn unit(&mut self, unit: Unit<'_>) {
        match unit {
            Unit::Token(token, hash) => self.tokens(token, &[hash]),
            Unit::Number(number) => self.number(&number),
            Unit::Sign(hash) => self.counted(ElementKind::Sign, hash),
            Unit::Residue(residue, hash) => self.residue(residue, hash),
            Unit::Name(lower, exact) => {
                let place = joined(lower, NAME);
                self.elements.push(Element {
                    kind: ElementKind::Name,
                    place,
                    whole: exact,
                    own: exact,
                    followers: 0,
                });
            }
            _ => {}
        }
    }

    #[inline(always)]
    fn tokens(&mut self, text: &[u8], hashes: &[u64]) {
        self.digest.push(text);
        if self.since > 0 {
            self.ends_fraction(text);
        }
        self.tokens.extend_from_slice(hashes);
        self.last_letters = last_letters(text);
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
        (self.since, self.residues) = (0, 0);
    }
}

impl TextPass {
    fn number(&mut self, number: &Number) {
        let at = self.elements.len();
        self.counted(ElementKind::Number, number.hash);
        if !continues_group(number) {
            self.group = at;
        } else if let Some(first) = self.elements.get_mut(self.group) {
            first.followers += 1;
        }
        let may_name_month = may_name_month(&self.tokens[self.dated..], self.last_letters);
        self.dated = self.tokens.len();
        let dated = self.dates.push(number, may_name_month);
        self.mark_dates(dated);
    }

    /// A word follows numbers: it may say that they are a time.
    #[cold]
    fn ends_fraction(&mut self, text: &[u8]) {
        let word = text.split(|&byte| byte == b' ').next().unwrap_or_default();
        if self.dates.is_fraction() && SECONDS.contains(&word) {
            self.mark_dates(2);
        }
    }

    /// The last numbers, so many, are a date.
    fn mark_dates(&mut self, count: usize) {
        let is_number = |kind| matches!(kind, ElementKind::Number | ElementKind::Date);
        let numbers = self.elements.iter_mut().rev().filter(|element| is_number(element.kind));
        numbers.take(count).for_each(|element| element.kind = ElementKind::Date);
    }

    /// A number or sign.
    fn counted(&mut self, kind: ElementKind, own: u64) {
        let place = shingle(self.words[0], self.words[1], self.since.min(PLACES));
        let [first, second] = self.before;
        let whole = shingle(first, second, own);
        self.elements.push(Element { kind, place, whole, own, followers: 0 });
        self.since += 1;
        self.before = [second, own];
    }

    fn residue(&mut self, residue: Residue, own: u64) {
        let kind = match residue {
            Residue::Operator => ElementKind::Operator,
            Residue::Suffix => ElementKind::Suffix,
            Residue::Address => ElementKind::Address,
            Residue::Pictograph => ElementKind::Picture,
            Residue::Exponent => ElementKind::Exponent,
        };
        let place = RESIDUE + self.residues.min(PLACES);
        let place = shingle(self.words[0], self.words[1], place);
        self.elements.push(Element { kind, place, whole: own, own, followers: 0 });
        self.residues += 1;
    }

    /// The features of the text that was taken, with SHA-256 of it where that is known; what is taken after that is
    /// another one.
    fn finish(
        &mut self,
        (text, bytes): (&str, Option<[u8; 32]>),
        measure: Measure,
    ) -> PackedFeatures {
        let Self { tokens, elements, packed, .. } = self;
        packed.clear();
        let digests = TextDigests { text: layout_digest(text, bytes), words: self.digest.finish() };
        if measure == Measure::Cosine {
            let counting = elements.iter().filter(|element| element.kind.weight_alone() > 0);
            let mut elements: Vec<u64> = counting.map(|element| element.own).collect();
            let (elements, words) = (counted(&mut elements), counted(tokens));
            pack_weighted([&elements, &words], packed);
        } else {
            let mut elements: Vec<u64> = elements.iter().map(Element::packed).collect();
            elements.sort_unstable();
            elements.dedup();
            shingle_all(tokens);
            tokens.iter_mut().for_each(|hash| *hash = low(*hash, HASH_BITS));
            tokens.sort_unstable();
            tokens.dedup();
            pack_hashes(&elements, tokens, packed);
        }
        let features = PackedFeatures::new(digests, packed);
        self.tokens.clear();
        self.elements.clear();
        (self.before, self.words, self.since) = Default::default();
        (self.residues, self.dated, self.group) = (0, 0, 0);
        self.dates.reset();
        features
    }

    /// Whether it is worth keeping.
    fn is_small(&self) -> bool {
        let items = [self.tokens.capacity(), self.elements.capacity(), self.packed.capacity()];
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
