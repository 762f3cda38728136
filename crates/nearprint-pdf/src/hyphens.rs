//! Words broken at the end of a line.
//!
//! A hyphen at a line end is either the typesetter's, and goes, or the word's own, and stays. The document
//! itself is asked: if the word occurs with its hyphen elsewhere and never without, the hyphen is its own; so it
//! is if both parts are words of the document and the whole is none.

use crate::steps;
use std::collections::HashMap;

const SOFT_HYPHEN: char = '\u{ad}';

/// What a line end is to the word at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Break {
    /// No word is broken.
    None,
    /// A word is broken; its hyphen takes this many bytes and goes.
    Word { hyphen_bytes: usize },
    /// A compound word is broken at its own hyphen, which stays.
    Compound,
}

/// How often the words that may have been broken occur whole, and with a hyphen within a line.
#[derive(Debug, Default)]
pub(crate) struct Vocabulary {
    whole: HashMap<String, u32>,
    hyphenated: HashMap<String, u32>,
    /// The parts of these words, where they stand alone.
    parts: HashMap<String, u32>,
}

/// Characters examined on either side of a hyphen: longer than any word, so that a page without spaces costs no
/// more than others.
const MAX_PART: usize = 64;
/// Parts shorter than this are syllables as often as words.
const MIN_PART: usize = 3;

/// Words that follow a hyphen left standing (`pre- and postwar`, `Ein- und Ausgabe`).
const CONJUNCTIONS: [&str; 7] = ["and", "or", "und", "oder", "bzw", "sowie", "och"];

impl Vocabulary {
    /// Looks at line ends for candidates, then counts only these.
    pub(crate) fn new<'t>(lines: impl Iterator<Item = &'t str> + Clone) -> Self {
        let mut vocabulary = Self::default();
        let mut previous = "";
        for line in lines.clone() {
            if let Some((left, right, _)) = candidate(previous, line) {
                vocabulary.whole.insert(format!("{left}{right}").to_lowercase(), 0);
                vocabulary.hyphenated.insert(format!("{left}-{right}").to_lowercase(), 0);
                for part in [left, right] {
                    vocabulary.parts.insert(part.to_owned(), 0);
                }
            }
            previous = line;
        }
        if vocabulary.whole.is_empty() {
            return vocabulary;
        }
        let mut broken = false;
        for line in lines {
            steps::count(line.len());
            let mut words = line.split(|c: char| !(c.is_alphanumeric() || is_hyphen(c))).peekable();
            while let Some(word) = words.next() {
                // A part is not a word where it is a part: at a line end with a hyphen, and after that.
                let ends_broken = words.peek().is_none() && word.ends_with(is_hyphen);
                if !broken
                    && !ends_broken
                    && let Some(count) = vocabulary.parts.get_mut(word)
                {
                    *count += 1;
                }
                broken = ends_broken;
                vocabulary.count(word);
            }
        }
        vocabulary
    }

    fn count(&mut self, word: &str) {
        let word = word.trim_matches(is_hyphen);
        if word.is_empty() {
            return;
        }
        let lower = word.to_lowercase();
        if let Some(count) = self.whole.get_mut(&lower) {
            *count += 1;
        } else if lower.contains(is_hyphen) {
            let plain = lower.replace(is_hyphen, "-");
            if let Some(count) = self.hyphenated.get_mut(&plain) {
                *count += 1;
            }
        }
    }
}

/// The break at the end of `before`, where `after` is the next line.
pub(crate) fn at_line_end(before: &str, after: &str, vocabulary: &Vocabulary) -> Break {
    let Some((left, right, hyphen)) = candidate(before, after) else { return Break::None };
    let broken = Break::Word { hyphen_bytes: hyphen.len_utf8() };
    if hyphen == SOFT_HYPHEN {
        return broken;
    }
    if CONJUNCTIONS.contains(&right) {
        return Break::None;
    }
    let count = |map: &HashMap<String, u32>, key: String| {
        map.get(&key.to_lowercase()).copied().unwrap_or(0)
    };
    let whole = count(&vocabulary.whole, format!("{left}{right}"));
    let hyphenated = count(&vocabulary.hyphenated, format!("{left}-{right}"));
    if right.chars().next().is_some_and(char::is_lowercase) {
        let word = before.trim_end_matches(is_hyphen);
        let chained = &word[..trailing(word, char::is_alphanumeric)];
        let is_word = |part: &str| {
            part.chars().nth(MIN_PART - 1).is_some()
                && vocabulary.parts.get(part).is_some_and(|count| *count > 0)
        };
        let own = hyphenated > 0 || (is_word(left) && is_word(right));
        if (own && whole == 0) || chained.ends_with(is_hyphen) { Break::Compound } else { broken }
    } else if whole > 0 && hyphenated == 0 {
        broken
    } else {
        Break::None
    }
}

/// The two parts of a word and the hyphen between them, if `before` ends and `after` begins like that.
fn candidate<'t>(before: &'t str, after: &'t str) -> Option<(&'t str, &'t str, char)> {
    let hyphen = before.chars().next_back().filter(|c| is_hyphen(*c))?;
    let stem = &before[..before.len() - hyphen.len_utf8()];
    let left = &stem[trailing(stem, char::is_alphabetic)..];
    let letters = |c: char| c.is_alphabetic();
    let right_end = after.char_indices().take(MAX_PART).take_while(|(_, c)| letters(*c)).last();
    let right = &after[..right_end.map_or(0, |(i, c)| i + c.len_utf8())];
    (!left.is_empty() && !right.is_empty()).then_some((left, right, hyphen))
}

/// Where the last characters of `text` that are all `wanted` begin; at most [`MAX_PART`] are examined.
fn trailing(text: &str, wanted: fn(char) -> bool) -> usize {
    let start = text.char_indices().rev().take(MAX_PART).take_while(|(_, c)| wanted(*c)).last();
    start.map_or(text.len(), |(index, _)| index)
}

fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | SOFT_HYPHEN)
}

/// What is left of soft hyphens: within a line they were drawn, so they are hyphens; elsewhere they are none.
pub(crate) fn resolve_soft_hyphens(text: &mut String) {
    if !text.contains(SOFT_HYPHEN) {
        return;
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != SOFT_HYPHEN {
            out.push(c);
        } else if chars.peek().is_some_and(|next| next.is_alphanumeric()) {
            out.push('-');
        }
    }
    *text = out;
}

#[cfg(test)]
mod tests {
    use super::{Break, Vocabulary, at_line_end};

    #[test]
    fn hyphens_at_line_ends_are_told_apart() {
        let elsewhere = "a well-known fact, a hardware store, INTRODUCTION";
        for (before, after, expected) in [
            ("the hard-", "ware works", Break::Word { hyphen_bytes: 1 }),
            ("a well-", "known man", Break::Compound),
            ("state-of-", "the-art", Break::Compound),
            ("an unseen sylla-", "ble", Break::Word { hyphen_bytes: 1 }),
            ("soft\u{ad}", "ware", Break::Word { hyphen_bytes: 2 }),
            ("typographic\u{2010}", "al", Break::Word { hyphen_bytes: 3 }),
            ("pre-", "and postwar", Break::None),
            ("Hewlett-", "Packard", Break::None),
            ("INTRO-", "DUCTION", Break::Word { hyphen_bytes: 1 }),
            ("x -", "y", Break::None),
            ("1990-", "1999", Break::None),
            ("über-", "prüft", Break::Word { hyphen_bytes: 1 }),
            ("пере-", "нос", Break::Word { hyphen_bytes: 1 }),
        ] {
            let vocabulary = Vocabulary::new([before, after, elsewhere].into_iter());
            assert_eq!(at_line_end(before, after, &vocabulary), expected, "{before} {after}");
        }
    }
}
