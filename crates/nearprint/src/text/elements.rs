//! Elements: what a text says beside its words. Numbers, dates, signs, addresses, pictures, exponents and the case of
//! names, each at its place among the words, so that two texts can be found to contradict one another.
//!
//! An element is kept in 64 bits: its place, itself with the two units before it, itself alone, and its kind. The
//! similarity compares all of it; a contradiction is counted by the element alone, since one other number makes each of
//! the two after it another one with what is before it.

use std::cmp::Ordering;

use nearprint_search::WeightedFeature;

use crate::text::differences::{Differences, ElementKind};

const KIND_BITS: u32 = 4;
/// Two different elements in one place are taken for one by a count of contradictions with a probability of 1 / 2^16.
const OWN_BITS: u32 = 16;
const WHOLE_BITS: u32 = 20;
const PLACE_BITS: u32 = 24;

const _: () = assert!(KIND_BITS + OWN_BITS + WHOLE_BITS + PLACE_BITS == u64::BITS);

/// By which the first number of a group is another one than the same number of a longer or shorter group: `1,000` and
/// `1,000,000` have the same number in each place that both have.
const GROUP: u64 = 0x9e37_79b9_7f4a_7c15;

/// An element that both texts have, as much as a shingle of words.
const SHARED: u32 = 2;
/// One in whose place among the words each text has one that the other has not: the texts contradict one another.
const CONTRADICTED: u32 = 4;

/// The hashes of an element on its way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Element {
    pub(crate) kind: ElementKind,
    /// Of the words before it, and which element after them it is.
    pub(crate) place: u64,
    /// Of itself and the two units before it.
    pub(crate) whole: u64,
    pub(crate) own: u64,
    /// Of the first number of a group such as `1,000,000`, how many of the group follow it; else 0.
    pub(crate) followers: u64,
}

impl Element {
    /// What is kept of it.
    pub(crate) fn packed(&self) -> u64 {
        let mut packed = low(self.place, PLACE_BITS);
        packed = packed << WHOLE_BITS | low(self.whole, WHOLE_BITS);
        let own = self.own.wrapping_add(self.followers.wrapping_mul(GROUP));
        packed = packed << OWN_BITS | low(own, OWN_BITS);
        packed << KIND_BITS | self.kind as u64
    }
}

/// The least significant bits of a hash.
pub(crate) fn low(hash: u64, bits: u32) -> u64 {
    hash & ((1 << bits) - 1)
}

fn place(element: &WeightedFeature) -> u64 {
    element.0 >> (u64::BITS - PLACE_BITS)
}

/// What counts as one element where contradictions are counted.
fn own(element: &WeightedFeature) -> u64 {
    low(element.0 >> KIND_BITS, OWN_BITS)
}

fn kind(element: &WeightedFeature) -> ElementKind {
    ElementKind::of(low(element.0, KIND_BITS) as u8)
}

/// The elements of two texts, weighing by what the other has in their places. O(n log n + m log m).
pub(crate) fn weighed(a: &[WeightedFeature], b: &[WeightedFeature]) -> [Vec<WeightedFeature>; 2] {
    let mut weighed = [Vec::with_capacity(a.len()), Vec::with_capacity(b.len())];
    each_place(a, b, |[a, b]| {
        let [of_a, of_b] = &mut weighed;
        let contradicts = lacks(a, b) && lacks(b, a);
        weigh(a, b, contradicts, of_a);
        weigh(b, a, contradicts, of_b);
    });
    weighed
}

fn weigh(
    one: &[WeightedFeature],
    other: &[WeightedFeature],
    contradicts: bool,
    weighed: &mut Vec<WeightedFeature>,
) {
    let weight = |element: &WeightedFeature| {
        if holds(other, element) {
            SHARED
        } else if contradicts {
            CONTRADICTED
        } else {
            kind(element).weight_alone()
        }
    };
    weighed.extend(one.iter().map(|element| (element.0, weight(element))));
}

/// What differs between the elements of two texts. O(n log n + m log m).
pub(crate) fn differences(a: &[WeightedFeature], b: &[WeightedFeature]) -> Differences {
    let mut differences = Differences::default();
    each_place(a, b, |[a, b]| {
        if a == b {
            return;
        }
        let [of_a, of_b] = [unmatched(a, b), unmatched(b, a)];
        for kind in of_a.iter().chain(&of_b) {
            differences.differs(*kind);
        }
        // A date contradicts a date; a number that may be one in the other text is a number.
        for (a, b) in of_a.iter().zip(&of_b) {
            differences.contradicts((*a).min(*b));
        }
        // `C#` and `C` are two names, and `-5` and `5` two numbers, though nothing stands in the place of the sign.
        let both = of_a.len().min(of_b.len());
        for kind in of_a[both..].iter().chain(&of_b[both..]) {
            if kind.contradicts_alone() {
                differences.has_lone(*kind);
            }
        }
        of_b[both..].iter().for_each(|kind| differences.has_alone(*kind));
    });
    differences
}

/// The kinds of the elements of one text at a place that the other has not there.
fn unmatched(one: &[WeightedFeature], other: &[WeightedFeature]) -> Vec<ElementKind> {
    let mut others: Vec<u64> = other.iter().map(own).collect();
    others.sort_unstable();
    let missing = one.iter().filter(|element| others.binary_search(&own(element)).is_err());
    let mut kinds: Vec<(u64, ElementKind)> =
        missing.map(|element| (own(element), kind(element))).collect();
    // Once each, whatever was before it.
    kinds.sort_unstable();
    kinds.dedup_by_key(|(own, _)| *own);
    let mut kinds: Vec<ElementKind> = kinds.into_iter().map(|(_, kind)| kind).collect();
    kinds.sort_unstable();
    kinds
}

/// Whether one text has an element at a place that the other has not there.
fn lacks(one: &[WeightedFeature], other: &[WeightedFeature]) -> bool {
    one.iter().any(|element| !holds(other, element))
}

/// A place may hold a whole table of numbers: looked up, not searched through.
fn holds(elements: &[WeightedFeature], element: &WeightedFeature) -> bool {
    elements.binary_search_by_key(&element.0, |other| other.0).is_ok()
}

/// Gives the elements of each place in ascending order; one of the two lists may be empty.
fn each_place<'f>(
    mut a: &'f [WeightedFeature],
    mut b: &'f [WeightedFeature],
    mut take: impl FnMut([&'f [WeightedFeature]; 2]),
) {
    let split = |list: &'f [WeightedFeature], wanted: bool| {
        let at = list.first().filter(|_| wanted).map(place);
        let count = list.iter().take_while(|element| Some(place(element)) == at).count();
        list.split_at(count)
    };
    while !a.is_empty() || !b.is_empty() {
        let order = match (a.first(), b.first()) {
            (Some(a), Some(b)) => place(a).cmp(&place(b)),
            (Some(_), None) => Ordering::Less,
            _ => Ordering::Greater,
        };
        let ((of_a, rest_a), (of_b, rest_b)) = (split(a, order.is_le()), split(b, order.is_ge()));
        take([of_a, of_b]);
        (a, b) = (rest_a, rest_b);
    }
}
