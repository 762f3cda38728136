//! The standard a second time, the slow and obvious way: sets and maps read from its tables, regular expressions,
//! one code point after the other. Shares no line and no data with the crate.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use regex::Regex;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

fn table(name: &str) -> String {
    let path = format!("{}/../../spec/tables/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn number(text: &str) -> u32 {
    u32::from_str_radix(text, 16).expect("a hexadecimal number")
}

fn range(text: &str) -> impl Iterator<Item = char> {
    let (first, last) = text.split_once("..").expect("a range");
    (number(first)..=number(last)).filter_map(char::from_u32)
}

static ASSIGNED: LazyLock<HashSet<char>> =
    LazyLock::new(|| table("assigned.txt").lines().flat_map(range).collect());

static FOLD: LazyLock<HashMap<char, String>> = LazyLock::new(|| {
    let entry = |line: &str| {
        let (from, to) = line.split_once(';').expect("an entry");
        let to = to.split_whitespace().map(number).filter_map(char::from_u32).collect();
        (char::from_u32(number(from)).expect("a code point"), to)
    };
    table("fold.txt").lines().map(entry).collect()
});

static CLASSES: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
    let entries = |line: &str| {
        let (points, class) = line.split_once(';').expect("an entry");
        let class = class.chars().next().expect("a class");
        range(points).map(move |c| (c, class)).collect::<Vec<_>>()
    };
    table("classes.txt").lines().flat_map(entries).collect()
});

/// A pattern, and what must not precede it.
type Cut = (Regex, fn(char) -> bool);

/// The patterns of SPEC section 5 in their order.
static CUTS: LazyLock<[Cut; 4]> = LazyLock::new(|| {
    let here =
        |pattern| Regex::new(&format!("^(?:{pattern})")).expect("the pattern is well-formed");
    let alphanumeric = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    [
        (here(r"[a-z][a-z0-9+.-]{0,31}://[!-~]*"), |_| false),
        (here(r"(www\.|urn:|doi:|arxiv:)[!-~]*"), alphanumeric),
        (here(r"[a-z0-9._%+-]{1,64}@([a-z0-9-]{1,63}\.)+[a-z0-9-]{1,63}"), |_| false),
        (here(r"10\.[0-9]{4,9}(\.[0-9]+)*/[!-~]*"), |c| {
            c.is_ascii_lowercase() || c.is_ascii_digit() || c == '.'
        }),
    ]
});

pub(crate) fn is_assigned(c: char) -> bool {
    ASSIGNED.contains(&c)
}

pub(crate) fn normalise(text: &str) -> String {
    let assigned = text.chars().map(|c| if is_assigned(c) { c } else { ' ' });
    let decomposed: Vec<char> = assigned.nfd().collect();
    let mut bounded = String::new();
    let mut run = 0;
    for c in decomposed {
        for c in FOLD.get(&c).cloned().unwrap_or_else(|| c.to_string()).chars() {
            run = if canonical_combining_class(c) == 0 { 0 } else { run + 1 };
            if run <= 30 {
                bounded.push(c);
            }
        }
    }
    bounded.nfc().collect()
}

pub(crate) fn cut(normalised: &str) -> String {
    let mut cut = String::new();
    let mut rest = normalised;
    let mut before = None;
    while let Some(c) = rest.chars().next() {
        let found = CUTS.iter().find_map(|(pattern, must_not_precede)| {
            pattern.find(rest).filter(|_| !before.is_some_and(must_not_precede))
        });
        let length = match found {
            Some(found) => {
                cut.push(' ');
                found.len()
            }
            None => {
                cut.push(c);
                c.len_utf8()
            }
        };
        before = rest[..length].chars().next_back();
        rest = &rest[length..];
    }
    cut
}

pub(crate) fn tokens(cut: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut word: Vec<char> = Vec::new();
    let mut pair_run: Vec<char> = Vec::new();
    // A separator at the end closes what is open.
    for c in cut.chars().chain([' ']) {
        match CLASSES.get(&c) {
            Some('P') => {
                close_word(&mut word, &mut tokens);
                pair_run.push(c);
            }
            Some('M') if !pair_run.is_empty() => pair_run.push(c),
            Some(_) => {
                close_pair_run(&mut pair_run, &mut tokens);
                word.push(c);
            }
            None => {
                close_word(&mut word, &mut tokens);
                close_pair_run(&mut pair_run, &mut tokens);
            }
        }
    }
    tokens
}

fn close_word(word: &mut Vec<char>, tokens: &mut Vec<String>) {
    let word: String = std::mem::take(word).into_iter().collect();
    let trimmed = word.trim_matches(|c| CLASSES.get(&c) == Some(&'C'));
    if trimmed.chars().count() <= 128 && has_letter(trimmed.chars()) {
        tokens.push(trimmed.to_owned());
    }
}

fn close_pair_run(run: &mut Vec<char>, tokens: &mut Vec<String>) {
    let run = std::mem::take(run);
    if let [lone] = run[..] {
        tokens.push(lone.to_string());
    }
    for pair in run.windows(2) {
        if has_letter(pair.iter().copied()) {
            tokens.push(pair.iter().collect());
        }
    }
}

fn has_letter(mut token: impl Iterator<Item = char>) -> bool {
    token.any(|c| matches!(CLASSES.get(&c), Some('P' | 'L')))
}

/// The counters, index 0 for the least significant bit. The hash is the crate's: vectors and Jenkins' published value
/// hold that one.
pub(crate) fn counters(tokens: &[String]) -> [i64; 64] {
    let mut counters = [0; 64];
    for token in tokens {
        let hash = nearprint_fingerprint::stages::token_hash(token.as_bytes());
        for (bit, counter) in counters.iter_mut().enumerate() {
            *counter += if hash >> bit & 1 == 1 { 1 } else { -1 };
        }
    }
    counters
}
