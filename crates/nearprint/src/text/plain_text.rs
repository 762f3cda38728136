//! The measure of docs/MEASURE.md computed plainly: from whole texts and whole hashes. Nothing is packed, kept or
//! searched, and nothing is shared with what deduplication finds and compares documents by. Checks of decisions compare
//! by it.

use std::collections::{BTreeMap, BTreeSet};

use nearprint_fingerprint::{Residue, Unit, units};
use unicode_normalization::UnicodeNormalization;

use crate::text::dates::{DateReader, continues_group, last_letters, may_name_month};
use crate::text::differences::ElementKind;

/// The factor of a shingle (SPEC [11.4]).
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// The similarity of texts that are not identical, at most.
const MOST_OF_UNEQUAL: f64 = 0.9999;

/// Words of a time that something took.
const SECONDS: [&[u8]; 5] = [b"s", b"sec", b"secs", b"second", b"seconds"];

/// What rows call the kinds, one and many of them, by their numbers.
const KINDS: [(&str, &str); 9] = [
    ("number", "numbers"),
    ("date", "dates"),
    ("sign", "signs"),
    ("sign", "signs"),
    ("sign", "signs"),
    ("address", "addresses"),
    ("picture", "pictures"),
    ("exponent", "exponents"),
    ("name", "names"),
];

/// An element in its place: its kind, its hash with the two units before it, and its own.
type Element = (ElementKind, u64, u64);

/// What a text is made of, as docs/MEASURE.md states it.
#[derive(Debug, Default)]
pub(crate) struct PlainText {
    /// The text with its layout (section 6).
    layout: String,
    /// The tokens of the standard, a byte after each that no token has.
    tokens: Vec<u8>,
    /// The shingles of the tokens' hashes.
    shingles: BTreeSet<Vec<u64>>,
    /// The elements by their places.
    elements: BTreeMap<u64, BTreeSet<Element>>,
}

/// What two texts are to each other, the closest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Relation {
    /// Equal texts.
    Identical,
    /// The same tokens in the same order.
    SameWords,
    /// Neither.
    Other,
}

impl Relation {
    /// How a report calls it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::SameWords => "same-words",
            Self::Other => "similarity",
        }
    }
}

impl PlainText {
    pub(crate) fn new(text: &str) -> Self {
        let mut plain = Self { layout: layout(text), ..Self::default() };
        let mut hashes = Vec::new();
        let mut found: Vec<(u64, Element)> = Vec::new();
        let (mut before, mut words, mut counted, mut others) = ([0; 2], [0; 2], 0_u64, 0_u64);
        let mut dates = DateReader::default();
        let (mut dated, mut letters, mut group) = (0, 0, 0);
        units(text, &mut |unit: Unit<'_>| match unit {
            Unit::Token(token, hash) => {
                if counted > 0 && dates.is_fraction() && SECONDS.contains(&token) {
                    date(&mut found, 2);
                }
                plain.tokens.extend_from_slice(token);
                plain.tokens.push(0xFF);
                hashes.push(hash);
                letters = last_letters(token);
                (before, words, counted, others) = ([before[1], hash], [words[1], hash], 0, 0);
            }
            Unit::Number(_) | Unit::Sign(_) => {
                let (kind, own) = match unit {
                    Unit::Number(number) => (ElementKind::Number, number.hash),
                    Unit::Sign(hash) => (ElementKind::Sign, hash),
                    _ => return,
                };
                let (whole, at) = (join(before[0], before[1], own), found.len());
                found.push((join(words[0], words[1], counted.min(3)), (kind, whole, own)));
                (before, counted) = ([before[1], own], counted + 1);
                if let Unit::Number(number) = unit {
                    if !continues_group(&number) {
                        group = at;
                    } else if let Some((_, (_, _, first))) = found.get_mut(group) {
                        *first = first.wrapping_add(FACTOR);
                    }
                    let may_name_month = may_name_month(&hashes[dated..], letters);
                    dated = hashes.len();
                    let numbers = dates.push(&number, may_name_month);
                    date(&mut found, numbers);
                }
            }
            Unit::Residue(residue, own) => {
                let place = join(words[0], words[1], 4 + others.min(3));
                found.push((place, (kind(residue), own, own)));
                others += 1;
            }
            Unit::Name(lower, exact) => {
                let place = lower.wrapping_mul(FACTOR).wrapping_add(8);
                found.push((place, (ElementKind::Name, exact, exact)));
            }
            _ => {}
        });
        // A text too short for a shingle has one.
        plain.shingles = match hashes.len() {
            0 => BTreeSet::new(),
            1 | 2 => BTreeSet::from([hashes]),
            _ => hashes.windows(3).map(<[u64]>::to_vec).collect(),
        };
        for (place, element) in found {
            plain.elements.entry(place).or_default().insert(element);
        }
        plain
    }

    /// What two texts are to each other (section 6).
    pub(crate) fn relation(&self, other: &Self) -> Relation {
        match () {
            () if self.layout == other.layout => Relation::Identical,
            () if self.tokens == other.tokens => Relation::SameWords,
            () => Relation::Other,
        }
    }

    /// The Jaccard similarity of two texts (sections 3 and 4).
    pub(crate) fn similarity(&self, other: &Self) -> f64 {
        let shared = self.shingles.intersection(&other.shingles).count() as u64;
        let all = self.shingles.union(&other.shingles).count() as u64;
        let (mut lesser, mut sum) = (2 * shared, 2 * all);
        for [ours, theirs] in self.places(other) {
            let contradicts = !ours.is_subset(theirs) && !theirs.is_subset(ours);
            let both = 2 * ours.intersection(theirs).count() as u64;
            let single = ours.symmetric_difference(theirs);
            let alone = single.map(|element| if contradicts { 4 } else { weight(element.0) });
            lesser += both;
            sum += both + alone.sum::<u64>();
        }
        let words = quotient(shared, all);
        let similarity = words.min(quotient(lesser, sum));
        if self.relation(other) == Relation::Identical {
            similarity
        } else {
            similarity.min(MOST_OF_UNEQUAL)
        }
    }

    /// What contradicts where careful decisions do not drop the other text for this one (section 7).
    pub(crate) fn contradiction(&self, dropped: &Self) -> Option<String> {
        let shorter = self.shingles.len().min(dropped.shingles.len()) as u64;
        let (mut kinds, mut dates, mut more) =
            ([0_u64; KINDS.len()], false, None::<(u64, ElementKind)>);
        for [ours, theirs] in self.places(dropped) {
            let (one, other) = (unmatched(ours, theirs), unmatched(theirs, ours));
            dates |= one.iter().chain(&other).any(|kind| *kind == ElementKind::Date);
            for (one, other) in one.iter().zip(&other) {
                kinds[*one.min(other) as usize] += 1;
            }
            let both = one.len().min(other.len());
            let left = one[both..].iter().chain(&other[both..]);
            // Renderings of a long text have marks of lists and of code that others lack.
            let lone = left.filter(|kind| shorter < 300 && ALONE.contains(kind));
            lone.for_each(|kind| kinds[*kind as usize] += 1);
            let counts = |kind: &&ElementKind| {
                !ALONE.contains(kind) && **kind != ElementKind::Date && weight(**kind) > 0
            };
            for kind in other[both..].iter().filter(counts) {
                let (count, least) = more.unwrap_or((0, *kind));
                more = Some((count + 1, least.min(*kind)));
            }
        }
        let month = if dates { 3 } else { 0 };
        let [kept_alone, alone] = [(self, dropped), (dropped, self)]
            .map(|(one, other)| one.shingles.difference(&other.shingles).count() as u64);
        let replaced = kept_alone.min(alone);
        let is_replaced = 50 * replaced.saturating_sub(month) > shorter;
        let is_lost = 10 * alone.saturating_sub(month) > dropped.shingles.len() as u64;
        let counted = kinds.iter().sum::<u64>() - kinds[ElementKind::Date as usize];
        let (per, from) = if shorter < 300 { (100, 0) } else { (20, 240) };
        let more = more.filter(|(count, _)| 5 * count > dropped.shingles.len() as u64);
        let other_dates = kinds[ElementKind::Date as usize];
        let has_other_dates = other_dates > 10 && 20 * other_dates > shorter;
        let is_contradicted = counted * per > shorter - from || has_other_dates;
        if !is_contradicted && !is_replaced && !is_lost && more.is_none() {
            return None;
        }
        let mut named: Vec<(u64, &str, &str)> = Vec::new();
        for ((one, many), count) in KINDS.into_iter().zip(kinds) {
            match named.last_mut().filter(|(_, name, _)| *name == one) {
                Some((all, ..)) => *all += count,
                None => named.push((count, one, many)),
            }
        }
        if is_replaced {
            named.push((replaced.div_ceil(3), "word", "words"));
        } else if is_lost {
            named.push((alone.saturating_sub(replaced).max(1), "more word", "more words"));
        }
        let text = |(count, one, many)| format!("{count} {}", if count == 1 { one } else { many });
        let texts: Vec<String> =
            named.into_iter().filter(|(count, ..)| *count > 0).map(text).collect();
        let more = more.map(|(count, kind)| {
            let (one, many) = KINDS[kind as usize];
            format!("{count} more {}", if count == 1 { one } else { many })
        });
        Some(texts.into_iter().chain(more).collect::<Vec<_>>().join(", "))
    }

    /// The elements of both texts in each place where one of them has any.
    fn places<'t>(&'t self, other: &'t Self) -> impl Iterator<Item = [&'t BTreeSet<Element>; 2]> {
        const NONE: &BTreeSet<Element> = &BTreeSet::new();
        let places: BTreeSet<&u64> = self.elements.keys().chain(other.elements.keys()).collect();
        places
            .into_iter()
            .map(move |place| [self, other].map(|text| text.elements.get(place).unwrap_or(NONE)))
    }
}

/// The kinds of the elements in a place that the other text does not have there, ascending, each element once.
fn unmatched(ours: &BTreeSet<Element>, theirs: &BTreeSet<Element>) -> Vec<ElementKind> {
    let others: BTreeSet<u64> = theirs.iter().map(|element| element.2).collect();
    let mut missing: BTreeMap<u64, ElementKind> = BTreeMap::new();
    for (kind, _, own) in ours.iter().filter(|element| !others.contains(&element.2)) {
        missing.entry(*own).and_modify(|least| *least = (*least).min(*kind)).or_insert(*kind);
    }
    let mut kinds: Vec<ElementKind> = missing.into_values().collect();
    kinds.sort_unstable();
    kinds
}

/// What contradicts where the other text has nothing (section 7).
const ALONE: [ElementKind; 2] = [ElementKind::Sign, ElementKind::Suffix];

/// A shingle of three hashes.
fn join(one: u64, two: u64, three: u64) -> u64 {
    let pair = one.wrapping_mul(FACTOR).wrapping_add(two);
    pair.wrapping_mul(FACTOR).wrapping_add(three)
}

fn quotient(part: u64, whole: u64) -> f64 {
    if whole > 0 { part as f64 / whole as f64 } else { 0.0 }
}

fn kind(residue: Residue) -> ElementKind {
    match residue {
        Residue::Operator => ElementKind::Operator,
        Residue::Suffix => ElementKind::Suffix,
        Residue::Address => ElementKind::Address,
        Residue::Pictograph => ElementKind::Picture,
        Residue::Exponent => ElementKind::Exponent,
    }
}

/// What an element weighs in whose place the other text has none.
fn weight(kind: ElementKind) -> u64 {
    use ElementKind::{Address, Name, Operator};
    u64::from(!matches!(kind, Operator | Address | Name))
}

/// The last numbers, so many, are a date.
fn date(found: &mut [(u64, Element)], count: usize) {
    let is_number = |kind| matches!(kind, ElementKind::Number | ElementKind::Date);
    let numbers = found.iter_mut().rev().filter(|(_, element)| is_number(element.0));
    numbers.take(count).for_each(|(_, element)| element.0 = ElementKind::Date);
}

/// A text in NFC without a byte-order mark, its lines without blanks at their ends and none empty at its end, every
/// blank beyond ASCII as U+0020.
fn layout(text: &str) -> String {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let blank = |c: char| if c >= '\u{80}' && c.is_whitespace() { ' ' } else { c };
    let lines = text.split('\n').map(|line| line.trim_end().nfc().map(blank).collect::<String>());
    lines.collect::<Vec<_>>().join("\n").trim_end_matches('\n').to_owned()
}

#[cfg(test)]
mod tests {
    use nearprint_search::Measure;
    use proptest::prelude::*;

    use super::*;
    use crate::{DuplicateRule, Policy, Sameness, Verification};

    /// Texts of a few words, numbers and signs, so that two of them have much in common.
    fn texts() -> impl Strategy<Value = String> {
        let pieces = [
            "fog ",
            "came ",
            "in ",
            "at ",
            "noon ",
            "12 ",
            "13 ",
            "2024-03-12 ",
            "a + b ",
            "total - amount ",
            "http://a.b/c ",
            "x@y.z ",
            "C# ",
            "snakeCase ",
            "snakecase ",
            "10² ",
            "😀 ",
            "0.03 s ",
            "\n",
            "日本の",
            "5 € ",
            "12:30 ",
            "if (!ready) ",
            "\t",
            "Fog ",
        ];
        prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..60)
            .prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn it_is_what_verification_says(a in texts(), b in texts()) {
            let verification = Verification::new(Measure::Jaccard);
            let [one, other] = [&a, &b].map(|text| verification.features(text));
            let [plain, plain_other] = [&a, &b].map(|text| PlainText::new(text));
            let wanted = verification.similarity(&one, &other);
            let found = plain.similarity(&plain_other);
            prop_assert!((found - wanted).abs() < 1e-9, "{found} is not {wanted}");
            let relation = match one.digests.sameness(&other.digests) {
                Sameness::Identical => Relation::Identical,
                Sameness::SameWords => Relation::SameWords,
                Sameness::Different => Relation::Other,
            };
            prop_assert_eq!(plain.relation(&plain_other), relation);
            let related = DuplicateRule::new(Policy::Careful, 0.0).related(&one, &other);
            let contradiction = related.differences.contradiction();
            let wanted = contradiction.filter(|_| related.differences.is_contradiction());
            prop_assert_eq!(plain.contradiction(&plain_other), wanted);
        }
    }
}
