//! Excerpts of two texts around the first place where their words differ, with the words marked that only one has.
//!
//! The whole texts are aligned, as passages are, so that the ends of an excerpt are marked by what the other text has
//! there, and not by what its excerpt shows.

use std::ops::Range;

use super::examples::KEPT_TEXT;
use crate::text::passages::{AlignedTexts, align_texts};

/// Words shown of each text.
const SHOWN: usize = 120;

/// Words shown before the first that differs.
const BEFORE: usize = 24;

/// A stretch of a text.
#[derive(Debug, PartialEq)]
pub(super) struct Excerpt<'t> {
    /// Its pieces, and whether the other text lacks them.
    pub(super) pieces: Vec<(&'t str, bool)>,
    /// Whether text comes before.
    pub(super) begins_within: bool,
    /// Whether text follows.
    pub(super) ends_within: bool,
}

impl Excerpt<'_> {
    /// Whether it has anything that the other text lacks.
    pub(super) fn is_marked(&self) -> bool {
        self.pieces.iter().any(|(_, is_marked)| *is_marked)
    }
}

/// Both texts around the first place where they differ, or from the beginning if their words are the same.
pub(super) fn excerpts<'t>(a: &'t str, b: &'t str) -> (Excerpt<'t>, Excerpt<'t>) {
    let AlignedTexts { a: words_a, b: words_b, mut hunks } = align_texts(a, b);
    hunks.retain(|(one, other)| {
        letters(a, &words_a[one.clone()]) != letters(b, &words_b[other.clone()])
    });
    // Of a long text only the beginning is kept: nothing is known of what follows.
    let is_cut = |text: &str| text.len() + 4 > KEPT_TEXT;
    hunks.pop_if(|(one, other)| {
        is_cut(a) && one.end == words_a.len() || is_cut(b) && other.end == words_b.len()
    });
    let first = hunks.first().map_or((0, 0), |(one, other)| (one.start, other.start));
    let (own_a, own_b): (Vec<Range<usize>>, Vec<Range<usize>>) = hunks.into_iter().unzip();
    (excerpt(a, &words_a, first.0, &own_a), excerpt(b, &words_b, first.1, &own_b))
}

/// Letters and digits of some words in a row: what hyphens, line ends and spaces part is the same when it is joined.
fn letters(text: &str, words: &[Range<usize>]) -> String {
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return String::new() };
    let all = text[first.start..last.end].chars().filter(|letter| {
        letter.is_alphanumeric() || !(letter.is_whitespace() || is_hyphen(*letter))
    });
    let shown: String = all.flat_map(char::to_lowercase).collect();
    // A hunk of nothing but hyphens is one of signs.
    if shown.is_empty() { text[first.start..last.end].to_owned() } else { shown }
}

fn is_hyphen(letter: char) -> bool {
    matches!(letter, '-' | '\u{ad}' | '\u{2010}' | '\u{2011}')
}

/// The words around the one of this number; those of `own` are marked.
fn excerpt<'t>(
    text: &'t str,
    words: &[Range<usize>],
    first: usize,
    own: &[Range<usize>],
) -> Excerpt<'t> {
    let shown = first.saturating_sub(BEFORE)..words.len();
    let shown = shown.start..shown.end.min(shown.start + SHOWN);
    let mut pieces: Vec<(&str, bool)> = Vec::new();
    let mut at = words.get(shown.start).map_or(0, |word| word.start);
    if shown.start == 0 {
        at = 0;
    }
    let end = words.get(shown.end).map_or(text.len(), |word| word.start);
    let mut add = |range: Range<usize>, is_marked: bool| {
        let piece = &text[range];
        if !piece.trim().is_empty() {
            pieces.push((piece, is_marked));
        }
    };
    for hunk in own {
        let hunk = hunk.start.max(shown.start)..hunk.end.min(shown.end);
        if hunk.is_empty() {
            continue;
        }
        let marked = words[hunk.start].start.max(at)..words[hunk.end - 1].end.max(at);
        add(at..marked.start, false);
        at = marked.end;
        add(marked, true);
    }
    add(at..end.max(at), false);
    Excerpt { pieces, begins_within: shown.start > 0, ends_within: shown.end < words.len() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(a: &str, b: &str) -> (Vec<String>, Vec<String>) {
        let (left, right) = excerpts(a, b);
        let own = |side: &Excerpt<'_>| {
            let pieces = side.pieces.iter().filter(|(_, is_marked)| *is_marked);
            pieces.map(|(text, _)| (*text).to_owned()).collect()
        };
        (own(&left), own(&right))
    }

    #[test]
    fn words_that_one_text_lacks_are_marked() {
        let found = marked("Fog came in at noon", "fog, slowly came in at dusk");
        assert_eq!(found, (vec!["noon".to_owned()], vec!["slowly".into(), "dusk".into()]));
        let nothing = (Vec::new(), Vec::new());
        for (a, b) in [
            // Neither case nor punctuation nor layout is a difference.
            ("Fog came in, at noon.", "FOG came\n\n in at “noon”"),
            // Nor are hyphens: in compounds, at line ends, soft ones.
            ("a well-known light-\nhouse stood", "a well known lighthouse stood"),
            ("the light\u{ad}house stood", "the lighthouse stood"),
            ("", ""),
        ] {
            assert_eq!(marked(a, b), nothing, "{a:?} {b:?}");
        }
        assert_eq!(marked("It cost 5 €.", "It cost 7 €.").0, ["5"]);
    }

    #[test]
    fn long_texts_are_shown_where_they_first_differ() {
        let words: Vec<String> = (0..900).map(|number| format!("w{number}x")).collect();
        let mut other = words.clone();
        other[500] = "new".to_owned();
        let (a, b) = (words.join(" "), other.join(" "));
        let (left, right) = excerpts(&a, &b);
        assert!(left.pieces[0].0.starts_with("w476x "), "{:?}", left.pieces[0]);
        let count: usize =
            left.pieces.iter().map(|(text, _)| text.split_whitespace().count()).sum();
        assert_eq!(count, SHOWN);
        assert!(left.begins_within && left.ends_within && right.ends_within);
        assert_eq!(marked(&a, &b), (vec!["w500x".to_owned()], vec!["new".to_owned()]));
        let (same, _) = excerpts(&a, &a);
        assert!(!same.begins_within && same.ends_within && !same.is_marked());
    }

    #[test]
    fn the_end_of_a_text_that_was_cut_is_no_difference() {
        let words: Vec<String> = (0..20_000).map(|number| format!("w{number}x")).collect();
        let cut = |text: String| text[..KEPT_TEXT].to_owned();
        let (a, b) = (cut(words.join(" ")), cut(words.join("  ")));
        assert_eq!(marked(&a, &b), (Vec::new(), Vec::new()));
    }

    #[test]
    fn the_ends_of_excerpts_are_compared_with_the_whole_texts() {
        // The right text has many words before what both have: its excerpt ends long before the left one's.
        let rest: Vec<String> = (0..300).map(|number| format!("w{number}x")).collect();
        let more: Vec<String> = (0..100).map(|number| format!("m{number}x")).collect();
        let a = format!("begin {}", rest.join(" "));
        let b = format!("begin {} {}", more.join(" "), rest.join(" "));
        let (left, right) = marked(&a, &b);
        assert_eq!((left.len(), right.len()), (0, 1));
        assert_eq!(right[0].split_whitespace().count(), 100);
    }
}
