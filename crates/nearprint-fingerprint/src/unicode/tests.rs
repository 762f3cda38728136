//! The generated tables, code point by code point, against the standard's text files and against an independent
//! implementation of the normalisation forms.
//!
//! That implementation knows a later Unicode; for code points that 14.0.0 assigns, the stability policies promise the
//! same forms.

use std::collections::{HashMap, HashSet};

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char as independent;

use super::class::{CONNECTOR, DIGIT, LETTER, MARK, PAIR, TRIGGER, WORD};
use super::*;

fn table(name: &str) -> String {
    let path = format!("{}/../../spec/tables/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn number(text: &str) -> u32 {
    u32::from_str_radix(text, 16).expect("the tables hold hexadecimal numbers")
}

fn ranges(text: &str) -> impl Iterator<Item = (std::ops::RangeInclusive<u32>, &str)> {
    text.lines().map(|line| {
        let (range, value) = line.split_once(';').unwrap_or((line, ""));
        let (first, last) = range.split_once("..").expect("a line begins with a range");
        (number(first)..=number(last), value)
    })
}

fn assigned() -> HashSet<char> {
    ranges(&table("assigned.txt")).flat_map(|(range, _)| range).filter_map(char::from_u32).collect()
}

fn fold() -> HashMap<char, String> {
    table("fold.txt")
        .lines()
        .map(|line| {
            let (from, to) = line.split_once(';').expect("a line has a mapping");
            let to = to.split(' ').filter(|to| !to.is_empty()).map(number);
            let from = char::from_u32(number(from)).expect("the map is of code points of text");
            (from, to.filter_map(char::from_u32).collect())
        })
        .collect()
}

fn all() -> impl Iterator<Item = char> {
    '\0'..=char::MAX
}

#[test]
fn assigned_code_points_are_those_of_the_standard() {
    let assigned = assigned();
    assert_eq!(assigned.len(), 284_278 - 2_048, "code points of Unicode 14.0.0 without surrogates");
    for c in all() {
        assert_eq!(!Properties::of(c).is_unassigned(), assigned.contains(&c), "{c:?}");
    }
}

#[test]
fn classes_are_those_of_the_standard() {
    let text = table("classes.txt");
    let mut classes = HashMap::new();
    for (range, name) in ranges(&text) {
        let class = match name {
            "L" => WORD | LETTER,
            "M" => WORD | MARK,
            "D" => WORD | DIGIT,
            "C" => WORD | CONNECTOR,
            "P" => PAIR,
            _ => panic!("class {name}"),
        };
        classes.extend(range.map(|code_point| (code_point, class)));
    }
    for trigger in [u32::from(b'.'), u32::from(b':'), u32::from(b'@')] {
        assert_eq!(classes.insert(trigger, TRIGGER), None);
    }
    for c in all() {
        assert_eq!(class_of(c), classes.get(&(c as u32)).copied().unwrap_or(0), "{c:?}");
    }
}

#[test]
fn foldings_are_those_of_the_standard() {
    let fold = fold();
    assert_eq!(fold.len(), 6660);
    for c in all() {
        let mapping: Option<String> = folding(c).map(Iterator::collect);
        assert_eq!(mapping.as_ref(), fold.get(&c), "{c:?}");
    }
}

#[test]
fn decompositions_and_combining_classes_agree_with_another_implementation() {
    let assigned = assigned();
    for c in all() {
        let mut decomposition = String::new();
        decompose(c, |part| decomposition.push(part));
        if assigned.contains(&c) {
            assert_eq!(decomposition, c.nfd().to_string(), "{c:?}");
            assert_eq!(combining_class(c), independent::canonical_combining_class(c), "{c:?}");
        } else {
            assert_eq!(decomposition, c.to_string(), "{c:?}");
            assert_eq!(combining_class(c), 0, "{c:?}");
        }
    }
}

#[test]
fn compositions_agree_with_another_implementation() {
    let assigned = assigned();
    // Every pair of a code point that can be first and one that can be second, in either table.
    let mut firsts: HashSet<char> = HashSet::new();
    let mut seconds: HashSet<char> = HashSet::new();
    for &c in &assigned {
        let mut parts = Vec::new();
        independent::decompose_canonical(c, |part| parts.push(part));
        if let Some((&last, before)) = parts.split_last()
            && !before.is_empty()
        {
            seconds.insert(last);
            firsts.extend(before.iter().copied().collect::<String>().nfc());
        }
    }
    // Jamo and syllables in full would be millions of pairs; a few stand for all of the arithmetic.
    firsts.retain(|first| !('\u{AC02}'..'\u{D788}').contains(first));
    firsts.extend([
        '\u{1100}', '\u{1112}', '\u{1113}', '\u{AC00}', '\u{AC01}', '\u{D788}', '\u{D7A3}', 'q',
        '中',
    ]);
    seconds.extend([
        '\u{1160}', '\u{1161}', '\u{1175}', '\u{1176}', '\u{11A7}', '\u{11A8}', '\u{11C2}',
        '\u{11C3}', 'q', '中',
    ]);
    let mut composites = 0;
    for &first in &firsts {
        for &second in &seconds {
            let expected =
                independent::compose(first, second).filter(|whole| assigned.contains(whole));
            assert_eq!(compose(first, second), expected, "{first:?} {second:?}");
            composites += u32::from(expected.is_some());
        }
    }
    assert!(composites >= 941, "{composites}");
}

#[test]
fn quick_code_points_become_alone_what_the_standard_says() {
    let (assigned, fold) = (assigned(), fold());
    for c in all() {
        let properties = Properties::of(c);
        if !properties.is_quick() {
            continue;
        }
        assert!(assigned.contains(&c), "{c:?}");
        let folded: String = c
            .nfd()
            .map(|part| fold.get(&part).cloned().unwrap_or_else(|| part.to_string()))
            .collect();
        let result: Vec<char> = folded.nfc().collect();
        assert_eq!(result, [properties.target(c)], "{c:?}");
        assert!(result[0].len_utf8() <= 2 * c.len_utf8(), "{c:?}");
        assert_eq!(properties.target_class(), class_of(result[0]), "{c:?}");
        let decomposition: Vec<char> = c.nfd().collect();
        let class = |c: char| independent::canonical_combining_class(c);
        assert_eq!(properties.is_non_starter(), class(decomposition[0]) != 0, "{c:?}");
        assert_eq!(
            properties.trailing_class(),
            class(decomposition[decomposition.len() - 1]),
            "{c:?}"
        );
        let end = result[0].nfd().last().map(class);
        assert_eq!(Some(properties.trailing_class()), end, "{c:?}");
        let quick_check = unicode_normalization::is_nfc_quick(std::iter::once(c));
        assert_eq!(
            properties.may_compose(),
            quick_check == unicode_normalization::IsNormalized::Maybe,
            "{c:?}"
        );
    }
}
